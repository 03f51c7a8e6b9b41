//! The one path to the API: a limit of time, and an answer read as far as every caller needs it.

use std::future::Future;
use std::pin::Pin;

use js_sys::{Array, JSON, Promise};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{AbortSignal, Headers, RequestInit, RequestRedirect, Response};

use crate::json::{JSON_BODY, member};

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(catch)]
    fn fetch(address: &str, init: &RequestInit) -> Result<Promise, JsValue>;
}

/// A call.
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) address: String,
    /// The type of a body and the body, if it posts.
    pub(crate) body: Option<(&'static str, String)>,
    /// How long it may take, in milliseconds.
    pub(crate) within: u32,
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) is_ok: bool,
    /// After how many seconds the call may succeed.
    pub(crate) wait: Option<u64>,
    /// Its body as it came.
    pub(crate) text: String,
    /// Its body, if it is JSON.
    body: JsValue,
}

pub(crate) const FORM_BODY: &str = "application/x-www-form-urlencoded";

/// Makes a call, and hands over its answer, or nothing if none arrived. Each caller has a closure instead of a future of its own,
/// so that the module has this one future, a tenth of its size.
pub(crate) fn send(call: Call, then: Box<dyn FnOnce(Option<Answer>)>) {
    let future: Pin<Box<dyn Future<Output = ()>>> = Box::pin(async move { then(ask(call).await) });
    spawn_local(future);
}

/// What is sent is sent to this address only.
async fn ask(call: Call) -> Option<Answer> {
    let init = RequestInit::new();
    let headers = Headers::new().ok()?;
    headers.set("accept", JSON_BODY).ok()?;
    if let Some((kind, body)) = call.body {
        init.set_method("POST");
        init.set_body(&body.into());
        headers.set("content-type", kind).ok()?;
    }
    init.set_headers(&headers);
    init.set_redirect(RequestRedirect::Error);
    init.set_signal(Some(&AbortSignal::timeout_with_u32(call.within)));
    let sent = fetch(&call.address, &init).ok()?;
    let response: Response = JsFuture::from(sent).await.ok()?.dyn_into().ok()?;
    let text = JsFuture::from(response.text().ok()?).await.ok()?.as_string()?;
    let wait = response.headers().get("retry-after").ok().flatten().and_then(|text| text.parse().ok());
    let body = JSON::parse(&text).unwrap_or_default();
    Some(Answer { is_ok: response.ok(), wait, text, body })
}

impl Answer {
    /// The text in a member.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        member(&self.body, name)?.as_string()
    }

    /// The texts in a list.
    pub(crate) fn texts(&self, name: &str) -> Vec<String> {
        let list = self.member(name).and_then(|list| list.dyn_into::<Array>().ok()).unwrap_or_default();
        list.iter().filter_map(|text| text.as_string()).collect()
    }

    /// A member. The browser's own reader of JSON has read it: the module carries none.
    pub(crate) fn member(&self, name: &str) -> Option<JsValue> {
        member(&self.body, name)
    }
}
