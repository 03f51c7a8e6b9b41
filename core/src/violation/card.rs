//! What a gateway cannot do with cards that the payment type needs, and what a payer did not agree to.

use core::fmt;

use crate::words::payment_type::PaymentType;

/// The rules of gateways and payments that save cards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CardRule {
    /// The gateway saves no cards.
    SavesNoCards(PaymentType),
    /// The gateway saves cards, and confirms none without an amount.
    VerifiesNoCards(PaymentType),
    /// The payer read other terms than those that apply now.
    OtherTerms,
}

impl fmt::Display for CardRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (ability, kind) = match self {
            Self::SavesNoCards(kind) => ("saves cards", kind),
            Self::VerifiesNoCards(kind) => ("confirms cards without an amount", kind),
            Self::OtherTerms => {
                return f
                    .write_str("must be what the page carries now: the terms changed since it was shown");
            }
        };
        write!(f, "must be the code of a gateway that {ability} when payment_type is {}", kind.as_str())
    }
}
