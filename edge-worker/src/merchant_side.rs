//! What a merchant's server asks for in addition to the payment transaction itself.

use std::rc::Rc;

use checkout_core::access::Action;
use checkout_core::api::operation::MAX_BODY_BYTES;
use checkout_core::flow::merchant::operate;
use checkout_core::flow::{Failure, identify};
use worker::Context;

use crate::delivery::deliver_later;
use crate::edge::Edge;
use crate::http::{Incoming, Reply, of_caller};

/// An operation on a payment; the merchant is notified after the answer.
pub(crate) async fn operate(
    edge: &Rc<Edge>,
    context: &Context,
    incoming: &mut Incoming,
) -> Result<Reply, Failure> {
    let credential = incoming.credential();
    let body = incoming.json_body(MAX_BODY_BYTES).await;
    let body = of_caller(body, identify(edge.as_ref(), &credential, Action::OperateAtAll)).await?;
    let tracking_key = incoming.header("tracking-key");
    let idempotency_key = incoming.header("idempotency-key");
    let input = operate::Input {
        credential,
        tracking_key: tracking_key.as_deref(),
        idempotency_key: idempotency_key.as_deref(),
        body: &body,
    };
    let answer = Box::pin(operate::operate(edge.as_ref(), input)).await?;
    for id in answer.deliveries {
        deliver_later(edge, context, id);
    }
    let reply = Reply::json(200, answer.body);
    Ok(if answer.is_replayed { reply.with("idempotent-replayed", "true") } else { reply })
}
