//! The log of deliveries, what is sent again, and receivers that are disabled.

use alloc::vec::Vec;

use super::fixture::Fixture;
use super::{Checked, Problem, holds, same};
use crate::change::Change;
use crate::port::{
    Deliveries, DeliverySearch, FullDelivery, LoggedTry, Next, Receivers, Released, Resend, Resent, Store,
    Try,
};
use crate::record::attention::Reason;
use crate::record::outbox::{DeliveryState, Message, MessageKind, Recipient, Which};
use crate::record::receiver::{Disabling, Receiver, ReceiverEffect, TryError, origin};
use crate::value::id::{DeliveryId, MerchantId};
use crate::value::time::Timestamp;

const URL: &str = "https://shop.example.com:8443/hook?a=1";
const OTHER_PATH: &str = "https://shop.example.com:8443/other";
const OTHER_HOST: &str = "https://other.example.com/hook";

/// A transaction with a message to an address, caused some seconds after the beginning.
async fn sent_to(
    store: &impl Store,
    fixture: &Fixture,
    url: &str,
    seconds: u64,
) -> Result<(Change, Message), Problem> {
    let created = fixture.created(fixture.transaction()?);
    store.commit(&created).await?;
    let attempt = fixture.attempt(&created.transaction, 1)?;
    let mut change = fixture.opened(&created.transaction, attempt.clone());
    let message = Message {
        recipient: Recipient::Receiver(url.into()),
        due_at: fixture.after(seconds),
        ..fixture.message(&change, &attempt.reference)
    };
    change.messages.push(message.clone());
    store.commit(&change).await?;
    Ok((change, message))
}

fn everything(fixture: &Fixture) -> DeliverySearch {
    DeliverySearch { page: fixture.log_page(), state: None, kind: None, receiver: None }
}

/// Everything, except what is changed.
fn search(fixture: &Fixture, change: impl FnOnce(&mut DeliverySearch)) -> DeliverySearch {
    let mut search = everything(fixture);
    change(&mut search);
    search
}

async fn found(store: &impl Deliveries, search: &DeliverySearch) -> Result<Vec<DeliveryId>, Problem> {
    Ok(store.find_deliveries(search).await?.into_iter().map(|row| row.id).collect())
}

async fn state(
    store: &impl Deliveries,
    fixture: &Fixture,
    id: &DeliveryId,
) -> Result<Option<DeliveryState>, Problem> {
    Ok(store.logged_delivery(&fixture.merchant, id).await?.map(|found| found.row.state))
}

fn failed(at: Timestamp, next: Next, receiver: ReceiverEffect) -> Try {
    let excerpt = Some("not now".into());
    Try { at, status: Some(503), error: None, excerpt, took_ms: 7, next, receiver }
}

pub(super) async fn the_log_shows_each_delivery_with_its_tries(
    store: &(impl Store + Deliveries),
    fixture: &Fixture,
) -> Checked {
    let (change, message) = sent_to(store, fixture, URL, 3).await?;
    let first = failed(fixture.after(4), Next::Again(fixture.after(90)), ReceiverEffect::Nothing);
    store.finish_try(&message.id, &first, None).await?;
    let silent =
        Try { at: fixture.after(91), status: None, error: Some(TryError::NoAnswer), excerpt: None, ..first };
    store.finish_try(&message.id, &silent, None).await?;
    let logged = store.logged_delivery(&fixture.merchant, &message.id).await?;
    let Some(FullDelivery { row, body, tries }) = logged else {
        return Err("the delivery is not logged".into());
    };
    same("url", row.url.as_str(), URL)?;
    same("body", body, Some(message.body))?;
    same("session", row.session_id, Some(change.transaction.session_id))?;
    same("times", (row.created_at, row.due_at, row.resent_at), (fixture.after(3), fixture.after(90), None))?;
    same("state", (row.state, row.failed_tries, row.last_status), (DeliveryState::Due, 2, None))?;
    let wanted = [
        LoggedTry {
            number: 1,
            at: fixture.after(4),
            status: Some(503),
            error: None,
            took_ms: 7,
            excerpt: Some("not now".into()),
        },
        LoggedTry {
            number: 2,
            at: fixture.after(91),
            status: None,
            error: Some(TryError::NoAnswer),
            took_ms: 7,
            excerpt: None,
        },
    ];
    same("tries", tries, Vec::from(wanted))?;
    let other = fixture.another()?;
    holds("not to others", store.logged_delivery(&other.merchant, &message.id).await?.is_none())?;
    same("nor in their log", found(store, &everything(&other)).await?, Vec::new())
}

