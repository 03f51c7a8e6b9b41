//! The beginning of a receiver's answer, as a merchant sees it in the log of deliveries: bounded, without control characters,
//! and without numbers that may be those of cards.

use alloc::string::String;

use crate::value::text::is_bidi_control;

/// The most characters.
pub const MAX_CHARS: usize = 512;
/// The most bytes of the answer that are looked at: a character has at most four.
const MAX_BYTES: usize = 4 * MAX_CHARS;
/// The fewest digits of a card number (ISO/IEC 7812).
const CARD_DIGITS: usize = 12;
/// What is shown instead of one.
const HIDDEN: &str = "[number]";

/// The excerpt of an answer; `None` if nothing of it can be shown.
#[must_use]
pub fn of(answer: &[u8]) -> Option<String> {
    let beginning = answer.get(..MAX_BYTES).unwrap_or(answer);
    let text = String::from_utf8_lossy(beginning);
    let shown = |character: &char| !character.is_control() && !is_bidi_control(*character);
    let spaced = text.chars().map(|character| if character.is_whitespace() { ' ' } else { character });
    let hidden = without_numbers(spaced.filter(shown));
    let excerpt: String = hidden.trim().chars().take(MAX_CHARS).collect();
    (!excerpt.is_empty()).then_some(excerpt)
}

/// Hides each row of twelve digits or more, also with single spaces, dots or hyphens between them.
fn without_numbers(characters: impl Iterator<Item = char>) -> String {
    let mut done = String::new();
    let mut row = String::new();
    for character in characters {
        let continues = matches!(character, ' ' | '-' | '.') && row.ends_with(char::is_numeric);
        if character.is_numeric() || continues {
            row.push(character);
        } else {
            finish(&mut done, &mut row);
            done.push(character);
        }
    }
    finish(&mut done, &mut row);
    done
}

fn finish(done: &mut String, row: &mut String) {
    let digits = row.chars().filter(|character| character.is_numeric()).count();
    if digits < CARD_DIGITS {
        done.push_str(row);
    } else {
        done.push_str(HIDDEN);
        done.push_str(row.get(row.trim_end_matches([' ', '-', '.']).len()..).unwrap_or_default());
    }
    row.clear();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excerpt_has_at_most_512_characters() {
        assert_eq!(of("é".repeat(5_000).as_bytes()).unwrap().chars().count(), MAX_CHARS);
        assert_eq!(of("x".repeat(512).as_bytes()).unwrap(), "x".repeat(512));
    }

    #[test]
    fn control_characters_and_bidi_controls_are_removed() {
        let answer = "a\u{0}b\u{1b}[31m\r\nc\u{202e}d\u{2066}e";
        assert_eq!(of(answer.as_bytes()).unwrap(), "ab[31m  cde");
        assert_eq!(of(b"\xff\xfe ok").unwrap(), "\u{fffd}\u{fffd} ok");
    }

    #[test]
    fn what_may_be_a_card_number_is_hidden() {
        for (answer, expected) in [
            ("card 4111111111111111 refused", "card [number] refused"),
            ("card 4111 1111 1111 1111 refused", "card [number] refused"),
            ("card 4111-1111-1111-1111.", "card [number]."),
            ("{\"pan\":\"378282246310005\"}", "{\"pan\":\"[number]\"}"),
            ("order 12345678901 stays", "order 12345678901 stays"),
            ("٤١١١١١١١١١١١١١١١", "[number]"),
            ("2026-11-21 ok", "2026-11-21 ok"),
        ] {
            assert_eq!(of(answer.as_bytes()).as_deref(), Some(expected));
        }
    }

    #[test]
    fn an_answer_without_a_text_has_no_excerpt() {
        for answer in [&b""[..], b" \r\n\t", b"\x00\x01"] {
            assert_eq!(of(answer), None);
        }
    }
}
