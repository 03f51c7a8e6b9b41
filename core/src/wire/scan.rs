//! One JSON object or list (RFC 8259) into its parts, each as it is written.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// Takes the members of an object in the order of the text.
pub type Take<'t, 'a> = dyn FnMut(Cow<'a, str>, &'a RawValue) + 't;

/// Passes every member of one object to `take`; whether the body is one object in UTF-8.
#[must_use]
pub(super) fn read<'a>(body: &'a [u8], take: &mut Take<'_, 'a>) -> bool {
    let Ok(text) = core::str::from_utf8(body) else { return false };
    if !text.trim_ascii_start().starts_with('{') {
        return false;
    }
    let mut source = serde_json::Deserializer::from_str(text);
    Each(take).deserialize(&mut source).and_then(|()| source.end()).is_ok()
}

/// The items of a list; `None` for another value.
#[must_use]
pub fn items(raw: &RawValue) -> Option<Vec<&RawValue>> {
    serde_json::from_str(raw.get()).ok()
}

/// The text of a value, borrowed if it has no escapes; `None` for another type, and for half of a surrogate
/// pair.
#[must_use]
pub fn text_of(raw: &RawValue) -> Option<Cow<'_, str>> {
    let json = raw.get();
    let inner = json.strip_prefix('"')?.strip_suffix('"')?;
    if inner.bytes().any(|byte| byte == b'\\') {
        serde_json::from_str::<String>(json).map(Cow::Owned).ok()
    } else {
        Some(Cow::Borrowed(inner))
    }
}

struct Each<'f, 't, 'a>(&'f mut Take<'t, 'a>);

impl<'a> DeserializeSeed<'a> for Each<'_, '_, 'a> {
    type Value = ();

    fn deserialize<D: Deserializer<'a>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'a> Visitor<'a> for Each<'_, '_, 'a> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some((Name(name), raw)) = map.next_entry()? {
            (self.0)(name, raw);
        }
        Ok(())
    }
}

/// A name, borrowed if it has no escapes.
struct Name<'a>(Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Name<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Borrow;

        impl<'de> Visitor<'de> for Borrow {
            type Value = Cow<'de, str>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a name")
            }

            fn visit_borrowed_str<E>(self, name: &'de str) -> Result<Self::Value, E> {
                Ok(Cow::Borrowed(name))
            }

            fn visit_str<E>(self, name: &str) -> Result<Self::Value, E> {
                Ok(Cow::Owned(name.into()))
            }
        }

        deserializer.deserialize_str(Borrow).map(Name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The members in the order of the text, as `name=value`.
    fn members(body: &str) -> Option<Vec<String>> {
        let mut found = Vec::new();
        read(body.as_bytes(), &mut |name, raw| found.push(alloc::format!("{name}={}", raw.get())))
            .then_some(found)
    }

    #[test]
    fn every_member_is_passed_on_as_it_is_written() {
        let body = r#" {"a": 1, "\u0062": [ 2], "a": null} "#;
        assert_eq!(members(body), Some(["a=1", "b=[ 2]", "a=null"].map(String::from).into()));
        assert_eq!(members("{}"), Some(Vec::new()));
        for body in ["", "[]", "null", "{", "{}}", "{\"a\":1,}", "{\"a\":01}", "\u{feff}{}"] {
            assert_eq!(members(body), None, "{body}");
        }
        assert!(!read(b"{\"x\":\"\xff\"}", &mut |_, _| ()));
    }

    #[test]
    fn a_text_is_unescaped_and_a_list_split() {
        let raw = |json: &'static str| serde_json::from_str::<&RawValue>(json).unwrap();
        assert_eq!(text_of(raw(r#""a""#)).as_deref(), Some("a"));
        assert_eq!(text_of(raw(r#""\u00e4\n""#)).as_deref(), Some("\u{e4}\n"));
        assert_eq!((text_of(raw(r#""\ud800""#)), text_of(raw("1"))), (None, None));
        let parts: Option<Vec<&str>> =
            items(raw("[1, [2], \"3\"]")).map(|items| items.iter().map(|raw| raw.get()).collect());
        assert_eq!(parts, Some(["1", "[2]", "\"3\""].into()));
        assert!(items(raw("{}")).is_none());
    }
}
