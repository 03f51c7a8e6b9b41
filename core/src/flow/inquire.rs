//! Asking a gateway about an attempt that was opened before, and withdrawing it there.

pub(super) mod reconcile;

use alloc::boxed::Box;
use core::time::Duration;

use super::Failure;
use super::settle::{AttemptReport, SettledAttempt, settle};
use crate::answer::payload::Cause;
use crate::attempt::Attempt;
use crate::flow::exchange::connect::{charge_ref, speak};
use crate::flow::exchange::exchange;
use crate::flow::exchange::patience::{first_gateway_limit, gateway_limit};
use crate::gateway::charge::{Outcome, Report};
use crate::gateway::exchange::Returned;
use crate::gateway::instrument::FormOfPayment;
use crate::gateway::step::Step;
use crate::payment::apply::{AttemptResult, ReportOccasion, is_surely_absent};
use crate::payment::chase::COST_OF_QUESTION;
use crate::port::{PortError, Record, SendError, Store, World};
use crate::settings::situation::Situation;

/// How long after it was opened a page is paid at the latest. A gateway that still knows nothing of the charge then, and
/// would not know an unpaid one, was not paid. A payment that comes later is found by the inquiries that follow.
const UNPAID_AFTER: Duration = Duration::from_hours(1);

/// What is asked of a gateway about a charge that was opened before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Question<'q> {
    /// What is its outcome? With what the payer's browser brought back, if that is the occasion.
    Inquire(Option<&'q Returned>),
    /// Withdraw it, if it is not completed; of a gateway that cannot do that, what its outcome is.
    Withdraw,
}

/// A question about an attempt, and the occasion on which it is asked.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Inquiry<'q> {
    pub(crate) question: Question<'q>,
    pub(crate) occasion: ReportOccasion,
    /// Whether a stranger causes it, who may do so again and again: then the gateway is asked only so often.
    pub(crate) is_limited: bool,
}

impl<'q> Inquiry<'q> {
    /// Asks what the outcome is, for nobody who waits.
    pub(crate) const BACKGROUND: Self = Self::of(ReportOccasion::Background);
    /// Asks what the outcome is, because the gateway reported that something happened.
    pub(crate) const ANNOUNCED: Self = Self { is_limited: true, ..Self::of(ReportOccasion::Announced) };
    /// Asks what the outcome is, because its payer goes on with it: something may have happened.
    pub(crate) const RESUMED: Self = Self::ANNOUNCED;
    /// Withdraws it, because another attempt takes its place, or has taken it.
    pub(crate) const WITHDRAW: Self =
        Self { question: Question::Withdraw, occasion: ReportOccasion::Background, is_limited: false };

    /// Asks what the outcome is.
    pub(crate) const fn of(occasion: ReportOccasion) -> Self {
        Self { question: Question::Inquire(None), occasion, is_limited: false }
    }

    /// Asks what the outcome is, for a payer who comes back.
    pub(crate) const fn of_return(returned: &'q Returned) -> Self {
        Self {
            question: Question::Inquire(Some(returned)),
            occasion: ReportOccasion::Return,
            is_limited: true,
        }
    }
}

/// Asks the gateway of an attempt. If it cannot be asked, nothing certain is learned.
pub(crate) async fn ask(
    world: &impl World,
    situation: &Situation,
    attempt: &Attempt,
    question: Question<'_>,
) -> Result<AttemptResult, PortError> {
    let learned = ask_so_often(world, situation, attempt, (question, false)).await?;
    Ok(learned.unwrap_or(AttemptResult::AnswerLost))
}

