//! What an image of a merchant must be like.

use alloc::string::String;
use core::fmt;

/// The longest name of an element or attribute that is repeated to the one who uploaded it.
const MAX_NAME: usize = 40;

/// The rules for images.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ImageRule {
    /// Neither a PNG nor a WebP nor an SVG.
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
    /// It has no size, or one that is not in pixels.
    NoSize,
    /// It has more elements, or more deeply nested ones, than an image of a merchant needs.
    TooComplex,
    /// An element of an SVG that does more than draw.
    Element(String),
    /// An attribute of an SVG that does more than draw, or whose value does.
    Attribute(String),
    /// The merchant has as many images as it may have.
    TooMany {
        /// The most.
        max: usize,
    },
    /// The settings name it.
    InUse,
}

impl ImageRule {
    /// About an element.
    #[must_use]
    pub fn element(name: &str) -> Self {
        Self::Element(name.chars().take(MAX_NAME).collect())
    }

    /// About an attribute.
    #[must_use]
    pub fn attribute(name: &str) -> Self {
        Self::Attribute(name.chars().take(MAX_NAME).collect())
    }
}

impl fmt::Display for ImageRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown => f.write_str("must be a PNG, a WebP, or an SVG in UTF-8"),
            Self::Broken(kind) => write!(f, "must be a whole {kind}: this one is cut off or damaged"),
            Self::Animated => f.write_str("must not be animated"),
            Self::TooManyBytes { max } => write!(f, "must have at most {max} bytes"),
            Self::TooLarge { max } => write!(f, "must be at most {max} pixels wide and high"),
            Self::NoSize => f.write_str(
                "must have a size: a viewBox, or a width and a height in pixels, of at least one pixel",
            ),
            Self::TooComplex => f.write_str("must have at most 4000 elements, nested at most 32 levels deep"),
            Self::Element(name) => {
                write!(
                    f,
                    "must not have the element {name}: an image is shapes and gradients; convert text to outlines, "
                )?;
                f.write_str("write style rules as attributes")
            }
            Self::Attribute(name) => {
                write!(
                    f,
                    "must not have this value of the attribute {name}: an image runs and refers to nothing"
                )
            }
            Self::TooMany { max } => write!(f, "must be one of at most {max}: delete one that is not used"),
            Self::InUse => f.write_str("must not be named by the settings: change the brand there first"),
        }
    }
}
