//! What a gateway reports by itself.

use alloc::vec::Vec;

use super::settle::{Arrived, settle};
use super::{Failure, operation};
use crate::answer::payload::Cause;
use crate::flow::connect::speak;
use crate::flow::find::settings_for;
use crate::gateway::connector::Connector;
use crate::gateway::exchange::Incoming;
use crate::payment::apply::{Learned, Occasion};
use crate::port::{Store, World};
use crate::rejection::Rejection;
use crate::value::id::{DeliveryId, ReferenceNumber};

/// The gateway reports by itself:
///
/// 1. load the attempt that the address names; if it names an operation, that is settled;
/// 2. the request must be signed by the gateway;
/// 3. store the outcome; a duplicate changes nothing.
///
/// Returns the notifications to be delivered after the answer.
///
/// # Errors
/// [`Rejection::NotFound`], [`Rejection::SignatureInvalid`], or a failure of the world.
pub async fn call_back(
    world: &impl World,
    reference: &ReferenceNumber,
    request: &Incoming,
) -> Result<Vec<DeliveryId>, Failure> {
    // 1
    let Some(record) = world.store().load_attempt(reference).await? else {
        return report_operation(world, reference, request).await;
    };
    let settings = settings_for(world, &record.transaction.merchant).await?;
    let pg_code = record.attempt.as_ref().map(|attempt| &attempt.pg_code);
    let profile = pg_code.and_then(|code| settings.gateway(code)).ok_or(Rejection::NotFound)?;
    // 2
    let connector = speak(world, &settings, profile)?.ok_or(Rejection::NotFound)?;
    let report = connector.read_callback(reference, request).ok_or(Rejection::SignatureInvalid)?;
    // 3
    let arrived =
        Arrived { learned: Learned::Report(report), occasion: Occasion::Background, cause: Cause::Callback };
    Ok(settle(world, record, &settings, arrived).await?.delivery.into_iter().collect())
}

/// The gateway reports about an operation by itself; the notifications to be delivered after the answer.
///
/// # Errors
/// [`Rejection::NotFound`], [`Rejection::SignatureInvalid`], or a failure of the world.
async fn report_operation(
    world: &impl World,
    reference: &ReferenceNumber,
    request: &Incoming,
) -> Result<Vec<DeliveryId>, Failure> {
    let stored = operation::load(world, reference).await?.ok_or(Rejection::NotFound)?;
    let settings = settings_for(world, &stored.child.merchant).await?;
    let profile = settings.gateway(&stored.child.pg_code).ok_or(Rejection::NotFound)?;
    let connector = speak(world, &settings, profile)?.ok_or(Rejection::NotFound)?;
    let report = connector.read_operation_callback(reference, request).ok_or(Rejection::SignatureInvalid)?;
    let arrived = operation::Arrived::of_gateway(operation::Learned::Report(report));
    Ok(operation::settle(world, stored, &settings, arrived).await?.deliveries)
}
