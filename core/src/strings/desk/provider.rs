//! Signing in through the provider of a merchant.

use crate::strings::HeadedText;

/// The words of one language.
#[derive(Debug)]
pub struct ProviderWords {
    /// The title, and the link that leads here.
    pub title: &'static str,
    /// The field of the merchant's id.
    pub merchant: &'static str,
    /// What is typed there.
    pub merchant_hint: &'static str,
    /// The button.
    pub go_on: &'static str,
    /// No merchant of this id signs in here.
    pub unknown: &'static str,
    /// The link to the page for a name and a password.
    pub by_password: &'static str,
    /// The page that leads to the provider.
    pub leaving: HeadedText,
    /// The page of someone who came back and is signed in.
    pub arrived: HeadedText,
    /// Why the provider is asked again.
    pub again: &'static str,
    /// The button of it.
    pub again_button: &'static str,
    /// The page on which a form goes on.
    pub confirmed: HeadedText,
    /// The sign-in was begun elsewhere, took too long, or was used.
    pub stale: HeadedText,
    /// The provider did not sign the user in.
    pub cancelled: HeadedText,
    /// The provider's answer is wrong.
    pub answer: HeadedText,
    /// Who signed in there may not use this desk.
    pub no_user: HeadedText,
    /// The provider does not say that the same user signed in just now.
    pub not_again: HeadedText,
}

impl ProviderWords {
    pub(super) const ENGLISH: Self = Self {
        title: "Sign in through your company",
        merchant: "Company code",
        merchant_hint: "The id of your business here. Who manages access knows it.",
        go_on: "Continue",
        unknown: "Nobody signs in here through a company with this code.",
        by_password: "Sign in with a password",
        leaving: HeadedText {
            title: "To your company's sign-in",
            text: "You are led there. If nothing happens, follow this link:",
        },
        arrived: HeadedText { title: "You are signed in", text: "If nothing happens, follow this link:" },
        again: "What you are about to do needs you to sign in at your company again. What you filled in is not lost.",
        again_button: "Sign in again",
        confirmed: HeadedText {
            title: "It is you",
            text: "Nothing was done yet. Continue with what you filled in:",
        },
        stale: HeadedText {
            title: "This sign-in is over",
            text: "It took too long, was used before, or began in another browser. Please begin again.",
        },
        cancelled: HeadedText {
            title: "You are not signed in",
            text: "Your company's sign-in did not let you in, or you went back.",
        },
        answer: HeadedText {
            title: "You are not signed in",
            text: "What your company's sign-in answered is not right. Please begin again, and report it to who manages access if it stays so.",
        },
        no_user: HeadedText {
            title: "This account has no access here",
            text: "Ask someone who manages access in your business.",
        },
        not_again: HeadedText {
            title: "Nothing was done",
            text: "Your company's sign-in does not confirm that you signed in just now, as the same user and with a second factor.",
        },
    };
    pub(super) const ARABIC: Self = Self {
        title: "الدخول عن طريق الشركة",
        merchant: "رمز الشركة",
        merchant_hint: "معرّف منشأتك هنا، ويعرفه من يدير الصلاحيات.",
        go_on: "متابعة",
        unknown: "لا يوجد دخول هنا عن طريق شركة بهذا الرمز.",
        by_password: "الدخول بكلمة المرور",
        leaving: HeadedText {
            title: "إلى صفحة دخول الشركة",
            text: "يجري الانتقال إليها. إن لم يحدث شيء فهذا هو الرابط:",
        },
        arrived: HeadedText {
            title: "تم تسجيل الدخول", text: "إن لم يحدث شيء فهذا هو الرابط:"
        },
        again: "هذا الإجراء يتطلب الدخول مرة أخرى عن طريق الشركة. ما أُدخل في النموذج محفوظ.",
        again_button: "الدخول مرة أخرى",
        confirmed: HeadedText {
            title: "تم تأكيد الهوية",
            text: "لم يُنفَّذ شيء بعد. يمكن المتابعة بما أُدخل في النموذج:",
        },
        stale: HeadedText {
            title: "انتهت محاولة الدخول هذه",
            text: "طالت المدة، أو استُخدمت من قبل، أو بدأت في متصفح آخر. يرجى البدء من جديد.",
        },
        cancelled: HeadedText {
            title: "لم يتم تسجيل الدخول",
            text: "لم تسمح صفحة دخول الشركة بالدخول، أو أُلغي الطلب.",
        },
        answer: HeadedText {
            title: "لم يتم تسجيل الدخول",
            text: "جواب صفحة دخول الشركة غير صحيح. يرجى البدء من جديد، وإبلاغ من يدير الصلاحيات إن تكرر ذلك.",
        },
        no_user: HeadedText {
            title: "لا صلاحية لهذا الحساب هنا",
            text: "يرجى الرجوع إلى من يدير الصلاحيات في منشأتك.",
        },
        not_again: HeadedText {
            title: "لم يُنفَّذ شيء",
            text: "لم تؤكد صفحة دخول الشركة الدخول الآن بالمستخدم نفسه وبعامل ثانٍ.",
        },
    };
}
