//! The page's side of the API: what browsers may call from pages of the merchant.

use super::{Match, Route, find};
use crate::value::id::SessionId;

/// How an address of the page's side names its transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PageSide {
    /// The address names it.
    Of(SessionId),
    /// The body names it.
    InBody,
}

/// How the address of a preflight request names its transaction: for any method, because a browser does not
/// send a request that was not permitted; `None` for an address that is not on the page's side.
#[must_use]
pub fn find_page_side(path: &str) -> Option<PageSide> {
    ["GET", "POST", "DELETE"].into_iter().find_map(|method| match find(method, path) {
        Match::Route(
            Route::PayByWallet(_) | Route::SdkSubmitToken | Route::SdkPayByWallet(_) | Route::SdkAppleSession,
        ) => Some(PageSide::InBody),
        Match::Route(route) => route.page_side().cloned().map(PageSide::Of),
        Match::WrongMethod { .. } | Match::Nothing => None,
    })
}

impl Route {
    /// The transaction of a call that browsers may make from pages of the merchant; `None` for all others.
    #[must_use]
    pub const fn page_side(&self) -> Option<&SessionId> {
        match self {
            Self::SdkInit(session_id)
            | Self::SdkConcur(session_id)
            | Self::SdkSubmit(session_id)
            | Self::SdkCancel(session_id)
            | Self::SdkDeleteCard(session_id, _) => Some(session_id),
            Self::CreateTransaction
            | Self::ListTransactions
            | Self::RetrieveTransaction(_)
            | Self::ReplaceTransaction(_)
            | Self::PatchTransaction(_)
            | Self::UploadAttachment
            | Self::DownloadAttachment(_)
            | Self::ShortLink(_)
            | Self::QrCode(..)
            | Self::ListMethods
            | Self::Operate
            | Self::ReadClock(_)
            | Self::MoveClock(_)
            | Self::Receipt(_)
            | Self::PublicKeys
            | Self::RestoreTransaction(_)
            | Self::ListCards
            | Self::DeleteCard(_)
            | Self::Inquire
            | Self::PayByWallet(_)
            | Self::PayInCash
            | Self::AutoDebit
            | Self::OlderAutoDebit
            | Self::SdkSubmitToken
            | Self::SdkPayByWallet(_)
            | Self::SdkAppleSession
            | Self::CheckoutPage
            | Self::Pay
            | Self::PayStatus(_)
            | Self::GatewayReturn(..)
            | Self::GatewayCallback(_)
            | Self::PolicyReport
            | Self::AddMerchant
            | Self::ReadMerchant(_)
            | Self::ReplaceSettings(_)
            | Self::AddKey(_)
            | Self::ListKeys(_)
            | Self::RevokeKey(..)
            | Self::ListReconciliations(_)
            | Self::ReconcileAgain(_)
            | Self::ListAttention
            | Self::ResolveAttention(_)
            | Self::Problem(_)
            | Self::Health => None,
        }
    }
}
