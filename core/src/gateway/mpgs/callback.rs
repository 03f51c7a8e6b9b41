//! The gateway's notifications. They are authenticated by a shared secret in a header and not signed, so only what they
//! are about is taken from them, and the gateway is asked.

use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use subtle::ConstantTimeEq;

use super::read::AnswerPart;
use crate::gateway::callback::{Acknowledgement, Callback, CallbackContext, GatewayEvent};
use crate::gateway::exchange::Incoming;

/// The header with the secret.
const SECRET_HEADER: &str = "x-notification-secret";

/// What a notification is about; `None` without the secret.
pub(super) fn read(request: &Incoming, context: &CallbackContext, secret: Option<&str>) -> Option<Callback> {
    let given = request.header(SECRET_HEADER)?;
    if !bool::from(given.as_bytes().ct_eq(secret?.as_bytes())) {
        return None;
    }
    let subject = || context.subject.as_ref().map(ToString::to_string);
    let events: Vec<GatewayEvent> =
        named(&request.body).or_else(subject).map(GatewayEvent::Ask).into_iter().collect();
    Some(Callback { events, answer: Acknowledgement::Text(String::new()) })
}

/// The reference that a notification names: that of the operation for an operation, otherwise that of the order.
fn named(body: &[u8]) -> Option<String> {
    let part = AnswerPart::read(body)?;
    let transaction = part.part("transaction");
    let kind = transaction.as_ref().and_then(|transaction| transaction.text("type"));
    let is_operation = kind.is_some_and(|kind| {
        matches!(&*kind, "CAPTURE" | "REFUND" | "REFUND_REQUEST") || kind.starts_with("VOID_")
    });
    let order = part.part("order").and_then(|order| order.text("id"));
    let own = transaction.and_then(|transaction| transaction.text("id")).filter(|_| is_operation);
    own.or(order).map(Cow::into_owned)
}
