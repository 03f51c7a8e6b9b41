//! Calls of browsers from pages of merchants: the page's side of the API can be read by pages of the origins
//! that the merchant of the transaction listed, and of no others. Nothing is ever permitted with credentials
//! or to every origin. A transaction that does not exist permits no origin, so that a page of an origin that
//! is not listed cannot find out which transactions exist.

use checkout_core::access::header::Credential;
use checkout_core::flow::{Failure, sdk};
use checkout_core::port::World;
use checkout_core::route::find_page_side;
use checkout_core::value::id::SessionId;

use crate::edge::Edge;
use crate::guard::flood;
use crate::http::{Incoming, Reply};
use crate::logging;

/// What a page may send.
const ALLOWED_HEADERS: &str =
    "authorization, channel, content-type, idempotency-key, merchant-id, x-request-id";
/// How long a browser remembers what it was permitted, in seconds.
const MAX_AGE: &str = "600";

/// Answers a preflight request; `None` if the address is not on the page's side. One that asks the database is counted like
/// the call that follows it.
pub(crate) async fn preflight(edge: &Edge, incoming: &Incoming) -> Option<Reply> {
    let route = find_page_side(&incoming.path)?;
    let reply = if let Some(session_id) = route.called_from_pages_of() {
        let checked = flood::check(edge, &route.facts(), &Credential::NotAsked, Some(session_id)).await;
        if let Err(Failure::Refused(refused)) = checked {
            return Some(Reply::problem(edge, refused, &incoming.request_id));
        }
        with_origin(edge, incoming, session_id, Reply::empty(204)).await
    } else {
        // The body that is still to come names the transaction: the answer to that call is readable only for
        // its origins.
        let reply = Reply::empty(204).with("vary", "Origin");
        match incoming.header("origin") {
            Some(origin) => reply.with(ALLOW_ORIGIN, origin),
            None => reply,
        }
    };
    let is_permitted = reply.headers.iter().any(|(name, _)| *name == ALLOW_ORIGIN);
    Some(if is_permitted {
        reply
            .with("access-control-allow-methods", "GET, POST, DELETE")
            .with("access-control-allow-headers", ALLOWED_HEADERS)
            .with("access-control-max-age", MAX_AGE)
    } else {
        reply
    })
}

const ALLOW_ORIGIN: &str = "access-control-allow-origin";

/// The reply, readable for the page that asked if its origin is listed.
pub(crate) async fn with_origin(
    edge: &Edge,
    incoming: &Incoming,
    session_id: &SessionId,
    reply: Reply,
) -> Reply {
    let reply = reply.with("vary", "Origin");
    let Some(origin) = incoming.header("origin") else { return reply };
    if origin == edge.installation().public_url {
        return reply;
    }
    match sdk::permits_origin(edge, session_id, origin).await {
        Ok(true) => reply.with(ALLOW_ORIGIN, origin).with("access-control-expose-headers", "x-request-id"),
        Ok(false) => reply,
        Err(failure) => {
            logging::failure(&incoming.request_id, &failure);
            reply
        }
    }
}
