//! When the access of someone ends who gives access to others: what they make ends no later.
//!
//! Decisions: a token ends with the key or the user to whom it was given, and gives what they give. Users and the keys of a
//! new merchant have no end, so who has one makes and changes none of them: neither would end with its maker.

use crate::access::grantor::Grantor;
use crate::access::operator::{Operator, ROOT};
use crate::flow::Failure;
use crate::port::{Operators, PortError, Registry, World};
use crate::rejection::Rejection;
use crate::value::id::MerchantId;
use crate::value::time::Timestamp;

/// When the access to a merchant of who gives access ends.
pub(super) async fn end_of(
    world: &impl World,
    merchant: &MerchantId,
    grantor: Grantor<'_>,
) -> Result<Option<Timestamp>, PortError> {
    let caller = match grantor {
        Grantor::Operator(operator) => return end_of_operator(world, operator).await,
        Grantor::Merchant(caller) => caller,
    };
    let Some(prefix) = &caller.prefix else { return Ok(None) };
    let keys = world.directory().keys(merchant).await?;
    Ok(keys.into_iter().find(|key| key.prefix == *prefix).and_then(|key| key.expires_at))
}

/// When the key of an operator ends.
pub(in crate::flow) async fn end_of_operator(
    world: &impl World,
    operator: &Operator,
) -> Result<Option<Timestamp>, PortError> {
    if *operator == ROOT {
        return Ok(None);
    }
    let operators = world.directory().operators().await?;
    Ok(operators
        .into_iter()
        .find(|entry| entry.operator.id == operator.id)
        .and_then(|entry| entry.expires_at))
}

/// Refuses to make what has no end, if this is the end of who makes it.
///
/// # Errors
/// [`Rejection::PermissionMissing`].
pub(in crate::flow) fn refuse_endless(end: Option<Timestamp>) -> Result<(), Failure> {
    if end.is_some() { Err(Rejection::PermissionMissing.into()) } else { Ok(()) }
}
