//! Shares a run among merchants, gateways and receivers: a few jobs at a time, in the order of their turns,
//! so that neither a party that does not answer nor a backlog holds up the others.

use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::RefCell;
use core::future::{Future, poll_fn};
use core::pin::Pin;
use core::task::{Context, Poll};
use core::time::Duration;

use crate::port::{DueRow, Lane, LaneVerdict, Lanes};
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
pub(in crate::flow) type Work<'j> = Pin<Box<dyn Future<Output = bool> + 'j>>;

/// What a job does. While there are jobs of both classes, each has its part of the slots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::flow) enum Class {
    /// It asks a gateway, or ends a transaction: what it stores may cause a message.
    Asking,
    /// It sends a message.
    Sending,
}

impl Class {
    const fn other(self) -> Self {
        match self {
            Self::Asking => Self::Sending,
            Self::Sending => Self::Asking,
        }
    }
}

/// Something to do in a merchant's turn. Nothing happens before it is begun.
pub(in crate::flow) struct Job<'j> {
    class: Class,
    merchant: MerchantId,
    lane: String,
    family: Option<String>,
    work: Work<'j>,
}

impl<'j> Job<'j> {
    /// The job of a row.
    pub(in crate::flow) fn new<T>(class: Class, turn: DueRow<T>, work: impl FnOnce(T) -> Work<'j>) -> Self {
        let DueRow { item, merchant, lane, family } = turn;
        Self { class, merchant, lane, family, work: work(item) }
    }

    /// The merchant in whose turn it is done.
    pub(in crate::flow) const fn merchant(&self) -> &MerchantId {
        &self.merchant
    }
}

/// How many jobs run at the same time.
pub(super) struct Slots<'s> {
    /// All of them.
    pub(super) all: usize,
    /// The most of one lane, which widens answer by answer.
    pub(super) of_lane: usize,
    /// What is known of the lanes.
    pub(super) lanes: &'s RefCell<Lanes>,
}

impl Slots<'_> {
    /// How many of them a class has, if the other one has jobs too or not.
    fn of(&self, class: Class, is_shared: bool) -> usize {
        let sending = (self.all / 2).max(1);
        match class {
            _ if !is_shared => self.all,
            Class::Sending => sending,
            Class::Asking => self.all.saturating_sub(sending).max(1),
        }
    }
}

/// Something for each class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::flow) struct EachTurn<T> {
    /// For those who ask.
    pub(in crate::flow) asking: T,
    /// For those who send.
    pub(in crate::flow) sending: T,
}

impl<T: Copy> EachTurn<T> {
    const fn of(self, class: Class) -> T {
        match class {
            Class::Asking => self.asking,
            Class::Sending => self.sending,
        }
    }

    const fn both(value: T) -> Self {
        Self { asking: value, sending: value }
    }
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
struct GatewayAnswers {
    silent: BTreeSet<Lane>,
    prompt_families: BTreeSet<String>,
    silent_families: BTreeSet<(String, MerchantId)>,
}

impl GatewayAnswers {
    fn note(&mut self, job: &Running<'_>, is_good: bool, now: Timestamp, lanes: &RefCell<Lanes>) {
        let lane = (job.merchant.clone(), job.lane.clone());
        let family = job.family.clone();
        let is_silent = now.since(job.since) >= SILENCE;
        let answered = if is_good { LaneVerdict::Good } else { LaneVerdict::Bad };
        let verdict = if is_silent { LaneVerdict::Silent } else { answered };
        lanes.borrow_mut().note(lane.clone(), verdict, now);
        if is_silent {
            self.silent_families.extend(family.map(|family| (family, job.merchant.clone())));
            self.silent.insert(lane);
        } else {
            self.prompt_families.extend(family);
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
        let width = slots.lanes.borrow().width(&lane);
        let is_doubtful = |lane: &Lane| slots.lanes.borrow().is_silent(lane, now);
        let doubtful = &|one: &Running<'_>| is_doubtful(&(one.merchant.clone(), one.lane.clone()));
        let has_room_for_doubt = !is_doubtful(&lane) || count(doubtful) < MAX_DOUBTFUL;
        let has_family_room = job.family.as_ref().is_none_or(|family| {
            self.prompt_families.contains(family)
                || count(&|one| one.family.as_ref() == Some(family)) < MAX_UNPROVEN
        });
        of_merchant < slots.all.saturating_sub(1).max(1)
            && of_lane < width.min(slots.of_lane)
            && has_family_room
            && has_room_for_doubt
    }
}

struct Running<'j> {
    class: Class,
    merchant: MerchantId,
    lane: String,
    family: Option<String>,
    since: Timestamp,
    work: Work<'j>,
}

/// Jobs that wait and run, and what is known of who answers.
struct Turns<'j, 's> {
    slots: &'s Slots<'s>,
    pace: &'s dyn Pace,
    waiting: Vec<Job<'j>>,
    running: Vec<Running<'j>>,
    answers: GatewayAnswers,
    /// Whether a search may find something: nothing was searched for since a job has ended.
    may_find: EachTurn<bool>,
    done: usize,
}

/// Does what `search` finds, in turns, until it finds nothing any more or the time is over; how many jobs ended. The search is
/// for the classes that have a free slot which none of their waiting jobs may have. It is repeated when jobs have ended: one
/// that asked may have caused a message.
pub(super) async fn take_turns<'j>(
    search: impl AsyncFn(EachTurn<bool>) -> Vec<Job<'j>>,
    slots: &Slots<'_>,
    pace: &dyn Pace,
) -> usize {
    let mut turns = Turns {
        slots,
        pace,
        waiting: Vec::new(),
        running: Vec::new(),
        answers: GatewayAnswers::default(),
        may_find: EachTurn::both(true),
        done: 0,
    };
    let mut wanted = EachTurn::both(true);
    loop {
        if wanted != EachTurn::both(false) && pace.may_begin() {
            turns.add(search(wanted).await, wanted);
        } else if turns.running.is_empty() {
            return turns.done;
        }
        wanted = poll_fn(|context| turns.go_on(context)).await;
    }
}

