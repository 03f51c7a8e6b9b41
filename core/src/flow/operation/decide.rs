//! The operator decides about an operation whose outcome is awaited.

use super::load::load;
use super::settle::{ReportedOperation, settle};
use crate::child::stage::OperationStage;
use crate::flow::Failure;
use crate::flow::situation::situation_of;
use crate::gateway::operation::{OperationOutcome, OperationReport};
use crate::operation::apply::OperationUpdate;
use crate::port::World;
use crate::rejection::Rejection;
use crate::value::id::ReferenceNumber;

/// The operator knows from the gateway the outcome of an operation that is awaited.
///
/// # Errors
/// [`Rejection::NotFound`], [`Rejection::NotResolvable`] if it is not awaited, or a failure of the world.
pub(in crate::flow) async fn decide(
    world: &impl World,
    reference: &ReferenceNumber,
    outcome: OperationOutcome,
) -> Result<(), Failure> {
    let stored = load(world, reference).await?.ok_or(Rejection::NotFound)?;
    if !matches!(stored.child.stage, OperationStage::Unknown | OperationStage::Queued) {
        return Err(Rejection::NotResolvable.into());
    }
    let situation = situation_of(world, &stored.child.merchant).await?;
    let report = OperationReport::bare(reference.as_str(), outcome);
    settle(world, stored, &situation, ReportedOperation::of_gateway(OperationUpdate::Report(report))).await?;
    Ok(())
}
