//! The table of endpoints, each declared once. Handlers, `Allow`, calls from other origins, the operator's log and the
//! tests that visit every endpoint read it.

use alloc::string::String;
#[cfg(test)]
use alloc::vec::Vec;

use super::endpoint::{Audience, Body, Endpoint, Facts, Origins, endpoints, fill};
use super::segment::{QrCode, Segment};
use crate::record::attachment::AttachmentName;
use crate::record::attention::AttentionId;
use crate::record::return_token::ReturnToken;
use crate::record::short_link::ShortCode;
use crate::value::id::{MerchantId, ReferenceNumber, SessionId};
use crate::words::media_type::BodyType;

const NOTHING: Body = Body::Nothing;
const BYTES: Body = Body::Bytes;
const JSON: Body = Body::Typed(BodyType::Json);
const FORM: Body = Body::Typed(BodyType::Form);
const MULTIPART: Body = Body::Typed(BodyType::Multipart);
const RECORD: Body = Body::Typed(BodyType::Record);

endpoints! {
    /// One operation on one address.
    pub enum Route or Operator(OperatorRoute) {
        /// Create a payment transaction.
        CreateTransaction = POST "/b/checkout/v1/pymt-txn/", "create_transaction", Merchant, RECORD, Own;
        /// List payment transactions.
        ListTransactions = GET "/b/checkout/v1/pymt-txn/", "list_transactions", Merchant, NOTHING, Own;
        /// Retrieve a payment transaction.
        RetrieveTransaction(id: SessionId) = GET "/b/checkout/v1/pymt-txn/{}/", "retrieve_transaction", Merchant, NOTHING, Own;
        /// Replace what a merchant said of a payment transaction.
        ReplaceTransaction(id: SessionId) = PUT "/b/checkout/v1/pymt-txn/{}/", "replace_transaction", Merchant, RECORD, Own;
        /// Change some of it.
        PatchTransaction(id: SessionId) = PATCH "/b/checkout/v1/pymt-txn/{}/", "patch_transaction", Merchant, RECORD, Own;
        /// Upload an attachment.
        UploadAttachment = POST "/b/checkout/v1/upload-attachment/", "upload_attachment", Merchant, MULTIPART, Own;
        /// Download an attachment.
        DownloadAttachment(name: AttachmentName) = GET "/media/payment_transactions/attachments/{}", "download_attachment", Payer, NOTHING, Own;
        /// A short address.
        ShortLink(code: ShortCode) = GET "/b/{}", "short_link", Payer, NOTHING, Own;
        /// The QR code of the checkout page.
        DrawQrCode(picture: QrCode) = GET "/b/checkout/qr/{}", "qr_code", Public, NOTHING, Own;
        /// List the merchant's payment methods.
        ListMethods = POST "/b/pbl/v2/payment-methods/", "list_methods", Merchant, JSON, Own;
        /// Do something to a payment: capture, refund, void, cancel, expire, delete.
        Operate = POST "/b/pbl/v2/operation/", "operate", Merchant, JSON, Own;
        /// List a customer's saved cards.
        ListCards = POST "/b/pbl/v2/card/", "list_cards", Merchant, JSON, Own;
        /// Delete one, by its token.
        DeleteCard(token: String) = DELETE "/b/pbl/v2/card/{}/", "delete_card", Merchant, NOTHING, Own;
        /// Ask how far a payment is.
        Inquire = POST "/b/pbl/v2/inquiry/", "inquire", Merchant, JSON, Own;
        /// Pay by Apple Pay.
        PayByApplePay = POST "/b/pbl/v2/payment/apple-pay/", "pay_by_apple_pay", Merchant, JSON, OfBody;
        /// Pay by Google Pay.
        PayByGooglePay = POST "/b/pbl/v2/payment/google-pay/", "pay_by_google_pay", Merchant, JSON, OfBody;
        /// Acknowledge a payment in cash.
        PayInCash = POST "/b/pbl/v2/payment/cash/" | "/b/pbl/v2/cash-payment/", "pay_in_cash", Merchant, JSON, Own;
        /// The merchant charges a saved card.
        AutoDebit = POST "/b/pbl/v2/payment/auto-debit/", "auto_debit", Merchant, JSON, Own;
        /// The same, answered as existing clients read it.
        OlderAutoDebit = POST "/b/pbl/v2/auto-debit/", "older_auto_debit", Merchant, JSON, Own;
        /// The payer pays with a saved card.
        SdkSubmitToken = POST "/b/checkout/api/sdk/v1/submit-token/", "sdk_submit_token", Page, JSON, OfBody;
        /// The payer pays by Apple Pay, on a page.
        SdkPayByApplePay = POST "/b/checkout/api/sdk/v1/apay/pay/", "sdk_pay_by_apple_pay", Page, JSON, OfBody;
        /// The payer pays by Google Pay, on a page.
        SdkPayByGooglePay = POST "/b/checkout/api/sdk/v1/gpay/pay/", "sdk_pay_by_google_pay", Page, JSON, OfBody;
        /// A sheet of Apple Pay asks for a merchant session.
        SdkAppleSession = POST "/b/checkout/api/sdk/v1/apay/validate-session/", "sdk_apple_session", Page, JSON, OfBody;
        /// The payer deletes a saved card, by its token.
        SdkDeleteCard(id: SessionId, token: String) = DELETE "/b/checkout/api/sdk/v1/card/{}/{}/", "sdk_delete_card", Page, NOTHING, OfAddress;
        /// The hosted checkout page.
        CheckoutPage = GET "/b/checkout/redirect/start/", "checkout_page", Payer, NOTHING, Own;
        /// The payer chose a method.
        Pay = POST "/b/checkout/redirect/pay/", "pay", Payer, FORM, Own;
        /// The page asks how far the payment is.
        PayStatus(id: SessionId) = GET "/b/checkout/redirect/status/{}/", "pay_status", Page, NOTHING, Own;
        /// A checkout SDK asks for the payment methods.
        SdkInit(id: SessionId) = GET "/b/checkout/api/sdk/v1/pymt-txn/submit/{}/", "sdk_init", Page, NOTHING, OfAddress;
        /// A checkout SDK says that the payer sees them.
        SdkConcur(id: SessionId) = GET "/b/checkout/api/sdk/v1/concur-payer-view/{}/", "sdk_concur", Page, NOTHING, OfAddress;
        /// A checkout SDK begins a payment.
        SdkSubmit(id: SessionId) = POST "/b/checkout/api/sdk/v1/submit/{}/", "sdk_submit", Page, JSON, OfAddress;
        /// A checkout SDK cancels the transaction.
        SdkCancel(id: SessionId) = POST "/b/checkout/api/sdk/v1/cancel/{}/", "sdk_cancel", Page, JSON, OfAddress;
        /// The payer's browser comes back from the gateway, with the token of the attempt.
        GatewayReturn(reference: ReferenceNumber, token: Option<ReturnToken>) = GET | POST "/b/gw/v1/return/{}/{}/", "gateway_return", Payer, NOTHING, Own;
        /// The same without a token: there is nothing to see.
        GatewayReturnBare(reference: ReferenceNumber) = GET | POST "/b/gw/v1/return/{}/", "gateway_return", Payer, NOTHING, Own;
        /// The gateway reports by itself.
        GatewayCallback(reference: ReferenceNumber) = POST "/b/gw/v1/callback/{}/", "gateway_callback", Gateway, BYTES, Own;
        /// A browser reports that the page's policy was broken.
        PolicyReport = POST "/b/checkout/reports/", "policy_report", Page, BYTES, Own;
        /// The signed receipt of a payment transaction.
        Receipt(id: SessionId) = GET "/b/checkout/receipt/{}/", "receipt", Public, NOTHING, Own;
        /// The public keys by which receipts are checked.
        PublicKeys = GET "/.well-known/jwks.json", "public_keys", Public, NOTHING, Own;
        /// The page of a problem code.
        Problem(code: String) = GET "/b/problems/{}/", "problem", Public, NOTHING, Own;
        /// Whether the Worker answers, and its version.
        Health = GET "/healthz", "health", Public, NOTHING, Own;
    }
}

