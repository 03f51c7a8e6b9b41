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
    /// The heading of the language and the time zone.
    pub preferences: &'static str,
    /// The language.
    pub language: &'static str,
    /// No language is preferred.
    pub any_language: &'static str,
    /// The time zone.
    pub time_zone: &'static str,
    /// Which one it is if none is chosen; its name follows.
    pub any_zone: &'static str,
    /// There is no such time zone.
    pub no_zone: &'static str,
    /// The button that saves both.
    pub save: &'static str,
    /// They were saved.
    pub saved: &'static str,
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
        preferences: "Language and time",
        language: "Language of the desk and of letters to you",
        any_language: "As I choose it when I sign in",
        time_zone: "Time zone",
        any_zone: "By its name, such as Europe/London. If empty, that of the business:",
        no_zone: "There is no such time zone. Choose one of the list.",
        save: "Save",
        saved: "It was saved.",
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
        preferences: "اللغة والوقت",
        language: "لغة لوحة العمل والرسائل",
        any_language: "حسب الاختيار عند تسجيل الدخول",
        time_zone: "المنطقة الزمنية",
        any_zone: "بالاسم، مثل \u{2068}Europe/London\u{2069}. إذا تُرك الحقل فارغًا فمنطقة النشاط التجاري:",
        no_zone: "لا توجد منطقة زمنية بهذا الاسم. يمكن الاختيار من القائمة.",
        save: "حفظ",
        saved: "تم الحفظ.",
        sessions: "الجلسات",
        device: "الجهاز",
        since: "منذ",
        seen: "آخر استخدام",
        this: "هذه الجلسة",
        end: "إنهاء",
    };
}
