//! Device wallets from the payer's side, on the hosted page or on a page of the merchant.

use checkout_core::flow::Failure;
use checkout_core::flow::payer::come_back::AwaitedNotification;
use checkout_core::flow::sdk::outcome::{AnswerForm, Paid, answer_about};
use checkout_core::flow::sdk::wallet as flow;
use checkout_core::words::Wallet;

use crate::call::Call;
use crate::delivery::deliver_while_waiting;
use crate::http::Reply;

/// The payer's wallet pays; the merchant is notified while the browser waits.
pub(crate) async fn pay(call: &Call<'_>, wallet: Wallet) -> Result<Reply, Failure> {
    let paid = Box::pin(flow::pay(call.edge.as_ref(), wallet, call.bytes())).await?;
    answer_when_notified(call, paid, AnswerForm::Approval).await
}

/// The answer about a payment that a page made, after the merchant was notified while the browser waits.
pub(crate) async fn answer_when_notified(
    call: &Call<'_>,
    paid: Paid,
    form: AnswerForm,
) -> Result<Reply, Failure> {
    if let Some(id) = paid.awaited {
        let awaited = AwaitedNotification { reference: paid.reference.clone(), id };
        deliver_while_waiting(call.edge, call.context, &awaited).await;
    }
    let outcome = answer_about(call.edge.as_ref(), &paid.reference, form).await?;
    Ok(Reply::json(outcome.status, outcome.body))
}

/// A sheet of Apple Pay asks for a merchant session.
pub(crate) async fn start_session(call: &Call<'_>) -> Result<Reply, Failure> {
    let origin = call.head.header("origin");
    let session = Box::pin(flow::start_session(call.edge.as_ref(), origin, call.bytes())).await?;
    Ok(Reply::json(session.status, session.body))
}
