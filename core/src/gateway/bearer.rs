//! Requests to gateways that know a merchant by a key in the header `Authorization`, and take JSON.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use super::exchange::{HttpMethod, Outgoing};

/// A request with a key; without a body if that is empty.
pub(crate) fn request(method: HttpMethod, url: String, key: &str, body: Vec<u8>) -> Outgoing {
    let mut headers =
        vec![("accept", "application/json".to_string()), ("authorization", format!("Bearer {key}"))];
    if !body.is_empty() {
        headers.push(("content-type", "application/json".to_string()));
    }
    Outgoing { method, url, headers, body, max_answer: Outgoing::MAX_ANSWER }
}
