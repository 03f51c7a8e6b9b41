//! What is sent: JSON with the key. Our reference is the key of idempotency wherever something is made.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::Serialize;
use serde_json::value::RawValue;

use super::account::{ENDPOINT, MERCHANT_ID, SECRET_KEY, Tap};
use super::payer::TapCustomer;
use crate::gateway::bearer;
use crate::gateway::exchange::{HttpMethod, Outgoing};
use crate::gateway::text::segment;
use crate::value::json::write;
use crate::words::Language;

/// The addresses.
pub(super) const CHARGES: &str = "/v2/charges";
pub(super) const AUTHORIZE: &str = "/v2/authorize";
pub(super) const REFUNDS: &str = "/v2/refunds";
const TOKENS: &str = "/v2/tokens";
const CARD: &str = "/v2/card";
/// How many entries a list has at most.
pub(super) const LIMIT: &str = "50";
/// The longest id of Tap.
const MAX_ID: usize = 100;

/// Our mark in the metadata of an object: what it is.
#[derive(Serialize)]
pub(super) struct TapMark {
    pub(super) till: &'static str,
}

/// The marks of a charge or an authorisation, of a capture and of a refund.
pub(super) const OF_CHARGE: &str = "charge";
pub(super) const OF_CAPTURE: &str = "capture";
pub(super) const OF_REFUND: &str = "refund";

/// An object that is named by its id, in the wire format.
#[derive(Serialize)]
pub(super) struct TapId<'a> {
    pub(super) id: &'a str,
}

/// An address in the wire format.
#[derive(Serialize)]
pub(super) struct TapUrl<'a> {
    pub(super) url: &'a str,
}

/// The references of a charge in the wire format.
#[derive(Serialize)]
pub(super) struct ChargeReferences<'a> {
    pub(super) transaction: &'a str,
    pub(super) order: &'a str,
    pub(super) idempotent: &'a str,
}

/// A charge, an authorisation or a capture in the wire format.
#[derive(Serialize)]
pub(super) struct TapChargeRequest<'a> {
    pub(super) amount: Box<RawValue>,
    pub(super) currency: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) customer_initiated: Option<bool>,
    #[serde(rename = "threeDSecure", skip_serializing_if = "Option::is_none")]
    pub(super) three_d_secure: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) save_card: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) payment_agreement: Option<TapId<'a>>,
    pub(super) metadata: TapMark,
    pub(super) reference: ChargeReferences<'a>,
    pub(super) customer: TapCustomer,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) merchant: Option<TapId<'a>>,
    pub(super) source: TapId<'a>,
    pub(super) post: TapUrl<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) redirect: Option<TapUrl<'a>>,
}

/// The references of a refund in the wire format.
#[derive(Serialize)]
pub(super) struct RefundReferences<'a> {
    pub(super) merchant: &'a str,
    pub(super) idempotent: &'a str,
}

/// A refund in the wire format.
#[derive(Serialize)]
pub(super) struct RefundRequest<'a> {
    pub(super) charge_id: &'a str,
    pub(super) amount: Box<RawValue>,
    pub(super) currency: &'static str,
    pub(super) reason: &'static str,
    pub(super) metadata: TapMark,
    pub(super) reference: RefundReferences<'a>,
    pub(super) post: TapUrl<'a>,
}

/// A period in the wire format.
#[derive(Clone, Serialize)]
pub(super) struct TapPeriod {
    date: TapDates,
    #[serde(rename = "type")]
    kind: &'static str,
}

#[derive(Clone, Serialize)]
struct TapDates {
    from: String,
    to: String,
}

impl TapPeriod {
    /// From one moment to another, both of them in it, in milliseconds.
    pub(super) fn of(from: i64, to: i64) -> Self {
        Self { date: TapDates { from: from.to_string(), to: to.to_string() }, kind: "1" }
    }
}

/// What is looked for by a reference, in the wire format.
#[derive(Clone, Serialize)]
pub(super) struct SoughtReference<'a> {
    pub(super) transaction: &'a str,
}

