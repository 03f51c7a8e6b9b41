//! Reading what happened to a payment transaction.

use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::cmp::Reverse;

use futures_util::future::{join, join3};

use super::operations::{self, LATEST};
use crate::access::Caller;
use crate::answer::timeline::{AttemptShown, EventShown, TimelineAnswer, TimelineEntry, WebhookShown};
use crate::flow::Failure;
use crate::flow::account::delivery::shown_try;
use crate::flow::account::message;
use crate::flow::find::seen_by;
use crate::port::{
    Bookkeeping, Deliveries, DeliverySearch, LogPage, LoggedDelivery, LoggedTry, MessageSearch, Messages,
    Store, Timelines, World,
};
use crate::value::id::{DeliveryId, SessionId};
use crate::value::json;

/// Shows what happened to a transaction:
///
/// 1. load it; another merchant's id is answered like one that does not exist; the caller may see its plugin;
/// 2. read everything about it at once: its attempts and operations, the latest events, webhooks and messages;
/// 3. put what happened in the order of time, the newest first.
///
/// # Errors
/// The rejection, or a failure of the world.
pub async fn read_timeline(
    world: &impl World,
    caller: &Caller,
    session_id: &SessionId,
) -> Result<String, Failure> {
    // 1
    seen_by(world, caller, session_id).await?;
    // 2
    let ledger = world.ledger(session_id);
    let page = LogPage {
        merchant: caller.merchant().clone(),
        session_id: Some(session_id.clone()),
        order_no: None,
        since: None,
        until: None,
        after: None,
        limit: LATEST,
    };
    let messages = MessageSearch { page: page.clone(), channel: None, state: None };
    let deliveries = DeliverySearch { page, state: None, kind: None, receiver: None };
    let of_payment = join(ledger.attempts(session_id), ledger.books(session_id));
    let sent = join3(
        ledger.find_deliveries(&deliveries),
        ledger.logged_tries(session_id, LATEST),
        ledger.find_messages(&messages),
    );
    let events = ledger.logged_events(session_id, LATEST);
    let ((attempts, books), events, (deliveries, tries, messages)) = join3(of_payment, events, sent).await;
    let children = books?.map(|books| books.children).unwrap_or_default();
    let (attempts, events) = (attempts?, events?);
    // 3
    let operations = operations::shown(&children, &events);
    let events =
        events.into_iter().map(|event| TimelineEntry::event(event.at, EventShown::of(event, &children)));
    let messages = messages?.into_iter().map(message::shown).map(TimelineEntry::message);
    let mut results: Vec<TimelineEntry> =
        events.chain(webhooks(deliveries?, tries?)).chain(messages).collect();
    results.sort_by_key(|entry| Reverse(entry.at));
    let attempts = attempts.iter().map(AttemptShown::of).collect();
    Ok(json::write(&TimelineAnswer { attempts, operations, results })?)
}

/// The webhooks: each with every try, or once if it was not tried.
fn webhooks(
    deliveries: Vec<LoggedDelivery>,
    logged: Vec<(DeliveryId, LoggedTry)>,
) -> impl Iterator<Item = TimelineEntry> {
    let mut of: BTreeMap<String, Vec<LoggedTry>> = BTreeMap::new();
    for (id, tried) in logged {
        of.entry(id.to_string()).or_default().push(tried);
    }
    let to_receivers = deliveries.into_iter().filter(|delivery| delivery.kind.is_webhook());
    to_receivers.flat_map(move |delivery| {
        let done = of.remove(delivery.id.as_str()).unwrap_or_default();
        let entry = |at, tried| {
            let webhook = WebhookShown {
                id: delivery.id.to_string(),
                kind: delivery.kind,
                state: delivery.state,
                tried,
                url: delivery.url.clone(),
            };
            TimelineEntry::webhook(at, webhook)
        };
        if done.is_empty() {
            return Vec::from([entry(delivery.created_at.into(), None)]);
        }
        done.into_iter().map(shown_try).map(|tried| entry(tried.at, Some(tried))).collect()
    })
}
