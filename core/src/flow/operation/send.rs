//! Asks a gateway to do an operation.

use crate::child::Child;
use crate::flow::exchange::connect::{callback_url, charge_ref, speak};
use crate::flow::exchange::exchange;
use crate::flow::exchange::patience::gateway_limit;
use crate::gateway::charge::ChargeRef;
use crate::gateway::operation::OperationOrder;
use crate::operation::apply::OperationUpdate;
use crate::operation::begin::Books;
use crate::port::{PortError, SendError, Store, World};
use crate::settings::MerchantSettings;

/// Asks the gateway to do an operation that is already stored.
pub(in crate::flow) async fn send(
    world: &impl World,
    settings: &MerchantSettings,
    books: &Books,
    child: &Child,
) -> Result<OperationUpdate, PortError> {
    let Some(profile) = settings.gateway(&child.pg_code) else { return Ok(OperationUpdate::NeverSent) };
    let Some(connector) = speak(world, settings, profile)? else { return Ok(OperationUpdate::NeverSent) };
    let Some(charge) = charge_of(world, books, child).await? else { return Ok(OperationUpdate::NeverSent) };
    let order = OperationOrder {
        reference: child.reference.clone(),
        charge,
        operation: child.operation,
        amount: child.amount,
        callback_url: callback_url(world.installation(), &child.reference),
    };
    Ok(match exchange(world, connector.operate(&order), gateway_limit(world)).await {
        Ok(report) => OperationUpdate::Report(report),
        Err(SendError::NotSent) => OperationUpdate::NeverSent,
        Err(SendError::Unknown) => OperationUpdate::AnswerLost,
    })
}

/// The charge whose money an operation moves: usually that of the attempt that settled the payment.
pub(super) async fn charge_of(
    world: &impl World,
    books: &Books,
    child: &Child,
) -> Result<Option<ChargeRef>, PortError> {
    if let Some(attempt) = books.settled.as_ref().filter(|attempt| attempt.reference == child.attempt) {
        return Ok(Some(charge_ref(attempt)));
    }
    let record = world.ledger(&child.attempt).load_attempt(&child.attempt).await?;
    Ok(record.and_then(|record| record.attempt).as_ref().map(charge_ref))
}
