//! The ports of one request, put together.

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use checkout_core::flow::exchange::patience::receiver_limit;
use checkout_core::gateway::decline::Unmapped;
use checkout_core::port::{
    Clock, Installation, Lanes, Limited, OperatorAlerts, PortError, Ring, RunLimits, World,
};
use checkout_core::value::network::{Network, Origin};
use checkout_core::value::time::Timestamp;
use checkout_core::value::web_address::Reach;
use js_sys::Reflect;
use wasm_bindgen::JsValue;
use worker::{D1Database, Env};

use crate::logging;

use crate::config::Config;
use crate::outbound::Outbound;
use crate::port::clock::PlatformClock;
use crate::port::d1::D1Store;
use crate::port::kv::KvFiles;
use crate::port::limiters::Limiters;
use crate::port::queue::{self, Queues};
use crate::port::rng::PlatformRng;
use crate::port::seal::SealKeys;
use crate::port::sign::ReceiptKey;
use crate::port::sign_ins;
use crate::port::verify::WebCrypto;

/// The ports that a flow uses on the edge.
pub(crate) struct Edge {
    pub(crate) config: Rc<Config>,
    /// Where a data point is written about each request, if that is bound.
    pub(crate) analytics: Option<JsValue>,
    files: Rc<KvFiles>,
    store: D1Store,
    outbound: Outbound,
    /// Since when a payer's browser waits, and how long it waits for gateways.
    waiting: Cell<Option<(Timestamp, Duration)>>,
    /// The request: its id, and from where it came, as the platform says.
    request: OnceCell<(String, Option<Network>)>,
    /// Whether the payer's own device called.
    is_payer: Cell<bool>,
    /// Whether the payer's browser is sent on to a page that has the merchant notified.
    is_sent_on: Cell<bool>,
    limiters: Limiters,
    queues: Option<Queues>,
}

impl Edge {
    /// Puts the ports together.
    ///
    /// # Errors
    /// What is missing or wrong in the configuration.
    pub(crate) fn new(env: &Env) -> Result<Self, String> {
        let Bindings { config, database, files, limiters, analytics, queues } = Bindings::of(env)?;
        Ok(Self {
            waiting: Cell::new(None),
            request: OnceCell::new(),
            is_payer: Cell::new(false),
            is_sent_on: Cell::new(false),
            limiters,
            queues,
            analytics,
            files,
            store: D1Store::new(Rc::clone(&database)),
            outbound: Outbound::new(Rc::clone(&config), database),
            config,
        })
    }
}

/// What the environment of the Worker binds, which does not change while an isolate lives. Asking for it takes a dozen
/// calls into JavaScript.
#[derive(Clone)]
struct Bindings {
    config: Rc<Config>,
    database: Rc<D1Database>,
    files: Rc<KvFiles>,
    limiters: Limiters,
    analytics: Option<JsValue>,
    queues: Option<Queues>,
}

thread_local! {
    /// What is bound, once it was found complete.
    static BOUND: RefCell<Option<Bindings>> = const { RefCell::new(None) };
}

impl Bindings {
    fn of(env: &Env) -> Result<Self, String> {
        if let Some(bound) = BOUND.with_borrow(Option::clone) {
            return Ok(bound);
        }
        let config = Rc::new(Config::of(env)?);
        let database = Rc::new(env.d1("DB").map_err(|_| "the D1 binding DB is missing")?);
        let files = Rc::new(KvFiles::bound(env, "FILES").ok_or("the KV binding FILES is missing")?);
        let limiters = Limiters::bound(env);
        let queues = Queues::bound(env)?;
        let bound = Self { config, database, files, limiters, analytics: dataset(env), queues };
        BOUND.set(Some(bound.clone()));
        Ok(bound)
    }
}

/// The dataset `ANALYTICS` of Workers Analytics Engine, if one is bound.
fn dataset(env: &Env) -> Option<JsValue> {
    let bound = Reflect::get(env, &"ANALYTICS".into()).ok()?;
    bound.is_object().then_some(bound)
}

