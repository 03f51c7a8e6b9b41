//! The operator API.

use checkout_core::access::operator::Operator;
use checkout_core::flow::Failure;
use checkout_core::flow::account::{Grantor, key, user, webhook_secret};
use checkout_core::flow::operator::{
    attention, audit, check, clock, merchant as merchants, reconciliation, staff, version as versions,
};
use checkout_core::flow::sweep::sweep_merchant;
use checkout_core::route::OperatorRoute;
use checkout_core::value::id::MerchantId;
use serde::Serialize;

use crate::call::Call;
use crate::edge::Edge;
use crate::http::Reply;
use crate::scheduled;

/// Answers a route of the operator API.
pub(crate) async fn answer(call: &Call<'_>, route: OperatorRoute) -> Result<Reply, Failure> {
    let (edge, body) = (call.edge.as_ref(), call.bytes());
    let by = call.operator()?;
    let query = call.head.query();
    match route {
        OperatorRoute::AddOperator => Ok(json(201, &staff::add_operator(edge, by, body).await?)),
        OperatorRoute::ListOperators => Ok(json(200, &staff::list_operators(edge).await?)),
        OperatorRoute::RevokeOperator(id) => {
            staff::revoke_operator(edge, by, id).await?;
            Ok(Reply::empty(204))
        }
        OperatorRoute::ReadAudit => Ok(json(200, &audit::read_audit(edge, query).await?)),
        OperatorRoute::PauseMerchant(merchant) => {
            Ok(json(200, &merchants::pause_merchant(edge, by, &merchant, body).await?))
        }
        OperatorRoute::ReadHistory(merchant) => {
            Ok(json(200, &versions::read_history(edge, &merchant, query).await?))
        }
        OperatorRoute::ReadVersion(merchant, version) => {
            Ok(json(200, &versions::read_version(edge, &merchant, version).await?))
        }
        OperatorRoute::CompareVersions(merchant, version) => {
            Ok(json(200, &versions::compare_versions(edge, &merchant, version, query).await?))
        }
        OperatorRoute::RestoreVersion(merchant, version) => {
            Ok(json(200, &versions::restore_version(edge, by, (&merchant, version), body).await?))
        }
        OperatorRoute::AddWebhookSecret(merchant) => {
            let by = Grantor::Operator(by);
            Ok(json(201, &webhook_secret::add_webhook_secret(edge, &merchant, by).await?))
        }
        OperatorRoute::DropWebhookSecret(merchant) => {
            webhook_secret::drop_webhook_secret(edge, &merchant, Grantor::Operator(by)).await?;
            Ok(Reply::empty(204))
        }
        OperatorRoute::AddMerchant => Ok(json(201, &merchants::add_merchant(edge, by, body).await?)),
        OperatorRoute::ReadMerchant(merchant) => {
            Ok(json(200, &merchants::read_merchant(edge, &merchant).await?))
        }
        OperatorRoute::ReplaceSettings(merchant) => {
            Ok(json(200, &merchants::replace_settings(edge, by, &merchant, (query, body)).await?))
        }
        OperatorRoute::AddKey(merchant) => {
            Ok(json(201, &key::add_key(edge, &merchant, Grantor::Operator(by), body).await?))
        }
        OperatorRoute::ListKeys(merchant) => Ok(json(200, &key::list_keys(edge, &merchant).await?)),
        OperatorRoute::RevokeKey(merchant, prefix) => {
            key::revoke_key(edge, &merchant, Grantor::Operator(by), &prefix).await?;
            Ok(Reply::empty(204))
        }
        OperatorRoute::AddUser(merchant) => {
            Ok(json(201, &user::add_user(edge, &merchant, Grantor::Operator(by), body).await?))
        }
        OperatorRoute::ListUsers(merchant) => Ok(json(200, &user::list_users(edge, &merchant).await?)),
        OperatorRoute::ReadUser(merchant, id) => Ok(json(200, &user::read_user(edge, &merchant, id).await?)),
        OperatorRoute::ChangeUser(merchant, id) => {
            Ok(json(200, &user::change_user(edge, &merchant, id, Grantor::Operator(by), body).await?))
        }
        OperatorRoute::ReadClock(merchant) => Ok(json(200, &clock::read_clock(edge, &merchant).await?)),
        OperatorRoute::MoveClock(merchant) => move_clock(edge, by, &merchant, body).await,
        OperatorRoute::ListReconciliations(merchant) => {
            Ok(json(200, &reconciliation::list_reconciliations(edge, &merchant).await?))
        }
        OperatorRoute::ReconcileAgain(merchant) => {
            Ok(json(200, &Box::pin(reconciliation::reconcile_again(edge, by, &merchant, body)).await?))
        }
        OperatorRoute::CheckGateway(merchant, code) => {
            Ok(json(200, &Box::pin(check::check_gateway(edge, by, &merchant, &code)).await?))
        }
        OperatorRoute::ListAttention => Ok(json(200, &attention::list_attention(edge).await?)),
        OperatorRoute::ResolveAttention(id) => {
            Ok(json(200, &attention::resolve_attention(edge, by, &id, body).await?))
        }
        OperatorRoute::RestoreTransaction(session_id) => {
            merchants::restore_transaction(edge, by, &session_id).await?;
            Ok(Reply::empty(204))
        }
    }
}

/// Moves a merchant's clock; what is due then has happened when the answer leaves.
async fn move_clock(
    edge: &Edge,
    by: &Operator,
    merchant: &MerchantId,
    body: &[u8],
) -> Result<Reply, Failure> {
    let settings = clock::move_clock(edge, by, merchant, body).await?;
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
