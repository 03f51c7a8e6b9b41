//! Every address of the API and of the page, in one table that is read in both directions.
//!
//! Each address answers with and without its trailing slash; a wrong method gets 405 with `Allow`.

use alloc::string::String;
use alloc::vec::Vec;

use crate::change::AttentionId;
use crate::id::{MerchantId, ReferenceNumber, SessionId};

/// One operation on one address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Route {
    /// Create a payment transaction.
    CreateTransaction,
    /// List payment transactions.
    ListTransactions,
    /// Retrieve a payment transaction.
    RetrieveTransaction(SessionId),
    /// Replace what a merchant said of a payment transaction.
    ReplaceTransaction(SessionId),
    /// Change some of it.
    PatchTransaction(SessionId),
    /// List the merchant's payment methods.
    ListMethods,
    /// The hosted checkout page.
    CheckoutPage,
    /// The payer chose a method.
    Pay,
    /// The page asks how far the payment is.
    PayStatus(SessionId),
    /// The payer's browser comes back from the gateway.
    GatewayReturn(ReferenceNumber),
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
    /// The operator resolves an entry of the attention list.
    ResolveAttention(AttentionId),
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

/// `{}` stands for one segment.
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
        path: "/b/pbl/v2/payment-methods/",
        allow: "POST",
        methods: &[("POST", |_| Some(Route::ListMethods))],
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
        path: "/b/gw/v1/return/{}/",
        allow: "GET, POST",
        methods: &[
            ("GET", |s| reference(s).map(Route::GatewayReturn)),
            ("POST", |s| reference(s).map(Route::GatewayReturn)),
        ],
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
        path: "/b/operator/v1/merchants/",
        allow: "POST",
        methods: &[("POST", |_| Some(Route::AddMerchant))],
    },
    Entry {
        path: "/b/operator/v1/merchants/{}/",
        allow: "GET",
        methods: &[("GET", |s| merchant(s).map(Route::ReadMerchant))],
    },
    Entry {
        path: "/b/operator/v1/merchants/{}/settings/",
        allow: "PUT",
        methods: &[("PUT", |s| merchant(s).map(Route::ReplaceSettings))],
    },
    Entry {
        path: "/b/operator/v1/merchants/{}/keys/",
        allow: "GET, POST",
        methods: &[
            ("GET", |s| merchant(s).map(Route::ListKeys)),
            ("POST", |s| merchant(s).map(Route::AddKey)),
        ],
    },
    Entry {
        path: "/b/operator/v1/merchants/{}/keys/{}/",
        allow: "DELETE",
        methods: &[("DELETE", |s| Some(Route::RevokeKey(merchant(s)?, (*s.get(1)?).into())))],
    },
    Entry {
        path: "/b/operator/v1/attention/",
        allow: "GET",
        methods: &[("GET", |_| Some(Route::ListAttention))],
    },
    Entry {
        path: "/b/operator/v1/attention/{}/resolve/",
        allow: "POST",
        methods: &[("POST", |s| AttentionId::parse(s.first()?).map(Route::ResolveAttention))],
    },
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
    for entry in TABLE {
        let Some(segments) = segments(entry.path, path) else { continue };
        let Some((_, build)) = entry.methods.iter().find(|(known, _)| *known == method) else {
            return Match::WrongMethod { allow: entry.allow };
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

fn reference(segments: &[&str]) -> Option<ReferenceNumber> {
    ReferenceNumber::parse(segments.first()?)
}

fn merchant(segments: &[&str]) -> Option<MerchantId> {
    MerchantId::parse(segments.first()?)
}

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
            Self::ListMethods => "list_methods",
            Self::CheckoutPage => "checkout_page",
            Self::Pay => "pay",
            Self::PayStatus(_) => "pay_status",
            Self::GatewayReturn(_) => "gateway_return",
            Self::GatewayCallback(_) => "gateway_callback",
            Self::PolicyReport => "policy_report",
            Self::AddMerchant => "add_merchant",
            Self::ReadMerchant(_) => "read_merchant",
            Self::ReplaceSettings(_) => "replace_settings",
            Self::AddKey(_) => "add_key",
            Self::ListKeys(_) => "list_keys",
            Self::RevokeKey(..) => "revoke_key",
            Self::ListAttention => "list_attention",
            Self::ResolveAttention(_) => "resolve_attention",
            Self::Problem(_) => "problem",
            Self::Health => "health",
        }
    }

    /// The path of the address, with its trailing slash.
    #[must_use]
    pub fn path(&self) -> String {
        match self {
            Self::CreateTransaction | Self::ListTransactions => "/b/checkout/v1/pymt-txn/".into(),
            Self::RetrieveTransaction(id) | Self::ReplaceTransaction(id) | Self::PatchTransaction(id) => {
                alloc::format!("/b/checkout/v1/pymt-txn/{id}/")
            }
            Self::ListMethods => "/b/pbl/v2/payment-methods/".into(),
            Self::CheckoutPage => "/b/checkout/redirect/start/".into(),
            Self::Pay => "/b/checkout/redirect/pay/".into(),
            Self::PayStatus(id) => alloc::format!("/b/checkout/redirect/status/{id}/"),
            Self::GatewayReturn(reference) => alloc::format!("/b/gw/v1/return/{reference}/"),
            Self::GatewayCallback(reference) => alloc::format!("/b/gw/v1/callback/{reference}/"),
            Self::PolicyReport => "/b/checkout/reports/".into(),
            Self::AddMerchant => "/b/operator/v1/merchants/".into(),
            Self::ReadMerchant(id) => alloc::format!("/b/operator/v1/merchants/{id}/"),
            Self::ReplaceSettings(id) => alloc::format!("/b/operator/v1/merchants/{id}/settings/"),
            Self::AddKey(id) | Self::ListKeys(id) => alloc::format!("/b/operator/v1/merchants/{id}/keys/"),
            Self::RevokeKey(id, prefix) => alloc::format!("/b/operator/v1/merchants/{id}/keys/{prefix}/"),
            Self::ListAttention => "/b/operator/v1/attention/".into(),
            Self::ResolveAttention(id) => alloc::format!("/b/operator/v1/attention/{id}/resolve/"),
            Self::Problem(code) => alloc::format!("/b/problems/{code}/"),
            Self::Health => "/healthz".into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn every_route() -> Vec<(&'static str, Route)> {
        let session = SessionId::generate(0, [7; 19]);
        let reference = ReferenceNumber::generate("", [3; 8]);
        let merchant = MerchantId::parse("demo").unwrap();
        let entry = AttentionId::parse(&alloc::format!("{reference}.late_success")).unwrap();
        alloc::vec![
            ("POST", Route::CreateTransaction),
            ("GET", Route::ListTransactions),
            ("GET", Route::RetrieveTransaction(session.clone())),
            ("PUT", Route::ReplaceTransaction(session.clone())),
            ("PATCH", Route::PatchTransaction(session.clone())),
            ("POST", Route::ListMethods),
            ("GET", Route::CheckoutPage),
            ("POST", Route::Pay),
            ("GET", Route::PayStatus(session)),
            ("GET", Route::GatewayReturn(reference.clone())),
            ("POST", Route::GatewayCallback(reference)),
            ("POST", Route::PolicyReport),
            ("POST", Route::AddMerchant),
            ("GET", Route::ReadMerchant(merchant.clone())),
            ("PUT", Route::ReplaceSettings(merchant.clone())),
            ("POST", Route::AddKey(merchant.clone())),
            ("GET", Route::ListKeys(merchant.clone())),
            ("DELETE", Route::RevokeKey(merchant, "abcdefgh".into())),
            ("GET", Route::ListAttention),
            ("POST", Route::ResolveAttention(entry)),
            ("GET", Route::Problem("not_found".into())),
            ("GET", Route::Health),
        ]
    }

    #[test]
    fn every_route_is_found_at_its_own_path_with_and_without_a_trailing_slash() {
        for (method, route) in every_route() {
            let path = route.path();
            assert_eq!(find(method, &path), Match::Route(route.clone()), "{path}");
            assert_eq!(find(method, path.trim_end_matches('/')), Match::Route(route), "{path}");
        }
    }

    #[test]
    fn a_wrong_method_names_the_right_ones() {
        assert_eq!(find("PUT", "/b/checkout/v1/pymt-txn"), Match::WrongMethod { allow: "GET, POST" });
        assert_eq!(find("BREW", "/healthz/"), Match::WrongMethod { allow: "GET" });
    }

    #[test]
    fn a_malformed_id_is_an_address_that_does_not_exist() {
        assert_eq!(find("GET", "/b/checkout/v1/pymt-txn/nonsense/"), Match::Nothing);
        assert_eq!(find("GET", "/b/checkout/v1/pymt-txn/a/b"), Match::Nothing);
        assert_eq!(find("GET", "/"), Match::Nothing);
    }
}
