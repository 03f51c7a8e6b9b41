//! The tables `image` and `installation_file`: what anyone can download from this origin.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use checkout_core::port::{ImageEntry, PortError, Published, StoredImage};
use checkout_core::record::audit::Entry;
use checkout_core::settings::brand::image::{Image, ImageName};
use checkout_core::value::id::MerchantId;

use super::D1Store;
use super::audit::{self, Of};
use super::fault::corrupt;
use super::statement::{Columns, Values};

/// The name of the file by which Apple recognises the domain.
const APPLE: &str = "apple_domain";

impl Published for D1Store {
    async fn image(&self, name: &ImageName) -> Result<Option<StoredImage>, PortError> {
        const SQL: &str = "SELECT merchant_id, width, height, content, created_at FROM image WHERE name = ?";
        let Some(mut row) = Values::default().text(name.as_str()).first(&self.db, SQL).await? else {
            return Ok(None);
        };
        let merchant = row.word("image.merchant_id", MerchantId::parse)?;
        let (width, height) = (row.small("image.width")?, row.small("image.height")?);
        let bytes = row.word("image.content", |text| STANDARD.decode(text).ok())?;
        let image = Image { name: name.clone(), bytes, width, height };
        Ok(Some(StoredImage { merchant, image, at: row.time("image.created_at")? }))
    }

    async fn images(&self, merchant: &MerchantId) -> Result<Vec<ImageEntry>, PortError> {
        const SQL: &str = "SELECT name, width, height, size, created_at FROM image WHERE merchant_id = ? \
             ORDER BY created_at, name";
        let rows = Values::default().text(merchant.as_str()).rows(&self.db, SQL).await?;
        let read = rows.into_iter().map(|mut row| {
            Ok(ImageEntry {
                name: row.word("image.name", ImageName::parse)?,
                width: row.small("image.width")?,
                height: row.small("image.height")?,
                size: row.small("image.size")?,
                at: row.time("image.created_at")?,
            })
        });
        read.collect()
    }

    async fn add_image(&self, stored: &StoredImage, entry: &Entry) -> Result<(), PortError> {
        let image = &stored.image;
        let size = u32::try_from(image.bytes.len()).map_err(|_| corrupt("image.size"))?;
        let insert = Columns::default()
            .text("name", image.name.as_str())
            .text("merchant_id", stored.merchant.as_str())
            .number("width", image.width)
            .number("height", image.height)
            .number("size", size)
            .text("content", &STANDARD.encode(&image.bytes))
            .time("created_at", stored.at)
            .insert_or(&self.db, "image", " ON CONFLICT (name) DO NOTHING")?;
        audit::change(&self.db, entry, Of::named(entry), insert).await?;
        Ok(())
    }

    async fn delete_image(
        &self,
        merchant: &MerchantId,
        name: &ImageName,
        entry: &Entry,
    ) -> Result<bool, PortError> {
        const OF: &str = "(SELECT merchant_id FROM image WHERE name = ? AND merchant_id = ?)";
        const SQL: &str = "DELETE FROM image WHERE name = ? AND merchant_id = ?";
        let values = || Values::default().text(name.as_str()).text(merchant.as_str());
        audit::change(&self.db, entry, Of::row(entry, OF, values()), values().bind(&self.db, SQL)?).await
    }

    async fn apple_domain_file(&self) -> Result<Option<String>, PortError> {
        const SQL: &str = "SELECT content FROM installation_file WHERE name = ?";
        let row = Values::default().text(APPLE).first(&self.db, SQL).await?;
        row.map(|mut row| row.text("installation_file.content")).transpose()
    }

    async fn set_apple_domain_file(&self, text: Option<&str>, entry: &Entry) -> Result<(), PortError> {
        const DELETE: &str = "DELETE FROM installation_file WHERE name = ?";
        const CONFLICT: &str =
            " ON CONFLICT (name) DO UPDATE SET content = excluded.content, changed_at = excluded.changed_at";
        let change = match text {
            Some(text) => Columns::default()
                .text("name", APPLE)
                .text("content", text)
                .time("changed_at", entry.at)
                .insert_or(&self.db, "installation_file", CONFLICT)?,
            None => Values::default().text(APPLE).bind(&self.db, DELETE)?,
        };
        audit::change(&self.db, entry, Of::named(entry), change).await?;
        Ok(())
    }
}
