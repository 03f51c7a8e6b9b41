//! Why a payment was declined, among the normalised data of a charge.
//!
//! Each connector maps the codes of its gateway; a code that it does not know is [`Reason::Other`], with the code itself,
//! so that the operator's log can count what is missing.

use alloc::string::ToString;

use super::charge::PgParams;
use super::text::line;
pub use crate::words::decline::{Advice, Reason};

/// The normalised reason, one of [`Reason::WORDS`].
pub const REASON: &str = "decline_reason";
/// What to do about it, one of [`Advice::WORDS`].
pub const ADVICE: &str = "decline_advice";
/// The gateway's own code.
pub const CODE: &str = "decline_code";

/// Adds to the data of a decline why it was declined: the gateway's code, what it means, and the advice for that.
pub fn note(params: &mut PgParams, reason: Reason, code: &str) {
    if let Some(code) = line(code) {
        params.insert(CODE.to_string(), code);
    }
    params.insert(REASON.to_string(), reason.as_str().to_string());
    params.insert(ADVICE.to_string(), reason.advice().as_str().to_string());
}

/// Why a payment was declined, as far as its gateway said it.
#[must_use]
pub fn reason(params: &PgParams) -> Option<Reason> {
    params.get(REASON).and_then(|word| Reason::parse(word))
}
