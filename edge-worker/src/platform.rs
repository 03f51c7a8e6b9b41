//! What is asked of the platform that the bindings have no call for, or make dozens of calls of (`platform.js`).

mod cell;

use std::time::Duration;

use checkout_core::value::time::Timestamp;
use js_sys::{Error, Uint8Array};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::Request;

pub(crate) use self::cell::Cell;

#[wasm_bindgen(module = "till-platform")]
extern "C" {
    #[wasm_bindgen(js_name = body, catch)]
    async fn ask_body(request: &Request) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(js_name = stream, catch)]
    async fn ask_stream(request: &Request, max: u32) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(js_name = drain, catch)]
    async fn ask_drain(request: &Request) -> Result<JsValue, JsValue>;

    /// Bytes as text in a charset, by its name; nothing if they are none, or the charset is unknown.
    pub(crate) fn decode(charset: &str, bytes: &[u8]) -> Option<String>;

    #[wasm_bindgen(catch)]
    async fn pause(milliseconds: u32) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(js_name = send, catch)]
    async fn ask_send(
        method: &str,
        url: &str,
        head: &str,
        body: &[u8],
        milliseconds: u32,
        body_milliseconds: u32,
        max: u32,
    ) -> Result<JsValue, JsValue>;

    /// What was answered.
    type Received;
    /// Its status and the names and values of its headers, a line each.
    #[wasm_bindgen(method, getter)]
    fn head(this: &Received) -> String;
    #[wasm_bindgen(method, getter)]
    fn body(this: &Received) -> Option<Vec<u8>>;

    #[wasm_bindgen(js_name = put, catch)]
    async fn ask_put(files: &JsValue, name: &str, bytes: &[u8]) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(js_name = remove, catch)]
    async fn ask_remove(files: &JsValue, name: &str) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(js_name = get, catch)]
    async fn ask_get(files: &JsValue, name: &str) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(js_name = cache, catch)]
    async fn ask_cache(files: &JsValue, name: &str, text: &str, seconds: u32) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(js_name = limit, catch)]
    async fn ask_limit(
        environment: &JsValue,
        names: Vec<String>,
        keys: Vec<String>,
    ) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(js_name = ring, catch)]
    async fn ask_ring(queue: &JsValue, texts: Vec<String>, delays: &[u32]) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(js_name = verify, catch)]
    async fn ask_verify(
        algorithm: &str,
        key: &str,
        message: &[u8],
        signature: &[u8],
    ) -> Result<JsValue, JsValue>;

    /// Answers a batch of a queue: the places of the messages that are to come again.
    #[wasm_bindgen(js_name = settleBatch)]
    pub(crate) fn settle_batch(caller: &JsValue, again: Vec<u32>);

    /// Answers a caller; `head` has the names and values of the headers, each ended by a line break.
    pub(crate) fn respond(caller: &JsValue, status: u16, head: &str, body: &[u8]);

    /// The body of an answer that is sent part by part.
    pub(crate) type Parts;

    /// Answers a caller with a body that is sent part by part.
    #[wasm_bindgen(js_name = respondInParts)]
    pub(crate) fn respond_in_parts(caller: &JsValue, status: u16, head: &str) -> Parts;

    #[wasm_bindgen(js_name = writePart, catch)]
    async fn ask_write_part(parts: &Parts, bytes: &[u8]) -> Result<JsValue, JsValue>;

    /// Ends a body.
    #[wasm_bindgen(js_name = endParts)]
    pub(crate) fn end_parts(parts: &Parts);

    /// Writes a data point about a request: its endpoint, the class of its status, and how many milliseconds it took.
    #[wasm_bindgen(js_name = writeDataPoint)]
    pub(crate) fn write_data_point(dataset: &JsValue, route: &str, class: u16, took: u32);

    /// By how many minutes clocks in a time zone are ahead of UTC, so many minutes after 1970; nothing if there is no such zone.
    #[wasm_bindgen(js_name = minutesAhead)]
    fn ask_minutes_ahead(zone: &str, minutes: i32) -> Option<i16>;
}

/// The message of what was thrown.
fn thrown(error: &JsValue) -> String {
    match error.dyn_ref::<Error>() {
        Some(error) => error.message().into(),
        None => error.as_string().unwrap_or_else(|| format!("{error:?}")),
    }
}

/// The message of an error of the bindings.
pub(crate) fn message_of(error: &worker::Error) -> String {
    if let worker::Error::D1(error) = error {
        let error: &Error = error.as_ref();
        return error.message().into();
    }
    if let worker::Error::UnknownJsError { message, .. } = error {
        return message.clone();
    }
    error.to_string()
}

fn bytes_of(value: JsValue) -> Option<Vec<u8>> {
    value.dyn_into::<Uint8Array>().ok().map(|bytes| bytes.to_vec())
}

/// Sends one more part of a body, as soon as the one before it was taken; fails if its reader has left.
pub(crate) async fn write_part(parts: &Parts, bytes: &[u8]) -> Result<(), String> {
    ask_write_part(parts, bytes).await.map(drop).map_err(|error| thrown(&error))
}

/// By how many minutes clocks in a time zone are ahead of UTC at a moment; `None` if there is no such zone.
pub(crate) fn minutes_ahead(zone: &str, at: Timestamp) -> Option<i16> {
    ask_minutes_ahead(zone, i32::try_from(at.seconds().div_euclid(60)).ok()?)
}

