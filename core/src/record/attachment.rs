//! Attachments of payment transactions: which files a merchant may give, under which names they are stored,
//! and how they are addressed.
//!
//! A file is identified by an unguessable [`AttachmentName`], because anyone who knows the name may download
//! it. Its bytes are written once and never changed; the row that refers to them is written after them.

mod content;
mod extension;

use alloc::format;
use alloc::string::{String, ToString};

use serde::{Serialize, Serializer};
use thiserror::Error;

use crate::value::id::MerchantId;
use crate::value::slot::{Leading, Slot, Slotted};
use crate::value::text::{is_format, without_bidi_controls};
use crate::value::time::Timestamp;
pub use extension::Extension;

/// The most bytes of a file: 2.5 MB.
pub const MAX_BYTES: usize = 2_621_440;
/// The most characters of the name that the merchant gave a file.
pub(crate) const MAX_NAME_CHARS: usize = 100;
/// Where the files are, below the media address of the installation and in `file_url`.
pub(crate) const FOLDER: &str = "payment_transactions/attachments/";
/// How many characters of a name are random: 5 bits each, 160 in all.
const RANDOM_CHARS: usize = 32;
/// How a name carries its slot.
const FORM: Leading = Leading::marked(RANDOM_CHARS);
/// Base 32 in lower-case letters (RFC 4648).
const ALPHABET: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";

impl Extension {
    /// The media type with which a file that holds these bytes is served.
    #[must_use]
    pub fn media_type(self, bytes: &[u8]) -> &'static str {
        match self {
            // Its mark says how it is read.
            Self::Txt if content::utf_16(bytes).is_some() => "text/plain",
            Self::Pdf => "application/pdf",
            Self::Jpeg | Self::Jpg => "image/jpeg",
            Self::Png => "image/png",
            Self::Doc => "application/msword",
            Self::Docx => "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            Self::Xls => "application/vnd.ms-excel",
            Self::Xlsx => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            Self::Txt => "text/plain; charset=utf-8",
        }
    }

    /// The extension of a file name or address, in upper or lower case.
    ///
    /// # Errors
    /// The ending that is none of the allowed ones; empty if the name has none.
    pub fn of(name: &str) -> Result<Self, &str> {
        let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
        let found = Self::ALL.into_iter().find(|known| known.as_str().eq_ignore_ascii_case(ending));
        found.ok_or(ending)
    }
}

/// The name under which a file is stored: its slot, 32 random characters, a dot and the extension in lower case.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AttachmentName {
    text: String,
    extension: Extension,
}

impl AttachmentName {
    /// What the text matches, as a regular expression for the API description.
    pub const PATTERN: &'static str = "^(x[0-9a-f]{2})?[a-z2-7]{32}\\.[a-z]{3,4}$";

    /// A new name in a slot.
    #[must_use]
    pub fn generate(slot: Slot, random: [u8; 20], extension: Extension) -> Self {
        let mut text = String::with_capacity(RANDOM_CHARS);
        for group in random.as_chunks::<5>().0 {
            let bits = group.iter().fold(0_u64, |bits, byte| bits.unbounded_shl(8) | u64::from(*byte));
            for shift in (0..40).step_by(5).rev() {
                let digit = usize::try_from(bits.unbounded_shr(shift) & 31).ok();
                let letter = digit.and_then(|digit| ALPHABET.get(digit));
                text.extend(letter.map(|letter| char::from(*letter)));
            }
        }
        Self { text: format!("{}.{}", FORM.write(slot, &text), extension.as_str()), extension }
    }

    /// Exactly what [`generate`](Self::generate) makes, or without a slot.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (stem, ending) = text.split_once('.')?;
        let extension = Extension::ALL.into_iter().find(|known| known.as_str() == ending)?;
        let (_, random) = FORM.read(stem)?;
        random.bytes().all(|byte| ALPHABET.contains(&byte)).then(|| Self { text: text.into(), extension })
    }

    /// The text on the wire.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The kind of the file.
    #[must_use]
    pub const fn extension(&self) -> Extension {
        self.extension
    }

    /// `file_url`: where the file is, relative to the media address of the installation.
    #[must_use]
    pub(crate) fn file_url(&self) -> String {
        format!("{FOLDER}{}", self.text)
    }

    /// The address from which the file is downloaded.
    #[must_use]
    pub fn address(&self, public_url: &str) -> String {
        format!("{public_url}/media/{FOLDER}{}", self.text)
    }

    /// Reads what [`file_url`](Self::file_url) or [`address`](Self::address) wrote.
    #[must_use]
    pub(crate) fn from_address(text: &str, public_url: &str) -> Option<Self> {
        let absolute = text.strip_prefix(public_url).and_then(|rest| rest.strip_prefix("/media/"));
        Self::parse(absolute.unwrap_or(text).strip_prefix(FOLDER)?)
    }
}

