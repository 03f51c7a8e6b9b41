//! The ports of one request, put together.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use checkout_core::flow::patience::receiver_limit;
use checkout_core::port::{Clock, Installation, World};
use checkout_core::value::time::Timestamp;
use worker::Env;

use crate::clock::PlatformClock;
use crate::config::Config;
use crate::d1::D1Store;
use crate::kv::KvFiles;
use crate::outbound::Outbound;
use crate::rng::PlatformRng;
use crate::seal::SealKey;
use crate::sign::ReceiptKey;

/// The ports that a flow uses on the edge.
pub(crate) struct Edge {
    pub(crate) config: Rc<Config>,
    store: D1Store,
    outbound: Outbound,
    files: KvFiles,
    /// Since when a payer's browser waits, and how long it waits for gateways.
    waiting: Cell<Option<(Timestamp, Duration)>>,
}

impl Edge {
    /// Puts the ports together.
    ///
    /// # Errors
    /// What is missing or wrong in the configuration.
    pub(crate) fn new(env: &Env) -> Result<Self, String> {
        let config = Config::of(env)?;
        // Checking the type of a binding takes a dozen calls into JavaScript, so it is done once.
        let database = Rc::new(env.d1("DB").map_err(|_| "the D1 binding DB is missing".to_string())?);
        let files = KvFiles::bound(env, "FILES").ok_or("the KV binding FILES is missing")?;
        Ok(Self {
            waiting: Cell::new(None),
            files,
            store: D1Store::new(Rc::clone(&database)),
            outbound: Outbound::new(Rc::clone(&config), database),
            config,
        })
    }
}

impl Edge {
    /// Notes how long a payer's browser waits for the gateways of this request, from now on.
    pub(crate) fn hurry(&self, patience: Duration) {
        self.waiting.set(Some((self.clock().now(), patience)));
    }

    /// How long it waits for the merchant's receiver, after what it has waited for already.
    pub(crate) fn receiver_limit(&self) -> Duration {
        receiver_limit(self.waiting.get().map(|(began, _)| began), self.clock().now())
    }
}

impl World for Edge {
    type Clock = PlatformClock;
    type Rng = PlatformRng;
    type Vault = SealKey;
    type Signer = ReceiptKey;
    type Http = Outbound;
    type Files = KvFiles;
    type Store = D1Store;

    fn awaited_until(&self) -> Option<Timestamp> {
        self.waiting.get().map(|(began, patience)| began.plus(patience))
    }

    fn installation(&self) -> &Installation {
        &self.config.installation
    }

    fn operator_token(&self) -> &str {
        &self.config.operator_token
    }

    fn clock(&self) -> &PlatformClock {
        &PlatformClock
    }

    fn rng(&self) -> &PlatformRng {
        &PlatformRng
    }

    fn vault(&self) -> &SealKey {
        &self.config.seal_key
    }

    fn signer(&self) -> &ReceiptKey {
        &self.config.receipt_key
    }

    fn http(&self) -> &Outbound {
        &self.outbound
    }

    fn files(&self) -> &KvFiles {
        &self.files
    }

    fn store(&self) -> &D1Store {
        &self.store
    }
}
