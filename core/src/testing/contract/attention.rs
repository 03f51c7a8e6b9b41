//! The attention list of one merchant.

use alloc::string::ToString;
use alloc::vec::Vec;

use super::fixture::Fixture;
use super::{Checked, Problem, holds, same};
use crate::change::{Change, EventKind};
use crate::port::{Approvals, AttentionLists, AttentionSearch, Closing, OpenMatters, Store};
use crate::record::attention::{Attention, AttentionId, AttentionState, ListedAttention, Reason};
use crate::record::facts::{FactCode, Facts};
use crate::transaction::Transaction;
use crate::value::time::Timestamp;

/// An entry for each of the reasons, each a second later than the one before, of one transaction.
async fn flagged(
    store: &impl Store,
    fixture: &Fixture,
    reasons: &[Reason],
) -> Result<(Transaction, Vec<Attention>), Problem> {
    let created = fixture.created(fixture.transaction()?);
    store.commit(&created).await?;
    let attempt = fixture.attempt(&created.transaction, 1)?;
    let mut change = fixture.opened(&created.transaction, attempt.clone());
    for (later, reason) in (0_u64..).zip(reasons) {
        let entry = Attention { at: fixture.after(later), ..fixture.attention(&attempt, *reason) };
        change.attention.push(entry);
    }
    store.commit(&change).await?;
    Ok((change.transaction, change.attention))
}

async fn listed(
    store: &impl AttentionLists,
    fixture: &Fixture,
    state: AttentionState,
    after: Option<(Timestamp, AttentionId)>,
    limit: u32,
) -> Result<Vec<ListedAttention>, Problem> {
    let search = AttentionSearch { merchant: fixture.merchant.clone(), state, after, limit };
    Ok(store.find_attention(&search).await?)
}

pub(super) async fn the_entries_of_a_merchant_are_listed_by_pages(
    store: &(impl Store + AttentionLists),
    fixture: &Fixture,
) -> Checked {
    let reasons = [Reason::SecondSuccess, Reason::NotProcessed, Reason::LateSuccess, Reason::TakenBack];
    let (_, entries) = flagged(store, fixture, &reasons).await?;
    let wanted = |reason: Reason| entries.iter().find(|entry| entry.reason == reason).cloned();
    let reason_of = |found: &ListedAttention| found.entry.reason;
    let open = listed(store, fixture, AttentionState::Open, None, 9).await?;
    let order = [Reason::TakenBack, Reason::LateSuccess, Reason::SecondSuccess];
    same("the newest first", open.iter().map(reason_of).collect::<Vec<_>>(), order.to_vec())?;
    same("as it was stored", open.first().map(|one| one.entry.clone()), wanted(Reason::TakenBack))?;
    holds("open", open.iter().all(|one| one.resolved.is_none()))?;
    let newest = wanted(Reason::TakenBack).ok_or("it was stored")?;
    let after = Some((newest.at, newest.id()));
    let next = listed(store, fixture, AttentionState::Open, after, 1).await?;
    same("the next page", next.iter().map(reason_of).collect::<Vec<_>>(), [Reason::LateSuccess].to_vec())?;
    holds("closed", store.close_attention(&newest.id(), fixture.closing("dismiss")).await?)?;
    let left = listed(store, fixture, AttentionState::Open, None, 9).await?;
    same("what is left", left.len(), 2)?;
    let resolved = listed(store, fixture, AttentionState::Resolved, None, 9).await?;
    same("resolved", resolved.iter().map(reason_of).collect::<Vec<_>>(), [Reason::TakenBack].to_vec())?;
    let foreign = AttentionSearch {
        merchant: fixture.another()?.merchant,
        state: AttentionState::Open,
        after: None,
        limit: 9,
    };
    holds("of another merchant", store.find_attention(&foreign).await?.is_empty())
}

pub(super) async fn an_entry_that_goes_on_is_replaced_and_open_again(
    store: &(impl Store + AttentionLists),
    fixture: &Fixture,
) -> Checked {
    let (transaction, entries) = flagged(store, fixture, &[Reason::Disputed, Reason::TakenBack]).await?;
    let [disputed, taken_back] = entries.as_slice() else { return Err("two were stored".into()) };
    let mut transaction = transaction;
    let mut flag = async |entry: &Attention| -> Result<(), Problem> {
        let mut change = Change::of(transaction.clone(), EventKind::AttemptNoted, fixture.now);
        change.attention.push(entry.clone());
        store.commit(&change).await?;
        transaction = change.transaction;
        Ok(())
    };
    let found = async |state| listed(store, fixture, state, None, 9).await;
    holds("closed", store.close_attention(&disputed.id(), fixture.closing("dismiss")).await?)?;
    flag(disputed).await?;
    same("the same stays closed", found(AttentionState::Resolved).await?.len(), 1)?;
    let later = |entry: &Attention| Attention {
        detail: Facts::of(FactCode::DisputeLost),
        at: fixture.after(60),
        ..entry.clone()
    };
    flag(&later(disputed)).await?;
    flag(&later(taken_back)).await?;
    let open = found(AttentionState::Open).await?.into_iter().map(|one| one.entry).collect::<Vec<_>>();
    same("what is new of it is open", open, [later(disputed), taken_back.clone()].to_vec())?;
    same("nothing is closed", found(AttentionState::Resolved).await?.len(), 0)
}

pub(super) async fn a_note_is_stored_with_its_entry_and_erased_with_the_payer(
    store: &(impl Store + AttentionLists),
    fixture: &Fixture,
) -> Checked {
    let (transaction, entries) = flagged(store, fixture, &[Reason::SecondSuccess]).await?;
    let id = entries.first().ok_or("it was stored")?.id();
    let closing = Closing { note: Some("box ' 7"), ..fixture.closing("dismiss") };
    holds("closed", store.close_attention(&id, closing).await?)?;
    let note = async || -> Result<Option<_>, Problem> {
        let found = listed(store, fixture, AttentionState::Resolved, None, 9).await?;
        Ok(found.into_iter().find_map(|one| one.resolved).map(|resolved| (resolved.at, resolved.note)))
    };
    same("the note", note().await?, Some((fixture.now, Some("box ' 7".to_string()))))?;
    store.commit(&Change::of(transaction, EventKind::Erased, fixture.now)).await?;
    same("erased", note().await?, Some((fixture.now, None)))
}

pub(super) async fn what_waits_is_counted_up_to_a_limit(
    store: &(impl Store + AttentionLists + Approvals),
    fixture: &Fixture,
) -> Checked {
    let none = OpenMatters::default();
    same("nothing", store.open_matters(&fixture.merchant, 50).await?, none)?;
    let reasons = [Reason::SecondSuccess, Reason::NotProcessed, Reason::LateSuccess, Reason::TakenBack];
    flagged(store, fixture, &reasons).await?;
    same("all", store.open_matters(&fixture.merchant, 50).await?, OpenMatters { attention: 3, ..none })?;
    same("as many", store.open_matters(&fixture.merchant, 3).await?, OpenMatters { attention: 3, ..none })?;
    same("more", store.open_matters(&fixture.merchant, 1).await?, OpenMatters { attention: 2, ..none })
}
