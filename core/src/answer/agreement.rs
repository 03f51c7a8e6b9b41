//! The answers about agreements.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use schemars::JsonSchema;
use serde::Serialize;

use crate::card::agreement::{Pause, SavedAgreement};
use crate::value::id::SessionId;
use crate::value::money::Currency;
use crate::value::time::Moment;
use crate::words::decline::DeclineReason;

/// The agreements of a customer.
#[derive(Debug, Serialize, JsonSchema)]
pub struct AgreementList {
    /// By their ids.
    pub results: Vec<AgreementShown>,
}

/// An agreement under which the merchant debits a saved card.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct AgreementShown {
    /// What the payer paid first, without fees.
    pub amount: String,
    /// When it was last paid.
    pub charged_at: Moment,
    /// ISO 4217 code.
    #[schemars(with = "String")]
    pub currency_code: Currency,
    /// How many payments the merchant made under it.
    pub cycles: u32,
    /// The merchant's id of it.
    pub id: String,
    /// Why it is not debited for now; null if it is.
    pub paused: Option<PauseShown>,
    /// The card that it uses.
    pub token: String,
}

/// Why an agreement is not debited for now.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct PauseShown {
    /// Why the last debit had no success.
    #[schemars(with = "String")]
    pub reason: DeclineReason,
    /// The payment transaction that was not paid.
    pub session_id: SessionId,
    /// Since when.
    pub since: Moment,
}

impl From<SavedAgreement> for AgreementShown {
    fn from(saved: SavedAgreement) -> Self {
        Self {
            amount: saved.amount.to_decimal().to_string(),
            charged_at: saved.charged_at.into(),
            currency_code: saved.amount.currency(),
            cycles: saved.cycles,
            id: saved.key.id,
            paused: saved.paused.map(PauseShown::from),
            token: saved.card.as_str().into(),
        }
    }
}

impl From<Pause> for PauseShown {
    fn from(pause: Pause) -> Self {
        Self { reason: pause.reason, session_id: pause.session_id, since: pause.at.into() }
    }
}
