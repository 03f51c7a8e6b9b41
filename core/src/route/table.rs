//! The table of endpoints, each declared once, with the types of its request and its answers.
//!
//! Handlers, `Allow`, calls from other origins, the operator's log, the description and the tests that visit
//! every endpoint read it. Addresses are below the types, so the description, which knows these, expands the
//! table a second time.

use alloc::string::String;
#[cfg(test)]
use alloc::vec::Vec;

use super::action::Action;
use super::endpoint::{
    Answered, Endpoint, EndpointAudience, EndpointFacts, Media, Origins, Refusals, Waits, bytes, endpoints,
    facts, fill, form, given, json, multipart, nothing, record,
};
use super::operators::OperatorRoute;
use super::segment::{QrCode, Segment};
use crate::record::attachment::{AttachmentName, MAX_BYTES};
use crate::record::attention::AttentionId;
use crate::record::image::{self, ImageName};
use crate::record::return_token::ReturnToken;
use crate::record::short_link::ShortCode;
use crate::value::id::{ApprovalId, DeliveryId, MerchantId, PgCode, ReferenceNumber, SessionId, UserId};
use crate::words::message::Channel;

/// The most bytes of a body that only names things.
pub(super) const SMALL: usize = 16_384;
/// The most bytes of a payment by wallet.
const WALLET: usize = 32_768;
/// The most bytes of an operation.
const OPERATION: usize = 65_536;
/// The most bytes of a gateway's callback.
const CALLBACK: usize = 65_536;
/// The most bytes of the form of the hosted page.
const PAGE: usize = 4_096;
/// The most bytes of the fields of a transaction, and of a settings document.
pub(super) const LARGE: usize = 262_144;
/// The most bytes of the file by which Apple recognises the domain.
pub(super) const DOMAIN_FILE: usize = 32_768;
/// The most bytes of an image of a merchant.
pub(super) const IMAGE: usize = 65_536;
const _: () = assert!(IMAGE == image::MAX_BYTES);
/// The most bytes of a file together with its form.
const UPLOAD: usize = LARGE.saturating_add(MAX_BYTES);

