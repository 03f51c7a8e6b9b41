//! Messages are sent by one sender at a time until they arrive or are given up.

use alloc::vec::Vec;

use super::fixture::Fixture;
use super::{Checked, Problem, holds, same};
use crate::attempt::Attempt;
use crate::change::{Change, EventKind};
use crate::port::{DeliveryStatus, Due, DueRow, MessageClaim, NewestDelivery, Next, Store, Try};
use crate::record::attention::{Attention, AttentionId, Reason};
use crate::record::outbox::{Message, MessageContent, MessageKind, Recipient};
use crate::record::receiver::{ReceiverEffect, TryError};
use crate::transaction::Transaction;
use crate::value::id::DeliveryId;
use crate::value::time::Timestamp;

/// A transaction with an attempt, and a message about it.
struct Notified {
    transaction: Transaction,
    attempt: Attempt,
    message: Message,
}

async fn notified(store: &impl Store, fixture: &Fixture) -> Result<Notified, Problem> {
    let created = fixture.created(fixture.transaction()?);
    store.commit(&created).await?;
    let attempt = fixture.attempt(&created.transaction, 1)?;
    let mut change = fixture.opened(&created.transaction, attempt.clone());
    let message = fixture.message(&change, &attempt.reference);
    change.messages.push(message.clone());
    store.commit(&change).await?;
    Ok(Notified { transaction: change.transaction, attempt, message })
}

async fn candidate(
    store: &impl Store,
    id: &DeliveryId,
    now: Timestamp,
) -> Result<Option<DueRow<DeliveryId>>, Problem> {
    let due = Due { merchant: None, now, share: 10_000, limit: 10_000, unrung_since: None };
    Ok(store.due_deliveries(due).await?.into_iter().find(|candidate| candidate.item == *id))
}

async fn claim(store: &impl Store, id: &DeliveryId, now: Timestamp) -> Result<Option<MessageClaim>, Problem> {
    Ok(store.claim(id, now, now.plus(core::time::Duration::from_mins(1))).await?)
}

fn tried(fixture: &Fixture, status: Option<u16>, next: Next) -> Try {
    let error = status.is_none().then_some(TryError::NoAnswer);
    Try {
        at: fixture.now,
        status,
        error,
        excerpt: None,
        took_ms: 12,
        next,
        receiver: ReceiverEffect::Nothing,
    }
}

pub(super) async fn a_message_is_due_at_its_time(store: &impl Store, fixture: &Fixture) -> Checked {
    let Notified { message, .. } = notified(store, fixture).await?;
    let early = Timestamp::from_millis(fixture.now.millis().saturating_sub(1));
    holds("not before", candidate(store, &message.id, early).await?.is_none())?;
    let wanted = DueRow {
        item: message.id.clone(),
        merchant: fixture.merchant.clone(),
        lane: "https://shop.example.com:8443".into(),
        family: None,
    };
    same("candidate", candidate(store, &message.id, fixture.now).await?, Some(wanted))
}

pub(super) async fn a_message_is_claimed_once_until_its_lease_is_over(
    store: &impl Store,
    fixture: &Fixture,
) -> Checked {
    let Notified { attempt, message, .. } = notified(store, fixture).await?;
    let id = message.id.clone();
    let held = async || -> Result<_, Problem> {
        let newest = store.newest_delivery(&attempt.reference).await?;
        Ok(newest.and_then(|newest| newest.status.leased_until))
    };
    same("held by no one", held().await?, None)?;
    same(
        "first",
        claim(store, &id, fixture.now).await?,
        Some(MessageClaim { message, failed_tries: 0, failing_since: None, lost_until: None }),
    )?;
    same("held", held().await?, Some(fixture.after(60)))?;
    same("second", claim(store, &id, fixture.after(59)).await?, None)?;
    holds("not due while claimed", candidate(store, &id, fixture.after(59)).await?.is_none())?;
    holds("due once the lease is over", candidate(store, &id, fixture.after(60)).await?.is_some())?;
    holds("claimed again", claim(store, &id, fixture.after(60)).await?.is_some())
}

