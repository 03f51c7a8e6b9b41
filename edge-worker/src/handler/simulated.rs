//! The simulated world at work, in a Worker that has it: its pages, and its bank that calls back. The bytes of a
//! callback are handled like those of every gateway; only the network is left out.

use std::rc::Rc;

use checkout_core::flow::deliver::check;
use checkout_core::flow::deliver::check::ReceivedWebhook;
use checkout_core::flow::report::gateway;
use checkout_core::flow::report::gateway::ReportAddress;
use checkout_core::gateway::exchange;
use checkout_core::port::World;
use checkout_core::rejection::Rejection;
use checkout_core::route::{Match, Route, find};
use checkout_core::value::id::MerchantId;
use sandbox_bank::callback::Callback;
use worker::Context;

use crate::edge::Edge;
use crate::handler::gateway::ask_about;
use crate::http::{Incoming, Reply};
use crate::logging;
use crate::sandbox::{MAX_BODY_BYTES, SandboxRequest};

/// A request for the sandbox's pages; the callbacks that it causes are sent after the reply.
pub(crate) async fn page(edge: &Rc<Edge>, context: &Context, incoming: &mut Incoming) -> Reply {
    let body = match incoming.bytes(MAX_BODY_BYTES).await {
        Ok(body) => body,
        Err(rejection) => return Reply::problem(edge, rejection, &incoming.request_id),
    };
    let request = SandboxRequest {
        method: &incoming.method,
        path: &incoming.path,
        query: incoming.query(),
        headers: incoming.headers(),
        body: &body,
    };
    #[cfg(feature = "development")]
    if let Some(reply) = crate::demo::answer(edge, &request).await {
        return reply;
    }
    let verify =
        async |list: &[(&MerchantId, ReceivedWebhook<'_>)]| check::are_signed(edge.as_ref(), list).await;
    match edge.http().sandbox().page(&request, verify).await {
        Ok(reply) => {
            if !reply.callbacks.is_empty() {
                let (edge, callbacks) = (Rc::clone(edge), reply.callbacks);
                context.wait_until(async move {
                    send_callbacks(&edge, &callbacks).await;
                });
            }
            Reply { status: reply.status, headers: reply.headers, body: reply.body, rest: None }
        }
        Err(error) => {
            logging::failed(&incoming.request_id, &error);
            Reply::problem(edge, Rejection::Unavailable, &incoming.request_id)
        }
    }
}

/// Lets the simulated bank finish what it has delayed.
pub(crate) async fn tick(edge: &Edge) {
    match edge.http().sandbox().tick().await {
        Ok(callbacks) => send_callbacks(edge, &callbacks).await,
        Err(error) => logging::failed("sandbox", &error),
    }
}

/// The simulated bank calls back.
async fn send_callbacks(edge: &Edge, callbacks: &[Callback]) {
    for callback in callbacks {
        let path = callback.url.strip_prefix(edge.installation().public_url.as_str()).unwrap_or_default();
        let Match::Route(Route::GatewayCallback(reference)) = find("POST", path) else { continue };
        let headers =
            callback.headers.iter().map(|(name, value)| ((*name).to_string(), value.clone())).collect();
        let query = String::new();
        let request = exchange::Incoming { status: 0, query, headers, body: callback.body.clone() };
        match gateway::call_back(edge, ReportAddress::Subject(reference), &request).await {
            Ok(caused) => {
                for reference in &caused.questions {
                    ask_about(edge, reference).await;
                }
            }
            Err(failure) => logging::failure("sandbox", &failure),
        }
    }
}
