//! What an image of a merchant must be like.

use core::fmt;

/// The rules for images.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ImageRule {
    /// Neither a PNG nor a WebP.
    Unknown,
    /// It begins like one and is not whole.
    Broken(&'static str),
    /// It moves.
    Animated,
    /// It has too many bytes.
    TooManyBytes {
        /// The most.
        max: usize,
    },
    /// It is too wide or too high.
    TooLarge {
        /// The most pixels of a side.
        max: u32,
    },
    /// It has no pixel.
    NoSize,
    /// The merchant has as many images as it may have.
    TooMany {
        /// The most.
        max: usize,
    },
    /// The settings name it.
    InUse,
}

impl fmt::Display for ImageRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown => {
                f.write_str("must be a PNG or a WebP: export a drawing such as an SVG as one of them")
            }
            Self::Broken(kind) => write!(f, "must be a whole {kind}: this one is cut off or damaged"),
            Self::Animated => f.write_str("must not be animated"),
            Self::TooManyBytes { max } => write!(f, "must have at most {max} bytes"),
            Self::TooLarge { max } => write!(f, "must be at most {max} pixels wide and high"),
            Self::NoSize => f.write_str("must be at least one pixel wide and high"),
            Self::TooMany { max } => write!(f, "must be one of at most {max}: delete one that is not used"),
            Self::InUse => f.write_str("must not be named by the settings: change the brand there first"),
        }
    }
}
