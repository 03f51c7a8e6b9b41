//! What the face of a merchant must be like.

use core::fmt;

/// The rules for what is said about the face of a merchant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BrandRule {
    /// Not a colour in six digits.
    NotColour,
    /// A colour that is too close to that of the page.
    Contrast {
        /// The contrast in hundredths.
        found: u32,
    },
    /// Not a telephone number with its country.
    NotPhone,
    /// Not the name of an uploaded image.
    NotImageName,
    /// Not a file as Apple gives it.
    NotDomainFile,
}

impl fmt::Display for BrandRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotColour => f.write_str("must be a colour written #rrggbb, such as \"#2b55d9\""),
            Self::Contrast { found } => {
                let (whole, rest) = (found.div_euclid(100), found.rem_euclid(100));
                write!(
                    f,
                    "must have a contrast of at least 3:1 with the white of the page, and has {whole}.{rest:02}:1: \
                     choose a darker colour"
                )
            }
            Self::NotPhone => f.write_str(
                "must be a telephone number of E.164: a plus, the country code and the number, 7 to 15 digits together, \
                 such as \"+96522223333\"",
            ),
            Self::NotDomainFile => f.write_str("must be the file that Apple gave, in printable ASCII"),
            Self::NotImageName => f.write_str("must be the name that the upload of the image answered"),
        }
    }
}
