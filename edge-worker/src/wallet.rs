//! Device wallets from the payer's side, on the hosted page or on a page of the merchant.

use std::rc::Rc;

use checkout_core::api::native::session_of;
use checkout_core::api::wallet::MAX_BODY_BYTES;
use checkout_core::flow::Failure;
use checkout_core::flow::sdk::outcome::{Form, Paid, answer_about};
use checkout_core::flow::sdk::wallet as flow;
use checkout_core::words::Wallet;
use worker::Context;

use crate::delivery::deliver_later;
use crate::edge::Edge;
use crate::http::{Incoming, Reply};
use crate::payer::deliver_while_waiting;

/// The payer's wallet pays; the merchant is notified while the browser waits.
pub(crate) async fn pay(
    edge: &Rc<Edge>,
    context: &Context,
    incoming: &mut Incoming,
    wallet: Wallet,
) -> Result<Reply, Failure> {
    let body = incoming.json_body(MAX_BODY_BYTES).await?;
    incoming.called = session_of(&body);
    let paid = Box::pin(flow::pay(edge.as_ref(), wallet, &body)).await?;
    tell_when_notified(edge, context, paid, Form::Approval).await
}

/// The answer about a payment that a page made, after the merchant was notified while the browser waits.
pub(crate) async fn tell_when_notified(
    edge: &Rc<Edge>,
    context: &Context,
    paid: Paid,
    form: Form,
) -> Result<Reply, Failure> {
    if let Some(id) = paid.withdrawn {
        deliver_later(edge, context, id);
    }
    if let Some(id) = paid.awaited {
        deliver_while_waiting(edge, context, (&paid.reference, id)).await;
    }
    let answer = answer_about(edge.as_ref(), &paid.reference, form).await?;
    Ok(Reply::json(answer.status, answer.body))
}

/// A sheet of Apple Pay asks for a merchant session.
pub(crate) async fn start_session(edge: &Edge, incoming: &mut Incoming) -> Result<Reply, Failure> {
    let body = incoming.json_body(MAX_BODY_BYTES).await?;
    incoming.called = session_of(&body);
    let origin = incoming.header("origin");
    let answer = Box::pin(flow::start_session(edge, origin.as_deref(), &body)).await?;
    Ok(Reply::json(answer.status, answer.body))
}
