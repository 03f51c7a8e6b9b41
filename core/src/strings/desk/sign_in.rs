//! Signing in.

/// The words of one language.
#[derive(Debug)]
pub struct SignInWords {
    /// The title.
    pub title: &'static str,
    /// The field of the name.
    pub username: &'static str,
    /// The field of the password.
    pub password: &'static str,
    /// The button.
    pub sign_in: &'static str,
    /// The name or the password is wrong.
    pub wrong: &'static str,
    /// Too many tries; `{minutes}` is how long to wait.
    pub too_many: &'static str,
}

impl SignInWords {
    pub(super) const ENGLISH: Self = Self {
        title: "Sign in",
        username: "User name",
        password: "Password",
        sign_in: "Sign in",
        wrong: "The user name or the password is wrong.",
        too_many: "Too many tries. Try again in {minutes} min.",
    };
    pub(super) const ARABIC: Self = Self {
        title: "تسجيل الدخول",
        username: "اسم المستخدم",
        password: "كلمة المرور",
        sign_in: "تسجيل الدخول",
        wrong: "اسم المستخدم أو كلمة المرور غير صحيحة.",
        too_many: "محاولات كثيرة. عدد الدقائق قبل المحاولة من جديد: {minutes}.",
    };
}
