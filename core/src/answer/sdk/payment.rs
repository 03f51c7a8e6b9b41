//! What a checkout SDK, or a page with a device wallet, is answered while the payer pays.

use alloc::string::{String, ToString};

use schemars::JsonSchema;
use serde::Serialize;

use super::SdkCallback;

/// The answer to a payment that began.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Submitted {
    /// `success`.
    #[schemars(extend("enum" = ["success"]))]
    pub status: &'static str,
    /// For the reader.
    pub message: String,
    /// Where the payer goes now.
    pub redirect_url: String,
}

impl Submitted {
    /// The answer that sends the payer to an address.
    #[must_use]
    pub fn to(redirect_url: String) -> Self {
        Self { status: "success", message: "the payer continues at redirect_url".to_string(), redirect_url }
    }
}

/// The answer to an SDK that says that the payer sees the payment methods.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MethodsSeen {
    /// The state of the transaction.
    pub state: crate::state::State,
}

/// The answer to a payment by wallet, and to a sheet that cannot open.
#[derive(Serialize, JsonSchema)]
pub struct WalletAnswer<'a> {
    /// Whether it is paid; absent while that is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approved: Option<bool>,
    /// `pending` while the outcome is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = ["pending"]))]
    pub status: Option<&'static str>,
    /// For the reader.
    pub message: String,
    /// Where the payer goes now; absent if they stay and may try again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub redirect_url: Option<String>,
    /// What an SDK passes to the merchant's page.
    pub callback_payload: SdkCallback<'a>,
}