pub(super) async fn the_log_is_narrowed_and_read_by_pages(
    store: &(impl Store + Deliveries),
    fixture: &Fixture,
) -> Checked {
    let (change, oldest) = sent_to(store, fixture, URL, 1).await?;
    let (_, middle) = sent_to(store, fixture, OTHER_HOST, 2).await?;
    let (_, newest) = sent_to(store, fixture, URL, 3).await?;
    store.finish_try(&middle.id, &failed(fixture.now, Next::GivenUp, ReceiverEffect::Nothing), None).await?;
    let (oldest, middle, newest) = (oldest.id, middle.id, newest.id);
    let all = everything(fixture);
    let one = |id: &DeliveryId| Vec::from([id.clone()]);
    same("newest first", found(store, &all).await?, [newest.clone(), middle.clone(), oldest.clone()].into())?;
    let page = search(fixture, |wanted| {
        (wanted.page.limit, wanted.page.after) = (1, Some((fixture.after(3), newest.clone())));
    });
    same("the second page", found(store, &page).await?, one(&middle))?;
    let state = search(fixture, |wanted| wanted.state = Some(DeliveryState::GivenUp));
    same("by state", found(store, &state).await?, one(&middle))?;
    let delivered = search(fixture, |wanted| wanted.state = Some(DeliveryState::Delivered));
    same("none", found(store, &delivered).await?, Vec::new())?;
    let receiver = search(fixture, |wanted| wanted.receiver = Some(origin(OTHER_HOST).into()));
    same("by receiver", found(store, &receiver).await?, one(&middle))?;
    let session = search(fixture, |wanted| {
        wanted.page.session_id = Some(change.transaction.session_id.clone());
    });
    same("by session", found(store, &session).await?, one(&oldest))?;
    let period = search(fixture, |wanted| {
        (wanted.page.since, wanted.page.until) = (Some(fixture.after(2)), Some(fixture.after(2)));
    });
    same("by period", found(store, &period).await?, one(&middle))?;
    let kind = search(fixture, |wanted| wanted.kind = Some(MessageKind::OperationWebhook));
    same("by kind", found(store, &kind).await?, Vec::new())?;
    let order_no = change.transaction.details.order_no.clone().unwrap_or_else(|| "none".into());
    let order = search(fixture, |wanted| wanted.page.order_no = Some(order_no));
    let expected = if change.transaction.details.order_no.is_some() { 3 } else { 0 };
    same("by order", found(store, &order).await?.len(), expected)
}

pub(super) async fn a_delivery_is_sent_again_under_its_id(
    store: &(impl Store + Deliveries),
    fixture: &Fixture,
) -> Checked {
    let (_, message) = sent_to(store, fixture, URL, 0).await?;
    let done = Try { status: Some(200), ..failed(fixture.now, Next::Delivered, ReceiverEffect::Nothing) };
    store.finish_try(&message.id, &done, None).await?;
    let other = fixture.another()?;
    let resend = |merchant: &MerchantId| Resend {
        merchant: merchant.clone(),
        which: Which::One(message.id.clone()),
        now: fixture.after(60),
        limit: 1,
    };
    let entry = fixture.entry("resend_own_deliveries");
    let nothing = Resent { due: Vec::new(), held: 0 };
    same("of another merchant", store.resend(&resend(&other.merchant), &entry).await?, nothing)?;
    let again = Resent { due: [message.id.clone()].into(), held: 0 };
    same("resent", store.resend(&resend(&fixture.merchant), &entry).await?, again)?;
    same("not before", store.claim(&message.id, fixture.after(59), fixture.after(99)).await?, None)?;
    let claimed = store.claim(&message.id, fixture.after(60), fixture.after(99)).await?;
    let claimed = claimed.map(|claim| (claim.message.id, claim.message.body, claim.failed_tries));
    same("as it was", claimed, Some((message.id, message.body, 0)))
}