impl Slotted for AttachmentName {
    fn slot(&self) -> Slot {
        self.text.split_once('.').map_or(Slot::FIRST, |(stem, _)| FORM.slot(stem))
    }
}

impl Serialize for AttachmentName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

/// A file as a transaction refers to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AttachedFile {
    /// The name under which it is stored.
    pub name: AttachmentName,
    /// The name that the merchant gave it: one line without writing direction controls, at most
    /// `MAX_NAME_CHARS` characters.
    pub original_name: String,
    /// Its size in bytes.
    pub size: u32,
}

/// A file that is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attachment {
    /// The merchant.
    pub merchant: MerchantId,
    /// The file.
    pub file: AttachedFile,
    /// Since when.
    pub at: Timestamp,
}

impl Slotted for Attachment {
    fn slot(&self) -> Slot {
        self.file.name.slot()
    }
}

/// A file as it came in: a part of a multipart body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FilePart<'a> {
    /// The name that the sender gave it.
    pub file_name: &'a str,
    /// Its content.
    pub bytes: &'a [u8],
}

impl FilePart<'_> {
    /// Whether no file was chosen: what a browser sends for an empty file field.
    #[must_use]
    pub(crate) fn is_nothing(&self) -> bool {
        self.file_name.is_empty() && self.bytes.is_empty()
    }

    /// The file under a new name, if it satisfies every rule.
    ///
    /// # Errors
    /// The first rule that it breaks.
    pub fn check(&self, slot: Slot, random: [u8; 20]) -> Result<AttachedFile, AttachmentError> {
        let original_name = clean_name(self.file_name);
        let extension = Extension::of(&original_name)
            .map_err(|ending| AttachmentError::Extension(ending.chars().take(MAX_NAME_CHARS).collect()))?;
        if original_name.chars().nth(MAX_NAME_CHARS).is_some() {
            return Err(AttachmentError::NameTooLong);
        }
        if self.bytes.is_empty() {
            return Err(AttachmentError::Empty);
        }
        let size = u32::try_from(self.bytes.len()).ok().filter(|_| self.bytes.len() <= MAX_BYTES);
        let size = size.ok_or(AttachmentError::TooLarge)?;
        if !content::is_of(extension, self.bytes) {
            return Err(AttachmentError::Content(extension.as_str()));
        }
        Ok(AttachedFile { name: AttachmentName::generate(slot, random, extension), original_name, size })
    }
}

/// The last part of a path, without control characters, and with an ending of characters that are seen.
fn clean_name(name: &str) -> String {
    let name = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let is_plain =
        |character: &char| !character.is_control() && !matches!(character, '\u{2028}' | '\u{2029}');
    let name = without_bidi_controls(name).chars().filter(is_plain).collect::<String>();
    let Some((stem, ending)) = name.trim().rsplit_once('.') else { return name.trim().to_string() };
    // What is not seen does not make an ending another one. In the rest of a name it may part words.
    let ending: String = ending.chars().filter(|character| !is_format(*character)).collect();
    format!("{stem}.{}", ending.trim())
}

/// Why a file, or what names one, is refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum AttachmentError {
    /// No file was given.
    #[error("no file was submitted")]
    Missing,
    /// A text was given where a file is needed.
    #[error(
        "must be a file: send it as a part of a multipart/form-data body, or upload it first and give its file_url in attachment_upload_url"
    )]
    NotFile,
    /// The ending of the name is none of the allowed ones.
    #[error(
        "the extension \"{0}\" is not allowed; it must be one of pdf, jpeg, png, doc, docx, jpg, xls, xlsx, txt"
    )]
    Extension(String),
    /// The name is too long.
    #[error("must have a file name of at most 100 characters")]
    NameTooLong,
    /// It is empty.
    #[error("must not be empty")]
    Empty,
    /// It has too many bytes.
    #[error("must have at most 2621440 bytes (2.5 MB)")]
    TooLarge,
    /// Its content is not what its extension says.
    #[error("must hold what its extension says: this is no {0} file")]
    Content(&'static str),
    /// Two fields say which file is meant.
    #[error("must not be given together with attachment_upload_url")]
    FileAndAddress,
    /// The address ends in none of the allowed extensions.
    #[error("must end in one of pdf, jpeg, png, doc, docx, jpg, xls, xlsx, txt")]
    AddressExtension,
    /// The address names no uploaded file of the merchant.
    #[error("must be the file_url of a file that was uploaded before")]
    UnknownFile,
    /// The merchant has no such transaction.
    #[error("no payment transaction with this {0} was found")]
    NoTransaction(&'static str),
    /// Both ids were given.
    #[error("only one of session_id and order_no may be given")]
    OneIdOnly,
    /// A short address was requested, but no transaction was named.
    #[error("session_id or order_no must be given for a short address")]
    NeedsTransaction,
}

#[cfg(test)]
mod tests;
