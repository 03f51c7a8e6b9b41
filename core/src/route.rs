//! Every address of the API and of the page, in one table that is read in both directions.
//!
//! Each address answers with and without its trailing slash; a wrong method gets 405 with `Allow`.

mod image;
mod name;
mod operator;
mod page_side;
mod path;

use alloc::string::String;
use alloc::vec::Vec;

use crate::record::attachment::AttachmentName;
use crate::record::attention::AttentionId;
use crate::record::return_token::ReturnToken;
use crate::record::short_link::ShortCode;
use crate::value::id::{MerchantId, ReferenceNumber, SessionId};
use crate::words::Wallet;

pub use image::ImageFormat;
pub use page_side::{PageSide, find_page_side};

/// One operation on one address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Route {
    /// Create a payment transaction.
    CreateTransaction,
    /// List payment transactions.
    ListTransactions,
    /// Retrieve a payment transaction.
    RetrieveTransaction(SessionId),
    /// Replace what a merchant said about a payment transaction.
    ReplaceTransaction(SessionId),
    /// Change some of it.
    PatchTransaction(SessionId),
    /// Upload an attachment.
    UploadAttachment,
    /// Download an attachment.
    DownloadAttachment(AttachmentName),
    /// A short address.
    ShortLink(ShortCode),
    /// The QR code of the checkout page.
    QrCode(SessionId, ImageFormat),
    /// List the merchant's payment methods.
    ListMethods,
    /// Do something to a payment: capture, refund, void, cancel, expire, delete.
    Operate,
    /// List a customer's saved cards.
    ListCards,
    /// Delete one, by its token.
    DeleteCard(String),
    /// Ask about the state of a payment.
    Inquire,
    /// Pay by device wallet.
    PayByWallet(Wallet),
    /// Acknowledge a payment in cash.
    PayInCash,
    /// The merchant charges a saved card.
    AutoDebit,
    /// The same, answered in the form that existing clients read.
    OlderAutoDebit,
    /// The payer pays with a saved card.
    SdkSubmitToken,
    /// The payer pays by device wallet, on a page.
    SdkPayByWallet(Wallet),
    /// A sheet of Apple Pay asks for a merchant session.
    SdkAppleSession,
    /// The payer deletes a saved card, by its token.
    SdkDeleteCard(SessionId, String),
    /// The hosted checkout page.
    CheckoutPage,
    /// The payer chose a method.
    Pay,
    /// The page asks about the state of the payment.
    PayStatus(SessionId),
    /// A checkout SDK asks for the payment methods.
    SdkInit(SessionId),
    /// A checkout SDK says that the payer sees them.
    SdkConcur(SessionId),
    /// A checkout SDK begins a payment.
    SdkSubmit(SessionId),
    /// A checkout SDK cancels the transaction.
    SdkCancel(SessionId),
    /// The payer's browser comes back from the gateway, with the token of the attempt; without the token
    /// nothing is shown.
    GatewayReturn(ReferenceNumber, Option<ReturnToken>),
    /// The gateway reports by itself.
    GatewayCallback(ReferenceNumber),
    /// A browser reports that the page's policy was broken.
    PolicyReport,
    /// The operator makes a merchant.
    AddMerchant,
    /// The operator reads a merchant.
    ReadMerchant(MerchantId),
    /// The operator replaces a merchant's settings.
    ReplaceSettings(MerchantId),
    /// The operator makes a key.
    AddKey(MerchantId),
    /// The operator lists keys.
    ListKeys(MerchantId),
    /// The operator revokes a key, by its prefix.
    RevokeKey(MerchantId, String),
    /// The operator reads the attention list.
    ListAttention,
    /// The operator shows a deleted transaction again.
    RestoreTransaction(SessionId),
    /// The operator reads a merchant's test clock.
    ReadClock(MerchantId),
    /// The operator moves a merchant's test clock.
    MoveClock(MerchantId),
    /// The operator reads how far a merchant's payments were compared with the lists of its gateways.
    ListReconciliations(MerchantId),
    /// The operator has them compared again.
    ReconcileAgain(MerchantId),
    /// The operator resolves an entry of the attention list.
    ResolveAttention(AttentionId),
    /// The signed receipt of a payment transaction.
    Receipt(SessionId),
    /// The public keys with which receipts are checked.
    PublicKeys,
    /// The page of a problem code.
    Problem(String),
    /// Whether the Worker answers, and its version.
    Health,
}

/// What an address and a method mean.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Match {
    /// This operation.
    Route(Route),
    /// The address answers only these methods.
    WrongMethod {
        /// For the header `Allow`.
        allow: &'static str,
    },
    /// There is no such address.
    Nothing,
}

type Build = fn(&[&str]) -> Option<Route>;

