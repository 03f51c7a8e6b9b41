//! Begins an attempt, asks its gateway to charge, and stores the answer.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::open::open;
use super::plan::{Agreed, AttemptPlan, Charged, Means};
use super::price::{check_shown, check_unchanged};
use crate::answer::payload::Cause;
use crate::attempt::stage::Stage;
use crate::change::{AttemptWrite, Change};
use crate::flow::Failure;
use crate::flow::charge::limit::{claim, may_try_from};
use crate::flow::charge::routing::seen;
use crate::flow::commit::notify::{Notice, notify};
use crate::flow::commit::store;
use crate::flow::settle::{AttemptReport, SettledAttempt, settle};
use crate::payment::apply::ReportOccasion;
use crate::payment::begin::{AttemptTerms, begin};
use crate::port::{Cards, CommitError, Record, Store, World};
use crate::record::consent::Consent;
use crate::rejection::Rejection;
use crate::rejection::refusal::Breach;
use crate::settings::situation::Situation;
use crate::strings::consent::VERSION;
use crate::transaction::Transaction;
use crate::value::id::DeliveryId;

/// How often an attempt is begun again because the transaction was changed first.
const MAX_TRIES: u8 = 5;

/// An attempt that exists.
struct Begun {
    /// The transaction with the attempt.
    record: Record,
    /// The notification about it, if it is acknowledged at once.
    delivery: Option<DeliveryId>,
}

/// Begins an attempt (commit 1), asks its gateway to charge, and stores the answer (commit 2).
pub(super) async fn charge_new(
    world: &impl World,
    record: Record,
    situation: &Situation,
    mut plan: AttemptPlan<'_>,
) -> Result<Charged, Failure> {
    let begun = open_attempt(world, record, situation, &mut plan).await?;
    let AttemptPlan { profile, purpose, has_next, .. } = plan;
    let language = purpose.reader().and_then(|payer| payer.language);
    let means = Means { profile, instrument: purpose.instrument(), language, has_next };
    // Boxed: the caller may be deep in a payment.
    let settled = Box::pin(charge_attempt(world, begun.record, situation, means)).await?;
    Ok(Charged { record: settled.record, earlier: Vec::new(), delivery: begun.delivery.or(settled.delivery) })
}

/// Commit 1: the attempt exists, and with it the claim of its idempotency key, before the gateway is asked
/// anything. That the payer's page was opened first is no reason to refuse it.
///
/// # Errors
/// [`Rejection::Paused`] if the merchant is paused; [`Rejection::AttemptInProgress`] if another attempt, or
/// the same request, came first.
async fn open_attempt(
    world: &impl World,
    mut record: Record,
    situation: &Situation,
    plan: &mut AttemptPlan<'_>,
) -> Result<Begun, Failure> {
    for _ in 0..MAX_TRIES {
        let change = match try_to_open(world, &record, situation, plan).await? {
            TriedOpening::Begun(begun) => return Ok(*begun),
            TriedOpening::Lost(change) => *change,
        };
        record = after_race(world, situation, record, &change, plan).await?;
        plan.actor = change.actor.map(|actor| *actor);
        plan.claim = change.answer;
        plan.decision = change.decision;
    }
    Err(Rejection::AttemptInProgress.into())
}

/// What became of an attempt that was to be stored.
enum TriedOpening {
    /// It exists.
    Begun(Box<Begun>),
    /// The transaction was changed first: what was not stored.
    Lost(Box<Change>),
}

