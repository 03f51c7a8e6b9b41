//! The value of a header with parameters, such as `form-data; name="a"`, as clients write it: parameters in any
//! case, as tokens or in quotes, in several pieces or in a charset of their own (RFC 2231, 5987, 8187), with
//! encoded words (RFC 2047), and with percent-encoded characters.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use percent_encoding::percent_decode;

use super::charset::{self, Decode};
use super::encoded_word;

/// The most pieces of a parameter.
const MAX_PIECES: usize = 32;

/// A header that was split.
#[derive(Debug, Default)]
pub(crate) struct HeaderParameters {
    /// What stands before the parameters, in lower case.
    pub(crate) essence: String,
    /// Names in lower case, and values without their quotes.
    list: Vec<(String, Vec<u8>)>,
}

impl HeaderParameters {
    /// Splits the value of a header.
    pub(crate) fn of(header: &[u8]) -> Self {
        let (essence, mut rest) = until(header, |byte| byte == b';');
        let mut list = Vec::new();
        while let Some(after) = rest.strip_prefix(b";") {
            let (name, after) = until(after, |byte| matches!(byte, b';' | b'='));
            let Some(after) = after.strip_prefix(b"=") else {
                rest = after;
                continue;
            };
            let (value, after) = value_of(after.trim_ascii_start());
            list.push((lower(name), value));
            rest = until(after, |byte| byte == b';').1;
        }
        Self { essence: lower(essence), list }
    }

    /// The bytes of a parameter.
    pub(crate) fn bytes(&self, name: &str) -> Option<&[u8]> {
        self.list.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_slice())
    }

    /// A parameter that is ASCII, such as the name of a charset.
    pub(crate) fn ascii(&self, name: &str) -> Option<&str> {
        self.bytes(name).and_then(|value| core::str::from_utf8(value).ok()).filter(|text| text.is_ascii())
    }

    /// A parameter that a person may have written. One that says its charset (`name*`) is better than one that
    /// does not.
    ///
    /// # Errors
    /// If it is given, and no text in its charset.
    pub(crate) fn text(
        &self,
        name: &str,
        charset: Option<&str>,
        decode: Decode<'_>,
    ) -> Option<Result<String, NotText>> {
        let whole = self.bytes(&[name, "*"].concat()).and_then(|value| extended(value, decode));
        if let Some(text) = whole.or_else(|| self.pieces(name, decode)) {
            return Some(Ok(text));
        }
        let value = self.bytes(name)?;
        let Some(text) = charset::text_of(value, charset, decode) else { return Some(Err(NotText)) };
        Some(Ok(encoded_word::read(&text, decode).unwrap_or_else(|| without_escapes(&text))))
    }

    /// A parameter in pieces: `name*0`, `name*1*`, …
    fn pieces(&self, name: &str, decode: Decode<'_>) -> Option<String> {
        let mut charset = None;
        let mut bytes = Vec::new();
        for place in 0..MAX_PIECES {
            let plain = alloc::format!("{name}*{place}");
            if let Some(piece) = self.bytes(&plain) {
                bytes.extend_from_slice(piece);
                continue;
            }
            let Some(mut piece) = self.bytes(&[&plain, "*"].concat()) else { break };
            if place == 0 {
                let (name, rest) = charset_of(piece)?;
                (charset, piece) = (Some(name), rest);
            }
            bytes.extend(percent_decode(piece));
        }
        if bytes.is_empty() { None } else { charset::text_of(&bytes, charset, decode) }
    }
}

/// The bytes of a parameter are no text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct NotText;

/// `charset'language'percent-encoded` (RFC 8187).
fn extended(value: &[u8], decode: Decode<'_>) -> Option<String> {
    let (charset, rest) = charset_of(value)?;
    let bytes: Vec<u8> = percent_decode(rest).collect();
    charset::text_of(&bytes, Some(charset), decode)
}

fn charset_of(value: &[u8]) -> Option<(&str, &[u8])> {
    let (charset, rest) = until(value, |byte| byte == b'\'');
    let (_, rest) = until(rest.strip_prefix(b"'")?, |byte| byte == b'\'');
    Some((core::str::from_utf8(charset).ok()?, rest.strip_prefix(b"'")?))
}

/// A value, and what follows. In quotes only a quote and a backslash can be escaped, because many clients write
/// the path of a file as it is.
fn value_of(text: &[u8]) -> (Vec<u8>, &[u8]) {
    let Some(quoted) = text.strip_prefix(b"\"") else {
        let (token, rest) = until(text, |byte| byte == b';');
        return (token.trim_ascii().to_vec(), rest);
    };
    let mut value = Vec::with_capacity(quoted.len().min(128));
    let mut rest = quoted;
    loop {
        rest = match rest {
            [] => break,
            [b'"', after @ ..] => return (value, after),
            [b'\\', escaped @ (b'"' | b'\\'), after @ ..] => {
                // Both are kept of a path, whose last part is what counts.
                if *escaped == b'\\' {
                    value.push(b'\\');
                }
                value.push(*escaped);
                after
            }
            [byte, after @ ..] => {
                value.push(*byte);
                after
            }
        };
    }
    // The quote that seemed escaped was the last one, after a path that ends with a backslash.
    if value.last() == Some(&b'"') {
        value.pop();
    }
    (value, rest)
}

/// What clients write for characters that cannot be in quotes: browsers percent-encode three of them, some
/// libraries the whole value as in an address. One that has characters no address has is the former.
fn without_escapes(text: &str) -> String {
    if !text.contains('%') {
        return text.to_string();
    }
    let mut parts = text.split('%').skip(1);
    let is_digit = |byte: &u8| byte.is_ascii_hexdigit();
    let is_escape = |part: &str| part.as_bytes().get(..2).is_some_and(|digits| digits.iter().all(is_digit));
    if text.bytes().all(|byte| byte.is_ascii_graphic()) && parts.all(is_escape) {
        let bytes: Vec<u8> = percent_decode(text.as_bytes()).collect();
        if let Ok(text) = String::from_utf8(bytes) {
            return text;
        }
    }
    let text = text.replace("%22", "\"").replace("%0D", "\r");
    text.replace("%0d", "\r").replace("%0A", "\n").replace("%0a", "\n")
}

fn until(bytes: &[u8], is_end: impl Fn(u8) -> bool) -> (&[u8], &[u8]) {
    let end = bytes.iter().position(|byte| is_end(*byte)).unwrap_or(bytes.len());
    bytes.split_at_checked(end).unwrap_or((bytes, &[]))
}

fn lower(name: &[u8]) -> String {
    name.trim_ascii().iter().map(|byte| char::from(byte.to_ascii_lowercase())).collect()
}

#[cfg(test)]
mod tests;
