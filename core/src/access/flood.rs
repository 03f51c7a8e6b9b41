//! Which requests are counted before anything is looked up or hashed for them, and for whom: against floods, by limiters
//! of the platform that are cheap and not exact.
//!
//! Decisions: each credential counts for itself, as a hash of all of it, so that a stranger who knows the visible part of a
//! key uses up nothing of its holder's. The address counts for all that comes from there. What says or learns what became
//! of a payment is never refused: the state of a payment, the payer's return, callbacks and receipts.

use alloc::string::String;
use alloc::vec::Vec;

use super::header::Credential;
use super::key::KeyKind;
use crate::route::{EndpointAudience, EndpointFacts};
use crate::value::digest::digest;
use crate::value::id::SessionId;
use crate::value::network::Network;

/// Endpoints that are never refused, in addition to those of gateways.
const FREE: [&str; 7] =
    ["pay_status", "gateway_return", "gateway_forward", "receipt", "public_keys", "problem", "health"];

/// What a limiter of the platform counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gate {
    /// Requests with one credential.
    Caller,
    /// Requests from one network.
    Address,
    /// Requests about one payment transaction from the payer's side.
    Session,
}

impl Gate {
    /// The name of its binding.
    #[must_use]
    pub const fn binding(self) -> &'static str {
        match self {
            Self::Caller => "CALLER_LIMIT",
            Self::Address => "ADDRESS_LIMIT",
            Self::Session => "SESSION_LIMIT",
        }
    }

    /// Its word in the operator's log.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Caller => "caller",
            Self::Address => "address",
            Self::Session => "session",
        }
    }

    /// The period in which it counts, in seconds: after it, the same request is let through.
    #[must_use]
    pub const fn seconds(self) -> u64 {
        match self {
            Self::Caller | Self::Address => 10,
            Self::Session => 60,
        }
    }
}

/// For whom a request counts.
#[derive(Debug, Clone, Copy)]
pub struct FloodSubject<'a> {
    /// What it offers as proof of who sends it.
    pub credential: &'a Credential,
    /// From where it comes, if that is known.
    pub network: Option<Network>,
    /// The payment transaction that it names, from the payer's side.
    pub session: Option<&'a SessionId>,
}

/// Whether requests to an endpoint are counted.
#[must_use]
pub fn is_counted(facts: &EndpointFacts) -> bool {
    facts.audience != EndpointAudience::Gateway && !FREE.contains(&facts.name)
}

/// By what a request to an endpoint is counted, each with the name under which it counts.
#[must_use]
pub fn gates(facts: &EndpointFacts, subject: FloodSubject<'_>) -> Vec<(Gate, String)> {
    if !is_counted(facts) {
        return Vec::new();
    }
    let caller = match subject.credential {
        // A public key is in every page: a stranger who reads it there could use it up.
        Credential::ApiKey(key) => (key.kind() == KeyKind::Private).then(|| digest(&["key", key.text()])),
        Credential::Basic(login) => Some(digest(&["basic", &login.username, login.password.text()])),
        Credential::Bearer(token) => Some(digest(&["bearer", token])),
        Credential::Missing | Credential::Malformed | Credential::Session | Credential::NotAsked => None,
    };
    let address = subject.network.map(|network| alloc::format!("{network}"));
    let session = subject.session.map(|session_id| digest(&["session", session_id.as_str()]));
    [(Gate::Caller, caller), (Gate::Address, address), (Gate::Session, session)]
        .into_iter()
        .filter_map(|(gate, name)| name.map(|name| (gate, name)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::header::parse_authorization;
    use crate::route::{Match, Route, find};

    fn found(method: &str, path: &str) -> Route {
        match find(method, path) {
            Match::Route(route) => route,
            Match::WrongMethod { .. } | Match::Nothing => panic!("{method} {path}"),
        }
    }

    fn counted(method: &str, path: &str, authorization: &str) -> Vec<&'static str> {
        let facts = found(method, path).facts();
        let credential = parse_authorization(authorization);
        let session = SessionId::parse(&"0".repeat(40)).unwrap();
        let network = Network::of("192.0.2.7");
        let subject = FloodSubject { credential: &credential, network, session: Some(&session) };
        gates(&facts, subject).into_iter().map(|(gate, _)| gate.as_str()).collect()
    }

    #[test]
    fn a_call_counts_for_its_credential_its_address_and_its_transaction() {
        let basic = "Basic c2FyYTpwYXNzd29yZA==";
        assert_eq!(counted("POST", "/b/checkout/v1/pymt-txn/", basic), ["caller", "address", "session"]);
        assert_eq!(counted("GET", "/b/operator/v1/attention/", "nonsense"), ["address", "session"]);
    }

    #[test]
    fn what_says_or_learns_what_became_of_a_payment_is_never_refused() {
        let session = "0".repeat(40);
        for (method, path) in [
            ("GET", alloc::format!("/b/checkout/redirect/status/{session}/")),
            ("GET", alloc::format!("/b/checkout/receipt/{session}/")),
            ("POST", "/b/gw/v1/callback/ABCDEFGHJKMN/".into()),
            ("POST", "/b/gw/v1/account/shop/knet/".into()),
            ("GET", "/b/gw/v1/return/ABCDEFGHJKMN/".into()),
            ("GET", "/healthz".into()),
        ] {
            assert!(counted(method, &path, "Bearer x").is_empty(), "{path}");
        }
    }

    #[test]
    fn every_endpoint_that_is_free_exists() {
        let names: Vec<&str> = Route::ENDPOINTS.iter().map(|endpoint| endpoint.facts.name).collect();
        for free in FREE {
            assert!(names.contains(&free), "{free}");
        }
    }

    #[test]
    fn two_credentials_never_count_together() {
        let name = |authorization| {
            let credential = parse_authorization(authorization);
            let facts = found("GET", "/b/checkout/v1/pymt-txn/").facts();
            let subject = FloodSubject { credential: &credential, network: None, session: None };
            gates(&facts, subject).pop().unwrap().1
        };
        let texts = ["Bearer x", "Bearer y", "Basic c2FyYTpwYXNzd29yZA==", "Basic c2FyYTpwYXNzd29yZDE="];
        let mut names: Vec<String> = texts.into_iter().map(name).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), texts.len());
        assert!(names.iter().all(|name| name.len() == 64));
    }
}
