//! The operator API.

use checkout_core::flow::Failure;
use checkout_core::flow::operator::{
    self, MAX_BODY_BYTES, attention, clock, key, merchant as merchants, reconciliation,
};
use checkout_core::flow::sweep::sweep_merchant;
use checkout_core::rejection::Rejection;
use checkout_core::route::Route;
use checkout_core::value::id::MerchantId;
use serde_json::Value;

use crate::dispatch;
use crate::edge::Edge;
use crate::http::{Incoming, Reply, unread};

/// Answers a route of the operator API. The body is read first, so that the connection of a refused caller is
/// not closed while the caller still sends.
pub(crate) async fn answer(edge: &Edge, incoming: &mut Incoming, route: Route) -> Result<Reply, Failure> {
    let takes_body = matches!(
        route,
        Route::AddMerchant
            | Route::ReplaceSettings(_)
            | Route::AddKey(_)
            | Route::MoveClock(_)
            | Route::ReconcileAgain(_)
            | Route::ResolveAttention(_)
    );
    let body = if takes_body { incoming.json_body(MAX_BODY_BYTES).await } else { Ok(Vec::new()) };
    let is_operator = operator::is_operator(&incoming.credential(), &edge.config.operator_token);
    let body = match body {
        Ok(body) => is_operator.map(|()| body)?,
        Err(rejection) => return Err(unread(rejection, async { Ok(is_operator?) }).await),
    };
    match route {
        Route::AddMerchant => Ok(json(201, &merchants::add_merchant(edge, &body).await?)),
        Route::ReadMerchant(merchant) => Ok(json(200, &merchants::read_merchant(edge, &merchant).await?)),
        Route::ReplaceSettings(merchant) => {
            Ok(json(200, &merchants::replace_settings(edge, &merchant, &body).await?))
        }
        Route::AddKey(merchant) => Ok(json(201, &key::add_key(edge, &merchant, &body).await?)),
        Route::ListKeys(merchant) => Ok(json(200, &key::list_keys(edge, &merchant).await?)),
        Route::RevokeKey(merchant, prefix) => {
            key::revoke_key(edge, &merchant, &prefix).await?;
            Ok(Reply::empty(204))
        }
        Route::ReadClock(merchant) => Ok(json(200, &clock::read_clock(edge, &merchant).await?)),
        Route::MoveClock(merchant) => move_clock(edge, &merchant, &body).await,
        Route::ListReconciliations(merchant) => {
            Ok(json(200, &reconciliation::list_reconciliations(edge, &merchant).await?))
        }
        Route::ReconcileAgain(merchant) => {
            Ok(json(200, &Box::pin(reconciliation::reconcile_again(edge, &merchant, &body)).await?))
        }
        Route::ListAttention => Ok(json(200, &attention::list_attention(edge).await?)),
        Route::ResolveAttention(id) => Ok(json(200, &attention::resolve_attention(edge, &id, &body).await?)),
        Route::RestoreTransaction(session_id) => {
            merchants::restore_transaction(edge, &session_id).await?;
            Ok(Reply::empty(204))
        }
        Route::CreateTransaction
        | Route::RetrieveTransaction(_)
        | Route::ReplaceTransaction(_)
        | Route::PatchTransaction(_)
        | Route::ListTransactions
        | Route::UploadAttachment
        | Route::DownloadAttachment(_)
        | Route::ShortLink(_)
        | Route::QrCode(..)
        | Route::ListMethods
        | Route::Operate
        | Route::ListCards
        | Route::DeleteCard(_)
        | Route::Inquire
        | Route::PayByWallet(_)
        | Route::PayInCash
        | Route::AutoDebit
        | Route::OlderAutoDebit
        | Route::SdkSubmitToken
        | Route::SdkDeleteCard(..)
        | Route::CheckoutPage
        | Route::Pay
        | Route::PayStatus(_)
        | Route::SdkInit(_)
        | Route::SdkConcur(_)
        | Route::SdkSubmit(_)
        | Route::SdkCancel(_)
        | Route::GatewayReturn(..)
        | Route::GatewayCallback(_)
        | Route::PolicyReport
        | Route::Receipt(_)
        | Route::PublicKeys
        | Route::Problem(_)
        | Route::SdkPayByWallet(_)
        | Route::SdkAppleSession
        | Route::Health => Err(Rejection::NotFound.into()),
    }
}

/// Moves a merchant's clock; what is due then has happened when the answer leaves.
async fn move_clock(edge: &Edge, merchant: &MerchantId, body: &[u8]) -> Result<Reply, Failure> {
    let settings = clock::move_clock(edge, merchant, body).await?;
    dispatch::tick(edge).await;
    let swept = sweep_merchant(edge, &settings).await;
    dispatch::log_sweep(&swept);
    Ok(json(200, &clock::moved(edge, &settings, &swept)))
}

fn json(status: u16, body: &Value) -> Reply {
    Reply::json(status, body.to_string())
}
