//! The page's side of the API, which checkout SDKs and pages of merchants call.

use checkout_core::flow::card;
use checkout_core::flow::payer::pay::Directed;
use checkout_core::flow::sdk::option;
use checkout_core::flow::sdk::outcome::{AnswerForm, refused};
use checkout_core::flow::sdk::token::{self, Submission};
use checkout_core::flow::{Failure, sdk};
use checkout_core::sdk::payment::Submitted;
use checkout_core::value::id::SessionId;

use crate::call::Call;
use crate::handler::payer::viewer_of_script;
use crate::handler::wallet::answer_when_notified;
use crate::http::Reply;

/// A checkout SDK opens.
pub(crate) async fn init(call: &Call<'_>, session_id: &SessionId) -> Result<Reply, Failure> {
    Ok(Reply::json(200, sdk::init(call.edge.as_ref(), session_id, viewer_of_script(call.head)).await?))
}

/// The payer sees the payment methods.
pub(crate) async fn concur(call: &Call<'_>, session_id: &SessionId) -> Result<Reply, Failure> {
    Ok(Reply::of_texts(&sdk::concur(call.edge.as_ref(), session_id, viewer_of_script(call.head)).await?))
}

/// The payer chose one. What the gateway refused at once is answered like every other outcome.
pub(crate) async fn submit(call: &Call<'_>, session_id: &SessionId) -> Result<Reply, Failure> {
    let directed = Box::pin(sdk::submit(call.edge.as_ref(), session_id, call.bytes())).await?;
    match refused(call.edge.as_ref(), session_id).await? {
        Some(refused) => answer_when_notified(call, refused, AnswerForm::Callback).await,
        None => Ok(self::directed(directed)),
    }
}

/// The payer continues at another address.
fn directed(directed: Directed) -> Reply {
    Reply::of_texts(&Submitted::to(directed.url))
}

/// Whether a flexible method takes the payment.
pub(crate) async fn check_option(call: &Call<'_>, session_id: &SessionId) -> Result<Reply, Failure> {
    Ok(Reply::json(200, option::check(call.edge.as_ref(), session_id, call.bytes()).await?))
}

/// The transaction is canceled.
pub(crate) async fn cancel(call: &Call<'_>, session_id: &SessionId) -> Result<Reply, Failure> {
    let canceled = sdk::cancel(call.edge.as_ref(), session_id, call.bytes()).await?;
    Ok(Reply::json(200, canceled.body))
}

/// The payer pays with a saved card; the merchant is notified while the browser waits.
pub(crate) async fn submit_token(call: &Call<'_>) -> Result<Reply, Failure> {
    match Box::pin(token::submit_token(call.edge.as_ref(), call.bytes())).await? {
        Submission::Paid(paid) => answer_when_notified(call, paid, AnswerForm::Callback).await,
        Submission::Sent(directed) => Ok(self::directed(directed)),
    }
}

/// The payer deletes a saved card.
pub(crate) async fn delete_card(
    call: &Call<'_>,
    session_id: &SessionId,
    token: &str,
) -> Result<Reply, Failure> {
    card::delete_of_payer(call.edge.as_ref(), session_id, token).await?;
    Ok(Reply::empty(204))
}
