//! The attention list: what is held, flagged or given up, and waits for a person.

mod operation;

use alloc::string::ToString;
use alloc::vec::Vec;

use serde::Serialize;

use crate::access::operator::Operator;
use crate::answer::operation as body;
use crate::answer::operator::{AttentionResolved, AttentionShown};
use crate::answer::payload::Cause;
use crate::api::attention::{AttentionRequest, Resolution};
use crate::attempt::Attempt;
use crate::attempt::stage::Stage;
use crate::flow::Failure;
use crate::flow::find::attention::check_dismissal;
use crate::flow::inquire::{Question, ask};
use crate::flow::settle::{AttemptReport, settle};
use crate::flow::situation::situation_of;
use crate::gateway::charge::{Outcome, PgParams, Report};
use crate::payment::apply::{AttemptResult, ReportOccasion};
use crate::payment::chase::Urgency;
use crate::port::{Clock, Closing, Flagged, Journal, Record, Store, World};
use crate::record::attention::{AttentionId, Reason};
use crate::record::audit::Entry;
use crate::rejection::Rejection;
use crate::settings::situation::Situation;
use crate::value::slot::Slot;

/// The most entries of the attention list in one answer.
const MAX_ENTRIES: u32 = 100;

/// The open entries of the attention list, oldest first.
///
/// # Errors
/// A failure of the world.
pub async fn list_attention(world: &impl World) -> Result<Vec<AttentionShown>, Failure> {
    let entries = world.ledger(&Slot::FIRST).attention(MAX_ENTRIES).await?;
    Ok(entries.into_iter().map(AttentionShown::from).collect())
}

/// Resolves an entry of the attention list:
///
/// 1. read the action;
/// 2. a closed entry decides nothing, and a difference found in the gateway's list can only be dismissed;
/// 3. record who decides what, before it is carried out: no decision about money is without its entry. Then apply the action to the attempt or the operation; one whose outcome is known cannot be given another
///    outcome, and an entry about one that waits for a decision cannot be dismissed. An attempt that ended without a word
///    of the gateway may have been paid;
/// 4. close the entry, unless the question is still open: the outcome is awaited, or the gateway was asked about an attempt
///    that ended without its word, and said nothing certain.
///
/// # Errors
/// The rejection, or a failure of the world.
pub async fn resolve_attention(
    world: &impl World,
    by: &Operator,
    id: &AttentionId,
    body: &[u8],
) -> Result<AttentionResolved, Failure> {
    // 1
    let AttentionRequest { resolution } = AttentionRequest::read(body)?;
    // 2
    let Flagged { merchant, is_open, .. } = world.ledger(id).flagged(id).await?.ok_or(Rejection::NotFound)?;
    if resolution != Resolution::Dismiss && (!is_open || id.reason.is_of_list()) {
        return Err(Rejection::NotResolvable.into());
    }
    // 3
    let now = world.clock().now();
    let decision = RecordedResolution { action: resolution.as_str() };
    let entry = Entry::of(by.actor(), "resolve_attention", now).about(&merchant).on(id).to(&decision);
    let with_closing = if resolution == Resolution::Dismiss {
        Some(entry)
    } else {
        world.directory().record(&entry).await?;
        None
    };
    let outcome = if id.reason.is_of_list() { None } else { Some(resolve(world, id, resolution).await?) };
    // 4
    let is_awaited = outcome.is_some_and(|outcome| outcome.is_awaited);
    let is_closed = if resolution == Resolution::Inquire && is_awaited {
        false
    } else {
        let entry = with_closing.as_ref();
        let closing = Closing { how: resolution.as_str(), note: None, at: now, entry };
        world.ledger(id).close_attention(id, closing).await?
    };
    let result = outcome.map(|outcome| outcome.result);
    Ok(AttentionResolved { closed: is_closed, id: id.to_string(), result })
}

/// What is recorded of a resolution.
#[derive(Serialize)]
struct RecordedResolution {
    action: &'static str,
}

/// The state of an attempt or an operation after a resolution.
#[derive(Debug, Clone, Copy)]
struct ResolvedState {
    /// The word on the wire.
    result: &'static str,
    /// Whether its outcome is awaited, or was not learned.
    is_awaited: bool,
}

async fn resolve(
    world: &impl World,
    id: &AttentionId,
    resolution: Resolution,
) -> Result<ResolvedState, Failure> {
    if resolution == Resolution::Dismiss {
        check_dismissal(world, id).await?;
    }
    let Some(record) = world.ledger(&id.reference).load_attempt(&id.reference).await? else {
        let child = operation::resolve(world, id, resolution).await?;
        return Ok(ResolvedState { result: body::result(child.stage), is_awaited: child.is_open() });
    };
    let situation = situation_of(world, &record.transaction.merchant).await?;
    let mut is_unanswered = false;
    let record = match resolution {
        Resolution::Dismiss => record,
        Resolution::Inquire => {
            let attempt = record.attempt.as_ref().ok_or(Rejection::NotFound)?;
            let learned = ask(world, &situation, attempt, Question::Inquire(None)).await?;
            is_unanswered = !learned.is_outcome();
            let attempt_report = AttemptReport::of(learned, ReportOccasion::Background, Cause::Other);
            settle(world, record, &situation.later(world), attempt_report).await?.record
        }
        Resolution::Approved => {
            let is_undecided = record.attempt.as_ref().is_some_and(|attempt| may_be_paid(id, attempt));
            decide(world, record, &situation, Outcome::Approved, is_undecided).await?
        }
        Resolution::NotCharged => decide(world, record, &situation, Outcome::Declined, false).await?,
    };
    let attempt = record.attempt.as_ref();
    let stage = attempt.map_or(Stage::Sending, |attempt| attempt.stage);
    let is_unknown = is_unanswered && attempt.is_some_and(|attempt| may_be_paid(id, attempt));
    Ok(ResolvedState { result: stage.result(), is_awaited: stage.is_open() || is_unknown })
}

/// Whether an entry asks what became of an attempt that ended without success and without a word of its gateway.
fn may_be_paid(id: &AttentionId, attempt: &Attempt) -> bool {
    let is_closed = Urgency::of(attempt.stage) == Some(Urgency::Closed);
    id.reason == Reason::OutcomeUnknown && is_closed && !attempt.was_declined()
}

/// The operator knows from the gateway the outcome of a held attempt, or of one that ended undecided.
async fn decide(
    world: &impl World,
    record: Record,
    situation: &Situation,
    outcome: Outcome,
    is_undecided: bool,
) -> Result<Record, Failure> {
    let attempt = record
        .attempt
        .as_ref()
        .filter(|attempt| attempt.stage == Stage::Unknown || is_undecided)
        .ok_or(Rejection::NotResolvable)?;
    let report = Report {
        reference: attempt.reference.to_string(),
        total: None,
        message: (outcome == Outcome::Declined).then(|| "not charged, as the gateway confirmed".into()),
        outcome,
        gateway_id: None,
        params: PgParams::new(),
        raw: None,
        card: None,
    };
    let attempt_report =
        AttemptReport::of(AttemptResult::Report(report), ReportOccasion::Background, Cause::Other);
    Ok(settle(world, record, situation, attempt_report).await?.record)
}