async fn try_to_open(
    world: &impl World,
    record: &Record,
    situation: &Situation,
    plan: &mut AttemptPlan<'_>,
) -> Result<TriedOpening, Failure> {
    let (settings, now) = (&situation.settings, situation.now);
    settings.takes_payments()?;
    let (profile, principal, purpose) = (plan.profile, plan.principal, plan.purpose);
    let terms = AttemptTerms { profile, principal, form_of_payment: purpose.form() };
    let reference = plan.reference.clone();
    let mut change = begin(&record.transaction, record.attempt.as_ref(), terms, reference, now)?;
    if let (Some(shown), Some(AttemptWrite::Open(attempt))) = (purpose.shown(), &change.attempt) {
        check_shown(shown, profile, principal, &attempt.quote)?;
    }
    change.actor = plan.actor.take().map(Box::new);
    change.answer = plan.claim.take();
    change.decision = plan.decision.take();
    if let Some(agreed) = purpose.reader().and_then(|payer| payer.agreed.as_ref()) {
        // The merchant may have changed the terms while a gateway was asked about the attempt before.
        agreed.check(&record.transaction, settings)?;
        let Agreed { language, text } = agreed.clone();
        let reference = plan.reference.clone();
        change.consent = Some(Box::new(Consent { reference, at: now, version: VERSION, language, text }));
    }
    change.cycle = purpose.cycle().cloned().map(Box::new);
    change.retry = purpose.retry().cloned().map(Box::new);
    change.payer = claim(world, situation);
    if let (Some(card), Some(AttemptWrite::Open(attempt))) = (purpose.card(), &mut change.attempt) {
        attempt.card = card;
    }
    let is_settled = change.attempt.as_ref().is_some_and(|write| !write.attempt().is_open());
    if is_settled {
        notify(world, &mut change, situation, Notice::PLAIN)?;
    }
    match store(world, &mut change).await {
        Ok(()) => {
            let delivery = change.message_ids().next();
            let attempt = change.attempt.map(|write| write.attempt().clone());
            let record = Record { transaction: change.transaction, attempt };
            Ok(TriedOpening::Begun(Box::new(Begun { record, delivery })))
        }
        Err(CommitError::Conflict) => Ok(TriedOpening::Lost(Box::new(change))),
        Err(CommitError::KeyTaken) => Err(Rejection::AttemptInProgress.into()),
        Err(CommitError::Failed(error)) => Err(error.into()),
    }
}

/// The transaction as it is now, if all that it was decided on is as it was: what came first is an event without a change, or that
/// the page was opened.
///
/// # Errors
/// The rejection if that was another payment under its agreement, others of its payer, another price, another attempt, or any
/// other change of the transaction.
async fn after_race(
    world: &impl World,
    situation: &Situation,
    record: Record,
    change: &Change,
    plan: &AttemptPlan<'_>,
) -> Result<Record, Failure> {
    if let Some(claim) = change.cycle.as_ref().filter(|claim| claim.checked.is_some()) {
        let stored = world.ledger(&claim.key).agreement(&claim.key).await?;
        if !claim.is_current(stored.as_ref()) {
            return Err(Rejection::AgreementBroken(Breach::InProgress).into());
        }
    }
    if let Some(claim) = &change.payer
        && let Err(failure) = may_try_from(world, situation, &change.transaction.session_id, claim).await
    {
        return Err(failure);
    }
    let session_id = &record.transaction.session_id;
    let stored = world.ledger(session_id).load(session_id).await?.ok_or(Rejection::NotFound)?;
    check_unchanged(record.transaction.amount, &stored.transaction, plan.profile, plan.purpose.shown())?;
    let Transaction { version, state, moved_at, .. } = stored.transaction;
    let as_decided =
        Record { transaction: Transaction { version, state, moved_at, ..record.transaction }, ..record };
    if stored == as_decided { Ok(stored) } else { Err(Rejection::AttemptInProgress.into()) }
}

/// Asks the gateway to charge an attempt that is being sent, and stores its answer (commit 2); one that has
/// its result already, such as cash, stays as it is.
async fn charge_attempt(
    world: &impl World,
    record: Record,
    situation: &Situation,
    means: Means<'_>,
) -> Result<SettledAttempt, Failure> {
    if record.attempt.as_ref().is_none_or(|attempt| attempt.stage != Stage::Sending) {
        return Ok(SettledAttempt { record, delivery: None });
    }
    let code = means.profile.code.clone();
    let (learned, has_answered) = open(world, &situation.settings, &record, means).await?;
    let situation = &situation.later(world);
    let health = has_answered.and_then(|has_answered| seen(situation, &code, has_answered));
    let attempt_report =
        AttemptReport { health, ..AttemptReport::of(learned, ReportOccasion::Opening, Cause::Other) };
    settle(world, record, situation, attempt_report).await
}
