//! What is counted so that it can be limited.

use alloc::vec::Vec;

use super::PortError;
use crate::payment::card_testing::TriedPayment;
use crate::value::id::MerchantId;
use crate::value::time::Timestamp;

/// A limit that refused a request, for the operator's log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limited<'a> {
    /// What is limited.
    pub limit: &'static str,
    /// Whose limit it is, if it is a merchant's.
    pub merchant: Option<&'a MerchantId>,
    /// After how many seconds the same request may succeed.
    pub retry_after: u64,
}

/// Who tried to pay.
pub trait Payers {
    /// The payments of a merchant after `since` that one payer tried and whose outcome is known, the oldest first: the
    /// newest `limit` of them. The payer is named as in [`Change::payer`](crate::change::Change::payer).
    ///
    /// # Errors
    /// If the store fails or contains a row that cannot be read.
    async fn tried_by(
        &self,
        merchant: &MerchantId,
        payer: &str,
        since: Timestamp,
        limit: u32,
    ) -> Result<Vec<TriedPayment>, PortError>;

    /// Deletes who tried payments before `before`, of at most `limit` of them.
    ///
    /// # Errors
    /// As [`tried_by`](Self::tried_by).
    async fn delete_payers(&self, before: Timestamp, limit: u32) -> Result<u32, PortError>;
}

/// Counters of calls.
pub trait Counters {
    /// Adds calls of a caller on a day, counted from 1970; how many the caller made on that day with them.
    ///
    /// # Errors
    /// If the store fails or contains a row that cannot be read.
    async fn count_calls(&self, caller: &str, day: i64, calls: u32) -> Result<u32, PortError>;

    /// Deletes what was counted on days before `day`, of at most `limit` callers.
    ///
    /// # Errors
    /// As [`count_calls`](Self::count_calls).
    async fn delete_calls(&self, day: i64, limit: u32) -> Result<u32, PortError>;
}
