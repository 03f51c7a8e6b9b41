//! What is around every screen.

/// The words of one language.
#[derive(Debug)]
pub struct FrameWords {
    /// What the desk is called, after the title of a screen.
    pub desk: &'static str,
    /// The link that leads over the navigation.
    pub skip: &'static str,
    /// What the navigation is called.
    pub navigation: &'static str,
    /// The button that ends the session.
    pub sign_out: &'static str,
    /// The other language, in that language.
    pub other_language: &'static str,
    /// The mark of a merchant whose payments are all simulated.
    pub test_mode: &'static str,
    /// What identifies a payer is hidden, before the permission that shows it.
    pub hidden: &'static str,
    /// The button that copies what it follows.
    pub copy: &'static str,
    /// What that button says when it has copied.
    pub copied: &'static str,
    /// How many rows a list shows, with `{count}`.
    pub rows: &'static str,
}

impl FrameWords {
    pub(super) const ENGLISH: Self = Self {
        desk: "Desk",
        skip: "Skip to the content",
        navigation: "Screens",
        sign_out: "Sign out",
        other_language: "العربية",
        test_mode: "Test mode",
        hidden: "Who the payer is, is shown in part. All of it needs the permission",
        copy: "Copy",
        copied: "Copied",
        rows: "Rows shown: {count}",
    };
    pub(super) const ARABIC: Self = Self {
        desk: "لوحة العمل",
        skip: "الانتقال إلى المحتوى",
        navigation: "الشاشات",
        sign_out: "تسجيل الخروج",
        other_language: "English",
        test_mode: "وضع التجربة",
        hidden: "بيانات الدافع ظاهرة جزئيًا. لعرضها كاملة تلزم الصلاحية",
        copy: "نسخ",
        copied: "تم النسخ",
        rows: "الصفوف المعروضة: {count}",
    };
}

/// The entries of the navigation.
#[derive(Debug)]
pub struct NavigationWords {
    /// The first screen.
    pub home: &'static str,
    /// The list of payments.
    pub payments: &'static str,
    /// What payments add up to.
    pub totals: &'static str,
    /// The form of a new payment.
    pub new_payment: &'static str,
    /// Requests for approval.
    pub approvals: &'static str,
    /// Customers.
    pub customers: &'static str,
    /// The visitor's own factor and sessions.
    pub me: &'static str,
    /// The log of webhooks and messages.
    pub deliveries: &'static str,
    /// Where webhooks go.
    pub webhooks: &'static str,
}

impl NavigationWords {
    pub(super) const ENGLISH: Self = Self {
        home: "Start",
        payments: "Payments",
        totals: "Totals",
        new_payment: "New payment",
        approvals: "Approvals",
        customers: "Customers",
        me: "Me",
        deliveries: "Deliveries",
        webhooks: "Webhooks",
    };
    pub(super) const ARABIC: Self = Self {
        home: "البداية",
        payments: "المدفوعات",
        totals: "المجاميع",
        new_payment: "دفعة جديدة",
        approvals: "الموافقات",
        customers: "العملاء",
        me: "حسابي",
        deliveries: "الإشعارات المرسلة",
        webhooks: "إشعارات الويب",
    };
}
