//! What a payment is for: paying once, paying under an agreement by which the merchant debits the card again,
//! or only saving a card.

use crate::words::word_list;

word_list! {
    /// What a payment is for.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub enum PaymentType {
        /// A single payment with no future commitment.
        #[default]
        OneOff = "one_off",
        /// The payment that begins an agreement, or one under it.
        AutoDebit = "auto_debit",
        /// A card is saved, and nothing is charged: the amount is zero.
        SaveCard = "save_card",
    }
}

impl PaymentType {
    /// Whether the card is saved, so that only gateways that save cards can be chosen.
    #[must_use]
    pub const fn saves_card(self) -> bool {
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
