//! What an answer of Tamara without an order says.

use alloc::string::String;

use crate::gateway::check::Checked;
use crate::gateway::exchange::Incoming;
use crate::gateway::pay_later::Fault;
use crate::wire::object::Object;

/// What an answer that is no success says. Errors of Tamara have a message; what has none may come from elsewhere.
pub(super) fn fault(answer: &Incoming) -> Fault {
    Fault::of(answer, message(&answer.body).as_deref())
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
        (401 | 403, Fault::Refused(message)) => Checked::Refused(message),
        _ => Checked::Unclear,
    }
}
