//! For which rows a doorbell was rung, and what becomes of rows that cannot be handled.

use alloc::vec::Vec;
use core::time::Duration;

use super::fixture::Fixture;
use super::{Checked, Problem, holds, same};
use crate::port::{ClaimedMessages, Doorbell, Doorbells, Due, Finished, MessageClaim, Next, Store, Try};
use crate::record::attention::Reason;
use crate::record::outbox::Message;
use crate::record::receiver::ReceiverEffect;
use crate::value::id::DeliveryId;

/// Messages about as many transactions.
async fn messages(store: &impl Store, fixture: &Fixture, count: usize) -> Result<Vec<Message>, Problem> {
    let mut messages = Vec::new();
    for _ in 0..count {
        let created = fixture.created(fixture.transaction()?);
        store.commit(&created).await?;
        let attempt = fixture.attempt(&created.transaction, 1)?;
        let mut change = fixture.opened(&created.transaction, attempt.clone());
        let message = fixture.message(&change, &attempt.reference);
        change.messages.push(message.clone());
        store.commit(&change).await?;
        messages.push(message);
    }
    Ok(messages)
}

pub(super) async fn a_row_that_was_rung_for_is_found_again_after_its_rest(
    store: &(impl Store + Doorbells),
    fixture: &Fixture,
) -> Checked {
    let [message] = &*messages(store, fixture, 1).await? else { return Err("no message".into()) };
    let is_found = async |unrung_since| -> Result<bool, Problem> {
        let now = fixture.after(600);
        let due = Due { merchant: None, now, share: 10_000, limit: 10_000, unrung_since };
        Ok(store.due_deliveries(due).await?.iter().any(|turn| turn.item == message.id))
    };
    let id = message.id.as_str();
    holds("before any doorbell", is_found(Some(fixture.now)).await?)?;
    store.note_rung(&[id], fixture.after(10)).await?;
    store.note_rung(&[id, "another"], fixture.after(60)).await?;
    holds("after the rest", is_found(Some(fixture.after(60))).await?)?;
    holds("without a rest", is_found(None).await?)?;
    holds("not before", !is_found(Some(fixture.after(59))).await?)?;
    store.unring(&[id]).await?;
    holds("after it was taken back", is_found(Some(fixture.now)).await?)?;
    store.note_rung(&[id], fixture.after(60)).await?;
    store.delete_rung(fixture.after(60), 100_000).await?;
    holds("still noted", !is_found(Some(fixture.now)).await?)?;
    store.delete_rung(fixture.after(61), 100_000).await?;
    holds("not noted any more", is_found(Some(fixture.now)).await?)
}

pub(super) async fn what_cannot_be_handled_is_put_on_the_attention_list_once(
    store: &(impl Store + Doorbells),
    fixture: &Fixture,
) -> Checked {
    let [message] = &*messages(store, fixture, 1).await? else { return Err("no message".into()) };
    let bell = Doorbell::Delivery(message.id.clone());
    holds("it is new", store.flag_unprocessed(&bell, fixture.now).await?)?;
    holds("it is not new again", !store.flag_unprocessed(&bell, fixture.after(5)).await?)?;
    let entries = store.attention(10_000).await?;
    let own = entries.iter().filter(|entry| entry.reference == message.subject.reference);
    let facts: Vec<_> = own.map(|entry| (entry.reason, entry.merchant.clone(), entry.at)).collect();
    same("one entry", facts, [(Reason::NotProcessed, message.merchant.clone(), fixture.now)].into())?;
    let gone = Doorbell::Delivery(DeliveryId::new(&fixture.session_id(), 999));
    holds("nothing of nothing", !store.flag_unprocessed(&gone, fixture.now).await?)
}

pub(super) async fn messages_are_claimed_and_recorded_together(
    store: &impl Store,
    fixture: &Fixture,
) -> Checked {
    let messages = messages(store, fixture, 4).await?;
    let ids: Vec<DeliveryId> = messages.iter().rev().map(|message| message.id.clone()).collect();
    let lease_until = fixture.now.plus(Duration::from_mins(1));
    let [held, rest @ ..] = ids.as_slice() else { return Err("no messages".into()) };
    holds("one is held by someone else", store.claim(held, fixture.now, lease_until).await?.is_some())?;
    let ClaimedMessages { claims, unreadable } = store.claim_all(&ids, fixture.now, lease_until).await?;
    let claimed: Vec<&DeliveryId> = claims.iter().map(|MessageClaim { message, .. }| &message.id).collect();
    same("the others, in their order", claimed, rest.iter().collect())?;
    same("all can be read", unreadable, Vec::new())?;
    let given_back: Vec<&str> = rest.iter().map(DeliveryId::as_str).collect();
    store.release(&given_back, fixture.after(7)).await?;
    let lost = store.claim_all(rest, fixture.now, lease_until).await?.claims;
    same("another lease gives nothing back", lost.len(), 0)?;
    store.release(&given_back, lease_until).await?;
    let again = store.claim_all(rest, fixture.now, lease_until).await?.claims;
    same("they are given back", again.len(), rest.len())?;
    let done = |next| Try {
        at: fixture.now,
        status: Some(200),
        error: None,
        excerpt: None,
        took_ms: 5,
        next,
        receiver: ReceiverEffect::Nothing,
    };
    let (delivered, again) = (done(Next::Delivered), done(Next::Again(fixture.after(60))));
    let finished = rest.iter().zip([&delivered, &again, &delivered]);
    let finished: Vec<Finished<'_>> =
        finished.map(|(id, done)| Finished { id, done, attention: None }).collect();
    store.finish_tries(&finished).await?;
    let later = fixture.after(3_600);
    let due = store.claim_all(&ids, later, later.plus(Duration::from_mins(1))).await?.claims;
    let failed: Vec<u32> = due.iter().map(|claim| claim.failed_tries).collect();
    same("the one that was held, and the one that failed", failed, [0, 1].into())
}
