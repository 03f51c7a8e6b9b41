//! What anyone can download from this origin, and the calls by which it is stored: the images of merchants, the face
//! in which they are shown, and the file by which Apple recognises the domain.

use checkout_core::access::grantor::Grantor;
use checkout_core::flow::Failure;
use checkout_core::flow::account::image;
use checkout_core::flow::operator::{apple_domain, brand};
use checkout_core::flow::payer::download;
use checkout_core::record::image::ImageName;

use crate::call::Call;
use crate::http::{Reply, json};
use crate::page;

/// An image never changes: another content has another name.
const KEEP_IMAGE: &str = "public, max-age=31536000, immutable";
/// For how long the file of the domain may be cached: an operator who replaces it wants Apple to see that.
const KEEP_FILE: &str = "public, max-age=300";

/// Gives an image to anyone. Whatever is in a stored SVG, one that is opened by itself runs nothing, refers to nothing,
/// and is its own origin.
pub(crate) async fn image(call: &Call<'_>, name: &ImageName) -> Result<Reply, Failure> {
    let bytes = download::image(call.edge.as_ref(), name).await?;
    Ok(Reply {
        status: 200,
        headers: vec![
            ("content-type", name.kind().media_type().into()),
            ("content-security-policy", "sandbox; default-src 'none'".into()),
            ("x-content-type-options", "nosniff".into()),
            ("cross-origin-resource-policy", "cross-origin".into()),
            ("cache-control", KEEP_IMAGE.into()),
            ("referrer-policy", "no-referrer".into()),
            ("x-robots-tag", "noindex, nofollow".into()),
        ],
        body: bytes,
        rest: None,
    })
}

/// Gives Apple its file.
pub(crate) async fn apple_domain_file(call: &Call<'_>) -> Result<Reply, Failure> {
    let text = apple_domain::domain_file(call.edge.as_ref()).await?;
    Ok(Reply {
        status: 200,
        headers: vec![
            ("content-type", "text/plain; charset=utf-8".into()),
            ("x-content-type-options", "nosniff".into()),
            ("cache-control", KEEP_FILE.into()),
        ],
        body: text.into_bytes(),
        rest: None,
    })
}

/// Takes an image of the merchant.
pub(crate) async fn upload_image(call: &Call<'_>) -> Result<Reply, Failure> {
    let caller = call.caller()?;
    let by = Grantor::Merchant(&caller);
    Ok(json(201, &image::upload_image(call.edge.as_ref(), caller.merchant(), by, call.bytes()).await?))
}

/// Lists the images.
pub(crate) async fn list_images(call: &Call<'_>) -> Result<Reply, Failure> {
    Ok(json(200, &image::list_images(call.edge.as_ref(), call.caller()?.merchant()).await?))
}

/// Deletes one.
pub(crate) async fn delete_image(call: &Call<'_>, name: &ImageName) -> Result<Reply, Failure> {
    let caller = call.caller()?;
    let by = Grantor::Merchant(&caller);
    image::delete_image(call.edge.as_ref(), caller.merchant(), by, name).await?;
    Ok(Reply::empty(204))
}

/// Shows the merchant's brand.
pub(crate) async fn read_brand(call: &Call<'_>) -> Result<Reply, Failure> {
    Ok(json(200, &brand::read_brand_of(call.edge.as_ref(), &call.caller()?).await?))
}

/// Replaces it.
pub(crate) async fn replace_brand(call: &Call<'_>) -> Result<Reply, Failure> {
    Ok(json(200, &brand::replace_brand(call.edge.as_ref(), &call.caller()?, call.bytes()).await?))
}

/// Draws a screen with it.
pub(crate) async fn preview_brand(call: &Call<'_>) -> Result<Reply, Failure> {
    let caller = call.caller()?;
    let page = brand::preview(call.edge.as_ref(), caller.merchant(), call.head.query()).await?;
    Ok(Reply::page(page::render_sample(&page, None)))
}
