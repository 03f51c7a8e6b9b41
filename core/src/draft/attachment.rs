//! Which file a request gives its transaction: one that comes with it, one that was uploaded before, or the
//! one that the transaction has already.

use alloc::string::String;

use serde_json::value::RawValue;

use crate::draft::request::{DraftRequest, KnownFiles};
use crate::record::attachment::{AttachedFile, AttachmentError, AttachmentName, Extension};
use crate::violation::Rule;
use crate::wire::field::{Fields, is_blank};
use crate::wire::noted::{self, Noted};

/// The most characters of `attachment_upload_url`.
const MAX_ADDRESS_CHARS: usize = 2_000;
const ATTACHMENT: &str = "attachment";
const UPLOAD_URL: &str = "attachment_upload_url";

/// What a request gives.
#[derive(Debug, Default)]
pub(super) struct Attached {
    /// The file.
    pub(super) file: Option<AttachedFile>,
    /// `attachment_upload_url`, as it was written.
    pub(super) upload_url: Option<String>,
}

/// The name in `attachment_upload_url`, as far as it can be read.
pub(crate) fn named(request: &DraftRequest<'_>, public_url: &str) -> Option<AttachmentName> {
    let text = Fields::decode_text(request.attachment_upload_url?).ok()?;
    AttachmentName::from_address(&text, public_url)
}

/// Reads `attachment` and `attachment_upload_url`. `attachment` may name the file that the transaction has
/// already by its address, so that a response can be sent back as it came; together with
/// `attachment_upload_url`, which then counts, it must still name a known file.
pub(super) fn read(fields: &mut Fields, request: &DraftRequest<'_>, public_url: &str) -> Attached {
    let files = &request.files;
    let echoed =
        fields.optional(ATTACHMENT, request.attachment, |f, p, raw| read_echo(f, p, raw, files, public_url));
    let uploaded =
        fields.optional(UPLOAD_URL, request.attachment_upload_url, |f, p, raw| read_upload(f, p, raw, files));
    match &files.sent {
        Some(Err(error)) => {
            fields.violation(ATTACHMENT, Rule::Attachment(error.clone()));
            Attached::default()
        }
        Some(Ok(_)) if request.attachment_upload_url.is_some_and(|raw| !is_blank(raw)) => {
            fields.violation(ATTACHMENT, Rule::Attachment(AttachmentError::FileAndAddress));
            Attached::default()
        }
        Some(Ok(sent)) => Attached { file: Some(sent.clone()), upload_url: None },
        None => match uploaded {
            Some((file, text)) => Attached { file: Some(file), upload_url: Some(text) },
            None => Attached { file: echoed, upload_url: None },
        },
    }
}

fn read_echo(
    fields: &mut Fields,
    path: &'static str,
    raw: &RawValue,
    files: &KnownFiles,
    public_url: &str,
) -> Option<AttachedFile> {
    noted::note(path, &Noted::Address);
    let name = Fields::decode_text(raw).ok().and_then(|text| AttachmentName::from_address(&text, public_url));
    let known = files.current.iter().chain(&files.uploaded).find(|file| name.as_ref() == Some(&file.name));
    known.cloned().or_else(|| fields.refuse(path, Rule::Attachment(AttachmentError::NotFile)))
}

fn read_upload(
    fields: &mut Fields,
    path: &'static str,
    raw: &RawValue,
    files: &KnownFiles,
) -> Option<(AttachedFile, String)> {
    let text = fields.line(path, raw, MAX_ADDRESS_CHARS)?;
    if Extension::of(&text).is_err() {
        return fields.refuse(path, Rule::Attachment(AttachmentError::AddressExtension));
    }
    match &files.uploaded {
        Some(file) => Some((file.clone(), text)),
        None => fields.refuse(path, Rule::Attachment(AttachmentError::UnknownFile)),
    }
}
