//! The face of a merchant: of the settings, what the merchant may change itself, and the preview of every screen.

use alloc::boxed::Box;

use serde_json::value::{RawValue, to_raw_value};

use super::document;
use super::merchant::store;
use crate::access::Caller;
use crate::answer::administration::BrandShown;
use crate::checkout::page::TransactionPage;
use crate::checkout::sample::{SCREEN_NAMES, Sample, Screen};
use crate::flow::Failure;
use crate::flow::account::image::refuse_unknown_images;
use crate::flow::situation::known;
use crate::port::{Clock, PortError, Registry, World};
use crate::record::audit::Entry;
use crate::rejection::Rejection;
use crate::route::query::PREVIEW;
use crate::settings::parse::read_brand;
use crate::value::id::MerchantId;
use crate::violation::Rule;
use crate::wire::members::Members;
use crate::wire::query::Parameters;
use crate::wire::tree::Tree;
use crate::words::Language;

/// The member of the settings.
const NAME: &str = "brand";

/// Shows the brand as it is in the settings.
///
/// # Errors
/// A failure of the world.
pub async fn read_brand_of(world: &impl World, caller: &Caller) -> Result<BrandShown, Failure> {
    let stored = world.directory().document(caller.merchant()).await?.ok_or(Rejection::NotFound)?;
    let document = document::stored(&stored.text)?;
    shown(document.get(NAME), stored.version)
}

fn shown(brand: Option<&Tree<'_>>, version: i64) -> Result<BrandShown, Failure> {
    let text = brand.map_or_else(|| "{}".into(), Tree::to_json);
    let failed = |_| PortError { port: "settings", detail: "a brand cannot be written".into() };
    let brand: Box<RawValue> = RawValue::from_string(text).or_else(|_| to_raw_value(&())).map_err(failed)?;
    Ok(BrandShown { brand, version })
}

/// Replaces the brand:
///
/// 1. read it by the rules of the settings;
/// 2. its images must be there;
/// 3. store it in the document, whose other members stay as they are and are not checked again.
///
/// # Errors
/// [`Rejection::Invalid`] with every wrong member, [`Rejection::Conflict`] if the settings were changed in the meantime, or
/// a failure of the world.
pub async fn replace_brand(world: &impl World, caller: &Caller, body: &[u8]) -> Result<BrandShown, Failure> {
    let merchant = caller.merchant();
    // 1
    let members = Members::read(body)?;
    let brand = read_brand("", &members, world.installation()).map_err(Rejection::Invalid)?;
    // 2
    refuse_unknown_images(world, merchant, "", &brand).await?;
    // 3
    let stored = world.directory().document(merchant).await?.ok_or(Rejection::NotFound)?;
    let mut next = document::stored(&stored.text)?;
    let text = core::str::from_utf8(body).map_err(|_| Rejection::MalformedBody)?;
    next.set(NAME, Tree::parse(text).ok_or(Rejection::MalformedBody)?);
    let entry = Entry::of(caller.actor(), "replace_own_brand", world.clock().now());
    let replaced = store(world, entry, merchant, &stored, &next.to_json()).await?;
    shown(next.get(NAME), replaced.version)
}

/// The page of a screen with the face of a merchant and made-up data. The query names the screen by `state` and the
/// language by `language`.
///
/// # Errors
/// [`Rejection::NotFound`], [`Rejection::Invalid`], or a failure of the world.
pub async fn preview(
    world: &impl World,
    merchant: &MerchantId,
    query: &str,
) -> Result<TransactionPage, Failure> {
    let mut parameters = Parameters::of(query, PREVIEW);
    let screen = parameters.read("state", Rule::OneOf(SCREEN_NAMES), Screen::named);
    let language = parameters.read("language", Rule::OneOf(Language::WORDS), Language::parse);
    parameters.finish()?;
    let situation = known(world, merchant).await?;
    let sample =
        Sample::of(&situation.settings, &world.installation().public_url, language.unwrap_or(Language::En));
    let screen = screen.or_else(|| Screen::named("payable")).ok_or(Rejection::NotFound)?;
    Ok(screen.page(&sample))
}