pub(super) async fn a_message_of_each_kind_is_claimed_as_it_was_stored(
    store: &impl Store,
    fixture: &Fixture,
) -> Checked {
    let Notified { mut transaction, attempt, .. } = notified(store, fixture).await?;
    for kind in MessageKind::ALL {
        let mut change = fixture.noted(&transaction);
        let content = MessageContent {
            kind,
            reference: attempt.reference.clone(),
            body: alloc::format!(r#"{{"a":"{kind}"}}"#),
        };
        let addresses = ["https://shop.example.com/a", "https://shop.example.com/b"];
        change.add_messages(&content, addresses.map(|url| Recipient::stored(kind, url.into())));
        store.commit(&change).await?;
        for message in &change.messages {
            let claimed = claim(store, &message.id, fixture.now).await?;
            same(kind.as_str(), claimed.map(|claim| claim.message).as_ref(), Some(message))?;
        }
        transaction = change.transaction;
    }
    Ok(())
}

pub(super) async fn a_message_that_failed_is_due_again_later(
    store: &impl Store,
    fixture: &Fixture,
) -> Checked {
    let Notified { attempt, message, .. } = notified(store, fixture).await?;
    claim(store, &message.id, fixture.now).await?;
    let done = tried(fixture, None, Next::Again(fixture.after(90)));
    store.finish_try(&message.id, &done, None).await?;
    holds("not before", candidate(store, &message.id, fixture.after(89)).await?.is_none())?;
    same("not claimed before", claim(store, &message.id, fixture.after(89)).await?, None)?;
    holds("at the moment", candidate(store, &message.id, fixture.after(90)).await?.is_some())?;
    let fresh = notified(store, fixture).await?.message;
    let due = Due {
        merchant: Some(&fixture.merchant),
        now: fixture.after(90),
        share: 10,
        limit: 10,
        unrung_since: None,
    };
    let order: Vec<DeliveryId> = store.due_deliveries(due).await?.into_iter().map(|turn| turn.item).collect();
    same("failing last", order, [fresh.id, message.id.clone()].into())?;
    let status = store.newest_delivery(&attempt.reference).await?.map(|newest| newest.status);
    same("status", status, Some(DeliveryStatus { status: None, is_delivered: false, leased_until: None }))?;
    let again = claim(store, &message.id, fixture.after(90)).await?;
    same("failed tries", again.map(|claim| claim.failed_tries), Some(1))
}

pub(super) async fn a_message_that_was_delivered_stays_delivered(
    store: &impl Store,
    fixture: &Fixture,
) -> Checked {
    let Notified { attempt, message, .. } = notified(store, fixture).await?;
    claim(store, &message.id, fixture.now).await?;
    store.finish_try(&message.id, &tried(fixture, Some(201), Next::Delivered), None).await?;
    let late = tried(fixture, Some(500), Next::Again(fixture.after(1)));
    store.finish_try(&message.id, &late, None).await?;
    let wanted = DeliveryStatus { status: Some(201), is_delivered: true, leased_until: None };
    same(
        "status",
        store.newest_delivery(&attempt.reference).await?,
        Some(NewestDelivery { id: message.id.clone(), status: wanted }),
    )?;
    holds("not due", candidate(store, &message.id, fixture.after(3_000)).await?.is_none())?;
    same("claim", claim(store, &message.id, fixture.after(3_000)).await?, None)
}

async fn listed(store: &impl Store, id: &AttentionId) -> Result<Option<Attention>, Problem> {
    let open = store.attention(10_000).await?;
    Ok(open.into_iter().find(|entry| entry.id() == *id))
}

pub(super) async fn a_message_that_is_given_up_is_on_the_attention_list(
    store: &impl Store,
    fixture: &Fixture,
) -> Checked {
    let Notified { attempt, message, .. } = notified(store, fixture).await?;
    let entry = fixture.attention(&attempt, Reason::DeliveryGivenUp);
    let id = AttentionId { reference: attempt.reference.clone(), reason: Reason::DeliveryGivenUp };
    store.finish_try(&message.id, &tried(fixture, Some(410), Next::GivenUp), Some(&entry)).await?;
    same("entry", listed(store, &id).await?, Some(entry))?;
    holds("not due", candidate(store, &message.id, fixture.after(3_000)).await?.is_none())?;
    let status = store.newest_delivery(&attempt.reference).await?.map(|newest| newest.status);
    same(
        "status",
        status,
        Some(DeliveryStatus { status: Some(410), is_delivered: false, leased_until: None }),
    )
}

pub(super) async fn the_newest_message_about_an_attempt_is_named(
    store: &impl Store,
    fixture: &Fixture,
) -> Checked {
    let Notified { mut transaction, attempt, .. } = notified(store, fixture).await?;
    // Past ten events: the newest has the highest number, not the last text.
    let mut newest = None;
    for _ in 0..9 {
        let mut change = fixture.noted(&transaction);
        let message = fixture.message(&change, &attempt.reference);
        change.messages.push(message.clone());
        store.commit(&change).await?;
        newest = Some(message.id);
        transaction = change.transaction;
    }
    let found = store.newest_delivery(&attempt.reference).await?.map(|newest| newest.id);
    same("newest", found, newest)
}

pub(super) async fn a_message_that_was_asked_for_is_not_the_newest(
    store: &impl Store,
    fixture: &Fixture,
) -> Checked {
    let Notified { transaction, attempt, message: caused } = notified(store, fixture).await?;
    let mut change = Change::of(transaction, EventKind::Notified, fixture.now);
    let requested =
        Message { kind: MessageKind::RequestedWebhook, ..fixture.message(&change, &attempt.reference) };
    change.messages.push(requested.clone());
    store.commit(&change).await?;
    holds("due", candidate(store, &requested.id, fixture.now).await?.is_some())?;
    let found = store.newest_delivery(&attempt.reference).await?.map(|newest| newest.id);
    same("newest", found, Some(caused.id))
}

pub(super) async fn an_attention_entry_is_closed_permanently(
    store: &impl Store,
    fixture: &Fixture,
) -> Checked {
    let Notified { transaction, attempt, .. } = notified(store, fixture).await?;
    let entry = fixture.attention(&attempt, Reason::AmountMismatch);
    let id = AttentionId { reference: attempt.reference.clone(), reason: entry.reason };
    let mut flagged = fixture.noted(&transaction);
    flagged.attention.push(entry.clone());
    store.commit(&flagged).await?;
    same("open", listed(store, &id).await?, Some(entry.clone()))?;
    holds("closed", store.close_attention(&id, fixture.closing("resolved")).await?)?;
    holds("not twice", !store.close_attention(&id, fixture.closing("resolved")).await?)?;
    let mut again = fixture.noted(&flagged.transaction);
    again.attention.push(entry);
    store.commit(&again).await?;
    same("not opened again", listed(store, &id).await?, None)
}