/// Whether jobs of each class are among them.
fn classes(jobs: &[Job<'_>]) -> EachTurn<bool> {
    let has = |class| jobs.iter().any(|job| job.class == class);
    EachTurn { asking: has(Class::Asking), sending: has(Class::Sending) }
}

impl<'j> Turns<'j, '_> {
    /// Adds what a search for some classes found.
    fn add(&mut self, jobs: Vec<Job<'j>>, searched: EachTurn<bool>) {
        let found = classes(&jobs);
        let is_left = |class| if searched.of(class) { found.of(class) } else { self.may_find.of(class) };
        self.may_find = EachTurn { asking: is_left(Class::Asking), sending: is_left(Class::Sending) };
        self.waiting.extend(jobs);
    }

    /// Continues what runs, and begins what may begin. Ready when something may be found for a free slot, or everything has
    /// ended or is left: jobs of a lane that fell silent, and those that may not begin any more.
    fn go_on(&mut self, context: &mut Context<'_>) -> Poll<EachTurn<bool>> {
        let mut begun = EachTurn::both(0_usize);
        loop {
            let ended = self.poll_all(context);
            let some = self.begin_some();
            begun = EachTurn {
                asking: begun.asking.saturating_add(some.asking),
                sending: begun.sending.saturating_add(some.sending),
            };
            if !ended && some == EachTurn::both(0) {
                break;
            }
        }
        let (waits, may_begin) = (classes(&self.waiting), self.pace.may_begin());
        // Something may be found, and none of those that wait may have the slot.
        let is_wanted = |class| {
            let is_stuck = begun.of(class) == 0 || !waits.of(class);
            may_begin && self.may_find.of(class) && is_stuck && self.has_slot(class, waits)
        };
        let wanted = EachTurn { asking: is_wanted(Class::Asking), sending: is_wanted(Class::Sending) };
        let is_over = self.running.is_empty();
        if is_over || wanted != EachTurn::both(false) { Poll::Ready(wanted) } else { Poll::Pending }
    }

    /// Whether a class has a free slot, if jobs of some classes wait.
    fn has_slot(&self, class: Class, waits: EachTurn<bool>) -> bool {
        let of_class = self.running.iter().filter(|job| job.class == class).count();
        let other = class.other();
        // What may be found for the other class has its part too, so that it need not wait for all of this one.
        let is_shared = waits.of(other) || self.may_find.of(other) || of_class < self.running.len();
        self.running.len() < self.slots.all && of_class < self.slots.of(class, is_shared)
    }

    /// Whether a job has ended.
    fn poll_all(&mut self, context: &mut Context<'_>) -> bool {
        let before = self.running.len();
        let (answers, may_find, pace, lanes) =
            (&mut self.answers, &mut self.may_find, self.pace, self.slots.lanes);
        self.running.retain_mut(|job| {
            let Poll::Ready(is_good) = job.work.as_mut().poll(context) else { return true };
            answers.note(job, is_good, pace.now(), lanes);
            may_find.asking |= job.class == Class::Asking;
            may_find.sending = true;
            false
        });
        let ended = before.saturating_sub(self.running.len());
        self.done = self.done.saturating_add(ended);
        ended > 0
    }

    /// How many jobs have begun.
    fn begin_some(&mut self) -> EachTurn<usize> {
        let (now, may_begin) = (self.pace.now(), self.pace.may_begin());
        let mut begun = EachTurn::both(0_usize);
        // A lane without room gets none while jobs begin, so that a long queue of one lane costs one look.
        let mut full: Vec<Lane> = Vec::new();
        let jobs = core::mem::take(&mut self.waiting);
        let waits = classes(&jobs);
        for job in jobs {
            if !may_begin || self.answers.is_closed(&job) {
                continue;
            }
            let is_full = full.iter().any(|(merchant, lane)| *merchant == job.merchant && *lane == job.lane);
            let has_room = || self.answers.has_room(&job, &self.running, self.slots, now);
            if !is_full && self.has_slot(job.class, waits) && has_room() {
                let Job { class, merchant, lane, family, work } = job;
                let count = match class {
                    Class::Asking => &mut begun.asking,
                    Class::Sending => &mut begun.sending,
                };
                *count = count.saturating_add(1);
                self.running.push(Running { class, merchant, lane, family, since: now, work });
                continue;
            }
            if !is_full {
                full.push((job.merchant.clone(), job.lane.clone()));
            }
            self.waiting.push(job);
        }
        begun
    }
}

#[cfg(test)]
mod tests;