struct Entry {
    path: &'static str,
    allow: &'static str,
    methods: &'static [(&'static str, Build)],
}

/// `{}` matches one segment.
const TABLE: &[Entry] = &[
    Entry {
        path: "/b/checkout/v1/pymt-txn/",
        allow: "GET, POST",
        methods: &[("GET", |_| Some(Route::ListTransactions)), ("POST", |_| Some(Route::CreateTransaction))],
    },
    Entry {
        path: "/b/checkout/v1/pymt-txn/{}/",
        allow: "GET, PUT, PATCH",
        methods: &[
            ("GET", |s| session(s).map(Route::RetrieveTransaction)),
            ("PUT", |s| session(s).map(Route::ReplaceTransaction)),
            ("PATCH", |s| session(s).map(Route::PatchTransaction)),
        ],
    },
    Entry {
        path: "/b/checkout/v1/upload-attachment/",
        allow: "POST",
        methods: &[("POST", |_| Some(Route::UploadAttachment))],
    },
    Entry {
        path: "/media/payment_transactions/attachments/{}",
        allow: "GET",
        methods: &[("GET", |s| AttachmentName::parse(s.first()?).map(Route::DownloadAttachment))],
    },
    Entry {
        path: "/b/{}/",
        allow: "GET",
        methods: &[("GET", |s| ShortCode::parse(s.first()?).map(Route::ShortLink))],
    },
    Entry { path: "/b/checkout/qr/{}", allow: "GET", methods: &[("GET", qr_code)] },
    Entry {
        path: "/b/pbl/v2/payment-methods/",
        allow: "POST",
        methods: &[("POST", |_| Some(Route::ListMethods))],
    },
    Entry { path: "/b/pbl/v2/operation/", allow: "POST", methods: &[("POST", |_| Some(Route::Operate))] },
    Entry { path: "/b/pbl/v2/card/", allow: "POST", methods: &[("POST", |_| Some(Route::ListCards))] },
    Entry {
        path: "/b/pbl/v2/card/{}/",
        allow: "DELETE",
        methods: &[("DELETE", |s| s.first().map(|token| Route::DeleteCard((*token).into())))],
    },
    Entry { path: "/b/pbl/v2/inquiry/", allow: "POST", methods: &[("POST", |_| Some(Route::Inquire))] },
    Entry {
        path: "/b/pbl/v2/payment/apple-pay/",
        allow: "POST, OPTIONS",
        methods: &[("POST", |_| Some(Route::PayByWallet(Wallet::ApplePay)))],
    },
    Entry {
        path: "/b/pbl/v2/payment/google-pay/",
        allow: "POST, OPTIONS",
        methods: &[("POST", |_| Some(Route::PayByWallet(Wallet::GooglePay)))],
    },
    Entry {
        path: "/b/pbl/v2/payment/cash/",
        allow: "POST",
        methods: &[("POST", |_| Some(Route::PayInCash))],
    },
    Entry {
        path: "/b/pbl/v2/cash-payment/",
        allow: "POST",
        methods: &[("POST", |_| Some(Route::PayInCash))],
    },
    Entry {
        path: "/b/pbl/v2/payment/auto-debit/",
        allow: "POST",
        methods: &[("POST", |_| Some(Route::AutoDebit))],
    },
    Entry {
        path: "/b/pbl/v2/auto-debit/",
        allow: "POST",
        methods: &[("POST", |_| Some(Route::OlderAutoDebit))],
    },
    Entry {
        path: "/b/checkout/api/sdk/v1/submit-token/",
        allow: "POST, OPTIONS",
        methods: &[("POST", |_| Some(Route::SdkSubmitToken))],
    },
    Entry {
        path: "/b/checkout/api/sdk/v1/apay/pay/",
        allow: "POST, OPTIONS",
        methods: &[("POST", |_| Some(Route::SdkPayByWallet(Wallet::ApplePay)))],
    },
    Entry {
        path: "/b/checkout/api/sdk/v1/gpay/pay/",
        allow: "POST, OPTIONS",
        methods: &[("POST", |_| Some(Route::SdkPayByWallet(Wallet::GooglePay)))],
    },
    Entry {
        path: "/b/checkout/api/sdk/v1/apay/validate-session/",
        allow: "POST, OPTIONS",
        methods: &[("POST", |_| Some(Route::SdkAppleSession))],
    },
    Entry {
        path: "/b/checkout/api/sdk/v1/card/{}/{}/",
        allow: "DELETE, OPTIONS",
        methods: &[("DELETE", |s| Some(Route::SdkDeleteCard(session(s)?, (*s.get(1)?).into())))],
    },
    Entry {
        path: "/b/checkout/redirect/start/",
        allow: "GET",
        methods: &[("GET", |_| Some(Route::CheckoutPage))],
    },
    Entry { path: "/b/checkout/redirect/pay/", allow: "POST", methods: &[("POST", |_| Some(Route::Pay))] },
    Entry {
        path: "/b/checkout/redirect/status/{}/",
        allow: "GET",
        methods: &[("GET", |s| session(s).map(Route::PayStatus))],
    },
    Entry {
        path: "/b/checkout/api/sdk/v1/pymt-txn/submit/{}/",
        allow: "GET, OPTIONS",
        methods: &[("GET", |s| session(s).map(Route::SdkInit))],
    },
    Entry {
        path: "/b/checkout/api/sdk/v1/concur-payer-view/{}/",
        allow: "GET, OPTIONS",
        methods: &[("GET", |s| session(s).map(Route::SdkConcur))],
    },
    Entry {
        path: "/b/checkout/api/sdk/v1/submit/{}/",
        allow: "POST, OPTIONS",
        methods: &[("POST", |s| session(s).map(Route::SdkSubmit))],
    },
    Entry {
        path: "/b/checkout/api/sdk/v1/cancel/{}/",
        allow: "POST, OPTIONS",
        methods: &[("POST", |s| session(s).map(Route::SdkCancel))],
    },
    Entry {
        path: "/b/gw/v1/return/{}/",
        allow: "GET, POST",
        methods: &[("GET", gateway_return), ("POST", gateway_return)],
    },
    Entry {
        path: "/b/gw/v1/return/{}/{}/",
        allow: "GET, POST",
        methods: &[("GET", gateway_return), ("POST", gateway_return)],
    },
    Entry {
        path: "/b/gw/v1/callback/{}/",
        allow: "POST",
        methods: &[("POST", |s| reference(s).map(Route::GatewayCallback))],
    },
    Entry {
        path: "/b/checkout/reports/",
        allow: "POST",
        methods: &[("POST", |_| Some(Route::PolicyReport))],
    },
    Entry {
        path: "/b/checkout/receipt/{}/",
        allow: "GET",
        methods: &[("GET", |s| session(s).map(Route::Receipt))],
    },
    Entry { path: "/.well-known/jwks.json", allow: "GET", methods: &[("GET", |_| Some(Route::PublicKeys))] },
    Entry {
        path: "/b/problems/{}/",
        allow: "GET",
        methods: &[("GET", |s| s.first().map(|code| Route::Problem((*code).into())))],
    },
    Entry { path: "/healthz", allow: "GET", methods: &[("GET", |_| Some(Route::Health))] },
];

