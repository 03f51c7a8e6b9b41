//! Encoded words (RFC 2047), by which mail-minded clients write names that are not ASCII.

use alloc::string::String;
use alloc::vec::Vec;

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use super::charset::{self, Decode};

/// Base 64 with or without its padding.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// A text with its encoded words decoded; `None` if it has none, or one that cannot be read.
pub(crate) fn read(text: &str, decode: Decode<'_>) -> Option<String> {
    let mut whole = String::with_capacity(text.len());
    let mut words = Words::default();
    let mut rest = text;
    let mut found = false;
    while let Some((before, word, after)) = next(rest) {
        // White space between two encoded words only separates them.
        if !(found && before.chars().all(char::is_whitespace)) {
            words.end(&mut whole, decode)?;
            whole.push_str(before);
        }
        words.add(&word, &mut whole, decode)?;
        (found, rest) = (true, after);
    }
    words.end(&mut whole, decode)?;
    whole.push_str(rest);
    found.then_some(whole)
}

/// One encoded word.
struct Word<'t> {
    charset: &'t str,
    bytes: Vec<u8>,
}

/// Words that follow each other, whose bytes are put together first: a character may be split between them.
#[derive(Default)]
struct Words<'t> {
    charset: &'t str,
    bytes: Vec<u8>,
}

impl<'t> Words<'t> {
    fn add(&mut self, word: &Word<'t>, whole: &mut String, decode: Decode<'_>) -> Option<()> {
        if !self.charset.eq_ignore_ascii_case(word.charset) {
            self.end(whole, decode)?;
            self.charset = word.charset;
        }
        self.bytes.extend_from_slice(&word.bytes);
        Some(())
    }

    fn end(&mut self, whole: &mut String, decode: Decode<'_>) -> Option<()> {
        let bytes = core::mem::take(&mut self.bytes);
        whole.push_str(&charset::text_of(&bytes, Some(self.charset), decode)?);
        Some(())
    }
}

/// The text before the first encoded word, the word, and the text after it.
fn next(text: &str) -> Option<(&str, Word<'_>, &str)> {
    let mut from = 0;
    loop {
        let start = text.get(from..)?.find("=?")?.checked_add(from)?;
        let inner = text.get(start.checked_add(2)?..)?;
        if let Some((word, after)) = word(inner) {
            return Some((text.get(..start)?, word, after));
        }
        from = start.checked_add(2)?;
    }
}

/// `charset?encoding?text?=`, and what follows.
fn word(inner: &str) -> Option<(Word<'_>, &str)> {
    let (charset, rest) = inner.split_once('?')?;
    let (encoding, rest) = rest.split_once('?')?;
    let (text, after) = rest.split_once("?=")?;
    let bytes = match encoding {
        "B" | "b" => BASE64.decode(text).ok()?,
        "Q" | "q" => quoted(text.as_bytes(), true)?,
        _ => return None,
    };
    let charset = charset.split('*').next().unwrap_or_default();
    (!charset.is_empty()).then_some((Word { charset, bytes }, after))
}

/// Base 64 in lines.
pub(crate) fn base64_lines(text: &[u8]) -> Option<Vec<u8>> {
    let text: Vec<u8> = text.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect();
    BASE64.decode(text).ok()
}

/// Quoted-printable (RFC 2045); in a header an underscore is a space.
pub(crate) fn quoted(text: &[u8], is_header: bool) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    loop {
        rest = match rest {
            [] => return Some(bytes),
            [b'=', b'\r', b'\n', after @ ..] | [b'=', b'\n', after @ ..] if !is_header => after,
            [b'=', high, low, after @ ..] => {
                let digit = |byte: u8| char::from(byte).to_digit(16);
                let byte = digit(*high)?.checked_mul(16)?.checked_add(digit(*low)?)?;
                bytes.push(u8::try_from(byte).ok()?);
                after
            }
            [b'=', ..] => return None,
            [b'_', after @ ..] if is_header => {
                bytes.push(b' ');
                after
            }
            [byte, after @ ..] => {
                bytes.push(*byte);
                after
            }
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Option<String> {
        read(text, &|name, bytes| {
            (name == "iso-8859-1").then(|| bytes.iter().map(|byte| char::from(*byte)).collect())
        })
    }

    #[test]
    fn words_are_decoded_and_the_space_between_two_of_them_is_none() {
        assert_eq!(text("=?utf-8?B?2YHYp9iq2YjYsdip?=.pdf").as_deref(), Some("فاتورة.pdf"));
        assert_eq!(text("=?UTF-8?Q?a_b=2Epdf?=").as_deref(), Some("a b.pdf"));
        assert_eq!(text("=?iso-8859-1*fr?q?=E9t=E9?= x").as_deref(), Some("été x"));
        assert_eq!(text("x =?utf-8?q?a?= =?utf-8?q?b?=\r\n =?iso-8859-1?q?=E9?=").as_deref(), Some("x abé"));
        assert_eq!(
            text("=?utf-8?B?2Q==?= =?utf-8?B?gQ==?=").as_deref(),
            Some("ف"),
            "a character in two words"
        );
        assert_eq!(text("=?utf-8?b?YQ?=").as_deref(), Some("a"), "without padding");
    }

    #[test]
    fn what_is_no_word_is_left_and_what_cannot_be_read_is_none() {
        for other in
            ["", "a.pdf", "=?", "=?utf-8?x?a?=", "=?utf-8?b?a", "=?utf-8?b?*?=", "=?utf-8?q?=f?=", "=??q?a?="]
        {
            assert_eq!(text(other), None, "{other}");
        }
        assert_eq!(text("=?utf-8?q?=FF?="), None, "bytes that are no text");
        assert_eq!(text("=?klingon?q?a?="), None, "an unknown charset");
        assert_eq!(text("=?utf-8?x?a =?utf-8?q?b?=").as_deref(), Some("=?utf-8?x?a b"));
    }

    #[test]
    fn lines_of_base_64_and_quoted_printable() {
        assert_eq!(base64_lines(b"YWJj\r\nZA==\r\n").as_deref(), Some(&b"abcd"[..]));
        assert_eq!(base64_lines(b"%%"), None);
        assert_eq!(quoted(b"a=3D_=\r\nb=\nc", false).as_deref(), Some(&b"a=_bc"[..]));
        assert_eq!(quoted(b"a=", false), None);
    }
}
