//! What is done every minute without a request: outcomes are inquired, transactions expire, notifications are
//! tried again, payments are reconciled, old answers are deleted.
//!
//! A run takes [`RUN`] at most, and shares it: due work is done in turns of the merchants, their gateways and
//! their receivers (`turns`), the urgent first; gateways are asked at the same time as notifications are
//! sent, so that neither has to wait while the other gets no answer. A run that has time left continues with
//! the next rows. What is left over, or failed, stays for the next run.
//!
//! Where queues are bound, a run only rings for what is due (`ring`), and the consumers of the queues do it (`heed`),
//! many at the same time.

mod alert;
mod ask;
pub mod clock;
mod heed;
mod news;
mod ring;
mod run;
mod send;
mod tidy;
mod turns;

pub use self::heed::{Heeded, flag, heed};

use core::cell::{Cell, RefCell};
use core::time::Duration;

use futures_util::future::join;

use self::news::News;
use self::turns::Pace;
use crate::flow::Failure;
use crate::flow::find::RecentSettings;
use crate::flow::situation::situation_of;
use crate::port::{Clock, Due, Lanes, Monitoring, Registry, Store, SweepTotals, World};
use crate::settings::situation::Situation;
use crate::value::time::Timestamp;
use crate::webhook::delivery::SEND_TIMEOUT;
use run::{BEGINNING, Run, TAIL, count, end, note};
pub use run::{RUN, Swept};

/// How much of it belongs to merchants whose clock was moved, if there are any.
const FOR_MOVED_CLOCKS: Duration = Duration::from_secs(5);
const _: () =
    assert!(SEND_TIMEOUT.as_secs() <= TAIL.as_secs() && BEGINNING.as_secs() > FOR_MOVED_CLOCKS.as_secs());

/// The most merchants whose clock was moved that are looked at in one run.
const MAX_MOVED_CLOCKS: u32 = 20;

/// One run:
///
/// 1. what is new on the attention list is reported;
/// 2. what is due for every merchant whose clock was not moved; if queues are bound, doorbells are rung for it;
/// 3. what is due for each merchant whose clock was moved, in the merchant's time;
/// 4. delete stored answers past their lifetime, counts that limit nothing any more, and notes of old doorbells; erase what
///    identifies payers where it is older than the merchant's settings say. What is left over is cleaned up by consumers of
///    the queues, if they are bound;
/// 5. note for the operator's monitoring that the run ended, and what it did.
///
/// What is due for merchants is done in the order of `of_merchants`.
pub async fn sweep(world: &impl World) -> Swept {
    let started = world.clock().now();
    let beginning = world.run_limits().beginning.min(BEGINNING);
    let until = started.plus(beginning);
    let swept = RefCell::new(Swept::default());
    let mut run = Run::new(world, None, started.plus(beginning.saturating_sub(FOR_MOVED_CLOCKS)), &swept);
    // 1
    let raised = alert::raise(world, || run.may_begin()).await;
    swept.borrow_mut().alerts = raised.alerts;
    swept.borrow_mut().failures.extend(raised.failures);
    // 2
    if world.has_queues() {
        match ring::ring_due(&run).await {
            Ok(()) => run.rings = true,
            // What cannot be rung for is done here.
            Err(error) => note(&swept, error),
        }
    }
    run.of_merchants().await;
    // 3
    match world.store().moved_clocks(MAX_MOVED_CLOCKS).await {
        Ok(merchants) => {
            for merchant in &merchants {
                match situation_of(world, merchant).await {
                    Ok(merchant) => Run::new(world, Some(&merchant), until, &swept).of_merchants().await,
                    Err(error) => note(&swept, error),
                }
            }
        }
        Err(error) => note(&swept, error),
    }
    // 4
    if tidy::tidy(world, until, &swept).await && world.has_queues() {
        tidy::go_on(world, started.plus(RUN), &swept).await;
    }
    // 5
    let mut swept = swept.into_inner();
    if let Err(error) = world.store().note_sweep(&totals(&swept, world.clock().now())).await {
        swept.failures.push(error);
    }
    swept
}

/// One run, as it is added to the totals.
fn totals(swept: &Swept, ended_at: Timestamp) -> SweepTotals {
    let wide = |count: usize| u64::try_from(count).unwrap_or(u64::MAX);
    SweepTotals {
        ended_at,
        runs: 1,
        inquired: wide(swept.inquired),
        expired: wide(swept.expired),
        delivered: wide(swept.delivered),
        reconciled: wide(swept.reconciled),
        failures: wide(swept.failures.len()),
    }
}

