//! The images of a merchant: what a file must be like to become one.

mod png;
mod size;
mod webp;

use alloc::vec::Vec;

pub use crate::record::image::{ImageKind, ImageName, MAX_BYTES};
use crate::value::id::MerchantId;
use crate::violation::ImageRule;

/// The most pixels of a side.
pub(crate) const MAX_SIDE: u32 = 2_048;
/// The most images of a merchant.
pub(crate) const MAX_IMAGES: usize = 50;

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
    /// Reads a file of a merchant. What it is follows from its content. No SVG is taken: it is a program for the
    /// browser that opens it, and cleaning one takes more code than all other images together.
    ///
    /// # Errors
    /// The first rule that it breaks.
    pub fn read(merchant: &MerchantId, file: &[u8]) -> Result<Self, ImageRule> {
        if file.len() > MAX_BYTES {
            return Err(ImageRule::TooManyBytes { max: MAX_BYTES });
        }
        let (kind, (width, height)) = if file.starts_with(png::SIGNATURE) {
            (ImageKind::Png, png::size(file)?)
        } else if file.starts_with(webp::SIGNATURE) {
            (ImageKind::Webp, webp::size(file)?)
        } else {
            return Err(ImageRule::Unknown);
        };
        if width == 0 || height == 0 {
            return Err(ImageRule::NoSize);
        }
        if width.max(height) > MAX_SIDE {
            return Err(ImageRule::TooLarge { max: MAX_SIDE });
        }
        Ok(Self { name: ImageName::of(merchant, kind, file), bytes: file.to_vec(), width, height })
    }
}
