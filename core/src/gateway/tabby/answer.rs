//! What an answer of Tabby without a payment says.

use alloc::string::String;

use crate::gateway::check::Checked;
use crate::gateway::exchange::Incoming;
use crate::gateway::pay_later::Fault;
use crate::wire::object::Object;

/// What an answer that is no success says. Errors of Tabby have a kind; what has none may come from elsewhere.
pub(super) fn fault(answer: &Incoming) -> Fault {
    Fault::of(answer, message(&answer.body).as_deref())
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
        (401 | 403 | 404, Fault::Refused(message) | Fault::Conflict(message)) => Checked::Refused(message),
        _ => Checked::Unclear,
    }
}
