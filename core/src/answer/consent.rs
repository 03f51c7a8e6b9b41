//! What a payer agreed to, as the merchant's API shows it.

use alloc::string::String;

use schemars::JsonSchema;
use serde::Serialize;

use crate::record::consent::Consent;
use crate::value::id::ReferenceNumber;
use crate::value::time::Moment;

/// The evidence that a payer agreed to later payments, or to a saved card.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ConsentShown {
    /// When the payer pressed the button.
    agreed_at: Moment,
    /// The language in which it was shown.
    language: crate::words::Language,
    /// The attempt that began by it.
    reference_number: ReferenceNumber,
    /// What was shown above the button, a line for each sentence.
    text: String,
    /// The version of the texts.
    text_version: u16,
}

impl From<Consent> for ConsentShown {
    fn from(consent: Consent) -> Self {
        Self {
            agreed_at: consent.at.into(),
            language: consent.language,
            reference_number: consent.reference,
            text: consent.text,
            text_version: consent.version,
        }
    }
}
