//! Why a payment was declined, as a checkout SDK gets it.

use schemars::JsonSchema;
use serde::Serialize;

use crate::strings::Strings;
use crate::words::Language;
use crate::words::decline::DeclineReason;
use crate::words::payment_type::PaymentType;

/// Why a payment was declined.
#[derive(Serialize, JsonSchema)]
pub(super) struct Decline {
    /// The reason.
    reason: DeclineReason,
    /// What the payer reads.
    text: InBoth,
}

/// A text in both languages.
#[derive(Serialize, JsonSchema)]
struct InBoth {
    /// In Arabic.
    ar: &'static str,
    /// In English.
    en: &'static str,
}

impl Decline {
    /// Decision: a reason that the payer must not read, such as that of a stolen card, is not in the answer at all.
    pub(super) fn of(reason: DeclineReason, payment_type: PaymentType) -> Option<Self> {
        let text = |language| Strings::of(language).decline(reason, payment_type);
        let text = InBoth { ar: text(Language::Ar)?, en: text(Language::En)? };
        Some(Self { reason, text })
    }
}
