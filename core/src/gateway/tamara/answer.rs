//! What an answer of Tamara without an order says.

use alloc::string::String;

use crate::gateway::check::Checked;
use crate::gateway::exchange::Incoming;
use crate::gateway::text::words;
use crate::wire::object::Object;

/// What an answer that is no success says for certain.
pub(super) enum TamaraFault {
    /// Nothing was done, and the words for it.
    Refused(Option<String>),
    /// The state of the order forbids it, perhaps because it was done before.
    Conflict(Option<String>),
    /// Nothing: Tamara was too busy, or does not know, or it is not certain that the answer is Tamara's.
    Nothing,
}

/// What an answer that is no success says. Errors of Tamara have a message; what has none may come from elsewhere.
pub(super) fn fault(answer: &Incoming) -> TamaraFault {
    let Some(said) = message(&answer.body) else { return TamaraFault::Nothing };
    let message = words(&said);
    match answer.status {
        401 | 403 => TamaraFault::Refused(message),
        400 | 404 | 409 | 422 => TamaraFault::Conflict(message),
        _ => TamaraFault::Nothing,
    }
}

/// Whether Tamara says that it has no such order.
pub(super) fn is_absent(answer: &Incoming) -> bool {
    answer.status == 404 && message(&answer.body).is_some()
}

/// What an error says; `None` if the body is no error of Tamara.
fn message(body: &[u8]) -> Option<String> {
    Object::read(body, |error| error.text("message"))
}

/// The answer to the question whether the token is accepted.
pub(super) fn checked(answer: &Incoming) -> Checked {
    match (answer.status, fault(answer)) {
        (200, _) => Checked::Accepted,
        (401 | 403, TamaraFault::Refused(message)) => Checked::Refused(message),
        _ => Checked::Unclear,
    }
}
