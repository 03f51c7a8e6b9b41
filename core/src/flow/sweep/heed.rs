//! Does what doorbells ring for: the consumer of the queues. A row is looked at before anything is done, so a doorbell that
//! rings twice, late or for something that is done already has no effect.

use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::cell::{Cell, RefCell};
use core::time::Duration;

use super::ask::{ask_about_operation_again, ask_again};
use super::run::{Run, Swept, count, end, note};
use super::send::{Desk, claim, job};
use super::tidy::{go_on, tidy};
use super::turns::{Job, Slots, Turns};
use crate::flow::Failure;
use crate::port::{Clock, Doorbell, Doorbells, Lane, PortError, Store, Turn, World};
use crate::value::id::{DeliveryId, SessionId};
use crate::value::time::Timestamp;

/// How long a batch begins anything: a send that begins then has ended before the platform stops the consumer. The answer of
/// a gateway that comes later is asked for again.
const BEGINNING: Duration = Duration::from_secs(12);

/// What was done of a batch.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Heeded {
    /// What was done, and what failed.
    pub swept: Swept,
    /// The places of the doorbells that could not be handled: they are to be rung again.
    pub failed: Vec<usize>,
}

/// Whether a doorbell asks about a row that is no message.
const fn names_question(bell: &Doorbell) -> bool {
    matches!(bell, Doorbell::Attempt(_) | Doorbell::Operation(_) | Doorbell::Expiry(_))
}

/// A batch that is being done.
struct Batch<'b, W> {
    run: &'b Run<'b, W>,
    bells: &'b [Doorbell],
    failed: RefCell<BTreeSet<usize>>,
    /// The keys of the rows that were looked at.
    begun: RefCell<BTreeSet<String>>,
    /// The messages that were claimed, with their receivers.
    held: RefCell<Vec<(String, Lane)>>,
    held_until: Cell<Timestamp>,
}

/// Does what doorbells ring for, in turns of the merchants and their lanes:
///
/// 1. the messages are claimed together, and sent; those that are not due, or that someone else holds, are left alone;
/// 2. gateways are asked, and transactions end, if that is due;
/// 3. what was not begun in time is to be found by the next run of the cron handler; a receiver that did not answer gets
///    the rest of its messages later;
/// 4. what a run did not clean up is cleaned up.
pub async fn heed(world: &impl World, bells: &[Doorbell]) -> Heeded {
    let swept = RefCell::new(Swept::default());
    let run = Run::new(world, None, world.clock().now().plus(BEGINNING), &swept);
    let batch = Batch {
        run: &run,
        bells,
        failed: RefCell::default(),
        begun: RefCell::default(),
        held: RefCell::default(),
        held_until: Cell::new(world.clock().now()),
    };
    let desk = Desk::default();
    // 1
    let mut jobs = batch.messages(&desk).await;
    // 2
    for (place, bell) in bells.iter().enumerate() {
        jobs.extend(batch.question(place, bell));
    }
    let all = Cell::new(run.limits.slots);
    let slots = Slots { all: &all, of_lane: run.limits.receiver_slots, lanes: Some(run.lanes()) };
    let mut turns = Turns::default();
    turns.begin(jobs, &slots, &run).await;
    while !turns.is_idle() {
        let _ended = turns.end(&slots, &run).await;
    }
    // Jobs that were left borrow the batch.
    drop(turns);
    // 3
    batch.leave_the_rest().await;
    // 4
    batch.clean_up().await;
    let failed = batch.failed.take().iter().copied().collect();
    Heeded { failed, swept: swept.take() }
}

/// A doorbell that was rung in vain to the end: its row is put on the attention list, once.
///
/// # Errors
/// If the store fails.
pub async fn flag(world: &impl World, bell: &Doorbell) -> Result<bool, PortError> {
    world.store().flag_unprocessed(bell, world.clock().now()).await
}

