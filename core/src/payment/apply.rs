//! The one place where something learned about an attempt becomes a [`Change`]: browser return, gateway
//! callback, inquiry and the answer to the opening request all come here.
//!
//! Rules:
//! 1. Unknown is not failed: while a charge is possible, the attempt stays open.
//! 2. An outcome is a fact: it is always recorded on its attempt; only the move of the transaction may be
//!    refused.
//! 3. An answer about another amount, currency or reference is held and flagged, and settles nothing.
//! 4. After a second success the first one still counts, and the second is flagged.

mod again;
mod certainty;
mod learned;
mod plan;

use alloc::vec::Vec;
use core::time::Duration;

use self::again::{is_asked_no_more, noted, page_inquiry, reschedule};
use self::certainty::Certainty;
pub use self::learned::{AttemptResult, ReportOccasion};
pub use self::plan::Applied;
use self::plan::InquiryPlan;
use super::principal::is_asked_for;
use super::{afterwards, chase};
use crate::attempt::stage::{Fact, Stage, advance};
use crate::attempt::{Attempt, HELD};
use crate::change::{AttemptWrite, Change, EventKind};
use crate::gateway::charge::{ChargeOperation, Outcome, Report};
use crate::record::attention::{Concern, Reason};
use crate::record::facts::{FactCode, Facts, priced};
use crate::state::{Event, Retry, State, step};
use crate::transaction::{Settlement, Transaction};
use crate::value::time::Timestamp;
use crate::words::payment_type::PaymentType;

/// The most characters of a message.
pub const MAX_MESSAGE_CHARS: usize = 255;

impl AttemptResult {
    /// Whether it says what became of the charge.
    pub(crate) fn is_outcome(&self) -> bool {
        Certainty::of(self) == Certainty::Outcome
    }
}

/// Something learned about an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutcomeReport {
    /// The fact or report.
    pub learned: AttemptResult,
    /// The occasion.
    pub occasion: ReportOccasion,
    /// How often the gateway is asked while its page waits for the payer.
    pub inquiry_after: Duration,
    /// When.
    pub now: Timestamp,
}

/// The change that follows from `report` about `attempt`, which belongs to `transaction`; `None` if nothing new
/// was learned.
#[must_use]
pub fn apply(transaction: &Transaction, attempt: &Attempt, report: OutcomeReport) -> Option<Applied> {
    let OutcomeReport { learned, occasion, inquiry_after, now } = report;
    if let AttemptResult::Disputed(dispute) = &learned {
        let change = afterwards::disputed(transaction, attempt, dispute, now)?;
        let is_notified = !change.attention.is_empty();
        return Some(Applied { change, is_notified });
    }
    let plan = InquiryPlan { inquiry_after, now, occasion, certainty: Certainty::of(&learned) };
    let mut next = Attempt { updated_at: now, ..attempt.clone() };
    let fact = match read(attempt, learned, now, &mut next) {
        AttemptReading::Fact(fact) => fact,
        AttemptReading::Held(concern) => return hold(transaction, attempt, next, concern),
    };
    if is_mere_silence(attempt.stage, fact, occasion) {
        return reschedule(transaction, attempt, next, plan);
    }
    let Some(stage) = advance(attempt.stage, fact) else {
        if let Some(change) = afterwards::name(transaction, attempt, &next, fact) {
            return Some(Applied { change, is_notified: false });
        }
        if occasion == ReportOccasion::Announced && fact == Fact::AnswerLost && is_asked_no_more(attempt) {
            close(&mut next, plan);
            return Some(noted(transaction, attempt, next, Vec::new()));
        }
        return reschedule(transaction, attempt, next, plan);
    };
    next.stage = stage;
    next.known_at = now;
    if !stage.is_open() {
        close(&mut next, plan);
    }
    Some(match parent_event(&next, occasion) {
        Some(event) => settle(transaction, attempt.stage, next, event, now),
        None => note_open(transaction, attempt.stage, next, plan),
    })
}

enum AttemptReading {
    Fact(Fact),
    Held(Concern),
}

