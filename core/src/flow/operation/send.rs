//! Asks a gateway to do an operation.

use crate::child::Child;
use crate::flow::connect::{callback_url, speak};
use crate::flow::patience::gateway_limit;
use crate::gateway::connector::Connector;
use crate::gateway::operation::OperationOrder;
use crate::operation::apply::Learned;
use crate::port::{Http, PortError, SendError, World};
use crate::settings::MerchantSettings;

/// Asks the gateway to do an operation that is already stored.
pub(in crate::flow) async fn send(
    world: &impl World,
    settings: &MerchantSettings,
    child: &Child,
) -> Result<Learned, PortError> {
    let Some(profile) = settings.gateway(&child.pg_code) else { return Ok(Learned::NeverSent) };
    let Some(connector) = speak(world, settings, profile)? else { return Ok(Learned::NeverSent) };
    let order = OperationOrder {
        reference: child.reference.clone(),
        charge: child.attempt.clone(),
        operation: child.operation,
        amount: child.amount,
        callback_url: callback_url(world.installation(), &child.reference),
    };
    Ok(match world.http().send(connector.operate(&order), gateway_limit(world)).await {
        Ok(answer) => Learned::Report(connector.read_operate(&order, &answer)),
        Err(SendError::NotSent) => Learned::NeverSent,
        Err(SendError::Unknown) => Learned::AnswerLost,
    })
}
