//! Calls of the platform that carry much at once (`platform.js`): each crossing from WebAssembly costs more than
//! what it carries.

mod statement;
pub(crate) mod task;
pub(crate) mod units;

use std::cell::RefCell;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use checkout_core::value::time::Timestamp;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::Request;

pub(crate) use self::statement::{Database, Parts, Statement};

#[wasm_bindgen(module = "till-platform")]
extern "C" {
    #[wasm_bindgen(js_name = rows)]
    fn start_rows(database: &JsValue, text: &str, lengths: &[i32]) -> u32;

    #[wasm_bindgen(js_name = batch)]
    fn start_batch(database: &JsValue, text: &str, lengths: &[i32]) -> u32;

    #[wasm_bindgen(js_name = batchRows)]
    fn start_batch_rows(database: &JsValue, text: &str, lengths: &[i32]) -> u32;

    #[wasm_bindgen(js_name = body)]
    fn start_body(request: &Request) -> u32;

    #[wasm_bindgen(js_name = stream)]
    fn start_stream(request: &Request, max: u32) -> u32;

    #[wasm_bindgen(js_name = drain)]
    fn start_drain(request: &Request) -> u32;

    /// Bytes as text in a charset; nothing if they are none, or the charset is unknown.
    #[wasm_bindgen(js_name = decode)]
    fn decode_text(charset: &str, bytes: &[u8]) -> Option<String>;

    #[wasm_bindgen(js_name = pause)]
    fn start_pause(milliseconds: u32) -> u32;

    #[wasm_bindgen(js_name = send, catch)]
    fn start_send(
        method: &str,
        url: &str,
        head: &str,
        body: &[u8],
        milliseconds: u32,
        body_milliseconds: u32,
        max: u32,
    ) -> Result<u32, JsValue>;

    #[wasm_bindgen(js_name = put)]
    fn start_put(files: &JsValue, name: &str, bytes: &[u8]) -> u32;

    #[wasm_bindgen(js_name = remove)]
    fn start_remove(files: &JsValue, name: &str) -> u32;

    #[wasm_bindgen(js_name = get)]
    fn start_get(files: &JsValue, name: &str) -> u32;

    #[wasm_bindgen(js_name = limit)]
    fn start_limit(environment: &JsValue, lines: &str) -> u32;
    #[wasm_bindgen(js_name = cache)]
    fn start_cache(files: &JsValue, name: &str, text: &str, seconds: u32) -> u32;

    #[wasm_bindgen(js_name = ring)]
    fn start_ring(queue: &JsValue, texts: &str, delays: &[u32]) -> u32;

    /// Answers a batch of a queue: the places of the messages that are to come again, with commas between them.
    #[wasm_bindgen(js_name = settleBatch)]
    pub(crate) fn settle_batch(caller: &JsValue, again: &str);

    #[wasm_bindgen(js_name = verify)]
    fn start_verify(algorithm: &str, key: &str, message: &[u8], signature: &[u8]) -> u32;

    /// Answers a caller; `head` has the names and values of the headers, each ended by a line break.
    pub(crate) fn respond(caller: &JsValue, status: u16, head: &str, body: &[u8]);

    /// Writes a data point about a request: its endpoint, the class of its status, and how many milliseconds it took.
    #[wasm_bindgen(js_name = writeDataPoint)]
    pub(crate) fn write_data_point(dataset: &JsValue, route: &str, class: u16, took: u32);

    /// By how many minutes clocks in a time zone are ahead of UTC, so many minutes after 1970; nothing if there is no such zone.
    #[wasm_bindgen(js_name = minutesAhead)]
    fn ask_minutes_ahead(zone: &str, minutes: i32) -> Option<i16>;

    /// Milliseconds since 1970: the lower half of them.
    fn now() -> u32;

    /// The upper half, which changes every 49 days.
    #[wasm_bindgen(js_name = era)]
    fn era() -> u32;
}

/// By how many minutes clocks in a time zone are ahead of UTC at a moment; `None` if there is no such zone.
pub(crate) fn minutes_ahead(zone: &str, at: Timestamp) -> Option<i16> {
    ask_minutes_ahead(zone, i32::try_from(at.seconds().div_euclid(60)).ok()?)
}

/// Milliseconds since 1970. A whole number of this size would cross from JavaScript as a `BigInt`, which is slow.
pub(crate) fn milliseconds() -> i64 {
    let before = era();
    whole_of(before, now(), era)
}

