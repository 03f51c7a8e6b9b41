//! Carries out an exchange with a gateway, request by request.

pub(super) mod access_letter;
pub(super) mod connect;
pub(super) mod messenger;
pub(super) mod order;
pub mod patience;
pub(super) mod receiver;
pub(super) mod staff;

use core::time::Duration;

use crate::gateway::exchange::Incoming;
use crate::gateway::step::{Call, Step};
use crate::port::{Clock, Http, SendError, World};

/// The most requests of one exchange.
const MAX_REQUESTS: usize = 5;
/// The least time that a request is given, however late it is sent.
const LEAST: Duration = Duration::from_secs(1);

/// Carries out an exchange within `limit`, all of its requests together. A request that only adds to what is known may stay
/// without an answer.
///
/// # Errors
/// [`SendError::Unknown`] if the connection broke and a request that may move money can have arrived, this one or one
/// before it; otherwise [`SendError::NotSent`]. The same if it has too many requests.
pub(super) async fn exchange<T>(
    world: &impl World,
    first: Step<'_, T>,
    limit: Duration,
) -> Result<T, SendError> {
    let until = world.clock().now().plus(limit);
    let mut step = first;
    let mut may_have_moved = false;
    for turn in 0..MAX_REQUESTS {
        let call = match step {
            Step::Done(result) => return Ok(result),
            Step::Ask(call) => call,
        };
        let left = if turn == 0 { limit } else { until.since(world.clock().now()).max(LEAST).min(limit) };
        let Call { request, moves_money, is_needed, read } = call;
        match world.http().send(request, left).await {
            Ok(answer) => step = read(&answer),
            Err(SendError::Unknown | SendError::NotSent) if !is_needed => step = read(&Incoming::NONE),
            Err(SendError::Unknown) if moves_money => return Err(SendError::Unknown),
            Err(SendError::Unknown | SendError::NotSent) => return Err(broken(may_have_moved)),
        }
        may_have_moved |= moves_money;
    }
    match step {
        Step::Done(result) => Ok(result),
        Step::Ask(_) => Err(broken(may_have_moved)),
    }
}

const fn broken(may_have_moved: bool) -> SendError {
    if may_have_moved { SendError::Unknown } else { SendError::NotSent }
}
