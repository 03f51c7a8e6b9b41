//! What is answered about messages to payers.

use alloc::string::String;
use alloc::vec::Vec;

use crate::messenger::provider::Provider;
use crate::value::time::Moment;
use crate::words::message::{Channel, MessageOccasion, MessageState};
use schemars::JsonSchema;
use serde::Serialize;

/// A message to a payer.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct MessageShown {
    /// Since when it has this state; null while it is queued.
    pub changed_at: Option<Moment>,
    /// By what it goes.
    pub channel: Channel,
    /// When it was caused.
    pub created_at: Moment,
    /// Why it was not sent or did not arrive, in at most 200 characters; null if there is nothing to say, or it was erased.
    pub detail: Option<String>,
    /// About what it is; null if it was erased.
    pub event: Option<MessageOccasion>,
    /// Its id, which is the `id` of its row in the log of deliveries.
    pub id: String,
    /// The order number of the transaction; null if it has none, or it was erased.
    pub order_no: Option<String>,
    /// Who carries it; null while it is queued.
    pub provider: Option<Provider>,
    /// To whom it goes, with most of it hidden; null if it was erased.
    pub recipient: Option<String>,
    /// The reference number that it names, or the session id of a transaction that was not attempted.
    pub reference_number: String,
    /// The transaction that it is about.
    pub session_id: String,
    /// Its state.
    pub state: MessageState,
}

/// A page of messages.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct MessagePage {
    /// The `cursor` of the page that follows; null on the last one.
    pub next: Option<String>,
    /// The messages, the newest first.
    pub results: Vec<MessageShown>,
}

/// The message about the present state of a payment was sent once more.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Reminded {
    /// Says that it is done.
    pub message: &'static str,
}
