//! The body of an alert: what a person should look at, without anything of the payer.

use alloc::string::String;
use alloc::vec::Vec;

use crate::record::attention::Reason;
use crate::record::attention::{Attention, Topic};
use crate::strings::facts::say;
use crate::value::id::{MerchantId, ReferenceNumber, SessionId};
use crate::value::time::{Moment, Timestamp};
use crate::words::Language;
use schemars::JsonSchema;
use serde::Serialize;

/// The type of the event.
pub(crate) const RAISED: &str = "alert.raised";
/// The most entries that an alert lists.
pub(crate) const MAX_LISTED: usize = 10;

/// An alert, as Standard Webhooks write an event.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "AlertWebhook")]
pub struct AlertRaised {
    /// What it says.
    pub data: AlertData,
    /// When it was raised.
    pub timestamp: Moment,
    /// The type of the event.
    #[serde(rename = "type")]
    #[schemars(extend("enum" = [RAISED]))]
    pub kind: &'static str,
}

/// What an alert says.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct AlertData {
    /// How many entries of the attention list it is about.
    pub count: usize,
    /// The oldest of them, at most ten.
    pub entries: Vec<AlertEntry>,
    /// The merchant whose entries they are.
    pub merchant_id: MerchantId,
    /// What they concern.
    pub topic: Topic,
}

/// An entry of the attention list.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct AlertEntry {
    /// Which address, message or gateway it is about, of entries about webhooks and gateways; null of others.
    pub detail: Option<String>,
    /// Why it is on the list.
    pub reason: Reason,
    /// The attempt or operation; of an alert that could not be sent, its own.
    pub reference_number: ReferenceNumber,
    /// The transaction, if one is recorded here.
    pub session_id: Option<SessionId>,
    /// Since when it is on the list.
    pub since: Moment,
}

impl AlertRaised {
    /// The alert about entries of one merchant and topic.
    #[must_use]
    pub(crate) fn of(merchant: &MerchantId, topic: Topic, entries: &[Attention], at: Timestamp) -> Self {
        let listed = entries.iter().take(MAX_LISTED).map(|entry| AlertEntry {
            // Other details quote what gateways say.
            detail: matches!(topic, Topic::Webhook | Topic::Gateway)
                .then(|| say(Language::En, &entry.detail)),
            reason: entry.reason,
            reference_number: entry.reference.clone(),
            session_id: entry.session_id.clone(),
            since: entry.at.into(),
        });
        let data = AlertData {
            count: entries.len(),
            entries: listed.collect(),
            merchant_id: merchant.clone(),
            topic,
        };
        Self { data, timestamp: at.into(), kind: RAISED }
    }
}
