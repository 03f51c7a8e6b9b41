//! A colour of the page, as `#rrggbb`.

use core::fmt;

/// A colour: red, green and blue of sRGB.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Colour(pub [u8; 3]);

impl Colour {
    /// Reads `#` with six hexadecimal digits.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = [0; 3];
        hex::decode_to_slice(text.strip_prefix('#')?, &mut parts).ok()?;
        Some(Self(parts))
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [red, green, blue] = self.0;
        write!(f, "#{red:02x}{green:02x}{blue:02x}")
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::Colour;

    #[test]
    fn a_colour_has_six_digits_after_a_number_sign() {
        assert_eq!(Colour::parse("#0aF09c"), Some(Colour([10, 240, 156])));
        assert_eq!(Colour([10, 240, 156]).to_string(), "#0af09c");
        for text in ["", "#", "0af09c", "#fff", "#0af09", "#0af09c0", "#0af09g", "#+af09c", "red", "# 0af09c"]
        {
            assert_eq!(Colour::parse(text), None, "{text}");
        }
    }
}
