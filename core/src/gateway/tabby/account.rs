//! The store at Tabby: its keys, its addresses, and how requests are made.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use serde::Serialize;

use crate::gateway::credentials::Credentials;
use crate::gateway::exchange::{HttpMethod, Outgoing};

/// The name of the key of the API.
pub(super) const SECRET_KEY: &str = "secret_key";
/// The name of the merchant code.
pub(super) const MERCHANT_CODE: &str = "merchant_code";
/// The name of the country.
pub(super) const COUNTRY: &str = "country";
/// The name of the value with which webhooks come in.
pub(super) const WEBHOOK_SECRET: &str = "webhook_secret";

/// The countries in which Tabby pays shops.
pub(super) const COUNTRIES: &[&str] = &["AE", "BH", "KW", "QA", "SA"];
/// The country that has an address of its own.
const SAUDI_ARABIA: &str = "SA";
/// The address in Saudi Arabia, for tests and for real payments: the key decides which of them it is.
const SAUDI_ENDPOINT: &str = "https://api.tabby.sa";
/// The address everywhere else.
const ENDPOINT: &str = "https://api.tabby.ai";

/// The most characters of an id of Tabby, which are UUIDs.
const MAX_ID: usize = 64;

/// Implements the protocol of Tabby for one store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tabby {
    pub(super) credentials: Credentials,
}

/// An id of Tabby that can be a part of an address.
pub(super) fn id(text: &str) -> Option<&str> {
    let is_id = (1..=MAX_ID).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    is_id.then_some(text)
}

impl Tabby {
    /// Why the key does not fit the environment: a live key moves real money in a test, and with a test key a payer gets
    /// goods for nothing.
    pub(super) fn misplaced_key(&self) -> Option<&'static str> {
        let is_test_key = self.credentials.get(SECRET_KEY).contains("_test_");
        match (self.credentials.is_test, is_test_key) {
            (true, false) => Some("the key is one for real payments, and this gateway is for tests"),
            (false, true) => Some("the key is one for tests, and this gateway is for real payments"),
            (true, true) | (false, false) => None,
        }
    }

    /// Asks for something.
    pub(super) fn get(&self, path: &str) -> Outgoing {
        self.request(HttpMethod::Get, path, Vec::new())
    }

    /// Asks for a page of a list.
    pub(super) fn get_list(&self, path: &str) -> Outgoing {
        Outgoing { max_answer: Outgoing::MAX_LIST, ..self.get(path) }
    }

    /// Sends an object.
    pub(super) fn post(&self, path: &str, body: &impl Serialize) -> Outgoing {
        // Texts always serialise; Tabby refuses an empty body and does nothing.
        let body = serde_json::to_string(body).unwrap_or_default().into_bytes();
        let mut request = self.request(HttpMethod::Post, path, body);
        request.headers.push(("content-type", "application/json".to_string()));
        request
    }

    /// Sends nothing to an address that does something.
    pub(super) fn post_nothing(&self, path: &str) -> Outgoing {
        self.request(HttpMethod::Post, path, Vec::new())
    }

    /// Asks for the webhooks of the merchant code.
    pub(super) fn webhooks(&self) -> Outgoing {
        let mut request = self.get("/api/v1/webhooks");
        request.headers.push(("x-merchant-code", self.credentials.get(MERCHANT_CODE).to_string()));
        request
    }

    fn request(&self, method: HttpMethod, path: &str, body: Vec<u8>) -> Outgoing {
        let usual = match self.credentials.get(COUNTRY) {
            SAUDI_ARABIA => SAUDI_ENDPOINT,
            _ => ENDPOINT,
        };
        let endpoint = self.credentials.endpoint.as_deref().unwrap_or(usual);
        let headers: Vec<(&'static str, String)> = vec![
            ("accept", "application/json".to_string()),
            ("authorization", format!("Bearer {}", self.credentials.get(SECRET_KEY))),
        ];
        Outgoing { method, url: format!("{endpoint}{path}"), headers, body, max_answer: Outgoing::MAX_ANSWER }
    }
}
