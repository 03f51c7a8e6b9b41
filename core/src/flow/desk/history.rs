//! What happened to a payment, for a person: the changes of it and what was sent about it, in the order of time.

use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use futures_util::future::try_join;

use crate::port::{
    Deliveries, DeliverySearch, LogPage, LoggedDelivery, LoggedTry, PortError, Timelines, World,
};
use crate::record::event::LoggedEvent;
use crate::record::outbox::{DeliveryState, MessageKind};
use crate::record::receiver::TryError;
use crate::value::id::{DeliveryId, MerchantId, SessionId};
use crate::value::time::Timestamp;

/// The most messages and tries that are shown.
const MOST: u32 = 200;

/// Something that happened.
#[derive(Debug, Clone)]
pub struct Happened {
    /// When.
    pub at: Timestamp,
    /// What.
    pub what: Occurrence,
}

/// What happened.
#[derive(Debug, Clone)]
pub enum Occurrence {
    /// The payment changed.
    Changed(LoggedEvent),
    /// A message was caused or tried.
    Sent(SentShown),
}

/// A webhook or another message that waits for its first try, or one try of it.
#[derive(Debug, Clone)]
pub struct SentShown {
    /// Its id.
    pub id: DeliveryId,
    /// What it is.
    pub kind: MessageKind,
    /// Its state, with the latest of what is shown of it.
    pub state: Option<DeliveryState>,
    /// The try; `None` before the first.
    pub tried: Option<Tried>,
}

/// A try. What was answered is left to the page of the delivery.
#[derive(Debug, Clone, Copy)]
pub struct Tried {
    /// The status that was answered.
    pub status: Option<u16>,
    /// Why there is none.
    pub error: Option<TryError>,
    /// How long it took, in milliseconds.
    pub took_ms: i64,
}

/// What was sent about a payment.
///
/// # Errors
/// If the store fails.
pub(super) async fn sent(
    world: &impl World,
    merchant: &MerchantId,
    session_id: &SessionId,
) -> Result<Vec<Happened>, PortError> {
    let page = LogPage {
        merchant: merchant.clone(),
        session_id: Some(session_id.clone()),
        order_no: None,
        since: None,
        until: None,
        after: None,
        limit: MOST,
    };
    let search = DeliverySearch { page, state: None, kind: None, receiver: None };
    let ledger = world.ledger(session_id);
    let (deliveries, tries) =
        try_join(ledger.find_deliveries(&search), ledger.logged_tries(session_id, MOST)).await?;
    let mut of: BTreeMap<String, Vec<LoggedTry>> = BTreeMap::new();
    for (id, tried) in tries {
        of.entry(id.to_string()).or_default().push(tried);
    }
    // What is due of a request for approval is no message.
    let messages = deliveries.into_iter().filter(|delivery| delivery.kind != MessageKind::Approval);
    let shown = messages.flat_map(|delivery| {
        let tries = of.remove(delivery.id.as_str()).unwrap_or_default();
        each(&delivery, tries)
    });
    Ok(shown.collect())
}

/// The changes of a payment, given the newest first, and what was sent about it, the oldest first.
pub(super) fn in_order(events: &[LoggedEvent], sent: Vec<Happened>) -> Vec<Happened> {
    let changed = |event: &LoggedEvent| Happened { at: event.at, what: Occurrence::Changed(event.clone()) };
    let mut all: Vec<Happened> = events.iter().rev().map(changed).chain(sent).collect();
    all.sort_by_key(|happened| happened.at);
    all
}

/// The tries of a delivery, given the newest first, or that it waits.
fn each(delivery: &LoggedDelivery, tries: Vec<LoggedTry>) -> Vec<Happened> {
    let entry = |at, tried, state| {
        let sent = SentShown { id: delivery.id.clone(), kind: delivery.kind, state, tried };
        Happened { at, what: Occurrence::Sent(sent) }
    };
    if tries.is_empty() {
        return Vec::from([entry(delivery.created_at, None, Some(delivery.state))]);
    }
    let said = tries.into_iter().enumerate().map(|(place, LoggedTry { at, status, error, took_ms, .. })| {
        entry(at, Some(Tried { status, error, took_ms }), (place == 0).then_some(delivery.state))
    });
    said.collect()
}