/// As [`ask`]; nothing is learned by a question that is limited and was asked too often.
async fn ask_so_often(
    world: &impl World,
    situation: &Situation,
    attempt: &Attempt,
    (question, is_limited): (Question<'_>, bool),
) -> Result<Option<AttemptResult>, PortError> {
    let settings = &situation.settings;
    let Some(profile) = settings.gateway(&attempt.pg_code) else {
        return Ok(Some(AttemptResult::AnswerLost));
    };
    let Some(connector) = speak(world, settings, profile)? else {
        return Ok(Some(AttemptResult::AnswerLost));
    };
    let charge = charge_ref(attempt);
    let (step, limit) = match question {
        Question::Inquire(returned) => (connector.inquire(&charge, returned), gateway_limit(world)),
        // The request that follows a withdrawal asks a gateway too.
        Question::Withdraw if profile.capabilities().withdraws => {
            (connector.withdraw(&charge), first_gateway_limit(world))
        }
        Question::Withdraw => (connector.inquire(&charge, None), first_gateway_limit(world)),
    };
    // A gateway that cannot be asked has not left anything undecided.
    let is_asked = matches!(step, Step::Ask(_));
    let asked_at = situation.now;
    let soon = asked_at.plus(COST_OF_QUESTION);
    if is_limited
        && is_asked
        && !world.ledger(&attempt.reference).may_ask(&attempt.reference, asked_at, soon).await?
    {
        return Ok(None);
    }
    // Whether it is only not known because nobody has paid, and can still be paid.
    let knows_only_paid = profile.capabilities().knows_only_paid;
    let is_over = asked_at.since(attempt.opened_at) >= UNPAID_AFTER;
    let can_be_paid = knows_only_paid && attempt.form_of_payment == FormOfPayment::Redirect && !is_over;
    Ok(Some(match exchange(world, step, limit).await {
        Ok(report) if report.outcome == Outcome::Absent && !attempt.is_open() && can_be_paid => {
            AttemptResult::AnswerLost
        }
        Ok(report) if report.outcome == Outcome::Absent && !is_surely_absent(attempt, asked_at) => {
            let is_page = attempt.page_url.is_some() && knows_only_paid;
            if is_page && (question == Question::Withdraw || is_over) {
                let message = Some("the payer did not pay on the page of the gateway".into());
                AttemptResult::Report(Report { outcome: Outcome::Canceled, message, ..report })
            } else {
                // "No such charge" is as old as the question: the request that opens it may have arrived meanwhile.
                AttemptResult::AnswerLost
            }
        }
        Ok(report) if report.outcome == Outcome::Unknown && !is_asked => AttemptResult::AnswerLost,
        Ok(report) => AttemptResult::Report(report),
        // Asking changes nothing at the gateway that asking later would not find out.
        Err(SendError::NotSent | SendError::Unknown) => AttemptResult::AnswerLost,
    }))
}

/// Asks about the attempt of a record and stores the answer. Nothing is asked and nothing changes if strangers caused too many
/// questions about it.
pub(crate) async fn inquire(
    world: &impl World,
    record: Record,
    situation: &Situation,
    inquiry: Inquiry<'_>,
) -> Result<SettledAttempt, Failure> {
    let Some(attempt) = record.attempt.clone() else { return Ok(SettledAttempt { record, delivery: None }) };
    let asked = ask_so_often(world, situation, &attempt, (inquiry.question, inquiry.is_limited)).await?;
    let Some(learned) = asked else { return Ok(SettledAttempt { record, delivery: None }) };
    let attempt_report = AttemptReport::of(learned, inquiry.occasion, Cause::Other);
    // Boxed: the caller may be deep in a payment.
    Box::pin(settle(world, record, &situation.later(world), attempt_report)).await
}

/// Withdraws an attempt at its gateway, to make room for another one. If nobody was given its page, it is
/// given up even if its gateway does not answer: there is nobody who could pay it.
pub(crate) async fn withdraw(
    world: &impl World,
    record: Record,
    situation: &Situation,
) -> Result<SettledAttempt, Failure> {
    let asked = inquire(world, record, situation, Inquiry { is_limited: true, ..Inquiry::WITHDRAW }).await?;
    if !asked.record.attempt.as_ref().is_some_and(Attempt::was_never_shown) {
        return Ok(asked);
    }
    let attempt_report = AttemptReport::of(AttemptResult::GivenUp, ReportOccasion::Background, Cause::Other);
    Box::pin(settle(world, asked.record, &situation.later(world), attempt_report)).await
}
