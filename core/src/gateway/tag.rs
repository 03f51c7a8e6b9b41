//! The words by which a merchant sorts its gateways, so that a caller of the payment methods listing can ask
//! for some of them. The list is closed.

/// One of [`Tag::WORDS`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tag(&'static str);

impl Tag {
    /// Every tag, as it is written in settings and on the wire.
    pub const WORDS: &'static [&'static str] = &[
        "e_commerce",
        "crm",
        "pos",
        "invoicing",
        "subscriptions",
        "marketplace",
        "mobile_app",
        "ticket_booking",
        "donations",
        "government",
        "education",
        "healthcare",
        "insurance",
        "logistics",
        "hospitality",
        "real_estate",
        "retail",
        "telecom",
        "utilities",
        "demo",
        "test",
    ];

    /// The word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        self.0
    }

    /// The tag that the word names.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::WORDS.iter().find(|known| **known == word).map(|known| Self(known))
    }
}
