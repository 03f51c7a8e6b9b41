use alloc::string::ToString;
use core::cell::RefCell;
use core::task::Waker;

use super::*;

/// A day of which every job takes a part. How long a job takes is known before it begins.
struct Day {
    now: Cell<u64>,
    until: u64,
    begun: RefCell<Vec<&'static str>>,
}

impl Pace for Day {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(i64::try_from(self.now.get()).unwrap_or(0))
    }

    fn may_begin(&self) -> bool {
        self.now.get() < self.until
    }
}

impl Day {
    fn of(until: u64) -> Self {
        Self { now: Cell::new(0), until, begun: RefCell::default() }
    }

    /// A job of a merchant at a lane of a family: `"shop/knet/kpay"`.
    fn job(&self, name: &'static str, takes: u64) -> Job<'_> {
        let mut parts = name.split('/').map(ToString::to_string);
        let merchant = parts.next().and_then(|id| MerchantId::parse(&id));
        let turn = Turn {
            item: (),
            merchant: merchant.unwrap_or_else(|| panic!("{name}")),
            lane: parts.next().unwrap_or_default(),
            family: parts.next(),
        };
        Job::new(turn, |()| {
            Box::pin(async move {
                self.begun.borrow_mut().push(name);
                let until = self.now.get().saturating_add(takes);
                poll_fn(|_| if self.now.get() >= until { Poll::Ready(true) } else { Poll::Pending }).await
            })
        })
    }

    /// Does the jobs, and returns the names of those that were begun.
    fn spend(&self, jobs: Vec<Job<'_>>, (all, of_lane): (usize, usize)) -> Vec<&'static str> {
        self.spend_knowing(jobs, (all, of_lane), None)
    }

    fn spend_knowing(
        &self,
        jobs: Vec<Job<'_>>,
        (all, of_lane): (usize, usize),
        lanes: Option<&RefCell<Lanes>>,
    ) -> Vec<&'static str> {
        let all = Cell::new(all);
        let slots = Slots { all: &all, of_lane, lanes };
        let mut turns = Turns::default();
        let mut work = core::pin::pin!(async {
            turns.begin(jobs, &slots, self).await;
            while !turns.is_idle() {
                turns.end(&slots, self).await;
            }
        });
        let mut context = Context::from_waker(Waker::noop());
        while work.as_mut().poll(&mut context).is_pending() {
            self.now.set(self.now.get().saturating_add(100));
        }
        self.begun.take()
    }
}

const SILENT: u64 = 15_000;

#[test]
fn a_lane_runs_one_job_until_it_has_answered() {
    let day = Day::of(60_000);
    let jobs =
        alloc::vec![day.job("a/x", 1_000), day.job("a/x", 1_000), day.job("b/x", 500), day.job("a/x", 100)];
    assert_eq!(day.spend(jobs, (5, 2)), ["a/x", "b/x", "a/x", "a/x"]);
    let day = Day::of(60_000);
    let jobs = alloc::vec![day.job("a/x", SILENT), day.job("a/x", 0), day.job("b/x", 0), day.job("b/x", 0)];
    assert_eq!(day.spend(jobs, (5, 2)), ["a/x", "b/x", "b/x"], "a silence ends the turn of a lane");
}

#[test]
fn a_merchant_never_holds_the_last_slot() {
    let day = Day::of(60_000);
    let jobs =
        alloc::vec![day.job("a/1", 900), day.job("a/2", 900), day.job("a/3", 900), day.job("b/1", 100)];
    assert_eq!(day.spend(jobs, (3, 1)), ["a/1", "a/2", "b/1", "a/3"]);
}

#[test]
fn a_single_slot_serves_everyone() {
    let day = Day::of(60_000);
    let jobs = alloc::vec![day.job("a/1", 900), day.job("a/2", 900), day.job("b/1", 100)];
    assert_eq!(day.spend(jobs, (1, 1)), ["a/1", "a/2", "b/1"]);
}

#[test]
fn a_family_that_is_silent_for_two_merchants_is_left_alone_by_all() {
    let day = Day::of(60_000);
    let jobs = alloc::vec![
        day.job("a/x/bank", SILENT),
        day.job("b/x/bank", SILENT),
        day.job("c/x/bank", 0),
        day.job("d/x/other", 100)
    ];
    assert_eq!(day.spend(jobs, (5, 1)), ["a/x/bank", "b/x/bank", "d/x/other"]);
}

#[test]
fn a_family_that_answers_someone_is_not_closed_by_silences() {
    let day = Day::of(60_000);
    let jobs = alloc::vec![
        day.job("a/x/bank", SILENT),
        day.job("b/x/bank", 100),
        day.job("c/x/bank", SILENT),
        day.job("d/x/bank", SILENT),
        day.job("e/x/bank", 100)
    ];
    assert_eq!(day.spend(jobs, (5, 1)).len(), 5);
}

#[test]
fn nothing_begins_when_the_time_is_over() {
    let day = Day::of(1_000);
    let jobs = alloc::vec![day.job("a/1", 600), day.job("b/1", 600), day.job("c/1", 600)];
    assert_eq!(day.spend(jobs, (1, 1)), ["a/1", "b/1"]);
}

#[test]
fn a_lane_widens_answer_by_answer_up_to_its_slots() {
    let lanes: RefCell<Lanes> = RefCell::default();
    let day = Day::of(60_000);
    let mut jobs: Vec<Job<'_>> = (0..12).map(|_| day.job("a/x", 1_000)).collect();
    jobs.push(day.job("b/y", 100));
    let begun = day.spend_knowing(jobs, (5, 3), Some(&lanes));
    assert_eq!(begun.len(), 13);
    // One job, then two, then three at a time: 1 + 2 + 3 + 3 + 3.
    assert!(day.now.get() <= 5_200, "{}", day.now.get());
}

#[test]
fn receivers_that_were_silent_before_share_one_slot() {
    let lanes: RefCell<Lanes> = RefCell::default();
    for lane in ["1", "2", "3"] {
        let lane = (MerchantId::parse("a").unwrap_or_else(|| panic!("an id")), lane.to_string());
        lanes.borrow_mut().note(lane, Verdict::Silent, Timestamp::from_millis(0));
    }
    let day = Day::of(60_000);
    let jobs = alloc::vec![
        day.job("a/1", SILENT),
        day.job("a/2", SILENT),
        day.job("a/3", SILENT),
        day.job("b/4", 100),
        day.job("c/5", 100)
    ];
    assert_eq!(day.spend_knowing(jobs, (3, 1), Some(&lanes)), ["a/1", "b/4", "c/5", "a/2", "a/3"]);
}
