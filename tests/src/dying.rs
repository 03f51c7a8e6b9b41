//! A world that ends in the middle of a request: what runs in it never goes on.

use std::cell::Cell;
use std::future::{Future, pending};
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use checkout_core::gateway::exchange::{Incoming, Outgoing};
use checkout_core::port::{Http, SendError};
use checkout_core::testing::http::ScriptedHttp;
use checkout_core::testing::world::World;

use crate::middle::InterruptedRng;
use crate::over::Over;

/// When a world ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// Before a request leaves.
    BeforeSend,
    /// After a request was answered, before anyone reads the answer.
    AfterSend,
}

/// A world that ends at the first request.
pub type Dying<'w> = Over<'w, DyingHttp<'w>>;

/// See [`Dying`].
pub struct DyingHttp<'w> {
    http: &'w ScriptedHttp,
    end: Cell<Option<End>>,
}

impl<'w> Dying<'w> {
    /// The world with its end.
    #[must_use]
    pub fn new(world: &'w World, end: End) -> Self {
        let http = DyingHttp { http: &world.http, end: Cell::new(Some(end)) };
        Self { world, rng: InterruptedRng::undisturbed(&world.rng), http }
    }

    /// Runs a future until it ends, or the world does.
    pub fn run<T>(&self, future: impl Future<Output = T>) -> Option<T> {
        match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(done) => Some(done),
            Poll::Pending => None,
        }
    }
}

impl Http for DyingHttp<'_> {
    async fn send(&self, request: Outgoing, limit: Duration) -> Result<Incoming, SendError> {
        let end = self.end.take();
        if end == Some(End::BeforeSend) {
            return pending().await;
        }
        let answer = self.http.send(request, limit).await;
        if end == Some(End::AfterSend) { pending().await } else { answer }
    }
}
