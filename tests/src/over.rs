//! A world in memory whose random numbers and requests are provided by another type.

use checkout_core::port::{self, Http, Installation, Limited, Ring, Scope};
use checkout_core::testing::cache::MemoryCache;
use checkout_core::testing::clock::ManualClock;
use checkout_core::testing::files::MemoryFiles;
use checkout_core::testing::signatures::GivenSignatures;
use checkout_core::testing::signer::HashSigner;
use checkout_core::testing::store::MemoryStore;
use checkout_core::testing::vault::OpenVault;
use checkout_core::testing::world::World;
use checkout_core::value::time::Timestamp;

use crate::middle::InterruptedRng;

/// The ports of `world`, except those that are given separately here.
pub struct Over<'w, H> {
    pub(crate) world: &'w World,
    pub(crate) rng: InterruptedRng<'w>,
    pub(crate) http: H,
}

impl<'w, H: Http> port::World for Over<'w, H> {
    type Clock = ManualClock;
    type Rng = InterruptedRng<'w>;
    type Vault = OpenVault;
    type Signer = HashSigner;
    type Http = H;
    type Files = MemoryFiles;
    type Signatures = GivenSignatures;
    type Cache = MemoryCache;
    type Store = MemoryStore;

    fn minutes_ahead(&self, zone: &str, at: Timestamp) -> Option<i16> {
        self.world.minutes_ahead(zone, at)
    }

    fn installation(&self) -> &Installation {
        &self.world.installation
    }

    fn operator_token(&self) -> &str {
        self.world.operator_token()
    }

    fn clock(&self) -> &ManualClock {
        &self.world.clock
    }

    fn rng(&self) -> &InterruptedRng<'w> {
        &self.rng
    }

    fn signer(&self) -> &HashSigner {
        &HashSigner
    }

    fn vault(&self) -> &OpenVault {
        &self.world.vault
    }

    fn http(&self) -> &H {
        &self.http
    }

    fn signatures(&self) -> &GivenSignatures {
        &self.world.signatures
    }

    fn cache(&self) -> &MemoryCache {
        &self.world.cache
    }

    fn files(&self) -> &MemoryFiles {
        &self.world.files
    }

    fn post(&self, _: Vec<Ring>) {}

    fn scope(&self) -> Scope {
        self.world.scope()
    }

    fn limited(&self, limited: &Limited<'_>) {
        self.world.limited(limited);
    }

    fn store(&self) -> &MemoryStore {
        &self.world.store
    }
}
