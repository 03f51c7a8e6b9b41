//! What a text is made of, and the formats of common kinds of it.

pub mod email;

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

/// What one text is made of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Made {
    /// How many Unicode scalar values it has.
    pub chars: usize,
    /// Whether it has a control character (of C0 or C1, or U+007F).
    pub has_control: bool,
    /// Whether it has a line or paragraph separator (U+2028, U+2029).
    pub has_separator: bool,
}

/// What a text is made of.
#[must_use]
pub fn made_of(text: &str) -> Made {
    if text.is_ascii() {
        let has_control = text.bytes().any(|byte| byte < 0x20 || byte == 0x7F);
        return Made { chars: text.len(), has_control, has_separator: false };
    }
    let mut made = Made::default();
    // The two bytes before: a control of C1 is C2 80 to C2 9F, the separators are E2 80 A8 and E2 80 A9.
    let (mut second_last, mut last) = (0, 0);
    for byte in text.bytes() {
        made.chars = made.chars.saturating_add(usize::from(byte & 0xC0 != 0x80));
        made.has_control |= byte < 0x20 || byte == 0x7F || (last == 0xC2 && matches!(byte, 0x80..=0x9F));
        made.has_separator |= second_last == 0xE2 && last == 0x80 && matches!(byte, 0xA8 | 0xA9);
        (second_last, last) = (last, byte);
    }
    made
}

/// Bytes in lower-case hexadecimal digits.
#[must_use]
pub fn hex_of(bytes: impl AsRef<[u8]>) -> String {
    digits_of(bytes.as_ref())
}

#[inline(never)]
fn digits_of(bytes: &[u8]) -> String {
    let mut digits = vec![0; bytes.len().saturating_mul(2)];
    // There is room for two digits of each byte, and digits are a text: neither fails.
    let written = hex::encode_to_slice(bytes, &mut digits);
    written.ok().and_then(|()| String::from_utf8(digits).ok()).unwrap_or_default()
}

/// The digits of a whole number of minor units as an amount in major units with so many decimals: 10250 with three is `10.250`.
#[must_use]
pub fn decimal_of(minor: u64, decimals: u8) -> String {
    let decimals = usize::from(decimals);
    // From the last digit to the first; nothing has more than the 20 digits of the largest number and a point.
    let mut reversed = Vec::with_capacity(24);
    let mut rest = minor;
    for place in 0_usize.. {
        if place > decimals && rest == 0 {
            break;
        }
        if place > 0 && place == decimals {
            reversed.push(b'.');
        }
        // A digit fits into a byte.
        reversed.push(b'0'.saturating_add(u8::try_from(rest % 10).unwrap_or_default()));
        rest /= 10;
    }
    reversed.reverse();
    String::from_utf8(reversed).unwrap_or_default()
}

/// Appends a whole number with zeros before it, so that it has at least so many digits.
pub fn put_padded(text: &mut String, number: u64, digits: usize) {
    let written = decimal_of(number, 0);
    for _ in written.len()..digits {
        text.push('0');
    }
    text.push_str(&written);
}

/// How many UTF-16 code units a text has: its length for JavaScript.
#[must_use]
pub fn units_of(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.encode_utf16().count() }
}

/// Splits a text behind so many UTF-16 code units; `None` if it has fewer, or has one half of a pair there.
#[must_use]
pub fn split_at_units(text: &str, units: usize) -> Option<(&str, &str)> {
    let mut left = units;
    let mut at = 0_usize;
    let bytes = text.as_bytes();
    while left > 0 {
        // Most texts are ASCII, or have long parts that are.
        let next = bytes.get(at..at.saturating_add(8)).filter(|next| left >= 8 && next.is_ascii());
        if next.is_some() {
            (left, at) = (left.saturating_sub(8), at.saturating_add(8));
            continue;
        }
        // How many bytes and code units the character has that begins here.
        let (length, taken) = match bytes.get(at)? {
            0..0x80 => (1, 1),
            0x80..0xE0 => (2, 1),
            0xE0..0xF0 => (3, 1),
            0xF0.. => (4, 2),
        };
        left = left.checked_sub(taken)?;
        at = at.saturating_add(length);
    }
    text.split_at_checked(at)
}

/// Whether a text has nothing that two readers of an address may read differently: control characters, white
/// space of any script, backslashes.
#[must_use]
pub fn is_plain_address(text: &str) -> bool {
    let is_plain = |byte: u8| (0x21..0x7F).contains(&byte) && byte != b'\\';
    text.bytes().all(is_plain)
        || !text.contains(|character: char| {
            character.is_control() || character.is_whitespace() || character == '\\'
        })
}

const HTTPS: &str = "https://";

/// Whether a byte stays as it is in the path and in the query of a serialised address (URL standard, percent-encode sets).
const fn is_path_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(
            byte,
            b'-' | b'.'
                | b'_'
                | b'~'
                | b'!'
                | b'$'
                | b'&'
                | b'('
                | b')'
                | b'*'
                | b'+'
                | b','
                | b';'
                | b'='
                | b':'
                | b'@'
                | b'%'
                | b'/'
        )
}

