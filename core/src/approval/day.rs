//! What one person or key refunds in a day at the merchant, so that it can be limited.

use crate::transaction::listing::Maker;
use crate::value::id::MerchantId;
use crate::value::money::Currency;
use crate::value::slot::{Slot, Slotted};
use crate::value::time::Timestamp;

/// Whose refunds of which day are added up, in one currency. What is done, is being done, has an unknown outcome or waits for
/// approval counts; what failed does not. What was approved counts on the day on which it was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefundDay {
    /// The merchant.
    pub merchant: MerchantId,
    /// The person or the key.
    pub by: Maker,
    /// The currency.
    pub currency: Currency,
    /// When the day begins at the merchant.
    pub from: Timestamp,
    /// When the next one begins.
    pub until: Timestamp,
}

impl Slotted for RefundDay {
    fn slot(&self) -> Slot {
        self.merchant.slot()
    }
}

/// That a refund fits its day: it is stored only while no more than this was refunded before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefundClaim {
    /// The day.
    pub day: RefundDay,
    /// The most that may be there before it, in the smallest unit of the currency.
    pub most_before: i64,
}
