//! Saved cards, as a merchant's server asks about them.

use checkout_core::flow::Failure;
use checkout_core::flow::card;
use checkout_core::flow::merchant::native::PaymentInput;

use crate::call::Call;
use crate::handler::native;
use crate::http::Reply;

/// Lists the cards of a customer.
pub(crate) async fn list(call: &Call<'_>) -> Result<Reply, Failure> {
    Ok(Reply::json(200, card::list(call.edge.as_ref(), &call.caller()?, call.bytes()).await?))
}

/// Lists the agreements of a customer.
pub(crate) async fn list_agreements(call: &Call<'_>) -> Result<Reply, Failure> {
    Ok(Reply::json(200, card::list_agreements(call.edge.as_ref(), &call.caller()?, call.bytes()).await?))
}

/// Resumes one that is paused.
pub(crate) async fn resume_agreement(call: &Call<'_>) -> Result<Reply, Failure> {
    Ok(Reply::json(200, card::resume_agreement(call.edge.as_ref(), &call.caller()?, call.bytes()).await?))
}

/// Deletes one.
pub(crate) async fn delete(call: &Call<'_>, token: &str) -> Result<Reply, Failure> {
    card::delete(call.edge.as_ref(), &call.caller()?, token, call.head.query()).await?;
    Ok(Reply::empty(204))
}

/// The merchant charges one; the merchant is notified after the answer.
pub(crate) async fn auto_debit(call: &Call<'_>, shape: card::DebitAnswerShape) -> Result<Reply, Failure> {
    let idempotency_key = call.head.header("idempotency-key");
    let input = PaymentInput { caller: call.caller()?, idempotency_key, body: call.bytes() };
    let paid = Box::pin(card::auto_debit(call.edge.as_ref(), input, shape)).await?;
    Ok(native::reply(paid))
}
