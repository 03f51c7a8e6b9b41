//! What a sweep finds. The store may hold rows of others, so a check looks for its own among them.

use super::ground::Ground;
use super::{Checked, Problem, holds, same};
use crate::change::{AttemptWrite, Change, EventKind};
use crate::payment::attempt::Attempt;
use crate::payment::stage::Stage;
use crate::port::{Due, Store};
use crate::time::Timestamp;
use crate::transaction::Transaction;
use crate::transaction::state::{Event, State};

/// The rows of every merchant whose clock was not moved.
fn everyone(now: Timestamp, limit: u32) -> Due<'static> {
    Due { merchant: None, now, limit }
}

async fn expires(store: &impl Store, transaction: &Transaction, now: Timestamp) -> Result<bool, Problem> {
    Ok(store.due_expiries(everyone(now, 10_000)).await?.contains(&transaction.session_id))
}

async fn is_inquired(store: &impl Store, attempt: &Attempt, now: Timestamp) -> Result<bool, Problem> {
    Ok(store.due_inquiries(everyone(now, 10_000)).await?.contains(&attempt.reference))
}

async fn created(store: &impl Store, ground: &Ground, expires_at: Timestamp) -> Result<Transaction, Problem> {
    let change = ground.created(Transaction { expires_at, ..ground.transaction()? });
    store.commit(&change).await?;
    Ok(change.transaction)
}

/// A transaction with an attempt that is being sent.
async fn opened(store: &impl Store, ground: &Ground) -> Result<(Transaction, Attempt), Problem> {
    let transaction = created(store, ground, ground.after(30)).await?;
    let attempt = ground.attempt(&transaction, 1)?;
    let change = ground.opened(&transaction, attempt.clone());
    store.commit(&change).await?;
    Ok((change.transaction, attempt))
}

async fn moved(
    store: &impl Store,
    ground: &Ground,
    (transaction, attempt): (&Transaction, &Attempt),
    stage: Stage,
) -> Result<(Transaction, Attempt), Problem> {
    let next = Attempt { stage, ..attempt.clone() };
    let update = AttemptWrite::Update { from: attempt.stage, attempt: next.clone() };
    let change = ground.noted(transaction).with_attempt(update);
    store.commit(&change).await?;
    Ok((change.transaction, next))
}

pub(super) async fn a_payable_transaction_expires_when_its_time_is_over(
    store: &impl Store,
    ground: &Ground,
) -> Checked {
    let transaction = created(store, ground, ground.after(30)).await?;
    holds("not before", !expires(store, &transaction, ground.after(29)).await?)?;
    holds("at the moment", expires(store, &transaction, ground.after(30)).await?)?;
    let expired = ground.moved(&transaction, Event::Expired, State::Expired);
    store.commit(&expired).await?;
    holds("not twice", !expires(store, &transaction, ground.after(31)).await?)
}

pub(super) async fn a_transaction_with_an_unknown_outcome_does_not_expire(
    store: &impl Store,
    ground: &Ground,
) -> Checked {
    let (transaction, attempt) = opened(store, ground).await?;
    holds("not while sending", !expires(store, &transaction, ground.after(60)).await?)?;
    let (transaction, attempt) = moved(store, ground, (&transaction, &attempt), Stage::Unknown).await?;
    holds("not while unknown", !expires(store, &transaction, ground.after(60)).await?)?;
    moved(store, ground, (&transaction, &attempt), Stage::Failed).await?;
    holds("once it failed", expires(store, &transaction, ground.after(60)).await?)
}

pub(super) async fn a_transaction_whose_payer_is_at_the_gateway_does_not_expire(
    store: &impl Store,
    ground: &Ground,
) -> Checked {
    let (transaction, attempt) = opened(store, ground).await?;
    moved(store, ground, (&transaction, &attempt), Stage::Redirected).await?;
    holds("not while the page waits", !expires(store, &transaction, ground.after(60)).await?)
}

pub(super) async fn expiries_are_limited(store: &impl Store, ground: &Ground) -> Checked {
    let later = created(store, ground, ground.after(20)).await?.session_id;
    let earlier = created(store, ground, ground.after(10)).await?.session_id;
    let found = store.due_expiries(everyone(ground.after(30), 10_000)).await?;
    holds("both", found.contains(&earlier) && found.contains(&later))?;
    same("limit", store.due_expiries(everyone(ground.after(30), 1)).await?.len(), 1)
}

pub(super) async fn the_inquiries_of_a_merchant_are_counted(store: &impl Store, ground: &Ground) -> Checked {
    let (mut transaction, _) = opened(store, ground).await?;
    let session_id = transaction.session_id.clone();
    for seconds in [10, 20] {
        let change = Change::of(transaction, EventKind::Inquired, ground.after(seconds));
        store.commit(&change).await?;
        transaction = change.transaction;
    }
    store.commit(&ground.noted(&transaction)).await?;
    let both = [ground.after(10), ground.after(20)];
    same("both", store.inquired_at(&session_id, ground.after(9)).await?, both.into())?;
    same("the later", store.inquired_at(&session_id, ground.after(10)).await?, [ground.after(20)].into())?;
    same("of the merchant", store.inquiries_of(&ground.merchant, ground.after(9)).await?, 2)?;
    same("of him later", store.inquiries_of(&ground.merchant, ground.after(10)).await?, 1)?;
    same("of another", store.inquiries_of(&ground.beside()?.merchant, ground.after(9)).await?, 0)
}

pub(super) async fn an_attempt_is_inquired_when_it_is_time(store: &impl Store, ground: &Ground) -> Checked {
    let (transaction, attempt) = opened(store, ground).await?;
    holds("not before", !is_inquired(store, &attempt, ground.after(59)).await?)?;
    holds("at the moment", is_inquired(store, &attempt, ground.after(60)).await?)?;
    same("limit", store.due_inquiries(everyone(ground.after(60), 1)).await?.len(), 1)?;
    let held = Attempt { inquire_at: None, ..attempt };
    let (transaction, held) = moved(store, ground, (&transaction, &held), Stage::Sending).await?;
    holds("not while nobody is to ask", !is_inquired(store, &held, ground.after(99)).await?)?;
    let asked = Attempt { inquire_at: Some(ground.after(70)), ..held };
    let (transaction, asked) = moved(store, ground, (&transaction, &asked), Stage::Redirected).await?;
    holds("later again", is_inquired(store, &asked, ground.after(70)).await?)?;
    let (transaction, ended) = moved(store, ground, (&transaction, &asked), Stage::Failed).await?;
    holds("once it ended", is_inquired(store, &ended, ground.after(99)).await?)?;
    store.postpone_inquiry(&ended.reference, ground.after(200)).await?;
    holds("not before it was put off to", !is_inquired(store, &ended, ground.after(199)).await?)?;
    holds("then again", is_inquired(store, &ended, ground.after(200)).await?)?;
    let over = Attempt { inquire_at: None, ..ended };
    let (_, over) = moved(store, ground, (&transaction, &over), Stage::Failed).await?;
    holds("not when it was asked often enough", !is_inquired(store, &over, ground.after(999)).await?)
}
