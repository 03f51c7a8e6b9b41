//! What letters to a merchant's staff say, in English and Arabic.

use crate::words::{ChildOperation, Language};

/// A subject, and what is to be done.
pub(crate) type Said = (&'static str, &'static str);

/// The words of one language.
#[derive(Debug)]
pub(crate) struct StaffWords {
    /// The request for approval.
    pub request: &'static str,
    /// The payment.
    pub payment: &'static str,
    /// The amount.
    pub amount: &'static str,
    /// Who asked for it.
    pub asked_by: &'static str,
    /// Why.
    pub reason: &'static str,
    /// Until when.
    pub until: &'static str,
    /// The user.
    pub user: &'static str,
    /// Who did it.
    pub by: &'static str,
    /// The device.
    pub device: &'static str,
    /// When it was.
    pub when: &'static str,
    /// An invitation.
    pub invited: Said,
    /// A link for a lost password.
    pub lost: Said,
    /// The second factor was removed.
    pub factor_removed: Said,
    /// A sign-in from a new device.
    pub new_device: Said,
    /// What is to be done about a request that waits.
    decide: &'static str,
    /// One that was done.
    pub done: EndedRequest,
    /// One that failed.
    pub failed: EndedRequest,
    /// One that was rejected.
    pub rejected: EndedRequest,
    /// One that nobody decided about.
    pub expired: EndedRequest,
}

/// What is said of a request that has ended.
#[derive(Debug)]
pub(crate) struct EndedRequest {
    /// The subject, of a refund.
    pub refund: &'static str,
    /// The subject, of a void.
    pub void: &'static str,
    /// What is to be done.
    pub text: &'static str,
}

impl StaffWords {
    /// The words of a language.
    #[must_use]
    pub(crate) const fn of(language: Language) -> &'static Self {
        match language {
            Language::En => &Self::ENGLISH,
            Language::Ar => &Self::ARABIC,
        }
    }

    const ENGLISH: Self = Self {
        request: "Request",
        payment: "Payment",
        amount: "Amount",
        asked_by: "Asked by",
        reason: "Reason",
        until: "Until",
        user: "User",
        by: "By",
        device: "Device",
        when: "When",
        invited: (
            "You are invited to the desk",
            "Open this address and choose a password. It works once, until the time below.",
        ),
        lost: (
            "Choose a new password",
            "Someone, probably you, asked for a new password. Open this address and choose one. It works once, until the time \
             below. If it was not you, do nothing.",
        ),
        factor_removed: (
            "Your second factor was removed",
            "Your authenticator app and your recovery codes sign you in no longer. Set an app up with your next sign-in. If you \
             did not ask for this, speak to who manages access in your business.",
        ),
        new_device: (
            "A sign-in from a new device",
            "Your password was given on a device that was not seen before. If it was not you, choose another password, and speak \
             to who manages access in your business.",
        ),
        decide: "Look at the payment, and approve or reject the request.",
        done: EndedRequest {
            refund: "Your refund was approved and done",
            void: "Your void was approved and done",
            text: "Nothing is left to do.",
        },
        failed: EndedRequest {
            refund: "Your refund was approved and failed",
            void: "Your void was approved and failed",
            text: "Nothing was moved. The request says why; ask again for what is still wanted.",
        },
        rejected: EndedRequest {
            refund: "Your refund was rejected",
            void: "Your void was rejected",
            text: "Nothing was moved. The request says who rejected it, and why.",
        },
        expired: EndedRequest {
            refund: "Nobody decided about your refund",
            void: "Nobody decided about your void",
            text: "Nothing was moved. Ask again if it is still wanted.",
        },
    };

    const ARABIC: Self = Self {
        request: "الطلب",
        payment: "الدفعة",
        amount: "المبلغ",
        asked_by: "بطلب من",
        reason: "السبب",
        until: "حتى",
        user: "اسم المستخدم",
        by: "من قِبل",
        device: "الجهاز",
        when: "الوقت",
        invited: (
            "دعوة إلى لوحة العمل",
            "يُفتح هذا العنوان لاختيار كلمة مرور. يعمل مرة واحدة حتى الوقت المذكور أدناه.",
        ),
        lost: (
            "اختيار كلمة مرور جديدة",
            "وصل طلب كلمة مرور جديدة لهذا الحساب. يُفتح هذا العنوان لاختيارها، ويعمل مرة واحدة حتى الوقت المذكور أدناه. \
             إذا لم يكن الطلب معروفًا فلا يلزم أي إجراء.",
        ),
        factor_removed: (
            "تمت إزالة العامل الثاني",
            "لم يعد تطبيق المصادقة ولا رموز الاسترداد صالحة لتسجيل الدخول. يُعد تطبيق جديد عند تسجيل الدخول القادم. \
             إذا لم يكن ذلك مطلوبًا فيلزم إبلاغ المسؤول عن صلاحيات الدخول.",
        ),
        new_device: (
            "تسجيل دخول من جهاز جديد",
            "أُدخلت كلمة المرور على جهاز غير معروف من قبل. إذا لم يكن ذلك معروفًا فيلزم اختيار كلمة مرور أخرى وإبلاغ \
             المسؤول عن صلاحيات الدخول.",
        ),
        decide: "يلزم الاطلاع على الدفعة، ثم الموافقة على الطلب أو رفضه.",
        done: EndedRequest {
            refund: "تمت الموافقة على الاسترداد وتم تنفيذه",
            void: "تمت الموافقة على الإلغاء وتم تنفيذه",
            text: "لا يلزم أي إجراء آخر.",
        },
        failed: EndedRequest {
            refund: "تمت الموافقة على الاسترداد وفشل تنفيذه",
            void: "تمت الموافقة على الإلغاء وفشل تنفيذه",
            text: "لم يُحوَّل أي مبلغ. السبب مذكور في الطلب، ويمكن تقديم طلب جديد بما لا يزال مطلوبًا.",
        },
        rejected: EndedRequest {
            refund: "تم رفض الاسترداد",
            void: "تم رفض الإلغاء",
            text: "لم يُحوَّل أي مبلغ. اسم من رفض الطلب والسبب مذكوران فيه.",
        },
        expired: EndedRequest {
            refund: "انتهت مهلة طلب الاسترداد من دون قرار",
            void: "انتهت مهلة طلب الإلغاء من دون قرار",
            text: "لم يُحوَّل أي مبلغ. يمكن تقديم الطلب من جديد إذا كان لا يزال مطلوبًا.",
        },
    };
}

/// What is said to those who can approve.
#[must_use]
pub(crate) const fn waits(language: Language, operation: ChildOperation) -> Said {
    let subject = match (language, operation) {
        (Language::En, ChildOperation::Refund) => "A refund waits for approval",
        (Language::En, ChildOperation::Void | ChildOperation::Capture) => "A void waits for approval",
        (Language::Ar, ChildOperation::Refund) => "استرداد ينتظر الموافقة",
        (Language::Ar, ChildOperation::Void | ChildOperation::Capture) => "إلغاء ينتظر الموافقة",
    };
    (subject, StaffWords::of(language).decide)
}
