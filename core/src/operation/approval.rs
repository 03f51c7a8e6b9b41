//! Requests for approval: which operations need one, what each decision changes, and how an approved one begins.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};

use super::begin::{BeginRequest, Books, Names, begin, left_for};
use crate::approval::decided::{Approver, Verdicts};
use crate::approval::stage::{ApprovalFact, ApprovalState, advance, fact_of};
use crate::approval::{Approval, carried_out_by};
use crate::change::{ApprovalWrite, Change, EventKind};
use crate::child::Child;
use crate::child::stage::OperationStage;
use crate::gateway::profile::Profile;
use crate::record::audit::Actor;
use crate::record::facts::{FactCode, Facts, priced};
use crate::record::outbox::{MessageContent, MessageKind, Recipient};
use crate::rejection::Rejection;
use crate::settings::approvals::ApprovalPolicy;
use crate::transaction::Transaction;
use crate::value::id::ReferenceNumber;
use crate::value::money::Money;
use crate::value::time::Timestamp;

/// Who asks for an operation that has to be approved.
#[derive(Debug, Clone)]
pub struct Asker {
    /// The id of the request.
    pub id: ReferenceNumber,
    /// Who.
    pub by: Actor,
    /// The key by which the merchant recognises the request.
    pub tracking_key: Option<String>,
}

/// Whether an operation that is about to begin has to be approved: those of the same kind that were done without approval
/// count too, so that nobody moves much in small parts.
#[must_use]
pub(crate) fn needs_approval(policy: &ApprovalPolicy, books: &Books, child: &Child) -> bool {
    let is_counted = |other: &&Child| {
        other.operation == child.operation
            && other.attempt == child.attempt
            && !matches!(other.stage, OperationStage::Refused | OperationStage::Rejected)
            && carried_out_by(other.tracking_key.as_deref()).is_none()
    };
    let mut counted = books.children.iter().filter(is_counted).map(|other| other.amount);
    let total = counted.try_fold(child.amount, Money::checked_add);
    // A sum that cannot be written is above every limit.
    total.map_or_else(
        || policy.operations.contains(&child.operation),
        |total| policy.covers(child.operation, total),
    )
}

/// Records the request for an operation that was found to be possible: the change is committed instead of its beginning.
///
/// # Errors
/// [`Rejection::ApprovalOpen`] if another one for the same operation on the same attempt is open, or why nothing is left.
pub fn ask(
    books: &Books,
    known: &[Approval],
    (child, profile): (&Child, Option<&Profile>),
    asker: Asker,
    policy: &ApprovalPolicy,
) -> Result<Change, Rejection> {
    let is_same = |other: &&Approval| other.operation == child.operation && other.attempt == child.attempt;
    if known.iter().filter(is_same).any(Approval::is_open) {
        return Err(Rejection::ApprovalOpen);
    }
    let now = child.opened_at;
    let mut approval = Approval {
        id: asker.id,
        merchant: child.merchant.clone(),
        session_id: child.parent.clone(),
        attempt: child.attempt.clone(),
        operation: child.operation,
        amount: child.amount,
        remaining: left_for(books, child.operation, profile)?,
        extra: child.extra.clone(),
        reason: child.reason,
        note: child.note.clone(),
        initiator: child.initiator.clone(),
        tracking_key: asker.tracking_key,
        asked_by: asker.by.clone(),
        asked_at: now,
        expires_at: now.plus(policy.life),
        approvers: policy.approvers,
        hash: String::new(),
        state: ApprovalState::Asked,
        decided: Verdicts::default(),
        failure: None,
        reference: None,
        changed_at: now,
    };
    approval.hash = approval.sealed();
    let (content, recipient) = wake_up(&approval, child.pg_code.as_str());
    let due_at = approval.expires_at;
    let mut change = Change::of(books.transaction.clone(), EventKind::ApprovalAsked, now)
        .with_approval(ApprovalWrite::Open(approval))
        .by(asker.by);
    change.add_messages(&content, [recipient]);
    for message in &mut change.messages {
        message.due_at = due_at;
    }
    Ok(change)
}

