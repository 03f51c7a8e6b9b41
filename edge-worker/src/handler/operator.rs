//! The operator API.

use checkout_core::access::grantor::Grantor;
use checkout_core::access::operator::Operator;
use checkout_core::flow::Failure;
use checkout_core::flow::account::erase::erase_of;
use checkout_core::flow::account::{delivery, image, key, receiver, user, webhook_secret};
use checkout_core::flow::merchant::inquiry::InquiryAnswer;
use checkout_core::flow::operator::{
    apple_domain, attention, audit, brand, check, find, merchant as merchants, reconciliation, reseal, staff,
    transaction, version as versions,
};
use checkout_core::flow::sweep::clock;
use checkout_core::flow::sweep::sweep_merchant;
use checkout_core::route::OperatorRoute;
use checkout_core::value::id::MerchantId;
use serde::Serialize;

use crate::call::Call;
use crate::edge::Edge;
use crate::http::{Reply, json};
use crate::logging;
use crate::metrics;
use crate::page;

/// Answers a route of the operator API.
#[expect(clippy::too_many_lines, reason = "a table")]
pub(crate) async fn answer(call: &Call<'_>, route: OperatorRoute) -> Result<Reply, Failure> {
    use OperatorRoute as Of;
    let (edge, body) = (call.edge.as_ref(), call.bytes());
    let (by, query) = (call.operator()?, call.head.query());
    let own = Grantor::Operator(by);
    match route {
        Of::AddOperator => shown(201, staff::add_operator(edge, by, body)).await,
        Of::ListOperators => shown(200, staff::list_operators(edge)).await,
        Of::RevokeOperator(id) => done(staff::revoke_operator(edge, by, id)).await,
        Of::ReadAudit => shown(200, audit::read_audit(edge, query)).await,
        Of::PauseMerchant(id) => shown(200, merchants::pause_merchant(edge, by, &id, body)).await,
        Of::ReadHistory(id) => shown(200, versions::read_history(edge, &id, query)).await,
        Of::ReadVersion(id, version) => shown(200, versions::read_version(edge, &id, version)).await,
        Of::CompareVersions(id, version) => {
            shown(200, versions::compare_versions(edge, &id, version, query)).await
        }
        Of::RestoreVersion(id, version) => {
            shown(200, versions::restore_version(edge, by, &id, version, body)).await
        }
        Of::AddWebhookSecret(id) => shown(201, webhook_secret::add_webhook_secret(edge, &id, own)).await,
        Of::DropWebhookSecret(id) => done(webhook_secret::drop_webhook_secret(edge, &id, own)).await,
        Of::ReplaceSignatureKey(id) => {
            shown(201, webhook_secret::replace_signature_key(edge, &id, own, body)).await
        }
        Of::ListMerchants => shown(200, find::list_merchants(edge, query)).await,
        Of::FindTransaction => shown(200, find::find_transaction(edge, by, query)).await,
        Of::AddMerchant => shown(201, merchants::add_merchant(edge, by, body)).await,
        Of::ReadMerchant(id) => shown(200, merchants::read_merchant(edge, &id)).await,
        Of::ReplaceSettings(id) => shown(200, merchants::replace_settings(edge, by, &id, query, body)).await,
        Of::AddKey(id) => shown(201, key::add_key(edge, &id, own, body)).await,
        Of::ListKeys(id) => shown(200, key::list_keys(edge, &id)).await,
        Of::RevokeKey(id, prefix) => done(key::revoke_key(edge, &id, own, &prefix)).await,
        Of::AddUser(id) => shown(201, user::add_user(edge, &id, own, body)).await,
        Of::ListUsers(id) => shown(200, user::list_users(edge, &id)).await,
        Of::ReadUser(id, user) => shown(200, user::read_user(edge, &id, user)).await,
        Of::ChangeUser(id, user) => shown(200, user::change_user(edge, &id, user, own, body)).await,
        Of::ReadClock(id) => shown(200, clock::read_clock(edge, &id)).await,
        Of::MoveClock(id) => move_clock(edge, by, &id, body).await,
        Of::ListReconciliations(id) => shown(200, reconciliation::list_reconciliations(edge, &id)).await,
        Of::ReconcileAgain(id) => {
            shown(200, Box::pin(reconciliation::reconcile_again(edge, by, &id, body))).await
        }
        Of::CheckGateway(id, code) => shown(200, Box::pin(check::check_gateway(edge, by, &id, &code))).await,
        Of::ListAttention => shown(200, attention::list_attention(edge)).await,
        Of::ResolveAttention(id) => {
            shown(200, Box::pin(attention::resolve_attention(edge, by, &id, body))).await
        }
        Of::EraseOf(id) => shown(200, Box::pin(erase_of(edge, by, &id, body))).await,
        Of::ReadDeliveries(id) => shown(200, delivery::read_deliveries(edge, &id, query)).await,
        Of::ReadDelivery(id, one) => shown(200, delivery::read_delivery(edge, &id, &one)).await,
        Of::ResendDeliveries(id) => shown(200, delivery::resend(edge, &id, own, body)).await,
        Of::ListReceivers(id) => shown(200, receiver::list_receivers(edge, &id)).await,
        Of::EnableReceiver(id) => shown(200, receiver::enable_receiver(edge, &id, own, body)).await,
        Of::SendTestWebhook(id) => shown(200, Box::pin(receiver::send_test_webhook(edge, &id, body))).await,
        Of::UploadImage(id) => shown(201, image::upload_image(edge, &id, own, body)).await,
        Of::ListImages(id) => shown(200, image::list_images(edge, &id)).await,
        Of::DeleteImage(id, name) => done(image::delete_image(edge, &id, own, &name)).await,
        Of::PreviewBrand(id) => {
            Ok(Reply::page(page::render_sample(&brand::preview(edge, &id, query).await?, None)))
        }
        Of::ReplaceAppleDomainFile => done(apple_domain::replace_domain_file(edge, by, body)).await,
        Of::ReadMetrics => metrics::show(edge).await,
        Of::ReadSealing => shown(200, Box::pin(reseal::read_sealing(edge))).await,
        Of::Reseal => shown(200, Box::pin(reseal::reseal(edge, by))).await,
        Of::ListTransactionsOf(id) => Ok(Reply::json(200, transaction::list_of(edge, &id, query).await?)),
        Of::RetrieveOf(id, one) => Ok(Reply::json(200, transaction::retrieve_of(edge, &id, &one).await?)),
        Of::NotifyOf(id, one) => answered(transaction::notify_of(edge, by, &id, &one)).await,
        Of::InquireOf(id) => answered(Box::pin(transaction::inquire_of(edge, by, &id, body))).await,
        Of::RestoreTransaction(id) => done(merchants::restore_transaction(edge, by, &id)).await,
    }
}

/// The answer that a flow gives.
async fn shown<T: Serialize>(
    status: u16,
    flow: impl Future<Output = Result<T, Failure>>,
) -> Result<Reply, Failure> {
    Ok(json(status, &flow.await?))
}

/// The answer to an inquiry.
async fn answered(flow: impl Future<Output = Result<InquiryAnswer, Failure>>) -> Result<Reply, Failure> {
    Ok(Reply::json(200, flow.await?.body))
}

/// The answer to what has none.
async fn done(flow: impl Future<Output = Result<(), Failure>>) -> Result<Reply, Failure> {
    flow.await?;
    Ok(Reply::empty(204))
}

/// Moves a merchant's clock; what is due then has happened when the answer leaves.
async fn move_clock(
    edge: &Edge,
    by: &Operator,
    merchant: &MerchantId,
    body: &[u8],
) -> Result<Reply, Failure> {
    let situation = clock::move_clock(edge, by, merchant, body).await?;
    #[cfg(feature = "sandbox")]
    crate::handler::simulated::tick(edge).await;
    let report = sweep_merchant(edge, &situation).await;
    logging::run(&report);
    Ok(json(200, &clock::moved(edge, &situation, &report)))
}
