//! How long a gateway may take to answer. Nobody waits for a gateway that hangs: if a payer's browser waits,
//! the gateways of one request together must fit into the time that the browser has; what they have not
//! answered by then is unknown, and is asked about later.

use core::time::Duration;

use crate::payment::chase::SENDING_GRACE;
use crate::port::{Clock, Scope, World};
use crate::route::{Route, Waits};
use crate::value::time::Timestamp;
use crate::webhook::delivery::INLINE_WAIT;

/// How long a gateway may take to answer when no payer waits.
pub(crate) const GATEWAY_TIMEOUT: Duration = Duration::from_secs(15);
// Nobody asks about the outcome of a request that may still be in progress.
const _: () = assert!(SENDING_GRACE.as_secs() > GATEWAY_TIMEOUT.as_secs());
/// How long the gateways of one request may take together while a browser waits for their answer.
const PAYING: Duration = Duration::from_secs(10);
/// The same when the browser may have to wait for the merchant's receiver as well.
const RETURNING: Duration = Duration::from_secs(6);
/// How long a browser may wait for a whole answer: gateways, and the merchant's receiver after them.
const WHOLE: Duration = Duration::from_secs(11);
/// The least time that a gateway or a receiver is given, however late it is asked.
const LEAST: Duration = Duration::from_secs(1);

impl Route {
    /// How long a payer waits for the gateways behind a route; `None` if no payer waits. A call `from_page`
    /// comes from a browser and not from a merchant's server.
    #[must_use]
    pub const fn patience(&self, from_page: bool) -> Option<Duration> {
        match self.facts().waits {
            Waits::Payer => Some(PAYING),
            Waits::PayerOnPage if from_page => Some(PAYING),
            Waits::PayerForReceiver => Some(RETURNING),
            Waits::PayerOnPage | Waits::Nobody => None,
        }
    }
}

impl Scope {
    /// How long the browser that waits, if one does, waits for the merchant's receiver.
    #[must_use]
    pub fn receiver_limit(&self, now: Timestamp) -> Duration {
        match self.wait {
            None => INLINE_WAIT,
            Some(wait) => WHOLE.saturating_sub(now.since(wait.since)).clamp(LEAST, INLINE_WAIT),
        }
    }
}

/// How long to wait for the next answer of a gateway.
pub(crate) fn gateway_limit(world: &impl World) -> Duration {
    match world.scope().awaited_until() {
        None => GATEWAY_TIMEOUT,
        Some(until) => until.since(world.clock().now()).clamp(LEAST, GATEWAY_TIMEOUT),
    }
}

/// How long to wait for it if another answer is needed after it: half of what is left.
pub(crate) fn first_gateway_limit(world: &impl World) -> Duration {
    let limit = gateway_limit(world);
    match world.scope().awaited_until() {
        None => limit,
        Some(_) => limit.checked_div(2).unwrap_or(limit).max(LEAST),
    }
}