/// The number of which `before` was the upper half just before its lower half was read; `again` reads the upper half.
fn whole_of(before: u32, lower: u32, again: impl FnOnce() -> u32) -> i64 {
    // The lower half began again a moment ago, maybe between the two questions.
    let upper = if lower < 60_000 { again() } else { before };
    (i64::from(upper) << 32) | i64::from(lower)
}

/// The rows that one statement answers, in bytes that `Row::all` reads.
pub(crate) fn rows(database: &Database, statement: &Statement) -> Later {
    Later::of(start_rows(&database.0, &statement.text, &statement.lengths))
}

/// Runs statements as one transaction.
pub(crate) fn batch(database: &Database, all: &Statement) -> Later {
    Later::of(start_batch(&database.0, &all.text, &all.lengths))
}

/// Runs statements as one transaction; the rows of each as the text of a JSON list of lists of rows, each a list of names
/// and cells.
#[cfg(feature = "sandbox")]
pub(crate) fn batch_rows(database: &Database, all: &Statement) -> Later {
    Later::of(start_batch_rows(&database.0, &all.text, &all.lengths))
}

/// Sends texts through a queue, each after so many seconds.
pub(crate) async fn ring(queue: &JsValue, texts: &str, delays: &[u32]) -> Result<(), String> {
    Later::of(start_ring(queue, texts, delays)).await.map(|_| ())
}

/// The whole body of a request.
pub(crate) fn body(request: &Request) -> Later {
    Later::of(start_body(request))
}

/// The body of a request of unknown length; no bytes if there are more than `max`.
pub(crate) fn stream(request: &Request, max: usize) -> Later {
    Later::of(start_stream(request, u32::try_from(max).unwrap_or(u32::MAX)))
}

/// Reads what no one has read of a request, and discards it.
pub(crate) fn drain(request: &Request) -> Later {
    Later::of(start_drain(request))
}

/// Bytes as text in a charset, by its name; `None` if they are none, or the charset is unknown.
pub(crate) fn decode(charset: &str, bytes: &[u8]) -> Option<String> {
    decode_text(charset, bytes)
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

/// Sends a request and reads the answer: its status and the names and values of its headers, a line each, and its body.
///
/// # Errors
/// If nothing can be sent.
pub(crate) fn send(sent: &Sent<'_>) -> Result<Later, JsValue> {
    let Sent { method, url, head, body, limits, max } = *sent;
    let of_body = millis(limits.body.unwrap_or(limits.all));
    start_send(method, url, head, body, millis(limits.all), of_body, max).map(Later::of)
}

/// Names and values of headers as `platform.js` takes them, each ended by a line break. One that has a line break itself
/// gets what the platform refuses in its place.
pub(crate) fn lines_of<'a>(headers: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    let mut lines = String::with_capacity(512);
    for (name, value) in headers {
        for line in [name, value] {
            if line.contains('\n') {
                lines.push_str(&line.replace('\n', "\0"));
            } else {
                lines.push_str(line);
            }
            lines.push('\n');
        }
    }
    lines
}

/// Headers from the names and values that `platform.js` gives, a line each.
pub(crate) fn headers_of<'a>(mut lines: impl Iterator<Item = &'a str>) -> Vec<(String, String)> {
    let mut headers = Vec::with_capacity(16);
    while let (Some(name), Some(value)) = (lines.next(), lines.next()) {
        headers.push((name.into(), value.into()));
    }
    headers
}

/// Counts a request by limiters of the environment, given as names and keys, a line each: which of them let it not through,
/// by its place, as text.
pub(crate) fn limit(environment: &JsValue, lines: &str) -> Later {
    Later::of(start_limit(environment, lines))
}

/// Stores a file.
pub(crate) fn put(files: &JsValue, name: &str, bytes: &[u8]) -> Later {
    Later::of(start_put(files, name, bytes))
}

/// Deletes a file.
pub(crate) fn remove(files: &JsValue, name: &str) -> Later {
    Later::of(start_remove(files, name))
}

/// The bytes of a file, if there is one.
pub(crate) fn get(files: &JsValue, name: &str) -> Later {
    Later::of(start_get(files, name))
}

