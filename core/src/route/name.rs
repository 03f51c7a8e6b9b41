//! The name of a route in the operator's log.

use super::Route;
use crate::words::Wallet;

impl Route {
    /// A stable word for the operator's log.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::CreateTransaction => "create_transaction",
            Self::ListTransactions => "list_transactions",
            Self::RetrieveTransaction(_) => "retrieve_transaction",
            Self::ReplaceTransaction(_) => "replace_transaction",
            Self::PatchTransaction(_) => "patch_transaction",
            Self::UploadAttachment => "upload_attachment",
            Self::DownloadAttachment(_) => "download_attachment",
            Self::ShortLink(_) => "short_link",
            Self::QrCode(..) => "qr_code",
            Self::ListMethods => "list_methods",
            Self::PayByWallet(Wallet::ApplePay) => "pay_by_apple_pay",
            Self::PayByWallet(Wallet::GooglePay) => "pay_by_google_pay",
            Self::PayInCash => "pay_in_cash",
            Self::Operate => "operate",
            Self::ListCards => "list_cards",
            Self::DeleteCard(_) => "delete_card",
            Self::AutoDebit => "auto_debit",
            Self::OlderAutoDebit => "older_auto_debit",
            Self::SdkSubmitToken => "sdk_submit_token",
            Self::SdkPayByWallet(Wallet::ApplePay) => "sdk_pay_by_apple_pay",
            Self::SdkPayByWallet(Wallet::GooglePay) => "sdk_pay_by_google_pay",
            Self::SdkAppleSession => "sdk_apple_session",
            Self::SdkDeleteCard(..) => "sdk_delete_card",
            Self::Inquire => "inquire",
            Self::CheckoutPage => "checkout_page",
            Self::Pay => "pay",
            Self::PayStatus(_) => "pay_status",
            Self::SdkInit(_) => "sdk_init",
            Self::SdkConcur(_) => "sdk_concur",
            Self::SdkSubmit(_) => "sdk_submit",
            Self::SdkCancel(_) => "sdk_cancel",
            Self::GatewayReturn(..) => "gateway_return",
            Self::GatewayCallback(_) => "gateway_callback",
            Self::PolicyReport => "policy_report",
            Self::AddMerchant => "add_merchant",
            Self::ReadMerchant(_) => "read_merchant",
            Self::ReplaceSettings(_) => "replace_settings",
            Self::AddKey(_) => "add_key",
            Self::ListKeys(_) => "list_keys",
            Self::RevokeKey(..) => "revoke_key",
            Self::ReadClock(_) => "read_clock",
            Self::MoveClock(_) => "move_clock",
            Self::ListReconciliations(_) => "list_reconciliations",
            Self::ReconcileAgain(_) => "reconcile_again",
            Self::ListAttention => "list_attention",
            Self::RestoreTransaction(_) => "restore_transaction",
            Self::ResolveAttention(_) => "resolve_attention",
            Self::Receipt(_) => "receipt",
            Self::PublicKeys => "public_keys",
            Self::Problem(_) => "problem",
            Self::Health => "health",
        }
    }
}
