//! The queues that carry doorbells, and what is known of receivers while the isolate lives.

use std::cell::RefCell;

use checkout_core::port::{Lanes, PortError, Queue, Ring};
use js_sys::Reflect;
use wasm_bindgen::JsValue;
use worker::Env;

use crate::platform;

thread_local! {
    /// What is known of receivers, while the isolate lives.
    static LANES: &'static RefCell<Lanes> = Box::leak(Box::default());
}

/// What is known of receivers.
pub(crate) fn lanes() -> &'static RefCell<Lanes> {
    LANES.with(|lanes| *lanes)
}

/// The queues that are bound.
#[derive(Clone)]
pub(crate) struct Queues {
    fresh: JsValue,
    waiting: JsValue,
}

impl Queues {
    /// The queues of the environment; `None` if none is bound.
    ///
    /// # Errors
    /// If one of the two is missing.
    pub(crate) fn bound(env: &Env) -> Result<Option<Self>, String> {
        let bound = |name: &str| Reflect::get(env, &name.into()).ok().filter(JsValue::is_object);
        match (bound("DOORBELLS"), bound("DUE_DOORBELLS")) {
            (Some(fresh), Some(waiting)) => Ok(Some(Self { fresh, waiting })),
            (None, None) => Ok(None),
            (Some(_), None) => {
                Err("the queue DOORBELLS is bound without DUE_DOORBELLS: bind both or none".into())
            }
            (None, Some(_)) => {
                Err("the queue DUE_DOORBELLS is bound without DOORBELLS: bind both or none".into())
            }
        }
    }

    /// Rings doorbells.
    ///
    /// # Errors
    /// If a queue fails.
    pub(crate) async fn ring(&self, rings: &[Ring]) -> Result<(), PortError> {
        for (queue, name) in [(&self.fresh, Queue::Fresh), (&self.waiting, Queue::Waiting)] {
            let some: Vec<&Ring> = rings.iter().filter(|ring| ring.queue == name).collect();
            if some.is_empty() {
                continue;
            }
            let texts: Vec<String> = some.iter().map(|ring| ring.bell.to_text()).collect();
            let seconds =
                |ring: &&Ring| u32::try_from(ring.after.as_millis().div_ceil(1000)).unwrap_or(u32::MAX);
            let delays: Vec<u32> = some.iter().map(seconds).collect();
            let sent = platform::ring(queue, texts, &delays).await;
            sent.map_err(|detail| PortError { port: "queue", detail })?;
        }
        Ok(())
    }
}
