//! What routing needs beyond the settings: which gateways failed lately, what a payment shows about its gateway, and the
//! attempt that replaced another one.

use alloc::boxed::Box;
use core::time::Duration;

use crate::attempt::Attempt;
use crate::attempt::stage::Stage;
use crate::flow::Failure;
use crate::payment::routing::goes_on_as;
use crate::port::{Decisions, PortError, Record, Store, World};
use crate::record::decision::RoutingDecision;
use crate::record::health::{Health, HealthWrite, Seen};
use crate::rejection::Rejection;
use crate::settings::situation::Situation;
use crate::value::id::PgCode;

/// How long after an attempt that did not reach its gateway the next one begins at the latest.
const BETWEEN: Duration = Duration::from_secs(5);
/// How long after a failure the next one counts as another in a row.
const WINDOW: Duration = Duration::from_mins(10);

/// The situation with the gateways that failed lately, if the merchant has routing.
///
/// # Errors
/// If the store fails.
pub(in crate::flow) async fn with_health(
    world: &impl World,
    situation: Situation,
) -> Result<Situation, PortError> {
    if situation.settings.routing.is_none() {
        return Ok(situation);
    }
    let health = world
        .ledger(&situation.settings.merchant)
        .health(&situation.settings.merchant, situation.real_now())
        .await?;
    Ok(situation.with_health(health))
}

/// What is stored of a gateway that answered, or failed; `None` if that is no news, or nobody asks.
pub(in crate::flow) fn seen(
    situation: &Situation,
    code: &PgCode,
    has_answered: bool,
) -> Option<Box<HealthWrite>> {
    let settings = &situation.settings;
    let skip = settings.routing.as_ref()?.skip;
    let at = situation.real_now();
    let seen = if has_answered {
        let is_news = |known: &[Health]| known.iter().any(|health| health.code == *code);
        situation.health().is_none_or(is_news).then_some(Seen::Answered)?
    } else {
        Seen::Failed {
            at,
            counted_from: at.minus(WINDOW.max(skip.period)),
            skipped_from: skip.after,
            skipped_until: at.plus(skip.period),
        }
    };
    Some(Box::new(HealthWrite { merchant: settings.merchant.clone(), code: code.clone(), seen }))
}

/// The attempt that replaced one that did not reach its gateway or was declined there, or the one that replaced that;
/// otherwise the attempt itself.
///
/// # Errors
/// [`Rejection::AttemptInProgress`] while the next gateway may still be about to be tried; a failure of the world.
pub(in crate::flow) async fn replacement(
    world: &impl World,
    situation: &Situation,
    record: Record,
) -> Result<Record, Failure> {
    let Some(attempt) = record.attempt.as_ref().filter(|attempt| may_be_replaced(attempt)) else {
        return Ok(record);
    };
    let decisions = world.ledger(&attempt.session_id).decisions(&attempt.session_id).await?;
    let next = |attempt: &Attempt| {
        decisions.iter().find(|decision| decision.replaces.as_ref() == Some(&attempt.reference))
    };
    let mut newest = record;
    while let Some(decision) = newest.attempt.as_ref().and_then(next) {
        match world.ledger(&decision.reference).load_attempt(&decision.reference).await? {
            Some(record) => newest = record,
            None => break,
        }
    }
    let is_between = |attempt: &Attempt| {
        let decision = decisions.iter().find(|decision| decision.reference == attempt.reference);
        goes_on_as(attempt, attempt.stage == Stage::Canceled, situation.settings.routing.as_ref()).is_some()
            && situation.now.since(attempt.known_at) < BETWEEN
            && decision.is_some_and(RoutingDecision::has_next)
    };
    if newest.attempt.as_ref().is_some_and(is_between) {
        return Err(Rejection::AttemptInProgress.into());
    }
    Ok(newest)
}

/// Whether another attempt may have taken its place: it did not reach its gateway, its page was given up, or it was declined.
const fn may_be_replaced(attempt: &Attempt) -> bool {
    matches!(attempt.stage, Stage::Error | Stage::Canceled | Stage::Failed)
}
