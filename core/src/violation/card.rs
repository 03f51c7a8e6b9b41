//! What a gateway cannot do with cards that the payment type needs.

use core::fmt;

use crate::words::payment_type::PaymentType;

/// The rules of gateways that save cards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CardRule {
    /// The gateway saves no cards.
    KeepsNoCards(PaymentType),
    /// The gateway saves cards, and confirms none without an amount.
    VerifiesNoCards(PaymentType),
}

impl fmt::Display for CardRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (ability, kind) = match self {
            Self::KeepsNoCards(kind) => ("keeps cards", kind),
            Self::VerifiesNoCards(kind) => ("confirms cards without an amount", kind),
        };
        write!(f, "must be the code of a gateway that {ability} when payment_type is {}", kind.as_str())
    }
}
