//! A change is stored completely or not at all, and only if it still fits.

use super::ground::Ground;
use super::{Checked, Problem, holds, same};
use crate::attempt::Attempt;
use crate::attempt::stage::Stage;
use crate::change::{AttemptWrite, Change};
use crate::port::{CommitError, Store};
use crate::record::attention::Reason;
use crate::state::{Event, Retry, State};
use crate::transaction::Transaction;
use crate::value::money::ExchangeRate;

async fn created(store: &impl Store, ground: &Ground) -> Result<Transaction, Problem> {
    let change = ground.created(ground.transaction()?);
    store.commit(&change).await?;
    Ok(change.transaction)
}

async fn opened(store: &impl Store, ground: &Ground) -> Result<(Transaction, Attempt), Problem> {
    let transaction = created(store, ground).await?;
    let attempt = ground.attempt(&transaction, 1)?;
    let change = ground.opened(&transaction, attempt.clone());
    store.commit(&change).await?;
    Ok((change.transaction, attempt))
}

async fn conflicts(store: &impl Store, change: &Change) -> Checked {
    same("commit", store.commit(change).await, Err(CommitError::Conflict))
}

/// Refused, and nothing of it stored.
async fn fails(store: &impl Store, change: &Change) -> Checked {
    let before = store.load(&change.transaction.session_id).await?;
    let outcome = store.commit(change).await;
    holds("the commit fails", matches!(outcome, Err(CommitError::Failed(_))))?;
    same("record", store.load(&change.transaction.session_id).await?, before)
}

pub(super) async fn a_session_id_is_taken_once(store: &impl Store, ground: &Ground) -> Checked {
    let transaction = created(store, ground).await?;
    let mut other = ground.transaction()?;
    other.session_id = transaction.session_id.clone();
    conflicts(store, &ground.created(other)).await?;
    same(
        "record",
        store.load(&transaction.session_id).await?.map(|found| found.transaction),
        Some(transaction),
    )
}

pub(super) async fn of_two_changes_of_one_version_the_second_is_a_conflict(
    store: &impl Store,
    ground: &Ground,
) -> Checked {
    let transaction = created(store, ground).await?;
    let first = ground.moved(&transaction, Event::PageOpened, State::Pending);
    store.commit(&first).await?;
    conflicts(store, &ground.moved(&transaction, Event::Canceled, State::Canceled)).await?;
    let found = store.load(&transaction.session_id).await?.map(|found| found.transaction);
    same("transaction", found, Some(first.transaction))
}

pub(super) async fn a_conflict_stores_nothing(store: &impl Store, ground: &Ground) -> Checked {
    let transaction = created(store, ground).await?;
    store.commit(&ground.moved(&transaction, Event::PageOpened, State::Pending)).await?;
    let attempt = ground.attempt(&transaction, 1)?;
    let mut late = ground.opened(&transaction, attempt.clone());
    late.messages.push(ground.message(&late, &attempt.reference));
    late.attention.push(ground.attention(&attempt, Reason::SecondSuccess));
    late.answer = Some(ground.answer("create", "lost"));
    conflicts(store, &late).await?;
    holds("no attempt", store.load_attempt(&attempt.reference).await?.is_none())?;
    holds("no message", store.newest_delivery(&attempt.reference).await?.is_none())?;
    holds("no answer", store.answer(&ground.merchant, "create", "lost").await?.is_none())?;
    let flagged = store.attention(u32::MAX).await?;
    holds("no attention", flagged.iter().all(|entry| entry.reference != attempt.reference))
}

pub(super) async fn a_change_of_an_unknown_transaction_is_a_conflict(
    store: &impl Store,
    ground: &Ground,
) -> Checked {
    let mut unknown = ground.transaction()?;
    unknown.version = 1;
    conflicts(store, &ground.moved(&unknown, Event::PageOpened, State::Pending)).await
}

pub(super) async fn a_change_in_the_name_of_another_merchant_is_a_conflict(
    store: &impl Store,
    ground: &Ground,
) -> Checked {
    let mut transaction = created(store, ground).await?;
    transaction.merchant = ground.beside()?.merchant;
    conflicts(store, &ground.moved(&transaction, Event::PageOpened, State::Pending)).await
}

pub(super) async fn a_second_open_attempt_is_a_conflict(store: &impl Store, ground: &Ground) -> Checked {
    let (transaction, first) = opened(store, ground).await?;
    let second = ground.attempt(&transaction, 2)?;
    conflicts(store, &ground.opened(&transaction, second)).await?;
    let found = store.load(&transaction.session_id).await?.and_then(|found| found.attempt);
    same("attempt", found, Some(first))
}