/// One run for one merchant, in the merchant's time.
pub async fn sweep_merchant(world: &impl World, merchant: &Situation) -> Swept {
    let swept = RefCell::new(Swept::default());
    let until = world.clock().now().plus(world.run_limits().beginning.min(BEGINNING));
    Run::new(world, Some(merchant), until, &swept).of_merchants().await;
    swept.into_inner()
}

impl<W: World> Pace for Run<'_, W> {
    fn now(&self) -> Timestamp {
        self.world.clock().now()
    }

    fn may_begin(&self) -> bool {
        self.now() < self.until && self.world.store().statements() < self.limits.statements
    }
}

impl<'r, W: World> Run<'r, W> {
    fn new(
        world: &'r W,
        merchant: Option<&'r Situation>,
        until: Timestamp,
        swept: &'r RefCell<Swept>,
    ) -> Self {
        Self {
            world,
            merchant,
            until,
            swept,
            taken: RefCell::default(),
            closed_left: Cell::new(ask::MAX_CLOSED),
            limits: world.run_limits(),
            recent: RecentSettings::default(),
            own_lanes: RefCell::default(),
            rings: false,
            news: News::default(),
        }
    }

    fn due(&self) -> Due<'_> {
        Due {
            merchant: self.merchant.map(|merchant| &merchant.settings.merchant),
            now: self.merchant.map_or_else(|| self.now(), |merchant| merchant.at(self.now()).now),
            share: self.limits.share,
            limit: self.limits.rows,
            unrung_since: None,
        }
    }

    fn lanes(&self) -> &RefCell<Lanes> {
        self.world.lanes().unwrap_or(&self.own_lanes)
    }

    /// How many requests ask gateways, and how many send notifications, while both is done.
    fn shared_slots(&self) -> (usize, usize) {
        let sending = (self.limits.slots / 2).max(1);
        (self.limits.slots.saturating_sub(sending).max(1), sending)
    }

    /// Whether a row is taken up, which happens once in a run.
    fn takes(&self, key: &str) -> bool {
        self.taken.borrow_mut().insert(key.into())
    }

    /// Counts what was done, and notes what it caused.
    fn count(&self, of: impl FnOnce(&mut Swept) -> &mut usize, result: Result<bool, Failure>) {
        count(self.swept, of, result);
        self.news.note(self.world.store().caused());
    }

    /// What is due, until nothing is due any more or the time is over:
    ///
    /// 1. gateways are asked: about attempts and operations of unknown outcome, about pages that wait for
    ///    their payers, about payments that have ended, and for their lists; then transactions end whose time is over
    ///    and that have no open attempt;
    /// 2. at the same time notifications are sent, those that failed before last, and what the answers of gateways and
    ///    the end of transactions cause as soon as it is stored.
    async fn of_merchants(&self) {
        while self.may_begin() {
            // 1
            let (for_asking, for_sending) = self.shared_slots();
            let (asking, sending) = (Cell::new(for_asking), Cell::new(for_sending));
            self.news.open(self.world.store().caused());
            let worked = async {
                let asked = ask::ask_due(self, &asking).await;
                sending.set(self.limits.slots);
                let ended = self.end_due().await;
                self.news.close();
                asked.saturating_add(ended)
            };
            // 2
            let sent = async {
                if self.rings {
                    asking.set(self.limits.slots);
                    return 0;
                }
                let mut done = 0_usize;
                loop {
                    done = done.saturating_add(send::send_due(self, &sending).await);
                    asking.set(self.limits.slots);
                    if !self.news.next().await {
                        return done;
                    }
                    asking.set(for_asking);
                }
            };
            let (worked, sent) = join(worked, sent).await;
            if worked == 0 && sent == 0 {
                break;
            }
        }
    }

    /// Ends transactions whose time is over; how many rows were taken up.
    async fn end_due(&self) -> usize {
        if self.rings {
            return 0;
        }
        let found = match self.world.store().due_expiries(self.due()).await {
            Ok(found) => found,
            Err(error) => {
                note(self.swept, error);
                return 0;
            }
        };
        let mut taken = 0_usize;
        for turn in found {
            if !self.may_begin() {
                break;
            }
            if self.takes(turn.item.as_str()) {
                taken = taken.saturating_add(1);
                let result = end(self.world, &turn.item, self.due().now).await;
                self.count(|swept| &mut swept.expired, result);
            }
        }
        taken
    }
}
