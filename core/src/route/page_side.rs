//! The page's side of the API: what browsers may call from pages of the merchant (rulings 21).

use super::{Match, Route, find};
use crate::value::id::SessionId;

/// Which transaction's page side an address is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PageSide {
    /// That of the transaction that the address names.
    Of(SessionId),
    /// That of the transaction that the body names.
    InBody,
}

/// Whose page side a browser wants to call, by the address that a preflight request names: whatever the
/// method, because a browser asks again for none that it was not permitted.
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
    /// The transaction of a call that browsers may make from pages of the merchant (rulings 21); `None` for all others.
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
