//! Contrasts against another library, and the shades of random accents against what WCAG asks. The other library
//! has more digits of the weights of red, green and blue than WCAG, which is a thousandth of a contrast at most.
#![expect(
    clippy::float_arithmetic,
    clippy::disallowed_types,
    reason = "the other library counts in floating point"
)]

use checkout_core::settings::brand::palette::{Backgrounds, DARK, LIGHT, Palette, SHAPE, TEXT, too_low};
use checkout_core::value::colour::Colour;
use palette::Srgb;
use palette::color_difference::Wcag21RelativeContrast as _;
use proptest::prelude::*;

/// By how much two contrasts differ at most, for the weights of the other library.
const CLOSE: f64 = 1.001;

/// What the other library says.
fn judged(one: Colour, two: Colour) -> f64 {
    let [one, two] =
        [one, two].map(|Colour([red, green, blue])| Srgb::new(red, green, blue).into_format::<f64>());
    one.relative_contrast(two)
}

fn colours() -> impl Strategy<Value = Colour> {
    any::<[u8; 3]>().prop_map(Colour)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn contrasts_are_those_of_another_library(one in colours(), two in colours()) {
        let (own, other) = (f64::from(one.contrast(two)) / 100.0, judged(one, two));
        prop_assert!(own <= other * CLOSE && other < (own + 0.01) * CLOSE, "{one} {two}: {own} {other}");
    }

    #[test]
    fn every_accent_that_is_accepted_is_readable_in_the_light_and_in_the_dark(accent in colours()) {
        let found = judged(accent, Colour::WHITE);
        let is_right = if too_low(accent).is_some() { found < 3.0 * CLOSE } else { found * CLOSE > 3.0 };
        prop_assert!(is_right, "{accent}: {found}");
        if too_low(accent).is_none() {
            prop_assert_eq!(Palette::of(accent, LIGHT).fill, accent);
            for backgrounds in [LIGHT, DARK] {
                let palette = Palette::of(accent, backgrounds);
                for (one, two, needed) in pairs(palette, backgrounds) {
                    let found = judged(one, two);
                    prop_assert!(found * CLOSE >= f64::from(needed) / 100.0, "{accent}: {one} on {two}: {found}");
                }
            }
        }
    }
}

/// Which colours are on which, and what they need.
fn pairs(palette: Palette, backgrounds: Backgrounds) -> [(Colour, Colour, u32); 8] {
    let (ink, quiet) = if backgrounds.panel == Colour::WHITE {
        (Colour([0x15, 0x18, 0x1e]), Colour([0x5b, 0x64, 0x72]))
    } else {
        (Colour([0xec, 0xef, 0xf4]), Colour([0xa2, 0xac, 0xba]))
    };
    [
        (palette.fill, backgrounds.panel, SHAPE),
        (palette.on_fill, palette.fill, TEXT),
        (palette.on_fill, palette.strong, TEXT),
        (palette.accent, backgrounds.page, TEXT),
        (palette.accent, backgrounds.panel, TEXT),
        (palette.accent, palette.tint, TEXT),
        (ink, palette.tint, TEXT),
        (quiet, palette.tint, TEXT),
    ]
}