/// Stores a text for a while.
pub(crate) fn cache(files: &JsValue, name: &str, text: &str, life: Duration) -> Later {
    Later::of(start_cache(files, name, text, u32::try_from(life.as_secs()).unwrap_or(u32::MAX)))
}

/// Whether a signature is that of a key, given as a JWK: the text `true` or `false`.
pub(crate) fn verify(algorithm: &str, key: &str, message: &[u8], signature: &[u8]) -> Later {
    Later::of(start_verify(algorithm, key, message, signature))
}

fn millis(duration: Duration) -> u32 {
    u32::try_from(duration.as_millis()).unwrap_or(u32::MAX)
}

/// Waits.
pub(crate) async fn wait(duration: Duration) {
    // It cannot fail.
    let _ = Later::of(start_pause(millis(duration))).await;
}

/// What came of something that takes time: a text, bytes, neither or both.
#[derive(Default)]
pub(crate) struct Settled {
    pub(crate) text: String,
    pub(crate) bytes: Option<Vec<u8>>,
}

enum Entry {
    Waiting(Option<Waker>),
    Done(Result<Settled, String>),
}

thread_local! {
    /// What is under way, by its ticket; there are few.
    static UNDER_WAY: RefCell<Vec<(u32, Entry)>> = const { RefCell::new(Vec::new()) };
}

/// Something of the platform that takes time. It fails with the message of what was thrown.
pub(crate) struct Later(u32);

impl Later {
    fn of(ticket: u32) -> Self {
        UNDER_WAY.with_borrow_mut(|all| all.push((ticket, Entry::Waiting(None))));
        Self(ticket)
    }
}

impl Future for Later {
    type Output = Result<Settled, String>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        UNDER_WAY.with_borrow_mut(|all| {
            let Some(place) = all.iter().position(|(ticket, _)| *ticket == self.0) else {
                return Poll::Pending;
            };
            if let Some((_, Entry::Waiting(waker))) = all.get_mut(place) {
                *waker = Some(context.waker().clone());
                return Poll::Pending;
            }
            match all.swap_remove(place) {
                (_, Entry::Done(result)) => Poll::Ready(result),
                (_, Entry::Waiting(_)) => Poll::Pending,
            }
        })
    }
}

impl Drop for Later {
    fn drop(&mut self) {
        let entry = UNDER_WAY.with_borrow_mut(|all| {
            let place = all.iter().position(|(ticket, _)| *ticket == self.0)?;
            Some(all.swap_remove(place))
        });
        // A waker may be the last that knows its task, which may wait for more: nothing is borrowed here.
        drop(entry);
    }
}

/// A text that `platform.js` gives as bytes. JavaScript encodes every text.
pub(crate) fn text_of(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_default()
}

fn end(ticket: u32, result: Result<Settled, String>) {
    let waker = UNDER_WAY.with_borrow_mut(|all| {
        let (_, entry) = all.iter_mut().find(|(known, _)| *known == ticket)?;
        match std::mem::replace(entry, Entry::Done(result)) {
            Entry::Waiting(waker) => waker,
            Entry::Done(_) => None,
        }
    });
    if let Some(waker) = waker {
        task::polling(|| waker.wake());
    }
}

/// `platform.js` says what came of a ticket.
#[wasm_bindgen]
#[expect(unreachable_pub, reason = "the bindings export public functions only")]
pub fn settled(ticket: u32, text: Option<Vec<u8>>, bytes: Option<Vec<u8>>) {
    end(ticket, Ok(Settled { text: text.map(text_of).unwrap_or_default(), bytes }));
}

/// `platform.js` says what was thrown.
#[wasm_bindgen]
#[expect(unreachable_pub, reason = "the bindings export public functions only")]
pub fn failed(ticket: u32, message: Vec<u8>) {
    end(ticket, Err(text_of(message)));
}

#[cfg(test)]
mod tests {
    use super::whole_of;

    #[test]
    fn the_halves_of_a_number_are_joined_even_if_the_lower_began_again_between() {
        let wrong = || 0;
        assert_eq!(whole_of(411, 3_000_000_000, wrong), 411 * 4_294_967_296 + 3_000_000_000);
        assert_eq!(whole_of(411, u32::MAX, wrong), 412 * 4_294_967_296 - 1);
        assert_eq!(whole_of(411, 5, || 412), 412 * 4_294_967_296 + 5);
        assert_eq!(whole_of(412, 5, || 412), 412 * 4_294_967_296 + 5);
    }
}
