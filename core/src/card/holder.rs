//! The owner of a card.

use alloc::string::String;

use crate::value::id::MerchantId;
use crate::value::slot::{Slot, Slotted};

/// The owner of a card: the cards of one customer in one environment are listed together.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Holder {
    /// The merchant.
    pub merchant: MerchantId,
    /// The merchant's id of the payer, at most 64 characters.
    pub customer_id: String,
    /// Whether it is a card of a simulation.
    pub is_sandbox: bool,
}

impl Slotted for Holder {
    fn slot(&self) -> Slot {
        self.merchant.slot()
    }
}
