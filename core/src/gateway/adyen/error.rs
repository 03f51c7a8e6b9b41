//! Reads Adyen's answer to a request that it did not accept.

use alloc::string::String;

use super::details::words;
use crate::gateway::exchange::Incoming;
use crate::wire::object::Object;

/// The code of a request that has the idempotency key of another one, which is still in progress or was different.
const IN_PROGRESS: &str = "704";

/// A request that Adyen certainly did not accept.
pub(super) struct AdyenRefusal {
    /// Its message.
    pub(super) message: Option<String>,
}

impl AdyenRefusal {
    /// What an answer refuses; `None` for one that does not say so in Adyen's own words, such as that of a proxy, and for one
    /// after which the request may be carried out.
    pub(super) fn of(answer: &Incoming) -> Option<Self> {
        if !matches!(answer.status, 400 | 401 | 403 | 422) {
            return None;
        }
        let (code, kind, message) = Object::read(&answer.body, |error| {
            (error.text("errorCode"), error.text("errorType"), error.optional_text("message"))
        })?;
        let is_certain = code != IN_PROGRESS && !code.is_empty() && kind != "internal" && !kind.is_empty();
        is_certain.then(|| Self { message: words(message.as_deref()) })
    }
}
