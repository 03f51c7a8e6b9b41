//! Lengths of texts as JavaScript counts them: in UTF-16 code units.

/// How many UTF-16 code units a text has: its length for JavaScript.
pub(crate) fn units_of(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.encode_utf16().count() }
}

/// Splits a text behind so many UTF-16 code units; `None` if it has fewer, or has one half of a pair there.
pub(crate) fn split_at_units(text: &str, units: usize) -> Option<(&str, &str)> {
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

#[cfg(test)]
mod tests {
    use super::*;

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
