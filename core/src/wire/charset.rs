//! Bytes as text, in the charset that their sender declares.

use alloc::borrow::ToOwned;
use alloc::string::String;

/// Reads bytes in a charset by its name as the web platform knows it (WHATWG Encoding); `None` for an unknown
/// name, and for bytes that are no text in it.
pub type Decode<'d> = &'d dyn Fn(&str, &[u8]) -> Option<String>;

/// The most characters of a charset's name.
const MAX_NAME: usize = 40;
/// Names of UTF-8, and of what is a part of it. Clients that declare ASCII write UTF-8 all the same.
const UTF_8: &[&str] = &["utf-8", "utf8", "us-ascii", "ascii", "unicode-1-1-utf-8"];
/// What decoders write for bytes that are no text.
const REPLACEMENT: char = '\u{fffd}';

/// Bytes as text; UTF-8 if no charset is declared.
pub(crate) fn text_of(bytes: &[u8], charset: Option<&str>, decode: Decode<'_>) -> Option<String> {
    let charset = charset.map(str::trim).filter(|name| !name.is_empty());
    match charset.filter(|name| !UTF_8.iter().any(|known| known.eq_ignore_ascii_case(name))) {
        None => core::str::from_utf8(bytes).ok().map(ToOwned::to_owned),
        Some(name) if name.len() > MAX_NAME => None,
        // A decoder that goes on after an error leaves a mark, which is no text of the sender.
        Some(name) => decode(name, bytes).filter(|text| !text.contains(REPLACEMENT)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_declared_charset_is_decoded_and_utf_8_is_the_default() {
        let decode = |name: &str, bytes: &[u8]| {
            let latin: String = bytes.iter().map(|byte| char::from(*byte)).collect();
            (name == "iso-8859-1").then_some(latin)
        };
        let read = |bytes: &[u8], charset| text_of(bytes, charset, &decode);
        assert_eq!(read(b"\xe9", Some("iso-8859-1")).as_deref(), Some("é"));
        for charset in [None, Some("UTF-8"), Some("us-ascii"), Some(" utf8 "), Some("")] {
            assert_eq!(read("é".as_bytes(), charset).as_deref(), Some("é"), "{charset:?}");
            assert_eq!(read(b"\xe9", charset), None, "{charset:?}");
        }
        assert_eq!(read(b"a", Some("klingon")), None);
        assert_eq!(read(b"a", Some(&"x".repeat(41))), None);
        assert_eq!(text_of(b"a", Some("lossy"), &|_, _| Some("\u{fffd}".into())), None);
    }
}
