//! What a merchant's server asks for in addition to the payment transaction itself.

use checkout_core::flow::Failure;
use checkout_core::flow::merchant::{inquiry, operate, payment_methods, remind};
use checkout_core::value::id::SessionId;

use crate::call::Call;
use crate::http::Reply;

/// Lists the merchant's payment methods.
pub(crate) async fn list_methods(call: &Call<'_>) -> Result<Reply, Failure> {
    let body = payment_methods::list(call.edge.as_ref(), &call.caller()?, call.bytes()).await?;
    Ok(Reply::json(200, body))
}

/// Answers an inquiry; the requested notification is sent after the answer.
pub(crate) async fn inquire(call: &Call<'_>) -> Result<Reply, Failure> {
    let known = inquiry::inquire(call.edge.as_ref(), &call.caller()?, call.bytes()).await?;
    Ok(Reply::json(200, known.body))
}

/// Notifies a receiver after the answer, which says the same.
pub(crate) async fn notify(call: &Call<'_>, session_id: &SessionId) -> Result<Reply, Failure> {
    let known =
        Box::pin(inquiry::notify_now(call.edge.as_ref(), &call.caller()?, session_id, call.bytes())).await?;
    Ok(Reply::json(200, known.body))
}

/// Sends the payer a message once more, after the answer.
pub(crate) async fn remind(call: &Call<'_>) -> Result<Reply, Failure> {
    let body = Box::pin(remind::remind(call.edge.as_ref(), &call.caller()?, call.bytes())).await?;
    Ok(Reply::json(200, body))
}

/// An operation on a payment; the merchant is notified after the answer.
pub(crate) async fn operate(call: &Call<'_>) -> Result<Reply, Failure> {
    let tracking_key = call.head.header("tracking-key");
    let idempotency_key = call.head.header("idempotency-key");
    let input =
        operate::OperationInput { caller: call.caller()?, tracking_key, idempotency_key, body: call.bytes() };
    let done = Box::pin(operate::operate(call.edge.as_ref(), input)).await?;
    Ok(Reply::json(done.status, done.body).replayed(done.is_replayed))
}
