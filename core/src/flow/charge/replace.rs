//! Pays in place of an attempt that waits for the payer.

use alloc::boxed::Box;

use super::plan::{Charged, Plan};
use super::price::{check_shown, check_unchanged};
use super::room::make_room;
use super::routed::charge_routed;
use crate::flow::Failure;
use crate::port::{Record, World};
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
    if let (Some(shown), Some(quote)) = (&plan.shown, plan.profile.quote(plan.principal)) {
        check_shown(shown, plan.profile, plan.principal, &quote)?;
    }
    let room = make_room(world, record, situation, &plan).await?;
    // The merchant may have changed it while the page was withdrawn: what is charged was agreed on before.
    check_unchanged(amount, &room.record.transaction, plan.profile, plan.shown.as_ref())?;
    // Boxed: with it the future would be larger than a stack should carry.
    let charged = Box::pin(charge_routed(world, room.record, situation, plan)).await?;
    Ok(Charged { earlier: room.delivery.into_iter().chain(charged.earlier).collect(), ..charged })
}
