//! Images of merchants, and the file of the domain.

use super::fixture::Fixture;
use super::{Checked, holds, same};
use crate::port::{Published, StoredImage};
use crate::settings::brand::image::{Image, ImageKind, ImageName};

/// An image of the check's merchant: a drawing of a size.
fn image(fixture: &Fixture, side: u32) -> StoredImage {
    let bytes = alloc::format!("the bytes of an image of {side} pixels").into_bytes();
    let name = ImageName::of(&fixture.merchant, ImageKind::Png, &bytes);
    let image = Image { name, bytes, width: side, height: 12 };
    StoredImage { merchant: fixture.merchant.clone(), image, at: fixture.now }
}

pub(super) async fn an_image_is_read_back_as_it_was_stored(
    store: &impl Published,
    fixture: &Fixture,
) -> Checked {
    let (first, second) = (image(fixture, 24), image(fixture, 48));
    let entry = fixture.entry("upload_image");
    same("unknown", store.image(&first.image.name).await?, None)?;
    holds("none", store.images(&fixture.merchant).await?.is_empty())?;
    store.add_image(&first, &entry).await?;
    let later = StoredImage { at: fixture.after(5), ..second.clone() };
    store.add_image(&later, &entry).await?;
    store.add_image(&StoredImage { at: fixture.after(9), ..first.clone() }, &entry).await?;
    same("the first", store.image(&first.image.name).await?, Some(first.clone()))?;
    let listed = store.images(&fixture.merchant).await?;
    let sizes: alloc::vec::Vec<_> =
        listed.iter().map(|entry| (entry.width, entry.height, entry.at)).collect();
    same("listed", sizes, [(24, 12, fixture.now), (48, 12, fixture.after(5))].into())?;
    let bytes = u32::try_from(first.image.bytes.len()).ok();
    same("its bytes", listed.first().map(|entry| entry.size), bytes)
}

pub(super) async fn an_image_is_deleted_by_its_merchant_only(
    store: &impl Published,
    fixture: &Fixture,
) -> Checked {
    let stored = image(fixture, 24);
    let other = fixture.another()?;
    let entry = fixture.entry("delete_image");
    store.add_image(&stored, &entry).await?;
    holds("of nobody", !store.delete_image(&other.merchant, &stored.image.name, &entry).await?)?;
    same("still there", store.image(&stored.image.name).await?, Some(stored.clone()))?;
    holds("deleted", store.delete_image(&fixture.merchant, &stored.image.name, &entry).await?)?;
    holds("not twice", !store.delete_image(&fixture.merchant, &stored.image.name, &entry).await?)?;
    same("gone", store.image(&stored.image.name).await?, None)
}

pub(super) async fn the_file_of_the_domain_is_the_one_that_was_stored_last(
    store: &impl Published,
    fixture: &Fixture,
) -> Checked {
    let entry = fixture.entry("replace_apple_domain_file");
    for text in [Some("7B227073704964"), Some("second"), None, None] {
        store.set_apple_domain_file(text, &entry).await?;
        same("stored", store.apple_domain_file().await?, text.map(Into::into))?;
    }
    Ok(())
}
