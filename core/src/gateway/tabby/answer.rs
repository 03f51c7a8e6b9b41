//! What an answer of Tabby without a payment says.

use alloc::string::String;

use crate::gateway::check::Checked;
use crate::gateway::exchange::Incoming;
use crate::gateway::text::words;
use crate::wire::object::Object;

/// What an answer that is no success says for certain.
pub(super) enum TabbyFault {
    /// Nothing was done, and the words for it.
    Refused(Option<String>),
    /// The state of the payment forbids it, perhaps because it was done before.
    Conflict(Option<String>),
    /// Nothing: Tabby was too busy, or does not know, or it is not certain that the answer is Tabby's.
    Nothing,
}

/// What an answer that is no success says. Errors of Tabby have a kind; what has none may come from elsewhere.
pub(super) fn fault(answer: &Incoming) -> TabbyFault {
    let Some(said) = message(&answer.body) else { return TabbyFault::Nothing };
    let message = words(&said);
    match answer.status {
        401 | 403 => TabbyFault::Refused(message),
        400 | 404 | 409 | 422 => TabbyFault::Conflict(message),
        _ => TabbyFault::Nothing,
    }
}

/// What an error says, perhaps nothing; `None` if the body is no error of Tabby.
fn message(body: &[u8]) -> Option<String> {
    Object::read(body, |error| {
        let has_kind = !error.text("errorType").is_empty();
        (has_kind && error.text("status") == "error")
            .then(|| error.optional_text("error").unwrap_or_default())
    })?
}

/// The answer to the question whether the key and the merchant code are accepted.
pub(super) fn checked(answer: &Incoming) -> Checked {
    match (answer.status, fault(answer)) {
        (200, _) => Checked::Accepted,
        (401 | 403 | 404, TabbyFault::Refused(message) | TabbyFault::Conflict(message)) => {
            Checked::Refused(message)
        }
        _ => Checked::Unclear,
    }
}
