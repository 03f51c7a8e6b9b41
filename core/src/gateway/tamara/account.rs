//! The merchant at Tamara: its tokens, its addresses, and how requests are made.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use serde::Serialize;
use serde_json::value::RawValue;

use crate::gateway::credentials::Credentials;
use crate::gateway::exchange::{HttpMethod, Outgoing};
use crate::value::money::Money;

/// The name of the token of the API.
pub(super) const API_TOKEN: &str = "api_token";
/// The name of the secret of the notifications.
pub(super) const NOTIFICATION_TOKEN: &str = "notification_token";
/// The name of the country.
pub(super) const COUNTRY: &str = "country";

/// The countries in which Tamara pays shops.
pub(super) const COUNTRIES: &[&str] = &["AE", "BH", "KW", "OM", "SA"];
/// The address for real payments.
const ENDPOINT: &str = "https://api.tamara.co";
/// The address for tests.
const TEST_ENDPOINT: &str = "https://api-sandbox.tamara.co";
/// The most characters of an id of Tamara, which are UUIDs.
const MAX_ID: usize = 64;

/// Implements the protocol of Tamara for one merchant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tamara {
    pub(super) credentials: Credentials,
}

/// An id of Tamara that can be a part of an address.
pub(super) fn id(text: &str) -> Option<&str> {
    let is_id = (1..=MAX_ID).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    is_id.then_some(text)
}

/// An amount in the wire format: a number with the currency's decimals.
#[derive(Serialize)]
pub(super) struct TamaraAmount {
    amount: Box<RawValue>,
    currency: &'static str,
}

impl TamaraAmount {
    pub(super) fn of(money: Money) -> Self {
        // The text of an amount is a number in JSON; none would be refused.
        let amount = RawValue::from_string(money.to_string()).unwrap_or_else(|_| RawValue::NULL.to_owned());
        Self { amount, currency: money.currency().code() }
    }

    /// No amount, in the currency of another.
    pub(super) fn zero_of(money: Money) -> Self {
        Self::of(Money::zero(money.currency()))
    }
}

impl Tamara {
    /// The country of the store.
    pub(super) fn country(&self) -> &str {
        self.credentials.get(COUNTRY)
    }

    /// Asks for something.
    pub(super) fn get(&self, path: &str) -> Outgoing {
        self.request(HttpMethod::Get, path, Vec::new())
    }

    /// Sends an object.
    pub(super) fn post(&self, path: &str, body: &impl Serialize) -> Outgoing {
        // Texts and numbers always serialise; Tamara refuses an empty body and does nothing.
        let body = serde_json::to_string(body).unwrap_or_default().into_bytes();
        let mut request = self.request(HttpMethod::Post, path, body);
        request.headers.push(("content-type", "application/json".to_string()));
        request
    }

    /// Sends nothing to an address that does something.
    pub(super) fn post_nothing(&self, path: &str) -> Outgoing {
        self.request(HttpMethod::Post, path, Vec::new())
    }

    /// Asks for the ways of paying in the country.
    pub(super) fn payment_types(&self) -> Outgoing {
        self.get(&format!("/checkout/payment-types?country={}", self.country()))
    }

    fn request(&self, method: HttpMethod, path: &str, body: Vec<u8>) -> Outgoing {
        let usual = if self.credentials.is_test { TEST_ENDPOINT } else { ENDPOINT };
        let endpoint = self.credentials.endpoint.as_deref().unwrap_or(usual);
        let headers: Vec<(&'static str, String)> = vec![
            ("accept", "application/json".to_string()),
            ("authorization", format!("Bearer {}", self.credentials.get(API_TOKEN))),
        ];
        Outgoing { method, url: format!("{endpoint}{path}"), headers, body, max_answer: Outgoing::MAX_ANSWER }
    }
}
