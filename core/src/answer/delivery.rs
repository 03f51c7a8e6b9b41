//! What is answered about deliveries, receivers and test webhooks.

use alloc::string::String;
use alloc::vec::Vec;

use crate::record::outbox::{DeliveryState, MessageKind};
use crate::record::receiver::{Disabling, TryError};
use crate::value::time::Moment;
use schemars::JsonSchema;
use serde::Serialize;

/// A delivery.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct DeliveryShown {
    /// When it was caused.
    pub created_at: Moment,
    /// When it is tried next; null if it is not to be sent.
    pub due_at: Option<Moment>,
    /// How many tries failed since it was caused or sent again.
    pub failed_tries: u32,
    /// The `webhook-id` of every try.
    pub id: String,
    /// What it is.
    pub kind: MessageKind,
    /// The status of the last try; null if there was no answer.
    pub last_status: Option<u16>,
    /// The reference number that it names.
    pub reference_number: String,
    /// When it was last sent again on request.
    pub resent_at: Option<Moment>,
    /// The transaction that it is about; null if it is about none.
    pub session_id: Option<String>,
    /// Its state.
    pub state: DeliveryState,
    /// Where it goes: an address, or the channel by which it goes to a payer.
    pub url: String,
}

/// A page of the log.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct DeliveryPage {
    /// The `cursor` of the page that follows; null on the last one.
    pub next: Option<String>,
    /// The deliveries, the newest first.
    pub results: Vec<DeliveryShown>,
}

/// A try.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct TryShown {
    /// When it began.
    pub at: Moment,
    /// How long it took, in milliseconds.
    pub duration_ms: i64,
    /// Why there is no status.
    pub error: Option<TryError>,
    /// The beginning of the answer: at most 512 characters, without control characters and without what may be the number of a card.
    pub excerpt: Option<String>,
    /// Counted from 1.
    pub number: u32,
    /// The status that was answered.
    pub status: Option<u16>,
}

/// A delivery with its tries.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct DeliveryRead {
    /// The text that every try sends; null for a message to a payer, and once it was erased.
    pub body: Option<String>,
    /// The delivery.
    pub delivery: DeliveryShown,
    /// Every try, in order.
    pub tries: Vec<TryShown>,
}

/// What was sent again.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct DeliveriesResent {
    /// How many stay held, because their receiver is disabled.
    pub held: u32,
    /// Whether more may be left: repeat the request.
    pub may_continue: bool,
    /// How many are due now.
    pub resent: u32,
}

/// A receiver that fails or is disabled.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ReceiverShown {
    /// Its scheme and host; of one that answered 410, its whole address.
    pub address: String,
    /// Since when it is disabled; null if it is not.
    pub disabled_at: Option<Moment>,
    /// Since when every try failed.
    pub failing_since: Option<Moment>,
    /// How many deliveries are held for it.
    pub held: u32,
    /// Why it is disabled.
    pub reason: Option<Disabling>,
}

/// A receiver that was enabled again.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ReceiverEnabled {
    /// The receiver, as it was named.
    pub address: String,
    /// How many deliveries were held for it, and are due now.
    pub released: u32,
}

/// What became of a test webhook.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct TestWebhookSent {
    /// How long the receiver took, in milliseconds.
    pub duration_ms: i64,
    /// Why there is no status.
    pub error: Option<TryError>,
    /// The beginning of the answer, as in the log of deliveries.
    pub excerpt: Option<String>,
    /// The `webhook-id` that was sent.
    pub id: String,
    /// Whether the answer was one that counts as delivered: 200 or 201.
    pub is_accepted: bool,
    /// The status that was answered.
    pub status: Option<u16>,
}
