//! What a checkout SDK gets about an attempt.

use alloc::boxed::Box;
use alloc::string::String;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::method::RedirectFlow;
use crate::gateway::instrument::FormOfPayment;
use crate::value::id::{PgCode, ReferenceNumber, SessionId};
use crate::words::decline::DeclineReason;
use crate::words::word_list;

/// What an SDK gets about an attempt: `success`, `canceled` (also for a declined payment), or `error` if it
/// certainly did not reach the gateway.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "CallbackPayload")]
pub struct SdkCallback {
    /// Who ended an attempt whose status is `canceled`: the bank, which declined it, or the payer, who left its page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub canceled_by: Option<CanceledBy>,
    /// Whether the payer goes on to another page before the outcome is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub challenge_occurred: Option<bool>,
    /// Why the bank declined it, if it said so and the payer may read it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decline: Option<Decline>,
    /// How it was paid.
    pub form_of_payment: FormOfPayment,
    /// For the reader.
    pub message: String,
    /// With the status `3DS`: the payer goes on to `redirect_url`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<RedirectFlow>,
    /// The merchant's order number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order_no: Option<String>,
    /// The gateway that was used last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payment_gateway_info: Option<GatewayInfo>,
    /// Where the payer goes now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub redirect_url: Option<String>,
    /// The reference number of the attempt.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub reference_number: Option<ReferenceNumber>,
    /// `pending` while nobody knows whether it was charged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<PendingResult>,
    /// The transaction.
    #[schemars(with = "String")]
    pub session_id: SessionId,
    /// The outcome; `3DS` while it is not known, and the payer waits at `redirect_url`.
    pub status: SdkStatus,
}

/// The gateway that was used.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct GatewayInfo {
    /// The code of the gateway.
    #[serde(rename = "pg_code")]
    #[schemars(with = "String")]
    pub code: PgCode,
    /// The family of the gateway.
    #[serde(rename = "pg_name")]
    pub name: String,
    /// The gateway's own answer, for the merchant's server only.
    #[serde(rename = "pg_response", skip_serializing_if = "Option::is_none")]
    pub response: Option<Box<RawValue>>,
}

/// Why a payment was declined.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Decline {
    /// The reason.
    pub reason: DeclineReason,
    /// What the payer reads.
    pub text: InBoth,
}

/// A text in both languages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InBoth {
    /// In Arabic.
    pub ar: String,
    /// In English.
    pub en: String,
}

word_list! {
    /// The outcome of an attempt, as SDKs know it.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum SdkStatus {
        /// Paid.
        Success = "success",
        /// Not paid.
        Canceled = "canceled",
        /// It certainly did not reach the gateway.
        Error = "error",
        /// Not known yet.
        ThreeDs = "3DS",
    }
}

word_list! {
    /// Who ended an attempt.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum CanceledBy {
        /// The bank, which declined it.
        Bank = "bank",
        /// The payer, who left its page.
        Payer = "payer",
    }
}

word_list! {
    /// What is said while nobody knows the outcome.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum PendingResult {
        /// It is awaited.
        Pending = "pending",
    }
}
