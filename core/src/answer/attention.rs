//! The answers about a merchant's attention list.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use schemars::JsonSchema;
use serde::Serialize;

use crate::record::attention::{AttentionState, ListedAttention, Reason, Topic};
use crate::strings::attention::advice;
use crate::strings::facts::say;
use crate::value::id::{ReferenceNumber, SessionId};
use crate::value::time::Moment;
use crate::words::Language;

/// Some of the entries of a merchant's attention list.
#[derive(Debug, Serialize, JsonSchema)]
pub struct AttentionPage {
    /// The `cursor` of the page that follows; null on the last one.
    pub next: Option<String>,
    /// The newest first.
    pub results: Vec<MerchantAttention>,
}

/// Something that a person should look at.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct MerchantAttention {
    /// What to do about it, in English.
    pub advice: &'static str,
    /// Facts for the reader.
    pub detail: String,
    /// The name of the entry.
    pub id: String,
    /// What was noted when it was resolved; null if nothing was, or it was erased.
    pub note: Option<String>,
    /// Why it is on the list.
    pub reason: Reason,
    /// The attempt or operation.
    pub reference_number: ReferenceNumber,
    /// When it was resolved; null while it is open.
    pub resolved_at: Option<Moment>,
    /// The transaction, if one is recorded here.
    pub session_id: Option<SessionId>,
    /// Since when it is on the list.
    pub since: Moment,
    /// Whether it waits for a person.
    pub state: AttentionState,
    /// What it concerns.
    pub topic: Topic,
}

impl From<ListedAttention> for MerchantAttention {
    fn from(ListedAttention { entry, resolved }: ListedAttention) -> Self {
        let state = if resolved.is_some() { AttentionState::Resolved } else { AttentionState::Open };
        Self {
            advice: advice(Language::En, entry.reason),
            id: entry.id().to_string(),
            detail: say(Language::En, &entry.detail),
            reason: entry.reason,
            topic: entry.reason.topic(),
            reference_number: entry.reference,
            session_id: entry.session_id,
            since: entry.at.into(),
            resolved_at: resolved.as_ref().map(|resolved| resolved.at.into()),
            note: resolved.and_then(|resolved| resolved.note),
            state,
        }
    }
}

/// An entry was resolved.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct AttentionClosed {
    /// The name of the entry.
    pub id: String,
    /// That it waits for nobody any more.
    pub state: AttentionState,
}
