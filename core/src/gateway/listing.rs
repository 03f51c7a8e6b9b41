//! What a gateway says about all charges of a merchant: its list of what changed in a period, page by page.

use alloc::string::String;
use alloc::vec::Vec;

use super::charge::Report;
use crate::value::money::Money;
use crate::value::time::Timestamp;

/// From one moment up to, but not including, another, by the gateway's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Period {
    /// The first moment.
    pub from: Timestamp,
    /// The first moment after it.
    pub to: Timestamp,
}

/// One charge on the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedCharge {
    /// What the gateway says about the charge itself.
    pub report: Report,
    /// What was done to it afterwards.
    pub sums: ListedSums,
}

/// What was captured, given back and released of a charge, each in the currency charged; `None` if the
/// gateway does not say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ListedSums {
    /// Taken of what was held.
    pub captured: Option<Money>,
    /// Given back.
    pub refunded: Option<Money>,
    /// Released.
    pub voided: Option<Money>,
}

/// A page of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChargePage {
    /// The charges.
    pub charges: Vec<ListedCharge>,
    /// Where the next page begins, as the gateway wrote it; `None` after the last.
    pub next: Option<String>,
}
