//! What the page of a shop hands over.

use checkout_core::value::choice::typed_amount;
use js_sys::JSON;
use serde::Serialize;
use serde::de::DeserializeOwned;
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::AbortSignal;

use super::failure::Failure;
use crate::json::is_object;
use crate::quote::Shown;

/// What a payer chose, what they were shown, and what ends the call early.
#[derive(Debug)]
pub(super) struct Given {
    pub(super) amount: Option<String>,
    pub(super) shown: Option<Shown>,
    pub(super) signal: Option<AbortSignal>,
    phone: Option<String>,
    saves_card: Option<bool>,
}

/// The body of a payment.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub(super) struct Body<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) pg_code: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) channel: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) session_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) token: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) amount: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) customer_additional_phone: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) save_card: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) shown_total: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) shown_currency: Option<&'a str>,
}

impl Given {
    /// # Errors
    /// Of an option that is not what it must be.
    pub(super) fn read(options: &JsValue) -> Result<Self, Failure> {
        let signal = member(options, "signal");
        Ok(Self {
            amount: option::<String>(options, "amount")?.as_deref().map(typed_amount),
            shown: option(options, "shown")?,
            signal: match signal {
                Some(signal) => Some(
                    signal.dyn_into().map_err(|_| Failure::invalid("signal", "must be an AbortSignal"))?,
                ),
                None => None,
            },
            phone: option(options, "phone")?,
            saves_card: option(options, "saveCard")?,
        })
    }

    /// The text of a body with what was chosen.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn body(&self, body: Body<'_>) -> Result<String, Failure> {
        let whole = Body {
            amount: self.amount.as_deref(),
            customer_additional_phone: self.phone.as_deref(),
            save_card: self.saves_card,
            shown_total: self.shown.as_ref().and_then(|shown| shown.total.as_deref()),
            shown_currency: self.shown.as_ref().map(|shown| shown.currency.code()),
            ..body
        };
        let text = JSON::stringify(&written(&whole));
        text.map(String::from).map_err(|_| Failure::invalid("options", "cannot be written as JSON"))
    }
}

/// A value for JavaScript, as JSON would have it.
pub(super) fn written<T: Serialize>(value: &T) -> JsValue {
    // Texts and flags can always be written.
    value.serialize(&serde_wasm_bindgen::Serializer::json_compatible()).unwrap_or_default()
}

/// A member that is there.
fn member(of: &JsValue, name: &str) -> Option<JsValue> {
    if !of.is_object() {
        return None;
    }
    crate::json::member(of, name)
}

/// A member, if it is there.
///
/// # Errors
/// If it is not what it must be.
pub(super) fn option<T: DeserializeOwned>(of: &JsValue, name: &str) -> Result<Option<T>, Failure> {
    member(of, name).map(|value| read(value, name)).transpose()
}

/// What was handed over under a name.
///
/// # Errors
/// If it is not what it must be.
pub(super) fn read<T: DeserializeOwned>(value: JsValue, name: &str) -> Result<T, Failure> {
    serde_wasm_bindgen::from_value(value).map_err(|error| Failure::invalid(name, &said_of(&error)))
}

/// What is wrong with a value, without the name of the class of the error.
pub(super) fn said_of(error: &serde_wasm_bindgen::Error) -> String {
    let text = error.to_string();
    text.strip_prefix("Error: ").unwrap_or(&text).into()
}

/// The text of a token: as it is, or that of an object.
///
/// # Errors
/// If it is no JSON object: it could add members to a body.
pub(super) fn token_of(token: &JsValue) -> Result<String, Failure> {
    let text = match token.as_string() {
        Some(text) => text,
        None => JSON::stringify(token).ok().and_then(|text| text.as_string()).unwrap_or_default(),
    };
    if is_object(&text) { Ok(text) } else { Err(Failure::invalid("token", "must be what a wallet returned")) }
}
