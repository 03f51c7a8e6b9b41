//! What several operations do with files and short links.

use alloc::vec::Vec;

use crate::answer::view::ViewOptions;
use crate::change::{Change, EventKind};
use crate::draft::attachment::named;
use crate::draft::flags::Flags;
use crate::draft::request::{DraftRequest, KnownFiles};
use crate::flow::Failure;
use crate::message::facts;
use crate::port::{Attachments, Files, Keyring, PortError, Rng, World};
use crate::record::attachment::{AttachedFile, Attachment, AttachmentError, FilePart};
use crate::record::short_link::{LinkKind, ShortCode, ShortLink};
use crate::rejection::Rejection;
use crate::route::Route;
use crate::transaction::Transaction;
use crate::value::id::MerchantId;
use crate::value::slot::Slotted;
use crate::value::time::Timestamp;

/// A file that came with a request, checked and under its new name.
pub(in crate::flow) type CheckedFile = Option<Result<AttachedFile, AttachmentError>>;

/// Checks a file and generates its name.
pub(in crate::flow) fn check(
    world: &impl World,
    merchant: &MerchantId,
    part: Option<&FilePart<'_>>,
) -> Result<CheckedFile, PortError> {
    let Some(part) = part.filter(|part| !part.is_nothing()) else { return Ok(None) };
    let mut random = [0; 20];
    world.rng().fill(&mut random)?;
    Ok(Some(part.check(merchant.slot(), random)))
}

/// Loads what the reader of a request must know about its files. `stored` is the transaction that the request
/// changes.
pub(in crate::flow) async fn learn(
    world: &impl World,
    merchant: &MerchantId,
    request: &DraftRequest<'_>,
    sent: &CheckedFile,
    stored: Option<&Transaction>,
) -> Result<KnownFiles, PortError> {
    let current = stored.and_then(|stored| stored.details.attachment.as_deref());
    let uploaded = match (named(request, &world.installation().public_url), current) {
        // A partial update that leaves the file as it is refers to the file that exists.
        (None, current) => current.filter(|_| request.attachment_upload_url.is_none()).cloned(),
        (Some(name), Some(current)) if current.name == name => Some(current.clone()),
        (Some(name), _) => {
            let found = world.ledger(&name).attachment(&name).await?;
            found.filter(|found| found.merchant == *merchant).map(|found| found.file)
        }
    };
    Ok(KnownFiles { sent: sent.clone(), uploaded, current: current.cloned() })
}

/// Stores a file and returns the row that refers to it: the bytes are stored first, of a caller who is proved.
pub(in crate::flow) async fn put(
    world: &impl World,
    merchant: &MerchantId,
    file: &AttachedFile,
    part: &FilePart<'_>,
    now: Timestamp,
) -> Result<Attachment, Failure> {
    if !world.directory().prove().await? {
        return Err(Rejection::CredentialsInvalid.into());
    }
    world.files().put(&file.name, part.bytes).await?;
    Ok(Attachment { merchant: merchant.clone(), file: file.clone(), at: now })
}

/// The short links that are requested: those that the response shows, and those that are new. `is_new`
/// says that the transaction cannot have any yet.
pub(in crate::flow) async fn shorten(
    world: &impl World,
    transaction: &Transaction,
    flags: Flags,
    is_new: bool,
) -> Result<(ViewOptions, Vec<ShortLink>), PortError> {
    let has_file = transaction.details.attachment.is_some();
    let is_wanted = |kind: &LinkKind| flags.shortens(*kind) && (*kind != LinkKind::Attachment || has_file);
    let wanted: Vec<LinkKind> = LinkKind::ALL.into_iter().filter(is_wanted).collect();
    let known = if is_new || wanted.is_empty() {
        Vec::new()
    } else {
        world.ledger(&transaction.session_id).short_links(&transaction.session_id).await?
    };
    let mut asked = ViewOptions { has_qr_code: flags.generate_qr_code, ..ViewOptions::default() };
    let mut generated = Vec::new();
    for kind in wanted {
        let code = if let Some(link) = known.iter().find(|link| link.kind == kind) {
            link.code.clone()
        } else {
            let link = generate(world, transaction, kind)?;
            generated.push(link.clone());
            link.code
        };
        match kind {
            LinkKind::Checkout => asked.checkout_code = Some(code),
            LinkKind::Attachment => asked.attachment_code = Some(code),
        }
    }
    Ok((asked, generated))
}

/// Gives the messages of a change that go to telephones the short address of the page, where every character costs: the one
/// that the transaction has, or a new one.
pub(in crate::flow) async fn shorten_messages(
    world: &impl World,
    change: &mut Change,
) -> Result<(), PortError> {
    if !facts::goes_to_telephone(change) {
        return Ok(());
    }
    let is_page = |link: &ShortLink| link.kind == LinkKind::Checkout;
    let known = if let Some(link) = change.short_links.iter().find(|link| is_page(link)) {
        Some(link.code.clone())
    } else if change.event == EventKind::Created {
        None
    } else {
        let stored =
            world.ledger(&change.transaction.session_id).short_links(&change.transaction.session_id).await?;
        stored.into_iter().find(is_page).map(|link| link.code)
    };
    let code = if let Some(code) = known {
        code
    } else {
        let link = generate(world, &change.transaction, LinkKind::Checkout)?;
        change.short_links.push(link.clone());
        link.code
    };
    facts::shorten(change, &[&world.installation().public_url, &*Route::ShortLink(code).path()].concat());
    Ok(())
}

fn generate(world: &impl World, transaction: &Transaction, kind: LinkKind) -> Result<ShortLink, PortError> {
    let mut random = [0; 16];
    world.rng().fill(&mut random)?;
    Ok(ShortLink {
        code: ShortCode::generate(transaction.session_id.slot(), random),
        kind,
        merchant: transaction.merchant.clone(),
        session_id: transaction.session_id.clone(),
    })
}