/// Sends texts through a queue, each after so many seconds.
pub(crate) async fn ring(queue: &JsValue, texts: Vec<String>, delays: &[u32]) -> Result<(), String> {
    ask_ring(queue, texts, delays).await.map(drop).map_err(|error| thrown(&error))
}

/// The whole body of a request.
pub(crate) async fn body(request: &Request) -> Result<Option<Vec<u8>>, String> {
    ask_body(request).await.map(bytes_of).map_err(|error| thrown(&error))
}

/// The body of a request of unknown length; no bytes if there are more than `max`.
pub(crate) async fn stream(request: &Request, max: usize) -> Result<Option<Vec<u8>>, String> {
    let max = u32::try_from(max).unwrap_or(u32::MAX);
    ask_stream(request, max).await.map(bytes_of).map_err(|error| thrown(&error))
}

/// Reads what no one has read of a request, and discards it. Whatever breaks here, the answer is known.
pub(crate) async fn drain(request: &Request) {
    let _ = ask_drain(request).await;
}

/// How long an answer may take.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    /// The whole answer.
    pub(crate) all: Duration,
    /// Its body, once its head is there; of one that takes longer, what came until then is taken.
    pub(crate) body: Option<Duration>,
}

/// A request that is sent.
pub(crate) struct Sent<'a> {
    pub(crate) method: &'a str,
    pub(crate) url: &'a str,
    /// The names and values of its headers ([`lines_of`]).
    pub(crate) head: &'a str,
    pub(crate) body: &'a [u8],
    pub(crate) limits: Limits,
    /// How many bytes of its body are read at most.
    pub(crate) max: u32,
}

/// Sends a request and reads the answer: its status and the names and values of its headers, a line each, and its body;
/// `None` if it cannot be sent.
///
/// # Errors
/// With the message of what broke.
pub(crate) async fn send(sent: &Sent<'_>) -> Result<Option<(String, Vec<u8>)>, String> {
    let Sent { method, url, head, body, limits, max } = *sent;
    let of_body = millis(limits.body.unwrap_or(limits.all));
    let answer = ask_send(method, url, head, body, millis(limits.all), of_body, max)
        .await
        .map_err(|error| thrown(&error))?;
    if answer.is_undefined() {
        return Ok(None);
    }
    let received: Received = answer.unchecked_into();
    Ok(Some((received.head(), received.body().unwrap_or_default())))
}

/// Names and values of headers as `platform.js` takes them, each ended by a line break. One that has a line break itself
/// gets what the platform refuses in its place.
pub(crate) fn lines_of<'a>(headers: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    let lines = headers.into_iter().flat_map(|(name, value)| [name, value]);
    lines.map(|line| line.replace('\n', "\0") + "\n").collect()
}

/// Headers from the names and values that `platform.js` gives, a line each.
pub(crate) fn headers_of<'a>(mut lines: impl Iterator<Item = &'a str>) -> Vec<(String, String)> {
    let mut headers = Vec::new();
    while let (Some(name), Some(value)) = (lines.next(), lines.next()) {
        headers.push((name.into(), value.into()));
    }
    headers
}

/// Counts a request by limiters of the environment, by their names, each under its key: the place of the first that lets
/// it not through.
pub(crate) async fn limit(
    environment: &JsValue,
    names: Vec<String>,
    keys: Vec<String>,
) -> Result<Option<usize>, String> {
    let place = ask_limit(environment, names, keys).await.map_err(|error| thrown(&error))?;
    Ok(place.as_string().and_then(|place| place.parse().ok()))
}

/// Stores a file.
pub(crate) async fn put(files: &JsValue, name: &str, bytes: &[u8]) -> Result<(), String> {
    ask_put(files, name, bytes).await.map(drop).map_err(|error| thrown(&error))
}

/// Deletes a file.
pub(crate) async fn remove(files: &JsValue, name: &str) -> Result<(), String> {
    ask_remove(files, name).await.map(drop).map_err(|error| thrown(&error))
}

/// The bytes of a file, if there is one.
pub(crate) async fn get(files: &JsValue, name: &str) -> Result<Option<Vec<u8>>, String> {
    ask_get(files, name).await.map(bytes_of).map_err(|error| thrown(&error))
}

/// Stores a text for a while.
pub(crate) async fn cache(files: &JsValue, name: &str, text: &str, life: Duration) -> Result<(), String> {
    let seconds = u32::try_from(life.as_secs()).unwrap_or(u32::MAX);
    ask_cache(files, name, text, seconds).await.map(drop).map_err(|error| thrown(&error))
}

/// Whether a signature is that of a key, given as a JWK.
pub(crate) async fn verify(
    algorithm: &str,
    key: &str,
    message: &[u8],
    signature: &[u8],
) -> Result<bool, String> {
    let answer = ask_verify(algorithm, key, message, signature).await;
    answer.map(|answer| answer.is_truthy()).map_err(|error| thrown(&error))
}

fn millis(duration: Duration) -> u32 {
    u32::try_from(duration.as_millis()).unwrap_or(u32::MAX)
}

/// Waits.
pub(crate) async fn wait(duration: Duration) {
    // It cannot fail.
    let _ = pause(millis(duration)).await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_break_in_a_header_becomes_what_the_platform_refuses() {
        assert_eq!(lines_of([("a", "1"), ("b", "2\r\nc: 3")]), "a\n1\nb\n2\r\0c: 3\n");
        assert_eq!(lines_of([]), "");
        let headers = headers_of("a\n1\nb\n\nalone".split('\n'));
        assert_eq!(headers, [("a".into(), "1".into()), ("b".into(), String::new())]);
    }
}
