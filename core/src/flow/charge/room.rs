//! Withdraws an attempt that waits for the payer on a page of its gateway.

use super::plan::Plan;
use crate::attempt::stage::Stage;
use crate::flow::Failure;
use crate::flow::charge::limit::may_try;
use crate::flow::inquire::withdraw;
use crate::flow::settle::Settled;
use crate::payment::begin::{Opening, WantedPayment, may_open};
use crate::port::{Record, World};
use crate::rejection::Rejection;
use crate::settings::situation::Situation;

/// Withdraws an attempt that waits for the payer on its gateway's page; the outcome of the attempt then
/// decides.
pub(super) async fn make_room(
    world: &impl World,
    record: Record,
    situation: &Situation,
    plan: &Plan<'_>,
) -> Result<Settled, Failure> {
    situation.settings.takes_payments()?;
    let wanted = WantedPayment { code: &plan.profile.code, principal: plan.principal };
    let opening = may_open(&record.transaction, record.attempt.as_ref(), wanted, situation.now)?;
    may_try(world, &record, situation).await?;
    match opening {
        Opening::Free => return Ok(Settled { record, delivery: None }),
        Opening::Resume | Opening::Replace => {}
    }
    if record.attempt.as_ref().is_some_and(|attempt| !attempt.permits_retry) {
        return Err(Rejection::AttemptInProgress.into());
    }
    // If it was paid in the meantime, it is refused like any request to pay something that is paid.
    let (Withdrawn::Ended(ended) | Withdrawn::Paid(ended)) = end_waiting(world, record, situation).await?;
    let Record { transaction, attempt } = &ended.record;
    may_open(transaction, attempt.as_ref(), wanted, situation.now)?;
    // Withdrawing may have learned of a decline.
    may_try(world, &ended.record, situation).await?;
    Ok(ended)
}

/// What became of an attempt that was to be withdrawn.
pub(crate) enum Withdrawn {
    /// It took no money.
    Ended(Settled),
    /// The payer had paid it.
    Paid(Settled),
}

/// Withdraws an attempt that waits for the payer on its gateway's page.
///
/// # Errors
/// [`Rejection::AttemptInProgress`] if its outcome stays open, or a failure of the world.
pub(crate) async fn end_waiting(
    world: &impl World,
    record: Record,
    situation: &Situation,
) -> Result<Withdrawn, Failure> {
    let settled = withdraw(world, record, situation).await?;
    match settled.record.attempt.as_ref().map(|attempt| attempt.stage) {
        Some(Stage::Sending | Stage::Redirected | Stage::Unknown) | None => {
            Err(Rejection::AttemptInProgress.into())
        }
        Some(Stage::Canceled | Stage::Failed | Stage::Error) => Ok(Withdrawn::Ended(settled)),
        Some(Stage::Success | Stage::Cod) => Ok(Withdrawn::Paid(settled)),
    }
}
