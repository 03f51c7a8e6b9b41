//! Deletes what is stored for a time only, and erases what identifies payers by age: in slices, until nothing is over or
//! the run may begin nothing more.

use core::cell::RefCell;
use core::time::Duration;

use super::engine::{RunReport, note};
use crate::access::quota::day_of;
use crate::desk::session::IDLE;
use crate::desk::trip::LIFE;
use crate::flow::account::erase::erase_by_age;
use crate::port::{
    Clock, Counters, DEVICE_LIFE, DeskSessions, DeskTrips, Doorbell, Doorbells, PLACE_LIFE, Payers,
    PortError, Ring, Store, TRY_PERIOD, UserDevices, UserLinks, Users, World,
};
use crate::record::idempotency::ANSWER_LIFE;
use crate::settings::limits::DeclineLimits;
use crate::value::slot::Slot;
use crate::value::time::Timestamp;

/// How long after a doorbell none is rung for the same row.
pub(in crate::flow) const REST: Duration = Duration::from_mins(5);
/// How many rows are deleted together.
const SLICE: u32 = 1_000;
/// How many slices of one kind a run deletes at most.
const MOST_SLICES: usize = 20;

/// What is stored for a time only.
#[derive(Clone, Copy)]
enum Perishable {
    Answers,
    Tries,
    Places,
    DeskSessions,
    DeskTrips,
    UserLinks,
    UserDevices,
    Payers,
    Doorbells,
    Calls,
}

const KINDS: [Perishable; 10] = [
    Perishable::Answers,
    Perishable::Tries,
    Perishable::Places,
    Perishable::DeskSessions,
    Perishable::DeskTrips,
    Perishable::UserLinks,
    Perishable::UserDevices,
    Perishable::Payers,
    Perishable::Doorbells,
    Perishable::Calls,
];

impl Perishable {
    /// Deletes some of what is over; how many.
    async fn delete(self, world: &impl World, now: Timestamp) -> Result<u32, PortError> {
        let (directory, ledger) = (world.directory(), world.ledger(&Slot::FIRST));
        match self {
            Self::Answers => ledger.delete_answers(now.minus(ANSWER_LIFE), SLICE).await,
            Self::Tries => directory.delete_tries(now.minus(TRY_PERIOD), SLICE).await,
            Self::Places => directory.delete_places(now.minus(PLACE_LIFE), SLICE).await,
            Self::DeskSessions => directory.delete_desk_sessions(now.minus(IDLE), SLICE).await,
            Self::DeskTrips => directory.delete_desk_trips(now.minus(LIFE), SLICE).await,
            Self::UserLinks => directory.delete_user_links(now, SLICE).await,
            Self::UserDevices => directory.delete_user_devices(now.minus(DEVICE_LIFE), SLICE).await,
            Self::Payers => ledger.delete_payers(now.minus(DeclineLimits::WINDOWS.1), SLICE).await,
            Self::Doorbells => ledger.delete_rung(now.minus(REST), SLICE).await,
            Self::Calls => directory.delete_calls(day_of(now), SLICE).await,
        }
    }
}

/// Cleans up; whether something is left over. However much else a run has done, one slice of each kind is deleted.
pub(in crate::flow) async fn tidy(world: &impl World, until: Timestamp, report: &RefCell<RunReport>) -> bool {
    let now = world.clock().now();
    let statements = world.run_limits().statements;
    let may_begin = || world.clock().now() < until && world.ledger(&Slot::FIRST).statements() < statements;
    let mut is_left = false;
    for kind in KINDS {
        let mut is_over = true;
        for _ in 0..MOST_SLICES {
            match kind.delete(world, now).await {
                Ok(deleted) => is_over = deleted >= SLICE,
                Err(error) => {
                    note(report, error);
                    is_over = false;
                }
            }
            if !is_over || !may_begin() {
                break;
            }
        }
        is_left |= is_over;
    }
    match erase_by_age(world, may_begin).await {
        Ok((erased, may_go_on)) => {
            let mut report = report.borrow_mut();
            report.erased = report.erased.saturating_add(erased);
            is_left |= may_go_on;
        }
        Err(failure) => failure.fault().into_iter().for_each(|error| note(report, error)),
    }
    is_left
}

/// Has another run clean up the rest, and others after it, until a moment: by then the cron handler has begun the next.
pub(in crate::flow) async fn go_on(world: &impl World, until: Timestamp, report: &RefCell<RunReport>) {
    if world.clock().now() < until {
        let bell = Ring::waiting(Doorbell::Cleaning(until), Duration::ZERO);
        world.ring(&[bell]).await.unwrap_or_else(|error| note(report, error));
    }
}
