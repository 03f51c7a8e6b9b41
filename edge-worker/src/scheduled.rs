//! What runs without a request of a merchant or a payer: the cron handler.

use checkout_core::flow::sweep::{self, Swept};

use crate::edge::Edge;
use crate::logging;

/// Runs what is due.
pub(crate) async fn sweep(edge: &Edge) {
    #[cfg(feature = "sandbox")]
    crate::simulated::tick(edge).await;
    log_sweep(&sweep::sweep(edge).await);
}

/// Logs what a run did.
pub(crate) fn log_sweep(swept: &Swept) {
    for error in &swept.failures {
        logging::failed("sweep", error);
    }
    logging::swept(swept);
}
