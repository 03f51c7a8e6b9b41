//! Shares a run among merchants, gateways and receivers: a few jobs at a time, in the order of their turns,
//! so that neither a party that does not answer nor a backlog holds up the others.

use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::{Cell, RefCell};
use core::future::{Future, poll_fn};
use core::pin::Pin;
use core::task::{Context, Poll};
use core::time::Duration;

use crate::port::{Lane, Lanes, Turn, Verdict};
use crate::value::id::MerchantId;
use crate::value::time::Timestamp;

/// How long a job may take before the party that should have answered counts as silent.
pub(super) const SILENCE: Duration = Duration::from_secs(10);
/// How many merchants must find a family of gateways silent before it is left alone.
const SILENCES_OF_FAMILY: usize = 2;
/// How many jobs of a family run at the same time before one of them was answered.
const MAX_UNPROVEN: usize = 2;

/// How many requests to receivers that did not answer a short while ago run at the same time.
const MAX_DOUBTFUL: usize = 1;

/// What is done, and whether it ended well.
pub(super) type Work<'j> = Pin<Box<dyn Future<Output = bool> + 'j>>;

/// Something to do in a merchant's turn. Nothing happens before it is begun.
pub(super) struct Job<'j> {
    merchant: MerchantId,
    lane: String,
    family: Option<String>,
    work: Work<'j>,
}

impl<'j> Job<'j> {
    /// The job of a row.
    pub(super) fn new<T>(turn: Turn<T>, work: impl FnOnce(T) -> Work<'j>) -> Self {
        let Turn { item, merchant, lane, family } = turn;
        Self { merchant, lane, family, work: work(item) }
    }

    /// The same job, which calls `note` when it begins.
    pub(super) fn noted(self, note: impl FnOnce() + 'j) -> Self {
        let Self { merchant, lane, family, work } = self;
        let work = Box::pin(async move {
            note();
            work.await
        });
        Self { merchant, lane, family, work }
    }

    /// The merchant in whose turn it is done.
    pub(super) const fn merchant(&self) -> &MerchantId {
        &self.merchant
    }
}

/// How many jobs run at the same time.
pub(super) struct Slots<'s> {
    /// All of them. It may grow while jobs run.
    pub(super) all: &'s Cell<usize>,
    /// Those of one lane, once it has answered.
    pub(super) of_lane: usize,
    /// What is known of the lanes, if they widen answer by answer.
    pub(super) lanes: Option<&'s RefCell<Lanes>>,
}

/// When nothing more is begun, and what time it is.
pub(super) trait Pace {
    /// Now.
    fn now(&self) -> Timestamp;
    /// Whether another job may begin.
    fn may_begin(&self) -> bool;
}

/// Who answered in this run, and who was silent.
#[derive(Default)]
struct Answers {
    prompt: BTreeSet<(MerchantId, String)>,
    silent: BTreeSet<(MerchantId, String)>,
    prompt_families: BTreeSet<String>,
    silent_families: BTreeSet<(String, MerchantId)>,
}

impl Answers {
    fn note(&mut self, job: &Running<'_>, is_good: bool, now: Timestamp, lanes: Option<&RefCell<Lanes>>) {
        let lane = (job.merchant.clone(), job.lane.clone());
        let family = job.family.clone();
        let is_silent = now.since(job.since) >= SILENCE;
        if let Some(lanes) = lanes {
            let answered = if is_good { Verdict::Good } else { Verdict::Bad };
            let verdict = if is_silent { Verdict::Silent } else { answered };
            lanes.borrow_mut().note(lane.clone(), verdict, now);
        }
        if is_silent {
            self.silent_families.extend(family.map(|family| (family, job.merchant.clone())));
            self.silent.insert(lane);
        } else {
            self.prompt_families.extend(family);
            self.prompt.insert(lane);
        }
    }

    /// Whether the run no longer waits for anyone of the lane, or of its family.
    fn is_closed(&self, job: &Job<'_>) -> bool {
        let is_silent = self.silent.contains(&(job.merchant.clone(), job.lane.clone()));
        is_silent || job.family.as_ref().is_some_and(|family| self.is_family_closed(family))
    }

    fn is_family_closed(&self, family: &String) -> bool {
        let silences = self.silent_families.iter().filter(|(silent, _)| silent == family).count();
        silences >= SILENCES_OF_FAMILY && !self.prompt_families.contains(family)
    }

    /// Whether a job may begin in addition to those that run. A merchant never takes the last free slot.
    fn has_room(&self, job: &Job<'_>, running: &[Running<'_>], slots: &Slots<'_>, now: Timestamp) -> bool {
        let count =
            |is_like: &dyn Fn(&Running<'_>) -> bool| running.iter().filter(|one| is_like(one)).count();
        let of_merchant = count(&|one| one.merchant == job.merchant);
        let of_lane = count(&|one| one.merchant == job.merchant && one.lane == job.lane);
        let lane: Lane = (job.merchant.clone(), job.lane.clone());
        let width = match slots.lanes {
            Some(lanes) => lanes.borrow().width(&lane),
            None if self.prompt.contains(&lane) => usize::MAX,
            None => 1,
        };
        let is_doubtful = |lane: &Lane| slots.lanes.is_some_and(|lanes| lanes.borrow().is_silent(lane, now));
        let doubtful = &|one: &Running<'_>| is_doubtful(&(one.merchant.clone(), one.lane.clone()));
        let has_room_for_doubt = !is_doubtful(&lane) || count(doubtful) < MAX_DOUBTFUL;
        let has_family_room = job.family.as_ref().is_none_or(|family| {
            self.prompt_families.contains(family)
                || count(&|one| one.family.as_ref() == Some(family)) < MAX_UNPROVEN
        });
        let all = slots.all.get();
        running.len() < all
            && of_merchant < all.saturating_sub(1).max(1)
            && of_lane < width.min(slots.of_lane)
            && has_family_room
            && has_room_for_doubt
    }
}

