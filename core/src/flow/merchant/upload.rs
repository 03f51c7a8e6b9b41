//! Uploading an attachment.

use alloc::boxed::Box;
use alloc::string::String;

use crate::access::{Caller, Codes, Particular};
use crate::answer::attachment::Uploaded;
use crate::api::upload_attachment::{MAX_ID_CHARS, UploadRequest};
use crate::change::{Change, EventKind};
use crate::draft::flags::Flags;
use crate::flow::Failure;
use crate::flow::commit::attachment;
use crate::flow::commit::{Decision, decide_and_commit};
use crate::flow::find::{by_session_id, newest_of_order};
use crate::port::{Attachments, Record, Store, World};
use crate::record::attachment::{AttachedFile, AttachmentError, FilePart};
use crate::rejection::Rejection;
use crate::route::Route;
use crate::transaction::Transaction;
use crate::value::id::{MerchantId, SessionId};
use crate::value::time::Timestamp;
use crate::violation::{Rule, Violation, Violations};
use crate::wire::field::Fields;

/// A request as it came in.
#[derive(Debug)]
pub struct UploadInput<'a> {
    /// The caller, who may do this at all.
    pub caller: Caller,
    /// The fields of the form, as JSON.
    pub fields: &'a [u8],
    /// The file in the part `file`.
    pub file: Option<FilePart<'a>>,
    /// What is wrong with the form itself.
    pub wrong: &'a [Violation],
}

/// Uploads a file:
///
/// 1. the caller is known, and may create or update;
/// 2. read the fields, find the transaction that they name and check the file, reporting everything that is
///    wrong; another merchant's transaction is answered like one that does not exist;
/// 3. a file for later needs the right to create; a file for a transaction is an update of it, so the transaction must
///    still be payable, and the caller must be permitted to update it;
/// 4. store the file;
/// 5. store its row: alone, or in one batch with the change of the transaction; if someone else changed the transaction
///    first, everything is decided again by the version that exists then.
///
/// # Errors
/// The rejection, or a failure of the world. No row is stored then.
pub async fn upload(world: &impl World, input: UploadInput<'_>) -> Result<Uploaded, Failure> {
    // 1
    let caller = &input.caller;
    let now = caller.situation.now;
    let merchant = caller.merchant();
    // 2
    let request = UploadRequest::from_json(input.fields)?;
    let Upload { target, flags, file } = read(world, merchant, &request, &input, now).await?;
    let part = input.file.ok_or(Rejection::MalformedBody)?;
    let Some(session_id) = target else {
        // 3 to 5
        caller.may(Particular::UploadAhead)?;
        let attachment = attachment::put(world, merchant, &file, &part, now).await?;
        world.ledger(&attachment).add_attachment(&attachment).await?;
        return Ok(answer(file, None));
    };
    let mut attachment = None;
    let load = async || Ok(world.ledger(&session_id).load(&session_id).await?.ok_or(Rejection::NotFound)?);
    let decided = decide_and_commit(world, None, load, async |record: Box<Record>| {
        // 3
        may_change(caller, &record, now)?;
        // 4
        if attachment.is_none() {
            attachment = Some(attachment::put(world, merchant, &file, &part, now).await?);
        }
        // 5
        let next = with_file(record.transaction, &file);
        let (asked, short_links) = attachment::shorten(world, &next, flags, false).await?;
        let attachment = attachment.clone();
        let change = Change {
            attachment,
            short_links,
            ..Change::of(next, EventKind::Updated, now).by(caller.actor())
        };
        Ok(Decision::Commit(Box::new(change), asked.attachment_code))
    });
    let code = decided.await?.basis;
    let public_url = &world.installation().public_url;
    let short_url = code.map(|code| alloc::format!("{public_url}{}", Route::ShortLink(code).path()));
    Ok(answer(file, short_url))
}

/// Whether the caller may change a transaction as it is, its gateways untouched.
fn may_change(caller: &Caller, record: &Record, now: Timestamp) -> Result<(), Rejection> {
    let transaction = &record.transaction;
    let state = transaction.state_at(now, record.has_open_attempt());
    if !state.is_payable() {
        return Err(Rejection::NotUpdatable { state });
    }
    caller.may(Particular::Update(transaction.plugin, Codes::untouched(&transaction.pg_codes)))
}

/// The transaction with a file that replaces the one before, and everything that named the old file.
fn with_file(mut transaction: Transaction, file: &AttachedFile) -> Transaction {
    transaction.details.attachment = Some(Box::new(file.clone()));
    transaction.details.attachment_upload_url = None;
    transaction
}

fn answer(file: AttachedFile, attachment_short_url: Option<String>) -> Uploaded {
    Uploaded { file_url: file.name.file_url(), original_filename: file.original_name, attachment_short_url }
}

/// A request that follows every rule.
struct Upload {
    target: Option<SessionId>,
    flags: Flags,
    file: AttachedFile,
}

async fn read(
    world: &impl World,
    merchant: &MerchantId,
    request: &UploadRequest<'_>,
    input: &UploadInput<'_>,
    now: Timestamp,
) -> Result<Upload, Failure> {
    let mut fields = Fields::default();
    let file = match attachment::check(world, merchant, input.file.as_ref())? {
        Some(Ok(file)) => Some(file),
        Some(Err(error)) => fields.refuse("file", Rule::Attachment(error)),
        None => fields.refuse("file", Rule::Attachment(AttachmentError::Missing)),
    };
    let order_no = fields.optional("order_no", request.order_no, |f, p, raw| f.line(p, raw, MAX_ID_CHARS));
    let session_id =
        fields.optional("session_id", request.session_id, |f, p, raw| f.line(p, raw, MAX_ID_CHARS));
    let shortify_attachment_url = fields
        .optional("shortify_attachment_url", request.shortify_attachment_url, Fields::flag)
        .unwrap_or(false);
    let target = match (&session_id, &order_no) {
        (Some(_), Some(_)) => {
            fields.violation("order_no", Rule::Attachment(AttachmentError::OneIdOnly));
            fields.refuse("session_id", Rule::Attachment(AttachmentError::OneIdOnly))
        }
        (Some(text), None) => {
            let found = by_session_id(world, merchant, text).await?;
            let found = found.map(|record| record.transaction.session_id);
            found.or_else(|| {
                fields.refuse("session_id", Rule::Attachment(AttachmentError::NoTransaction("session_id")))
            })
        }
        (None, Some(text)) => {
            let found = newest_of_order(world, merchant, text, now).await?;
            found.or_else(|| {
                fields.refuse("order_no", Rule::Attachment(AttachmentError::NoTransaction("order_no")))
            })
        }
        (None, None) if shortify_attachment_url => {
            fields.refuse("attachment_short_url", Rule::Attachment(AttachmentError::NeedsTransaction))
        }
        (None, None) => None,
    };
    let found = Violations::of_form(input.wrong, fields.finish());
    let flags = Flags { shortify_attachment_url, ..Flags::default() };
    match file {
        Some(file) if found.is_empty() => Ok(Upload { target, flags, file }),
        Some(_) | None => Err(Rejection::Invalid(found).into()),
    }
}
