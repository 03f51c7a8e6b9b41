//! Runs the work of requests: a future is polled where it is started, and again by the call in which the platform says
//! what it waited for. The executor of the bindings would leave for JavaScript and come back each time.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};

use wasm_bindgen_futures::spawn_local;

/// A future, and what wakes it. The future is away while it is polled.
struct Task {
    future: Option<Pin<Box<dyn Future<Output = ()>>>>,
    waker: Waker,
}

thread_local! {
    /// Tasks that have not ended, by their place.
    static TASKS: RefCell<Vec<Option<Task>>> = const { RefCell::new(Vec::new()) };
    /// The places of tasks to be polled.
    static READY: RefCell<VecDeque<usize>> = const { RefCell::new(VecDeque::new()) };
    /// Whether someone polls what is ready, now or soon.
    static IS_POLLED: Cell<bool> = const { Cell::new(false) };
}

/// Notes that the task at a place is to be polled.
struct Place(usize);

impl Wake for Place {
    fn wake(self: Arc<Self>) {
        READY.with_borrow_mut(|ready| ready.push_back(self.0));
        // Woken by something else than the platform's answers, such as another task of the bindings.
        if !IS_POLLED.replace(true) {
            spawn_local(async { poll_ready() });
        }
    }
}

/// Starts a task, and goes on with it until it waits.
pub(crate) fn start(future: impl Future<Output = ()> + 'static) {
    let place = TASKS.with_borrow_mut(|tasks| {
        let free = tasks.iter().position(Option::is_none);
        let place = free.unwrap_or(tasks.len());
        let task = Task { future: Some(Box::pin(future)), waker: Arc::new(Place(place)).into() };
        match tasks.get_mut(place) {
            Some(slot) => *slot = Some(task),
            None => tasks.push(Some(task)),
        }
        place
    });
    polling(|| READY.with_borrow_mut(|ready| ready.push_back(place)));
}

/// Does something that may wake tasks, and goes on with those.
pub(crate) fn polling(wakes: impl FnOnce()) {
    if IS_POLLED.replace(true) {
        wakes();
    } else {
        wakes();
        poll_ready();
    }
}

/// Polls what is ready until nothing is.
fn poll_ready() {
    while let Some(place) = READY.with_borrow_mut(VecDeque::pop_front) {
        poll(place);
    }
    IS_POLLED.set(false);
}

fn poll(place: usize) {
    let taken = TASKS.with_borrow_mut(|tasks| {
        let task = tasks.get_mut(place)?.as_mut()?;
        Some((task.future.take()?, task.waker.clone()))
    });
    // A waker that outlived its task.
    let Some((mut future, waker)) = taken else { return };
    let is_done = future.as_mut().poll(&mut Context::from_waker(&waker)) == Poll::Ready(());
    let ended = TASKS.with_borrow_mut(|tasks| {
        let slot = tasks.get_mut(place)?;
        if is_done {
            return slot.take();
        }
        if let Some(task) = slot {
            task.future = Some(future);
        }
        None
    });
    // What a task holds may wake others when it is dropped: nothing is borrowed here.
    drop(ended);
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::rc::Rc;

    use super::*;

    /// What waits until it is opened; it keeps the waker even after its task has ended.
    #[derive(Default)]
    struct Gate {
        is_open: Cell<bool>,
        waker: RefCell<Option<Waker>>,
    }

    impl Gate {
        async fn passed(self: Rc<Self>) {
            poll_fn(|context| {
                *self.waker.borrow_mut() = Some(context.waker().clone());
                if self.is_open.get() { Poll::Ready(()) } else { Poll::Pending }
            })
            .await;
        }

        fn wake(&self) {
            let waker = self.waker.borrow().clone();
            waker.unwrap().wake();
        }

        fn open(&self) {
            self.is_open.set(true);
            self.wake();
        }
    }

    type Log = Rc<RefCell<Vec<&'static str>>>;

    /// Starts a task that notes its name when it begins and when it has passed the gate.
    fn start_behind(gate: &Rc<Gate>, log: &Log, name: &'static str) {
        let (gate, log) = (Rc::clone(gate), Rc::clone(log));
        start(async move {
            log.borrow_mut().push(name);
            gate.passed().await;
            log.borrow_mut().push(name);
        });
    }

    fn places() -> usize {
        TASKS.with_borrow(Vec::len)
    }

    #[test]
    fn a_task_goes_on_where_it_starts_and_in_the_call_that_wakes_it() {
        let (gate, log) = (Rc::new(Gate::default()), Log::default());
        start_behind(&gate, &log, "a");
        assert_eq!(*log.borrow(), ["a"]);
        polling(|| gate.wake());
        assert_eq!(*log.borrow(), ["a"], "woken for nothing");
        polling(|| gate.open());
        assert_eq!(*log.borrow(), ["a", "a"]);
    }

    #[test]
    fn what_a_task_wakes_and_starts_is_polled_before_the_call_returns() {
        let (gate, log) = (Rc::new(Gate::default()), Log::default());
        start_behind(&gate, &log, "waits");
        let (opened, noted) = (Rc::clone(&gate), Rc::clone(&log));
        start(async move {
            start_behind(&Rc::default(), &noted, "inner");
            opened.open();
            noted.borrow_mut().push("outer");
        });
        assert_eq!(*log.borrow(), ["waits", "outer", "inner", "waits"]);
    }

    #[test]
    fn the_place_of_a_task_that_ended_is_used_again_and_its_waker_harms_no_one() {
        let (first, second, log) = (Rc::new(Gate::default()), Rc::new(Gate::default()), Log::default());
        start_behind(&first, &log, "first");
        polling(|| first.open());
        polling(|| first.wake());
        start_behind(&second, &log, "second");
        assert_eq!(places(), 1);
        polling(|| first.wake());
        assert_eq!(*log.borrow(), ["first", "first", "second"]);
        polling(|| second.open());
        assert_eq!(*log.borrow(), ["first", "first", "second", "second"]);
    }

    #[test]
    fn what_is_dropped_with_a_task_may_wake_another() {
        struct Opens(Rc<Gate>);
        impl Drop for Opens {
            fn drop(&mut self) {
                self.0.open();
            }
        }
        let (gate, log) = (Rc::new(Gate::default()), Log::default());
        start_behind(&gate, &log, "waits");
        let opens = Opens(Rc::clone(&gate));
        start(async move {
            let _held = opens;
        });
        assert_eq!(*log.borrow(), ["waits", "waits"]);
    }
}
