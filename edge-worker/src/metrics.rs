//! The metrics of the installation, and one data point for each request where a dataset is bound.
//!
//! What was measured is shown again for a short while, so that several scrapers, or one in a hurry, cost the database
//! no more than one.

use std::cell::RefCell;
use std::time::Duration;

use checkout_core::flow::Failure;
use checkout_core::flow::operator::metrics::read_metrics;
use checkout_core::port::{Clock, World};
use checkout_core::value::time::Timestamp;
use wasm_bindgen::JsValue;

use crate::edge::Edge;
use crate::http::Reply;
use crate::logging::Answered;
use crate::platform;

/// The media type of the text format of Prometheus.
const MEDIA_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";
/// How long a measurement is shown.
const SHOWN: Duration = Duration::from_secs(15);

thread_local! {
    // Borrowed within one function only: never across an await.
    static MEASURED: RefCell<Option<(Timestamp, String)>> = const { RefCell::new(None) };
}

/// The page of metrics.
pub(crate) async fn show(edge: &Edge) -> Result<Reply, Failure> {
    let now = edge.clock().now();
    let known = MEASURED.with_borrow(|known| {
        known.as_ref().filter(|(at, _)| now.since(*at) < SHOWN).map(|(_, page)| page.clone())
    });
    let page = if let Some(page) = known {
        page
    } else {
        let page = read_metrics(edge, env!("CARGO_PKG_VERSION")).await?;
        MEASURED.set(Some((now, page.clone())));
        page
    };
    Ok(Reply::of(200, MEDIA_TYPE, page))
}

/// Writes a data point about a request: the name of the endpoint, the class of the status, and how long it took. Nothing
/// in it names a merchant, a payer or a payment.
pub(crate) fn note(dataset: Option<&JsValue>, answered: &Answered<'_>) {
    if let Some(dataset) = dataset {
        let class = answered.status.checked_div(100).unwrap_or_default();
        let took = u32::try_from(answered.took.as_millis()).unwrap_or(u32::MAX);
        platform::write_data_point(dataset, answered.route, class, took);
    }
}
