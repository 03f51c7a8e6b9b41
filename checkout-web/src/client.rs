//! The two calls of the page, both to its own origin.

use checkout_core::api::pay::PayForm;
use js_sys::{JSON, Reflect};
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortSignal, Headers, RequestInit, Response, Window};

use crate::update::{AMOUNT_REFUSED, PayAnswer, StatusAnswer, TOO_MANY_DECLINES};

/// How long opening a payment may take, in milliseconds: longer than the server gives the gateway.
const PAY_WITHIN: u32 = 45_000;
/// How long the answer to a question may take, in milliseconds.
const STATUS_WITHIN: u32 = 10_000;

/// Sends the pay form.
pub(crate) async fn pay(window: &Window, address: &str, form: &PayForm) -> PayAnswer {
    let init = RequestInit::new();
    init.set_method("POST");
    init.set_body(&form.encode().into());
    let Some(response) = send(window, address, &init, PAY_WITHIN).await else { return PayAnswer::Lost };
    let wait = response.headers().get("retry-after").ok().flatten().and_then(|text| text.parse().ok());
    let is_ok = response.ok();
    let body = read(response).await;
    let text = |name: &str| member(body.as_ref()?, name)?.as_string();
    if is_ok {
        return text("redirect_url").map_or(PayAnswer::Lost, PayAnswer::Redirect);
    }
    let is_about = |field| body.as_ref().and_then(|body| member(&member(body, "errors")?, field)).is_some();
    // An answer without a problem body does not come from the checkout, but from something in front of it.
    match (text("code"), wait) {
        (Some(_), _) if is_about("amount") || is_about("consent") => {
            PayAnswer::Refused(AMOUNT_REFUSED.into())
        }
        (Some(code), Some(seconds)) if code == TOO_MANY_DECLINES => PayAnswer::Wait(seconds),
        (code, _) => PayAnswer::Refused(code.unwrap_or_else(|| "unavailable".into())),
    }
}

/// Asks for the state of the payment; `None` when there is no usable answer.
pub(crate) async fn status(window: &Window, address: &str) -> Option<StatusAnswer> {
    let response = send(window, address, &RequestInit::new(), STATUS_WITHIN).await?;
    if !response.ok() {
        return None;
    }
    let body = read(response).await?;
    let text = |name: &str| member(&body, name)?.as_string();
    Some(StatusAnswer {
        status: text("status")?,
        moved_at: text("moved_at"),
        redirect_url: text("redirect_url"),
    })
}

async fn send(window: &Window, address: &str, init: &RequestInit, within: u32) -> Option<Response> {
    let headers = Headers::new().ok()?;
    headers.set("accept", "application/json").ok()?;
    if !init.get_body().is_undefined() {
        headers.set("content-type", "application/x-www-form-urlencoded").ok()?;
    }
    init.set_headers(&headers);
    init.set_signal(Some(&AbortSignal::timeout_with_u32(within)));
    let response = JsFuture::from(window.fetch_with_str_and_init(address, init)).await.ok()?;
    response.dyn_into().ok()
}

/// The browser's own reader of JSON: the module carries none.
async fn read(response: Response) -> Option<JsValue> {
    let text = JsFuture::from(response.text().ok()?).await.ok()?;
    JSON::parse(&text.as_string()?).ok()
}

/// A member that is there.
fn member(value: &JsValue, name: &str) -> Option<JsValue> {
    let found = Reflect::get(value, &name.into()).ok()?;
    (!found.is_undefined() && !found.is_null()).then_some(found)
}
