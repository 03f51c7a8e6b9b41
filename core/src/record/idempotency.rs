//! The answer that a repeated request gets.

use alloc::string::String;

use crate::value::id::MerchantId;
use crate::value::time::Timestamp;

/// The answer to a request with an idempotency key, kept so that the same request gets the same bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredAnswer {
    /// Whose key it is.
    pub merchant: MerchantId,
    /// Which operation; keys of different operations do not meet.
    pub operation: &'static str,
    /// The key.
    pub key: String,
    /// What was asked: the SHA-256 of the body, hex.
    pub fingerprint: String,
    /// The HTTP status.
    pub status: u16,
    /// The body.
    pub body: String,
    /// When it was stored.
    pub at: Timestamp,
}
