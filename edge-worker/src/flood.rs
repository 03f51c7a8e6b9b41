//! The limiters of the platform that are bound: cheap, counted for each place of the network apart, not exact.

use std::cell::Cell;
use std::rc::Rc;

use checkout_core::access::flood::{Gate, Subject, gates};
use checkout_core::access::header::Credential;
use checkout_core::flow::Failure;
use checkout_core::port::{Limited, World};
use checkout_core::rejection::Rejection;
use checkout_core::route::Facts;
use checkout_core::value::id::SessionId;
use js_sys::Reflect;
use wasm_bindgen::JsValue;
use worker::Env;

use crate::edge::Edge;
use crate::{logging, platform};

/// All that there can be.
const GATES: [Gate; 3] = [Gate::Caller, Gate::Address, Gate::Session];

thread_local! {
    /// Whether the log of this isolate says already that a limiter does not answer.
    static IS_SAID: Cell<bool> = const { Cell::new(false) };
}

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
}

/// Counts a request before anything is looked up or hashed for it.
///
/// # Errors
/// [`Rejection::TooManyRequests`]. A limiter that fails lets everything through.
pub(crate) async fn check(
    edge: &Edge,
    facts: &Facts,
    credential: &Credential,
    session: Option<&SessionId>,
) -> Result<(), Failure> {
    let Limiters { environment, bound } = edge.limiters();
    if bound.is_empty() {
        return Ok(());
    }
    let subject = Subject { credential, network: edge.caller_network(), session };
    let mut counted = gates(facts, subject);
    counted.retain(|(gate, _)| bound.contains(gate));
    if counted.is_empty() {
        return Ok(());
    }
    let lines: Vec<String> =
        counted.iter().map(|(gate, name)| format!("{}\n{name}", gate.binding())).collect();
    let place = match platform::limit(environment, &lines.join("\n")).await {
        Ok(answer) => answer.text.parse::<usize>().ok(),
        Err(detail) => {
            if !IS_SAID.replace(true) {
                logging::broken("rate limits", &detail);
            }
            None
        }
    };
    let Some((gate, _)) = place.and_then(|place| counted.get(place)) else { return Ok(()) };
    let retry_after = gate.seconds();
    edge.limited(&Limited { limit: gate.as_str(), merchant: None, retry_after });
    Err(Rejection::TooManyRequests { retry_after }.into())
}
