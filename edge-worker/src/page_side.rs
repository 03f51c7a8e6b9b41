//! The page's side of the API, which checkout SDKs call.

use std::rc::Rc;

use checkout_core::api::sdk::{MAX_BODY_BYTES, Submitted};
use checkout_core::flow::payer::pay::Directed;
use checkout_core::flow::{Failure, sdk};
use checkout_core::value::id::SessionId;
use serde::Serialize;
use worker::Context;

use crate::delivery::deliver_later;
use crate::edge::Edge;
use crate::http::{Incoming, Reply};
use crate::payer::caller;

/// A checkout SDK opens.
pub(crate) async fn init(edge: &Edge, incoming: &Incoming, session_id: &SessionId) -> Result<Reply, Failure> {
    Ok(Reply::json(200, sdk::init(edge, session_id, caller(incoming)).await?))
}

/// The payer sees the payment methods.
pub(crate) async fn concur(
    edge: &Edge,
    incoming: &Incoming,
    session_id: &SessionId,
) -> Result<Reply, Failure> {
    Ok(json(&sdk::concur(edge, session_id, caller(incoming)).await?))
}

/// The payer chose one.
pub(crate) async fn submit(
    edge: &Rc<Edge>,
    context: &Context,
    incoming: &mut Incoming,
    session_id: &SessionId,
) -> Result<Reply, Failure> {
    let body = incoming.json_body(MAX_BODY_BYTES).await?;
    let directed = Box::pin(sdk::submit(edge.as_ref(), session_id, &body)).await?;
    Ok(self::directed(edge, context, directed))
}

/// The payer continues at another address.
pub(crate) fn directed(edge: &Rc<Edge>, context: &Context, directed: Directed) -> Reply {
    if let Some(id) = directed.delivery {
        deliver_later(edge, context, id);
    }
    json(&Submitted::to(directed.url))
}

/// The transaction is canceled.
pub(crate) async fn cancel(
    edge: &Rc<Edge>,
    context: &Context,
    incoming: &mut Incoming,
    session_id: &SessionId,
) -> Result<Reply, Failure> {
    let body = incoming.json_body(MAX_BODY_BYTES).await?;
    let answer = sdk::cancel(edge.as_ref(), session_id, &body).await?;
    for id in answer.deliveries {
        deliver_later(edge, context, id);
    }
    Ok(Reply::json(200, answer.body))
}

fn json(answer: &impl Serialize) -> Reply {
    // Plain text fields always serialise.
    Reply::json(200, serde_json::to_string(answer).unwrap_or_default())
}
