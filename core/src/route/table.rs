//! The table of endpoints, each declared once. Handlers, `Allow`, calls from other origins, the operator's log and the
//! tests that visit every endpoint read it.

use alloc::string::String;
#[cfg(test)]
use alloc::vec::Vec;

use super::action::Action;
use super::endpoint::{
    Answered, Audience, Endpoint, Facts, Media, Origins, Refusals, Waits, bytes, endpoints, facts, fill,
    form, json, multipart, nothing, optional, query, record, refusals, waits,
};
use super::segment::{QrCode, Segment};
use crate::record::attachment::{AttachmentName, MAX_BYTES};
use crate::record::attention::AttentionId;
use crate::record::image::{self, ImageName};
use crate::record::return_token::ReturnToken;
use crate::record::short_link::ShortCode;
use crate::value::id::{
    DeliveryId, MerchantId, OperatorId, PgCode, ReferenceNumber, SessionId, SettingsVersion, UserId,
};
use crate::words::message::Channel;

/// The most bytes of a body that only names things.
const SMALL: usize = 16_384;
/// The most bytes of a payment by wallet.
const WALLET: usize = 32_768;
/// The most bytes of an operation.
const OPERATION: usize = 65_536;
/// The most bytes of a gateway's callback.
const CALLBACK: usize = 65_536;
/// The most bytes of the form of the hosted page.
const PAGE: usize = 4_096;
/// The most bytes of the fields of a transaction, and of a settings document.
const LARGE: usize = 262_144;
/// The most bytes of the file by which Apple recognises the domain.
const DOMAIN_FILE: usize = 32_768;
/// The most bytes of an image of a merchant.
const IMAGE: usize = 65_536;
const _: () = assert!(IMAGE == image::MAX_BYTES);
/// The most bytes of a file together with its form.
const UPLOAD: usize = LARGE.saturating_add(MAX_BYTES);

