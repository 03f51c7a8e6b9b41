//! Pays through the first gateway of a route that can be reached.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::attempt::charge_new;
use super::plan::{AttemptPlan, Charged, Plan, ServerOrder};
use crate::answer::payload::Cause;
use crate::attempt::Attempt;
use crate::attempt::stage::Stage;
use crate::flow::Failure;
use crate::flow::charge::limit::may_try;
use crate::flow::commit::generate;
use crate::flow::settle::{AttemptReport, settle};
use crate::gateway::instrument::Instrument;
use crate::payment::apply::{AttemptResult, ReportOccasion};
use crate::payment::begin::{Opening, WantedPayment, may_open};
use crate::payment::routing::{PaymentRoute, goes_on_as};
use crate::port::{Record, World};
use crate::settings::situation::Situation;
use crate::transaction::Transaction;
use crate::value::id::{DeliveryId, PgCode};
use crate::value::money::Money;

/// Pays through the first gateway of a route, as [`charge_new`] does, and through the next one if the payment certainly did
/// not reach it:
///
/// 1. the attempt at the first gateway, with the claim of the request;
/// 2. if the gateway refused to take the payment, was not reached, or did not open a page that nobody was given, the next
///    gateway has an attempt of its own, unless the transaction was tried too often;
/// 3. so does a payment that was certainly declined for a reason that another gateway may not have, if the settings let it go
///    on; any other outcome is the outcome.
///
/// What is refused or impossible from the second attempt on leaves the first one as it is.
///
/// # Errors
/// Those of the first attempt, or a failure of the world.
pub(crate) async fn charge_routed(
    world: &impl World,
    record: Record,
    situation: &Situation,
    plan: Plan<'_>,
) -> Result<Charged, Failure> {
    let Plan { profile, principal, purpose, route: PaymentRoute { gateways, mut reasons }, order } = plan;
    let mut left = gateways.into_iter().peekable();
    let mut profile = left.next().unwrap_or(profile);
    // 1
    let (purpose, agreed) = (&purpose, AgreedRoute::of(&record.transaction));
    // A wallet's payment that is silent may have been charged: to give it less time would gain nothing.
    let is_page = purpose.instrument() == Instrument::Page;
    let (reference, claim, actor) = match order {
        Some(ServerOrder { reference, claim, actor }) => (reference, claim, Some(actor)),
        None => {
            (generate::reference(world, &situation.settings, &record.transaction.session_id)?, None, None)
        }
    };
    let decision = reasons.as_mut().map(|reasons| reasons.decision(&reference, situation.now, None));
    let (decision, has_next) = (decision.map(Box::new), is_page && left.peek().is_some());
    let by = actor.clone();
    let first = AttemptPlan { profile, principal, purpose, reference, claim, actor: by, decision, has_next };
    let mut charged = charge_new(world, record, situation, first).await?;
    // 2
    while let Some(next) = left.next() {
        let situation = &situation.later(world);
        let is_given_up;
        (charged, is_given_up) = given_up(world, charged, situation).await?;
        let Record { transaction, attempt: Some(failed) } = &charged.record else { break };
        let wanted = WantedPayment { code: &next.code, principal };
        let Some(why) = goes_on_as(failed, is_given_up, situation.settings.routing.as_ref()) else { break };
        if !agreed.is_unchanged(transaction)
            || may_open(transaction, Some(failed), wanted, situation.now) != Ok(Opening::Free)
            || may_try(world, &charged.record, situation).await.is_err()
        {
            break;
        }
        let reference = generate::reference(world, &situation.settings, &transaction.session_id)?;
        let decision = reasons.as_mut().map(|reasons| {
            let replaced = Some((&failed.reference, &profile.code, &next.code, why));
            reasons.decision(&reference, situation.now, replaced)
        });
        let (decision, has_next) = (decision.map(Box::new), is_page && left.peek().is_some());
        let actor = actor.clone();
        let plan = AttemptPlan {
            profile: next,
            principal,
            purpose,
            reference,
            claim: None,
            actor,
            decision,
            has_next,
        };
        let earlier: Vec<DeliveryId> =
            charged.earlier.iter().cloned().chain(charged.delivery.clone()).collect();
        match charge_new(world, charged.record.clone(), situation, plan).await {
            Ok(tried) => charged = Charged { earlier, ..tried },
            Err(Failure::Refused(_)) => break,
            Err(failure) => return Err(failure),
        }
        profile = next;
    }
    // 3
    Ok(charged)
}

/// What was agreed on when the route was chosen: the merchant may change it between two attempts.
struct AgreedRoute {
    amount: Money,
    codes: Vec<PgCode>,
}

impl AgreedRoute {
    fn of(transaction: &Transaction) -> Self {
        Self { amount: transaction.amount, codes: transaction.pg_codes.clone() }
    }

    fn is_unchanged(&self, transaction: &Transaction) -> bool {
        self.amount == transaction.amount && self.codes == transaction.pg_codes
    }
}

/// An attempt whose page nobody was given is given up, because there is nobody who could pay it; and whether it was.
async fn given_up(
    world: &impl World,
    charged: Charged,
    situation: &Situation,
) -> Result<(Charged, bool), Failure> {
    if !charged.record.attempt.as_ref().is_some_and(Attempt::was_never_shown) {
        return Ok((charged, false));
    }
    let Charged { record, mut earlier, delivery } = charged;
    let attempt_report = AttemptReport::of(AttemptResult::GivenUp, ReportOccasion::Background, Cause::Other);
    let settled = settle(world, record, situation, attempt_report).await?;
    earlier.extend(delivery);
    let is_given_up = settled.record.attempt.as_ref().is_some_and(|attempt| attempt.stage == Stage::Canceled);
    Ok((Charged { record: settled.record, earlier, delivery: settled.delivery }, is_given_up))
}
