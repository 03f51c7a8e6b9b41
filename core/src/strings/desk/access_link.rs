//! A lost password, and the choice of one by a link.

/// The words of one language.
#[derive(Debug)]
pub struct AccessLinkWords {
    /// The title of the page for a lost password, and the link to it.
    pub lost: &'static str,
    /// What it does.
    pub lost_means: &'static str,
    /// The button that sends the link.
    pub send: &'static str,
    /// What is said to everyone who asks.
    pub sent: &'static str,
    /// The title of the choice.
    pub choose_title: &'static str,
    /// The field of the same password.
    pub again: &'static str,
    /// What a password must be.
    pub rule: &'static str,
    /// The button that chooses it.
    pub choose: &'static str,
    /// It breaks the rule.
    pub wrong: &'static str,
    /// The two fields differ.
    pub differs: &'static str,
    /// It was chosen, on the page that signs in.
    pub chosen: &'static str,
    /// The title of a link that opens nothing.
    pub over_title: &'static str,
    /// Why it may be so.
    pub over: &'static str,
}

impl AccessLinkWords {
    pub(super) const ENGLISH: Self = Self {
        lost: "Lost password",
        lost_means: "Give your user name, and a link to choose a new password comes by e-mail.",
        send: "Send the link",
        sent: "If there is such a user, an e-mail with a link is on its way. It works once, for 24 hours.",
        choose_title: "Choose a password",
        again: "The same password again",
        rule: "At least 12 characters, without your user name.",
        choose: "Choose it",
        wrong: "This cannot be your password: it needs 12 to 256 characters, without your user name.",
        differs: "The two passwords are not the same.",
        chosen: "Your password was chosen. Sign in with it.",
        over_title: "This link opens nothing",
        over: "It was used, is older than 24 hours, or another one took its place.",
    };
    pub(super) const ARABIC: Self = Self {
        lost: "نسيان كلمة المرور",
        lost_means: "يُكتب اسم المستخدم، فيصل بالبريد الإلكتروني رابط لاختيار كلمة مرور جديدة.",
        send: "إرسال الرابط",
        sent: "إذا كان اسم المستخدم موجودًا فستصل رسالة بريد إلكتروني فيها رابط. يعمل الرابط مرة واحدة خلال 24 ساعة.",
        choose_title: "اختيار كلمة المرور",
        again: "كلمة المرور مرة أخرى",
        rule: "12 حرفًا على الأقل، من دون اسم المستخدم.",
        choose: "اختيار",
        wrong: "لا تصلح كلمة المرور هذه: يلزم 12 إلى 256 حرفًا من دون اسم المستخدم.",
        differs: "كلمتا المرور غير متطابقتين.",
        chosen: "تم اختيار كلمة المرور. يمكن تسجيل الدخول بها.",
        over_title: "هذا الرابط لا يفتح شيئًا",
        over: "تم استخدامه، أو مضت عليه 24 ساعة، أو حل رابط آخر محله.",
    };
}
