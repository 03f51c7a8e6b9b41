//! What the operator's monitoring is shown (`docs/operating/monitoring.md`).

mod page;

use alloc::string::String;
use core::time::Duration;

use self::page::text;
use crate::flow::Failure;
use crate::flow::operator::page_check;
use crate::port::{Clock, Monitoring, Window, World};
use crate::value::slot::Slot;

/// Of which time payment transactions are counted.
const PAYMENTS: Duration = Duration::from_hours(24);
/// Of which time attempts are counted.
const ATTEMPTS: Duration = Duration::from_hours(1);

/// The metrics, as Prometheus reads them.
///
/// # Errors
/// A failure of the world.
pub async fn read_metrics(world: &impl World, version: &str) -> Result<String, Failure> {
    let now = world.clock().now();
    let window = Window { payments: now.minus(PAYMENTS), attempts: now.minus(ATTEMPTS) };
    let measures = world.ledger(&Slot::FIRST).measure(window).await?;
    // It is as old as the last check, and the rest is worth showing without it.
    let last_check = page_check::last(world).await.unwrap_or_default();
    Ok(text(&measures, last_check, version, now))
}
