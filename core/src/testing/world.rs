//! All ports together.

use alloc::vec::Vec;
use core::cell::{Cell, RefCell};

use super::cache::MemoryCache;
use super::clock::ManualClock;
use super::files::MemoryFiles;
use super::http::ScriptedHttp;
use super::rng::SeededRng;
use super::signatures::GivenSignatures;
use super::signer::HashSigner;
use super::store::MemoryStore;
use super::vault::OpenVault;
use crate::gateway::decline::Unmapped;
use crate::port::{self, Installation, Lanes, Limited, OperatorAlerts, PortError, Ring, RunLimits, Scope};
use crate::value::network::Network;
use crate::value::slot::Slotted;
use crate::value::time::Timestamp;
use crate::value::web_address::Reach;

/// When the world of a test begins: 2026-01-01, midnight in UTC.
pub const BEGINNING: Timestamp = Timestamp::from_millis(1_767_225_600_000);

/// The token of the operator.
pub const OPERATOR_TOKEN: &str = "operator-token-of-a-world-in-memory";

/// A world in memory. Its parts are public, so that a test can move the clock, script answers and look into
/// the store.
#[derive(Debug)]
pub struct World {
    /// The installation: `https://pay.example.com`, which reaches public addresses only.
    pub installation: Installation,
    /// The time, from [`BEGINNING`] on.
    pub clock: ManualClock,
    /// Random numbers of the seed.
    pub rng: SeededRng,
    /// A vault that hides nothing.
    pub vault: OpenVault,
    /// Gateways and receivers.
    pub http: ScriptedHttp,
    /// Files of merchants.
    pub files: MemoryFiles,
    /// Signatures, as the test judges them.
    pub signatures: GivenSignatures,
    /// What was fetched from providers.
    pub cache: MemoryCache,
    /// What is stored.
    pub store: MemoryStore,
    /// The decline codes that no table has, in order.
    pub missed_codes: RefCell<Vec<Unmapped>>,
    /// From where requests come; not known unless a test says it.
    pub network: Cell<Option<Network>>,
    /// To whom the installation's own alerts go.
    pub operator_alerts: Option<OperatorAlerts>,
    /// The limits that refused something, in order, with the seconds to wait.
    pub limited: RefCell<Vec<(&'static str, u64)>>,
}

impl World {
    /// An empty world. Equal seeds give equal worlds.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self {
            installation: Installation {
                public_url: "https://pay.example.com".into(),
                reach: Reach::Public,
                has_sandbox: true,
                desk_url: None,
            },
            clock: ManualClock::at(BEGINNING),
            rng: SeededRng::new(seed),
            vault: OpenVault::default(),
            http: ScriptedHttp::default(),
            files: MemoryFiles::default(),
            signatures: GivenSignatures::default(),
            cache: MemoryCache::default(),
            store: MemoryStore::default(),
            missed_codes: RefCell::default(),
            network: Cell::default(),
            operator_alerts: None,
            limited: RefCell::default(),
        }
    }
}

impl port::World for World {
    type Clock = ManualClock;
    type Rng = SeededRng;
    type Vault = OpenVault;
    type Signer = HashSigner;
    type Http = ScriptedHttp;
    type Files = MemoryFiles;
    type Signatures = GivenSignatures;
    type Cache = MemoryCache;
    type Directory = MemoryStore;
    type Ledger = MemoryStore;

    fn miss_decline_code(&self, unmapped: &Unmapped) {
        self.missed_codes.borrow_mut().push(unmapped.clone());
    }

    /// A few zones, as they are in 2026.
    fn minutes_ahead(&self, zone: &str, at: Timestamp) -> Option<i16> {
        // 29 March and 25 October 2026, 01:00 UTC.
        let is_summer = (1_774_746_000_000..1_792_890_000_000).contains(&at.millis());
        match zone {
            "UTC" => Some(0),
            "Asia/Kuwait" => Some(180),
            "Asia/Kolkata" => Some(330),
            "Europe/London" => Some(if is_summer { 60 } else { 0 }),
            _ => None,
        }
    }

    fn post(&self, _: Vec<Ring>) {}

    fn scope(&self) -> Scope {
        Scope { network: self.network.get(), is_payers: true, wait: None }
    }

    fn limited(&self, limited: &Limited<'_>) {
        self.limited.borrow_mut().push((limited.limit, limited.retry_after));
    }

    fn operator_alerts(&self) -> Option<&OperatorAlerts> {
        self.operator_alerts.as_ref()
    }

    fn installation(&self) -> &Installation {
        &self.installation
    }

    fn operator_token(&self) -> &str {
        OPERATOR_TOKEN
    }

    fn clock(&self) -> &ManualClock {
        &self.clock
    }

    fn rng(&self) -> &SeededRng {
        &self.rng
    }

    fn signer(&self) -> &HashSigner {
        &HashSigner
    }

    fn vault(&self) -> &OpenVault {
        &self.vault
    }

    fn http(&self) -> &ScriptedHttp {
        &self.http
    }

    fn files(&self) -> &MemoryFiles {
        &self.files
    }

    fn signatures(&self) -> &GivenSignatures {
        &self.signatures
    }

    fn cache(&self) -> &MemoryCache {
        &self.cache
    }

    fn directory(&self) -> &MemoryStore {
        &self.store
    }

    fn ledger(&self, _: &(impl Slotted + ?Sized)) -> &MemoryStore {
        &self.store
    }

    fn recalls_sign_in(&self, _: &[u8]) -> bool {
        false
    }

    fn remember_sign_in(&self, _: &[u8]) {}

    fn run_limits(&self) -> RunLimits {
        RunLimits::USUAL
    }

    fn has_queues(&self) -> bool {
        false
    }

    async fn ring(&self, _: &[Ring]) -> Result<(), PortError> {
        Ok(())
    }

    fn lanes(&self) -> Option<&RefCell<Lanes>> {
        None
    }
}