impl<'b, W: World> Batch<'b, W> {
    fn world(&self) -> &'b W {
        self.run.world
    }

    fn fail(&self, place: usize, error: PortError) {
        note(self.run.swept, error);
        self.failed.borrow_mut().insert(place);
    }

    /// The messages of the batch, claimed together. One that cannot be read holds up no other.
    async fn messages<'j>(&'j self, desk: &'j Desk) -> Vec<Job<'j>> {
        let of_place = |(place, bell): (usize, &Doorbell)| match bell {
            Doorbell::Delivery(id) => Some((place, id.clone())),
            Doorbell::Attempt(_) | Doorbell::Operation(_) | Doorbell::Expiry(_) | Doorbell::Cleaning(_) => {
                None
            }
        };
        let named: Vec<(usize, DeliveryId)> = self.bells.iter().enumerate().filter_map(of_place).collect();
        let mut ids: Vec<DeliveryId> = Vec::new();
        for (_, id) in &named {
            if self.run.takes(id.as_str()) {
                ids.push(id.clone());
            }
        }
        if ids.is_empty() {
            return Vec::new();
        }
        let place_of = |id: &DeliveryId| named.iter().find(|(_, one)| one == id).map(|(place, _)| *place);
        let held = match claim(self.run, &ids).await {
            Ok((held, unreadable)) => {
                for (id, error) in unreadable {
                    if let Some(place) = place_of(&id) {
                        self.fail(place, error);
                    }
                }
                held
            }
            Err(error) => {
                ids.iter().filter_map(place_of).for_each(|place| self.fail(place, error.clone()));
                return Vec::new();
            }
        };
        let jobs = held.into_iter().map(|held| {
            let message = &held.claim.message;
            let (id, lane) = (message.id.to_string(), (message.merchant.clone(), message.lane()));
            self.held.borrow_mut().push((id.clone(), lane));
            self.held_until.set(held.until());
            job(self.run, desk, held).noted(move || {
                self.begun.borrow_mut().insert(id);
            })
        });
        jobs.collect()
    }

    /// What a doorbell for anything but a message asks for.
    fn question<'j>(&'j self, place: usize, bell: &'j Doorbell) -> Option<Job<'j>> {
        if !names_question(bell) || !self.run.takes(bell.id()) {
            return None;
        }
        Some(match bell {
            Doorbell::Delivery(_) | Doorbell::Cleaning(_) => return None,
            Doorbell::Attempt(turn) => Job::new(turn.clone(), |reference| {
                Box::pin(async move {
                    self.count(
                        place,
                        bell,
                        |swept| &mut swept.inquired,
                        ask_again(self.world(), &reference).await,
                    )
                })
            }),
            Doorbell::Operation(turn) => Job::new(turn.clone(), |reference| {
                Box::pin(async move {
                    let result = ask_about_operation_again(self.world(), &reference).await;
                    self.count(place, bell, |swept| &mut swept.inquired, result)
                })
            }),
            Doorbell::Expiry(turn) => {
                let Turn { item, merchant, .. } = turn;
                let alike =
                    Turn { item, merchant: merchant.clone(), lane: "expiry".to_string(), family: None };
                Job::new(alike, |session_id: &SessionId| {
                    Box::pin(async move {
                        let result = end(self.world(), session_id, self.world().clock().now()).await;
                        self.count(place, bell, |swept| &mut swept.expired, result)
                    })
                })
            }
        })
    }

    /// Counts what was done; what failed is to be rung for again.
    fn count(
        &self,
        place: usize,
        bell: &Doorbell,
        of: impl FnOnce(&mut Swept) -> &mut usize,
        result: Result<bool, Failure>,
    ) -> bool {
        self.begun.borrow_mut().insert(bell.id().to_string());
        match result {
            Err(Failure::World(error)) => {
                self.fail(place, error);
                false
            }
            done @ (Ok(_) | Err(Failure::Refused(_))) => {
                count(self.run.swept, of, done);
                true
            }
        }
    }

    /// Cleans up if that was rung for, and rings again if something is left over.
    async fn clean_up(&self) {
        let until = self.bells.iter().find_map(|bell| match bell {
            Doorbell::Cleaning(until) => Some(*until),
            Doorbell::Delivery(_) | Doorbell::Attempt(_) | Doorbell::Operation(_) | Doorbell::Expiry(_) => {
                None
            }
        });
        let Some(until) = until.filter(|until| self.world().clock().now() < *until) else { return };
        if tidy(self.world(), self.run.until, self.run.swept).await {
            go_on(self.world(), until, self.run.swept).await;
        }
    }

    /// What was claimed or taken up, and not begun.
    async fn leave_the_rest(&self) {
        let is_left = |id: &str| !self.begun.borrow().contains(id);
        let (held, now) = (self.held.take(), self.world().clock().now());
        let (mut silent, mut rest) = (Vec::new(), Vec::new());
        let left: Vec<&str> = held.iter().map(|(id, _)| id.as_str()).filter(|id| is_left(id)).collect();
        let store = self.world().store();
        if !left.is_empty() {
            let released = store.release(&left, self.held_until.get()).await;
            released.unwrap_or_else(|error| note(self.run.swept, error));
        }
        for (id, lane) in held.iter().filter(|(id, _)| is_left(id)) {
            if self.run.lanes().borrow().is_silent(lane, now) { &mut silent } else { &mut rest }
                .push(id.as_str());
        }
        let questions = self.bells.iter().filter(|bell| names_question(bell));
        rest.extend(questions.map(Doorbell::id).filter(|id| is_left(id)));
        if !rest.is_empty() {
            store.unring(&rest).await.unwrap_or_else(|error| note(self.run.swept, error));
        }
        if !silent.is_empty() {
            store.note_rung(&silent, now).await.unwrap_or_else(|error| note(self.run.swept, error));
        }
    }
}
