//! Webhooks: the whole object, at the address that was given with it, with a signature over seven of its members.
//!
//! Our reference is not among these members. So a webhook is a reason to ask, and nothing else of it is believed.

use alloc::string::{String, ToString};

use subtle::ConstantTimeEq;

use super::amount;
use super::card::text_or_number;
use crate::gateway::callback::{Acknowledgement, Callback, CallbackContext, GatewayEvent};
use crate::gateway::exchange::Incoming;
use crate::webhook::signature::hmac_sha256;
use crate::wire::object::Object;

/// The header with the signature: HMAC-SHA256 under the secret key, 64 lower-case hexadecimal digits.
const SIGNATURE: &str = "hashstring";

/// What a webhook says; `None` if it is not certain that Tap sent it.
pub(super) fn read(key: &str, request: &Incoming, context: &CallbackContext) -> Option<Callback> {
    let given = request.header(SIGNATURE)?;
    let expected = hex::encode(hmac_sha256(key.as_bytes(), &[signed(&request.body)?.as_bytes()]));
    if key.is_empty() || !bool::from(given.as_bytes().ct_eq(expected.as_bytes())) {
        return None;
    }
    let event = context.subject.as_ref().map(|subject| GatewayEvent::Ask(subject.as_str().into()));
    let answer = Acknowledgement::Json(r#"{"received":true}"#);
    Some(Callback { events: event.into_iter().collect(), answer })
}

/// What is signed of an object: names and values, the amount with all decimals of its currency.
fn signed(body: &[u8]) -> Option<String> {
    Object::read(body, |object| {
        let amount = amount::read(object)?;
        let (gateway, payment) = object
            .object("reference", |it| (it.optional_text("gateway"), it.optional_text("payment")))
            .unwrap_or_default();
        let made = object.object("transaction", |it| it.raw("created").and_then(text_or_number)).flatten();
        // A refund says itself when it was made.
        let made = made.or_else(|| object.raw("created").and_then(text_or_number));
        let parts = [
            ["x_id", &object.text("id")],
            ["x_amount", &amount.to_string()],
            ["x_currency", amount.currency().code()],
            ["x_gateway_reference", &gateway.unwrap_or_default()],
            ["x_payment_reference", &payment.unwrap_or_default()],
            ["x_status", &object.text("status")],
            ["x_created", &made.unwrap_or_default()],
        ];
        Some(parts.concat().concat())
    })?
}
