//! What runs without a request of a merchant or a payer: the cron handler, and the simulated world, whose bank calls back.

use checkout_core::flow::sweep::{self, Swept};
use checkout_core::flow::{Failure, settle};
use checkout_core::gateway::exchange;
use checkout_core::port::World;
use checkout_core::route::{Match, Route, find};
use checkout_core::value::id::DeliveryId;
use sandbox_bank::callback::Callback;

use crate::edge::Edge;
use crate::logging;

/// Runs what is due.
pub(crate) async fn sweep(edge: &Edge) {
    tick(edge).await;
    log_sweep(&sweep::sweep(edge).await);
}

/// Lets the simulated bank finish what it has delayed. The notifications that follow are due, and the sweep after it sends
/// them within its time.
pub(crate) async fn tick(edge: &Edge) {
    match edge.http().sandbox().tick().await {
        Ok(callbacks) => {
            let _due = send_callbacks(edge, &callbacks).await;
        }
        Err(error) => logging::failed("sandbox", &error),
    }
}

/// Logs what a run did.
pub(crate) fn log_sweep(swept: &Swept) {
    for error in &swept.failures {
        logging::failed("sweep", error);
    }
    logging::swept(swept);
}

/// The simulated bank calls back: the bytes are handled like every callback, only the network is left out.
/// The answer is the notifications that follow.
pub(crate) async fn send_callbacks(edge: &Edge, callbacks: &[Callback]) -> Vec<DeliveryId> {
    let mut deliveries = Vec::new();
    for callback in callbacks {
        let path = callback.url.strip_prefix(edge.installation().public_url.as_str()).unwrap_or_default();
        let Match::Route(Route::GatewayCallback(reference)) = find("POST", path) else { continue };
        let headers =
            callback.headers.iter().map(|(name, value)| ((*name).to_string(), value.clone())).collect();
        let request = exchange::Incoming { status: 0, headers, body: callback.body.clone() };
        match settle::call_back(edge, &reference, &request).await {
            Ok(caused) => deliveries.extend(caused),
            Err(Failure::Refused(_)) => {}
            Err(Failure::World(error)) => logging::failed("sandbox", &error),
        }
    }
    deliveries
}
