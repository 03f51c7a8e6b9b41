//! What Tabby reports by itself. Webhooks come with a fixed value in a header and are not signed, so only what they are about
//! is taken from them, and Tabby is asked.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use subtle::ConstantTimeEq;

use crate::gateway::callback::{Callback, CallbackContext};
use crate::gateway::exchange::Incoming;
use crate::gateway::pay_later::asking;
use crate::wire::json;
use crate::wire::object::Object;

/// The header with the value; its name is chosen when the webhook is registered.
const SECRET_HEADER: &str = "x-webhook-secret";

/// What a webhook is about; `None` without the value.
pub(super) fn read(secret: &str, request: &Incoming, context: &CallbackContext) -> Option<Callback> {
    let given = request.header(SECRET_HEADER)?;
    let is_own: bool = given.as_bytes().ct_eq(secret.as_bytes()).into();
    if secret.is_empty() || !is_own {
        return None;
    }
    let subject = || context.subject.as_ref().map(ToString::to_string).into_iter().collect();
    Some(asking(named(&request.body).unwrap_or_else(subject)))
}

/// The references that a webhook names: that of the payment, and of its latest capture and refund.
fn named(body: &[u8]) -> Option<Vec<String>> {
    Object::read(body, |payment| {
        let mut named: Vec<String> = payment
            .object("order", |order| order.optional_text("reference_id"))
            .flatten()
            .into_iter()
            .collect();
        for list in ["captures", "refunds"] {
            named.extend(latest(payment, list).filter(|reference| !named.contains(reference)));
        }
        named
    })
}

fn latest(payment: &mut Object<'_>, list: &str) -> Option<String> {
    let items = json::items(payment.raw(list)?)?;
    Object::read(items.last()?.get(), |movement| movement.optional_text("reference_id"))?
}
