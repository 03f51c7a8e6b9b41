//! What runs without a request of a merchant or a payer: the cron handler.

use checkout_core::flow::operator::page_check;
use checkout_core::flow::sweep;
use checkout_core::port::World;

use crate::edge::Edge;
use crate::logging;
use crate::page::published;

/// Runs what is due.
pub(crate) async fn sweep(edge: &Edge) {
    #[cfg(feature = "sandbox")]
    crate::handler::simulated::tick(edge).await;
    logging::run(&sweep::sweep(edge).await);
    check_page(edge).await;
}

/// Compares what browsers get with what was published, if that is due.
async fn check_page(edge: &Edge) {
    if !edge.config.checks_page {
        return;
    }
    let expected = || published::expected(&edge.installation().public_url);
    match page_check::check(edge, expected, async |path: &str| edge.http().request_own(path).await).await {
        Ok(Some(found)) => logging::page_checked(&found),
        Ok(None) => {}
        Err(error) => logging::failed("page_check", &error),
    }
}
