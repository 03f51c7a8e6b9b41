//! The colours that follow from a merchant's accent, for the light and the dark page.
//!
//! Decision: in the light, buttons have the accent as it is, so it must differ from the panel (3:1, WCAG 1.4.11);
//! what writes text with it uses a darker shade where that is needed. In the dark both are lighter shades. The
//! text on a button is white if it can be read there (4.5:1, WCAG 1.4.3), otherwise black, which then can: no
//! colour is too close to both.

use crate::value::colour::Colour;

/// The contrast that text needs with its background, in hundredths.
pub const TEXT: u32 = 450;
/// The contrast that a button needs with its background, in hundredths.
pub const SHAPE: u32 = 300;

/// The backgrounds of the page: behind everything, and of its panels. The style sheet has the same.
#[derive(Debug, Clone, Copy)]
pub struct Backgrounds {
    /// Behind everything.
    pub page: Colour,
    /// Of panels.
    pub panel: Colour,
    /// Towards which a shade goes that must differ more from them.
    away: Colour,
    /// How much of the accent is in the background of what is chosen, in 32nds.
    tint: u8,
}

/// The page in the light.
pub const LIGHT: Backgrounds =
    Backgrounds { page: Colour([0xf4, 0xf5, 0xf7]), panel: Colour::WHITE, away: Colour::BLACK, tint: 2 };
/// The page in the dark.
pub const DARK: Backgrounds = Backgrounds {
    page: Colour([0x0e, 0x11, 0x16]),
    panel: Colour([0x17, 0x1b, 0x22]),
    away: Colour::WHITE,
    tint: 4,
};

/// The colours of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Palette {
    /// Of buttons.
    pub fill: Colour,
    /// Of the text on them.
    pub on_fill: Colour,
    /// Of buttons under a pointer.
    pub strong: Colour,
    /// Of links and of marks of what is chosen.
    pub accent: Colour,
    /// Behind what is chosen.
    pub tint: Colour,
}

impl Palette {
    /// The colours of a page with an accent.
    #[must_use]
    pub fn of(accent: Colour, backgrounds: Backgrounds) -> Self {
        let fill = shade(accent, backgrounds, |shade| shade.contrast(backgrounds.panel) >= SHAPE);
        let tint = backgrounds.panel.mixed(fill, backgrounds.tint);
        let behind = [backgrounds.page, backgrounds.panel, tint];
        let accent =
            shade(fill, backgrounds, |shade| behind.iter().all(|under| shade.contrast(*under) >= TEXT));
        let is_white = fill.contrast(Colour::WHITE) >= TEXT;
        let (on_fill, other) =
            if is_white { (Colour::WHITE, Colour::BLACK) } else { (Colour::BLACK, Colour::WHITE) };
        Self { fill, on_fill, strong: fill.mixed(other, 5), accent, tint }
    }
}

/// The contrast of a button in an accent with the light page, in hundredths, if it is too low.
#[must_use]
pub fn too_low(accent: Colour) -> Option<u32> {
    let found = accent.contrast(LIGHT.panel);
    (found < SHAPE).then_some(found)
}

/// The shade of a colour that is nearest to it and is good.
fn shade(colour: Colour, backgrounds: Backgrounds, is_good: impl Fn(Colour) -> bool) -> Colour {
    let mut shades = (0..=32).map(|share| colour.mixed(backgrounds.away, share));
    shades.find(|shade| is_good(*shade)).unwrap_or(backgrounds.away)
}