/// What `learned` says as a fact; the data of a report are written to the attempt.
fn read(attempt: &Attempt, learned: AttemptResult, now: Timestamp, next: &mut Attempt) -> AttemptReading {
    let report = match learned {
        AttemptResult::NeverSent(message) => {
            next.message = message.or_else(|| Some("the gateway did not take the payment".into()));
            return AttemptReading::Fact(Fact::NeverSent);
        }
        AttemptResult::GivenUp if attempt.was_never_shown() => {
            next.message = Some("the page of the gateway could not be opened".into());
            return AttemptReading::Fact(Fact::Withdrawn);
        }
        AttemptResult::TakenBack(message) if attempt.stage == Stage::Success => {
            return AttemptReading::Held(afterwards::taken_back(message.as_deref()));
        }
        AttemptResult::AnswerLost
        | AttemptResult::GivenUp
        | AttemptResult::TakenBack(_)
        | AttemptResult::Disputed(_) => return AttemptReading::Fact(Fact::AnswerLost),
        AttemptResult::Report(report) => report,
    };
    let fact = match &report.outcome {
        Outcome::Approved => Fact::Approved,
        Outcome::Declined => Fact::Declined,
        Outcome::Canceled => Fact::Withdrawn,
        Outcome::Open { .. } => Fact::PageOpen,
        Outcome::Absent if is_surely_absent(attempt, now) => {
            next.message = Some("the gateway never received the payment".into());
            return AttemptReading::Fact(Fact::NeverSent);
        }
        Outcome::Absent | Outcome::Unknown => {
            // A charge that the gateway has, in whatever state, may have been paid.
            let is_own = report.reference == attempt.reference.as_str();
            next.gateway_id = report.gateway_id.filter(|_| is_own).or(next.gateway_id.take());
            return AttemptReading::Fact(Fact::AnswerLost);
        }
    };
    if report.reference != attempt.reference.as_str() {
        let detail = Facts::default().and(FactCode::OtherReference, &[attempt.reference.as_str()]);
        return AttemptReading::Held(Concern { reason: Reason::ReferenceMismatch, detail });
    }
    if let Some(total) = report.total.filter(|total| *total != attempt.quote.total) {
        let values = [&*priced(attempt.quote.total), &*priced(total)];
        let detail = Facts::default().and(FactCode::OtherTotal, &values);
        return AttemptReading::Held(Concern { reason: Reason::AmountMismatch, detail });
    }
    take_data(next, report);
    AttemptReading::Fact(fact)
}

fn take_data(next: &mut Attempt, report: Report) {
    if let Outcome::Open { page_url } = report.outcome {
        next.page_url = Some(page_url);
    }
    next.message = report.message.map(|message| message.chars().take(MAX_MESSAGE_CHARS).collect());
    next.gateway_id = report.gateway_id.or(next.gateway_id.take());
    next.params = report.params;
    next.response = report.raw.or(next.response.take());
}

/// Whether "no such charge" means that the request never arrived: the payer was never given a page, and the
/// request had enough time before the question was asked.
pub(crate) fn is_surely_absent(attempt: &Attempt, asked_at: Timestamp) -> bool {
    attempt.page_url.is_none() && asked_at.since(attempt.opened_at) >= chase::ABSENCE_GRACE
}

/// A gateway that does not answer about a page from which the payer has not come back, and may still come
/// back, says nothing about a charge.
fn is_mere_silence(stage: Stage, fact: Fact, occasion: ReportOccasion) -> bool {
    let is_silent = match occasion {
        ReportOccasion::Return | ReportOccasion::Ending => false,
        ReportOccasion::Opening
        | ReportOccasion::Background
        | ReportOccasion::Announced
        | ReportOccasion::Canceling => stage == Stage::Redirected,
        // The request that opens the charge may still be in progress.
        ReportOccasion::Inquiry => stage.is_open(),
    };
    fact == Fact::AnswerLost && is_silent
}

/// The attempt ended: nothing is awaited any more. One that ended without success may be confirmed late.
fn close(attempt: &mut Attempt, plan: InquiryPlan) {
    attempt.page_url = None;
    attempt.inquiries = 0;
    attempt.inquire_at = match attempt.stage {
        Stage::Failed | Stage::Canceled | Stage::Error => {
            chase::later_inquiry(0, attempt.opened_at, plan.inquiry_after, plan.now)
        }
        Stage::Success => {
            attempt.message = None;
            None
        }
        Stage::Cod | Stage::Sending | Stage::Redirected | Stage::Unknown => None,
    };
}

/// The event of the transaction that belongs to a closed attempt.
fn parent_event(attempt: &Attempt, occasion: ReportOccasion) -> Option<Event> {
    let retry = if attempt.permits_retry { Retry::Permitted } else { Retry::Final };
    match attempt.stage {
        Stage::Success => Some(Event::AttemptSucceeded(attempt.operation.settles_as())),
        Stage::Failed => Some(Event::AttemptFailed(retry)),
        Stage::Canceled if occasion == ReportOccasion::Canceling => Some(Event::Canceled),
        Stage::Canceled => Some(Event::AttemptCanceled(retry)),
        Stage::Error => Some(Event::AttemptErred(retry)),
        Stage::Cod => Some(Event::CashAcknowledged),
        Stage::Sending | Stage::Redirected | Stage::Unknown => None,
    }
}

