//! Requests for approval.

use alloc::string::ToString;
use alloc::vec::Vec;

use super::fixture::Fixture;
use super::{Checked, Problem, holds, same};
use crate::approval::Approval;
use crate::approval::decided::{Approver, Verdicts};
use crate::approval::stage::ApprovalState;
use crate::change::{ApprovalWrite, Change, EventKind};
use crate::port::{ApprovalSearch, Approvals, CommitError, FirstApprovals, Store};
use crate::record::audit::{Actor, ActorKind};
use crate::transaction::Transaction;
use crate::value::id::ReferenceNumber;
use crate::words::ChildOperation;
use crate::words::operation_reason::OperationReason;

fn by(id: &str) -> Actor {
    Actor { kind: ActorKind::User, id: id.into(), name: Some("sara ' نور".into()), role: None }
}

pub(super) fn approval(
    fixture: &Fixture,
    transaction: &Transaction,
    attempt: &ReferenceNumber,
) -> Result<Approval, Problem> {
    let mut approval = Approval {
        id: fixture.reference(),
        merchant: transaction.merchant.clone(),
        session_id: transaction.session_id.clone(),
        attempt: attempt.clone(),
        operation: ChildOperation::Refund,
        amount: fixture.money(1_000)?,
        remaining: fixture.money(2_000)?,
        extra: Some(r#"{ "a" : 1 }"#.into()),
        reason: Some(OperationReason::GoodsReturned),
        note: Some("box ' 7".into()),
        initiator: None,
        tracking_key: None,
        asked_by: by("7"),
        asked_at: fixture.now,
        expires_at: fixture.after(60),
        approvers: 2,
        hash: "x".into(),
        state: ApprovalState::Asked,
        decided: Verdicts::default(),
        failure: None,
        reference: None,
        changed_at: fixture.now,
    };
    approval.hash = approval.sealed();
    Ok(approval)
}

pub(super) fn asked(fixture: &Fixture, before: &Transaction, approval: Approval) -> Change {
    Change::of(before.clone(), EventKind::ApprovalAsked, fixture.now)
        .with_approval(ApprovalWrite::Open(approval))
}

fn changed(fixture: &Fixture, before: &Transaction, from: ApprovalState, approval: Approval) -> Change {
    Change::of(before.clone(), EventKind::ApprovalGiven, fixture.now)
        .with_approval(ApprovalWrite::Update { from, approval })
}

/// A transaction with an attempt.
pub(super) async fn prepared(
    store: &impl Store,
    fixture: &Fixture,
) -> Result<(Transaction, ReferenceNumber), Problem> {
    let created = fixture.created(fixture.transaction()?);
    store.commit(&created).await?;
    let attempt = fixture.attempt(&created.transaction, 1)?;
    let opened = fixture.opened(&created.transaction, attempt.clone());
    store.commit(&opened).await?;
    Ok((opened.transaction, attempt.reference))
}

pub(super) async fn a_request_is_read_back_as_it_was_stored_and_changed(
    store: &(impl Store + Approvals),
    fixture: &Fixture,
) -> Checked {
    let (transaction, attempt) = prepared(store, fixture).await?;
    let key = Some("key' 1".to_string());
    let new = Approval { tracking_key: key, ..approval(fixture, &transaction, &attempt)? };
    let open = asked(fixture, &transaction, new.clone());
    store.commit(&open).await?;
    same("new", store.approval(&new.id).await?, Some(new.clone()))?;
    same("by key", store.tracked_approval(&new.merchant, "key' 1").await?, Some(new.clone()))?;
    holds("by another key", store.tracked_approval(&new.merchant, "key").await?.is_none())?;
    let decided = Verdicts {
        approved_by: [Approver { by: by("8"), at: fixture.after(1) }].into(),
        ended_by: Some(by("9")),
        note: Some("no ' \u{1}".into()),
    };
    let changed_at = fixture.after(2);
    let rejected = Approval { state: ApprovalState::Rejected, decided, changed_at, ..new.clone() };
    // What is to be approved is frozen.
    let change = changed(fixture, &open.transaction, ApprovalState::Asked, rejected.clone());
    store.commit(&change).await?;
    same("changed", store.approval(&new.id).await?, Some(rejected))?;
    holds("another", store.approval(&fixture.reference()).await?.is_none())
}

pub(super) async fn one_request_is_open_for_an_operation_on_an_attempt(
    store: &(impl Store + Approvals),
    fixture: &Fixture,
) -> Checked {
    let (transaction, attempt) = prepared(store, fixture).await?;
    let first = approval(fixture, &transaction, &attempt)?;
    let open = asked(fixture, &transaction, first.clone());
    store.commit(&open).await?;
    let second = approval(fixture, &transaction, &attempt)?;
    let refused = store.commit(&asked(fixture, &open.transaction, second.clone())).await;
    same("a second", refused, Err(CommitError::Conflict))?;
    let void = Approval { operation: ChildOperation::Void, ..approval(fixture, &transaction, &attempt)? };
    let other = asked(fixture, &open.transaction, void);
    store.commit(&other).await?;
    let approved = Approval { state: ApprovalState::Approved, ..first.clone() };
    let change = changed(fixture, &other.transaction, ApprovalState::Asked, approved.clone());
    store.commit(&change).await?;
    let refused = store.commit(&asked(fixture, &change.transaction, second.clone())).await;
    same("while it has not begun", refused, Err(CommitError::Conflict))?;
    let begun = Approval { reference: Some(fixture.reference()), ..approved };
    let change = changed(fixture, &change.transaction, ApprovalState::Approved, begun);
    store.commit(&change).await?;
    store.commit(&asked(fixture, &change.transaction, second)).await?;
    Ok(())
}

pub(super) async fn a_request_moves_only_from_the_state_in_which_it_is(
    store: &(impl Store + Approvals),
    fixture: &Fixture,
) -> Checked {
    let (transaction, attempt) = prepared(store, fixture).await?;
    let new = approval(fixture, &transaction, &attempt)?;
    let open = asked(fixture, &transaction, new.clone());
    store.commit(&open).await?;
    let rejected = Approval { state: ApprovalState::Rejected, ..new.clone() };
    let other_hash = Approval { hash: "y".into(), ..rejected.clone() };
    for (from, next) in [(ApprovalState::Approved, rejected.clone()), (ApprovalState::Asked, other_hash)] {
        let lost = store.commit(&changed(fixture, &open.transaction, from, next)).await;
        same("of another state or hash", lost, Err(CommitError::Conflict))?;
    }
    let done = Approval { state: ApprovalState::Done, ..new.clone() };
    let illegal = store.commit(&changed(fixture, &open.transaction, ApprovalState::Asked, done)).await;
    holds("an illegal move", matches!(illegal, Err(CommitError::Failed(_))))?;
    let change = changed(fixture, &open.transaction, ApprovalState::Asked, rejected);
    store.commit(&change).await?;
    let approved = Approval { state: ApprovalState::Approved, ..new };
    let lost = store.commit(&changed(fixture, &change.transaction, ApprovalState::Asked, approved)).await;
    same("decided before", lost, Err(CommitError::Conflict))
}

pub(super) async fn a_tracking_key_asks_once(store: &(impl Store + Approvals), fixture: &Fixture) -> Checked {
    let (transaction, attempt) = prepared(store, fixture).await?;
    let key = Some("once".to_string());
    let refund = Approval { tracking_key: key, ..approval(fixture, &transaction, &attempt)? };
    let open = asked(fixture, &transaction, refund.clone());
    store.commit(&open).await?;
    let again = Approval { id: fixture.reference(), operation: ChildOperation::Void, ..refund };
    same("again", store.commit(&asked(fixture, &open.transaction, again)).await, Err(CommitError::KeyTaken))
}

pub(super) async fn pages_of_requests_follow_each_other(
    store: &(impl Store + Approvals),
    fixture: &Fixture,
) -> Checked {
    let (mut transaction, attempt) = prepared(store, fixture).await?;
    let mut stored = Vec::new();
    for place in 0..3 {
        let at = fixture.after(place);
        let new = Approval { asked_at: at, ..approval(fixture, &transaction, &attempt)? };
        let open = asked(fixture, &transaction, new.clone());
        store.commit(&open).await?;
        let withdrawn = Approval { state: ApprovalState::Withdrawn, ..new };
        let change = changed(fixture, &open.transaction, ApprovalState::Asked, withdrawn.clone());
        store.commit(&change).await?;
        transaction = change.transaction;
        stored.insert(0, withdrawn);
    }
    let all = ApprovalSearch {
        merchant: transaction.merchant.clone(),
        session_id: Some(transaction.session_id.clone()),
        state: None,
        after: None,
        limit: 9,
    };
    same("of the transaction", store.find_approvals(&all).await?, stored.clone())?;
    let [newest, rest @ ..] = stored.as_slice() else { return Err("three were stored".into()) };
    let after = Some((newest.asked_at, newest.id.clone()));
    for session_id in [None, all.session_id.clone()] {
        let next = ApprovalSearch { session_id, after: after.clone(), limit: 2, ..all.clone() };
        same("the page after it", store.find_approvals(&next).await?, rest.to_vec())?;
    }
    for (state, count) in [(ApprovalState::Withdrawn, 3), (ApprovalState::Asked, 0)] {
        for session_id in [None, all.session_id.clone()] {
            let of_state = ApprovalSearch { state: Some(state), session_id, ..all.clone() };
            same("of a state", store.find_approvals(&of_state).await?.len(), count)?;
        }
    }
    let first = store.first_approvals(&all.merchant, 2).await?;
    same(
        "the newest",
        first,
        FirstApprovals { waiting: Vec::new(), all: stored.iter().take(2).cloned().collect() },
    )?;
    let new = Approval { asked_at: fixture.now, ..approval(fixture, &transaction, &attempt)? };
    store.commit(&asked(fixture, &transaction, new.clone())).await?;
    let waiting = store.first_approvals(&all.merchant, 2).await?.waiting;
    same("what waits", waiting, Vec::from([new]))?;
    let other = ApprovalSearch { merchant: fixture.another()?.merchant, session_id: None, ..all };
    holds("of another merchant", store.find_approvals(&other).await?.is_empty())
}
