//! The engine: does what is due, in turns of the merchants and their lanes.

use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::cell::RefCell;

use super::question::{ask_about_attempt, ask_about_operation, end};
use super::tried::{Held, RecordQueue};
use super::turns::{Class, EachTurn, Job, Pace, Slots, take_turns};
use crate::flow::Failure;
use crate::flow::find::RecentSettings;
use crate::port::{Clock, Doorbell, DueRow, Lanes, PortError, RunLimits, Store, World};
use crate::settings::situation::Situation;
use crate::value::id::DeliveryId;
use crate::value::slot::Slot;
use crate::value::time::Timestamp;

/// What was done.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct RunReport {
    /// Attempts and operations whose gateway was asked.
    pub inquired: usize,
    /// Transactions that expired.
    pub expired: usize,
    /// Notifications that were tried.
    pub delivered: usize,
    /// Reconciliations that continued.
    pub reconciled: usize,
    /// Transactions whose payer's data was erased because of its age.
    pub erased: usize,
    /// Alerts that were raised.
    pub alerts: usize,
    /// What failed, for the operator's log.
    pub failures: Vec<PortError>,
}

pub(in crate::flow) fn note(report: &RefCell<RunReport>, error: PortError) {
    report.borrow_mut().failures.push(error);
}

/// What is due, while it is done: for everyone, or for one merchant whose clock was moved.
pub(in crate::flow) struct Engine<'e, W> {
    pub(in crate::flow) world: &'e W,
    pub(in crate::flow) merchant: Option<&'e Situation>,
    /// Until when something may begin.
    pub(in crate::flow) until: Timestamp,
    pub(in crate::flow) report: &'e RefCell<RunReport>,
    pub(in crate::flow) limits: RunLimits,
    /// What was taken up. A row that is due again at once, or failed, waits for the next run.
    taken: RefCell<BTreeSet<String>>,
    begun: RefCell<BTreeSet<String>>,
    /// What could not be done.
    pub(super) failed: RefCell<Vec<Doorbell>>,
    /// The messages that were claimed and have not begun.
    pub(super) claimed: RefCell<BTreeMap<DeliveryId, Held>>,
    /// Where tries wait to be recorded.
    pub(super) to_record: RecordQueue,
    /// The settings of merchants whose webhooks are sent.
    pub(super) recent: RecentSettings,
    /// What is known of receivers, if the world has no memory of them.
    own_lanes: RefCell<Lanes>,
}

impl<W: World> Pace for Engine<'_, W> {
    fn now(&self) -> Timestamp {
        self.world.clock().now()
    }

    fn may_begin(&self) -> bool {
        Engine::may_begin(self)
    }
}

impl<'e, W: World> Engine<'e, W> {
    pub(in crate::flow) fn new(
        world: &'e W,
        merchant: Option<&'e Situation>,
        until: Timestamp,
        report: &'e RefCell<RunReport>,
    ) -> Self {
        Self {
            world,
            merchant,
            until,
            report,
            limits: world.run_limits(),
            taken: RefCell::default(),
            begun: RefCell::default(),
            failed: RefCell::default(),
            claimed: RefCell::default(),
            to_record: RecordQueue::default(),
            recent: RecentSettings::default(),
            own_lanes: RefCell::default(),
        }
    }

    /// Does what a search finds, until it finds nothing any more or the time is over.
    pub(in crate::flow) async fn work<'j>(&'j self, search: impl AsyncFn(EachTurn<bool>) -> Vec<Job<'j>>) {
        let slots =
            Slots { all: self.limits.slots, of_lane: self.limits.receiver_slots, lanes: self.lanes() };
        take_turns(search, &slots, self).await;
    }

    /// Whether anything may begin.
    pub(in crate::flow) fn may_begin(&self) -> bool {
        self.world.clock().now() < self.until
            && self.world.ledger(&Slot::FIRST).statements() < self.limits.statements
    }

    /// Now, in the time of the merchant whose rows these are.
    pub(in crate::flow) fn now(&self) -> Timestamp {
        self.merchant
            .map_or_else(|| self.world.clock().now(), |merchant| merchant.at(self.world.clock().now()).now)
    }

    pub(super) fn lanes(&self) -> &RefCell<Lanes> {
        self.world.lanes().unwrap_or(&self.own_lanes)
    }

    /// Whether a row is taken up, which happens once.
    pub(in crate::flow) fn takes(&self, key: &str) -> bool {
        self.taken.borrow_mut().insert(key.into())
    }

    /// Whether a row was taken up and nothing was done about it.
    pub(super) fn is_left(&self, key: &str) -> bool {
        !self.begun.borrow().contains(key)
    }

    pub(super) fn begin(&self, key: &str) {
        self.begun.borrow_mut().insert(key.to_string());
    }

    pub(super) fn fail(&self, bell: Doorbell, error: PortError) {
        note(self.report, error);
        self.failed.borrow_mut().push(bell);
    }

    /// What was to be done and failed.
    pub(in crate::flow) fn failed(&self) -> Vec<Doorbell> {
        self.failed.take()
    }

    /// A message that is due, as a job. It is claimed when it begins, unless it was before: what only waits for its turn is
    /// left to a payer's browser that wants it delivered at once. `None` if it was taken up before.
    pub(in crate::flow) fn message(&self, turn: DueRow<DeliveryId>) -> Option<Job<'_>> {
        let is_new = self.takes(turn.item.as_str());
        is_new.then(|| Job::new(Class::Sending, turn, |id| Box::pin(self.send(id))))
    }

    /// What else a doorbell rings for, as a job: a gateway is asked, or a transaction ends. `None` if it was taken up before.
    pub(in crate::flow) fn question(&self, bell: Doorbell) -> Option<Job<'_>> {
        let turn = bell.turn()?;
        self.takes(bell.id()).then(|| Job::new(Class::Asking, turn, |()| Box::pin(self.answer(bell))))
    }

    /// Does what a doorbell rings for, if it is due; whether nothing failed.
    async fn answer(&self, bell: Doorbell) -> bool {
        self.begin(bell.id());
        let result = match &bell {
            Doorbell::Attempt(turn) => ask_about_attempt(self.world, &turn.item).await,
            Doorbell::Operation(turn) => ask_about_operation(self.world, &turn.item).await,
            Doorbell::Expiry(turn) => end(self.world, &turn.item, self.now()).await,
            Doorbell::Delivery(_) | Doorbell::Cleaning(_) => Ok(false),
        };
        let is_expiry = matches!(bell, Doorbell::Expiry(_));
        if let Some(error) = result.as_ref().err().and_then(Failure::fault) {
            self.fail(bell, error);
            return false;
        }
        self.count(|report| if is_expiry { &mut report.expired } else { &mut report.inquired }, result);
        true
    }

    /// Counts what was done, and notes what failed.
    pub(in crate::flow) fn count(
        &self,
        of: impl FnOnce(&mut RunReport) -> &mut usize,
        result: Result<bool, Failure>,
    ) {
        match result {
            Ok(true) => {
                let mut report = self.report.borrow_mut();
                let done = of(&mut report);
                *done = done.saturating_add(1);
            }
            Ok(false) => {}
            // A rejection here is a race that someone else won.
            Err(failure) => failure.fault().into_iter().for_each(|error| note(self.report, error)),
        }
    }
}
