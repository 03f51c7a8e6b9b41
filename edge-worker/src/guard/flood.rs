//! Refuses floods before anything is looked up or hashed for a request.

use std::cell::Cell;

use checkout_core::access::flood::{FloodSubject, gates};
use checkout_core::access::header::Credential;
use checkout_core::flow::Failure;
use checkout_core::port::{Limited, World};
use checkout_core::rejection::Rejection;
use checkout_core::route::EndpointFacts;
use checkout_core::value::id::SessionId;

use crate::edge::Edge;
use crate::logging;

thread_local! {
    /// Whether the log of this isolate says already that a limiter does not answer.
    static IS_SAID: Cell<bool> = const { Cell::new(false) };
}

/// Counts a request before anything is looked up or hashed for it.
///
/// # Errors
/// [`Rejection::TooManyRequests`]. A limiter that fails lets everything through.
pub(crate) async fn check(
    edge: &Edge,
    facts: &EndpointFacts,
    credential: &Credential,
    session: Option<&SessionId>,
) -> Result<(), Failure> {
    let limiters = edge.limiters();
    if limiters.is_empty() {
        return Ok(());
    }
    let subject = FloodSubject { credential, network: edge.scope().network, session };
    let mut counted = gates(facts, subject);
    counted.retain(|(gate, _)| limiters.has(*gate));
    if counted.is_empty() {
        return Ok(());
    }
    let place = limiters.count(&counted).await.unwrap_or_else(|detail| {
        if !IS_SAID.replace(true) {
            logging::broken("rate limits", &detail);
        }
        None
    });
    let Some((gate, _)) = place.and_then(|place| counted.get(place)) else { return Ok(()) };
    let retry_after = gate.seconds();
    edge.limited(&Limited { limit: gate.as_str(), merchant: None, retry_after });
    Err(Rejection::TooManyRequests { retry_after }.into())
}
