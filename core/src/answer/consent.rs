//! What a payer agreed to, as the merchant's API shows it.

use alloc::string::{String, ToString};

use schemars::JsonSchema;
use serde::Serialize;

use crate::record::consent::Consent;

/// The evidence that a payer agreed to later payments, or to a saved card.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ConsentShown {
    /// When the payer pressed the button.
    agreed_at: String,
    /// The language in which it was shown.
    #[schemars(extend("enum" = crate::words::Language::WORDS))]
    language: &'static str,
    /// The attempt that began by it.
    #[schemars(extend("pattern" = crate::value::id::ReferenceNumber::PATTERN))]
    reference_number: String,
    /// What was shown above the button, a line for each sentence.
    text: String,
    /// The version of the texts.
    text_version: u16,
}

impl From<Consent> for ConsentShown {
    fn from(consent: Consent) -> Self {
        Self {
            agreed_at: consent.at.to_string(),
            language: consent.language.as_str(),
            reference_number: consent.reference.as_str().to_string(),
            text: consent.text,
            text_version: consent.version,
        }
    }
}
