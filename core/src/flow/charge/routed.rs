//! Pays through the first gateway of a route that can be reached.

use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::vec::Vec;

use super::{Charged, Plan, charge_new, may_try};
use crate::answer::payload::Cause;
use crate::attempt::Attempt;
use crate::attempt::stage::Stage;
use crate::flow::settle::{Arrived, settle};
use crate::flow::{Failure, generate, now_of};
use crate::payment::apply::{Learned, Occasion};
use crate::payment::routing::Route;
use crate::port::{Record, World};
use crate::settings::MerchantSettings;
use crate::value::id::DeliveryId;

/// Pays through the first gateway of a route, as [`charge_new`] does, and through the next one if the payment certainly did
/// not reach it:
///
/// 1. the attempt at the first gateway, with the claim of the request;
/// 2. if the gateway refused to take the payment, was not reached, or did not open a page that nobody was given, the next
///    gateway has an attempt of its own, unless the transaction was tried too often;
/// 3. any other outcome is the outcome, a decline too.
///
/// What is refused or impossible from the second attempt on leaves the first one as it is.
///
/// # Errors
/// Those of the first attempt, or a failure of the world.
pub(crate) async fn charge_routed(
    world: &impl World,
    record: Record,
    settings: &Rc<MerchantSettings>,
    mut plan: Plan<'_>,
) -> Result<Charged, Failure> {
    let Some(Route { gateways, mut reasons }) = plan.route.take() else {
        return charge_new(world, record, settings, plan).await;
    };
    let mut left = gateways.into_iter().peekable();
    let Some(mut profile) = left.next() else { return charge_new(world, record, settings, plan).await };
    // 1
    let has_next = left.peek().is_some();
    let again = has_next.then(|| plan.again());
    let mut first = Plan { profile, has_next, ..plan };
    if let Some(reasons) = &mut reasons {
        let reference = match first.reference.take() {
            Some(reference) => reference,
            None => generate::reference(world, settings)?,
        };
        first.decision = Some(Box::new(reasons.decision(&reference, now_of(world, settings), None)));
        first.reference = Some(reference);
    }
    let mut charged = charge_new(world, record, settings, first).await?;
    let Some(again) = again else { return Ok(charged) };
    // 2
    while let Some(next) = left.next() {
        charged = given_up(world, charged, settings).await?;
        let Some(failed) = charged.record.attempt.as_ref().filter(|attempt| was_not_reached(attempt)) else {
            break;
        };
        if may_try(world, &charged.record, now_of(world, settings)).await.is_err() {
            break;
        }
        let reference = generate::reference(world, settings)?;
        let mut plan = Plan { profile: next, has_next: left.peek().is_some(), ..again.again() };
        if let Some(reasons) = &mut reasons {
            let replaced = Some((&failed.reference, &profile.code, &next.code));
            plan.decision = Some(Box::new(reasons.decision(&reference, now_of(world, settings), replaced)));
        }
        plan.reference = Some(reference);
        let earlier: Vec<DeliveryId> =
            charged.earlier.iter().cloned().chain(charged.delivery.clone()).collect();
        match charge_new(world, charged.record.clone(), settings, plan).await {
            Ok(tried) => charged = Charged { earlier, ..tried },
            Err(Failure::Refused(_)) => break,
            Err(failure @ Failure::World(_)) => return Err(failure),
        }
        profile = next;
    }
    // 3
    Ok(charged)
}

impl Plan<'_> {
    /// The same payment once more, with an attempt of its own.
    fn again(&self) -> Self {
        let Self { profile, principal, form, language, .. } = *self;
        let (instrument, card) = (self.instrument.clone(), self.card.clone());
        Self { form, language, card, ..Self::of(profile, principal, instrument) }
    }
}

/// An attempt whose page nobody was given is given up: there is nobody who could pay it.
async fn given_up(
    world: &impl World,
    charged: Charged,
    settings: &MerchantSettings,
) -> Result<Charged, Failure> {
    if !charged.record.attempt.as_ref().is_some_and(Attempt::was_never_shown) {
        return Ok(charged);
    }
    let Charged { record, mut earlier, delivery } = charged;
    let arrived = Arrived::of(Learned::GivenUp, Occasion::Background, Cause::Other);
    let settled = settle(world, record, settings, arrived).await?;
    earlier.extend(delivery);
    Ok(Charged { record: settled.record, earlier, delivery: settled.delivery })
}

/// Whether a payment certainly did not reach its gateway, or its page was given to nobody and was given up.
fn was_not_reached(attempt: &Attempt) -> bool {
    match attempt.stage {
        Stage::Error => true,
        Stage::Canceled => attempt.page_url.is_none() && attempt.gateway_id.is_none(),
        Stage::Sending | Stage::Redirected | Stage::Unknown | Stage::Failed | Stage::Success | Stage::Cod => {
            false
        }
    }
}
