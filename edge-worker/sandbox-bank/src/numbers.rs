//! The numbers that a bank gives to what it did. They are derived from an id, the same in every report.

use alloc::format;
use alloc::string::{String, ToString};

use checkout_core::value::time::Timestamp;
use sha2::{Digest, Sha256};

/// The number under which the other bank knows the payment.
pub(crate) fn rrn(id: &str) -> String {
    digits("rrn", id, 12)
}

/// The bank's own name of the movement.
pub(crate) fn transaction_id(id: &str) -> String {
    format!("tr_{}", digits("transaction_id", id, 16))
}

/// The code with which the issuer approved.
pub(crate) fn auth_code(id: &str) -> String {
    digits("auth_code", id, 6)
}

/// The day on which money moved, such as `2026-11-18`.
pub(crate) fn post_date(at: Timestamp) -> String {
    at.to_string().chars().take(10).collect()
}

fn digits(purpose: &str, id: &str, count: usize) -> String {
    let digest = Sha256::new().chain_update(purpose).chain_update(id).finalize();
    digest.iter().take(count).map(|byte| char::from(b'0'.saturating_add(byte.wrapping_rem(10)))).collect()
}
