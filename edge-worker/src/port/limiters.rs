//! The limiters of the platform that are bound: cheap, counted at each place of the network by itself, not exact.

use std::rc::Rc;

use checkout_core::access::flood::Gate;
use js_sys::Reflect;
use wasm_bindgen::JsValue;
use worker::Env;

use crate::logging;
use crate::platform;

/// All that there can be.
const GATES: [Gate; 3] = [Gate::Caller, Gate::Address, Gate::Session];

/// The limiters that are bound.
#[derive(Clone)]
pub(crate) struct Limiters {
    environment: JsValue,
    bound: Rc<[Gate]>,
}

impl Limiters {
    /// Those of an environment. What is not bound limits nothing, which the log says.
    pub(crate) fn bound(env: &Env) -> Self {
        let environment: JsValue = env.clone().into();
        let is_bound = |gate: &Gate| {
            Reflect::get(&environment, &gate.binding().into()).is_ok_and(|binding| binding.is_object())
        };
        let (bound, missing): (Vec<Gate>, Vec<Gate>) = GATES.into_iter().partition(is_bound);
        if !missing.is_empty() {
            let names: Vec<&str> = missing.into_iter().map(Gate::binding).collect();
            logging::unlimited(&names.join(", "));
        }
        Self { environment, bound: bound.into() }
    }

    /// Whether none is bound.
    pub(crate) fn is_empty(&self) -> bool {
        self.bound.is_empty()
    }

    /// Whether one is bound.
    pub(crate) fn has(&self, gate: Gate) -> bool {
        self.bound.contains(&gate)
    }

    /// Counts a request, each time under a name: the first that lets it not through, by its place in the list.
    ///
    /// # Errors
    /// What a limiter said that failed.
    pub(crate) async fn count(&self, counted: &[(Gate, String)]) -> Result<Option<usize>, String> {
        let (names, keys) =
            counted.iter().map(|(gate, key)| (gate.binding().to_owned(), key.clone())).unzip();
        platform::limit(&self.environment, names, keys).await
    }
}