/// The endpoints of merchants, payers, gateways and everyone. Calls the macro `with` with the lines.
#[macro_export]
macro_rules! routes {
    ($with:ident) => { $with! {
        /// One operation on one address.
        enum Route or Operator(OperatorRoute);

        /// Create a payment transaction.
        CreateTransaction = POST "/b/checkout/v1/pymt-txn/", "create_transaction",
            Merchant, Create, record(LARGE) as draft::request::DraftRequest
            => 201 Json(answer::view::View, answer::payload::Notification, sdk::payment::Challenge);
        /// List payment transactions.
        ListTransactions = GET "/b/checkout/v1/pymt-txn/", "list_transactions",
            Merchant, List, nothing(), query TRANSACTIONS => 200 Json(answer::listing::ListingPage);
        /// Add up the payments of days.
        ReadTotals = GET "/b/checkout/v1/totals/", "read_totals",
            Merchant, List, nothing(), query TOTALS => 200 Json(answer::totals::TotalsAnswer);
        /// Export payment transactions.
        ExportTransactions = GET "/b/checkout/v1/pymt-txn/export/", "export_transactions",
            Merchant, Export, nothing(), query EXPORT => 200 Csv;
        /// Retrieve a payment transaction.
        RetrieveTransaction(id: SessionId) = GET "/b/checkout/v1/pymt-txn/{}/", "retrieve_transaction",
            Merchant, Retrieve, nothing(), query ANY => 200 Json(answer::view::View) | 304 Empty;
        /// Explain why payments went to their gateways.
        ReadRouting(id: SessionId) = GET "/b/checkout/v1/pymt-txn/{}/routing/", "read_routing",
            Merchant, Retrieve, nothing() => 200 Json(answer::routing::RoutingAnswer);
        /// List the captures, refunds and voids of a payment transaction.
        ListOperations(id: SessionId) = GET "/b/checkout/v1/pymt-txn/{}/operations/", "list_operations",
            Merchant, Retrieve, nothing() => 200 Json(answer::operation::OperationList);
        /// Read a capture, refund or void of a payment transaction.
        ReadOperation(id: SessionId, reference: ReferenceNumber)
            = GET "/b/checkout/v1/pymt-txn/{}/operations/{}/", "read_operation",
            Merchant, Retrieve, nothing() => 200 Json(answer::operation::OperationShown);
        /// Show what happened to a payment transaction.
        ReadTimeline(id: SessionId) = GET "/b/checkout/v1/pymt-txn/{}/events/", "read_timeline",
            Merchant, Retrieve, nothing() => 200 Json(answer::timeline::TimelineAnswer);
        /// Replace a payment transaction.
        ReplaceTransaction(id: SessionId) = PUT "/b/checkout/v1/pymt-txn/{}/", "replace_transaction",
            Merchant, Update, record(LARGE) as draft::request::DraftRequest => 200 Json(answer::view::View);
        /// Change some members of a payment transaction.
        PatchTransaction(id: SessionId) = PATCH "/b/checkout/v1/pymt-txn/{}/", "patch_transaction",
            Merchant, Update, record(LARGE) as draft::request::DraftRequest => 200 Json(answer::view::View);
        /// Upload an attachment.
        UploadAttachment = POST "/b/checkout/v1/upload-attachment/", "upload_attachment",
            Merchant, Upload, multipart(UPLOAD) as api::upload_attachment::UploadRequest
            => 200 Json(answer::attachment::Uploaded);
        /// Download an attachment.
        DownloadAttachment(name: AttachmentName)
            = GET "/media/payment_transactions/attachments/{}", "download_attachment",
            Payer, Anything, nothing() => 200 File;
        /// Download an image of a merchant.
        Image(name: ImageName) = GET "/b/checkout/images/{}", "image",
            Public, Anything, nothing() => 200 Image;
        /// Download the file by which Apple recognises the domain.
        AppleDomainFile
            = GET "/.well-known/apple-developer-merchantid-domain-association", "apple_domain_file",
            Public, Anything, nothing() => 200 Text;
        /// Follow a short address.
        ShortLink(code: ShortCode) = GET "/b/{}", "short_link",
            Payer, Anything, nothing() => 302 Redirect;
        /// Download the QR code of the checkout page.
        DrawQrCode(picture: QrCode) = GET "/b/checkout/qr/{}", "qr_code",
            Public, Anything, nothing() => 200 Image;
        /// List the merchant's payment methods.
        ListMethods = POST "/b/pbl/v2/payment-methods/", "list_methods",
            Merchant, ListMethods, record(SMALL) as api::payment_methods::PaymentMethodsRequest
            => 200 Json(answer::payment_methods::PaymentMethodsAnswer);
        /// Refund, capture or void.
        Operate = POST "/b/pbl/v2/operation/", "operate",
            Merchant, Operate, record(OPERATION) as api::operation::RawOperation
            => 200 Json(answer::operation::OperationResult, answer::operation::OperationDone)
            | 202 Json(answer::approval::ApprovalShown);
        /// List requests for approval.
        ListApprovals = GET "/b/checkout/v1/approvals/", "list_approvals",
            Merchant, ReadApprovals, nothing(), query APPROVALS => 200 Json(answer::approval::ApprovalPage);
        /// Read a request for approval.
        ReadApproval(id: ApprovalId) = GET "/b/checkout/v1/approvals/{}/", "read_approval",
            Merchant, ReadApprovals, nothing() => 200 Json(answer::approval::ApprovalShown);
        /// Approve a refund or void.
        Approve(id: ApprovalId) = POST "/b/checkout/v1/approvals/{}/approve/", "approve",
            Merchant, Approve, json(SMALL) as api::approval::ApproveRequest
            => 200 Json(answer::approval::ApprovalShown);
        /// Reject a refund or void.
        Reject(id: ApprovalId) = POST "/b/checkout/v1/approvals/{}/reject/", "reject",
            Merchant, Approve, json(SMALL) as api::approval::RejectRequest
            => 200 Json(answer::approval::ApprovalShown);
        /// Withdraw a request for approval.
        Withdraw(id: ApprovalId) = POST "/b/checkout/v1/approvals/{}/withdraw/", "withdraw",
            Merchant, Operate, nothing() => 200 Json(answer::approval::ApprovalShown);
        /// List what a person should look at.
        ListOwnAttention = GET "/b/checkout/v1/attention/", "list_own_attention",
            Merchant, List, nothing(), query ATTENTION => 200 Json(answer::attention::AttentionPage);
        /// Resolve an entry of the merchant's attention list.
        ResolveOwnAttention(id: AttentionId)
            = POST "/b/checkout/v1/attention/{}/resolve/", "resolve_own_attention",
            Merchant, Update, json(SMALL) as api::attention::ResolveRequest
            => 200 Json(answer::attention::AttentionClosed);
        /// List a customer's saved cards.
        ListCards = POST "/b/pbl/v2/card/", "list_cards",
            Merchant, Cards, record(SMALL) as api::card::Filter => 200 Json(Vec<sdk::card::CardShown>);
        /// Delete a saved card.
        DeleteCard(token: String) = DELETE "/b/pbl/v2/card/{}/", "delete_card",
            Merchant, Cards, nothing(), query CARD => 204 Empty;
        /// List a customer's agreements.
        ListAgreements = POST "/b/checkout/v1/agreements/", "list_agreements",
            Merchant, Cards, json(SMALL) as api::agreement::AgreementsRequest
            => 200 Json(answer::agreement::AgreementList);
        /// Resume an agreement that is paused.
        ResumeAgreement = POST "/b/checkout/v1/agreements/resume/", "resume_agreement",
            Merchant, Debit, json(SMALL) as api::agreement::ResumeAgreement
            => 200 Json(answer::agreement::AgreementShown);
        /// Ask the gateway what became of a payment.
        Inquire = POST "/b/pbl/v2/inquiry/", "inquire",
            Merchant, Inquire, record(SMALL) as api::inquiry::InquiryRequest
            => 200 Json(answer::payload::Notification);
        /// Notify a receiver of a payment.
        NotifyNow(id: SessionId) = POST "/b/checkout/v1/pymt-txn/{}/notify/", "notify",
            Merchant, Inquire, json(SMALL) as api::inquiry::NotifyRequest
            => 200 Json(answer::payload::Notification);
        /// Remind the payer.
        Remind = POST "/b/pbl/v2/message-notification/", "message_notification",
            Merchant, Update, record(SMALL) as api::message_notification::NotificationRequest
            => 200 Json(answer::message::Reminded);
        /// Pay by Apple Pay.
        PayByApplePay = POST "/b/pbl/v2/payment/apple-pay/", "pay_by_apple_pay",
            Merchant, PayByWallet, record(WALLET) as api::native::WalletRequest, from OfBody,
                waits PayerOnPage
            => 200 Json(answer::native::NativePayment, sdk::payment::Challenge);
        /// Pay by Google Pay.
        PayByGooglePay = POST "/b/pbl/v2/payment/google-pay/", "pay_by_google_pay",
            Merchant, PayByWallet, record(WALLET) as api::native::WalletRequest, from OfBody,
                waits PayerOnPage
            => 200 Json(answer::native::NativePayment, sdk::payment::Challenge);
        /// Acknowledge a payment in cash.
        PayInCash = POST "/b/pbl/v2/payment/cash/" | "/b/pbl/v2/cash-payment/", "pay_in_cash",
            Merchant, PayInCash, record(WALLET) as api::native::CashRequest
            => 200 Json(answer::native::NativePayment, sdk::payment::Challenge);
        /// Charge a saved card.
        AutoDebit = POST "/b/pbl/v2/payment/auto-debit/", "auto_debit",
            Merchant, Debit, record(SMALL) as api::auto_debit::AutoDebitRequest
            => 200 Json(answer::native::NativePayment, sdk::payment::Challenge);
        /// Charge a saved card, answered in the older form.
        OlderAutoDebit = POST "/b/pbl/v2/auto-debit/", "older_auto_debit",
            Merchant, Debit, record(SMALL) as api::auto_debit::AutoDebitRequest
            => 200 Json(answer::payload::Notification, sdk::payment::Challenge);
        /// Make a key of the merchant.
        AddOwnKey = POST "/b/access/v1/keys/", "add_own_key",
            Merchant, ManageAccess, json(SMALL) as api::key::KeyRequest
            => 201 Json(answer::operator::KeyAdded);
        /// List the keys of the merchant.
        ListOwnKeys = GET "/b/access/v1/keys/", "list_own_keys",
            Merchant, ManageAccess, nothing() => 200 Json(Vec<answer::operator::KeyShown>);
        /// Revoke a key of the merchant.
        RevokeOwnKey(prefix: String) = DELETE "/b/access/v1/keys/{}/", "revoke_own_key",
            Merchant, ManageAccess, nothing() => 204 Empty;
        /// List the roles of users.
        ListRoles = GET "/b/access/v1/roles/", "list_roles",
            Merchant, ManageAccess, nothing() => 200 Json(Vec<answer::operator::RoleShown>);
        /// Make a user of the merchant.
        AddOwnUser = POST "/b/access/v1/users/", "add_own_user",
            Merchant, ManageAccess, json(SMALL) as api::user::UserRequest
            => 201 Json(answer::operator::UserShown);
        /// List the users of the merchant.
        ListOwnUsers = GET "/b/access/v1/users/", "list_own_users",
            Merchant, ManageAccess, nothing() => 200 Json(Vec<answer::operator::UserShown>);
        /// Read a user of the merchant.
        ReadOwnUser(user: UserId) = GET "/b/access/v1/users/{}/", "read_own_user",
            Merchant, ManageAccess, nothing() => 200 Json(answer::operator::UserShown);
        /// Change a user of the merchant.
        ChangeOwnUser(user: UserId) = PATCH "/b/access/v1/users/{}/", "change_own_user",
            Merchant, ManageAccess, json(SMALL) as api::user::UserRequest
            => 200 Json(answer::operator::UserShown);
        /// Invite a user of the merchant.
        InviteOwnUser(user: UserId) = POST "/b/access/v1/users/{}/invite/", "invite_own_user",
            Merchant, ManageAccess, nothing() => 200 Json(answer::operator::UserInvited);
        /// Remove the second factor of a user of the merchant.
        ResetOwnFactor(user: UserId) = POST "/b/access/v1/users/{}/reset-factor/", "reset_own_factor",
            Merchant, ManageAccess, nothing() => 204 Empty;
        /// Rotate the merchant's webhook secret.
        AddOwnWebhookSecret = POST "/b/access/v1/webhook-secrets/", "add_own_webhook_secret",
            Merchant, ManageMerchant, nothing() => 201 Json(answer::administration::WebhookSecretAdded);
        /// Drop the merchant's previous webhook secret.
        DropOwnWebhookSecret = DELETE "/b/access/v1/webhook-secrets/previous/", "drop_own_webhook_secret",
            Merchant, ManageMerchant, nothing() => 204 Empty;
        /// Replace the merchant's key of signatures in bodies.
        ReplaceOwnSignatureKey = POST "/b/access/v1/signature-keys/", "replace_own_signature_key",
            Merchant, ManageMerchant, json(SMALL) as api::signature_key::SignatureKeyRequest
            => 201 Json(answer::administration::SignatureKeyAdded);
        /// Read the merchant's webhook addresses.
        ReadOwnWebhookAddresses = GET "/b/access/v1/webhook-addresses/", "read_own_webhook_addresses",
            Merchant, ManageAccess, nothing() => 200 Json(answer::administration::WebhookAddresses);
        /// Change the merchant's webhook addresses.
        ChangeOwnWebhookAddresses = PATCH "/b/access/v1/webhook-addresses/", "change_own_webhook_addresses",
            Merchant, ManageMerchant, json(SMALL) as api::webhook_addresses::WebhookAddressesRequest
            => 200 Json(answer::administration::WebhookAddresses);
        /// List the merchant's webhook deliveries.
        ReadOwnDeliveries = GET "/b/access/v1/deliveries/", "read_own_deliveries",
            Merchant, List, nothing(), query DELIVERIES => 200 Json(answer::delivery::DeliveryPage);
        /// Read a webhook delivery with every try.
        ReadOwnDelivery(id: DeliveryId) = GET "/b/access/v1/deliveries/{}/", "read_own_delivery",
            Merchant, List, nothing() => 200 Json(answer::delivery::DeliveryRead);
        /// List the merchant's messages to payers.
        ReadOwnMessages = GET "/b/access/v1/messages/", "read_own_messages",
            Merchant, List, nothing(), query MESSAGES => 200 Json(answer::message::MessagePage);
        /// Send webhooks of the merchant again.
        ResendOwnDeliveries = POST "/b/access/v1/resend/", "resend_own_deliveries",
            Merchant, Inquire, json(SMALL) as api::resend::ResendRequest
            => 200 Json(answer::delivery::DeliveriesResent);
        /// List the merchant's receivers that fail or are disabled.
        ListOwnReceivers = GET "/b/access/v1/receivers/", "list_own_receivers",
            Merchant, ManageAccess, nothing() => 200 Json(Vec<answer::delivery::ReceiverShown>);
        /// Enable a receiver of the merchant again.
        EnableOwnReceiver = POST "/b/access/v1/receivers/enable/", "enable_own_receiver",
            Merchant, ManageMerchant, json(SMALL) as api::receiver::NamedReceiver
            => 200 Json(answer::delivery::ReceiverEnabled);
        /// Send a test webhook.
        SendOwnTestWebhook = POST "/b/access/v1/test-webhooks/", "send_own_test_webhook",
            Merchant, ManageMerchant, json(SMALL) as api::receiver::TestWebhook
            => 200 Json(answer::delivery::TestWebhookSent);
        /// Upload an image of the merchant.
        UploadOwnImage = POST "/b/access/v1/images/", "upload_own_image",
            Merchant, ManageMerchant, bytes(IMAGE) => 201 Json(answer::administration::ImageShown);
        /// List the images of the merchant.
        ListOwnImages = GET "/b/access/v1/images/", "list_own_images",
            Merchant, ManageMerchant, nothing() => 200 Json(Vec<answer::administration::ImageShown>);
        /// Delete an image of the merchant.
        DeleteOwnImage(name: ImageName) = DELETE "/b/access/v1/images/{}/", "delete_own_image",
            Merchant, ManageMerchant, nothing() => 204 Empty;
        /// Read the merchant's brand.
        ReadOwnBrand = GET "/b/access/v1/brand/", "read_own_brand",
            Merchant, ManageMerchant, nothing() => 200 Json(answer::administration::BrandShown);
        /// Replace the merchant's brand.
        ReplaceOwnBrand = PUT "/b/access/v1/brand/", "replace_own_brand",
            Merchant, ManageMerchant, json(SMALL) as settings::brand::Brand
            => 200 Json(answer::administration::BrandShown);
        /// Preview the merchant's brand.
        PreviewOwnBrand = GET "/b/access/v1/brand/preview/", "preview_own_brand",
            Merchant, ManageMerchant, nothing(), query PREVIEW => 200 Html;
        /// Read the merchant's audit.
        ReadOwnAudit = GET "/b/access/v1/audit/", "read_own_audit",
            Merchant, ManageAccess, nothing(), query OWN_AUDIT => 200 Json(answer::administration::AuditPage);
        /// Erase a payer.
        Erase = POST "/b/checkout/v1/erase/", "erase",
            Merchant, ManageMerchant, json(SMALL) as api::erasure::ErasureRequest
            => 200 Json(answer::erasure::Erased);
        /// Pay with a saved card, from a page.
        SdkSubmitToken = POST "/b/checkout/api/sdk/v1/submit-token/", "sdk_submit_token",
            Page, UseSession, json(SMALL) as api::sdk::TokenRequest, from OfBody, waits Payer
            => 200 Json(sdk::callback::SdkCallback, sdk::payment::Challenge, sdk::payment::Submitted);
        /// Pay by Apple Pay, from a page.
        SdkPayByApplePay = POST "/b/checkout/api/sdk/v1/apay/pay/", "sdk_pay_by_apple_pay",
            Page, UseSession, json(WALLET) as api::wallet::PayRequest, from OfBody, waits Payer
            => 200 Json(sdk::payment::WalletAnswer, sdk::payment::Challenge);
        /// Pay by Google Pay, from a page.
        SdkPayByGooglePay = POST "/b/checkout/api/sdk/v1/gpay/pay/", "sdk_pay_by_google_pay",
            Page, UseSession, json(WALLET) as api::wallet::PayRequest, from OfBody, waits Payer
            => 200 Json(sdk::payment::WalletAnswer, sdk::payment::Challenge);
        /// Get an Apple Pay merchant session.
        SdkAppleSession = POST "/b/checkout/api/sdk/v1/apay/validate-session/", "sdk_apple_session",
            Page, UseSession, json(WALLET) as api::wallet::SessionRequest, from OfBody, waits Payer
            => 200 Json(Box<RawValue>);
        /// Delete a saved card, from a page.
        SdkDeleteCard(id: SessionId, token: String)
            = DELETE "/b/checkout/api/sdk/v1/card/{}/{}/", "sdk_delete_card",
            Page, UseSession, nothing(), from OfAddress => 204 Empty;
        /// Open the hosted checkout page.
        CheckoutPage = GET "/b/checkout/redirect/start/", "checkout_page",
            Payer, UseSession, nothing(), query PAGE => 200 Html | 303 Redirect;
        /// Pay from the hosted page.
        Pay = POST "/b/checkout/redirect/pay/", "pay",
            Payer, UseSession, form(PAGE) as api::pay::PayForm, waits Payer
            => 200 Json(sdk::payment::Redirection) | 303 Redirect;
        /// Read how far a payment is, from the hosted page.
        PayStatus(id: SessionId) = GET "/b/checkout/redirect/status/{}/", "pay_status",
            Page, UseSession, nothing() => 200 Json(sdk::payment::StatusAnswer);
        /// List the payment methods of a payment.
        SdkInit(id: SessionId) = GET "/b/checkout/api/sdk/v1/pymt-txn/submit/{}/", "sdk_init",
            Page, UseSession, nothing(), from OfAddress => 200 Json(sdk::session::CheckoutSdk);
        /// Report that the payer sees the payment methods.
        SdkConcur(id: SessionId) = GET "/b/checkout/api/sdk/v1/concur-payer-view/{}/", "sdk_concur",
            Page, UseSession, nothing(), from OfAddress => 200 Json(sdk::payment::MethodsSeen);
        /// Begin a payment, from a page.
        SdkSubmit(id: SessionId) = POST "/b/checkout/api/sdk/v1/submit/{}/", "sdk_submit",
            Page, UseSession, json(SMALL) as api::sdk::Submit, from OfAddress, waits Payer
            => 200 Json(sdk::payment::Submitted);
        /// Ask whether a method takes a payment.
        SdkCheckOption(id: SessionId)
            = POST "/b/checkout/api/sdk/v1/pre-payment-option-check/{}/", "sdk_check_option",
            Page, UseSession, json(SMALL) as api::sdk::OptionCheck, from OfAddress, waits Payer
            => 200 Json(sdk::flexible::OptionAnswer);
        /// Cancel a payment, from a page.
        SdkCancel(id: SessionId) = POST "/b/checkout/api/sdk/v1/cancel/{}/", "sdk_cancel",
            Page, UseSession, json(SMALL) as api::sdk::Cancel, from OfAddress, waits Payer
            => 200 Json(sdk::callback::SdkCallback);
        /// Return from the gateway, with the token of the attempt.
        GatewayReturn(reference: ReferenceNumber, token: Option<ReturnToken>)
            = GET | POST "/b/gw/v1/return/{}/{}/", "gateway_return",
            Payer, Anything, bytes(CALLBACK), waits PayerForReceiver => 303 Redirect;
        /// Return from the gateway without a token: there is nothing to see.
        GatewayReturnBare(reference: ReferenceNumber) = GET | POST "/b/gw/v1/return/{}/", "gateway_return",
            Payer, Anything, bytes(CALLBACK), waits PayerForReceiver => 303 Redirect;
        /// Go on to a gateway's page that takes a form.
        GatewayForward(reference: ReferenceNumber, token: Option<ReturnToken>)
            = GET "/b/gw/v1/forward/{}/{}/", "gateway_forward",
            Payer, Anything, nothing() => 200 Html | 303 Redirect;
        /// Report a charge or an operation, as a gateway.
        GatewayCallback(reference: ReferenceNumber) = GET | POST "/b/gw/v1/callback/{}/", "gateway_callback",
            Gateway, Anything, bytes(CALLBACK) => 200 OfGateway | 303 Redirect;
        /// Report any charge of an account, as a gateway.
        AccountCallback(merchant: MerchantId, code: PgCode)
            = POST "/b/gw/v1/account/{}/{}/", "account_callback",
            Gateway, Anything, bytes(CALLBACK) => 200 OfGateway;
        /// Report what became of messages, as a provider.
        MessageReport(merchant: MerchantId, channel: Channel)
            = GET | POST "/b/gw/v1/messages/{}/{}/", "message_report",
            Gateway, Anything, bytes(CALLBACK) => 200 OfGateway;
        /// Report that the page's policy was broken, as a browser.
        PolicyReport = POST "/b/checkout/reports/", "policy_report",
            Page, Anything, bytes(SMALL) => 204 Empty;
        /// Download a signed receipt.
        Receipt(id: SessionId) = GET "/b/checkout/receipt/{}/", "receipt",
            Public, Anything, nothing() => 200 Jose;
        /// Download the code of a receipt.
        ReceiptCode(id: SessionId) = GET "/b/checkout/receipt/{}/code.svg", "receipt_code",
            Public, Anything, nothing() => 200 Image;
        /// List the public keys of receipts and webhooks.
        PublicKeys = GET "/.well-known/jwks.json", "public_keys",
            Public, Anything, nothing(), query KEYS => 200 KeySet;
        /// Explain a problem code.
        Problem(code: String) = GET "/b/problems/{}/", "problem",
            Public, Anything, nothing() => 200 Html;
        /// Get a token.
        GiveToken = POST "/b/auth/v1/token/", "give_token",
            Public, Anything, form(SMALL) as api::token::TokenForm, refusals OfTokens
            => 200 Json(answer::oauth::TokenGiven);
        /// Check the health.
        Health = GET "/healthz", "health",
            Public, Anything, nothing() => 200 Json(answer::health::HealthAnswer);
    } };
}
routes!(endpoints);