/// The host of an address over https that is written exactly as the URL standard serialises it, so that parsing it would
/// change nothing. `None` also for rarer addresses of which only a whole parser knows: with a port, a fragment, a numeric
/// host, labels of another script, or dots that may be steps of a path.
#[must_use]
pub fn host_of_serialised(text: &str) -> Option<&str> {
    let (host, path) = text.strip_prefix(HTTPS)?.split_once('/')?;
    let is_host = host.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.'));
    // A last label that begins with a letter is no part of an IPv4 address.
    let is_named = host
        .rsplit('.')
        .next()
        .is_some_and(|label| label.starts_with(|first: char| first.is_ascii_lowercase()));
    let are_labels = host.split('.').all(|label| !label.is_empty() && !label.starts_with("xn--"));
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    let has_steps =
        path.starts_with('.') || path.contains("/.") || path.contains("%2e") || path.contains("%2E");
    let is_unchanged =
        path.bytes().all(is_path_byte) && query.bytes().all(|byte| byte == b'?' || is_path_byte(byte));
    (is_host && is_named && are_labels && !has_steps && is_unchanged).then_some(host)
}

/// Whether a character embeds, overrides or isolates a writing direction.
#[must_use]
pub fn is_bidi_control(character: char) -> bool {
    matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn breaks_a_line(character: char) -> bool {
    character.is_control() || matches!(character, '\u{2028}' | '\u{2029}')
}

/// Whether a text is a host name of at least two labels in ASCII, each 1 to 63 letters, digits and inner
/// hyphens.
#[must_use]
pub fn is_host_name(text: &str) -> bool {
    text.len() <= 253
        && text.contains('.')
        && text.split('.').all(|label| is_label(label, |character| character.is_ascii_alphanumeric()))
}

fn is_label(label: &str, is_letter_or_digit: fn(char) -> bool) -> bool {
    (1..=63).contains(&label.chars().count())
        && label.chars().all(|character| character == '-' || is_letter_or_digit(character))
        && !label.starts_with('-')
        && !label.ends_with('-')
}

/// Whether a text is a slug: one or more ASCII letters, digits, hyphens and underscores.
#[must_use]
pub fn is_slug(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same by the definition of each.
    fn by_characters(text: &str) -> Made {
        Made {
            chars: text.chars().count(),
            has_control: text.chars().any(char::is_control),
            has_separator: text.chars().any(|character| matches!(character, '\u{2028}' | '\u{2029}')),
        }
    }

    #[test]
    fn a_text_is_made_of_what_its_characters_say() {
        let every = (0..=0x30_000).filter_map(char::from_u32);
        for character in every {
            for text in [
                String::from(character),
                alloc::format!("\u{e2}{character}a"),
                alloc::format!("\u{c2}{character}"),
            ] {
                assert_eq!(made_of(&text), by_characters(&text), "{text:?}");
            }
        }
        assert_eq!(made_of(""), Made::default());
    }

    #[test]
    fn an_address_is_plain_without_spaces_controls_and_backslashes() {
        for text in ["", "https://shop.example/a?b=c#d", "https://shop.example/\u{645}"] {
            assert!(is_plain_address(text), "{text:?}");
        }
        for text in ["a b", "a\\b", "a\n", "\u{7f}", "a\u{a0}b", "\u{85}", "\u{2028}", "\u{3000}"] {
            assert!(!is_plain_address(text), "{text:?}");
        }
    }

    #[test]
    fn bytes_are_two_digits_each() {
        assert_eq!(hex_of([]), "");
        assert_eq!(hex_of([0, 1, 0x7f, 0xa0, 0xff]), "00017fa0ff");
        assert_eq!(hex_of("till"), "74696c6c");
    }

    #[test]
    fn an_amount_has_exactly_its_decimals() {
        for (minor, decimals, text) in [
            (0, 0, "0"),
            (7, 0, "7"),
            (1_000, 0, "1000"),
            (0, 2, "0.00"),
            (5, 2, "0.05"),
            (50, 2, "0.50"),
            (100, 2, "1.00"),
            (10_250, 3, "10.250"),
            (999, 3, "0.999"),
            (9_007_199_254_740_991, 4, "900719925474.0991"),
            (u64::MAX, 0, "18446744073709551615"),
            (1, 20, "0.00000000000000000001"),
        ] {
            assert_eq!(decimal_of(minor, decimals), text);
        }
    }

    #[test]
    fn a_number_is_padded_and_never_cut() {
        let padded = |number, digits| {
            let mut text = String::from("a");
            put_padded(&mut text, number, digits);
            text
        };
        assert_eq!(padded(7, 2), "a07");
        assert_eq!(padded(0, 4), "a0000");
        assert_eq!(padded(2026, 4), "a2026");
        assert_eq!(padded(123, 2), "a123");
        assert_eq!(padded(0, 0), "a0");
    }

    #[test]
    fn a_text_is_split_where_javascript_counts() {
        for text in ["", "plain", "\u{645}\u{631}a", "a\u{1F600}b\u{80}", "\u{FFFF}\u{10000}"] {
            assert_eq!(units_of(text), text.encode_utf16().count());
            for (at, _) in text.char_indices().chain([(text.len(), ' ')]) {
                let (before, after) = text.split_at(at);
                assert_eq!(split_at_units(text, units_of(before)), Some((before, after)), "{text:?} at {at}");
            }
            assert_eq!(split_at_units(text, units_of(text) + 1), None);
        }
        assert_eq!(split_at_units("a\u{1F600}", 2), None, "half of a pair");
    }
}
