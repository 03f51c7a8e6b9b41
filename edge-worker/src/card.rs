//! Saved cards, as a merchant's server asks about them.

use checkout_core::flow::Failure;
use checkout_core::flow::card::{self, Submission};
use checkout_core::flow::merchant::native::Input;
use checkout_core::flow::sdk::outcome::Form;
use checkout_core::value::id::SessionId;

use crate::call::Call;
use crate::http::Reply;
use crate::wallet::answer_when_notified;
use crate::{native, page_side};

/// Lists the cards of a customer.
pub(crate) async fn list(call: &Call<'_>) -> Result<Reply, Failure> {
    Ok(Reply::json(200, card::list(call.edge.as_ref(), &call.caller()?, call.bytes()).await?))
}

/// Deletes one.
pub(crate) async fn delete(call: &Call<'_>, token: &str) -> Result<Reply, Failure> {
    card::delete(call.edge.as_ref(), &call.caller()?, token, call.head.query()).await?;
    Ok(Reply::empty(204))
}

/// The merchant charges one; the merchant is notified after the answer.
pub(crate) async fn auto_debit(call: &Call<'_>, shape: card::Shape) -> Result<Reply, Failure> {
    let idempotency_key = call.head.header("idempotency-key");
    let input = Input { caller: call.caller()?, idempotency_key, body: call.bytes() };
    let paid = Box::pin(card::auto_debit(call.edge.as_ref(), input, shape)).await?;
    Ok(native::reply(call, paid))
}

/// The payer pays with one; the merchant is notified while the browser waits.
pub(crate) async fn submit_token(call: &Call<'_>) -> Result<Reply, Failure> {
    match Box::pin(card::submit_token(call.edge.as_ref(), call.bytes())).await? {
        Submission::Paid(paid) => answer_when_notified(call, paid, Form::Callback).await,
        Submission::Sent(directed) => Ok(page_side::directed(call, directed)),
    }
}

/// The payer deletes one.
pub(crate) async fn delete_of_payer(
    call: &Call<'_>,
    session_id: &SessionId,
    token: &str,
) -> Result<Reply, Failure> {
    card::delete_of_payer(call.edge.as_ref(), session_id, token).await?;
    Ok(Reply::empty(204))
}
