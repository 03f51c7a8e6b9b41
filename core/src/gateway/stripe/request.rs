//! Requests: forms, with the key, the version of the API and the key of idempotency.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use form_urlencoded::Serializer;

use super::{ENDPOINT, SECRET_KEY, Stripe, VERSION};
use crate::gateway::exchange::{HttpMethod, Outgoing};
use crate::gateway::text::segment;

/// The longest id of Stripe.
const MAX_ID: usize = 255;

/// A form, field by field.
pub(super) struct StripeForm(Serializer<'static, String>);

impl StripeForm {
    pub(super) fn new() -> Self {
        Self(Serializer::new(String::new()))
    }

    pub(super) fn with(mut self, name: &str, value: &str) -> Self {
        self.0.append_pair(name, value);
        self
    }

    pub(super) fn with_some(self, name: &str, value: Option<&str>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    pub(super) fn text(mut self) -> String {
        self.0.finish()
    }
}

impl Stripe {
    /// A request that reads.
    pub(super) fn get(&self, path: &str) -> Outgoing {
        self.request(HttpMethod::Get, path, Vec::new())
    }

    /// A request that writes at most once for one key.
    pub(super) fn post(&self, path: &str, key: &str, form: StripeForm) -> Outgoing {
        let mut request = self.post_again(path, form);
        request.headers.push(("idempotency-key", key.to_string()));
        request
    }

    /// A request that can be repeated by its nature. It has no key of idempotency, because Stripe repeats the first answer
    /// to a key for a day, also if the state is another one by then.
    pub(super) fn post_again(&self, path: &str, form: StripeForm) -> Outgoing {
        let mut request = self.request(HttpMethod::Post, path, form.text().into_bytes());
        request.headers.push(("content-type", "application/x-www-form-urlencoded".to_string()));
        request
    }

    fn request(&self, method: HttpMethod, path: &str, body: Vec<u8>) -> Outgoing {
        let endpoint = self.credentials.endpoint.as_deref().unwrap_or(ENDPOINT).trim_end_matches('/');
        let headers = vec![
            ("accept", "application/json".to_string()),
            ("authorization", format!("Bearer {}", self.credentials.get(SECRET_KEY))),
            ("stripe-version", VERSION.to_string()),
        ];
        Outgoing { method, url: format!("{endpoint}{path}"), headers, body, max_answer: Outgoing::MAX_ANSWER }
    }
}

/// An id of Stripe with this prefix, which is safe as a segment of a path; `None` for any other text.
pub(super) fn id<'i>(text: &'i str, prefix: &str) -> Option<&'i str> {
    segment(text, prefix, b"_", MAX_ID)
}
