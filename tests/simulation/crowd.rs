//! An executor that prefers no task: it polls the task that it is asked to, and drops a future in the middle.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use checkout_core::value::time::Timestamp;

/// Everything that is in progress.
#[derive(Default)]
pub(crate) struct Crowd<'s> {
    tasks: Vec<Task<'s>>,
    count: u32,
}

struct Task<'s> {
    number: u32,
    since: Timestamp,
    future: Pin<Box<dyn Future<Output = ()> + 's>>,
}

/// Lets all other tasks go first.
pub(crate) async fn step_back() {
    let mut has_waited = false;
    poll_fn(|context| {
        if has_waited {
            return Poll::Ready(());
        }
        has_waited = true;
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

impl<'s> Crowd<'s> {
    /// Adds a task, of which nothing is done yet. Returns its number.
    pub(crate) fn join(&mut self, since: Timestamp, future: impl Future<Output = ()> + 's) -> u32 {
        self.count = self.count.saturating_add(1);
        self.tasks.push(Task { number: self.count, since, future: Box::pin(future) });
        self.count
    }

    /// The number of the task at this place.
    pub(crate) fn number(&self, place: usize) -> Option<u32> {
        self.tasks.get(place).map(|task| task.number)
    }

    pub(crate) fn len(&self) -> usize {
        self.tasks.len()
    }

    /// Since when the task at this place is in progress.
    pub(crate) fn since(&self, place: usize) -> Option<Timestamp> {
        self.tasks.get(place).map(|task| task.since)
    }

    /// Lets the task at this place go on to its next await; whether it is done, and removed.
    pub(crate) fn poll(&mut self, place: usize) -> bool {
        let Some(task) = self.tasks.get_mut(place) else { return true };
        let mut context = Context::from_waker(Waker::noop());
        let is_done = task.future.as_mut().poll(&mut context).is_ready();
        if is_done {
            self.tasks.remove(place);
        }
        is_done
    }

    /// Kills the task at this place, wherever it is; returns its number.
    pub(crate) fn kill(&mut self, place: usize) -> Option<u32> {
        (place < self.tasks.len()).then(|| self.tasks.remove(place).number)
    }
}
