//! A world in which something else happens in the middle of a flow: everything runs on one thread, so a race
//! is a flow that runs whole while another one waits.

use std::cell::RefCell;
use std::time::Duration;

use checkout_core::gateway::exchange::{Incoming, Outgoing};
use checkout_core::port::{Http, PortError, Rng, SendError};
use checkout_core::testing::http::ScriptedHttp;
use checkout_core::testing::rng::SeededRng;
use checkout_core::testing::world::World;

use crate::over::Over;

type Happening<'w> = RefCell<Option<Box<dyn FnOnce() + 'w>>>;

/// A world that is interrupted once.
pub type Interrupted<'w> = Over<'w, InterruptedHttp<'w>>;

impl<'w> Interrupted<'w> {
    /// `happening` runs before the next random number is generated: between loading and storing.
    #[must_use]
    pub fn before_random(world: &'w World, happening: impl FnOnce() + 'w) -> Self {
        Self::new(world, Some(Box::new(happening)), None)
    }

    /// `happening` runs after the next request was answered, before anything of the answer is stored.
    #[must_use]
    pub fn after_send(world: &'w World, happening: impl FnOnce() + 'w) -> Self {
        Self::new(world, None, Some(Box::new(happening)))
    }

    fn new(
        world: &'w World,
        random: Option<Box<dyn FnOnce() + 'w>>,
        send: Option<Box<dyn FnOnce() + 'w>>,
    ) -> Self {
        let rng = InterruptedRng { rng: &world.rng, happening: RefCell::new(random) };
        let http = InterruptedHttp { http: &world.http, happening: RefCell::new(send) };
        Self { world, rng, http }
    }
}

fn happen(happening: &Happening<'_>) {
    // Taken out first: what happens may run this code itself.
    let taken = happening.borrow_mut().take();
    if let Some(taken) = taken {
        taken();
    }
}

/// See [`Interrupted::before_random`].
pub struct InterruptedRng<'w> {
    rng: &'w SeededRng,
    happening: Happening<'w>,
}

impl<'w> InterruptedRng<'w> {
    /// Random numbers before which nothing happens.
    pub(crate) fn undisturbed(rng: &'w SeededRng) -> Self {
        Self { rng, happening: RefCell::default() }
    }
}

impl Rng for InterruptedRng<'_> {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), PortError> {
        happen(&self.happening);
        self.rng.fill(bytes)
    }
}

/// See [`Interrupted::after_send`].
pub struct InterruptedHttp<'w> {
    http: &'w ScriptedHttp,
    happening: Happening<'w>,
}

impl Http for InterruptedHttp<'_> {
    async fn send(&self, request: Outgoing, limit: Duration) -> Result<Incoming, SendError> {
        let answer = self.http.send(request, limit).await;
        happen(&self.happening);
        answer
    }
}
