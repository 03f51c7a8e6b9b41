//! The tokens of a saved card.

use alloc::string::String;
use core::fmt;

use crate::value::slot::{Leading, Slot, Slotted};

/// The token of a saved card on the wire: `card_`, its slot, and 32 hexadecimal digits (128 bits).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct CardToken(String);

impl CardToken {
    const PREFIX: &'static str = "card_";
    /// How it carries its slot after the prefix.
    const FORM: Leading = Leading::digits(32);

    /// A new token in a slot.
    #[must_use]
    pub fn generate(slot: Slot, random: [u8; 16]) -> Self {
        Self([Self::PREFIX, &Self::FORM.write(slot, &hex::encode(random))].concat())
    }

    /// Exactly what [`Self::generate`] makes, or without a slot.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix(Self::PREFIX)?;
        let is_digit = |byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        (digits.bytes().all(is_digit) && Self::FORM.read(digits).is_some()).then(|| Self(text.into()))
    }

    /// The random digits.
    pub(crate) fn digits(&self) -> &str {
        self.0
            .strip_prefix(Self::PREFIX)
            .and_then(|text| Self::FORM.read(text))
            .map_or("", |(_, digits)| digits)
    }

    /// The text on the wire.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Slotted for CardToken {
    fn slot(&self) -> Slot {
        self.0.strip_prefix(Self::PREFIX).map_or(Slot::FIRST, |digits| Self::FORM.slot(digits))
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