endpoints! {
    /// One operation on one address.
    pub enum Route or Operator(OperatorRoute) {
        /// Create a payment transaction.
        CreateTransaction = POST "/b/checkout/v1/pymt-txn/", "create_transaction", Merchant, Create, record(LARGE) as draft::request::Request, Own => 201 Json by answer::view;
        /// List payment transactions.
        ListTransactions = GET "/b/checkout/v1/pymt-txn/", "list_transactions", Merchant, List, nothing(), Own, query TRANSACTIONS => 200 Json by answer::listing::TransactionPage;
        /// Retrieve a payment transaction.
        RetrieveTransaction(id: SessionId) = GET "/b/checkout/v1/pymt-txn/{}/", "retrieve_transaction", Merchant, Retrieve, nothing(), Own, query ANY => 200 Json | 304 Empty by answer::view;
        /// Explain why payments went to their gateways.
        ReadRouting(id: SessionId) = GET "/b/checkout/v1/pymt-txn/{}/routing/", "read_routing", Merchant, Retrieve, nothing(), Own => 200 Json by answer::routing;
        /// Replace a payment transaction.
        ReplaceTransaction(id: SessionId) = PUT "/b/checkout/v1/pymt-txn/{}/", "replace_transaction", Merchant, Update, record(LARGE) as draft::request::Request, Own => 200 Json by answer::view;
        /// Change some members of a payment transaction.
        PatchTransaction(id: SessionId) = PATCH "/b/checkout/v1/pymt-txn/{}/", "patch_transaction", Merchant, Update, record(LARGE) as draft::request::Request, Own => 200 Json by answer::view;
        /// Upload an attachment.
        UploadAttachment = POST "/b/checkout/v1/upload-attachment/", "upload_attachment", Merchant, Upload, multipart(UPLOAD) as api::upload_attachment::Request, Own => 200 Json by answer::attachment::Uploaded;
        /// Download an attachment.
        DownloadAttachment(name: AttachmentName) = GET "/media/payment_transactions/attachments/{}", "download_attachment", Payer, Anything, nothing(), Own => 200 File;
        /// Download an image of a merchant.
        Image(name: ImageName) = GET "/b/checkout/images/{}", "image", Public, Anything, nothing(), Own => 200 Image;
        /// Download the file by which Apple recognises the domain.
        AppleDomainFile = GET "/.well-known/apple-developer-merchantid-domain-association", "apple_domain_file", Public, Anything, nothing(), Own => 200 Text;
        /// Follow a short address.
        ShortLink(code: ShortCode) = GET "/b/{}", "short_link", Payer, Anything, nothing(), Own => 302 Redirect;
        /// Download the QR code of the checkout page.
        DrawQrCode(picture: QrCode) = GET "/b/checkout/qr/{}", "qr_code", Public, Anything, nothing(), Own => 200 Image;
        /// List the merchant's payment methods.
        ListMethods = POST "/b/pbl/v2/payment-methods/", "list_methods", Merchant, ListMethods, record(SMALL) as api::payment_methods::Request, Own => 200 Json by answer::payment_methods;
        /// Refund, capture or void.
        Operate = POST "/b/pbl/v2/operation/", "operate", Merchant, Operate, record(OPERATION) as api::operation::Request, Own => 200 Json by answer::operation;
        /// List a customer's saved cards.
        ListCards = POST "/b/pbl/v2/card/", "list_cards", Merchant, Cards, record(SMALL) as api::card::Filter, Own => 200 Json by answer::token;
        /// Delete a saved card.
        DeleteCard(token: String) = DELETE "/b/pbl/v2/card/{}/", "delete_card", Merchant, Cards, nothing(), Own, query CARD => 204 Empty;
        /// Ask the gateway what became of a payment.
        Inquire = POST "/b/pbl/v2/inquiry/", "inquire", Merchant, Inquire, record(SMALL) as api::inquiry::Asked, Own => 200 Json by answer::payload;
        /// Remind the payer.
        Remind = POST "/b/pbl/v2/message-notification/", "message_notification", Merchant, Update, record(SMALL) as api::message_notification::Asked, Own => 200 Json by answer::message::Reminded;
        /// Pay by Apple Pay.
        PayByApplePay = POST "/b/pbl/v2/payment/apple-pay/", "pay_by_apple_pay", Merchant, PayByWallet, record(WALLET) as api::native::WalletRequest, OfBody, waits PayerOnPage => 200 Json by answer::native;
        /// Pay by Google Pay.
        PayByGooglePay = POST "/b/pbl/v2/payment/google-pay/", "pay_by_google_pay", Merchant, PayByWallet, record(WALLET) as api::native::WalletRequest, OfBody, waits PayerOnPage => 200 Json by answer::native;
        /// Acknowledge a payment in cash.
        PayInCash = POST "/b/pbl/v2/payment/cash/" | "/b/pbl/v2/cash-payment/", "pay_in_cash", Merchant, PayInCash, record(WALLET) as api::native::CashRequest, Own => 200 Json by answer::native;
        /// Charge a saved card.
        AutoDebit = POST "/b/pbl/v2/payment/auto-debit/", "auto_debit", Merchant, Debit, record(SMALL) as api::auto_debit::Request, Own => 200 Json by answer::native;
        /// Charge a saved card, answered in the older form.
        OlderAutoDebit = POST "/b/pbl/v2/auto-debit/", "older_auto_debit", Merchant, Debit, record(SMALL) as api::auto_debit::Request, Own => 200 Json by answer::payload;
        /// Make a key of the merchant.
        AddOwnKey = POST "/b/access/v1/keys/", "add_own_key", Merchant, ManageAccess, json(SMALL) as api::key::Request, Own => 201 Json by answer::operator::KeyAdded;
        /// List the keys of the merchant.
        ListOwnKeys = GET "/b/access/v1/keys/", "list_own_keys", Merchant, ManageAccess, nothing(), Own => 200 Json by answer::operator::KeyShown;
        /// Revoke a key of the merchant.
        RevokeOwnKey(prefix: String) = DELETE "/b/access/v1/keys/{}/", "revoke_own_key", Merchant, ManageAccess, nothing(), Own => 204 Empty;
        /// Make a user of the merchant.
        AddOwnUser = POST "/b/access/v1/users/", "add_own_user", Merchant, ManageAccess, json(SMALL) as api::user::Request, Own => 201 Json by answer::operator::UserShown;
        /// List the users of the merchant.
        ListOwnUsers = GET "/b/access/v1/users/", "list_own_users", Merchant, ManageAccess, nothing(), Own => 200 Json by answer::operator::UserShown;
        /// Read a user of the merchant.
        ReadOwnUser(user: UserId) = GET "/b/access/v1/users/{}/", "read_own_user", Merchant, ManageAccess, nothing(), Own => 200 Json by answer::operator::UserShown;
        /// Change a user of the merchant.
        ChangeOwnUser(user: UserId) = PATCH "/b/access/v1/users/{}/", "change_own_user", Merchant, ManageAccess, json(SMALL) as api::user::Request, Own => 200 Json by answer::operator::UserShown;
        /// Rotate the merchant's webhook secret.
        AddOwnWebhookSecret = POST "/b/access/v1/webhook-secrets/", "add_own_webhook_secret", Merchant, ManageMerchant, nothing(), Own => 201 Json by answer::administration::WebhookSecretAdded;
        /// Drop the merchant's previous webhook secret.
        DropOwnWebhookSecret = DELETE "/b/access/v1/webhook-secrets/previous/", "drop_own_webhook_secret", Merchant, ManageMerchant, nothing(), Own => 204 Empty;
        /// Replace the merchant's key of signatures in bodies.
        ReplaceOwnSignatureKey = POST "/b/access/v1/signature-keys/", "replace_own_signature_key", Merchant, ManageMerchant, json(SMALL) as api::signature_key::Request, Own => 201 Json by answer::administration::SignatureKeyAdded;
        /// Read the merchant's webhook addresses.
        ReadOwnWebhookAddresses = GET "/b/access/v1/webhook-addresses/", "read_own_webhook_addresses", Merchant, ManageAccess, nothing(), Own => 200 Json by answer::administration::WebhookAddresses;
        /// Change the merchant's webhook addresses.
        ChangeOwnWebhookAddresses = PATCH "/b/access/v1/webhook-addresses/", "change_own_webhook_addresses", Merchant, ManageMerchant, json(SMALL) as api::webhook_addresses::Request, Own => 200 Json by answer::administration::WebhookAddresses;
        /// List the merchant's webhook deliveries.
        ReadOwnDeliveries = GET "/b/access/v1/deliveries/", "read_own_deliveries", Merchant, List, nothing(), Own, query DELIVERIES => 200 Json by answer::delivery::DeliveryPage;
        /// Read a webhook delivery with every try.
        ReadOwnDelivery(id: DeliveryId) = GET "/b/access/v1/deliveries/{}/", "read_own_delivery", Merchant, List, nothing(), Own => 200 Json by answer::delivery::DeliveryRead;
        /// List the merchant's messages to payers.
        ReadOwnMessages = GET "/b/access/v1/messages/", "read_own_messages", Merchant, List, nothing(), Own, query MESSAGES => 200 Json by answer::message::MessagePage;
        /// Send webhooks of the merchant again.
        ResendOwnDeliveries = POST "/b/access/v1/resend/", "resend_own_deliveries", Merchant, Inquire, json(SMALL) as api::resend::Request, Own => 200 Json by answer::delivery::DeliveriesResent;
        /// List the merchant's receivers that fail or are disabled.
        ListOwnReceivers = GET "/b/access/v1/receivers/", "list_own_receivers", Merchant, ManageAccess, nothing(), Own => 200 Json by answer::delivery::ReceiverShown;
        /// Enable a receiver of the merchant again.
        EnableOwnReceiver = POST "/b/access/v1/receivers/enable/", "enable_own_receiver", Merchant, ManageMerchant, json(SMALL) as api::receiver::Named, Own => 200 Json by answer::delivery::ReceiverEnabled;
        /// Send a test webhook.
        SendOwnTestWebhook = POST "/b/access/v1/test-webhooks/", "send_own_test_webhook", Merchant, ManageMerchant, json(SMALL) as api::receiver::TestWebhook, Own => 200 Json by answer::delivery::TestWebhookSent;
        /// Upload an image of the merchant.
        UploadOwnImage = POST "/b/access/v1/images/", "upload_own_image", Merchant, ManageMerchant, bytes(IMAGE), Own => 201 Json by answer::administration::ImageShown;
        /// List the images of the merchant.
        ListOwnImages = GET "/b/access/v1/images/", "list_own_images", Merchant, ManageMerchant, nothing(), Own => 200 Json by answer::administration::ImageShown;
        /// Delete an image of the merchant.
        DeleteOwnImage(name: ImageName) = DELETE "/b/access/v1/images/{}/", "delete_own_image", Merchant, ManageMerchant, nothing(), Own => 204 Empty;
        /// Read the merchant's brand.
        ReadOwnBrand = GET "/b/access/v1/brand/", "read_own_brand", Merchant, ManageMerchant, nothing(), Own => 200 Json by answer::administration::BrandShown;
        /// Replace the merchant's brand.
        ReplaceOwnBrand = PUT "/b/access/v1/brand/", "replace_own_brand", Merchant, ManageMerchant, json(SMALL) as settings::brand::Brand, Own => 200 Json by answer::administration::BrandShown;
        /// Preview the merchant's brand.
        PreviewOwnBrand = GET "/b/access/v1/brand/preview/", "preview_own_brand", Merchant, ManageMerchant, nothing(), Own, query PREVIEW => 200 Html;
        /// Read the merchant's audit.
        ReadOwnAudit = GET "/b/access/v1/audit/", "read_own_audit", Merchant, ManageAccess, nothing(), Own, query OWN_AUDIT => 200 Json by answer::administration::AuditPage;
        /// Erase a payer.
        Erase = POST "/b/checkout/v1/erase/", "erase", Merchant, ManageMerchant, json(SMALL) as api::erasure::Request, Own => 200 Json by answer::erasure;
        /// Pay with a saved card, from a page.
        SdkSubmitToken = POST "/b/checkout/api/sdk/v1/submit-token/", "sdk_submit_token", Page, UseSession, json(SMALL) as api::auto_debit::Request, OfBody, waits Payer => 200 Json by answer::native;
        /// Pay by Apple Pay, from a page.
        SdkPayByApplePay = POST "/b/checkout/api/sdk/v1/apay/pay/", "sdk_pay_by_apple_pay", Page, UseSession, json(WALLET) as api::wallet::PayRequest, OfBody, waits Payer => 200 Json by answer::sdk::payment::WalletAnswer;
        /// Pay by Google Pay, from a page.
        SdkPayByGooglePay = POST "/b/checkout/api/sdk/v1/gpay/pay/", "sdk_pay_by_google_pay", Page, UseSession, json(WALLET) as api::wallet::PayRequest, OfBody, waits Payer => 200 Json by answer::sdk::payment::WalletAnswer;
        /// Get an Apple Pay merchant session.
        SdkAppleSession = POST "/b/checkout/api/sdk/v1/apay/validate-session/", "sdk_apple_session", Page, UseSession, json(WALLET) as api::wallet::SessionRequest, OfBody, waits Payer => 200 Json by answer::sdk;
        /// Delete a saved card, from a page.
        SdkDeleteCard(id: SessionId, token: String) = DELETE "/b/checkout/api/sdk/v1/card/{}/{}/", "sdk_delete_card", Page, UseSession, nothing(), OfAddress => 204 Empty;
        /// Open the hosted checkout page.
        CheckoutPage = GET "/b/checkout/redirect/start/", "checkout_page", Payer, UseSession, nothing(), Own, query PAGE => 200 Html | 303 Redirect;
        /// Pay from the hosted page.
        Pay = POST "/b/checkout/redirect/pay/", "pay", Payer, UseSession, form(PAGE) as api::pay::Form, Own, waits Payer => 200 Json | 303 Redirect by answer::page::Redirection;
        /// Read how far a payment is, from the hosted page.
        PayStatus(id: SessionId) = GET "/b/checkout/redirect/status/{}/", "pay_status", Page, UseSession, nothing(), Own => 200 Json by answer::page::StatusAnswer;
        /// List the payment methods of a payment.
        SdkInit(id: SessionId) = GET "/b/checkout/api/sdk/v1/pymt-txn/submit/{}/", "sdk_init", Page, UseSession, nothing(), OfAddress => 200 Json by answer::sdk;
        /// Report that the payer sees the payment methods.
        SdkConcur(id: SessionId) = GET "/b/checkout/api/sdk/v1/concur-payer-view/{}/", "sdk_concur", Page, UseSession, nothing(), OfAddress => 200 Json by answer::sdk::payment::Seen;
        /// Begin a payment, from a page.
        SdkSubmit(id: SessionId) = POST "/b/checkout/api/sdk/v1/submit/{}/", "sdk_submit", Page, UseSession, json(SMALL) as api::sdk::Submit, OfAddress, waits Payer => 200 Json by answer::sdk::payment::Submitted;
        /// Cancel a payment, from a page.
        SdkCancel(id: SessionId) = POST "/b/checkout/api/sdk/v1/cancel/{}/", "sdk_cancel", Page, UseSession, json(SMALL) as api::sdk::Cancel, OfAddress, waits Payer => 200 Json by answer::sdk::Callback;
        /// Return from the gateway, with the token of the attempt.
        GatewayReturn(reference: ReferenceNumber, token: Option<ReturnToken>) = GET | POST "/b/gw/v1/return/{}/{}/", "gateway_return", Payer, Anything, bytes(CALLBACK), Own, waits PayerForReceiver => 303 Redirect;
        /// Return from the gateway without a token: there is nothing to see.
        GatewayReturnBare(reference: ReferenceNumber) = GET | POST "/b/gw/v1/return/{}/", "gateway_return", Payer, Anything, bytes(CALLBACK), Own, waits PayerForReceiver => 303 Redirect;
        /// Go on to a gateway's page that takes a form.
        GatewayForward(reference: ReferenceNumber, token: Option<ReturnToken>) = GET "/b/gw/v1/forward/{}/{}/", "gateway_forward", Payer, Anything, nothing(), Own => 200 Html | 303 Redirect;
        /// Report a charge or an operation, as a gateway.
        GatewayCallback(reference: ReferenceNumber) = GET | POST "/b/gw/v1/callback/{}/", "gateway_callback", Gateway, Anything, bytes(CALLBACK), Own => 200 OfGateway | 303 Redirect;
        /// Report any charge of an account, as a gateway.
        AccountCallback(merchant: MerchantId, code: PgCode) = POST "/b/gw/v1/account/{}/{}/", "account_callback", Gateway, Anything, bytes(CALLBACK), Own => 200 OfGateway;
        /// Report what became of messages, as a provider.
        MessageReport(merchant: MerchantId, channel: Channel) = GET | POST "/b/gw/v1/messages/{}/{}/", "message_report", Gateway, Anything, bytes(CALLBACK), Own => 200 OfGateway;
        /// Report that the page's policy was broken, as a browser.
        PolicyReport = POST "/b/checkout/reports/", "policy_report", Page, Anything, bytes(SMALL), Own => 204 Empty;
        /// Download a signed receipt.
        Receipt(id: SessionId) = GET "/b/checkout/receipt/{}/", "receipt", Public, Anything, nothing(), Own => 200 Jose;
        /// Download the code of a receipt.
        ReceiptCode(id: SessionId) = GET "/b/checkout/receipt/{}/code.svg", "receipt_code", Public, Anything, nothing(), Own => 200 Image;
        /// List the public keys of receipts and webhooks.
        PublicKeys = GET "/.well-known/jwks.json", "public_keys", Public, Anything, nothing(), Own, query KEYS => 200 KeySet;
        /// Explain a problem code.
        Problem(code: String) = GET "/b/problems/{}/", "problem", Public, Anything, nothing(), Own => 200 Html;
        /// Get a token.
        GiveToken = POST "/b/auth/v1/token/", "give_token", Public, Anything, form(SMALL) as api::token::Request, Own, refusals OfTokens => 200 Json by answer::oauth::TokenGiven;
        /// Check the health.
        Health = GET "/healthz", "health", Public, Anything, nothing(), Own => 200 Json by answer::health::Health;
    }
}

