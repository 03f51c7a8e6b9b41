//! How many parts an SMS is sent in (3GPP TS 23.038 and 23.040): a text of the default alphabet has 160 septets in one part
//! and 153 in each of several, any other text 70 and 67 UTF-16 units.

/// The characters of the default alphabet of one septet, without letters and digits.
const BASIC: &str = "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./:;<=>?¡ÄÖÑÜ§¿äöñüà";
/// Those of two septets.
const EXTENDED: &str = "\u{c}^{}\\[~]|€";

/// How a text is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextSize {
    /// Whether every character is in the default alphabet.
    pub is_gsm: bool,
    /// Its septets or UTF-16 units.
    pub units: usize,
    /// Its parts.
    pub parts: usize,
}

/// The size of a text. A character of two units is not split between two parts.
#[must_use]
pub fn size(text: &str) -> TextSize {
    let is_gsm = text.chars().all(|character| septets(character).is_some());
    let width = |character: char| {
        if is_gsm { septets(character).unwrap_or(1) } else { character.len_utf16() }
    };
    let (whole, part) = if is_gsm { (160, 153) } else { (70, 67) };
    let units = text.chars().map(width).fold(0_usize, usize::saturating_add);
    if units <= whole {
        return TextSize { is_gsm, units, parts: 1 };
    }
    let (mut parts, mut used) = (1_usize, 0_usize);
    for character in text.chars() {
        let next = used.saturating_add(width(character));
        (parts, used) = if next > part { (parts.saturating_add(1), width(character)) } else { (parts, next) };
    }
    TextSize { is_gsm, units, parts }
}

fn septets(character: char) -> Option<usize> {
    if character.is_ascii_alphanumeric() || BASIC.contains(character) {
        Some(1)
    } else if EXTENDED.contains(character) {
        Some(2)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_split_as_networks_split_it() {
        let cases = [
            ("a".repeat(160), true, 160, 1),
            ("a".repeat(161), true, 161, 2),
            ("a".repeat(306), true, 306, 2),
            ("a".repeat(307), true, 307, 3),
            ("€".repeat(80), true, 160, 1),
            ("€".repeat(81), true, 162, 2),
            // 153 septets hold 76 characters of two, and one septet is left over.
            ("€".repeat(153), true, 306, 3),
            ("م".repeat(70), false, 70, 1),
            ("م".repeat(71), false, 71, 2),
            ("م".repeat(134), false, 134, 2),
            ("م".repeat(135), false, 135, 3),
            ("😀".repeat(35), false, 70, 1),
            ("😀".repeat(67), false, 134, 3),
            ("`".into(), false, 1, 1),
        ];
        for (text, is_gsm, units, parts) in cases {
            assert_eq!(size(&text), TextSize { is_gsm, units, parts }, "{text}");
        }
        assert_eq!(size("").parts, 1);
    }
}