struct Running<'j> {
    merchant: MerchantId,
    lane: String,
    family: Option<String>,
    since: Timestamp,
    work: Work<'j>,
}

/// Jobs that wait and run, and what is known of who answers.
#[derive(Default)]
pub(super) struct Turns<'j> {
    waiting: Vec<Job<'j>>,
    running: Vec<Running<'j>>,
    answers: Answers,
    done: usize,
}

/// Does what `search` finds, in turns, until it finds nothing any more or the time is over; how many jobs
/// ended. The search is repeated whenever a slot is free that none of the waiting jobs may have.
pub(super) async fn take_turns<'j>(
    search: impl AsyncFn() -> Vec<Job<'j>>,
    slots: &Slots<'_>,
    pace: &dyn Pace,
) -> usize {
    let (mut turns, mut done) = (Turns::default(), 0_usize);
    loop {
        let jobs = search().await;
        if !jobs.is_empty() && pace.may_begin() {
            turns.begin(jobs, slots, pace).await;
            continue;
        }
        let ended = turns.end(slots, pace).await;
        done = done.saturating_add(ended);
        if turns.is_idle() && (ended == 0 || !pace.may_begin()) {
            return done;
        }
    }
}

impl<'j> Turns<'j> {
    /// Begins jobs, the first ones first, until all have begun or a slot is free that none of them may have,
    /// but other jobs may. Jobs of a lane that fell silent, and those that may not begin any more, are left.
    pub(super) async fn begin(&mut self, jobs: Vec<Job<'j>>, slots: &Slots<'_>, pace: &dyn Pace) {
        self.waiting.extend(jobs);
        poll_fn(|context| {
            self.go_on(context, slots, pace);
            let is_room_left = self.running.len() < slots.all.get();
            if self.waiting.is_empty() || is_room_left { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
    }

    /// Waits until everything has ended or is left, or a job has ended whose slot none of the waiting jobs
    /// may have; how many jobs ended since the last call.
    pub(super) async fn end(&mut self, slots: &Slots<'_>, pace: &dyn Pace) -> usize {
        poll_fn(|context| {
            let (ended, begun) = self.go_on(context, slots, pace);
            let is_slot_free = ended > 0 && begun == 0;
            if self.running.is_empty() || is_slot_free { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
        core::mem::take(&mut self.done)
    }

    /// Continues what runs, and begins what may begin, until neither changes anything; how many jobs ended
    /// and began.
    fn go_on(&mut self, context: &mut Context<'_>, slots: &Slots<'_>, pace: &dyn Pace) -> (usize, usize) {
        let (mut all_ended, mut all_begun) = (0_usize, 0_usize);
        loop {
            let ended = self.poll_all(context, slots, pace);
            self.done = self.done.saturating_add(ended);
            let begun = self.begin_some(slots, pace);
            all_ended = all_ended.saturating_add(ended);
            all_begun = all_begun.saturating_add(begun);
            if ended == 0 && begun == 0 {
                return (all_ended, all_begun);
            }
        }
    }

    /// Whether nothing is running.
    pub(super) const fn is_idle(&self) -> bool {
        self.running.is_empty()
    }

    fn poll_all(&mut self, context: &mut Context<'_>, slots: &Slots<'_>, pace: &dyn Pace) -> usize {
        let before = self.running.len();
        let answers = &mut self.answers;
        self.running.retain_mut(|job| {
            let Poll::Ready(is_good) = job.work.as_mut().poll(context) else { return true };
            answers.note(job, is_good, pace.now(), slots.lanes);
            false
        });
        before.saturating_sub(self.running.len())
    }

    fn begin_some(&mut self, slots: &Slots<'_>, pace: &dyn Pace) -> usize {
        let (before, now, may_begin) = (self.running.len(), pace.now(), pace.may_begin());
        // A lane without room gets none while jobs begin, so that a long queue of one lane costs one look.
        let mut full: Vec<Lane> = Vec::new();
        for job in core::mem::take(&mut self.waiting) {
            if !may_begin || self.answers.is_closed(&job) {
                continue;
            }
            let is_full = full.iter().any(|(merchant, lane)| *merchant == job.merchant && *lane == job.lane);
            if !is_full && self.answers.has_room(&job, &self.running, slots, now) {
                let Job { merchant, lane, family, work } = job;
                self.running.push(Running { merchant, lane, family, since: now, work });
                continue;
            }
            if !is_full {
                full.push((job.merchant.clone(), job.lane.clone()));
            }
            self.waiting.push(job);
        }
        self.running.len().saturating_sub(before)
    }
}

#[cfg(test)]
mod tests;
