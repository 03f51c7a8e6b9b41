//! Until when held money can be captured.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::fixture::Fixture;
use super::{Checked, Problem, holds, same};
use crate::attempt::hold::{CaptureDeadline, HoldWrite};
use crate::port::{AttentionLists, AttentionSearch, Due, Holds, Registry, Store};
use crate::record::attention::{AttentionState, Reason};
use crate::transaction::Transaction;
use crate::value::time::Timestamp;

/// The rows of every merchant whose clock was not moved.
fn everyone(now: Timestamp) -> Due<'static> {
    Due { merchant: None, now, share: 10_000, limit: 10_000, unrung_since: None }
}

/// A transaction whose money is held, with its deadline: a person is later after 20 seconds.
async fn held(store: &impl Store, fixture: &Fixture) -> Result<(Transaction, CaptureDeadline), Problem> {
    let created = fixture.created(fixture.transaction()?);
    store.commit(&created).await?;
    let attempt = fixture.attempt(&created.transaction, 1)?;
    let deadline = CaptureDeadline {
        session_id: attempt.session_id.clone(),
        merchant: attempt.merchant.clone(),
        reference: attempt.reference.clone(),
        capture_by: fixture.after(60),
        remind_at: Some(fixture.after(20)),
    };
    let mut change = fixture.opened(&created.transaction, attempt);
    change.hold = Some(Box::new(HoldWrite::Begin(deadline.clone())));
    store.commit(&change).await?;
    Ok((change.transaction, deadline))
}

async fn due(store: &impl Holds, due: Due<'_>, row: &CaptureDeadline) -> Result<bool, Problem> {
    Ok(store.due_captures(due).await?.contains(row))
}

async fn flagged(
    store: &impl AttentionLists,
    fixture: &Fixture,
    state: AttentionState,
) -> Result<Vec<Reason>, Problem> {
    let search = AttentionSearch { merchant: fixture.merchant.clone(), state, after: None, limit: 9 };
    Ok(store.find_attention(&search).await?.iter().map(|one| one.entry.reason).collect())
}

pub(super) async fn a_deadline_is_reminded_of_once_and_ends_with_its_entry(
    store: &(impl Store + Holds + AttentionLists),
    fixture: &Fixture,
) -> Checked {
    let (transaction, deadline) = held(store, fixture).await?;
    let session_id = &transaction.session_id;
    same("as it was stored", store.capture_deadline(session_id).await?, Some(deadline.clone()))?;
    holds("not before", !due(store, everyone(fixture.after(19)), &deadline).await?)?;
    holds("at the moment", due(store, everyone(fixture.after(20)), &deadline).await?)?;
    let none = store.due_captures(Due { limit: 0, ..everyone(fixture.after(20)) }).await?;
    same("no more than the limit", none, Vec::new())?;
    let reminder = deadline.reminder(fixture.after(20));
    store.remind_of_captures(&[reminder.clone(), reminder.clone()]).await?;
    same("on the list", flagged(store, fixture, AttentionState::Open).await?, [Reason::CaptureDue].into())?;
    let stored = store.attention(10_000).await?.into_iter().find(|entry| entry.id() == reminder.id());
    same("as it was made", stored, Some(reminder.clone()))?;
    let later = CaptureDeadline { remind_at: None, ..deadline.clone() };
    same("the deadline stays", store.capture_deadline(session_id).await?, Some(later.clone()))?;
    holds("once", !due(store, everyone(fixture.after(60)), &later).await?)?;
    let mut change = fixture.noted(&transaction);
    change.hold = Some(Box::new(HoldWrite::End(fixture.attempt(&transaction, 2)?.reference)));
    store.commit(&change).await?;
    same("money of another attempt", store.capture_deadline(session_id).await?, Some(later))?;
    let mut change = fixture.noted(&change.transaction);
    change.hold = Some(Box::new(HoldWrite::End(deadline.reference.clone())));
    store.commit(&change).await?;
    same("over", store.capture_deadline(session_id).await?, None)?;
    same("not open", flagged(store, fixture, AttentionState::Open).await?, Vec::new())?;
    same("closed", flagged(store, fixture, AttentionState::Resolved).await?, [Reason::CaptureDue].into())?;
    let (transaction, late) = held(store, fixture).await?;
    let mut change = fixture.noted(&transaction);
    change.hold = Some(Box::new(HoldWrite::End(late.reference.clone())));
    store.commit(&change).await?;
    store.remind_of_captures(&[late.reminder(fixture.after(20))]).await?;
    same("captured before", flagged(store, fixture, AttentionState::Open).await?, Vec::new())
}

pub(super) async fn a_deadline_is_due_by_the_time_of_its_merchant(
    store: &(impl Store + Holds + Registry),
    fixture: &Fixture,
) -> Checked {
    let (_, deadline) = held(store, fixture).await?;
    super::clocks::moved(store, fixture).await?;
    let own = Due { merchant: Some(&fixture.merchant), ..everyone(fixture.after(20)) };
    holds("by its own time", due(store, own, &deadline).await?)?;
    holds("not by the time of all", !due(store, everyone(fixture.after(20)), &deadline).await?)?;
    let other = fixture.another()?;
    let foreign = Due { merchant: Some(&other.merchant), ..everyone(fixture.after(20)) };
    holds("not by another's", !due(store, foreign, &deadline).await?)
}
