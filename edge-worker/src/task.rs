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
