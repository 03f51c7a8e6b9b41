//! Pays in place of an attempt that waits for the payer.

use alloc::boxed::Box;

use super::limit::may_try;
use super::plan::{Charged, Plan};
use super::price::{check_shown, check_unchanged};
use super::room::make_room;
use super::routed::charge_routed;
use crate::flow::Failure;
use crate::payment::begin::{Opening, WantedPayment, may_open};
use crate::port::{Record, World};
use crate::rejection::Rejection;
use crate::settings::situation::Situation;

/// Withdraws what waits for the payer on a page, and pays through the first gateway of the route
/// that can be reached.
pub(crate) async fn replace_and_charge(
    world: &impl World,
    record: Record,
    situation: &Situation,
    plan: Plan<'_>,
) -> Result<Charged, Failure> {
    let amount = record.transaction.amount;
    if let (Some(shown), Some(quote)) = (plan.purpose.shown(), plan.profile.quote(plan.principal)) {
        check_shown(shown, plan.profile, plan.principal, &quote)?;
    }
    situation.settings.takes_payments()?;
    let wanted = WantedPayment { code: &plan.profile.code, principal: plan.principal };
    let opening = may_open(&record.transaction, record.attempt.as_ref(), wanted, situation.now)?;
    if opening != Opening::Free && record.attempt.as_ref().is_some_and(|attempt| !attempt.permits_retry) {
        may_try(world, &record, situation).await?;
        return Err(Rejection::AttemptInProgress.into());
    }
    // Boxed: the caller may be deep in a payment.
    let room = Box::pin(make_room(world, record, situation, (wanted, opening))).await?;
    if room.is_paid {
        // It is refused like any request to pay something that is paid.
        room.check(world, wanted).await?;
    }
    // The merchant may have changed it while the page was withdrawn: what is charged was agreed on before.
    check_unchanged(amount, &room.record.transaction, plan.profile, plan.purpose.shown())?;
    // Boxed: with it the future would be larger than a stack should carry.
    let charged = Box::pin(charge_routed(world, room.record, &room.situation, plan)).await?;
    Ok(Charged { earlier: room.delivery.into_iter().chain(charged.earlier).collect(), ..charged })
}
