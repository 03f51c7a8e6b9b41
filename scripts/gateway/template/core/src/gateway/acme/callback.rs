//! What the gateway reports by itself: a payment or a refund, at the address that was given with it, signed.

use subtle::ConstantTimeEq;

use super::answer;
use crate::gateway::callback::{Acknowledgement, Callback, CallbackContext, GatewayEvent};
use crate::gateway::exchange::Incoming;
use crate::webhook::signature::hmac_sha256;

/// The header with the signature: HMAC-SHA256 of the body under the secret, 64 lower-case hexadecimal digits.
const SIGNATURE: &str = "x-signature";

/// What a callback says; `None` if it is not certain that the gateway sent it. A signed body that is no payment and no refund
/// is a reason to ask.
pub(super) fn read(secret: &str, request: &Incoming, context: &CallbackContext) -> Option<Callback> {
    let expected = hex::encode(hmac_sha256(secret.as_bytes(), &[request.body.as_slice()]));
    let is_signed =
        request.header(SIGNATURE).is_some_and(|given| given.as_bytes().ct_eq(expected.as_bytes()).into());
    if secret.is_empty() || !is_signed {
        return None;
    }
    let event = answer::refund(&request.body)
        .map(GatewayEvent::Operation)
        .or_else(|| answer::payment(&request.body).map(GatewayEvent::Charge))
        .or_else(|| context.subject.as_ref().map(|subject| GatewayEvent::Ask(subject.as_str().into())));
    Some(Callback {
        events: event.into_iter().collect(),
        answer: Acknowledgement::Json(r#"{"received":true}"#),
    })
}
