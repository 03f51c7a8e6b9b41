//! What anyone can download from the origin of the installation: images of merchants, and the file by which Apple
//! recognises its domain.

use alloc::string::String;
use alloc::vec::Vec;

use super::PortError;
use crate::record::audit::Entry;
use crate::settings::brand::image::{Image, ImageName};
use crate::value::id::MerchantId;
use crate::value::time::Timestamp;

/// An image that is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredImage {
    /// The merchant.
    pub merchant: MerchantId,
    /// The image.
    pub image: Image,
    /// Since when.
    pub at: Timestamp,
}

/// What is known of an image without its content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImageEntry {
    /// Its name.
    pub name: ImageName,
    /// Its pixels from side to side.
    pub width: u32,
    /// Its pixels from top to bottom.
    pub height: u32,
    /// Its bytes.
    pub size: u32,
    /// Since when.
    pub at: Timestamp,
}

/// The published files.
pub trait Published {
    /// An image, of any merchant.
    ///
    /// # Errors
    /// If the store fails or contains a row that cannot be read.
    async fn image(&self, name: &ImageName) -> Result<Option<StoredImage>, PortError>;

    /// The images of a merchant, the oldest first.
    ///
    /// # Errors
    /// As [`image`](Self::image).
    async fn images(&self, merchant: &MerchantId) -> Result<Vec<ImageEntry>, PortError>;

    /// Adds an image, with the entry of the audit. One that is there stays as it is.
    ///
    /// # Errors
    /// As [`image`](Self::image).
    async fn add_image(&self, image: &StoredImage, entry: &Entry) -> Result<(), PortError>;

    /// Deletes an image of a merchant, with the entry of the audit; whether there was one.
    ///
    /// # Errors
    /// As [`image`](Self::image).
    async fn delete_image(
        &self,
        merchant: &MerchantId,
        name: &ImageName,
        entry: &Entry,
    ) -> Result<bool, PortError>;

    /// The file by which Apple recognises the domain; `None` if there is none.
    ///
    /// # Errors
    /// As [`image`](Self::image).
    async fn apple_domain_file(&self) -> Result<Option<String>, PortError>;

    /// Stores that file, or takes it away, with the entry of the audit.
    ///
    /// # Errors
    /// As [`image`](Self::image).
    async fn set_apple_domain_file(&self, text: Option<&str>, entry: &Entry) -> Result<(), PortError>;
}
