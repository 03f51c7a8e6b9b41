//! What a text may be whose form someone else decides, such as the key of a gateway.

use core::fmt;

/// What a text may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextShape {
    /// One line of 1 to `max` characters.
    Line {
        /// The most characters.
        max: usize,
    },
    /// So many ASCII letters and digits.
    Alphanumeric {
        /// The fewest.
        min: usize,
        /// The most.
        max: usize,
    },
    /// Hexadecimal digits, an even number of them, at most `max`.
    Hex {
        /// The most digits.
        max: usize,
    },
    /// One of these words.
    Word(&'static [&'static str]),
    /// Some of these words, with commas between them.
    Words(&'static [&'static str]),
}

impl TextShape {
    /// Whether a text has it.
    #[must_use]
    pub fn fits(self, text: &str) -> bool {
        match self {
            Self::Line { max } => {
                let is_line = text.trim() == text && !text.chars().any(char::is_control);
                is_line && (1..=max).contains(&text.chars().count())
            }
            Self::Alphanumeric { min, max } => {
                (min..=max).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
            }
            Self::Hex { max } => {
                let is_even = text.len() & 1 == 0;
                is_even
                    && (2..=max).contains(&text.len())
                    && text.bytes().all(|byte| byte.is_ascii_hexdigit())
            }
            Self::Word(words) => words.contains(&text),
            Self::Words(words) => text.split(',').all(|word| words.contains(&word)),
        }
    }
}

impl fmt::Display for TextShape {
    /// What is allowed, after "must be".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line { max } => write!(f, "one line of 1 to {max} characters, without spaces around it"),
            Self::Alphanumeric { min, max } if min == max => write!(f, "{max} ASCII letters and digits"),
            Self::Alphanumeric { min, max } => write!(f, "{min} to {max} ASCII letters and digits"),
            Self::Hex { max } => write!(f, "an even number of hexadecimal digits, at most {max}"),
            Self::Word(words) | Self::Words(words) => {
                let list = matches!(self, Self::Words(_));
                f.write_str(if list { "some of these, with commas between them: " } else { "one of " })?;
                for (place, word) in words.iter().enumerate() {
                    write!(f, "{}{word}", if place == 0 { "" } else { ", " })?;
                }
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    #[test]
    fn a_text_fits_its_shape_only() {
        for (shape, fitting, others) in [
            (TextShape::Line { max: 3 }, &["a", "a b", "\u{645}"][..], &["", " a", "a ", "abcd", "a\nb"][..]),
            (
                TextShape::Alphanumeric { min: 2, max: 3 },
                &["a1", "ABC"],
                &["", "a", "abcd", "a-b", "\u{661}1"],
            ),
            (TextShape::Hex { max: 4 }, &["0a", "0A1f"], &["", "0", "abc", "0g", "aabbcc"]),
            (TextShape::Word(&["EN", "AR"]), &["EN", "AR"], &["", "en", "EN "]),
            (TextShape::Words(&["a", "b"]), &["a", "b", "b,a"], &["", "c", "a,", "a, b", "a,c"]),
        ] {
            for text in fitting {
                assert!(shape.fits(text), "{shape:?} {text:?}");
            }
            for text in others {
                assert!(!shape.fits(text), "{shape:?} {text:?}");
            }
        }
    }

    #[test]
    fn a_shape_says_what_is_allowed() {
        assert_eq!(TextShape::Alphanumeric { min: 16, max: 16 }.to_string(), "16 ASCII letters and digits");
        assert_eq!(TextShape::Word(&["EN", "AR"]).to_string(), "one of EN, AR");
        let words = TextShape::Words(&["a", "b"]).to_string();
        assert_eq!(words, "some of these, with commas between them: a, b");
    }
}
