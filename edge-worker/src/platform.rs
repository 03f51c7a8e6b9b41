//! Calls of the platform that carry much at once (`platform.js`): each crossing from WebAssembly costs more than
//! what it carries.

use js_sys::Promise;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use worker::web_sys::Response;

#[wasm_bindgen(module = "/src/platform.js")]
extern "C" {
    /// The rows that one statement answers, as the text of a JSON list of lists.
    pub(crate) fn rows(database: &JsValue, text: &str, lengths: &[i32]) -> Promise;

    /// Runs statements as one transaction.
    pub(crate) fn batch(database: &JsValue, text: &str, lengths: &[i32]) -> Promise;

    /// A response; `head` has the names and values of its headers, each ended by a line break.
    ///
    /// # Errors
    /// If the platform refuses a header.
    #[wasm_bindgen(catch)]
    pub(crate) fn respond(status: u16, head: &str, body: &[u8]) -> Result<Response, JsValue>;
}
