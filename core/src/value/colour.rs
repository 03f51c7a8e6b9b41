//! A colour of the page, as `#rrggbb`, and how well two of them differ: relative luminance and
//! contrast of WCAG 2.2, in whole numbers.

mod linear;

use core::fmt;

use self::linear::LINEAR;

/// A colour: red, green and blue of sRGB.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Colour(pub [u8; 3]);

/// The parts of red, green and blue in a luminance, in ten thousandths.
const PARTS: [u64; 3] = [2_126, 7_152, 722];
/// What is added to both luminances of a contrast, 0.05, in the unit of [`Colour::luminance`].
const FLARE: u64 = 500_000_000_000;

impl Colour {
    /// Black.
    pub(crate) const BLACK: Self = Self([0, 0, 0]);
    /// White.
    pub const WHITE: Self = Self([255, 255, 255]);

    /// Reads `#` with six hexadecimal digits.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = [0; 3];
        hex::decode_to_slice(text.strip_prefix('#')?, &mut parts).ok()?;
        Some(Self(parts))
    }

    /// The relative luminance, from 0 for black to 10^13 for white.
    fn luminance(self) -> u64 {
        let linear = self.0.map(|value| LINEAR.get(usize::from(value)).copied().unwrap_or_default());
        linear.into_iter().zip(PARTS).map(|(linear, part)| u64::from(linear).saturating_mul(part)).sum()
    }

    /// The contrast of two colours in hundredths, rounded down: from 100 for the same one to 2100 for black and
    /// white.
    #[must_use]
    pub fn contrast(self, other: Self) -> u32 {
        let [one, two] = [self, other].map(|colour| colour.luminance().saturating_add(FLARE));
        let hundredths = one.max(two).saturating_mul(100).checked_div(one.min(two)).unwrap_or_default();
        u32::try_from(hundredths).unwrap_or(u32::MAX)
    }

    /// This colour with so many 32nds of another one mixed in.
    #[must_use]
    pub(crate) fn mixed(self, other: Self, share: u8) -> Self {
        let share = u32::from(share.min(32));
        let [red, green, blue] = self.0;
        let [other_red, other_green, other_blue] = other.0;
        let mix = |own: u8, other: u8| {
            let own = u32::from(own).saturating_mul(32_u32.saturating_sub(share));
            let sum = own.saturating_add(u32::from(other).saturating_mul(share)).saturating_add(16);
            u8::try_from(sum.div_euclid(32)).unwrap_or(u8::MAX)
        };
        Self([mix(red, other_red), mix(green, other_green), mix(blue, other_blue)])
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

    #[test]
    fn contrasts_are_those_that_wcag_gives_for_known_colours() {
        let of = |one, two| Colour::parse(one).unwrap().contrast(Colour::parse(two).unwrap());
        assert_eq!(of("#000000", "#ffffff"), 2_100);
        assert_eq!(of("#ffffff", "#ffffff"), 100);
        assert_eq!(of("#767676", "#ffffff"), 454);
        assert_eq!(of("#777777", "#ffffff"), 447);
        assert_eq!(of("#ff0000", "#ffffff"), 399);
        assert_eq!(of("#ffffff", "#ff0000"), 399);
    }

    #[test]
    fn a_mix_goes_from_one_colour_to_the_other() {
        let (one, two) = (Colour([0, 100, 255]), Colour([255, 100, 0]));
        assert_eq!([one.mixed(two, 0), one.mixed(two, 32), one.mixed(two, 40)], [one, two, two]);
        assert_eq!(one.mixed(two, 16), Colour([128, 100, 128]));
    }
}
