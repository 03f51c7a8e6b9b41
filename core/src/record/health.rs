//! Whether gateways answer: how often one failed lately, and until when it is therefore skipped. Times are real ones.

use crate::value::id::{MerchantId, PgCode};
use crate::value::time::Timestamp;

/// A gateway that failed lately.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Health {
    /// The gateway.
    pub code: PgCode,
    /// How many transactions saw it fail in a row.
    pub failures: u32,
    /// Whether it is skipped now.
    pub is_skipped: bool,
}

/// What a payment showed about its gateway.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HealthWrite {
    /// The merchant of the gateway.
    pub merchant: MerchantId,
    /// The gateway.
    pub code: PgCode,
    /// What it did.
    pub seen: Seen,
}

/// What a gateway did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seen {
    /// It answered: earlier failures no longer count.
    Answered,
    /// It could not be reached, or gave no answer that says what became of the payment.
    Failed {
        /// When.
        at: Timestamp,
        /// Failures before do not count.
        counted_from: Timestamp,
        /// From how many failures in a row it is skipped.
        skipped_from: u32,
        /// Until when.
        skipped_until: Timestamp,
    },
}
