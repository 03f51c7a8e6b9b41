//! Writing JSON that is answered, sent and stored.

use alloc::string::String;

use serde::Serialize;

/// The JSON text of a value. Texts, numbers, flags, lists and JSON that was read always have one. Should a value have none, its
/// text is empty, which no JSON is: nothing stores it, and a reply of it is a fault of the server.
pub fn write(value: &(impl Serialize + ?Sized)) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
