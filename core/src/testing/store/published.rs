//! Images of merchants, and the file of the domain.

use alloc::string::String;
use alloc::vec::Vec;

use super::MemoryStore;
use crate::port::{ImageEntry, PortError, Published, StoredImage};
use crate::record::audit::Entry;
use crate::settings::brand::image::ImageName;
use crate::value::id::MerchantId;

impl Published for MemoryStore {
    async fn image(&self, name: &ImageName) -> Result<Option<StoredImage>, PortError> {
        Ok(self.rows.borrow().images.iter().find(|stored| stored.image.name == *name).cloned())
    }

    async fn images(&self, merchant: &MerchantId) -> Result<Vec<ImageEntry>, PortError> {
        let rows = self.rows.borrow();
        let mut found: Vec<_> =
            rows.images.iter().filter(|stored| stored.merchant == *merchant).map(entry_of).collect();
        found.sort_by(|one, other| (one.at, one.name.as_str()).cmp(&(other.at, other.name.as_str())));
        Ok(found)
    }

    async fn add_image(&self, image: &StoredImage, entry: &Entry) -> Result<(), PortError> {
        let mut rows = self.rows.borrow_mut();
        if rows.images.iter().all(|stored| stored.image.name != image.image.name) {
            rows.images.push(image.clone());
        }
        rows.journal(entry, None);
        Ok(())
    }

    async fn delete_image(
        &self,
        merchant: &MerchantId,
        name: &ImageName,
        entry: &Entry,
    ) -> Result<bool, PortError> {
        let mut rows = self.rows.borrow_mut();
        let is_it = |stored: &StoredImage| stored.merchant == *merchant && stored.image.name == *name;
        let is_there = rows.images.iter().any(is_it);
        rows.images.retain(|stored| !is_it(stored));
        if is_there {
            rows.journal(entry, None);
        }
        Ok(is_there)
    }

    async fn apple_domain_file(&self) -> Result<Option<String>, PortError> {
        Ok(self.rows.borrow().apple_domain_file.clone())
    }

    async fn set_apple_domain_file(&self, text: Option<&str>, entry: &Entry) -> Result<(), PortError> {
        let mut rows = self.rows.borrow_mut();
        rows.apple_domain_file = text.map(Into::into);
        rows.journal(entry, None);
        Ok(())
    }
}

fn entry_of(stored: &StoredImage) -> ImageEntry {
    let image = &stored.image;
    ImageEntry {
        name: image.name.clone(),
        width: image.width,
        height: image.height,
        size: u32::try_from(image.bytes.len()).unwrap_or(u32::MAX),
        at: stored.at,
    }
}
