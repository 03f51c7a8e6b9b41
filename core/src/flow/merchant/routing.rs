//! Reading why the payments of a transaction went to their gateways.

use alloc::string::String;

use crate::access::{Caller, Particular};
use crate::answer::routing::answer;
use crate::flow::Failure;
use crate::flow::find::by_session_id;
use crate::port::{Decisions, World};
use crate::rejection::Rejection;
use crate::value::id::SessionId;

/// Lists the decisions about the attempts of a transaction:
///
/// 1. load it; another merchant's id is answered like one that does not exist; the caller may see its plugin;
/// 2. list what was decided; nothing for a merchant without routing.
///
/// # Errors
/// The rejection, or a failure of the world.
pub async fn read_routing(
    world: &impl World,
    caller: &Caller,
    session_id: &SessionId,
) -> Result<String, Failure> {
    // 1
    let record = by_session_id(world, caller.merchant(), session_id.as_str()).await?;
    let record = record.ok_or(Rejection::NotFound)?;
    caller.may(Particular::Retrieve(record.transaction.plugin))?;
    // 2
    Ok(answer(&world.ledger(session_id).decisions(session_id).await?)?)
}
