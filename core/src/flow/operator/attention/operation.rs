//! Resolving entries of the attention list about an operation.

use crate::api::attention::Resolution;
use crate::child::Child;
use crate::flow::Failure;
use crate::flow::operation::{decide, inquire};
use crate::gateway::operation::OperationOutcome;
use crate::port::{Bookkeeping, World};
use crate::record::attention::AttentionId;
use crate::rejection::Rejection;

/// Applies the action to an operation; returns the operation as it is then.
///
/// # Errors
/// [`Rejection::NotFound`], or a failure of the world.
pub(super) async fn resolve(
    world: &impl World,
    id: &AttentionId,
    resolution: Resolution,
) -> Result<Child, Failure> {
    world.ledger(&id.reference).child(&id.reference).await?.ok_or(Rejection::NotFound)?;
    match resolution {
        Resolution::Dismiss => {}
        Resolution::Inquire => {
            inquire(world, &id.reference).await?;
        }
        Resolution::Approved => decide(world, &id.reference, OperationOutcome::Done).await?,
        Resolution::NotCharged => decide(world, &id.reference, OperationOutcome::Refused).await?,
    }
    Ok(world.ledger(&id.reference).child(&id.reference).await?.ok_or(Rejection::NotFound)?)
}
