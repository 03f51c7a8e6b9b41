//! A world in memory whose random numbers and requests are provided by another type.

use checkout_core::port::{self, Http, PortError, Ring, Scope};
use checkout_core::testing::store::MemoryStore;
use checkout_core::testing::world::World;
use checkout_core::value::slot::Slotted;

use crate::middle::InterruptedRng;

/// The ports of `world`, except those that are given separately here.
pub struct Over<'w, H> {
    pub(crate) world: &'w World,
    pub(crate) rng: InterruptedRng<'w>,
    pub(crate) http: H,
}

impl<'w, H: Http> port::World for Over<'w, H> {
    crate::ports_of!(world);

    type Rng = InterruptedRng<'w>;
    type Http = H;
    type Directory = MemoryStore;
    type Ledger = MemoryStore;

    fn rng(&self) -> &InterruptedRng<'w> {
        &self.rng
    }

    fn http(&self) -> &H {
        &self.http
    }

    fn scope(&self) -> Scope {
        self.world.scope()
    }

    fn directory(&self) -> &MemoryStore {
        &self.world.store
    }

    fn ledger(&self, _: &(impl Slotted + ?Sized)) -> &MemoryStore {
        &self.world.store
    }

    fn has_queues(&self) -> bool {
        self.world.has_queues()
    }

    async fn ring(&self, rings: &[Ring]) -> Result<(), PortError> {
        self.world.ring(rings).await
    }
}
