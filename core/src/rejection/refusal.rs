//! Why a card, a payment under an agreement or an operation is refused.

use core::fmt;

use super::problems::{self, Problem};
use crate::value::money::Money;

/// Why a saved card is not accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CardRefusal {
    /// There is no such card of the transaction's customer at one of its gateways.
    Unknown,
    /// It is expired.
    Expired,
    /// It is valid for fewer days than `min_expiry_time` requires.
    ExpiresSoon {
        /// The required days.
        days: u16,
    },
    /// The payment is under an agreement that has another card, or none.
    NotOfAgreement,
    /// Its gateway wants the security code, which only the payer has.
    NeedsPayer,
}

impl CardRefusal {
    /// The problem that it is.
    pub(super) const fn problem(self) -> &'static Problem {
        match self {
            Self::Unknown => &problems::CARD_UNKNOWN,
            Self::Expired => &problems::CARD_EXPIRED,
            Self::ExpiresSoon { .. } => &problems::CARD_EXPIRES_SOON,
            Self::NotOfAgreement => &problems::CARD_NOT_OF_AGREEMENT,
            Self::NeedsPayer => &problems::CARD_NEEDS_PAYER,
        }
    }
}

/// The term of an agreement that a payment of the merchant breaks, if the settings say that terms are
/// enforced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Breach {
    /// The day after `expiry_date` has come.
    Over,
    /// `total_cycles` payments were made.
    CyclesDone,
    /// `cycle_interval_days` have not passed since the last payment.
    TooEarly,
    /// The amount is above `max_amount_per_cycle`.
    AboveMaximum,
    /// The amount is `fixed`, and a different one was paid first.
    OtherAmount,
    /// The first payment was made in another currency.
    OtherCurrency,
    /// A payment whose outcome is still to come may take the cycle.
    InProgress,
    /// Its last payment had no success, and nobody resumed it.
    Paused,
}

impl Breach {
    /// The problem that it is.
    pub(super) const fn problem(self) -> &'static Problem {
        match self {
            Self::Over => &problems::AGREEMENT_OVER,
            Self::CyclesDone => &problems::AGREEMENT_CYCLES_DONE,
            Self::TooEarly => &problems::AGREEMENT_TOO_EARLY,
            Self::AboveMaximum => &problems::AGREEMENT_AMOUNT_TOO_LARGE,
            Self::OtherAmount => &problems::AGREEMENT_AMOUNT_FIXED,
            Self::OtherCurrency => &problems::AGREEMENT_OTHER_CURRENCY,
            Self::InProgress => &problems::AGREEMENT_IN_PROGRESS,
            Self::Paused => &problems::AGREEMENT_PAUSED,
        }
    }
}

/// Why an operation cannot be done with this amount, or at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// Money that was charged at once is neither captured nor voided, but refunded.
    NotAuthorized,
    /// Nothing was taken yet that could be given back.
    NothingTaken,
    /// Everything was taken or given back already.
    NothingLeft,
    /// The amount is zero, or more than is left.
    OutOfRange {
        /// How much is left.
        available: Money,
    },
    /// The gateway does not move a part of what is left.
    Indivisible {
        /// How much is left.
        available: Money,
    },
    /// The gateway gives back only all that it took, and the fee is not given back.
    FeeIncluded,
    /// Money was captured, so the rest cannot be released any more.
    Captured,
    /// Money was captured by the only capture that the gateway permits, which released the rest.
    Released,
    /// The money was released.
    Voided,
    /// The outcome of a void is awaited, or, if everything is to be released, that of a capture.
    InProgress,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotAuthorized => "the money was charged at once and can only be refunded",
            Self::NothingTaken => "no money was taken yet",
            Self::NothingLeft => "nothing is left",
            Self::OutOfRange { .. } => "the amount is nothing, or more than is left",
            Self::Indivisible { .. } => "the gateway moves only all that is left",
            Self::FeeIncluded => "the gateway gives back only all that was taken, with the fee",
            Self::Captured => "money was captured",
            Self::Released => "the gateway captures once, and released the rest",
            Self::Voided => "the money was released",
            Self::InProgress => "another operation is under way",
        })
    }
}
