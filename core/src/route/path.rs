//! The address of a route: the other direction of the table.

use alloc::string::String;

use super::Route;
use crate::record::attachment::FOLDER;
use crate::words::Wallet;

impl Route {
    /// The path of the address, with its trailing slash.
    #[must_use]
    pub fn path(&self) -> String {
        match self {
            Self::CreateTransaction | Self::ListTransactions => "/b/checkout/v1/pymt-txn/".into(),
            Self::RetrieveTransaction(id) | Self::ReplaceTransaction(id) | Self::PatchTransaction(id) => {
                alloc::format!("/b/checkout/v1/pymt-txn/{id}/")
            }
            Self::UploadAttachment => "/b/checkout/v1/upload-attachment/".into(),
            Self::DownloadAttachment(name) => alloc::format!("/media/{FOLDER}{}", name.as_str()),
            Self::ShortLink(code) => alloc::format!("/b/{}", code.as_str()),
            Self::QrCode(id, format) => alloc::format!("/b/checkout/qr/{id}.{}", format.as_str()),
            Self::ListMethods => "/b/pbl/v2/payment-methods/".into(),
            Self::Operate => "/b/pbl/v2/operation/".into(),
            Self::ListCards => "/b/pbl/v2/card/".into(),
            Self::AutoDebit => "/b/pbl/v2/payment/auto-debit/".into(),
            Self::OlderAutoDebit => "/b/pbl/v2/auto-debit/".into(),
            Self::SdkSubmitToken => "/b/checkout/api/sdk/v1/submit-token/".into(),
            Self::SdkPayByWallet(Wallet::ApplePay) => "/b/checkout/api/sdk/v1/apay/pay/".into(),
            Self::SdkPayByWallet(Wallet::GooglePay) => "/b/checkout/api/sdk/v1/gpay/pay/".into(),
            Self::SdkAppleSession => "/b/checkout/api/sdk/v1/apay/validate-session/".into(),
            Self::SdkDeleteCard(id, token) => alloc::format!("/b/checkout/api/sdk/v1/card/{id}/{token}/"),
            Self::DeleteCard(token) => alloc::format!("/b/pbl/v2/card/{token}/"),
            Self::Inquire => "/b/pbl/v2/inquiry/".into(),
            Self::PayByWallet(Wallet::ApplePay) => "/b/pbl/v2/payment/apple-pay/".into(),
            Self::PayByWallet(Wallet::GooglePay) => "/b/pbl/v2/payment/google-pay/".into(),
            Self::PayInCash => "/b/pbl/v2/payment/cash/".into(),
            Self::CheckoutPage => "/b/checkout/redirect/start/".into(),
            Self::Pay => "/b/checkout/redirect/pay/".into(),
            Self::PayStatus(id) => alloc::format!("/b/checkout/redirect/status/{id}/"),
            Self::SdkInit(id) => alloc::format!("/b/checkout/api/sdk/v1/pymt-txn/submit/{id}/"),
            Self::SdkConcur(id) => alloc::format!("/b/checkout/api/sdk/v1/concur-payer-view/{id}/"),
            Self::SdkSubmit(id) => alloc::format!("/b/checkout/api/sdk/v1/submit/{id}/"),
            Self::SdkCancel(id) => alloc::format!("/b/checkout/api/sdk/v1/cancel/{id}/"),
            Self::GatewayReturn(reference, None) => alloc::format!("/b/gw/v1/return/{reference}/"),
            Self::GatewayReturn(reference, Some(token)) => {
                alloc::format!("/b/gw/v1/return/{reference}/{}/", token.as_str())
            }
            Self::GatewayCallback(reference) => alloc::format!("/b/gw/v1/callback/{reference}/"),
            Self::PolicyReport => "/b/checkout/reports/".into(),
            Self::AddMerchant => "/b/operator/v1/merchants/".into(),
            Self::ReadMerchant(id) => alloc::format!("/b/operator/v1/merchants/{id}/"),
            Self::ReplaceSettings(id) => alloc::format!("/b/operator/v1/merchants/{id}/settings/"),
            Self::AddKey(id) | Self::ListKeys(id) => alloc::format!("/b/operator/v1/merchants/{id}/keys/"),
            Self::RevokeKey(id, prefix) => alloc::format!("/b/operator/v1/merchants/{id}/keys/{prefix}/"),
            Self::ReadClock(id) | Self::MoveClock(id) => {
                alloc::format!("/b/operator/v1/merchants/{id}/clock/")
            }
            Self::ListReconciliations(id) | Self::ReconcileAgain(id) => {
                alloc::format!("/b/operator/v1/merchants/{id}/reconciliations/")
            }
            Self::ListAttention => "/b/operator/v1/attention/".into(),
            Self::RestoreTransaction(id) => alloc::format!("/b/operator/v1/transactions/{id}/restore/"),
            Self::ResolveAttention(id) => alloc::format!("/b/operator/v1/attention/{id}/resolve/"),
            Self::Receipt(id) => alloc::format!("/b/checkout/receipt/{id}/"),
            Self::PublicKeys => "/.well-known/jwks.json".into(),
            Self::Problem(code) => alloc::format!("/b/problems/{code}/"),
            Self::Health => "/healthz".into(),
        }
    }
}