endpoints! {
    /// One operation of the operator.
    pub enum OperatorRoute {
        /// Make an operator.
        AddOperator = POST "/b/operator/v1/operators/", "add_operator", Operator, Administer, json(SMALL) as api::operator::Request, Own => 201 Json by answer::administration::OperatorAdded;
        /// List the operators.
        ListOperators = GET "/b/operator/v1/operators/", "list_operators", Operator, ReadInstallation, nothing(), Own => 200 Json by answer::administration::OperatorShown;
        /// Revoke an operator.
        RevokeOperator(operator: OperatorId) = DELETE "/b/operator/v1/operators/{}/", "revoke_operator", Operator, Administer, nothing(), Own => 204 Empty;
        /// Read the audit.
        ReadAudit = GET "/b/operator/v1/audit/", "read_audit", Operator, ReadInstallation, nothing(), Own, query AUDIT => 200 Json by answer::administration::AuditPage;
        /// Make a merchant.
        AddMerchant = POST "/b/operator/v1/merchants/", "add_merchant", Operator, Administer, json(LARGE) as api::merchant::Request, Own => 201 Json by answer::operator::MerchantAdded;
        /// Pause a merchant.
        PauseMerchant(id: MerchantId) = POST "/b/operator/v1/merchants/{}/pause/", "pause_merchant", Operator, Support, json(SMALL) as api::merchant::Pause, Own => 200 Json by answer::operator::SettingsReplaced;
        /// List the versions of a merchant's settings.
        ReadHistory(id: MerchantId) = GET "/b/operator/v1/merchants/{}/settings/versions/", "read_history", Operator, ReadInstallation, nothing(), Own, query HISTORY => 200 Json by answer::administration::SettingsHistory;
        /// Read a version of a merchant's settings.
        ReadVersion(id: MerchantId, version: SettingsVersion) = GET "/b/operator/v1/merchants/{}/settings/versions/{}/", "read_version", Operator, ReadInstallation, nothing(), Own => 200 Json by answer::administration::VersionRead;
        /// Compare two versions of a merchant's settings.
        CompareVersions(id: MerchantId, version: SettingsVersion) = GET "/b/operator/v1/merchants/{}/settings/versions/{}/diff/", "compare_versions", Operator, ReadInstallation, nothing(), Own, query COMPARED => 200 Json by answer::administration::SettingsCompared;
        /// Restore a version of a merchant's settings.
        RestoreVersion(id: MerchantId, version: SettingsVersion) = POST "/b/operator/v1/merchants/{}/settings/versions/{}/restore/", "restore_version", Operator, Administer, json(SMALL) as api::settings_version::Request, Own => 200 Json by answer::operator::SettingsReplaced;
        /// Rotate a merchant's webhook secret.
        AddWebhookSecret(id: MerchantId) = POST "/b/operator/v1/merchants/{}/webhook-secrets/", "add_webhook_secret", Operator, Administer, nothing(), Own => 201 Json by answer::administration::WebhookSecretAdded;
        /// Drop a merchant's previous webhook secret.
        DropWebhookSecret(id: MerchantId) = DELETE "/b/operator/v1/merchants/{}/webhook-secrets/previous/", "drop_webhook_secret", Operator, Administer, nothing(), Own => 204 Empty;
        /// Replace a merchant's key of signatures in bodies.
        ReplaceSignatureKey(id: MerchantId) = POST "/b/operator/v1/merchants/{}/signature-keys/", "replace_signature_key", Operator, Administer, json(SMALL) as api::signature_key::Request, Own => 201 Json by answer::administration::SignatureKeyAdded;
        /// Read a merchant.
        ReadMerchant(id: MerchantId) = GET "/b/operator/v1/merchants/{}/", "read_merchant", Operator, ReadInstallation, nothing(), Own => 200 Json by answer::operator::MerchantShown;
        /// Replace a merchant's settings.
        ReplaceSettings(id: MerchantId) = PUT "/b/operator/v1/merchants/{}/settings/", "replace_settings", Operator, Administer, json(LARGE) as settings::MerchantSettings, Own, query REPLACED => 200 Json by answer::operator::SettingsReplaced;
        /// Make a key of a merchant.
        AddKey(id: MerchantId) = POST "/b/operator/v1/merchants/{}/keys/", "add_key", Operator, Administer, json(LARGE) as api::key::Request, Own => 201 Json by answer::operator::KeyAdded;
        /// List the keys of a merchant.
        ListKeys(id: MerchantId) = GET "/b/operator/v1/merchants/{}/keys/", "list_keys", Operator, ReadInstallation, nothing(), Own => 200 Json by answer::operator::KeyShown;
        /// Revoke a key of a merchant.
        RevokeKey(id: MerchantId, prefix: String) = DELETE "/b/operator/v1/merchants/{}/keys/{}/", "revoke_key", Operator, Support, nothing(), Own => 204 Empty;
        /// Make a user of a merchant.
        AddUser(id: MerchantId) = POST "/b/operator/v1/merchants/{}/users/", "add_user", Operator, Administer, json(SMALL) as api::user::Request, Own => 201 Json by answer::operator::UserShown;
        /// List the users of a merchant.
        ListUsers(id: MerchantId) = GET "/b/operator/v1/merchants/{}/users/", "list_users", Operator, ReadInstallation, nothing(), Own => 200 Json by answer::operator::UserShown;
        /// Read a user of a merchant.
        ReadUser(id: MerchantId, user: UserId) = GET "/b/operator/v1/merchants/{}/users/{}/", "read_user", Operator, ReadInstallation, nothing(), Own => 200 Json by answer::operator::UserShown;
        /// Change a user of a merchant.
        ChangeUser(id: MerchantId, user: UserId) = PATCH "/b/operator/v1/merchants/{}/users/{}/", "change_user", Operator, Administer, json(SMALL) as api::user::Request, Own => 200 Json by answer::operator::UserShown;
        /// Read a merchant's test clock.
        ReadClock(id: MerchantId) = GET "/b/operator/v1/merchants/{}/clock/", "read_clock", Operator, ReadInstallation, nothing(), Own => 200 Json by answer::operator::ClockShown;
        /// Move a merchant's test clock.
        MoveClock(id: MerchantId) = POST "/b/operator/v1/merchants/{}/clock/", "move_clock", Operator, Support, json(LARGE) as api::test_clock::Request, Own => 200 Json by answer::operator::ClockShown;
        /// Read a merchant's reconciliations.
        ListReconciliations(id: MerchantId) = GET "/b/operator/v1/merchants/{}/reconciliations/", "list_reconciliations", Operator, ReadInstallation, nothing(), Own => 200 Json by answer::operator::ReconciliationShown;
        /// Reconcile a merchant again.
        ReconcileAgain(id: MerchantId) = POST "/b/operator/v1/merchants/{}/reconciliations/", "reconcile_again", Operator, Support, json(LARGE) as api::reconciliation::Request, Own => 200 Json by answer::operator::ReconciliationShown;
        /// Check the credentials of a gateway.
        CheckGateway(id: MerchantId, code: PgCode) = POST "/b/operator/v1/merchants/{}/gateways/{}/check/", "check_gateway", Operator, Support, nothing(), Own => 200 Json by answer::operator::GatewayChecked;
        /// Read the attention list.
        ListAttention = GET "/b/operator/v1/attention/", "list_attention", Operator, ReadInstallation, nothing(), Own => 200 Json by answer::operator::AttentionShown;
        /// Resolve an entry of the attention list.
        ResolveAttention(id: AttentionId) = POST "/b/operator/v1/attention/{}/resolve/", "resolve_attention", Operator, Support, json(LARGE) as api::attention::Request, Own => 200 Json by answer::operator::AttentionResolved;
        /// Erase a payer of a merchant.
        EraseOf(id: MerchantId) = POST "/b/operator/v1/merchants/{}/erase/", "erase_of", Operator, Administer, json(SMALL) as api::erasure::Request, Own => 200 Json by answer::erasure;
        /// List a merchant's webhook deliveries.
        ReadDeliveries(id: MerchantId) = GET "/b/operator/v1/merchants/{}/deliveries/", "read_deliveries", Operator, ReadInstallation, nothing(), Own, query DELIVERIES => 200 Json by answer::delivery::DeliveryPage;
        /// Read a webhook delivery of a merchant with every try.
        ReadDelivery(id: MerchantId, delivery: DeliveryId) = GET "/b/operator/v1/merchants/{}/deliveries/{}/", "read_delivery", Operator, ReadInstallation, nothing(), Own => 200 Json by answer::delivery::DeliveryRead;
        /// Send webhooks of a merchant again.
        ResendDeliveries(id: MerchantId) = POST "/b/operator/v1/merchants/{}/resend/", "resend_deliveries", Operator, Support, json(SMALL) as api::resend::Request, Own => 200 Json by answer::delivery::DeliveriesResent;
        /// List a merchant's receivers that fail or are disabled.
        ListReceivers(id: MerchantId) = GET "/b/operator/v1/merchants/{}/receivers/", "list_receivers", Operator, ReadInstallation, nothing(), Own => 200 Json by answer::delivery::ReceiverShown;
        /// Enable a receiver of a merchant again.
        EnableReceiver(id: MerchantId) = POST "/b/operator/v1/merchants/{}/receivers/enable/", "enable_receiver", Operator, Support, json(SMALL) as api::receiver::Named, Own => 200 Json by answer::delivery::ReceiverEnabled;
        /// Send a test webhook for a merchant.
        SendTestWebhook(id: MerchantId) = POST "/b/operator/v1/merchants/{}/test-webhooks/", "send_test_webhook", Operator, Support, json(SMALL) as api::receiver::TestWebhook, Own => 200 Json by answer::delivery::TestWebhookSent;
        /// Upload an image of a merchant.
        UploadImage(id: MerchantId) = POST "/b/operator/v1/merchants/{}/images/", "upload_image", Operator, Administer, bytes(IMAGE), Own => 201 Json by answer::administration::ImageShown;
        /// List the images of a merchant.
        ListImages(id: MerchantId) = GET "/b/operator/v1/merchants/{}/images/", "list_images", Operator, ReadInstallation, nothing(), Own => 200 Json by answer::administration::ImageShown;
        /// Delete an image of a merchant.
        DeleteImage(id: MerchantId, name: ImageName) = DELETE "/b/operator/v1/merchants/{}/images/{}/", "delete_image", Operator, Administer, nothing(), Own => 204 Empty;
        /// Preview a merchant's brand.
        PreviewBrand(id: MerchantId) = GET "/b/operator/v1/merchants/{}/brand/preview/", "preview_brand", Operator, ReadInstallation, nothing(), Own, query PREVIEW => 200 Html;
        /// Replace the file by which Apple recognises the domain.
        ReplaceAppleDomainFile = PUT "/b/operator/v1/apple-domain-file/", "replace_apple_domain_file", Operator, Administer, bytes(DOMAIN_FILE), Own => 204 Empty;
        /// Read the metrics of the installation.
        ReadMetrics = GET "/metrics", "read_metrics", Operator, ReadInstallation, nothing(), Own => 200 Metrics;
        /// Read under which keys secrets are sealed.
        ReadSealing = GET "/b/operator/v1/reseal/", "read_sealing", Operator, ReadInstallation, nothing(), Own => 200 Json by answer::operator::SealingShown;
        /// Seal secrets again.
        Reseal = POST "/b/operator/v1/reseal/", "reseal", Operator, Administer, nothing(), Own => 200 Json by answer::operator::Resealed;
        /// List a merchant's payment transactions.
        ListTransactionsOf(id: MerchantId) = GET "/b/operator/v1/merchants/{}/transactions/", "list_transactions_of", Operator, ReadInstallation, nothing(), Own, query TRANSACTIONS => 200 Json by answer::listing::TransactionPage;
        /// Retrieve a payment transaction of a merchant.
        RetrieveOf(id: MerchantId, session: SessionId) = GET "/b/operator/v1/merchants/{}/transactions/{}/", "retrieve_of", Operator, ReadInstallation, nothing(), Own => 200 Json by answer::view;
        /// Notify a merchant of a payment.
        NotifyOf(id: MerchantId, session: SessionId) = POST "/b/operator/v1/merchants/{}/transactions/{}/notify/", "notify_of", Operator, Support, nothing(), Own => 200 Json by answer::payload;
        /// Ask the gateway about a payment of a merchant.
        InquireOf(id: MerchantId) = POST "/b/operator/v1/merchants/{}/inquiry/", "inquire_of", Operator, Support, json(SMALL) as api::inquiry::Asked, Own => 200 Json by answer::payload;
        /// Restore a deleted payment transaction.
        RestoreTransaction(id: SessionId) = POST "/b/operator/v1/transactions/{}/restore/", "restore_transaction", Operator, Support, nothing(), Own => 204 Empty;
    }
}
