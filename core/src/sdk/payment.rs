//! What a checkout SDK, or a page with a device wallet, is answered while the payer pays.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::callback::{PendingResult, SdkCallback};
use super::method::RedirectFlow;
use crate::gateway::instrument::FormOfPayment;
use crate::state::State;
use crate::strings::screen::PageStatus;
use crate::value::id::{ReferenceNumber, SessionId};
use crate::value::money::Currency;
use crate::value::time::Moment;
use crate::words::word_list;

/// The answer to a payment that began.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Submitted {
    /// `success`.
    pub status: SubmittedStatus,
    /// For the reader.
    pub message: String,
    /// Where the payer goes now.
    pub redirect_url: String,
}

impl Submitted {
    /// The answer that sends the payer to an address.
    #[must_use]
    pub fn to(redirect_url: String) -> Self {
        Self {
            status: SubmittedStatus::Success,
            message: "the payer continues at redirect_url".to_string(),
            redirect_url,
        }
    }
}

/// The answer to an SDK that says that the payer sees the payment methods.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MethodsSeen {
    /// The state of the transaction.
    pub state: State,
}

/// The answer to a payment by wallet, and to a sheet that cannot open.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct WalletAnswer {
    /// Whether it is paid; absent while that is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approved: Option<bool>,
    /// `pending` while the outcome is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<PendingResult>,
    /// For the reader.
    pub message: String,
    /// Where the payer goes now; absent if they stay and may try again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub redirect_url: Option<String>,
    /// What an SDK passes to the merchant's page.
    pub callback_payload: SdkCallback,
}

/// The answer to the page's script.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Redirection {
    /// Where the browser goes now.
    pub redirect_url: String,
}

/// The state of a payment, as the page polls it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StatusAnswer {
    /// The state of the transaction.
    pub state: State,
    /// The screen to show.
    pub status: PageStatus,
    /// What is to be paid, without fees; like the next two, while it can be paid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amount: Option<String>,
    /// ISO 4217 code.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub currency_code: Option<Currency>,
    /// What each method costs, as the page writes it in its form: a page that shows something else is out of date.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub prices: Vec<String>,
    /// When money last moved after the payment: was captured, released or returned. Left out if it did not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moved_at: Option<Moment>,
    /// Where the browser goes, once the merchant answered the notification with 200.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub redirect_url: Option<String>,
}

/// The answer if the payer has to confirm.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Challenge {
    /// The payer has to confirm.
    #[schemars(extend("const" = true))]
    pub challenge_occurred: bool,
    /// How it is paid.
    pub form_of_payment: FormOfPayment,
    /// How the payer goes on.
    pub method: RedirectFlow,
    /// The merchant's order number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order_no: Option<String>,
    /// Where the payer confirms.
    #[schemars(extend("format" = "uri"))]
    pub redirect_url: String,
    /// The attempt.
    pub reference_number: ReferenceNumber,
    /// The transaction.
    pub session_id: SessionId,
    /// `3DS`.
    pub status: ChallengeStatus,
}

word_list! {
    /// The status of a payment that the payer has to confirm.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum ChallengeStatus {
        /// The payer confirms.
        ThreeDs = "3DS",
    }
}

word_list! {
    /// The status of a payment that began.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum SubmittedStatus {
        /// It began.
        Success = "success",
    }
}
