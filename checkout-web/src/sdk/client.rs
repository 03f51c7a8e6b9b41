//! The calls of a shop's page to Till, over `gloo-net`.

use gloo_net::http::{Method, RequestBuilder, Response};
use js_sys::{Array, Function, JSON, Promise, Reflect};
use serde::de::DeserializeOwned;
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortController, AbortSignal, ReferrerPolicy, RequestCredentials, RequestRedirect, Url};

use super::failure::{Failure, Problem};
use super::given::said_of;
use crate::json::{JSON_BODY, member};

const BASE: &str = "/b/checkout/api/sdk/v1/";
/// How long reading may take, in milliseconds.
const READ_WITHIN: u32 = 20_000;

/// Where calls go, and with which key.
#[derive(Debug)]
pub(super) struct Client {
    origin: String,
    key: Option<String>,
}

/// A call.
#[derive(Debug)]
pub(super) struct Request {
    path: String,
    body: Option<String>,
    within: u32,
}

/// An answer whose body is an object.
#[derive(Debug)]
pub(super) struct Reply {
    pub(super) is_ok: bool,
    pub(super) body: JsValue,
    status: u16,
    retry_after: Option<u32>,
}

impl Request {
    pub(super) fn get(path: String) -> Self {
        Self { path, body: None, within: READ_WITHIN }
    }

    pub(super) fn post(path: String, body: String, within: u32) -> Self {
        Self { path, body: Some(body), within }
    }
}

impl Client {
    /// # Errors
    /// Of an option that is not what it must be.
    pub(super) fn of(origin: &str, key: Option<String>) -> Result<Self, Failure> {
        let url = Url::new(origin).ok().filter(|url| ["https:", "http:"].contains(&url.protocol().as_str()));
        let about = "must be the origin of Till, such as https://pay.example.com";
        let origin = url.ok_or_else(|| Failure::invalid("origin", about))?.origin();
        // A browser throws at anything else in a header.
        if key.as_deref().is_some_and(|key| !key.bytes().all(|byte| byte.is_ascii_graphic())) {
            return Err(Failure::invalid("publicKey", "must be a key of Till"));
        }
        Ok(Self { origin, key })
    }

    /// # Errors
    /// If there is no answer, or none of Till's.
    pub(super) async fn ask(&self, call: Request, signal: Option<&AbortSignal>) -> Result<Reply, Failure> {
        let answer = self.answer(call, signal).await;
        match signal.filter(|signal| signal.aborted()) {
            Some(signal) => Err(Failure::Foreign(signal.reason())),
            None => answer,
        }
    }

    async fn answer(&self, call: Request, signal: Option<&AbortSignal>) -> Result<Reply, Failure> {
        let lost = |error: gloo_net::Error| Failure::unreachable(&error.to_string());
        let limit = limit(call.within, signal).map_err(|_| Failure::unreachable("no limit of time"))?;
        let builder = RequestBuilder::new(&[&self.origin, BASE, &call.path].concat())
            .method(if call.body.is_some() { Method::POST } else { Method::GET })
            .header("accept", JSON_BODY)
            .credentials(RequestCredentials::Omit)
            .referrer_policy(ReferrerPolicy::NoReferrer)
            .redirect(RequestRedirect::Error)
            .abort_signal(Some(&limit));
        let builder = match &self.key {
            Some(key) => builder.header("authorization", &["Api-Key ", key].concat()),
            None => builder,
        };
        let request = match call.body {
            Some(body) => builder.header("content-type", JSON_BODY).body(body),
            None => builder.build(),
        };
        let response = request.map_err(lost)?.send().await.map_err(lost)?;
        let text = response.text().await.map_err(lost)?;
        Reply::of(&response, &text)
    }
}

/// A signal that aborts when the caller's does, or after a time. It is our own, and its reason an error: whatever else a caller
/// aborts with, `gloo-net` takes for a fault of itself.
fn limit(milliseconds: u32, signal: Option<&AbortSignal>) -> Result<AbortSignal, JsValue> {
    let end = AbortController::new()?;
    let abort: Function = Reflect::get(&end, &"abort".into())?.dyn_into()?;
    let first = first_of(milliseconds, signal);
    // Without its own first argument it would take the event for the reason.
    first.set_onabort(Some(abort.bind1(&end, &JsValue::UNDEFINED).unchecked_ref()));
    if first.aborted() {
        end.abort();
    }
    Ok(end.signal())
}

/// A signal that aborts when another does, or after a time.
fn first_of(milliseconds: u32, signal: Option<&AbortSignal>) -> AbortSignal {
    let timer = AbortSignal::timeout_with_u32(milliseconds);
    let either: Array = signal.into_iter().chain([&timer]).collect();
    AbortSignal::any(&either)
}

/// Waits.
///
/// # Errors
/// If the signal aborts before the end.
pub(super) async fn wait(milliseconds: u32, signal: Option<&AbortSignal>) -> Result<(), Failure> {
    let end = first_of(milliseconds, signal);
    if !end.aborted() {
        let over = Promise::new(&mut |done, _| end.set_onabort(Some(&done)));
        // It is never refused.
        let _ = JsFuture::from(over).await;
    }
    match signal.filter(|signal| signal.aborted()) {
        Some(signal) => Err(Failure::Foreign(signal.reason())),
        None => Ok(()),
    }
}

impl Reply {
    fn of(response: &Response, text: &str) -> Result<Self, Failure> {
        let body = JSON::parse(text).unwrap_or_default();
        let status = response.status();
        if !body.is_object() {
            let about = ["status ", &status.to_string(), " without a body of Till"].concat();
            return Err(Failure::unexpected(about));
        }
        let retry_after = response.headers().get("retry-after").and_then(|text| text.parse().ok());
        Ok(Self { is_ok: response.ok(), body, status, retry_after })
    }

    /// Its body.
    ///
    /// # Errors
    /// If it is no such value.
    pub(super) fn read<T: DeserializeOwned>(&self) -> Result<T, Failure> {
        serde_wasm_bindgen::from_value(self.body.clone())
            .map_err(|error| Failure::unexpected(said_of(&error)))
    }

    /// The body of an answer that succeeded.
    ///
    /// # Errors
    /// The refusal.
    pub(super) fn body(self) -> Result<JsValue, Failure> {
        if self.is_ok { Ok(self.body) } else { Err(self.refusal()) }
    }

    /// A member of its body.
    pub(super) fn member(&self, name: &str) -> JsValue {
        member(&self.body, name).unwrap_or_default()
    }

    /// Why the call was refused.
    pub(super) fn refusal(&self) -> Failure {
        match self.read::<Problem>() {
            Ok(problem) => Failure::refused(problem, self.status, self.retry_after),
            Err(foreign) => foreign,
        }
    }
}
