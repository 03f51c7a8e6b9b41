//! Stores what was learned about an attempt: every outcome comes through here, from any source.

mod card;
mod hold;
mod ladder;
mod late;
mod reverse;

use alloc::boxed::Box;

use super::commit::{Decided, Decision, commit_outcome};

use crate::answer::payload::Cause;
use crate::attempt::Attempt;
use crate::attempt::stage::Stage;
use crate::card::usage::{CardUse, ChargeInitiator};
use crate::change::AttemptWrite;
use crate::flow::Failure;
use crate::flow::commit::notify::{Notice, notify};
use crate::flow::exchange::patience::GATEWAY_TIMEOUT;
use crate::flow::find::books_of;
use crate::gateway::decline::Unmapped;
use crate::payment::apply::{AttemptResult, OutcomeReport, ReportOccasion, apply};
use crate::port::{Record, Store, World};
use crate::record::health::HealthWrite;
use crate::rejection::Rejection;
use crate::settings::MerchantSettings;
use crate::settings::situation::Situation;
use crate::value::id::DeliveryId;

pub(crate) use ladder::{key_of, paused};
pub(crate) use late::save_late;

/// What is known after a report was stored.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SettledAttempt {
    /// The transaction and the attempt as they are now.
    pub(crate) record: Record,
    /// The notification that the report caused.
    pub(crate) delivery: Option<DeliveryId>,
}

/// A report about an attempt, and its origin for the notification.
#[derive(Debug, Clone)]
pub(crate) struct AttemptReport {
    pub(crate) learned: AttemptResult,
    pub(crate) occasion: ReportOccasion,
    pub(crate) cause: Cause,
    /// What it shows about the gateway.
    pub(crate) health: Option<Box<HealthWrite>>,
}

impl AttemptReport {
    /// A report that shows nothing about the gateway.
    pub(crate) const fn of(learned: AttemptResult, occasion: ReportOccasion, cause: Cause) -> Self {
        Self { learned, occasion, cause, health: None }
    }
}

/// Stores what was learned about the attempt of `record`. A conflict is decided again on what is stored then:
/// an outcome is a fact, and is never lost to a race.
///
/// # Errors
/// A failure of the world; the source of the report repeats it, or the sweep asks for it.
pub(crate) async fn settle(
    world: &impl World,
    record: Record,
    situation: &Situation,
    attempt_report: AttemptReport,
) -> Result<SettledAttempt, Failure> {
    let (settings, now) = (&situation.settings, situation.now);
    let reference = record.attempt.as_ref().map(|attempt| attempt.reference.clone());
    let reference = reference.ok_or(Rejection::Conflict)?;
    let load =
        async || Ok(world.ledger(&reference).load_attempt(&reference).await?.ok_or(Rejection::NotFound)?);
    let decided = commit_outcome(world, Some(Box::new(record)), load, async |record: Box<Record>| {
        let attempt = record.attempt.as_ref().ok_or(Rejection::Conflict)?;
        let outcome = OutcomeReport {
            learned: attempt_report.learned.clone(),
            occasion: attempt_report.occasion,
            inquiry_after: settings.gateway(&attempt.pg_code).map_or(GATEWAY_TIMEOUT, |p| p.inquiry_after),
            now,
        };
        let Some(applied) = apply(&record.transaction, attempt, outcome) else {
            return Ok(Decision::Nothing(record));
        };
        let mut change = applied.change;
        change.health.clone_from(&attempt_report.health);
        // Boxed: few payments involve a saved card, and every payment would carry its future.
        Box::pin(card::attach(world, &mut change, &attempt_report.learned, settings)).await?;
        let is_retry = Box::pin(ladder::plan(world, &mut change, situation)).await?;
        let is_answered = !is_retry && is_answered(attempt, attempt_report.occasion, settings);
        if applied.is_notified && !is_answered {
            let books = books_of(world, &record.transaction).await?;
            notify(
                world,
                &mut change,
                situation,
                Notice { cause: attempt_report.cause, books: books.as_ref() },
            )?;
        }
        change.hold = hold::of_attempt(&change, settings).map(Box::new);
        ladder::inform_payer(&mut change, &world.installation().public_url);
        Box::pin(reverse::plan(world, &mut change, settings)).await?;
        Ok(Decision::Commit(Box::new(change), record))
    });
    let Decided { change, basis } = decided.await?;
    let Some(change) = change else { return Ok(SettledAttempt { record: *basis, delivery: None }) };
    let delivery = change.message_ids().next();
    if let Some(write) = change.child {
        // It is recorded: if this fails, the sweep asks about its outcome.
        let _ = Box::pin(reverse::carry_out(world, situation, write.child().clone())).await;
    }
    if let Some(unmapped) = change.attempt.as_ref().and_then(|write| unmapped(settings, write)) {
        world.miss_decline_code(&unmapped);
    }
    let attempt = change.attempt.map(|write| write.attempt().clone());
    Ok(SettledAttempt { record: Record { transaction: change.transaction, attempt }, delivery })
}

/// The code with which an attempt was declined now, if no table has it.
fn unmapped(settings: &MerchantSettings, write: &AttemptWrite) -> Option<Unmapped> {
    let AttemptWrite::Update { from, attempt } = write else { return None };
    let is_new = *from != Stage::Failed && attempt.stage == Stage::Failed;
    let profile = settings.gateway(&attempt.pg_code).filter(|_| is_new)?;
    Unmapped::of(profile.connector, &attempt.pg_code, &attempt.params)
}

/// Whether the merchant learns this from the answer to its own auto debit, and wants no other notification of
/// it.
fn is_answered(attempt: &Attempt, occasion: ReportOccasion, settings: &MerchantSettings) -> bool {
    let is_own = matches!(attempt.card, CardUse::Charge(_, ChargeInitiator::Merchant));
    is_own && occasion == ReportOccasion::Opening && !settings.notifies_auto_debits
}
