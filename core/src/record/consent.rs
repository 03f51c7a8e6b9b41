//! What a payer agreed to when they paid: the evidence of it.

use alloc::string::String;

use crate::value::id::ReferenceNumber;
use crate::value::time::Timestamp;
use crate::words::Language;

/// What was shown above the button that a payer pressed. It names the merchant, amounts, dates and how to stop, and
/// nothing about the payer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Consent {
    /// The attempt that the payer began by it.
    pub reference: ReferenceNumber,
    /// When the payer pressed the button.
    pub at: Timestamp,
    /// The version of the texts.
    pub version: u16,
    /// The language in which it was shown.
    pub language: Language,
    /// What was shown, a line for each sentence.
    pub text: String,
}
