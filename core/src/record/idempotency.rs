//! The answer that a repeated request gets.

use alloc::string::String;
use core::time::Duration;

use crate::value::id::MerchantId;
use crate::value::time::Timestamp;

/// How long an idempotency key is known: longer than any retry of a notification.
pub(crate) const ANSWER_LIFE: Duration = Duration::from_hours(96);

/// The answer to a request with an idempotency key, stored so that the same request gets the same bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredAnswer {
    /// The merchant of the key.
    pub merchant: MerchantId,
    /// The operation; the same key may be used for different operations.
    pub operation: &'static str,
    /// The key.
    pub key: String,
    /// The SHA-256 of the request body, hex.
    pub fingerprint: String,
    /// The HTTP status.
    pub status: u16,
    /// The body.
    pub body: String,
    /// When it was stored.
    pub at: Timestamp,
}
