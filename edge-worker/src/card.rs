//! Saved cards, as a merchant's server asks about them.

use std::rc::Rc;

use checkout_core::access::Action;
use checkout_core::api::auto_debit;
use checkout_core::api::card::MAX_BODY_BYTES;
use checkout_core::api::native::session_of;
use checkout_core::flow::card::{self, Submission};
use checkout_core::flow::merchant::native::Input;
use checkout_core::flow::sdk::outcome::Form;
use checkout_core::flow::{Failure, identify};
use checkout_core::value::id::SessionId;
use worker::Context;

use crate::edge::Edge;
use crate::http::{Incoming, Reply, of_caller};
use crate::wallet::tell_when_notified;
use crate::{native, page_side};

/// Lists the cards of a customer.
pub(crate) async fn list(edge: &Edge, incoming: &mut Incoming) -> Result<Reply, Failure> {
    let credential = incoming.credential();
    let body = incoming.json_body(MAX_BODY_BYTES).await;
    let body = of_caller(body, identify(edge, &credential, Action::Cards)).await?;
    Ok(Reply::json(200, card::list(edge, &credential, &body).await?))
}

/// Deletes one.
pub(crate) async fn delete(edge: &Edge, incoming: &Incoming, token: &str) -> Result<Reply, Failure> {
    card::delete(edge, &incoming.credential(), token, incoming.query()).await?;
    Ok(Reply::empty(204))
}

/// The merchant charges one; the merchant is notified after the answer.
pub(crate) async fn auto_debit(
    edge: &Rc<Edge>,
    context: &Context,
    incoming: &mut Incoming,
    shape: card::Shape,
) -> Result<Reply, Failure> {
    let credential = incoming.credential();
    let body = incoming.json_body(auto_debit::MAX_BODY_BYTES).await;
    let body = of_caller(body, identify(edge.as_ref(), &credential, Action::Cards)).await?;
    let idempotency_key = incoming.header("idempotency-key");
    let input = Input { credential, idempotency_key: idempotency_key.as_deref(), body: &body };
    let answer = Box::pin(card::auto_debit(edge.as_ref(), input, shape)).await?;
    Ok(native::reply(edge, context, answer))
}

/// The payer pays with one; the merchant is notified while the browser waits.
pub(crate) async fn submit_token(
    edge: &Rc<Edge>,
    context: &Context,
    incoming: &mut Incoming,
) -> Result<Reply, Failure> {
    let body = incoming.json_body(auto_debit::MAX_BODY_BYTES).await?;
    incoming.called = session_of(&body);
    match Box::pin(card::submit_token(edge.as_ref(), &body)).await? {
        Submission::Paid(paid) => tell_when_notified(edge, context, paid, Form::Callback).await,
        Submission::Sent(directed) => Ok(page_side::directed(edge, context, directed)),
    }
}

/// The payer deletes one.
pub(crate) async fn forget(edge: &Edge, session_id: &SessionId, token: &str) -> Result<Reply, Failure> {
    card::delete_of_payer(edge, session_id, token).await?;
    Ok(Reply::empty(204))
}
