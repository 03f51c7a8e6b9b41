//! Writing JSON that is answered, sent and stored.

use alloc::string::{String, ToString};

use serde::Serialize;
use serde_json::Value;

/// A value has no JSON text, which is a fault of ours: nothing stores, sends or answers it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{}", Self::WORDS)]
pub struct Unwritten;

impl Unwritten {
    /// What is said of it.
    pub const WORDS: &'static str = "a value could not be written as JSON";
}

/// The JSON text of a value.
///
/// # Errors
/// [`Unwritten`] if it has none, as a map whose keys are no texts.
pub fn write(value: &(impl Serialize + ?Sized)) -> Result<String, Unwritten> {
    serde_json::to_string(value).map_err(|_| Unwritten)
}

/// The JSON text of a text, or of a list of texts. They always have one.
pub fn write_texts(texts: impl Into<Value>) -> String {
    texts.into().to_string()
}

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeMap;

    use super::*;

    #[test]
    fn what_has_no_text_is_written_as_none() {
        let keys_are_lists = BTreeMap::from([([1, 2], "value")]);
        assert_eq!(write(&keys_are_lists), Err(Unwritten));
        assert_eq!(write(&BTreeMap::from([("key", 1)])).as_deref(), Ok("{\"key\":1}"));
    }

    #[test]
    fn texts_are_written_as_any_value() {
        let hostile = "\"\\\u{7f}\u{0}\n<é";
        assert_eq!(Ok(write_texts(hostile)), write(hostile));
        assert_eq!(Ok(write_texts([hostile, ""].to_vec())), write(&[hostile, ""]));
    }
}
