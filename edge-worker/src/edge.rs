//! The ports of one request, put together.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use checkout_core::gateway::decline::Unmapped;
use checkout_core::port::{
    Installation, Lanes, Limited, OperatorAlerts, PortError, Ring, RunLimits, Scope, World,
};
use checkout_core::value::time::Timestamp;
use js_sys::Reflect;
use wasm_bindgen::JsValue;
use worker::{D1Database, Env};

use crate::logging;

use crate::config::Config;
use crate::outbound::Outbound;
use crate::port::clock::PlatformClock;
use crate::port::courier::Courier;
use crate::port::d1::D1Store;
use crate::port::kv::KvFiles;
use crate::port::limiters::Limiters;
use crate::port::queue::{self, Queues};
use crate::port::rng::PlatformRng;
use crate::port::seal::SealKeys;
use crate::port::sign::ReceiptKey;
use crate::port::sign_ins;
use crate::port::verify::WebCrypto;
use checkout_core::value::slot::Slotted;

/// The ports that a flow uses on the edge.
pub(crate) struct Edge {
    pub(crate) config: Rc<Config>,
    /// Where a data point is written about each request, if that is bound.
    pub(crate) analytics: Option<JsValue>,
    files: Rc<KvFiles>,
    store: D1Store,
    outbound: Outbound,
    pub(crate) request: RequestScope,
    pub(crate) courier: Courier,
    limiters: Limiters,
    queues: Option<Queues>,
}

/// What is known of a request since it came: nothing of it was looked up.
pub(crate) struct RequestScope {
    /// The id of the request.
    pub(crate) id: String,
    pub(crate) scope: Scope,
    /// The time of the request.
    pub(crate) clock: PlatformClock,
    /// Whether the payer's browser is sent on to a page that has the merchant notified.
    pub(crate) is_sent_on: bool,
}

impl RequestScope {
    /// Of what nobody asked for: the run of a handler of the platform.
    pub(crate) fn of_nobody(_: &Installation) -> Self {
        let clock = PlatformClock::default();
        Self { id: "-".into(), scope: Scope::default(), clock, is_sent_on: false }
    }
}

impl Edge {
    /// Puts the ports of one request together.
    ///
    /// # Errors
    /// What is missing or wrong in the configuration.
    pub(crate) fn new(
        env: &Env,
        request: impl FnOnce(&Installation) -> RequestScope,
        courier: impl FnOnce(Weak<Self>) -> Courier,
    ) -> Result<Rc<Self>, String> {
        let Bindings { config, database, files, limiters, analytics, queues } = Bindings::of(env)?;
        let request = request(&config.installation);
        let clock = request.clock;
        let store = D1Store::new(Rc::clone(&database));
        Ok(Rc::new_cyclic(|edge| Self {
            request,
            courier: courier(edge.clone()),
            limiters,
            queues,
            analytics,
            files,
            store,
            outbound: Outbound::new(Rc::clone(&config), database, clock),
            config,
        }))
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
    /// The limiters that are bound.
    pub(crate) fn limiters(&self) -> &Limiters {
        &self.limiters
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
    type Directory = D1Store;
    type Ledger = D1Store;

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

    fn post(&self, rings: Vec<Ring>) {
        self.courier.post(rings);
    }

    fn scope(&self) -> Scope {
        self.request.scope
    }

    fn limited(&self, limited: &Limited<'_>) {
        logging::rate_limited(limited, &self.request.id, self.request.scope.network);
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
        &self.request.clock
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

    fn directory(&self) -> &D1Store {
        &self.store
    }

    fn ledger(&self, _: &(impl Slotted + ?Sized)) -> &D1Store {
        &self.store
    }
}