pub(super) async fn deliveries_of_a_period_are_sent_again_once(
    store: &(impl Store + Deliveries),
    fixture: &Fixture,
) -> Checked {
    let mut ids = Vec::new();
    for (url, seconds) in [(URL, 1), (URL, 2), (OTHER_HOST, 3), (URL, 9)] {
        let (_, message) = sent_to(store, fixture, url, seconds).await?;
        store
            .finish_try(&message.id, &failed(fixture.now, Next::GivenUp, ReceiverEffect::Nothing), None)
            .await?;
        ids.push(message.id);
    }
    let resend = |receiver: Option<&str>, limit: u32| Resend {
        merchant: fixture.merchant.clone(),
        which: Which::Of {
            state: DeliveryState::GivenUp,
            receiver: receiver.map(Into::into),
            since: fixture.after(1),
            until: fixture.after(8),
        },
        now: fixture.after(20),
        limit,
    };
    let entry = fixture.entry("resend_own_deliveries");
    let again = async |receiver, limit| -> Result<_, Problem> {
        let Resent { due, held } = store.resend(&resend(receiver, limit), &entry).await?;
        same("held", held, 0)?;
        Ok(due)
    };
    let [first, second, third, late] = &ids[..] else { return Err("four messages".into()) };
    same("by receiver", again(Some(origin(OTHER_HOST)), 9).await?, [third.clone()].into())?;
    same("the oldest first", again(None, 1).await?, [first.clone()].into())?;
    for id in &ids {
        let again = failed(fixture.after(21), Next::GivenUp, ReceiverEffect::Nothing);
        store.finish_try(id, &again, None).await?;
    }
    same("what was not sent again yet", again(None, 9).await?, [second.clone()].into())?;
    same("then nothing", again(None, 9).await?, Vec::new())?;
    same("not after the period", state(store, fixture, late).await?, Some(DeliveryState::GivenUp))
}

pub(super) async fn a_receiver_that_fails_is_known_until_it_works(
    store: &(impl Store + Deliveries + Receivers),
    fixture: &Fixture,
) -> Checked {
    let (_, message) = sent_to(store, fixture, URL, 0).await?;
    let fails =
        |seconds| failed(fixture.after(seconds), Next::Again(fixture.after(seconds)), ReceiverEffect::Fails);
    store.finish_try(&message.id, &fails(5), None).await?;
    store.finish_try(&message.id, &fails(6), None).await?;
    let (_, other) = sent_to(store, fixture, OTHER_PATH, 0).await?;
    let claimed = store.claim(&other.id, fixture.after(9), fixture.after(10)).await?;
    same("since the first", claimed.and_then(|claim| claim.failing_since), Some(fixture.after(5)))?;
    let shown = Receiver {
        address: origin(URL).into(),
        failing_since: Some(fixture.after(5)),
        disabled: None,
        held: 0,
    };
    same("listed", store.receivers(&fixture.merchant, 10).await?, [shown].into())?;
    same("counted", store.count_receivers(&fixture.merchant, 10).await?, 1)?;
    let works =
        Try { status: Some(200), ..failed(fixture.after(12), Next::Delivered, ReceiverEffect::Works) };
    store.finish_try(&other.id, &works, None).await?;
    same("no more", store.receivers(&fixture.merchant, 10).await?, Vec::new())?;
    let claimed = store.claim(&message.id, fixture.after(20), fixture.after(21)).await?;
    same("it works", claimed.map(|claim| claim.failing_since), Some(None))
}

