//! What a payment is for: paying once, paying under an agreement by which the merchant debits the card again,
//! or only saving a card.

use serde::{Deserialize, Serialize};

/// What a payment is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PaymentType {
    /// A single payment with no future commitment.
    #[default]
    OneOff,
    /// The payment that begins an agreement, or one under it.
    AutoDebit,
    /// A card is saved, and nothing is charged: the amount is zero.
    SaveCard,
}

impl PaymentType {
    /// The words on the wire.
    pub const WORDS: &'static [&'static str] = &["one_off", "auto_debit", "save_card"];

    /// The word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::OneOff => "one_off",
            Self::AutoDebit => "auto_debit",
            Self::SaveCard => "save_card",
        }
    }

    /// The payment type that the word names.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        [Self::OneOff, Self::AutoDebit, Self::SaveCard].into_iter().find(|known| known.as_str() == word)
    }

    /// Whether the card is saved, so that only gateways that save cards can be chosen.
    #[must_use]
    pub const fn keeps_card(self) -> bool {
        match self {
            Self::OneOff => false,
            Self::AutoDebit | Self::SaveCard => true,
        }
    }

    /// Whether it is the default one, which applies if nothing is said.
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks by reference")]
    pub(crate) fn is_default(&self) -> bool {
        *self == Self::default()
    }
}
