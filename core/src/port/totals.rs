//! What payments add up to.

use alloc::vec::Vec;

use super::PortError;
use crate::transaction::totals::{Count, WantedTotals};

/// The totals of payments.
pub trait Totals {
    /// What is counted of each day, in no certain order. A deleted transaction does not count.
    ///
    /// # Errors
    /// If the store fails or contains a row that cannot be read.
    async fn count_days(&self, wanted: &WantedTotals) -> Result<Vec<Count>, PortError>;
}
