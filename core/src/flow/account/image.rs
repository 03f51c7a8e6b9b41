//! The images of a merchant: uploaded, listed and deleted by operators, and by the merchant itself.

use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use serde::Serialize;
use serde_json::value::RawValue;

use crate::access::grantor::Grantor;
use crate::answer::administration::ImageShown;
use crate::flow::Failure;
use crate::flow::situation::known;
use crate::port::{Clock, ImageEntry, Published, StoredImage, World};
use crate::record::audit::Entry;
use crate::rejection::Rejection;
use crate::settings::brand::Brand;
use crate::settings::brand::image::{Image, ImageName, MAX_IMAGES};
use crate::transaction::Transaction;
use crate::value::id::MerchantId;
use crate::violation::{BrandRule, ImageRule, Rule, Violation};

/// What a body without members is called.
const IMAGE: &str = "image";

/// Uploads an image:
///
/// 1. load the merchant, and read the file;
/// 2. if it is there already, that is the answer;
/// 3. store it, if the merchant may have another one.
///
/// # Errors
/// [`Rejection::NotFound`], [`Rejection::Invalid`], or a failure of the world.
pub async fn upload_image(
    world: &impl World,
    merchant: &MerchantId,
    grantor: Grantor<'_>,
    file: &[u8],
) -> Result<ImageShown, Failure> {
    let now = world.clock().now();
    // 1
    known(world, merchant).await?;
    let image = Image::read(merchant, file).map_err(|rule| refusal(IMAGE, rule))?;
    // 2
    let known = world.directory().images(merchant).await?;
    let public_url = &world.installation().public_url;
    if let Some(entry) = known.iter().find(|entry| entry.name == image.name) {
        return Ok(shown(public_url, entry));
    }
    // 3
    if known.len() >= MAX_IMAGES {
        return Err(refusal(IMAGE, ImageRule::TooMany { max: MAX_IMAGES }).into());
    }
    let size = u32::try_from(image.bytes.len()).unwrap_or(u32::MAX);
    let entry =
        ImageEntry { name: image.name.clone(), width: image.width, height: image.height, size, at: now };
    let record = Entry::of(grantor.actor(), grantor.endpoint("upload_image", "upload_own_image"), now);
    let record = record.about(merchant).on(&image.name).to(&RecordedImage { size });
    let stored = StoredImage { merchant: merchant.clone(), image, at: now };
    world.directory().add_image(&stored, &record).await?;
    Ok(shown(public_url, &entry))
}

/// What is recorded of an image.
#[derive(Serialize)]
struct RecordedImage {
    size: u32,
}

/// Lists the images of a merchant, the oldest first.
///
/// # Errors
/// [`Rejection::NotFound`], or a failure of the world.
pub async fn list_images(world: &impl World, merchant: &MerchantId) -> Result<Vec<ImageShown>, Failure> {
    known(world, merchant).await?;
    let public_url = &world.installation().public_url;
    let images = world.directory().images(merchant).await?;
    Ok(images.iter().map(|entry| shown(public_url, entry)).collect())
}

/// Deletes an image that the settings do not name. A page that shows it has the name of the merchant in its place.
///
/// # Errors
/// [`Rejection::NotFound`], [`Rejection::Invalid`] if the settings name it, or a failure of the world.
pub async fn delete_image(
    world: &impl World,
    merchant: &MerchantId,
    grantor: Grantor<'_>,
    name: &ImageName,
) -> Result<(), Failure> {
    let now = world.clock().now();
    let situation = known(world, merchant).await?;
    let Brand { logo, favicon, .. } = &situation.settings.brand;
    if [logo, favicon].into_iter().flatten().any(|used| used == name) {
        return Err(refusal("name", ImageRule::InUse).into());
    }
    let record = Entry::of(grantor.actor(), grantor.endpoint("delete_image", "delete_own_image"), now);
    let record = record.about(merchant).on(name);
    let is_deleted = world.directory().delete_image(merchant, name, &record).await?;
    if is_deleted { Ok(()) } else { Err(Rejection::NotFound.into()) }
}

/// Refuses a brand that names an image which the merchant does not have. `base` is where the brand is.
///
/// # Errors
/// [`Rejection::Invalid`] with every such name, or a failure of the world.
pub(in crate::flow) async fn refuse_unknown_images(
    world: &impl World,
    merchant: &MerchantId,
    base: &str,
    brand: &Brand,
) -> Result<(), Failure> {
    let mut found = Vec::new();
    for (member, name) in [("logo", &brand.logo), ("favicon", &brand.favicon)] {
        let Some(name) = name else { continue };
        let stored = world.directory().image(name).await?;
        if stored.is_none_or(|stored| stored.merchant != *merchant) {
            let path: String =
                [base, member].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(".");
            found.push(Violation::new(path, Rule::Brand(BrandRule::NotImageName)));
        }
    }
    if found.is_empty() { Ok(()) } else { Err(Rejection::Invalid(found).into()) }
}

/// The same for `branding_options` of a transaction. What is stored already was checked when it came in.
///
/// # Errors
/// As [`refuse_unknown_images`].
pub(in crate::flow) async fn refuse_unknown_options(
    world: &impl World,
    next: &Transaction,
    stored: Option<&Transaction>,
) -> Result<(), Failure> {
    let Some(options) = next.details.branding_options.as_deref() else { return Ok(()) };
    let before = stored.and_then(|stored| stored.details.branding_options.as_deref());
    if before.map(RawValue::get) == Some(options.get()) {
        return Ok(());
    }
    let brand = Brand::default().with(options);
    refuse_unknown_images(world, &next.merchant, "branding_options", &brand).await
}

fn refusal(path: &'static str, rule: ImageRule) -> Rejection {
    Rejection::Invalid([Violation::new(path, Rule::Image(rule))].into())
}

fn shown(public_url: &str, entry: &ImageEntry) -> ImageShown {
    ImageShown {
        created_at: entry.at.into(),
        height: entry.height,
        media_type: entry.name.kind().media_type(),
        name: entry.name.to_string(),
        size: entry.size,
        url: [public_url, &entry.name.path()].concat(),
        width: entry.width,
    }
}
