//! What each character of a written number is.

/// The zeros of the scripts that have decimal digits, except ours; the other nine follow each.
const ZEROS: &[char] = &[
    '\u{660}',
    '\u{6f0}',
    '\u{7c0}',
    '\u{966}',
    '\u{9e6}',
    '\u{a66}',
    '\u{ae6}',
    '\u{b66}',
    '\u{be6}',
    '\u{c66}',
    '\u{ce6}',
    '\u{d66}',
    '\u{de6}',
    '\u{e50}',
    '\u{ed0}',
    '\u{f20}',
    '\u{1040}',
    '\u{1090}',
    '\u{17e0}',
    '\u{1810}',
    '\u{1946}',
    '\u{19d0}',
    '\u{1a80}',
    '\u{1a90}',
    '\u{1b50}',
    '\u{1bb0}',
    '\u{1c40}',
    '\u{1c50}',
    '\u{a620}',
    '\u{a8d0}',
    '\u{a900}',
    '\u{a9d0}',
    '\u{a9f0}',
    '\u{aa50}',
    '\u{abf0}',
    '\u{ff10}',
    '\u{104a0}',
    '\u{10d30}',
    '\u{10d40}',
    '\u{11066}',
    '\u{110f0}',
    '\u{11136}',
    '\u{111d0}',
    '\u{112f0}',
    '\u{11450}',
    '\u{114d0}',
    '\u{11650}',
    '\u{116c0}',
    '\u{116d0}',
    '\u{116da}',
    '\u{11730}',
    '\u{118e0}',
    '\u{11950}',
    '\u{11bf0}',
    '\u{11c50}',
    '\u{11d50}',
    '\u{11da0}',
    '\u{11f50}',
    '\u{16a60}',
    '\u{16ac0}',
    '\u{16b50}',
    '\u{1ccf0}',
    '\u{1d7ce}',
    '\u{1d7d8}',
    '\u{1d7e2}',
    '\u{1d7ec}',
    '\u{1d7f6}',
    '\u{1e140}',
    '\u{1e2f0}',
    '\u{1e4f0}',
    '\u{1e5f1}',
    '\u{1e950}',
    '\u{1fbf0}',
];

/// What a character says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Character {
    /// A digit, as ours.
    Digit(char),
    /// The mark of a number with its country.
    Plus,
    /// A separator, a space, or a character without a face.
    Nothing,
    /// Something that no number has.
    Other,
}

/// What a character says.
pub(super) fn read(character: char) -> Character {
    match character {
        '0'..='9' => Character::Digit(character),
        '+' | '\u{fe62}' | '\u{ff0b}' => Character::Plus,
        _ if is_separator(character) || is_format(character) || character.is_whitespace() => {
            Character::Nothing
        }
        _ => digit(character).map_or(Character::Other, Character::Digit),
    }
}

/// The digit of another script as ours.
fn digit(character: char) -> Option<char> {
    let zero = ZEROS.iter().copied().take_while(|zero| *zero <= character).last()?;
    let value = u32::from(character).checked_sub(u32::from(zero))?;
    char::from_digit(value, 10)
}

/// Hyphens and dashes, brackets, points and strokes.
const fn is_separator(character: char) -> bool {
    matches!(
        character,
        '-' | '(' | ')' | '.' | '/' | '[' | ']' | '\u{b7}' | '\u{58a}' | '\u{1806}' | '\u{2010}'
            ..='\u{2015}'
                | '\u{2212}'
                | '\u{30fc}'
                | '\u{fe58}'
                | '\u{fe63}'
                | '\u{ff08}'
                | '\u{ff09}'
                | '\u{ff0d}'
                | '\u{ff0e}'
                | '\u{ff0f}'
    )
}

/// Characters of the category Cf, which have no face: marks of direction, joiners, soft hyphens.
const fn is_format(character: char) -> bool {
    matches!(
        character,
        '\u{ad}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{70f}' | '\u{890}' | '\u{891}' | '\u{8e2}' | '\u{180e}'
            | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{206f}'
            | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{110bd}' | '\u{110cd}' | '\u{13430}'..='\u{1343f}'
            | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0001}' | '\u{e0020}'..='\u{e007f}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digits_of_every_script_are_digits() {
        assert!(ZEROS.is_sorted_by(|one, other| one < other));
        for zero in ZEROS {
            for (value, digit) in ('0'..='9').enumerate() {
                let value = u32::try_from(value).unwrap();
                let character = char::from_u32(u32::from(*zero).checked_add(value).unwrap()).unwrap();
                assert!(character.is_numeric() || u32::from(character) > 0x1_0000, "{character:?}");
                assert_eq!(read(character), Character::Digit(digit), "{character:?}");
            }
        }
        // The mathematical digits are five sets without a gap between them.
        assert_eq!(read('\u{1d7ff}'), Character::Digit('9'));
        assert_eq!(read('\u{66a}'), Character::Other);
    }

    #[test]
    fn what_is_no_digit_is_nothing_or_makes_no_number() {
        for character in [
            ' ', '\u{a0}', '\t', '\u{200e}', '\u{2069}', '\u{feff}', '\u{ad}', '-', '\u{2011}', '(', '/', '.',
        ] {
            assert_eq!(read(character), Character::Nothing, "{character:?}");
        }
        for character in
            ['x', '#', '*', ',', ';', ':', '\u{645}', '\u{b2}', '\u{bd}', '\u{2460}', '\u{4e94}', '@']
        {
            assert_eq!(read(character), Character::Other, "{character:?}");
        }
    }
}