/// The request for a list in the wire format.
#[derive(Clone, Default, Serialize)]
pub(super) struct ListRequest<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) period: Option<TapPeriod>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reference: Option<SoughtReference<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) sources: Vec<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) charges: Vec<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) starting_after: Option<String>,
    pub(super) limit: &'static str,
}

/// The request for a token of a saved card in the wire format.
#[derive(Serialize)]
pub(super) struct SavedCardToken<'a> {
    pub(super) saved_card: SavedCardIds<'a>,
}

#[derive(Serialize)]
pub(super) struct SavedCardIds<'a> {
    pub(super) card_id: &'a str,
    pub(super) customer_id: &'a str,
}

/// The request for a token of a wallet in the wire format.
#[derive(Serialize)]
pub(super) struct WalletToken {
    #[serde(rename = "type")]
    pub(super) kind: &'static str,
    pub(super) token_data: Box<RawValue>,
}

impl Tap {
    /// The merchant of the account, if it has several.
    pub(super) fn merchant(&self) -> Option<TapId<'_>> {
        self.credentials.optional(MERCHANT_ID).map(|id| TapId { id })
    }

    /// Makes a charge or an authorisation; its page has this language.
    pub(super) fn make(
        &self,
        path: &str,
        language: Option<Language>,
        body: &TapChargeRequest<'_>,
    ) -> Option<Outgoing> {
        let mut request = self.post(&format!("{path}/"), body)?;
        request.headers.extend(language.map(|language| ("lang_code", language.as_str().to_string())));
        Some(request)
    }

    pub(super) fn refund(&self, body: &RefundRequest<'_>) -> Option<Outgoing> {
        self.post(&format!("{REFUNDS}/"), body)
    }

    pub(super) fn void(&self, authorization: &str) -> Option<Outgoing> {
        self.post(&format!("{AUTHORIZE}/{authorization}/void"), &Nothing {})
    }

    pub(super) fn list(&self, path: &str, body: &ListRequest<'_>) -> Option<Outgoing> {
        let request = self.post(&format!("{path}/list"), &ListRequest { limit: LIMIT, ..body.clone() })?;
        Some(Outgoing { max_answer: Outgoing::MAX_LIST, ..request })
    }

    /// The newest charge.
    pub(super) fn newest(&self) -> Outgoing {
        let body = br#"{"limit":"1"}"#.to_vec();
        let request = self.request(HttpMethod::Post, &format!("{CHARGES}/list"), body);
        Outgoing { max_answer: Outgoing::MAX_LIST, ..request }
    }

    pub(super) fn token(&self, body: &impl Serialize) -> Option<Outgoing> {
        self.post(TOKENS, body)
    }

    pub(super) fn card(&self, customer: &str, card: &str) -> Outgoing {
        self.get(&format!("{CARD}/{customer}/{card}"))
    }

    pub(super) fn get(&self, path: &str) -> Outgoing {
        self.request(HttpMethod::Get, path, Vec::new())
    }

    fn post(&self, path: &str, body: &impl Serialize) -> Option<Outgoing> {
        Some(self.request(HttpMethod::Post, path, write(body).ok()?.into_bytes()))
    }

    fn request(&self, method: HttpMethod, path: &str, body: Vec<u8>) -> Outgoing {
        let endpoint = self.credentials.endpoint.as_deref().unwrap_or(ENDPOINT).trim_end_matches('/');
        bearer::request(method, format!("{endpoint}{path}"), self.credentials.get(SECRET_KEY), body)
    }
}

/// A body without members, in the wire format.
#[derive(Serialize)]
struct Nothing {}

/// An id of Tap with this prefix, which is safe as a segment of a path; `None` for any other text.
pub(super) fn id<'i>(text: &'i str, prefix: &str) -> Option<&'i str> {
    segment(text, prefix, b"_", MAX_ID)
}
