//! When a gateway is asked again about an attempt of which nothing new was learned.

use alloc::vec::Vec;

use super::ReportOccasion;
use super::certainty::Certainty;
use super::plan::{Applied, InquiryPlan};
use crate::attempt::Attempt;
use crate::attempt::stage::Stage;
use crate::change::{AttemptWrite, Change, EventKind};
use crate::payment::chase;
use crate::record::attention::{Attention, Concern, Reason};
use crate::record::facts::{FactCode, Facts};
use crate::transaction::Transaction;
use crate::value::time::Timestamp;

/// When the gateway is asked about a page that waits for the payer: after the usual pause, but not later than
/// the end of the transaction.
pub(super) fn page_inquiry(transaction: &Transaction, plan: InquiryPlan) -> Timestamp {
    let usual = plan.now.plus(plan.inquiry_after);
    if transaction.is_over(plan.now) { usual } else { usual.min(transaction.expires_at) }
}

/// Nothing new: the next inquiry is planned, or asking is given up.
pub(super) fn reschedule(
    transaction: &Transaction,
    attempt: &Attempt,
    mut next: Attempt,
    plan: InquiryPlan,
) -> Option<Applied> {
    let now = plan.now;
    // Held, given up, or asked often enough: only a report can help.
    let planned = attempt.inquire_at.filter(|_| plan.occasion != ReportOccasion::Inquiry)?;
    // Someone caused a question before the time: the next inquiry stays planned, and nothing has happened. What strangers
    // cause is never in the place of a planned one.
    let is_planned =
        planned <= now && !matches!(plan.occasion, ReportOccasion::Return | ReportOccasion::Announced);
    if !is_planned && !has_news(attempt, &next) {
        return None;
    }
    let mut attention = Vec::new();
    match attempt.unknown_since.filter(|_| attempt.is_open()) {
        None if !attempt.is_open() => {
            // A report that arrives early is a repeated one, and not an answer to an inquiry.
            let asked = attempt.inquiries.checked_add(1).filter(|_| planned <= now)?;
            let (inquiries, inquire_at) = if plan.certainty == Certainty::Outcome {
                (asked, chase::later_inquiry(asked, attempt.opened_at, plan.inquiry_after, now))
            } else {
                let age = planned.since(attempt.known_at);
                (attempt.inquiries, chase::after_silence(age, plan.inquiry_after, now))
            };
            next = Attempt { inquiries, inquire_at, updated_at: now, ..attempt.clone() };
            // What the gateway itself never called ended may have been paid. What it declined is decided.
            let is_undecided = plan.certainty == Certainty::Undecided && !attempt.was_declined();
            let is_open_question = is_undecided || was_assumed(attempt);
            if inquire_at.is_none() && plan.certainty != Certainty::Outcome && is_open_question {
                attention.push(next.attention(undecided(), now));
            }
        }
        Some(since) => {
            next.inquiries = attempt.inquiries.saturating_add(1);
            next.inquire_at = chase::next_inquiry(next.inquiries, planned.since(since), now);
            if next.inquire_at.is_none() {
                attention.push(next.attention(undecided(), now));
            }
        }
        None => next.inquire_at = Some(page_inquiry(transaction, plan)),
    }
    Some(noted(transaction, attempt, next, attention))
}

/// Whether an answer said anything that is not known. Its bytes alone are no news: gateways put times into them.
fn has_news(attempt: &Attempt, next: &Attempt) -> bool {
    let known = Attempt { updated_at: next.updated_at, response: next.response.clone(), ..attempt.clone() };
    known != *next
}

/// Whether an attempt ended without success, and was asked about often enough. If the gateway reports that something happened
/// to it, and does not say what, it is asked again as often.
pub(super) fn is_asked_no_more(attempt: &Attempt) -> bool {
    chase::Urgency::of(attempt.stage) == Some(chase::Urgency::Closed) && attempt.inquire_at.is_none()
}

/// The attempt as it is now, with what a person should look at; nobody is notified.
pub(super) fn noted(
    transaction: &Transaction,
    attempt: &Attempt,
    next: Attempt,
    attention: Vec<Attention>,
) -> Applied {
    let mut change = Change::of(transaction.clone(), EventKind::AttemptNoted, next.updated_at)
        .with_attempt(AttemptWrite::Update { from: attempt.stage, attempt: next });
    change.attention = attention;
    Applied { change, is_notified: false }
}

/// Whether it was called canceled without a word of the gateway about it.
fn was_assumed(attempt: &Attempt) -> bool {
    attempt.stage == Stage::Canceled && attempt.params.is_empty()
}

fn undecided() -> Concern {
    let detail = Facts::of(FactCode::PaymentSilent);
    Concern { reason: Reason::OutcomeUnknown, detail }
}