/// What `method` on `path` means. `HEAD` is read as `GET`.
#[must_use]
pub fn find(method: &str, path: &str) -> Match {
    let method = if method == "HEAD" { "GET" } else { method };
    let path = path.trim_end_matches('/');
    for entry in TABLE.iter().chain(operator::TABLE) {
        let Some(segments) = segments(entry.path, path) else { continue };
        let Some((_, build)) = entry.methods.iter().find(|(known, _)| *known == method) else {
            // An address whose parts are malformed does not exist, whatever the method.
            let exists = entry.methods.iter().any(|(_, build)| build(&segments).is_some());
            return if exists { Match::WrongMethod { allow: entry.allow } } else { Match::Nothing };
        };
        return build(&segments).map_or(Match::Nothing, Match::Route);
    }
    Match::Nothing
}

fn segments<'p>(pattern: &str, path: &'p str) -> Option<Vec<&'p str>> {
    let mut found = Vec::new();
    let mut actual = path.split('/');
    for expected in pattern.trim_end_matches('/').split('/') {
        let segment = actual.next()?;
        if expected == "{}" {
            found.push(segment);
        } else if expected != segment {
            return None;
        }
    }
    actual.next().is_none().then_some(found)
}

fn session(segments: &[&str]) -> Option<SessionId> {
    SessionId::parse(segments.first()?)
}

fn qr_code(segments: &[&str]) -> Option<Route> {
    let (session_id, ending) = segments.first()?.split_once('.')?;
    let format = [ImageFormat::Svg, ImageFormat::Png].into_iter().find(|format| format.as_str() == ending)?;
    Some(Route::QrCode(SessionId::parse(session_id)?, format))
}

/// A malformed token counts as none: an address that leads nowhere is answered in the same way, whatever is
/// wrong with it.
fn gateway_return(segments: &[&str]) -> Option<Route> {
    let token = segments.get(1).and_then(|text| ReturnToken::parse(text));
    Some(Route::GatewayReturn(reference(segments)?, token))
}

fn reference(segments: &[&str]) -> Option<ReferenceNumber> {
    ReferenceNumber::parse(segments.first()?)
}

#[cfg(test)]
mod tests;
