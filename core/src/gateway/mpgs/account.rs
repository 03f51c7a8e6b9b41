//! The merchant's account at the gateway: addresses, the headers that authenticate, and requests.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;

use super::names::{MERCHANT_ID, NOTIFICATION_SECRET, PASSWORD, REPORTING_PASSWORD, VERSION};
use crate::gateway::credentials::Credentials;
use crate::gateway::exchange::{HttpMethod, Outgoing};
use crate::value::json::{self, Unwritten};

/// The version of the interface if the settings name none.
const DEFAULT_VERSION: &str = "100";
/// The most bytes of an order that are read: it lists every transaction, each with thousands of bytes.
const MAX_ORDER: u32 = 262_144;

/// One merchant at one bank's gateway.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct MpgsAccount {
    credentials: Credentials,
}

impl MpgsAccount {
    pub(super) fn new(credentials: Credentials) -> Self {
        Self { credentials }
    }

    /// The bank's host, without a trailing slash.
    fn host(&self) -> &str {
        self.credentials.endpoint.as_deref().unwrap_or_default().trim_end_matches('/')
    }

    fn merchant(&self) -> String {
        segment(self.credentials.get(MERCHANT_ID))
    }

    /// Basic authentication with one of the merchant's passwords.
    fn authorization(&self, password: &str) -> (&'static str, String) {
        let user = format!("merchant.{}:{password}", self.credentials.get(MERCHANT_ID));
        ("authorization", format!("Basic {}", STANDARD.encode(user)))
    }

    fn address(&self, path: &str) -> String {
        let version = self.credentials.optional(VERSION).unwrap_or(DEFAULT_VERSION);
        format!("{}/api/rest/version/{}/merchant/{}{path}", self.host(), segment(version), self.merchant())
    }

    fn get(&self, path: &str, max_answer: u32) -> Outgoing {
        Outgoing {
            method: HttpMethod::Get,
            url: self.address(path),
            headers: vec![
                ("accept", "application/json".to_string()),
                self.authorization(self.credentials.get(PASSWORD)),
            ],
            body: Vec::new(),
            max_answer,
        }
    }

    fn write(&self, method: HttpMethod, path: &str, body: &impl Serialize) -> Result<Outgoing, &'static str> {
        let mut request = self.get(path, Outgoing::MAX_ANSWER);
        request.method = method;
        request.headers.push(("content-type", "application/json".to_string()));
        request.body = json::write(body).map_err(|Unwritten| Unwritten::WORDS)?.into_bytes();
        Ok(request)
    }

    /// `POST /session`.
    pub(super) fn post_session(&self, body: &impl Serialize) -> Result<Outgoing, &'static str> {
        self.write(HttpMethod::Post, "/session", body)
    }

    /// `POST /token`.
    pub(super) fn post_token(&self, body: &impl Serialize) -> Result<Outgoing, &'static str> {
        self.write(HttpMethod::Post, "/token", body)
    }

    /// A transaction of an order, with an id that we choose: the gateway does it once.
    pub(super) fn put_transaction(
        &self,
        order: &str,
        id: &str,
        body: &impl Serialize,
    ) -> Result<Outgoing, &'static str> {
        self.write(HttpMethod::Put, &transaction_path(order, id), body)
    }

    /// The order with all of its transactions.
    pub(super) fn get_order(&self, order: &str) -> Outgoing {
        self.get(&format!("/order/{}", segment(order)), MAX_ORDER)
    }

    /// One transaction.
    pub(super) fn get_transaction(&self, order: &str, id: &str) -> Outgoing {
        self.get(&transaction_path(order, id), Outgoing::MAX_ANSWER)
    }

    /// What the account may do: a question that needs the password and moves nothing.
    pub(super) fn get_options(&self) -> Outgoing {
        self.get("/paymentOptionsInquiry", Outgoing::MAX_ANSWER)
    }

    /// The report of a period; `None` without the password for reports.
    pub(super) fn get_report(&self, query: &str) -> Option<Outgoing> {
        let password = self.credentials.optional(REPORTING_PASSWORD)?;
        Some(Outgoing {
            method: HttpMethod::Get,
            url: format!(
                "{}/history/version/1/merchant/{}/transaction?{query}",
                self.host(),
                self.merchant()
            ),
            headers: vec![("accept", "text/csv".to_string()), self.authorization(password)],
            body: Vec::new(),
            max_answer: Outgoing::MAX_LIST,
        })
    }

    /// The address of the page of a session.
    pub(super) fn page_url(&self, session: &str) -> String {
        format!("{}/checkout/pay/{}?checkoutVersion=1.0.0", self.host(), segment(session))
    }

    /// What authenticates the gateway's notifications; without it none is accepted.
    pub(super) fn notification_secret(&self) -> Option<&str> {
        self.credentials.optional(NOTIFICATION_SECRET).filter(|secret| !secret.is_empty())
    }

    /// The address to be given to the gateway for its notifications. It wants https, and notifications that cannot be
    /// authenticated are not asked for.
    pub(super) fn notification_url<'u>(&self, url: &'u str) -> Option<&'u str> {
        self.notification_secret()?;
        url.starts_with("https://").then_some(url)
    }
}

fn transaction_path(order: &str, id: &str) -> String {
    format!("/order/{}/transaction/{}", segment(order), segment(id))
}

/// A text as one segment of a path.
fn segment(text: &str) -> String {
    let mut segment = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_".contains(&byte) {
            segment.push(char::from(byte));
        } else {
            segment.push('%');
            segment.push_str(&hex::encode_upper([byte]));
        }
    }
    segment
}