impl Edge {
    /// Notes how long a payer's browser waits for the gateways of this request, from now on.
    pub(crate) fn hurry(&self, patience: Duration) {
        self.waiting.set(Some((self.clock().now(), patience)));
    }

    /// Notes the id of the request, and the network from which it came.
    pub(crate) fn note_request(&self, request_id: &str, origin: Origin<'_>) {
        let may_be_here = self.installation().reach == Reach::Development;
        // The first one stays: these are the ports of one request.
        let _ = self.request.set((request_id.to_owned(), Network::of_caller(origin, may_be_here)));
    }

    /// Notes that the payer's own device called.
    pub(crate) fn note_payer(&self) {
        self.is_payer.set(true);
    }

    /// Notes that the payer's browser is sent on to a page that has the merchant notified.
    pub(crate) fn note_sent_on(&self) {
        self.is_sent_on.set(true);
    }

    /// Whether it is.
    pub(crate) fn is_sent_on(&self) -> bool {
        self.is_sent_on.get()
    }

    /// The limiters that are bound.
    pub(crate) fn limiters(&self) -> &Limiters {
        &self.limiters
    }

    /// How long it waits for the merchant's receiver, after what it has waited for already.
    pub(crate) fn receiver_limit(&self) -> Duration {
        receiver_limit(self.waiting.get().map(|(began, _)| began), self.clock().now())
    }
}

impl World for Edge {
    type Clock = PlatformClock;
    type Rng = PlatformRng;
    type Vault = SealKeys;
    type Signer = ReceiptKey;
    type Http = Outbound;
    type Files = KvFiles;
    type Signatures = WebCrypto;
    type Cache = KvFiles;
    type Store = D1Store;

    fn awaited_until(&self) -> Option<Timestamp> {
        self.waiting.get().map(|(began, patience)| began.plus(patience))
    }

    fn miss_decline_code(&self, unmapped: &Unmapped) {
        logging::unmapped(unmapped);
    }

    fn recalls_sign_in(&self, mark: &[u8]) -> bool {
        sign_ins::recalls(mark)
    }

    fn remember_sign_in(&self, mark: &[u8]) {
        sign_ins::remember(mark);
    }

    fn minutes_ahead(&self, zone: &str, at: Timestamp) -> Option<i16> {
        crate::platform::minutes_ahead(zone, at)
    }

    fn caller_network(&self) -> Option<Network> {
        self.request.get().and_then(|(_, network)| *network)
    }

    fn payer_network(&self) -> Option<Network> {
        self.caller_network().filter(|_| self.is_payer.get())
    }

    fn limited(&self, limited: &Limited<'_>) {
        let request_id = self.request.get().map_or("-", |(request_id, _)| request_id.as_str());
        logging::rate_limited(limited, request_id, self.caller_network());
    }

    fn run_limits(&self) -> RunLimits {
        self.config.run_limits
    }

    fn has_queues(&self) -> bool {
        self.queues.is_some()
    }

    async fn ring(&self, rings: &[Ring]) -> Result<(), PortError> {
        let Some(queues) = &self.queues else { return Ok(()) };
        let rung = queues.ring(rings).await;
        rung.inspect_err(|error| logging::failed("queue", error))
    }

    fn lanes(&self) -> Option<&RefCell<Lanes>> {
        Some(queue::lanes())
    }

    fn operator_alerts(&self) -> Option<&OperatorAlerts> {
        self.config.alerts.as_ref()
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

    fn vault(&self) -> &SealKeys {
        &self.config.seal_keys
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

    fn signatures(&self) -> &WebCrypto {
        &WebCrypto
    }

    fn cache(&self) -> &KvFiles {
        &self.files
    }

    fn store(&self) -> &D1Store {
        &self.store
    }
}
