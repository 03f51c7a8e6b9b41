//! What a nested JSON value may contain if it is stored and passed on as it was written.
//!
//! The text is known to be JSON. What is checked here is what would break a reader behind us: too many
//! levels, and escapes that are no Unicode character.

use crate::violation::Rule;

/// The most levels of objects and lists.
pub const MAX_DEPTH: usize = 32;

/// Checks a JSON text.
///
/// # Errors
/// [`Rule::TooDeep`] for more than [`MAX_DEPTH`] levels, [`Rule::NotUnicode`] for half of a surrogate pair.
pub fn check(json: &str) -> Result<(), Rule> {
    let mut bytes = json.bytes();
    let mut depth: usize = 0;
    while let Some(byte) = bytes.next() {
        match byte {
            b'{' | b'[' => {
                depth = depth.saturating_add(1);
                if depth > MAX_DEPTH {
                    return Err(Rule::TooDeep { max: MAX_DEPTH });
                }
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            b'"' => check_text(&mut bytes)?,
            _ => {}
        }
    }
    Ok(())
}

/// Reads to the end of a string.
fn check_text(bytes: &mut impl Iterator<Item = u8>) -> Result<(), Rule> {
    // Whether the last thing read was the first half of a surrogate pair.
    let mut is_half = false;
    while let Some(byte) = bytes.next() {
        let unit = match byte {
            b'\\' => match bytes.next() {
                Some(b'u') => Some(code_unit(bytes)),
                Some(_) | None => None,
            },
            b'"' => return if is_half { Err(Rule::NotUnicode) } else { Ok(()) },
            _ => None,
        };
        let is_second = matches!(unit, Some(0xDC00..=0xDFFF));
        if is_half != is_second {
            return Err(Rule::NotUnicode);
        }
        is_half = matches!(unit, Some(0xD800..=0xDBFF));
    }
    Ok(())
}

/// The four hex digits of an escape.
fn code_unit(bytes: &mut impl Iterator<Item = u8>) -> u32 {
    bytes.take(4).fold(0, |unit: u32, digit| {
        let digit = char::from(digit).to_digit(16).unwrap_or(0);
        unit.wrapping_mul(16).wrapping_add(digit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;

    #[test]
    fn thirty_two_levels_are_taken_and_one_more_is_not() {
        let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        assert_eq!(check(&nested(32)), Ok(()));
        assert_eq!(check(&nested(33)), Err(Rule::TooDeep { max: 32 }));
    }

    #[test]
    fn brackets_inside_texts_do_not_count() {
        assert_eq!(check(&format!(r#"{{"a":"{}\"["}}"#, "[".repeat(100))), Ok(()));
    }

    #[test]
    fn a_pair_of_surrogates_is_a_character_and_half_of_one_is_not() {
        assert_eq!(check(r#"{"a":"\ud83d\ude00 \\ud800"}"#), Ok(()));
        for half in [r"\ud83d", r"\ude00", r"\ud83dx", r"\ud83d\ud83d\ude00", r"\ud83d\n", r"\uDC00\uD800"] {
            assert_eq!(check(&format!(r#"["{half}"]"#)), Err(Rule::NotUnicode), "{half}");
        }
    }
}
