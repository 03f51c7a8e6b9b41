//! What payments add up to.

use alloc::vec::Vec;

use super::PortError;
use crate::transaction::totals::{DayCount, WantedTotals};

/// The totals of payments.
pub trait DayTotals {
    /// What is counted of each day, in no certain order. Of a deleted transaction only failed attempts count.
    ///
    /// # Errors
    /// If the store fails or contains a row that cannot be read.
    async fn count_days(&self, wanted: &WantedTotals) -> Result<Vec<DayCount>, PortError>;
}
