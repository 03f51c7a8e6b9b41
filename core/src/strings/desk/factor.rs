//! The second factor: setting one up, giving it, and the recovery codes.

/// The words of one language.
#[derive(Debug)]
pub struct FactorWords {
    /// The title of the page that asks for a code to sign in.
    pub code_title: &'static str,
    /// The field of a code.
    pub code: &'static str,
    /// Which codes are meant.
    pub code_hint: &'static str,
    /// The button.
    pub go_on: &'static str,
    /// The code or the password is wrong.
    pub wrong: &'static str,
    /// The title of the page that asks again before something weighty.
    pub again_title: &'static str,
    /// Why it asks.
    pub again: &'static str,
    /// The title of the page that sets a factor up.
    pub set_up_title: &'static str,
    /// What to do there.
    pub set_up: &'static str,
    /// What the picture is.
    pub picture: &'static str,
    /// Before the secret in letters.
    pub by_hand: &'static str,
    /// The title of the recovery codes.
    pub recovery_title: &'static str,
    /// What they are for.
    pub recovery: &'static str,
    /// The link that leads on.
    pub recovery_stored: &'static str,
}

impl FactorWords {
    pub(super) const ENGLISH: Self = Self {
        code_title: "One more step",
        code: "Code",
        code_hint: "Six digits from your authenticator app, or one of your recovery codes.",
        go_on: "Continue",
        wrong: "This is wrong, or was used before.",
        again_title: "Is it you?",
        again: "What you are about to do needs it again. What you filled in is not lost.",
        set_up_title: "Authenticator app",
        set_up: "Scan the picture with an authenticator app, and type the code that it shows. All your sessions on other devices end.",
        picture: "The picture for the app",
        by_hand: "Without a camera, type this into the app:",
        recovery_title: "Recovery codes",
        recovery: "Each signs you in once if you lose your phone. They are shown only now: print them or write them down.",
        recovery_stored: "I have stored them",
    };
    pub(super) const ARABIC: Self = Self {
        code_title: "خطوة أخرى",
        code: "الرمز",
        code_hint: "ستة أرقام من تطبيق المصادقة، أو أحد رموز الاسترداد.",
        go_on: "متابعة",
        wrong: "القيمة غير صحيحة أو استُخدمت من قبل.",
        again_title: "تأكيد الهوية",
        again: "هذا الإجراء يتطلب التأكيد مرة أخرى. ما أُدخل في النموذج محفوظ.",
        set_up_title: "تطبيق المصادقة",
        set_up: "يرجى مسح الصورة بتطبيق المصادقة وكتابة الرمز الذي يظهر فيه. تنتهي كل الجلسات على الأجهزة الأخرى.",
        picture: "الصورة الخاصة بالتطبيق",
        by_hand: "بدون كاميرا، يرجى كتابة هذا في التطبيق:",
        recovery_title: "رموز الاسترداد",
        recovery: "كل رمز يتيح الدخول مرة واحدة عند فقدان الهاتف. تظهر الآن فقط: يرجى طباعتها أو كتابتها.",
        recovery_stored: "تم حفظ الرموز",
    };
}
