//! Reading the body of a request that is one JSON object in UTF-8 (RFC 8259).
//!
//! If a name occurs twice, the last one counts: in the body, in the objects within it, and in a form. All
//! bodies go through one reader, which is compiled once.

use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::rejection::Rejection;

/// Takes the members of an object in the order of the text.
pub type Take<'t, 'a> = dyn FnMut(Cow<'a, str>, &'a RawValue) + 't;

/// Passes every member of one object to `take`.
///
/// # Errors
/// [`Rejection::MalformedBody`] for anything other than one JSON object, and for bytes that are not UTF-8.
pub fn read<'a>(body: &'a [u8], take: &mut Take<'_, 'a>) -> Result<(), Rejection> {
    let text = core::str::from_utf8(body).map_err(|_| Rejection::MalformedBody)?;
    if !text.trim_ascii_start().starts_with('{') {
        return Err(Rejection::MalformedBody);
    }
    let mut source = serde_json::Deserializer::from_str(text);
    let read = Each(take).deserialize(&mut source).and_then(|()| source.end());
    read.map_err(|_| Rejection::MalformedBody)
}

/// The text of a value, borrowed if it has no escapes; `None` for another type, and for half of a surrogate
/// pair.
#[must_use]
pub fn text_of(raw: &RawValue) -> Option<Cow<'_, str>> {
    let json = raw.get();
    let inner = json.strip_prefix('"')?.strip_suffix('"')?;
    if inner.contains('\\') {
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
pub(crate) struct Name<'a>(pub(crate) Cow<'a, str>);

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

/// Declares a body whose fields are raw, by the names of their members, and how it is read. `null` reads as
/// absent, unknown names are ignored.
macro_rules! record {
    (
        $(#[$meta:meta])*
        pub struct $record:ident<$a:lifetime> {
            $($(#[$about:meta])* pub $field:ident $(as $name:literal)?,)*
        }
        $($(#[$other:meta])* beside $beside:ident: $kind:ty,)*
    ) => {
        $(#[$meta])*
        #[derive(Debug, Default)]
        pub struct $record<$a> {
            $($(#[$about])* pub $field: Option<&$a serde_json::value::RawValue>,)*
            $($(#[$other])* pub $beside: $kind,)*
        }

        impl<$a> $record<$a> {
            /// The names of its fields, as they are in the body.
            pub const NAMES: &'static [&'static str] = &[$($crate::wire::json::name_of!($field $($name)?),)*];

            /// Reads a JSON body.
            ///
            /// # Errors
            /// [`Rejection::MalformedBody`](crate::rejection::Rejection::MalformedBody) for anything other
            /// than one JSON object.
            pub fn from_json(body: &$a [u8]) -> Result<Self, crate::rejection::Rejection> {
                let mut record = Self::default();
                $crate::wire::json::read(body, &mut |name, raw| record.take(&name, raw))?;
                Ok(record)
            }

            fn take(&mut self, name: &str, raw: &$a serde_json::value::RawValue) {
                let raw = (raw.get() != "null").then_some(raw);
                $(
                    if name == $crate::wire::json::name_of!($field $($name)?) {
                        self.$field = raw;
                        return;
                    }
                )*
            }
        }
    };
}
pub(crate) use record;

/// The name of the member of a field.
macro_rules! name_of {
    ($field:ident) => {
        stringify!($field)
    };
    ($field:ident $name:literal) => {
        $name
    };
}
pub(crate) use name_of;

/// The text of a header that may be in quotes, without the quotes and the spaces around it.
#[must_use]
pub fn unquote(header: &str) -> &str {
    let text = header.trim();
    text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(text)
}

#[cfg(test)]
#[expect(unreachable_pub, reason = "bodies are declared public")]
mod tests {
    use super::*;

    record! {
        /// A body.
        pub struct Record<'a> {
            /// A field.
            pub amount,
            /// A field whose name is a word of the language.
            pub kind as "type",
        }
    }

    fn read(text: &str) -> (Option<&str>, Option<&str>) {
        let record = Record::from_json(text.as_bytes()).unwrap();
        (record.amount.map(RawValue::get), record.kind.map(RawValue::get))
    }

    #[test]
    fn the_last_of_a_name_counts_even_where_it_is_null() {
        assert_eq!(read(r#"{"amount": 1, "type": "a", "amount": "2"}"#), (Some("\"2\""), Some("\"a\"")));
        assert_eq!(read(r#"{"amount": 1, "\u0061mount": 2}"#), (Some("2"), None));
        assert_eq!(read(r#"{"amount": 1, "amount": null, "x": 1, "x": 2}"#), (None, None));
        assert_eq!(Record::NAMES, ["amount", "type"]);
    }

    #[test]
    fn what_is_not_one_object_is_malformed() {
        for body in [
            &b""[..],
            b" ",
            b"null",
            b"[]",
            b"{",
            b"{}}",
            b"{}x",
            b"\x0c{}",
            b"\xef\xbb\xbf{}",
            b"{\"x\":\"\xff\"}",
        ] {
            assert_eq!(Record::from_json(body).unwrap_err(), Rejection::MalformedBody, "{body:?}");
        }
    }
}
