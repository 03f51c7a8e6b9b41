//! The operator's endpoints, as the [table](super::table) has the others.

use alloc::string::String;
#[cfg(test)]
use alloc::vec::Vec;

use super::action::Action;
use super::endpoint::{
    Answered, Endpoint, EndpointAudience, EndpointFacts, Media, Origins, Refusals, Waits, bytes, endpoints,
    facts, fill, given, json, nothing,
};
use super::segment::Segment;
use super::table::{DOMAIN_FILE, IMAGE, LARGE, SMALL};
use crate::record::attention::AttentionId;
use crate::record::image::ImageName;
use crate::value::id::{DeliveryId, MerchantId, OperatorId, PgCode, SessionId, SettingsVersion, UserId};

/// The operations of the operator. Calls the macro `with` with the lines.
#[macro_export]
macro_rules! operator_routes {
    ($with:ident) => { $with! {
        /// One operation of the operator.
        enum OperatorRoute;

        /// Make an operator.
        AddOperator = POST "/b/operator/v1/operators/", "add_operator",
            Operator, Administer, json(SMALL) as api::operator::OperatorRequest
            => 201 Json(answer::administration::OperatorAdded);
        /// List the operators.
        ListOperators = GET "/b/operator/v1/operators/", "list_operators",
            Operator, ReadInstallation, nothing() => 200 Json(Vec<answer::administration::OperatorShown>);
        /// Revoke an operator.
        RevokeOperator(operator: OperatorId) = DELETE "/b/operator/v1/operators/{}/", "revoke_operator",
            Operator, Administer, nothing() => 204 Empty;
        /// Read the audit.
        ReadAudit = GET "/b/operator/v1/audit/", "read_audit",
            Operator, ReadInstallation, nothing(), query AUDIT => 200 Json(answer::administration::AuditPage);
        /// List the merchants.
        ListMerchants = GET "/b/operator/v1/merchants/", "list_merchants",
            Operator, ReadInstallation, nothing(), query MERCHANTS
            => 200 Json(answer::operator::MerchantPage);
        /// Make a merchant.
        AddMerchant = POST "/b/operator/v1/merchants/", "add_merchant",
            Operator, Administer, json(LARGE) as api::merchant::MerchantRequest
            => 201 Json(answer::operator::MerchantAdded);
        /// Pause a merchant.
        PauseMerchant(id: MerchantId) = POST "/b/operator/v1/merchants/{}/pause/", "pause_merchant",
            Operator, Support, json(SMALL) as api::merchant::PauseRequest
            => 200 Json(answer::operator::SettingsReplaced);
        /// List the versions of a merchant's settings.
        ReadHistory(id: MerchantId) = GET "/b/operator/v1/merchants/{}/settings/versions/", "read_history",
            Operator, ReadInstallation, nothing(), query HISTORY
            => 200 Json(answer::administration::SettingsHistory);
        /// Read a version of a merchant's settings.
        ReadVersion(id: MerchantId, version: SettingsVersion)
            = GET "/b/operator/v1/merchants/{}/settings/versions/{}/", "read_version",
            Operator, ReadInstallation, nothing() => 200 Json(answer::administration::VersionRead);
        /// Compare two versions of a merchant's settings.
        CompareVersions(id: MerchantId, version: SettingsVersion)
            = GET "/b/operator/v1/merchants/{}/settings/versions/{}/diff/", "compare_versions",
            Operator, ReadInstallation, nothing(), query COMPARED
            => 200 Json(answer::administration::SettingsCompared);
        /// Restore a version of a merchant's settings.
        RestoreVersion(id: MerchantId, version: SettingsVersion)
            = POST "/b/operator/v1/merchants/{}/settings/versions/{}/restore/", "restore_version",
            Operator, Administer, json(SMALL) as api::settings_version::VersionRequest
            => 200 Json(answer::operator::SettingsReplaced);
        /// Rotate a merchant's webhook secret.
        AddWebhookSecret(id: MerchantId)
            = POST "/b/operator/v1/merchants/{}/webhook-secrets/", "add_webhook_secret",
            Operator, Administer, nothing() => 201 Json(answer::administration::WebhookSecretAdded);
        /// Drop a merchant's previous webhook secret.
        DropWebhookSecret(id: MerchantId)
            = DELETE "/b/operator/v1/merchants/{}/webhook-secrets/previous/", "drop_webhook_secret",
            Operator, Administer, nothing() => 204 Empty;
        /// Replace a merchant's key of signatures in bodies.
        ReplaceSignatureKey(id: MerchantId)
            = POST "/b/operator/v1/merchants/{}/signature-keys/", "replace_signature_key",
            Operator, Administer, json(SMALL) as api::signature_key::SignatureKeyRequest
            => 201 Json(answer::administration::SignatureKeyAdded);
        /// Read a merchant.
        ReadMerchant(id: MerchantId) = GET "/b/operator/v1/merchants/{}/", "read_merchant",
            Operator, ReadInstallation, nothing() => 200 Json(answer::operator::MerchantShown);
        /// Replace a merchant's settings.
        ReplaceSettings(id: MerchantId) = PUT "/b/operator/v1/merchants/{}/settings/", "replace_settings",
            Operator, Administer, json(LARGE) as settings::MerchantSettings, query REPLACED
            => 200 Json(answer::operator::SettingsReplaced);
        /// Make a key of a merchant.
        AddKey(id: MerchantId) = POST "/b/operator/v1/merchants/{}/keys/", "add_key",
            Operator, Administer, json(LARGE) as api::key::KeyRequest => 201 Json(answer::operator::KeyAdded);
        /// List the keys of a merchant.
        ListKeys(id: MerchantId) = GET "/b/operator/v1/merchants/{}/keys/", "list_keys",
            Operator, ReadInstallation, nothing() => 200 Json(Vec<answer::operator::KeyShown>);
        /// Revoke a key of a merchant.
        RevokeKey(id: MerchantId, prefix: String)
            = DELETE "/b/operator/v1/merchants/{}/keys/{}/", "revoke_key",
            Operator, Support, nothing() => 204 Empty;
        /// Make a user of a merchant.
        AddUser(id: MerchantId) = POST "/b/operator/v1/merchants/{}/users/", "add_user",
            Operator, Administer, json(SMALL) as api::user::UserRequest
            => 201 Json(answer::operator::UserShown);
        /// List the users of a merchant.
        ListUsers(id: MerchantId) = GET "/b/operator/v1/merchants/{}/users/", "list_users",
            Operator, ReadInstallation, nothing() => 200 Json(Vec<answer::operator::UserShown>);
        /// Read a user of a merchant.
        ReadUser(id: MerchantId, user: UserId) = GET "/b/operator/v1/merchants/{}/users/{}/", "read_user",
            Operator, ReadInstallation, nothing() => 200 Json(answer::operator::UserShown);
        /// Change a user of a merchant.
        ChangeUser(id: MerchantId, user: UserId)
            = PATCH "/b/operator/v1/merchants/{}/users/{}/", "change_user",
            Operator, Administer, json(SMALL) as api::user::UserRequest
            => 200 Json(answer::operator::UserShown);
        /// Read a merchant's test clock.
        ReadClock(id: MerchantId) = GET "/b/operator/v1/merchants/{}/clock/", "read_clock",
            Operator, ReadInstallation, nothing() => 200 Json(answer::operator::ClockShown);
        /// Move a merchant's test clock.
        MoveClock(id: MerchantId) = POST "/b/operator/v1/merchants/{}/clock/", "move_clock",
            Operator, Support, json(LARGE) as api::test_clock::ClockRequest
            => 200 Json(answer::operator::ClockShown);
        /// Read a merchant's reconciliations.
        ListReconciliations(id: MerchantId)
            = GET "/b/operator/v1/merchants/{}/reconciliations/", "list_reconciliations",
            Operator, ReadInstallation, nothing() => 200 Json(Vec<answer::operator::ReconciliationShown>);
        /// Reconcile a merchant again.
        ReconcileAgain(id: MerchantId)
            = POST "/b/operator/v1/merchants/{}/reconciliations/", "reconcile_again",
            Operator, Support, json(LARGE) as api::reconciliation::ReconciliationRequest
            => 200 Json(answer::operator::ReconciliationShown);
        /// Check the credentials of a gateway.
        CheckGateway(id: MerchantId, code: PgCode)
            = POST "/b/operator/v1/merchants/{}/gateways/{}/check/", "check_gateway",
            Operator, Support, nothing() => 200 Json(answer::operator::GatewayChecked);
        /// Read the attention list.
        ListAttention = GET "/b/operator/v1/attention/", "list_attention",
            Operator, ReadInstallation, nothing() => 200 Json(Vec<answer::operator::AttentionShown>);
        /// Resolve an entry of the attention list.
        ResolveAttention(id: AttentionId) = POST "/b/operator/v1/attention/{}/resolve/", "resolve_attention",
            Operator, Support, json(LARGE) as api::attention::AttentionRequest
            => 200 Json(answer::operator::AttentionResolved);
        /// Erase a payer of a merchant.
        EraseOf(id: MerchantId) = POST "/b/operator/v1/merchants/{}/erase/", "erase_of",
            Operator, Administer, json(SMALL) as api::erasure::ErasureRequest
            => 200 Json(answer::erasure::Erased);
        /// List a merchant's webhook deliveries.
        ReadDeliveries(id: MerchantId) = GET "/b/operator/v1/merchants/{}/deliveries/", "read_deliveries",
            Operator, ReadInstallation, nothing(), query DELIVERIES
            => 200 Json(answer::delivery::DeliveryPage);
        /// Read a webhook delivery of a merchant with every try.
        ReadDelivery(id: MerchantId, delivery: DeliveryId)
            = GET "/b/operator/v1/merchants/{}/deliveries/{}/", "read_delivery",
            Operator, ReadInstallation, nothing() => 200 Json(answer::delivery::DeliveryRead);
        /// Send webhooks of a merchant again.
        ResendDeliveries(id: MerchantId) = POST "/b/operator/v1/merchants/{}/resend/", "resend_deliveries",
            Operator, Support, json(SMALL) as api::resend::ResendRequest
            => 200 Json(answer::delivery::DeliveriesResent);
        /// List a merchant's receivers that fail or are disabled.
        ListReceivers(id: MerchantId) = GET "/b/operator/v1/merchants/{}/receivers/", "list_receivers",
            Operator, ReadInstallation, nothing() => 200 Json(Vec<answer::delivery::ReceiverShown>);
        /// Enable a receiver of a merchant again.
        EnableReceiver(id: MerchantId)
            = POST "/b/operator/v1/merchants/{}/receivers/enable/", "enable_receiver",
            Operator, Support, json(SMALL) as api::receiver::NamedReceiver
            => 200 Json(answer::delivery::ReceiverEnabled);
        /// Send a test webhook for a merchant.
        SendTestWebhook(id: MerchantId)
            = POST "/b/operator/v1/merchants/{}/test-webhooks/", "send_test_webhook",
            Operator, Support, json(SMALL) as api::receiver::TestWebhook
            => 200 Json(answer::delivery::TestWebhookSent);
        /// Upload an image of a merchant.
        UploadImage(id: MerchantId) = POST "/b/operator/v1/merchants/{}/images/", "upload_image",
            Operator, Administer, bytes(IMAGE) => 201 Json(answer::administration::ImageShown);
        /// List the images of a merchant.
        ListImages(id: MerchantId) = GET "/b/operator/v1/merchants/{}/images/", "list_images",
            Operator, ReadInstallation, nothing() => 200 Json(Vec<answer::administration::ImageShown>);
        /// Delete an image of a merchant.
        DeleteImage(id: MerchantId, name: ImageName)
            = DELETE "/b/operator/v1/merchants/{}/images/{}/", "delete_image",
            Operator, Administer, nothing() => 204 Empty;
        /// Preview a merchant's brand.
        PreviewBrand(id: MerchantId) = GET "/b/operator/v1/merchants/{}/brand/preview/", "preview_brand",
            Operator, ReadInstallation, nothing(), query PREVIEW => 200 Html;
        /// Replace the file by which Apple recognises the domain.
        ReplaceAppleDomainFile = PUT "/b/operator/v1/apple-domain-file/", "replace_apple_domain_file",
            Operator, Administer, bytes(DOMAIN_FILE) => 204 Empty;
        /// Read the metrics of the installation.
        ReadMetrics = GET "/metrics", "read_metrics",
            Operator, ReadInstallation, nothing() => 200 Metrics;
        /// Read under which keys secrets are sealed.
        ReadSealing = GET "/b/operator/v1/reseal/", "read_sealing",
            Operator, ReadInstallation, nothing() => 200 Json(answer::operator::SealingShown);
        /// Seal secrets again.
        Reseal = POST "/b/operator/v1/reseal/", "reseal",
            Operator, Administer, nothing() => 200 Json(answer::operator::Resealed);
        /// List a merchant's payment transactions.
        ListTransactionsOf(id: MerchantId)
            = GET "/b/operator/v1/merchants/{}/transactions/", "list_transactions_of",
            Operator, ReadInstallation, nothing(), query TRANSACTIONS
            => 200 Json(answer::listing::ListingPage);
        /// Retrieve a payment transaction of a merchant.
        RetrieveOf(id: MerchantId, session: SessionId)
            = GET "/b/operator/v1/merchants/{}/transactions/{}/", "retrieve_of",
            Operator, ReadInstallation, nothing() => 200 Json(answer::view::View);
        /// Notify a merchant of a payment.
        NotifyOf(id: MerchantId, session: SessionId)
            = POST "/b/operator/v1/merchants/{}/transactions/{}/notify/", "notify_of",
            Operator, Support, nothing() => 200 Json(answer::payload::Notification);
        /// Ask the gateway about a payment of a merchant.
        InquireOf(id: MerchantId) = POST "/b/operator/v1/merchants/{}/inquiry/", "inquire_of",
            Operator, Support, json(SMALL) as api::inquiry::InquiryRequest
            => 200 Json(answer::payload::Notification);
        /// Find a payment transaction of any merchant.
        FindTransaction = GET "/b/operator/v1/transactions/", "find_transaction",
            Operator, ReadInstallation, nothing(), query FOUND
            => 200 Json(answer::operator::FoundTransaction);
        /// Restore a deleted payment transaction.
        RestoreTransaction(id: SessionId)
            = POST "/b/operator/v1/transactions/{}/restore/", "restore_transaction",
            Operator, Support, nothing() => 204 Empty;
    } };
}
operator_routes!(endpoints);
