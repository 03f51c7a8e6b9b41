//! The tokens of a saved card.

use alloc::string::String;
use core::fmt;

/// The token of a saved card on the wire: `card_` and 32 hexadecimal digits, 128 of its bits random.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct CardToken(String);

impl CardToken {
    const PREFIX: &'static str = "card_";

    /// A new token.
    #[must_use]
    pub fn generate(random: [u8; 16]) -> Self {
        Self([Self::PREFIX, &hex::encode(random)].concat())
    }

    /// Exactly what [`Self::generate`] makes.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix(Self::PREFIX)?;
        let is_digit = |byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        (digits.len() == 32 && digits.bytes().all(is_digit)).then(|| Self(text.into()))
    }

    /// The text on the wire.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A gateway's own token of a card that it has saved: a secret, because the card can be charged with it.
#[derive(Clone, PartialEq, Eq)]
pub struct BankToken(pub String);

impl fmt::Debug for BankToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[redacted; {} bytes]", self.0.len())
    }
}