pub(super) async fn an_attempt_may_follow_one_that_ended(store: &impl Store, ground: &Ground) -> Checked {
    let (transaction, mut first) = opened(store, ground).await?;
    first.stage = Stage::Canceled;
    let ended = ground
        .moved(&transaction, Event::AttemptCanceled(Retry::Permitted), State::Attempted)
        .with_attempt(AttemptWrite::Update { from: Stage::Sending, attempt: first });
    store.commit(&ended).await?;
    let same_number = ground.attempt(&transaction, 1)?;
    conflicts(store, &ground.opened(&ended.transaction, same_number)).await?;
    let second = ground.attempt(&transaction, 2)?;
    store.commit(&ground.opened(&ended.transaction, second)).await?;
    Ok(())
}

pub(super) async fn a_change_of_an_attempt_from_another_stage_is_a_conflict(
    store: &impl Store,
    ground: &Ground,
) -> Checked {
    let (transaction, mut attempt) = opened(store, ground).await?;
    attempt.stage = Stage::Unknown;
    let change =
        ground.noted(&transaction).with_attempt(AttemptWrite::Update { from: Stage::Redirected, attempt });
    conflicts(store, &change).await
}

pub(super) async fn an_illegal_move_of_a_transaction_is_refused(
    store: &impl Store,
    ground: &Ground,
) -> Checked {
    let transaction = created(store, ground).await?;
    let canceled = ground.moved(&transaction, Event::Canceled, State::Canceled);
    store.commit(&canceled).await?;
    fails(store, &ground.moved(&canceled.transaction, Event::PageOpened, State::Pending)).await
}

pub(super) async fn an_illegal_move_of_an_attempt_is_refused(store: &impl Store, ground: &Ground) -> Checked {
    let (transaction, mut attempt) = opened(store, ground).await?;
    attempt.stage = Stage::Success;
    let paid = ground
        .moved(&transaction, Event::AttemptSucceeded(transaction.operation), State::Paid)
        .with_attempt(AttemptWrite::Update { from: Stage::Sending, attempt: attempt.clone() });
    store.commit(&paid).await?;
    attempt.stage = Stage::Failed;
    let undone = AttemptWrite::Update { from: Stage::Success, attempt };
    fails(store, &ground.noted(&paid.transaction).with_attempt(undone)).await
}

pub(super) async fn what_an_attempt_costs_is_frozen(store: &impl Store, ground: &Ground) -> Checked {
    let (transaction, attempt) = opened(store, ground).await?;
    let mut changed = attempt.clone();
    changed.stage = Stage::Redirected;
    changed.principal = ground.money(1)?;
    changed.quote.amount = ground.money(1)?;
    changed.quote.total = ground.money(1)?;
    changed.quote.rate = ExchangeRate::parse("2");
    let change = ground
        .noted(&transaction)
        .with_attempt(AttemptWrite::Update { from: Stage::Sending, attempt: changed });
    store.commit(&change).await?;
    let wanted = Attempt { stage: Stage::Redirected, ..attempt };
    same("attempt", store.load(&transaction.session_id).await?.and_then(|found| found.attempt), Some(wanted))
}

pub(super) async fn an_idempotency_key_is_taken_once(store: &impl Store, ground: &Ground) -> Checked {
    let mut first = ground.created(ground.transaction()?);
    first.answer = Some(ground.answer("create", "key 1"));
    store.commit(&first).await?;
    let mut second = ground.created(ground.transaction()?);
    let mut answer = ground.answer("create", "key 1");
    answer.body = "another".into();
    second.answer = Some(answer);
    same("commit", store.commit(&second).await, Err(CommitError::KeyTaken))?;
    holds("nothing stored", store.load(&second.transaction.session_id).await?.is_none())?;
    same("answer", store.answer(&ground.merchant, "create", "key 1").await?, first.answer)
}

pub(super) async fn idempotency_keys_of_others_do_not_meet(store: &impl Store, ground: &Ground) -> Checked {
    for operation in ["create", "refund"] {
        let mut change = ground.created(ground.transaction()?);
        change.answer = Some(ground.answer(operation, "key 2"));
        store.commit(&change).await?;
        same("answer", store.answer(&ground.merchant, operation, "key 2").await?, change.answer)?;
    }
    let other = ground.beside()?.merchant;
    holds("no answer of another merchant", store.answer(&other, "create", "key 2").await?.is_none())
}

pub(super) async fn old_answers_are_deleted(store: &impl Store, ground: &Ground) -> Checked {
    for (key, seconds) in [("old", 0), ("new", 10)] {
        let mut change = ground.created(ground.transaction()?);
        let mut answer = ground.answer("create", key);
        answer.at = ground.after(seconds);
        change.answer = Some(answer);
        store.commit(&change).await?;
    }
    store.forget_answers(ground.after(10), 0).await?;
    holds("at most so many", store.answer(&ground.merchant, "create", "old").await?.is_some())?;
    store.forget_answers(ground.after(10), 1_000).await?;
    holds("the old one is gone", store.answer(&ground.merchant, "create", "old").await?.is_none())?;
    holds("the new one is kept", store.answer(&ground.merchant, "create", "new").await?.is_some())
}
