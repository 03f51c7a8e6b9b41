//! What a payer opens in addition to the page: an attachment, a short link, the QR code of the page. Each
//! is found only by an unguessable name.

use alloc::string::String;
use alloc::vec::Vec;

use crate::answer::view::checkout_url;
use crate::flow::Failure;
use crate::port::{Attachments, Files, Published, Store, World};
use crate::record::attachment::{AttachedFile, AttachmentName};
use crate::record::image::ImageName;
use crate::record::short_link::{LinkKind, ShortCode};
use crate::rejection::Rejection;
use crate::value::id::SessionId;

/// The outcome of a download.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DownloadOutcome {
    /// The file.
    File {
        /// What is known about it.
        file: AttachedFile,
        /// Its bytes.
        bytes: Vec<u8>,
    },
    /// It is known, but its bytes are not visible here yet: ask again in a minute.
    NotYet,
}

/// Downloads an attachment:
///
/// 1. find its row;
/// 2. get its bytes, which were stored before the row but may become visible after it.
///
/// # Errors
/// [`Rejection::NotFound`] for an unknown name, or a failure of the world.
pub async fn download(world: &impl World, name: &AttachmentName) -> Result<DownloadOutcome, Failure> {
    // 1
    let found = world.ledger(name).attachment(name).await?.ok_or(Rejection::NotFound)?;
    // 2
    let bytes = world.files().get(name).await?;
    Ok(bytes.map_or(DownloadOutcome::NotYet, |bytes| DownloadOutcome::File { file: found.file, bytes }))
}

/// The content of an image of a merchant.
///
/// # Errors
/// [`Rejection::NotFound`] for an unknown name, or a failure of the world.
pub async fn image(world: &impl World, name: &ImageName) -> Result<Vec<u8>, Failure> {
    Ok(world.directory().image(name).await?.ok_or(Rejection::NotFound)?.image.bytes)
}

/// Where a short link leads: to the checkout page of its transaction, or to the file that the transaction
/// has now.
///
/// # Errors
/// [`Rejection::NotFound`] for an unknown code, or if the file is gone; a failure of the world.
pub async fn follow(world: &impl World, code: &ShortCode) -> Result<String, Failure> {
    let public_url = &world.installation().public_url;
    let link = world.ledger(code).short_link(code).await?.ok_or(Rejection::NotFound)?;
    let record = world.ledger(&link.session_id).load(&link.session_id).await?.ok_or(Rejection::NotFound)?;
    let transaction = record.transaction;
    match link.kind {
        LinkKind::Checkout => Ok(checkout_url(public_url, &transaction.session_id)),
        LinkKind::Attachment => {
            let file = transaction.details.attachment.ok_or(Rejection::NotFound)?;
            Ok(file.name.address(public_url))
        }
    }
}

/// The content of the QR code of a transaction: the address of its checkout page.
///
/// # Errors
/// [`Rejection::NotFound`] for an unknown session id, or a failure of the world.
pub async fn qr_text(world: &impl World, session_id: &SessionId) -> Result<String, Failure> {
    let record = world.ledger(session_id).load(session_id).await?.ok_or(Rejection::NotFound)?;
    Ok(checkout_url(&world.installation().public_url, &record.transaction.session_id))
}
