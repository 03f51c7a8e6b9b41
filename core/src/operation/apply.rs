//! The one place where something learned about an operation becomes a [`Change`]: the answer of the gateway,
//! its own report, and an inquiry all come here. The rules are those of attempts ([`crate::payment::apply`]):
//! unknown is not failed, an outcome is a fact, and an answer about another amount or reference is held and
//! flagged.

use alloc::string::ToString;
use core::time::Duration;

use super::begin::Books;
use crate::approval::carried_out_by;
use crate::change::{Change, ChildWrite, EventKind};
use crate::child::Child;
use crate::child::stage::{OperationFact, OperationStage, advance};
use crate::gateway::operation::{OperationOutcome, OperationReport};
use crate::payment::apply::{Applied, MAX_MESSAGE_CHARS};
use crate::payment::chase;
use crate::record::attention::{Concern, Reason};
use crate::record::facts::{FactCode, Facts, priced};
use crate::transaction::Transaction;
use crate::value::time::Timestamp;

/// What is learned about an operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OperationUpdate {
    /// The gateway reports.
    Report(OperationReport),
    /// A request was sent and no certain answer came.
    AnswerLost,
    /// The request certainly never reached the gateway.
    NeverSent,
    /// An inquiry brought no answer about an operation that may still have to be sent.
    NoNews,
}

enum OperationReading {
    Fact(OperationFact),
    Held(Concern),
    Nothing,
}

/// The change that follows from what was learned about `child`; `None` if nothing new was learned. The
/// merchant is notified if the operation ended or was queued.
#[must_use]
pub fn apply(books: &Books, child: &Child, learned: OperationUpdate, now: Timestamp) -> Option<Applied> {
    let mut next = Child { updated_at: now, ..child.clone() };
    let fact = match read(child, learned, now, &mut next) {
        OperationReading::Fact(fact) => fact,
        OperationReading::Held(concern) => return hold(&books.transaction, child, next, concern),
        OperationReading::Nothing => return reschedule(&books.transaction, child, next),
    };
    let Some(stage) = advance(child.operation, child.stage, fact) else {
        return if child.is_open() {
            reschedule(&books.transaction, child, next)
        } else {
            afterwards(&books.transaction, child, next, fact)
        };
    };
    next.stage = stage;
    next.known_at = now;
    match stage {
        OperationStage::Unknown | OperationStage::Queued => {
            next.open_since = child.open_since.or(Some(now));
            next.inquiries = 0;
            next.inquire_at = chase::next_inquiry(0, Duration::ZERO, now);
        }
        OperationStage::Done | OperationStage::Rejected => next.inquire_at = None,
        // No child transaction remains, and its key may be used again: unless it is a request for approval, which is done once.
        OperationStage::Refused => {
            next.inquire_at = None;
            next.tracking_key = next.tracking_key.filter(|key| carried_out_by(Some(key)).is_some());
        }
        OperationStage::Sending => {}
    }
    // Giving back an attempt that does not count changes nothing of the transaction itself.
    let is_own = books.settled.as_ref().is_some_and(|settled| settled.reference == child.attempt);
    let event = match stage {
        OperationStage::Done if is_own => EventKind::Moved(child.operation.event()),
        OperationStage::Done
        | OperationStage::Sending
        | OperationStage::Unknown
        | OperationStage::Queued
        | OperationStage::Rejected
        | OperationStage::Refused => EventKind::OperationNoted,
    };
    let mut moved = books.transaction.clone();
    settle(&mut moved, books, &next);
    let is_late = matches!(child.stage, OperationStage::Rejected | OperationStage::Refused);
    let flagged = is_late.then(|| {
        let values = [child.operation.as_str(), &child.amount.to_string()];
        let detail = Facts::default().and(FactCode::DoneLate, &values);
        next.attention(Concern { reason: Reason::LateOperation, detail }, now)
    });
    let mut change =
        Change::of(moved, event, now).with_child(ChildWrite::Update { from: child.stage, child: next });
    change.attention.extend(flagged);
    // The caller was answered that the operation is queued, and it is refused only now.
    let is_retracted = child.stage == OperationStage::Unknown && stage == OperationStage::Refused;
    let is_notified = is_retracted
        || matches!(stage, OperationStage::Queued | OperationStage::Done | OperationStage::Rejected);
    Some(Applied { change, is_notified })
}

/// What is learned about an operation after its end: what is done stays done, and a person settles what the gateway took
/// back. A repeated confirmation may be the first one that names it.
fn afterwards(transaction: &Transaction, child: &Child, next: Child, fact: OperationFact) -> Option<Applied> {
    let unchanged = Child { updated_at: next.updated_at, ..child.clone() };
    match (child.stage, fact) {
        (OperationStage::Done, OperationFact::Denied) => {
            let said = next.message.as_deref().unwrap_or("it gave no reason");
            let values = [child.operation.as_str(), &child.amount.to_string(), said];
            let detail = Facts::default().and(FactCode::OperationTakenBack, &values);
            hold(transaction, child, unchanged, Concern { reason: Reason::TakenBack, detail })
        }
        (OperationStage::Done, OperationFact::Confirmed)
            if child.gateway_id.is_none() && next.gateway_id.is_some() =>
        {
            let named = Child { gateway_id: next.gateway_id, ..unchanged };
            let change = Change::of(transaction.clone(), EventKind::OperationNoted, named.updated_at)
                .with_child(ChildWrite::Update { from: child.stage, child: named });
            Some(Applied { change, is_notified: false })
        }
        _ => None,
    }
}

