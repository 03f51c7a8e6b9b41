//! Reading why the payments of a transaction went to their gateways.

use alloc::string::String;

use crate::access::Caller;
use crate::answer::routing::answer;
use crate::flow::Failure;
use crate::flow::find::seen_by;
use crate::port::{Decisions, World};
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
    seen_by(world, caller, session_id).await?;
    // 2
    Ok(answer(&world.ledger(session_id).decisions(session_id).await?)?)
}