/// The entry of the outbox at which a request is looked at: when its time is over, and when it was approved.
fn wake_up(approval: &Approval, pg_code: &str) -> (MessageContent, Recipient) {
    let body = format!(r#"{{"approval":"{}"}}"#, approval.id);
    let content = MessageContent { kind: MessageKind::Approval, reference: approval.id.clone(), body };
    (content, Recipient::Receiver(pg_code.to_string()))
}

/// The change by which a person approves: with the last one who is needed it is to be carried out at once. `None` if the same
/// person has approved it before.
///
/// # Errors
/// [`Rejection::OwnApproval`], [`Rejection::ApprovalEnded`].
pub fn approve(
    books: &Books,
    approval: &Approval,
    by: Actor,
    now: Timestamp,
) -> Result<Option<Change>, Rejection> {
    if approval.is_asked_by(&by) {
        return Err(Rejection::OwnApproval);
    }
    if approval.decided.approved_by.iter().any(|before| before.by.is_same(&by)) {
        return Ok(None);
    }
    let approved = must(approval, ApprovalFact::Approved, now)?;
    if !approval.is_intact() {
        return Err(Rejection::Conflict);
    }
    let mut next = Approval { changed_at: now, ..approval.clone() };
    next.decided.approved_by.push(Approver { by: by.clone(), at: now });
    let is_enough = next.decided.approved_by.len() >= usize::from(approval.approvers);
    if is_enough {
        next.state = approved;
    }
    let pg_code = books.settled.as_ref().map_or("", |attempt| attempt.pg_code.as_str());
    let (content, recipient) = wake_up(&next, pg_code);
    let mut change = write(&books.transaction, EventKind::ApprovalGiven, approval, next).by(by);
    if is_enough {
        change.add_messages(&content, [recipient]);
    }
    Ok(Some(change))
}

/// The change by which someone who can approve refuses, or who asked takes it back.
///
/// # Errors
/// [`Rejection::ApprovalEnded`].
pub fn end(
    transaction: &Transaction,
    approval: &Approval,
    (fact, by, note): (ApprovalFact, Actor, Option<String>),
    now: Timestamp,
) -> Result<Change, Rejection> {
    let state = must(approval, fact, now)?;
    let decided = Verdicts { ended_by: Some(by.clone()), note, ..approval.decided.clone() };
    let next = Approval { state, decided, changed_at: now, ..approval.clone() };
    let event = if fact == ApprovalFact::Withdrawn {
        EventKind::ApprovalWithdrawn
    } else {
        EventKind::ApprovalRejected
    };
    Ok(write(transaction, event, approval, next).by(by))
}

/// The change that ends a request about which nobody decided in time; `None` if it is not over.
#[must_use]
pub fn expire(transaction: &Transaction, approval: &Approval, now: Timestamp) -> Option<Change> {
    let state = advance(approval.state, ApprovalFact::Expired).filter(|_| approval.expires_at <= now)?;
    let next = Approval { state, changed_at: now, ..approval.clone() };
    Some(write(transaction, EventKind::ApprovalExpired, approval, next))
}

/// What becomes of an approved request.
#[derive(Debug)]
pub enum CarriedOut {
    /// The operation begins.
    Begun(Box<Change>),
    /// It is not possible any more, and the request has failed.
    Failed(Box<Change>),
}

/// Begins the operation of an approved request: exactly what was approved, and only if as much is left as its approvers saw.
///
/// # Errors
/// [`Rejection::OperationInProgress`] if another operation has to end first.
pub fn carry_out(
    books: &Books,
    approval: &Approval,
    profile: Option<&Profile>,
    names: Names,
    now: Timestamp,
) -> Result<CarriedOut, Rejection> {
    match begin_approved(books, approval, profile, names, now) {
        Ok(change) => {
            let child = change.child.as_ref().map(|write| write.child().reference.clone());
            let next = Approval { reference: child, changed_at: now, ..approval.clone() };
            let write = ApprovalWrite::Update { from: approval.state, approval: next };
            Ok(CarriedOut::Begun(Box::new(change.with_approval(write).by(approval.asked_by.clone()))))
        }
        Err(Impossible::ForNow(rejection)) => Err(rejection),
        Err(Impossible::Because(why)) => {
            Ok(CarriedOut::Failed(Box::new(fail(&books.transaction, approval, why, now))))
        }
    }
}

/// The change by which an approved request has failed before its operation began.
pub fn fail(transaction: &Transaction, approval: &Approval, why: Facts, now: Timestamp) -> Change {
    let next = Approval {
        state: advance(approval.state, ApprovalFact::Failed).unwrap_or(approval.state),
        failure: Some(why),
        changed_at: now,
        ..approval.clone()
    };
    write(transaction, EventKind::ApprovalFailed, approval, next)
}

/// What the outcome of its operation makes of a request; `None` while it is awaited.
#[must_use]
pub fn settled(approval: &Approval, child: &Child, now: Timestamp) -> Option<ApprovalWrite> {
    let state = advance(approval.state, fact_of(child.stage)?)?;
    let why = || child.message.as_deref().map_or_else(|| Facts::of(FactCode::NotDone), Facts::from);
    let failure = (state == ApprovalState::Failed).then(why);
    let next = Approval { state, failure, changed_at: now, ..approval.clone() };
    Some(ApprovalWrite::Update { from: approval.state, approval: next })
}

enum Impossible {
    ForNow(Rejection),
    Because(Facts),
}

fn begin_approved(
    books: &Books,
    approval: &Approval,
    profile: Option<&Profile>,
    names: Names,
    now: Timestamp,
) -> Result<Change, Impossible> {
    let refused = |rejection: Rejection| {
        if rejection == Rejection::OperationInProgress {
            Impossible::ForNow(rejection)
        } else {
            Impossible::Because(why(&rejection))
        }
    };
    if !approval.is_intact() {
        return Err(Impossible::Because(Facts::of(FactCode::NotIntact)));
    }
    if books.settled.as_ref().is_none_or(|attempt| attempt.reference != approval.attempt) {
        return Err(Impossible::Because(Facts::of(FactCode::OtherAttempt)));
    }
    let request = BeginRequest {
        operation: approval.operation,
        amount: Some(approval.amount),
        tracking_key: Some(approval.key()),
        extra: approval.extra.clone(),
        reason: approval.reason,
        note: approval.note.clone(),
        initiator: approval.initiator.clone(),
    };
    let left = left_for(books, approval.operation, profile).map_err(refused)?;
    if left.minor() < approval.remaining.minor() {
        return Err(Impossible::Because(less_left(left, approval.remaining)));
    }
    let change = begin(books, profile, request, names, now).map_err(refused)?;
    // A void takes no amount: it releases all that is held.
    let begun = change.child.as_ref().map(|write| write.child().amount);
    if begun != Some(approval.amount) {
        return Err(Impossible::Because(Facts::of(FactCode::NotIntact)));
    }
    Ok(change)
}

fn less_left(left: Money, seen: Money) -> Facts {
    Facts::default().and(FactCode::LessLeft, &[&priced(left), &seen.text()])
}

/// Why an operation cannot begin.
fn why(rejection: &Rejection) -> Facts {
    let said = rejection.detail();
    if let Rejection::OperationNotAllowed { state, .. } = rejection {
        return Facts::default().and(FactCode::NotInState, &[state.as_str(), &said]);
    }
    if let Rejection::OperationAmount { available } | Rejection::OperationIndivisible { available } =
        rejection
    {
        return Facts::default().and(FactCode::NotAvailable, &[&priced(*available), &said]);
    }
    Facts::from(said.as_str())
}

fn write(transaction: &Transaction, event: EventKind, before: &Approval, next: Approval) -> Change {
    let at = next.changed_at;
    Change::of(transaction.clone(), event, at)
        .with_approval(ApprovalWrite::Update { from: before.state, approval: next })
}

/// The state after what someone decides about a request whose time is not over.
fn must(approval: &Approval, fact: ApprovalFact, now: Timestamp) -> Result<ApprovalState, Rejection> {
    let is_over = approval.state == ApprovalState::Asked && approval.expires_at <= now;
    let state = if is_over { ApprovalState::Expired } else { approval.state };
    advance(state, fact).ok_or(Rejection::ApprovalEnded { state: state.as_str() })
}
