//! A world in which requests take time: all requests in progress at once wait together, as on a real machine.

use std::cell::RefCell;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use checkout_core::gateway::exchange::{Incoming, Outgoing};
use checkout_core::port::{Clock, Http, SendError};
use checkout_core::testing::clock::ManualClock;
use checkout_core::testing::http::ScriptedHttp;
use checkout_core::testing::world::World;
use checkout_core::value::time::Timestamp;

use crate::middle::InterruptedRng;
use crate::over::Over;

type Delay<'w> = Box<dyn Fn(&Outgoing) -> Duration + 'w>;

/// A world in which a request takes as long as `delay` says. One that takes longer than its limit gets no
/// answer, and may have arrived all the same.
pub type Slow<'w> = Over<'w, SlowHttp<'w>>;

/// See [`Slow`].
pub struct SlowHttp<'w> {
    http: &'w ScriptedHttp,
    clock: &'w ManualClock,
    delay: Delay<'w>,
    waiting: RefCell<Vec<Timestamp>>,
    most: RefCell<usize>,
}

impl<'w> Slow<'w> {
    /// The world with its delays.
    #[must_use]
    pub fn new(world: &'w World, delay: impl Fn(&Outgoing) -> Duration + 'w) -> Self {
        let http = SlowHttp {
            http: &world.http,
            clock: &world.clock,
            delay: Box::new(delay),
            waiting: RefCell::default(),
            most: RefCell::default(),
        };
        Self { world, rng: InterruptedRng::undisturbed(&world.rng), http }
    }

    /// Runs a future to its end. When everything waits, the time moves to the next moment that something
    /// waits for.
    pub fn run<T>(&self, future: impl Future<Output = T>) -> T {
        let mut future = pin!(future);
        let mut context = Context::from_waker(Waker::noop());
        loop {
            if let Poll::Ready(done) = future.as_mut().poll(&mut context) {
                return done;
            }
            let next = self.http.waiting.borrow().iter().min().copied();
            self.world.clock.advance_to(next.unwrap());
        }
    }

    /// The most requests that were in progress at the same time.
    #[must_use]
    pub fn most_at_once(&self) -> usize {
        *self.http.most.borrow()
    }
}

impl SlowHttp<'_> {
    async fn wait(&self, until: Timestamp) {
        self.waiting.borrow_mut().push(until);
        let under_way = self.waiting.borrow().len();
        let most = (*self.most.borrow()).max(under_way);
        *self.most.borrow_mut() = most;
        poll_fn(|_| if self.clock.now() >= until { Poll::Ready(()) } else { Poll::Pending }).await;
        let mut waiting = self.waiting.borrow_mut();
        let place = waiting.iter().position(|at| *at == until).unwrap();
        waiting.swap_remove(place);
    }
}

impl Http for SlowHttp<'_> {
    async fn send(&self, request: Outgoing, limit: Duration) -> Result<Incoming, SendError> {
        let delay = (self.delay)(&request);
        self.wait(self.clock.now().plus(delay.min(limit))).await;
        let answer = self.http.send(request, limit).await;
        if delay > limit { Err(SendError::Unknown) } else { answer }
    }
}