endpoints! {
    /// One operation of the operator.
    pub enum OperatorRoute {
        /// Make a merchant.
        AddMerchant = POST "/b/operator/v1/merchants/", "add_merchant", Operator, JSON, Own;
        /// Read a merchant.
        ReadMerchant(id: MerchantId) = GET "/b/operator/v1/merchants/{}/", "read_merchant", Operator, NOTHING, Own;
        /// Replace a merchant's settings.
        ReplaceSettings(id: MerchantId) = PUT "/b/operator/v1/merchants/{}/settings/", "replace_settings", Operator, JSON, Own;
        /// Make a key.
        AddKey(id: MerchantId) = POST "/b/operator/v1/merchants/{}/keys/", "add_key", Operator, JSON, Own;
        /// List keys.
        ListKeys(id: MerchantId) = GET "/b/operator/v1/merchants/{}/keys/", "list_keys", Operator, NOTHING, Own;
        /// Revoke a key, by its prefix.
        RevokeKey(id: MerchantId, prefix: String) = DELETE "/b/operator/v1/merchants/{}/keys/{}/", "revoke_key", Operator, NOTHING, Own;
        /// Read a merchant's test clock.
        ReadClock(id: MerchantId) = GET "/b/operator/v1/merchants/{}/clock/", "read_clock", Operator, NOTHING, Own;
        /// Move a merchant's test clock.
        MoveClock(id: MerchantId) = POST "/b/operator/v1/merchants/{}/clock/", "move_clock", Operator, JSON, Own;
        /// Read how far a merchant's payments were compared with its gateways' lists.
        ListReconciliations(id: MerchantId) = GET "/b/operator/v1/merchants/{}/reconciliations/", "list_reconciliations", Operator, NOTHING, Own;
        /// Have them compared again.
        ReconcileAgain(id: MerchantId) = POST "/b/operator/v1/merchants/{}/reconciliations/", "reconcile_again", Operator, JSON, Own;
        /// Read the attention list.
        ListAttention = GET "/b/operator/v1/attention/", "list_attention", Operator, NOTHING, Own;
        /// Resolve an entry of the attention list.
        ResolveAttention(id: AttentionId) = POST "/b/operator/v1/attention/{}/resolve/", "resolve_attention", Operator, JSON, Own;
        /// Show a deleted transaction again.
        RestoreTransaction(id: SessionId) = POST "/b/operator/v1/transactions/{}/restore/", "restore_transaction", Operator, NOTHING, Own;
    }
}
