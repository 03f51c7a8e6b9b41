//! The words next to the face of a merchant: how it is reached, and its rules.

/// The words of one language.
#[derive(Debug)]
pub struct BrandWords {
    /// Before the ways to reach the merchant.
    pub help: &'static str,
    /// The link to a chat in `WhatsApp`.
    pub whatsapp: &'static str,
    /// The link to the terms.
    pub terms: &'static str,
    /// The link to the rules of refunds.
    pub refunds: &'static str,
    /// What a preview of a link says of the page.
    pub preview: &'static str,
}

impl BrandWords {
    pub(super) const ENGLISH: Self = Self {
        help: "Questions? Contact the shop:",
        whatsapp: "WhatsApp",
        terms: "Terms",
        refunds: "Refund policy",
        preview: "Open the secure payment page.",
    };

    pub(super) const ARABIC: Self = Self {
        help: "لديك سؤال؟ تواصل مع المتجر:",
        whatsapp: "واتساب",
        terms: "الشروط والأحكام",
        refunds: "سياسة الاسترجاع",
        preview: "افتح صفحة الدفع الآمنة.",
    };
}
