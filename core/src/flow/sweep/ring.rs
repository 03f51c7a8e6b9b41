//! Rings for what is due: for messages that no doorbell rang for in time, and for everything that becomes due by the clock.
//! So the cron handler is the net under the queues, and the consumers do the work, many at the same time.

use alloc::vec::Vec;
use core::time::Duration;

use super::ask;
use super::run::Run;
use crate::payment::chase::Urgency;
use crate::port::{Bookkeeping, Clock, Doorbell, Doorbells, Due, PortError, Ring, Store, World};

/// How long a message has for its first doorbell before the net looks for it.
const GRACE: Duration = Duration::from_mins(2);
/// How long after a doorbell none is rung for the same row.
pub(super) const REST: Duration = Duration::from_mins(5);
/// The seconds over which the doorbells of a run are spread if they are as many as there may be: what is due at once is
/// done evenly, and neither what is fresh nor a receiver that comes back meets all of it in one moment.
const SPREAD: u64 = 40;

/// Rings for what is due, each kind in turns of the merchants and their lanes.
///
/// # Errors
/// If the queue or the store fails. What was rung for until then is noted.
pub(super) async fn ring_due<W: World>(run: &Run<'_, W>) -> Result<(), PortError> {
    let (store, now) = (run.world.store(), run.world.clock().now());
    let rings = run.limits.rings;
    let due = Due { merchant: None, now, share: rings, limit: rings, unrung_since: Some(now.minus(REST)) };
    let late = Due { now: now.minus(GRACE), ..due };
    ring(run, store.due_deliveries(late).await?.into_iter().map(|turn| Doorbell::Delivery(turn.item)))
        .await?;
    for urgency in [Urgency::Unknown, Urgency::Waiting, Urgency::Closed] {
        let limit = if urgency == Urgency::Closed { ask::MAX_CLOSED } else { rings };
        let found = store.due_inquiries(Due { limit, ..due }, urgency).await?;
        ring(run, found.into_iter().map(Doorbell::Attempt)).await?;
    }
    ring(run, store.due_operations(due).await?.into_iter().map(Doorbell::Operation)).await?;
    ring(run, store.due_expiries(due).await?.into_iter().map(Doorbell::Expiry)).await
}

async fn ring<W: World>(run: &Run<'_, W>, bells: impl Iterator<Item = Doorbell>) -> Result<(), PortError> {
    let all: Vec<Ring> =
        (0..).zip(bells).map(|(place, bell)| Ring::waiting(bell, after(place, run.limits.rings))).collect();
    let mut rung = Vec::new();
    let mut outcome = Ok(());
    for some in all.chunks(Ring::TOGETHER) {
        outcome = run.world.ring(some).await;
        if outcome.is_err() {
            break;
        }
        rung.extend(some.iter().map(|ring| ring.bell.id()));
    }
    if !rung.is_empty() {
        run.world.store().note_rung(&rung, run.world.clock().now()).await?;
    }
    outcome
}

/// How long the doorbell at a place waits, if there may be so many.
fn after(place: u64, most: u32) -> Duration {
    Duration::from_secs(place.saturating_mul(SPREAD).checked_div(u64::from(most)).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_doorbells_ring_at_once_and_many_evenly() {
        let seconds = |place, most| after(place, most).as_secs();
        assert_eq!([0, 74, 75, 150, 2_999].map(|place| seconds(place, 3_000)), [0, 0, 1, 2, 39]);
        assert_eq!([0, 2, 3, 99].map(|place| seconds(place, 100)), [0, 0, 1, 39]);
        assert_eq!([9_999, 10_000].map(|place| seconds(place, 10_000)), [39, 40]);
        assert_eq!(seconds(5, 0), 0);
    }
}
