//! Reading the body of a request that is one JSON object in UTF-8 (RFC 8259).
//!
//! If a name occurs twice, the last one counts: in the body, in the objects within it, and in a form. All
//! bodies go through one reader, which is compiled once.

use alloc::string::String;

use serde_json::value::RawValue;

use super::scan;
pub use super::scan::{Take, items, text_of};
use crate::rejection::Rejection;
use crate::violation::{Rule, Violation};

/// The most characters of a name that is repeated in an answer.
const MAX_NAMED: usize = 64;

/// Passes every member of one object to `take`.
///
/// # Errors
/// [`Rejection::MalformedBody`] for anything other than one JSON object, and for bytes that are not UTF-8.
pub fn read<'a>(body: &'a [u8], take: &mut Take<'_, 'a>) -> Result<(), Rejection> {
    if scan::read(body, take) { Ok(()) } else { Err(Rejection::MalformedBody) }
}

/// Checks that a body that would be one object is UTF-8.
///
/// # Errors
/// [`Rejection::NotUtf8`] with the member in which the first other bytes are; [`Rejection::MalformedBody`] if
/// there is none.
pub(crate) fn check_utf_8(body: &[u8]) -> Result<(), Rejection> {
    let Err(error) = core::str::from_utf8(body) else { return Ok(()) };
    let named = name_of_bytes_at(error.valid_up_to(), body).map(|name| Violation::new(name, Rule::NotUtf8));
    Err(named.map_or(Rejection::MalformedBody, Rejection::NotUtf8))
}

/// The member that has the byte at `place`. Bytes that are no UTF-8 are replaced to find it, and for nothing else.
fn name_of_bytes_at(place: usize, body: &[u8]) -> Option<String> {
    let mut readable = body.to_vec();
    while let Err(error) = core::str::from_utf8(&readable) {
        let (start, length) = (error.valid_up_to(), error.error_len().unwrap_or(usize::MAX));
        readable.iter_mut().skip(start).take(length).for_each(|byte| *byte = b'?');
    }
    let mut found = None;
    let is_object = scan::read(&readable, &mut |name, raw| {
        let start = raw.get().as_ptr().addr().saturating_sub(readable.as_ptr().addr());
        if (start..start.saturating_add(raw.get().len())).contains(&place) {
            found = Some(name.into_owned());
        }
    });
    found.filter(|name| is_object && name.chars().nth(MAX_NAMED).is_none())
}

/// A body whose fields have names.
pub trait NamedBody {
    /// The names of its fields, as they are in the body.
    const NAMES: &'static [&'static str];
    /// What is said of each of them, in the same order.
    const ABOUT: &'static [&'static [&'static str]];
}

/// Declares a body whose fields are raw, by the names of their members, and how it is read. `null` reads as
/// absent, unknown names are ignored.
macro_rules! record {
    (
        $(#[$meta:meta])*
        $vis:vis struct $record:ident<$a:lifetime> {
            $($(#[doc = $about:literal])* pub $field:ident $(as $name:literal)?,)*
        }
        $($(#[$other:meta])* with $extra:ident: $kind:ty,)*
    ) => {
        $(#[$meta])*
        #[derive(Debug, Default)]
        $vis struct $record<$a> {
            $($(#[doc = $about])* pub $field: Option<&$a serde_json::value::RawValue>,)*
            $($(#[$other])* pub $extra: $kind,)*
        }

        impl $crate::wire::json::NamedBody for $record<'_> {
            const NAMES: &'static [&'static str] = &[$($crate::wire::json::name_of!($field $($name)?),)*];
            const ABOUT: &'static [&'static [&'static str]] = &[$(&[$($about),*],)*];
        }

        impl<$a> $record<$a> {
            /// Reads a JSON body.
            ///
            /// # Errors
            /// [`Rejection::MalformedBody`](crate::rejection::Rejection::MalformedBody) for anything other
            /// than one JSON object.
            $vis fn from_json(body: &$a [u8]) -> Result<Self, crate::rejection::Rejection> {
                let mut record = Self::default();
                $crate::wire::json::read(body, &mut |name, raw| record.take(&name, raw))?;
                Ok(record)
            }

            fn take(&mut self, name: &str, raw: &$a serde_json::value::RawValue) {
                let raw = (raw.get() != "null").then_some(raw);
                $(
                    // Most names differ in length: that is one comparison instead of a call.
                    if name.len() == $crate::wire::json::name_of!($field $($name)?).len()
                        && name == $crate::wire::json::name_of!($field $($name)?)
                    {
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

/// Whether a value is a list without items, which is how PHP writes an object without members too.
pub(crate) fn is_empty_list(raw: &RawValue) -> bool {
    let inner = raw.get().strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    inner.is_some_and(|inner| inner.trim().is_empty())
}

/// The text of a header that may be in quotes, without the quotes and the spaces around it.
#[must_use]
pub(crate) fn unquote(header: &str) -> &str {
    let text = header.trim();
    text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(text)
}

#[cfg(test)]
#[expect(unreachable_pub, reason = "bodies are declared public")]
mod tests {
    use serde_json::value::RawValue;

    use super::*;

    record! {
        /// A body.
        pub struct JsonRecord<'a> {
            /// A field.
            pub amount,
            /// A field whose name is a word of the language.
            pub kind as "type",
        }
    }

    fn read(text: &str) -> (Option<&str>, Option<&str>) {
        let record = JsonRecord::from_json(text.as_bytes()).unwrap();
        (record.amount.map(RawValue::get), record.kind.map(RawValue::get))
    }

    #[test]
    fn the_last_of_a_name_counts_even_where_it_is_null() {
        assert_eq!(read(r#"{"amount": 1, "type": "a", "amount": "2"}"#), (Some("\"2\""), Some("\"a\"")));
        assert_eq!(read(r#"{"amount": 1, "\u0061mount": 2}"#), (Some("2"), None));
        assert_eq!(read(r#"{"amount": 1, "amount": null, "x": 1, "x": 2}"#), (None, None));
        assert_eq!(JsonRecord::NAMES, ["amount", "type"]);
    }

    #[test]
    fn bytes_that_are_no_utf_8_are_refused_by_the_name_of_their_member() {
        for (body, name) in [
            (&b"{\"x\":\"\xff\"}"[..], "x"),
            (b"{\"a\":1,\"x\":{\"b\":\"a\xc3(\"},\"c\":\"\xff\"}", "x"),
            (b"{\"\xc3\xa9\":\"\xe9\"}", "\u{e9}"),
        ] {
            let violation = Violation::new(name, Rule::NotUtf8);
            assert_eq!(check_utf_8(body), Err(Rejection::NotUtf8(violation)), "{body:?}");
        }
        for body in [&b"{\"\xff\":1}"[..], b"{\"x\":\"\xff\"", b"\xff", b"[\"\xff\"]"] {
            assert_eq!(check_utf_8(body), Err(Rejection::MalformedBody), "{body:?}");
        }
        assert_eq!(check_utf_8("{\"é\":\"é\"}".as_bytes()), Ok(()));
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
            assert_eq!(JsonRecord::from_json(body).unwrap_err(), Rejection::MalformedBody, "{body:?}");
        }
    }
}
