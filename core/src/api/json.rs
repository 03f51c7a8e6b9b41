//! Reading the body of a request that is one JSON object in UTF-8 (RFC 8259; specification, Checkout operations).
//!
//! Of a name that stands twice the last one counts: in the body, in the objects within it, and in a form.

use alloc::collections::BTreeMap;

use serde::Deserialize;
use serde::de::value::MapDeserializer;
use serde_json::value::RawValue;

use crate::api::members::Members;
use crate::rejection::Rejection;

/// Reads the members of one object into `T`, whose fields are raw.
///
/// # Errors
/// [`Rejection::MalformedBody`] for anything but one JSON object, and for bytes that are not UTF-8.
pub fn object<'a, T: Deserialize<'a>>(body: &'a [u8]) -> Result<T, Rejection> {
    let malformed = |_| Rejection::MalformedBody;
    let text = core::str::from_utf8(body).map_err(|_| Rejection::MalformedBody)?;
    if !text.trim_ascii_start().starts_with('{') {
        return Err(Rejection::MalformedBody);
    }
    // A derived reader takes no name twice: what it refuses is read again, slower, by the last of each name.
    serde_json::from_str(text).or_else(|_| {
        let members: Members<'a> = serde_json::from_str(text).map_err(malformed)?;
        let last: BTreeMap<&str, &'a RawValue> = members.all().collect();
        T::deserialize(MapDeserializer::new(last.into_iter())).map_err(malformed)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Default, Deserialize)]
    #[serde(default)]
    struct Record<'a> {
        #[serde(borrow)]
        amount: Option<&'a RawValue>,
        #[serde(borrow, rename = "type")]
        kind: Option<&'a RawValue>,
    }

    fn read(text: &str) -> (Option<&str>, Option<&str>) {
        let record: Record<'_> = object(text.as_bytes()).unwrap();
        (record.amount.map(RawValue::get), record.kind.map(RawValue::get))
    }

    #[test]
    fn the_last_of_a_name_counts_even_where_it_is_null() {
        assert_eq!(read(r#"{"amount": 1, "type": "a", "amount": "2"}"#), (Some("\"2\""), Some("\"a\"")));
        assert_eq!(read(r#"{"amount": 1, "\u0061mount": 2}"#), (Some("2"), None));
        assert_eq!(read(r#"{"amount": 1, "amount": null, "x": 1, "x": 2}"#), (None, None));
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
            assert_eq!(object::<Record<'_>>(body).unwrap_err(), Rejection::MalformedBody, "{body:?}");
        }
    }
}