/// The attempt has its result: the transaction moves if the table permits it, and is flagged if money was
/// taken and it cannot move.
///
/// Decision: a late success pays only what is asked for at that moment. An attempt that had ended may be paid after the merchant
/// has changed the amount: what was paid is given back, and the merchant, who compares the amount of the transaction, is not
/// notified of a success.
fn settle(transaction: &Transaction, from: Stage, attempt: Attempt, event: Event, now: Timestamp) -> Applied {
    let mut moved = transaction.clone();
    let mut attention = Vec::new();
    let is_success = attempt.stage == Stage::Success;
    // Confirming a card pays nothing: in the meantime the merchant may have asked for money.
    let is_saved_only = attempt.operation == ChargeOperation::Verify
        && transaction.details.payment_type != PaymentType::SaveCard;
    let is_asked_for = is_asked_for(transaction, attempt.principal);
    let next = step(transaction.state, event).ok().filter(|_| !is_success || is_asked_for && !is_saved_only);
    let kind = if let Some(state) = next {
        moved.move_to(state, now);
        if is_success {
            settle_transaction(&mut moved, &attempt);
        }
        EventKind::Moved(event)
    } else {
        if is_success {
            let is_second = transaction.state.is_success();
            let reason = if is_second { Reason::SecondSuccess } else { Reason::LateSuccess };
            let detail = if is_saved_only {
                Facts::of(FactCode::OnlyCard)
            } else if is_second || is_asked_for {
                Facts::default().and(FactCode::InState, &[transaction.state.as_str()])
            } else {
                let values = [&*priced(attempt.principal), &*priced(transaction.amount)];
                Facts::default().and(FactCode::OldPrice, &values)
            };
            attention.push(attempt.attention(Concern { reason, detail }, now));
        }
        EventKind::AttemptNoted
    };
    let mut change = Change::of(moved, kind, now).with_attempt(AttemptWrite::Update { from, attempt });
    change.attention = attention;
    Applied { change, is_notified: !is_success || is_asked_for || transaction.state.is_success() }
}

/// Writes the result of a successful attempt to its transaction.
pub(crate) fn settle_transaction(transaction: &mut Transaction, attempt: &Attempt) {
    let is_taken = attempt.stage == Stage::Success && attempt.operation == ChargeOperation::Purchase;
    transaction.operation = attempt.operation.settles_as();
    transaction.settlement = Some(Settlement {
        pg_code: attempt.pg_code.clone(),
        settled: attempt.principal,
        paid: if is_taken { attempt.quote.total_of(attempt.principal) } else { None },
    });
}

/// The attempt stays open in another stage: the gateway's page waits, or the outcome became unknown.
fn note_open(transaction: &Transaction, from: Stage, mut attempt: Attempt, plan: InquiryPlan) -> Applied {
    let now = plan.now;
    let is_unknown = attempt.stage == Stage::Unknown;
    if is_unknown {
        attempt.unknown_since = Some(now);
        attempt.inquiries = 0;
        attempt.inquire_at = chase::next_inquiry(0, Duration::ZERO, now);
        attempt.message = Some("the gateway has not confirmed the payment yet".into());
    } else {
        attempt.unknown_since = None;
        attempt.inquire_at = Some(page_inquiry(transaction, plan));
    }
    let change = Change::of(transaction.clone(), EventKind::AttemptNoted, now)
        .with_attempt(AttemptWrite::Update { from, attempt });
    Applied { change, is_notified: is_unknown }
}

/// The answer does not fit: the attempt waits for a person.
fn hold(
    transaction: &Transaction,
    attempt: &Attempt,
    mut next: Attempt,
    concern: Concern,
) -> Option<Applied> {
    let now = next.updated_at;
    let waits = attempt.stage == Stage::Unknown && attempt.inquire_at.is_none();
    if waits && attempt.message.as_deref() == Some(HELD) {
        return None;
    }
    next.inquire_at = None;
    if attempt.is_open() {
        if attempt.stage != Stage::Unknown {
            next.stage = Stage::Unknown;
            next.known_at = now;
        }
        next.unknown_since = attempt.unknown_since.or(Some(now));
    }
    if next.is_unpaid() || next.is_open() {
        next.message = Some(HELD.into());
    }
    let flagged = next.attention(concern, now);
    let mut change = Change::of(transaction.clone(), EventKind::AttemptNoted, now)
        .with_attempt(AttemptWrite::Update { from: attempt.stage, attempt: next });
    change.attention.push(flagged);
    Some(Applied { change, is_notified: attempt.is_open() })
}

/// Ends a transaction whose time is over; `None` if it is not over, not payable, or an attempt is still open.
#[must_use]
pub fn expire(transaction: &Transaction, latest: Option<&Attempt>, now: Timestamp) -> Option<Change> {
    let has_open = Attempt::has_open(latest);
    if transaction.state_at(now, has_open) != State::Expired || transaction.state == State::Expired {
        return None;
    }
    let mut expired = transaction.clone();
    let awaited = latest.map_or(transaction.expires_at, |attempt| attempt.known_at);
    expired.move_to(step(transaction.state, Event::Expired).ok()?, awaited.max(transaction.expires_at));
    Some(Change::of(expired, EventKind::Moved(Event::Expired), now))
}
