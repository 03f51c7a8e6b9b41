use alloc::string::ToString;
use core::cell::Cell;
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
        let turn = DueRow {
            item: (),
            merchant: merchant.unwrap_or_else(|| panic!("{name}")),
            lane: parts.next().unwrap_or_default(),
            family: parts.next(),
        };
        Job::new(Class::Sending, turn, |()| {
            Box::pin(async move {
                self.begun.borrow_mut().push(name);
                let until = self.now.get().saturating_add(takes);
                poll_fn(|_| if self.now.get() >= until { Poll::Ready(true) } else { Poll::Pending }).await
            })
        })
    }

    /// Does the jobs, and returns the names of those that were begun.
    fn spend(&self, jobs: Vec<Job<'_>>, (all, of_lane): (usize, usize)) -> Vec<&'static str> {
        self.spend_knowing(jobs, (all, of_lane), &RefCell::default())
    }

    fn spend_knowing(
        &self,
        jobs: Vec<Job<'_>>,
        (all, of_lane): (usize, usize),
        lanes: &RefCell<Lanes>,
    ) -> Vec<&'static str> {
        let slots = Slots { all, of_lane, lanes };
        let jobs = RefCell::new(jobs);
        let mut work = core::pin::pin!(take_turns(async |_| jobs.take(), &slots, self));
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
    let begun = day.spend_knowing(jobs, (5, 3), &lanes);
    assert_eq!(begun.len(), 13);
    // One job, then two, then three at a time: 1 + 2 + 3 + 3 + 3.
    assert!(day.now.get() <= 5_200, "{}", day.now.get());
}

#[test]
fn receivers_that_were_silent_before_share_one_slot() {
    let lanes: RefCell<Lanes> = RefCell::default();
    for lane in ["1", "2", "3"] {
        let lane = (MerchantId::parse("a").unwrap_or_else(|| panic!("an id")), lane.to_string());
        lanes.borrow_mut().note(lane, LaneVerdict::Silent, Timestamp::from_millis(0));
    }
    let day = Day::of(60_000);
    let jobs = alloc::vec![
        day.job("a/1", SILENT),
        day.job("a/2", SILENT),
        day.job("a/3", SILENT),
        day.job("b/4", 100),
        day.job("c/5", 100)
    ];
    assert_eq!(day.spend_knowing(jobs, (3, 1), &lanes), ["a/1", "b/4", "c/5", "a/2", "a/3"]);
}

#[test]
fn those_who_ask_and_those_who_send_have_their_parts_of_the_slots() {
    let day = Day::of(60_000);
    let mut jobs: Vec<Job<'_>> =
        ["a/1", "b/2", "c/3", "d/4"].into_iter().map(|name| day.job(name, 1_000)).collect();
    for job in &mut jobs {
        job.class = Class::Asking;
    }
    jobs.extend(["e/5", "f/6", "g/7"].map(|name| day.job(name, 100)));
    let begun = day.spend(jobs, (5, 1));
    assert_eq!(begun, ["a/1", "b/2", "c/3", "e/5", "f/6", "g/7", "d/4"]);
}

#[test]
fn what_a_question_causes_is_found_while_others_are_asked() {
    let day = Day::of(60_000);
    let (asked, searches, is_found) = (Cell::new(0), Cell::new(0), Cell::new(false));
    let lanes = RefCell::default();
    let slots = Slots { all: 5, of_lane: 4, lanes: &lanes };
    let search = async |wanted: EachTurn<bool>| {
        searches.set(searches.get() + 1);
        let is_first = asked.replace(1) == 0;
        let questions = ["a/1", "a/2", "b/1", "b/2", "c/1", "c/2", "d/1", "d/2", "e/1", "e/2"];
        let mut found: Vec<Job<'_>> = Vec::new();
        if wanted.asking && is_first {
            found.extend(questions.map(|name| Job { class: Class::Asking, ..day.job(name, 5_000) }));
        }
        if wanted.sending && day.now.get() >= 5_000 && !is_found.replace(true) {
            found.push(day.job("a/hook", 100));
        }
        found
    };
    let mut work = core::pin::pin!(take_turns(search, &slots, &day));
    let mut context = Context::from_waker(Waker::noop());
    while work.as_mut().poll(&mut context).is_pending() {
        day.now.set(day.now.get().saturating_add(100));
    }
    let begun = day.begun.take();
    assert_eq!(begun.len(), 11);
    let place = |name| begun.iter().position(|begun| *begun == name);
    assert!(place("a/hook") < place("e/1"), "{begun:?}");
    assert!(searches.get() < 12, "{} searches", searches.get());
}
