//! What someone sees of themselves.

/// The words of one language.
#[derive(Debug)]
pub struct MeWords {
    /// The title.
    pub title: &'static str,
    /// The second factor is set up.
    pub has_factor: &'static str,
    /// There is none.
    pub no_factor: &'static str,
    /// The link that sets one up.
    pub set_up: &'static str,
    /// The link that replaces it.
    pub replace: &'static str,
    /// The sessions.
    pub sessions: &'static str,
    /// The device of a session.
    pub device: &'static str,
    /// When it began.
    pub since: &'static str,
    /// When it was used last.
    pub seen: &'static str,
    /// The mark of the session of this page.
    pub this: &'static str,
    /// The button that ends one.
    pub end: &'static str,
}

impl MeWords {
    pub(super) const ENGLISH: Self = Self {
        title: "Me",
        has_factor: "Signing in needs a code of your authenticator app.",
        no_factor: "Your password alone signs you in.",
        set_up: "Set up an authenticator app",
        replace: "Set up another authenticator app",
        sessions: "Sessions",
        device: "Device",
        since: "Since",
        seen: "Last used",
        this: "This one",
        end: "End",
    };
    pub(super) const ARABIC: Self = Self {
        title: "حسابي",
        has_factor: "تسجيل الدخول يتطلب رمزًا من تطبيق المصادقة.",
        no_factor: "كلمة المرور وحدها تكفي لتسجيل الدخول.",
        set_up: "إعداد تطبيق المصادقة",
        replace: "إعداد تطبيق مصادقة آخر",
        sessions: "الجلسات",
        device: "الجهاز",
        since: "منذ",
        seen: "آخر استخدام",
        this: "هذه الجلسة",
        end: "إنهاء",
    };
}
