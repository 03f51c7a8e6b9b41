//! Why there is no screen, and what to do.

use crate::strings::HeadedText;

/// The words of one language.
#[derive(Debug)]
pub struct ProblemWords {
    /// Nothing is found at the address.
    pub not_found: HeadedText,
    /// A permission is missing, and its name is not known here.
    pub not_permitted: HeadedText,
    /// Before the names of permissions of which one is needed.
    pub needs_any: &'static str,
    /// Before the names of permissions that are all needed.
    pub needs_all: &'static str,
    /// Only someone who may do everything may do it.
    pub needs_everything: &'static str,
    /// A form was not sent by the page that has it.
    pub foreign_form: HeadedText,
    /// The request was not understood or is refused; a sentence of the service follows.
    pub refused: HeadedText,
    /// The service cannot answer now.
    pub unavailable: HeadedText,
    /// The link to the first screen.
    pub home: &'static str,
}

impl ProblemWords {
    pub(super) const ENGLISH: Self = Self {
        not_found: HeadedText {
            title: "There is nothing here",
            text: "What you look for does not exist, or belongs to someone else.",
        },
        not_permitted: HeadedText {
            title: "You may not do this",
            text: "Ask someone who manages access in your business.",
        },
        needs_any: "One of these permissions is needed:",
        needs_all: "These permissions are needed:",
        needs_everything: "Only a user who may do everything may do this.",
        foreign_form: HeadedText {
            title: "Nothing was done",
            text: "The form is out of date, or was sent from another page. Open the page again and repeat it there.",
        },
        refused: HeadedText { title: "This was not done", text: "The reason:" },
        unavailable: HeadedText {
            title: "This does not work at the moment",
            text: "Look at the list before you repeat what you did: it may have been done. Try again in a minute.",
        },
        home: "To the first screen",
    };
    pub(super) const ARABIC: Self = Self {
        not_found: HeadedText {
            title: "لا يوجد شيء هنا", text: "ما تبحث عنه غير موجود أو يعود لجهة أخرى."
        },
        not_permitted: HeadedText {
            title: "هذا الإجراء غير مسموح لك",
            text: "يرجى الرجوع إلى من يدير الصلاحيات في منشأتك.",
        },
        needs_any: "تلزم إحدى هذه الصلاحيات:",
        needs_all: "تلزم هذه الصلاحيات:",
        needs_everything: "هذا الإجراء متاح فقط لمستخدم لديه كل الصلاحيات.",
        foreign_form: HeadedText {
            title: "لم يُنفَّذ شيء",
            text: "النموذج قديم أو أُرسل من صفحة أخرى. يرجى فتح الصفحة من جديد والإعادة منها.",
        },
        refused: HeadedText { title: "لم يُنفَّذ الطلب", text: "السبب:" },
        unavailable: HeadedText {
            title: "الخدمة غير متاحة الآن",
            text: "يرجى مراجعة القائمة قبل الإعادة، فقد يكون الطلب نُفِّذ، ثم المحاولة بعد دقيقة.",
        },
        home: "إلى الشاشة الأولى",
    };
}