pub(super) async fn what_is_for_a_disabled_receiver_is_held_until_it_is_enabled(
    store: &(impl Store + Deliveries + Receivers),
    fixture: &Fixture,
) -> Checked {
    let (change, message) = sent_to(store, fixture, URL, 0).await?;
    let (_, sibling) = sent_to(store, fixture, OTHER_PATH, 0).await?;
    let (_, stranger) = sent_to(store, fixture, OTHER_HOST, 0).await?;
    let again = Next::Again(fixture.after(1));
    store.finish_try(&message.id, &failed(fixture.now, again, ReceiverEffect::Fails), None).await?;
    let attempt = fixture.attempt(&change.transaction, 1)?;
    let entry = fixture.attention(&attempt, Reason::ReceiverDisabled);
    let disabled = failed(fixture.after(2), again, ReceiverEffect::Disabled(Disabling::Failing));
    store.finish_try(&message.id, &disabled, Some(&entry)).await?;
    holds("flagged", store.attention(10_000).await?.contains(&entry))?;
    let (_, later) = sent_to(store, fixture, URL, 0).await?;
    let states = async || -> Result<Vec<Option<DeliveryState>>, Problem> {
        let mut states = Vec::new();
        for one in [&message, &sibling, &later, &stranger] {
            states.push(state(store, fixture, &one.id).await?);
        }
        Ok(states)
    };
    let (due, held) = (Some(DeliveryState::Due), Some(DeliveryState::Held));
    same("held", states().await?, [held, held, held, due].into())?;
    same("not claimed", store.claim(&later.id, fixture.after(99), fixture.after(100)).await?, None)?;
    let resend = Resend {
        merchant: fixture.merchant.clone(),
        which: Which::One(later.id.clone()),
        now: fixture.after(3),
        limit: 1,
    };
    let audit = fixture.entry("enable_own_receiver");
    same("sent again", store.resend(&resend, &audit).await?, Resent { due: Vec::new(), held: 1 })?;
    let address = origin(URL);
    let shown = Receiver {
        address: address.into(),
        failing_since: Some(fixture.now),
        disabled: Some((fixture.after(2), Disabling::Failing)),
        held: 3,
    };
    same("listed", store.receivers(&fixture.merchant, 10).await?, [shown].into())?;
    let other = fixture.another()?;
    let enable =
        async |merchant, address| store.enable_receiver(merchant, address, fixture.after(50), &audit).await;
    same("of another merchant", enable(&other.merchant, address).await?, None)?;
    same("another address", enable(&fixture.merchant, URL).await?, None)?;
    let released =
        enable(&fixture.merchant, address).await?.map(|released| (released.count, released.due.len()));
    same("enabled", released, Some((3, 3)))?;
    same("once", enable(&fixture.merchant, address).await?, None)?;
    same("due", states().await?, [due; 4].into())?;
    same("not before", store.claim(&later.id, fixture.after(49), fixture.after(60)).await?, None)?;
    holds("then", store.claim(&later.id, fixture.after(50), fixture.after(60)).await?.is_some())
}

pub(super) async fn an_address_that_is_gone_is_disabled_alone(
    store: &(impl Store + Deliveries + Receivers),
    fixture: &Fixture,
) -> Checked {
    let (_, message) = sent_to(store, fixture, URL, 0).await?;
    let (_, sibling) = sent_to(store, fixture, OTHER_PATH, 0).await?;
    let gone = failed(fixture.after(1), Next::Held, ReceiverEffect::Disabled(Disabling::Gone));
    store.finish_try(&message.id, &gone, None).await?;
    same("held", state(store, fixture, &message.id).await?, Some(DeliveryState::Held))?;
    same("the other path", state(store, fixture, &sibling.id).await?, Some(DeliveryState::Due))?;
    let shown = Receiver {
        address: URL.into(),
        failing_since: None,
        disabled: Some((fixture.after(1), Disabling::Gone)),
        held: 1,
    };
    same("listed", store.receivers(&fixture.merchant, 10).await?, [shown].into())?;
    let audit = fixture.entry("enable_own_receiver");
    let released = store.enable_receiver(&fixture.merchant, URL, fixture.after(9), &audit).await?;
    same("released", released, Some(Released { count: 1, due: [message.id.clone()].into() }))?;
    same("due", state(store, fixture, &message.id).await?, Some(DeliveryState::Due))
}
