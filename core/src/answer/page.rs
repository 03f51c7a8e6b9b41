//! What the script of the hosted page is answered.

use alloc::string::String;

use crate::value::time::Moment;
use schemars::JsonSchema;
use serde::Serialize;

/// The answer to the page's script.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Redirection {
    /// Where the browser goes now.
    pub redirect_url: String,
}

/// The state of a payment, as the page polls it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct StatusAnswer {
    /// The state of the transaction.
    pub state: crate::state::State,
    /// The screen to show, a word of [`PageStatus`](crate::strings::screen::PageStatus).
    pub status: crate::strings::screen::PageStatus,
    /// When money last moved after the payment: was captured, released or returned. Left out if it did not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moved_at: Option<Moment>,
    /// Where the browser goes, once the merchant answered the notification with 200.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub redirect_url: Option<String>,
}
