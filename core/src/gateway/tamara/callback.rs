//! What Tamara reports by itself. The token of a notification is signed, but says nothing about the notification, so only what
//! a notification is about is taken from it, and Tamara is asked.

use alloc::borrow::Cow;
use alloc::string::ToString;
use core::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use subtle::ConstantTimeEq;

use crate::gateway::callback::{Callback, CallbackContext};
use crate::gateway::exchange::Incoming;
use crate::gateway::pay_later::asking;
use crate::value::time::Timestamp;
use crate::webhook::signature::hmac_sha256;
use crate::wire::object::Object;

/// The parameter of the address that has the token, which is in the header `Authorization` too.
const PARAMETER: &str = "tamaraToken";
/// How far the clocks may differ.
const LEEWAY: Duration = Duration::from_mins(1);

/// What a notification is about; `None` without a token that is signed under the secret and not over.
pub(super) fn read(secret: &str, request: &Incoming, context: &CallbackContext) -> Option<Callback> {
    let bearer = request.header("authorization").and_then(|value| value.strip_prefix("Bearer "));
    let token = bearer.map(Cow::Borrowed).or_else(|| parameter(&request.query))?;
    if !is_valid(secret, &token, context.now) {
        return None;
    }
    let named = || Object::read(&request.body, |order| order.optional_text("order_reference_id")).flatten();
    Some(asking(context.subject.as_ref().map(ToString::to_string).or_else(named)))
}

fn parameter(query: &str) -> Option<Cow<'_, str>> {
    form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == PARAMETER).map(|(_, value)| value)
}

/// Whether a JSON Web Token is signed by HMAC-SHA256 under the secret, and its time is not over.
fn is_valid(secret: &str, token: &str, now: Timestamp) -> bool {
    let Some((signed, signature)) = token.rsplit_once('.') else { return false };
    let Ok(given) = URL_SAFE_NO_PAD.decode(signature) else { return false };
    let expected = hmac_sha256(secret.as_bytes(), &[signed.as_bytes()]);
    let is_signed: bool = expected.as_slice().ct_eq(given.as_slice()).into();
    !secret.is_empty() && is_signed && is_in_time(signed, now).unwrap_or_default()
}

/// Whether the signed parts of a token name the signature that was checked, and a time that is not over.
fn is_in_time(signed: &str, now: Timestamp) -> Option<bool> {
    let (header, claims) = signed.split_once('.')?;
    let part = |text: &str| URL_SAFE_NO_PAD.decode(text).ok();
    let algorithm = Object::read(&part(header)?, |header| header.text("alg"))?;
    let (ends, begins) = Object::read(&part(claims)?, |claims| {
        (claims.needed_number::<i64>("exp"), claims.number::<i64>("nbf"))
    })?;
    let is_over = now.minus(LEEWAY).seconds() >= ends?;
    let is_early = begins.is_some_and(|begins| now.plus(LEEWAY).seconds() < begins);
    Some(algorithm == "HS256" && !is_over && !is_early)
}
