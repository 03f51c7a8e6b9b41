//! A change is stored completely or not at all, and only if it still fits.

use super::fixture::Fixture;
use super::{Checked, Problem, holds, same};
use crate::attempt::Attempt;
use crate::attempt::stage::Stage;
use crate::change::{AttemptWrite, Change};
use crate::port::{CommitError, Store};
use crate::record::attention::Reason;
use crate::state::{Event, Retry, State};
use crate::transaction::Transaction;
use crate::value::money::ExchangeRate;

async fn created(store: &impl Store, fixture: &Fixture) -> Result<Transaction, Problem> {
    let change = fixture.created(fixture.transaction()?);
    store.commit(&change).await?;
    Ok(change.transaction)
}

async fn opened(store: &impl Store, fixture: &Fixture) -> Result<(Transaction, Attempt), Problem> {
    let transaction = created(store, fixture).await?;
    let attempt = fixture.attempt(&transaction, 1)?;
    let change = fixture.opened(&transaction, attempt.clone());
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

pub(super) async fn a_session_id_is_taken_once(store: &impl Store, fixture: &Fixture) -> Checked {
    let transaction = created(store, fixture).await?;
    let mut other = fixture.transaction()?;
    other.session_id = transaction.session_id.clone();
    conflicts(store, &fixture.created(other)).await?;
    same(
        "record",
        store.load(&transaction.session_id).await?.map(|found| found.transaction),
        Some(transaction),
    )
}

pub(super) async fn of_two_changes_of_one_version_the_second_is_a_conflict(
    store: &impl Store,
    fixture: &Fixture,
) -> Checked {
    let transaction = created(store, fixture).await?;
    let first = fixture.moved(&transaction, Event::PageOpened, State::Pending);
    store.commit(&first).await?;
    conflicts(store, &fixture.moved(&transaction, Event::Canceled, State::Canceled)).await?;
    let found = store.load(&transaction.session_id).await?.map(|found| found.transaction);
    same("transaction", found, Some(first.transaction))
}

pub(super) async fn a_conflict_stores_nothing(store: &impl Store, fixture: &Fixture) -> Checked {
    let transaction = created(store, fixture).await?;
    store.commit(&fixture.moved(&transaction, Event::PageOpened, State::Pending)).await?;
    let attempt = fixture.attempt(&transaction, 1)?;
    let mut late = fixture.opened(&transaction, attempt.clone());
    late.messages.push(fixture.message(&late, &attempt.reference));
    late.attention.push(fixture.attention(&attempt, Reason::SecondSuccess));
    late.answer = Some(fixture.answer("create", "lost"));
    conflicts(store, &late).await?;
    holds("no attempt", store.load_attempt(&attempt.reference).await?.is_none())?;
    holds("no message", store.newest_delivery(&attempt.reference).await?.is_none())?;
    holds("no answer", store.answer(&fixture.merchant, "create", "lost").await?.is_none())?;
    let flagged = store.attention(u32::MAX).await?;
    holds("no attention", flagged.iter().all(|entry| entry.reference != attempt.reference))
}

pub(super) async fn a_change_of_an_unknown_transaction_is_a_conflict(
    store: &impl Store,
    fixture: &Fixture,
) -> Checked {
    let mut unknown = fixture.transaction()?;
    unknown.version = 1;
    conflicts(store, &fixture.moved(&unknown, Event::PageOpened, State::Pending)).await
}

pub(super) async fn a_change_in_the_name_of_another_merchant_is_a_conflict(
    store: &impl Store,
    fixture: &Fixture,
) -> Checked {
    let mut transaction = created(store, fixture).await?;
    transaction.merchant = fixture.another()?.merchant;
    conflicts(store, &fixture.moved(&transaction, Event::PageOpened, State::Pending)).await
}

pub(super) async fn a_second_open_attempt_is_a_conflict(store: &impl Store, fixture: &Fixture) -> Checked {
    let (transaction, first) = opened(store, fixture).await?;
    let second = fixture.attempt(&transaction, 2)?;
    conflicts(store, &fixture.opened(&transaction, second)).await?;
    let found = store.load(&transaction.session_id).await?.and_then(|found| found.attempt);
    same("attempt", found, Some(first))
}

pub(super) async fn an_attempt_may_follow_one_that_ended(store: &impl Store, fixture: &Fixture) -> Checked {
    let (transaction, mut first) = opened(store, fixture).await?;
    first.stage = Stage::Canceled;
    let ended = fixture
        .moved(&transaction, Event::AttemptCanceled(Retry::Permitted), State::Attempted)
        .with_attempt(AttemptWrite::Update { from: Stage::Sending, attempt: first });
    store.commit(&ended).await?;
    let same_number = fixture.attempt(&transaction, 1)?;
    conflicts(store, &fixture.opened(&ended.transaction, same_number)).await?;
    let second = fixture.attempt(&transaction, 2)?;
    store.commit(&fixture.opened(&ended.transaction, second)).await?;
    Ok(())
}

pub(super) async fn a_change_of_an_attempt_from_another_stage_is_a_conflict(
    store: &impl Store,
    fixture: &Fixture,
) -> Checked {
    let (transaction, mut attempt) = opened(store, fixture).await?;
    attempt.stage = Stage::Unknown;
    let change =
        fixture.noted(&transaction).with_attempt(AttemptWrite::Update { from: Stage::Redirected, attempt });
    conflicts(store, &change).await
}

pub(super) async fn an_illegal_move_of_a_transaction_is_refused(
    store: &impl Store,
    fixture: &Fixture,
) -> Checked {
    let transaction = created(store, fixture).await?;
    let canceled = fixture.moved(&transaction, Event::Canceled, State::Canceled);
    store.commit(&canceled).await?;
    fails(store, &fixture.moved(&canceled.transaction, Event::PageOpened, State::Pending)).await
}

pub(super) async fn an_illegal_move_of_an_attempt_is_refused(
    store: &impl Store,
    fixture: &Fixture,
) -> Checked {
    let (transaction, mut attempt) = opened(store, fixture).await?;
    attempt.stage = Stage::Success;
    let paid = fixture
        .moved(&transaction, Event::AttemptSucceeded(transaction.operation), State::Paid)
        .with_attempt(AttemptWrite::Update { from: Stage::Sending, attempt: attempt.clone() });
    store.commit(&paid).await?;
    attempt.stage = Stage::Failed;
    let undone = AttemptWrite::Update { from: Stage::Success, attempt };
    fails(store, &fixture.noted(&paid.transaction).with_attempt(undone)).await
}

pub(super) async fn what_an_attempt_costs_is_frozen(store: &impl Store, fixture: &Fixture) -> Checked {
    let (transaction, attempt) = opened(store, fixture).await?;
    let mut changed = attempt.clone();
    changed.stage = Stage::Redirected;
    changed.principal = fixture.money(1)?;
    changed.quote.amount = fixture.money(1)?;
    changed.quote.total = fixture.money(1)?;
    changed.quote.rate = ExchangeRate::parse("2");
    let change = fixture
        .noted(&transaction)
        .with_attempt(AttemptWrite::Update { from: Stage::Sending, attempt: changed });
    store.commit(&change).await?;
    let wanted = Attempt { stage: Stage::Redirected, ..attempt };
    same("attempt", store.load(&transaction.session_id).await?.and_then(|found| found.attempt), Some(wanted))
}

pub(super) async fn an_idempotency_key_is_taken_once(store: &impl Store, fixture: &Fixture) -> Checked {
    let mut first = fixture.created(fixture.transaction()?);
    first.answer = Some(fixture.answer("create", "key 1"));
    store.commit(&first).await?;
    let mut second = fixture.created(fixture.transaction()?);
    let mut answer = fixture.answer("create", "key 1");
    answer.body = "another".into();
    second.answer = Some(answer);
    same("commit", store.commit(&second).await, Err(CommitError::KeyTaken))?;
    holds("nothing stored", store.load(&second.transaction.session_id).await?.is_none())?;
    same("answer", store.answer(&fixture.merchant, "create", "key 1").await?, first.answer)
}

pub(super) async fn idempotency_keys_of_others_do_not_meet(store: &impl Store, fixture: &Fixture) -> Checked {
    for operation in ["create", "refund"] {
        let mut change = fixture.created(fixture.transaction()?);
        change.answer = Some(fixture.answer(operation, "key 2"));
        store.commit(&change).await?;
        same("answer", store.answer(&fixture.merchant, operation, "key 2").await?, change.answer)?;
    }
    let other = fixture.another()?.merchant;
    holds("no answer of another merchant", store.answer(&other, "create", "key 2").await?.is_none())
}

pub(super) async fn old_answers_are_deleted(store: &impl Store, fixture: &Fixture) -> Checked {
    for (key, seconds) in [("old", 0), ("new", 10)] {
        let mut change = fixture.created(fixture.transaction()?);
        let mut answer = fixture.answer("create", key);
        answer.at = fixture.after(seconds);
        change.answer = Some(answer);
        store.commit(&change).await?;
    }
    store.delete_answers(fixture.after(10), 0).await?;
    holds("at most so many", store.answer(&fixture.merchant, "create", "old").await?.is_some())?;
    store.delete_answers(fixture.after(10), 1_000).await?;
    holds("the old one is gone", store.answer(&fixture.merchant, "create", "old").await?.is_none())?;
    holds("the new one is kept", store.answer(&fixture.merchant, "create", "new").await?.is_some())
}
