//! What a text is made of, and the formats of common kinds of it.

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

/// Whether a text has the form of an e-mail address: 1 to 64 printable characters, one `@`, and a domain of
/// at least two labels of letters, digits and inner hyphens. The caller limits the total length.
#[must_use]
pub fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.split_once('@') else {
        return false;
    };
    let is_local_character = |character: char| {
        !character.is_whitespace()
            && !breaks_a_line(character)
            && !is_bidi_control(character)
            && !matches!(character, '@' | '"' | '<' | '>' | '(' | ')' | '[' | ']' | ',' | ';' | ':' | '\\')
    };
    (1..=64).contains(&local.chars().count())
        && local.chars().all(is_local_character)
        && !local.starts_with('.')
        && !local.ends_with('.')
        && !local.contains("..")
        && domain.contains('.')
        && domain.split('.').all(|label| is_label(label, char::is_alphanumeric))
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
    use alloc::string::String;

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
}
