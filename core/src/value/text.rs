//! What a line of free text may contain, and the formats of host names and slugs.
//!
//! Text of merchants and payers is stored as given and escaped when it is shown. Only characters that no
//! one-line field needs are refused: control characters and line separators. Controls of writing direction
//! stay in storage, because names in Arabic may contain them, and are removed for display next to amounts.

use alloc::borrow::Cow;

use thiserror::Error;

/// Why a text is not one line of allowed length.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum TextError {
    /// More characters than allowed.
    #[error("must be at most {max} characters")]
    TooLong {
        /// The allowed number of characters (Unicode scalar values).
        max: usize,
    },
    /// A control character or a line separator.
    #[error("must not contain control characters or line breaks")]
    ControlCharacter,
}

/// Checks one line of text: at most `max_chars` Unicode scalar values, no control character, no line
/// separator.
///
/// # Errors
/// Length comes before content.
pub fn check_line(text: &str, max_chars: usize) -> Result<(), TextError> {
    if text.chars().count() > max_chars {
        return Err(TextError::TooLong { max: max_chars });
    }
    if text.contains(breaks_a_line) { Err(TextError::ControlCharacter) } else { Ok(()) }
}

/// The text without the controls that embed, override or isolate a writing direction, so that it cannot
/// reorder the amount next to it. The plain marks (U+200E, U+200F, U+061C) stay: they affect no other text.
#[must_use]
pub fn without_bidi_controls(text: &str) -> Cow<'_, str> {
    if text.contains(is_bidi_control) {
        Cow::Owned(text.chars().filter(|character| !is_bidi_control(*character)).collect())
    } else {
        Cow::Borrowed(text)
    }
}

/// Whether a character only says how others are written (the general category Cf of Unicode 16).
#[must_use]
pub(crate) fn is_format(character: char) -> bool {
    matches!(
        character,
        '\u{ad}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{70f}' | '\u{890}'..='\u{891}' | '\u{8e2}'
            | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}'
            | '\u{2066}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{110bd}' | '\u{110cd}'
            | '\u{13430}'..='\u{1343f}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0001}'
            | '\u{e0020}'..='\u{e007f}'
    )
}

/// Whether a character embeds, overrides or isolates a writing direction.
#[must_use]
pub(crate) fn is_bidi_control(character: char) -> bool {
    matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

pub(super) fn breaks_a_line(character: char) -> bool {
    character.is_control() || matches!(character, '\u{2028}' | '\u{2029}')
}

/// Whether a text is a host name of at least two labels in ASCII, each 1 to 63 letters, digits and inner
/// hyphens.
#[must_use]
pub(crate) fn is_host_name(text: &str) -> bool {
    text.len() <= 253
        && text.contains('.')
        && text.split('.').all(|label| is_label(label, |character| character.is_ascii_alphanumeric()))
}

pub(super) fn is_label(label: &str, is_letter_or_digit: fn(char) -> bool) -> bool {
    (1..=63).contains(&label.chars().count())
        && label.chars().all(|character| character == '-' || is_letter_or_digit(character))
        && !label.starts_with('-')
        && !label.ends_with('-')
}

/// Whether a text is a slug: one or more ASCII letters, digits, hyphens and underscores.
#[must_use]
pub(crate) fn is_slug(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_counted_in_characters_not_bytes() {
        assert_eq!(check_line("", 0), Ok(()));
        assert_eq!(check_line("محمد", 4), Ok(()));
        assert_eq!(check_line("محمد", 3), Err(TextError::TooLong { max: 3 }));
        assert_eq!(check_line("👩‍👩‍👧", 5), Ok(()));
    }

    #[test]
    fn a_line_has_no_control_character_and_no_line_break() {
        for text in ["a\0", "\n", "a\r\nb", "\t", "\u{7f}", "\u{85}", "\u{9f}", "\u{2028}", "\u{2029}"] {
            assert_eq!(check_line(text, 10), Err(TextError::ControlCharacter), "{text:?}");
        }
    }

    #[test]
    fn a_line_keeps_controls_of_writing_direction() {
        assert_eq!(check_line("\u{202e}abc\u{202c} \u{2067}د\u{2069}", 10), Ok(()));
    }

    #[test]
    fn display_drops_every_control_of_writing_direction() {
        let all = "a\u{202a}\u{202b}\u{202c}\u{202d}\u{202e}\u{2066}\u{2067}\u{2068}\u{2069}b\u{200f}";
        assert_eq!(without_bidi_controls(all), "ab\u{200f}");
        assert!(matches!(without_bidi_controls("متجر"), Cow::Borrowed("متجر")));
    }

    #[test]
    fn slugs_are_letters_digits_hyphens_and_underscores() {
        assert!(is_slug("credit-card_2"));
        for text in ["", "a b", "a.b", "é", "a/b", "a\n"] {
            assert!(!is_slug(text), "{text:?}");
        }
    }
}
