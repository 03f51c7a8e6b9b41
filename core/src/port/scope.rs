//! What is known of a request before anything is looked up for it.

use core::time::Duration;

use crate::value::network::Network;
use crate::value::time::Timestamp;

/// Where a request comes from, who asks, and who waits for its answer. A run of the cron handler, or of the consumer of a
/// queue, is nobody's request.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Scope {
    /// From which network it comes, if that is known.
    pub network: Option<Network>,
    /// Whether the payer's own device asks, and not a server.
    pub is_payers: bool,
    /// How long a payer's browser waits for the answer; `None` if none waits.
    pub wait: Option<Wait>,
}

/// A browser that waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wait {
    /// Since when.
    pub since: Timestamp,
    /// How long it waits for gateways.
    pub patience: Duration,
}

impl Scope {
    /// From which network the payer's own device asks; `None` if a server asks, or that is not known.
    pub(crate) fn payer_network(&self) -> Option<Network> {
        self.network.filter(|_| self.is_payers)
    }

    /// Until when a payer's browser waits for gateways.
    pub(crate) fn awaited_until(&self) -> Option<Timestamp> {
        self.wait.map(|wait| wait.since.plus(wait.patience))
    }
}
