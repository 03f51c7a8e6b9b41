//! The images of a merchant: their names, and what a file must be like to become one.

mod png;
mod svg;
mod webp;

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use sha2::{Digest, Sha256};

use crate::value::id::MerchantId;
use crate::violation::ImageRule;
use crate::words::word_list;

/// The most bytes of an image.
pub const MAX_BYTES: usize = 65_536;
/// The most pixels of a side.
pub const MAX_SIDE: u32 = 2_048;
/// The most images of a merchant.
pub const MAX_IMAGES: usize = 24;

word_list! {
    /// What an image is.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum ImageKind {
        /// A PNG.
        Png = "png",
        /// A WebP.
        Webp = "webp",
        /// An SVG, written by this service from what it read.
        Svg = "svg",
    }
}

impl ImageKind {
    /// The media type.
    #[must_use]
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Webp => "image/webp",
            Self::Svg => "image/svg+xml",
        }
    }
}

/// The digits of a name: the beginning of a SHA-256.
const DIGITS: usize = 32;

/// Pixels of width and height.
type Size = (u32, u32);

/// An image as it is stored and served.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    /// Its name.
    pub name: ImageName,
    /// Its content.
    pub bytes: Vec<u8>,
    /// Its pixels from side to side.
    pub width: u32,
    /// Its pixels from top to bottom.
    pub height: u32,
}

impl Image {
    /// Reads a file of a merchant. What it is follows from its content; an SVG is written from what was read of it.
    ///
    /// # Errors
    /// The first rule that it breaks.
    pub fn read(merchant: &MerchantId, file: &[u8]) -> Result<Self, ImageRule> {
        if file.len() > MAX_BYTES {
            return Err(ImageRule::TooManyBytes { max: MAX_BYTES });
        }
        let (kind, bytes, (width, height)) = if file.starts_with(png::SIGNATURE) {
            (ImageKind::Png, file.to_vec(), png::size(file)?)
        } else if file.starts_with(webp::SIGNATURE) {
            (ImageKind::Webp, file.to_vec(), webp::size(file)?)
        } else {
            let (text, size) = svg::rewrite(file)?;
            (ImageKind::Svg, text.into_bytes(), size)
        };
        if width == 0 || height == 0 {
            return Err(ImageRule::NoSize);
        }
        if width.max(height) > MAX_SIDE {
            return Err(ImageRule::TooLarge { max: MAX_SIDE });
        }
        Ok(Self { name: ImageName::of(merchant, kind, &bytes), bytes, width, height })
    }
}

/// The name of an image: 32 hexadecimal digits of its content and its merchant, and what it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImageName {
    digits: String,
    kind: ImageKind,
}

impl ImageName {
    /// The pattern of names.
    pub const PATTERN: &'static str = "^[0-9a-f]{32}\\.(png|webp|svg)$";

    /// The name of a content at a merchant: another merchant's same image has another name, so that a name says
    /// nothing about others.
    fn of(merchant: &MerchantId, kind: ImageKind, bytes: &[u8]) -> Self {
        let mut hash = Sha256::new();
        hash.update(merchant.as_str().as_bytes());
        hash.update([0]);
        hash.update(bytes);
        let mut digits = hex::encode(hash.finalize());
        digits.truncate(DIGITS);
        Self { digits, kind }
    }

    /// Reads `<32 lower-case hexadecimal digits>.<png, webp or svg>`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (digits, kind) = text.split_once('.')?;
        let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        let is_name = digits.len() == DIGITS && digits.bytes().all(is_digit);
        is_name.then_some(())?;
        Some(Self { digits: digits.into(), kind: ImageKind::parse(kind)? })
    }

    /// What it is.
    #[must_use]
    pub const fn kind(&self) -> ImageKind {
        self.kind
    }
}

impl fmt::Display for ImageName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.digits, self.kind.as_str())
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::{ImageKind, ImageName};

    #[test]
    fn a_name_has_thirty_two_digits_and_says_what_the_image_is() {
        let text = "0123456789abcdef0123456789abcdef.webp";
        let name = ImageName::parse(text).unwrap();
        assert_eq!((name.to_string().as_str(), name.kind()), (text, ImageKind::Webp));
        for text in [
            "",
            ".png",
            "0123456789abcdef0123456789abcdef",
            "0123456789abcdef0123456789abcdef.gif",
            "0123456789ABCDEF0123456789abcdef.png",
            "0123456789abcdef0123456789abcde.png",
            "../3456789abcdef0123456789abcdef0.png",
            "0123456789abcdef0123456789abcdef.png.svg",
        ] {
            assert_eq!(ImageName::parse(text), None, "{text}");
        }
    }
}
