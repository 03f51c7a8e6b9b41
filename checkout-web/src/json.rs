//! JSON by the browser's own reader and writer: the module has none.

use js_sys::{JSON, Reflect};
use wasm_bindgen::JsValue;

pub(crate) const JSON_BODY: &str = "application/json";

/// A member that is there.
pub(crate) fn member(value: &JsValue, name: &str) -> Option<JsValue> {
    let found = Reflect::get(value, &name.into()).ok()?;
    (!found.is_undefined() && !found.is_null()).then_some(found)
}

/// Whether a text is one JSON object.
pub(crate) fn is_object(text: &str) -> bool {
    text.trim_start().starts_with('{') && JSON::parse(text).is_ok()
}
