//! The tokens of device wallets as Adyen wants them, and a merchant session of Apple Pay.

use alloc::borrow::ToOwned;
use alloc::string::String;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;
use serde_json::value::RawValue;

use super::details::words;
use crate::gateway::exchange::Incoming;
use crate::gateway::instrument::WalletPayload;
use crate::gateway::wallet::{SessionAnswer, SessionOrder};
use crate::wire::members::Members;
use crate::wire::object::Object;
use crate::words::Wallet;

/// The longest token of a wallet, in characters.
const MAX_TOKEN_CHARS: usize = 10_000;
/// The most bytes of a session that are passed on.
const MAX_SESSION_BYTES: usize = 16_384;

/// The token of a wallet as it is sent: a JSON text.
pub(super) fn token(wallet: Wallet, payload: &WalletPayload) -> Option<alloc::boxed::Box<RawValue>> {
    let members = Members::of(payload.raw())?;
    let token = match wallet {
        Wallet::ApplePay => apple_token(&members)?,
        Wallet::GooglePay => google_token(&members)?,
    };
    (token.get().len() <= MAX_TOKEN_CHARS).then_some(token)
}

/// `paymentData`, byte for byte, in Base64.
fn apple_token(members: &Members<'_>) -> Option<alloc::boxed::Box<RawValue>> {
    let within = members.get("token").and_then(Members::of);
    let data = members.get("paymentData").or_else(|| within?.get("paymentData"))?;
    let is_object = data.get().starts_with('{');
    let text = is_object.then(|| alloc::format!("\"{}\"", STANDARD.encode(data.get())))?;
    RawValue::from_string(text).ok()
}

/// The text that Google made for the gateway, as it is written in the payload.
fn google_token(members: &Members<'_>) -> Option<alloc::boxed::Box<RawValue>> {
    let method = Members::of(members.get("paymentMethodData")?)?;
    let tokenization = Members::of(method.get("tokenizationData")?)?;
    let token = tokenization.get("token")?;
    token.get().starts_with('"').then(|| token.to_owned())
}

/// The request for a session, in the wire format.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct AdyenSessionRequest<'a> {
    display_name: &'a str,
    domain_name: &'a str,
    merchant_identifier: &'a str,
}

impl<'a> AdyenSessionRequest<'a> {
    pub(super) fn of(order: &'a SessionOrder) -> Self {
        Self {
            display_name: &order.shop_name,
            domain_name: &order.domain,
            merchant_identifier: &order.merchant_id,
        }
    }
}

/// The session, if Adyen answers with one: an object in Base64.
pub(super) fn read_session(answer: &Incoming) -> SessionAnswer {
    let issued = if matches!(answer.status, 200 | 201) { session(&answer.body) } else { None };
    issued.map_or_else(
        || {
            let message = Object::read(&answer.body, |error| error.optional_text("message")).flatten();
            SessionAnswer::Refused(words(message.as_deref()))
        },
        SessionAnswer::Issued,
    )
}

fn session(body: &[u8]) -> Option<String> {
    let data = Object::read(body, |answer| answer.text("data"))?;
    let bytes = STANDARD.decode(data).ok().filter(|bytes| bytes.len() <= MAX_SESSION_BYTES)?;
    Members::read(&bytes).ok()?;
    String::from_utf8(bytes).ok()
}
