//! The operator API.

use checkout_core::flow::Failure;
use checkout_core::flow::account::{Grantor, key, user};
use checkout_core::flow::erase::erase_of;
use checkout_core::flow::operator::{attention, check, clock, merchant as merchants, reconciliation, reseal};
use checkout_core::flow::sweep::sweep_merchant;
use checkout_core::route::OperatorRoute;
use checkout_core::value::id::MerchantId;
use serde::Serialize;

use crate::call::Call;
use crate::edge::Edge;
use crate::http::Reply;
use crate::metrics;
use crate::scheduled;

/// Answers a route of the operator API.
pub(crate) async fn answer(call: &Call<'_>, route: OperatorRoute) -> Result<Reply, Failure> {
    let (edge, body) = (call.edge.as_ref(), call.bytes());
    match route {
        OperatorRoute::AddMerchant => Ok(json(201, &merchants::add_merchant(edge, body).await?)),
        OperatorRoute::ReadMerchant(merchant) => {
            Ok(json(200, &merchants::read_merchant(edge, &merchant).await?))
        }
        OperatorRoute::ReplaceSettings(merchant) => {
            Ok(json(200, &merchants::replace_settings(edge, &merchant, body).await?))
        }
        OperatorRoute::AddKey(merchant) => {
            Ok(json(201, &key::add_key(edge, &merchant, Grantor::Operator, body).await?))
        }
        OperatorRoute::ListKeys(merchant) => Ok(json(200, &key::list_keys(edge, &merchant).await?)),
        OperatorRoute::RevokeKey(merchant, prefix) => {
            key::revoke_key(edge, &merchant, Grantor::Operator, &prefix).await?;
            Ok(Reply::empty(204))
        }
        OperatorRoute::AddUser(merchant) => {
            Ok(json(201, &user::add_user(edge, &merchant, Grantor::Operator, body).await?))
        }
        OperatorRoute::ListUsers(merchant) => Ok(json(200, &user::list_users(edge, &merchant).await?)),
        OperatorRoute::ReadUser(merchant, id) => Ok(json(200, &user::read_user(edge, &merchant, id).await?)),
        OperatorRoute::ChangeUser(merchant, id) => {
            Ok(json(200, &user::change_user(edge, &merchant, id, Grantor::Operator, body).await?))
        }
        OperatorRoute::ReadClock(merchant) => Ok(json(200, &clock::read_clock(edge, &merchant).await?)),
        OperatorRoute::MoveClock(merchant) => move_clock(edge, &merchant, body).await,
        OperatorRoute::ListReconciliations(merchant) => {
            Ok(json(200, &reconciliation::list_reconciliations(edge, &merchant).await?))
        }
        OperatorRoute::ReconcileAgain(merchant) => {
            Ok(json(200, &Box::pin(reconciliation::reconcile_again(edge, &merchant, body)).await?))
        }
        OperatorRoute::CheckGateway(merchant, code) => {
            Ok(json(200, &Box::pin(check::check_gateway(edge, &merchant, &code)).await?))
        }
        OperatorRoute::ListAttention => Ok(json(200, &attention::list_attention(edge).await?)),
        OperatorRoute::ResolveAttention(id) => {
            Ok(json(200, &attention::resolve_attention(edge, &id, body).await?))
        }
        OperatorRoute::EraseOf(merchant) => Ok(json(200, &Box::pin(erase_of(edge, &merchant, body)).await?)),
        OperatorRoute::ReadMetrics => metrics::show(edge).await,
        OperatorRoute::ReadSealing => Ok(json(200, &Box::pin(reseal::read_sealing(edge)).await?)),
        OperatorRoute::Reseal => Ok(json(200, &Box::pin(reseal::reseal(edge)).await?)),
        OperatorRoute::RestoreTransaction(session_id) => {
            merchants::restore_transaction(edge, &session_id).await?;
            Ok(Reply::empty(204))
        }
    }
}

/// Moves a merchant's clock; what is due then has happened when the answer leaves.
async fn move_clock(edge: &Edge, merchant: &MerchantId, body: &[u8]) -> Result<Reply, Failure> {
    let settings = clock::move_clock(edge, merchant, body).await?;
    #[cfg(feature = "sandbox")]
    crate::simulated::tick(edge).await;
    let swept = sweep_merchant(edge, &settings).await;
    scheduled::log_sweep(&swept);
    Ok(json(200, &clock::moved(edge, &settings, &swept)))
}

/// An answer of the core, which always serialises.
pub(crate) fn json(status: u16, answer: &impl Serialize) -> Reply {
    Reply::json(status, checkout_scan::json::write(answer).unwrap_or_default())
}
