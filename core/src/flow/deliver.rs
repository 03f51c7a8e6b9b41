//! Does what doorbells ring for. A message of the outbox is sent: a webhook to the merchant's receiver, or a message to the
//! payer through the merchant's provider. A gateway is asked again, a transaction ends, or what is over is deleted.
//!
//! There is one engine: the queues hand it their batches, a request what it has stored and what a browser waits for, and the
//! cron handler what it finds due.

mod approved;
mod attempt;
pub mod check;
mod engine;
mod flag;
mod message;
mod question;
mod send;
mod tidy;
mod tried;
mod turns;

pub use self::engine::RunReport;
pub(super) use self::engine::{Engine, note};
pub(super) use self::tidy::{REST, go_on, tidy};
pub(super) use self::turns::{Class, EachTurn, Job};

use self::tried::HOLD;

use alloc::vec::Vec;
use core::cell::RefCell;
use core::time::Duration;

use crate::port::{Clock, Doorbell, Doorbells, DueRow, PortError, Store, World};
use crate::value::id::DeliveryId;
use crate::value::slot::Slot;
use crate::value::time::Timestamp;

/// How long a batch begins anything: a send that begins then has ended before the platform stops the consumer. The answer of
/// a gateway that comes later is asked for again.
const BEGINNING: Duration = Duration::from_secs(12);
/// A message that is claimed when a batch begins is held until its send has ended.
const _: () = assert!(BEGINNING.as_secs() < HOLD.as_secs());

/// What was done of a batch.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Handled {
    /// What was done, and what failed.
    pub report: RunReport,
    /// The places of the doorbells that could not be handled: they are to be rung again.
    pub failed: Vec<usize>,
}

/// Does what doorbells ring for, in turns of the merchants and their lanes: for a queue, for what was just stored, and for a
/// payer's browser that waits. A row is looked at before anything is done, so a doorbell that rings twice, late or for something
/// that is done already has no effect:
///
/// 1. the messages are claimed together, so that nobody else sends them at the same time, and sent; those that are not due, or
///    that someone else holds, are left alone;
/// 2. gateways are asked, and transactions end, if that is due;
/// 3. what was not begun in time is to be found by the next run of the cron handler; a receiver that did not answer gets
///    the rest of its messages later;
/// 4. what a run did not clean up is cleaned up.
///
/// A message is sent so: a try before this one that was not recorded has failed; it is encoded for this moment, in real time,
/// and if what this needs cannot be loaded, the try has failed like one without an answer; the answer is recorded: it was
/// accepted, or the next try is planned in the merchant's time, or the message is given up. A receiver that failed for five
/// days, or is gone, is disabled. After a failure of the world the lease runs out, and the message is sent again, with the same
/// id.
pub async fn handle(world: &impl World, doorbells: &[Doorbell]) -> Handled {
    let report = RefCell::new(RunReport::default());
    let engine = Engine::new(world, None, world.clock().now().plus(BEGINNING), &report);
    // 1
    let (mut jobs, mut held_until) = (Vec::new(), None);
    for held in engine.claim(&messages(doorbells)).await {
        held_until = Some(held.until());
        let turn = held.turn();
        engine.claimed.borrow_mut().insert(turn.item.clone(), held);
        jobs.extend(engine.message(turn));
    }
    // 2
    jobs.extend(doorbells.iter().filter_map(|bell| engine.question(bell.clone())));
    let jobs = RefCell::new(jobs);
    engine.work(async |_| jobs.take()).await;
    // 3
    leave_the_rest(&engine, doorbells, held_until).await;
    // 4
    let until = doorbells.iter().find_map(|bell| match bell {
        Doorbell::Cleaning(until) => Some(*until),
        Doorbell::Delivery(_) | Doorbell::Attempt(_) | Doorbell::Operation(_) | Doorbell::Expiry(_) => None,
    });
    if let Some(until) = until.filter(|until| world.clock().now() < *until)
        && tidy(world, engine.until, &report).await
    {
        go_on(world, until, &report).await;
    }
    let failed = engine.failed();
    let failed = failed
        .iter()
        .filter_map(|failed| doorbells.iter().position(|bell| bell.id() == failed.id()))
        .collect();
    Handled { failed, report: report.take() }
}

/// The messages that doorbells ring for, each once.
fn messages(doorbells: &[Doorbell]) -> Vec<DeliveryId> {
    let mut ids: Vec<DeliveryId> = Vec::new();
    for bell in doorbells {
        match bell {
            Doorbell::Delivery(id) if !ids.contains(id) => ids.push(id.clone()),
            Doorbell::Delivery(_)
            | Doorbell::Attempt(_)
            | Doorbell::Operation(_)
            | Doorbell::Expiry(_)
            | Doorbell::Cleaning(_) => {}
        }
    }
    ids
}

/// What was claimed or taken up, and not begun.
async fn leave_the_rest<W: World>(
    engine: &Engine<'_, W>,
    doorbells: &[Doorbell],
    held_until: Option<Timestamp>,
) {
    let (ledger, now) = (engine.world.ledger(&Slot::FIRST), engine.world.clock().now());
    let note = |error| note(engine.report, error);
    let held = engine.claimed.take();
    let left: Vec<&str> = held.keys().map(DeliveryId::as_str).collect();
    if let Some(until) = held_until.filter(|_| !left.is_empty()) {
        ledger.release(&left, until).await.unwrap_or_else(note);
    }
    let (mut silent, mut rest) = (Vec::new(), Vec::new());
    for (id, held) in &held {
        let DueRow { merchant, lane, .. } = held.turn();
        if engine.lanes().borrow().is_silent(&(merchant, lane), now) { &mut silent } else { &mut rest }
            .push(id.as_str());
    }
    let questions = doorbells.iter().filter(|bell| bell.turn().is_some());
    rest.extend(questions.map(Doorbell::id).filter(|id| engine.is_left(id)));
    if !rest.is_empty() {
        ledger.unring(&rest).await.unwrap_or_else(note);
    }
    if !silent.is_empty() {
        ledger.note_rung(&silent, now).await.unwrap_or_else(note);
    }
}

/// A doorbell that was rung in vain to the end: its row is put on the attention list, once.
///
/// # Errors
/// If the store fails.
pub async fn flag(world: &impl World, bell: &Doorbell) -> Result<bool, PortError> {
    world.ledger(bell).flag_unprocessed(bell, world.clock().now()).await
}
