//! The account at Checkout.com, and the requests that are sent for it.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::Serialize;

use crate::gateway::bearer;
use crate::gateway::credentials::Credentials;
use crate::gateway::exchange::{HttpMethod, Outgoing};
use crate::gateway::text::segment;
use crate::value::json::write;

/// The name of the key of the API.
pub const SECRET_KEY: &str = "secret_key";
/// The name of the key by which tokens are made.
pub const PUBLIC_KEY: &str = "public_key";
/// The name of the first part of the address of the API.
pub const PREFIX: &str = "prefix";
/// The name of the processing channel.
pub const CHANNEL: &str = "processing_channel_id";
/// The name of the payment methods of the page.
pub const METHODS: &str = "payment_methods";
/// The name of the key with which webhooks are signed.
pub const WEBHOOK_SECRET: &str = "webhook_secret";
/// The name of the second such key.
pub const WEBHOOK_SECRET_NEXT: &str = "webhook_secret_next";

/// The payment methods that a page can be limited to. Cards of mada are paid as `card`.
pub(super) const PAGE_METHODS: &[&str] =
    &["card", "knet", "benefit", "qpay", "stcpay", "tamara", "tabby", "applepay", "googlepay"];
/// Those of them that can hold money.
const HOLDING_METHODS: [&str; 3] = ["card", "applepay", "googlepay"];

/// The longest id.
const MAX_ID: usize = 64;

/// Implements the protocol of Checkout.com for one merchant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckoutCom {
    pub(super) credentials: Credentials,
}

impl CheckoutCom {
    /// A connector with these credentials.
    #[must_use]
    pub fn new(credentials: Credentials) -> Self {
        Self { credentials }
    }

    /// The address before the path of a request. Each account has its own, whose host is made of the prefix only.
    fn endpoint(&self) -> String {
        if let Some(endpoint) = &self.credentials.endpoint {
            return endpoint.trim_end_matches('/').to_string();
        }
        let prefix = self.credentials.get(PREFIX).to_ascii_lowercase();
        let zone = if self.credentials.is_test { "api.sandbox" } else { "api" };
        format!("https://{prefix}.{zone}.checkout.com")
    }

    pub(super) fn channel(&self) -> Option<&str> {
        self.credentials.optional(CHANNEL)
    }

    /// The payment methods of the page, if it is limited to some.
    pub(super) fn methods(&self) -> Option<Vec<&str>> {
        self.credentials.optional(METHODS).map(|words| words.split(',').collect())
    }

    /// The same of a page on which money is only held; none if nothing on it can.
    pub(super) fn holding_methods(&self) -> Vec<&str> {
        let methods = self.methods().unwrap_or_else(|| HOLDING_METHODS[..1].to_vec());
        methods.into_iter().filter(|method| HOLDING_METHODS.contains(method)).collect()
    }

    pub(super) fn webhook_secrets(&self) -> Vec<&str> {
        let names = [WEBHOOK_SECRET, WEBHOOK_SECRET_NEXT];
        names.into_iter().filter_map(|name| self.credentials.optional(name)).collect()
    }

    /// A request that reads.
    pub(super) fn get(&self, path: &str) -> Outgoing {
        self.request(HttpMethod::Get, path, self.credentials.get(SECRET_KEY), Vec::new())
    }

    /// A request with a body. Checkout.com answers a second one with the same key as it answered the first.
    pub(super) fn post(&self, path: &str, key: Option<&str>, body: &impl Serialize) -> Option<Outgoing> {
        let body = write(body).ok()?.into_bytes();
        let mut request = self.request(HttpMethod::Post, path, self.credentials.get(SECRET_KEY), body);
        request.headers.extend(key.map(|key| ("cko-idempotency-key", key.to_string())));
        Some(request)
    }

    /// A request with the public key, which makes a token; `None` without one.
    pub(super) fn post_publicly(&self, path: &str, body: &impl Serialize) -> Option<Outgoing> {
        let key = self.credentials.optional(PUBLIC_KEY)?;
        Some(self.request(HttpMethod::Post, path, key, write(body).ok()?.into_bytes()))
    }

    fn request(&self, method: HttpMethod, path: &str, key: &str, body: Vec<u8>) -> Outgoing {
        bearer::request(method, format!("{}{path}", self.endpoint()), key, body)
    }
}

/// An id of Checkout.com with this prefix, which is safe as a segment of a path; `None` for any other text.
pub(super) fn id<'i>(text: &'i str, prefix: &str) -> Option<&'i str> {
    segment(text, prefix, b"_-", MAX_ID)
}

/// How the id of a payment begins.
pub(super) const PAYMENT: &str = "pay_";
/// How the id of a page begins.
pub(super) const PAGE: &str = "hpp_";
/// How the id of an action begins.
pub(super) const ACTION: &str = "act_";
/// How the id of a saved card begins.
pub(super) const SOURCE: &str = "src_";
/// How the id of a token begins.
pub(super) const TOKEN: &str = "tok_";