/// Writes the total that was taken to the transaction.
fn settle(transaction: &mut Transaction, books: &Books, next: &Child) {
    let children = books.children.iter().filter(|child| child.reference != next.reference).cloned();
    let after = Books { children: children.chain([next.clone()]).collect(), ..books.clone() };
    if let (Some(settlement), Some(balance)) = (&mut transaction.settlement, after.balance()) {
        settlement.paid = balance.paid();
    }
}

/// What `learned` says as a fact; the data of a report are written to the operation.
fn read(child: &Child, learned: OperationUpdate, now: Timestamp, next: &mut Child) -> OperationReading {
    let report = match learned {
        OperationUpdate::AnswerLost => return OperationReading::Fact(OperationFact::AnswerLost),
        OperationUpdate::NeverSent => return OperationReading::Fact(OperationFact::NeverSent),
        OperationUpdate::NoNews => return OperationReading::Nothing,
        OperationUpdate::Report(report) => report,
    };
    let fact = match report.outcome {
        OperationOutcome::Done => OperationFact::Confirmed,
        OperationOutcome::Queued => OperationFact::Accepted,
        OperationOutcome::Refused => OperationFact::Denied,
        OperationOutcome::Absent if is_surely_absent(child, now) => OperationFact::NeverSent,
        OperationOutcome::Absent | OperationOutcome::Unknown => {
            let is_own = report.reference == child.reference.as_str();
            next.gateway_id = report.gateway_id.filter(|_| is_own).or(next.gateway_id.take());
            return OperationReading::Fact(OperationFact::AnswerLost);
        }
    };
    if report.reference != child.reference.as_str() {
        let detail = Facts::default().and(FactCode::OtherReference, &[child.reference.as_str()]);
        return OperationReading::Held(Concern { reason: Reason::ReferenceMismatch, detail });
    }
    if let Some(amount) = report.amount.filter(|amount| *amount != child.amount) {
        let values = [child.operation.as_str(), &priced(child.amount), &priced(amount)];
        let detail = Facts::default().and(FactCode::OtherAmount, &values);
        return OperationReading::Held(Concern { reason: Reason::AmountMismatch, detail });
    }
    next.message = report.message.map(|message| message.chars().take(MAX_MESSAGE_CHARS).collect());
    next.gateway_id = report.gateway_id.or(next.gateway_id.take());
    next.params = report.params;
    next.response = report.raw.or(next.response.take());
    OperationReading::Fact(fact)
}

/// Whether "no such operation" means that the request never arrived: not of one to which the gateway has given an id.
pub(crate) fn is_surely_absent(child: &Child, asked_at: Timestamp) -> bool {
    child.gateway_id.is_none() && asked_at.since(child.opened_at) >= chase::ABSENCE_GRACE
}

/// Nothing new: the next inquiry is planned, or asking is given up.
fn reschedule(transaction: &Transaction, child: &Child, mut next: Child) -> Option<Applied> {
    let now = next.updated_at;
    // Held or given up: only a report can help.
    let planned = child.inquire_at?;
    // Someone caused a question before the time: the next inquiry stays planned, and nothing has happened. The bytes of an
    // answer alone are no news.
    let known = Child { updated_at: now, response: next.response.clone(), ..child.clone() };
    if planned > now && known == next {
        return None;
    }
    let since = child.open_since.unwrap_or(child.opened_at);
    next.inquiries = child.inquiries.saturating_add(1);
    next.inquire_at = chase::next_inquiry(next.inquiries, planned.since(since), now);
    let is_over = next.inquire_at.is_none();
    let detail = Facts::of(FactCode::OperationSilent);
    let concern = Concern { reason: Reason::OutcomeUnknown, detail };
    let flagged = is_over.then(|| next.attention(concern, now));
    let mut change = Change::of(transaction.clone(), EventKind::OperationNoted, now)
        .with_child(ChildWrite::Update { from: child.stage, child: next });
    change.attention.extend(flagged);
    Some(Applied { change, is_notified: false })
}

/// The answer does not fit: the operation waits for a person.
fn hold(transaction: &Transaction, child: &Child, mut next: Child, concern: Concern) -> Option<Applied> {
    let now = next.updated_at;
    if child.is_open() && child.inquire_at.is_none() {
        return None;
    }
    if child.is_open() {
        if child.stage == OperationStage::Sending {
            next.stage = OperationStage::Unknown;
            next.known_at = now;
        }
        next.open_since = child.open_since.or(Some(now));
        next.inquire_at = None;
    }
    let flagged = next.attention(concern, now);
    let mut change = Change::of(transaction.clone(), EventKind::OperationNoted, now)
        .with_child(ChildWrite::Update { from: child.stage, child: next });
    change.attention.push(flagged);
    Some(Applied { change, is_notified: false })
}
