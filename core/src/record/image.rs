//! The name of an uploaded image of a merchant.

use alloc::format;
use alloc::string::String;
use core::fmt;

use sha2::{Digest, Sha256};

use crate::value::id::MerchantId;
use crate::value::slot::{Leading, Slot, Slotted};
use crate::words::word_list;

/// The most bytes of an image.
pub const MAX_BYTES: usize = 65_536;

word_list! {
    /// What an image is.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum ImageKind {
        /// A PNG.
        Png = "png",
        /// A WebP.
        Webp = "webp",
        /// An SVG: stored ones are served, none is taken.
        Svg = "svg",
    }
}

impl ImageKind {
    /// Whether mail programs and previews of links show it: many show no SVG.
    #[must_use]
    pub const fn is_shown_elsewhere(self) -> bool {
        matches!(self, Self::Png | Self::Webp)
    }

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
/// How a name carries the slot of its merchant.
const FORM: Leading = Leading::marked(DIGITS);

/// The name of an image: its slot, 32 hexadecimal digits of its content and its merchant, and what it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImageName {
    text: String,
    kind: ImageKind,
}

impl ImageName {
    /// The pattern of names.
    pub const PATTERN: &'static str = "^(x[0-9a-f]{2})?[0-9a-f]{32}\\.(png|webp|svg)$";

    /// The name of a content at a merchant: another merchant's same image has another name, so that a name says
    /// nothing about others.
    #[must_use]
    pub fn of(merchant: &MerchantId, kind: ImageKind, bytes: &[u8]) -> Self {
        let mut hash = Sha256::new();
        hash.update(merchant.as_str().as_bytes());
        hash.update([0]);
        hash.update(bytes);
        let mut digits = hex::encode(hash.finalize());
        digits.truncate(DIGITS);
        Self { text: format!("{}.{}", FORM.write(merchant.slot(), &digits), kind.as_str()), kind }
    }

    /// Reads `<slot, if any><32 lower-case hexadecimal digits>.<png, webp or svg>`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (stem, kind) = text.split_once('.')?;
        let (_, digits) = FORM.read(stem)?;
        let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        digits.bytes().all(is_digit).then_some(())?;
        Some(Self { kind: ImageKind::parse(kind)?, text: text.into() })
    }

    /// The text on the wire.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The address from which it is downloaded, on the origin of the installation.
    #[must_use]
    pub fn path(&self) -> String {
        format!("/b/checkout/images/{}", self.text)
    }

    /// What it is.
    #[must_use]
    pub const fn kind(&self) -> ImageKind {
        self.kind
    }
}

impl Slotted for ImageName {
    fn slot(&self) -> Slot {
        self.text.split_once('.').map_or(Slot::FIRST, |(stem, _)| FORM.slot(stem))
    }
}

impl fmt::Display for ImageName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
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
