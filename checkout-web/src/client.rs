//! The two calls of the page, both to its own origin.

use checkout_core::api::pay::{Form, Redirection, StatusAnswer};
use gloo_net::http::{Request, Response};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use wasm_bindgen::JsValue;
use web_sys::AbortSignal;

use crate::update::{AMOUNT_REFUSED, PayAnswer, TOO_MANY_DECLINES};

/// How long opening a payment may take, in milliseconds: longer than the server gives the gateway.
const PAY_WITHIN: u32 = 45_000;
/// How long the answer to a question may take, in milliseconds.
const STATUS_WITHIN: u32 = 10_000;

/// The members of a problem body that the page reads.
#[derive(Deserialize)]
struct Problem {
    code: String,
    #[serde(default)]
    errors: Errors,
}

/// What is wrong with the fields of the form.
#[derive(Deserialize, Default)]
struct Errors {
    #[serde(default)]
    amount: Option<Vec<String>>,
    #[serde(default)]
    consent: Option<Vec<String>>,
}

/// Sends the pay form.
pub(crate) async fn pay(address: &str, form: &Form) -> PayAnswer {
    let sent = Request::post(address)
        .header("accept", "application/json")
        .header("content-type", "application/x-www-form-urlencoded")
        .abort_signal(Some(&AbortSignal::timeout_with_u32(PAY_WITHIN)))
        .body(form.encode());
    let Ok(request) = sent else { return PayAnswer::Lost };
    let Ok(response) = request.send().await else { return PayAnswer::Lost };
    if response.ok() {
        return read::<Redirection>(response)
            .await
            .map_or(PayAnswer::Lost, |answer| PayAnswer::Redirect(answer.redirect_url));
    }
    let wait = response.headers().get("retry-after").and_then(|text| text.parse().ok());
    // An answer without a problem body does not come from the checkout, but from something in front of it.
    match (read::<Problem>(response).await, wait) {
        (Some(problem), _) if problem.errors.amount.is_some() || problem.errors.consent.is_some() => {
            PayAnswer::Refused(AMOUNT_REFUSED.into())
        }
        (Some(problem), Some(seconds)) if problem.code == TOO_MANY_DECLINES => PayAnswer::Wait(seconds),
        (Some(problem), _) => PayAnswer::Refused(problem.code),
        (None, _) => PayAnswer::Refused("unavailable".into()),
    }
}

/// Asks for the state of the payment; `None` when there is no usable answer.
pub(crate) async fn status(address: &str) -> Option<StatusAnswer> {
    let request = Request::get(address)
        .header("accept", "application/json")
        .abort_signal(Some(&AbortSignal::timeout_with_u32(STATUS_WITHIN)));
    let response = request.send().await.ok()?;
    if response.ok() { read(response).await } else { None }
}

/// The browser's own reader of JSON: the module carries none.
async fn read<T: DeserializeOwned>(response: Response) -> Option<T> {
    let text = response.text().await.ok()?;
    let value: JsValue = js_sys::JSON::parse(&text).ok()?;
    serde_wasm_bindgen::from_value(value).ok()
}
