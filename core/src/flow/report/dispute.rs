//! A gateway reports that a payment is disputed, or that a dispute goes on.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::answer::payload::Cause;
use crate::attempt::Attempt;
use crate::attempt::stage::Stage;
use crate::flow::Failure;
use crate::flow::exchange::connect::speak;
use crate::flow::exchange::exchange;
use crate::flow::exchange::patience::first_gateway_limit;
use crate::flow::inquire::{Inquiry, inquire};
use crate::flow::settle::{AttemptReport, settle};
use crate::gateway::dispute::{DisputeReport, Disputes};
use crate::payment::apply::{AttemptResult, ReportOccasion};
use crate::port::{Store, World};
use crate::rejection::Rejection;
use crate::settings::situation::Situation;
use crate::value::id::{DeliveryId, PgCode, ReferenceNumber};

/// Stores how the disputes of a payment are. The gateway is asked, whatever it reported: reports come twice and in any order.
/// A gateway that does not say reports again. `payment` is the gateway's id of the payment.
///
/// # Errors
/// [`Rejection::Unavailable`] if the gateway does not say, [`Rejection::AttemptInProgress`] while the payment is open, or a
/// failure of the world.
pub(super) async fn take_dispute(
    world: &impl World,
    situation: &Situation,
    pg_code: &PgCode,
    payment: &str,
) -> Result<Vec<DeliveryId>, Failure> {
    let settings = &situation.settings;
    let Some(profile) = settings.gateway(pg_code) else { return Ok(Vec::new()) };
    let Some(connector) = speak(world, settings, profile)? else { return Ok(Vec::new()) };
    let asked = exchange(world, connector.disputes(payment), first_gateway_limit(world)).await;
    match asked {
        Ok(Disputes::Of { reference, dispute }) => {
            take_said(world, situation, pg_code, DisputeReport { reference, dispute }).await
        }
        Ok(Disputes::OfOthers) => Ok(Vec::new()),
        Ok(Disputes::Unclear) | Err(_) => Err(Rejection::Unavailable.into()),
    }
}

/// Stores how a dispute is, as its gateway certainly says:
///
/// 1. a payment that is not known as a success is asked about first. One that is still open is reported again;
/// 2. what is new is stored, shown to a person, and the merchant is notified.
///
/// # Errors
/// [`Rejection::AttemptInProgress`] while the payment is open, or a failure of the world.
pub(super) async fn take_said(
    world: &impl World,
    situation: &Situation,
    pg_code: &PgCode,
    DisputeReport { reference, dispute }: DisputeReport,
) -> Result<Vec<DeliveryId>, Failure> {
    // 1
    let settings = &situation.settings;
    let Some(reference) = ReferenceNumber::parse(&reference) else { return Ok(Vec::new()) };
    let Some(mut record) = world.ledger(&reference).load_attempt(&reference).await? else {
        return Ok(Vec::new());
    };
    let is_own = |attempt: &Attempt| attempt.merchant == settings.merchant && attempt.pg_code == *pg_code;
    let Some(stage) = record.attempt.as_ref().filter(|attempt| is_own(attempt)).map(|attempt| attempt.stage)
    else {
        return Ok(Vec::new());
    };
    let mut deliveries = Vec::new();
    if stage != Stage::Success {
        let settled = Box::pin(inquire(world, record, situation, Inquiry::BACKGROUND)).await?;
        deliveries.extend(settled.delivery);
        record = settled.record;
    }
    if Attempt::has_open(record.attempt.as_ref()) {
        return Err(Rejection::AttemptInProgress.into());
    }
    // 2
    let learned = AttemptResult::Disputed(dispute);
    let report = AttemptReport::of(learned, ReportOccasion::Background, Cause::Other);
    deliveries.extend(settle(world, record, situation, report).await?.delivery);
    Ok(deliveries)
}
