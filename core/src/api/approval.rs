//! What is decided about a request for approval.

use alloc::string::String;

use serde_json::value::RawValue;

use super::administration::refuse_unknown;
use crate::rejection::Rejection;
use crate::wire::field::Fields;
use crate::wire::members::Members;
use crate::wire::noted::{self, Noted};

/// The most characters of a note.
const MAX_NOTE: usize = 500;
/// The characters of a hash.
const HASH: usize = 64;

/// That a request is approved.
#[derive(Debug, Default)]
pub struct ApproveRequest {
    /// The hash of the request as its approver saw it, if it is given.
    pub hash: Option<String>,
}

impl ApproveRequest {
    /// Reads a body.
    ///
    /// # Errors
    /// [`Rejection::MalformedBody`], or [`Rejection::Invalid`] with every wrong field.
    pub fn read(body: &[u8]) -> Result<Self, Rejection> {
        let members = Members::read(body)?;
        let mut fields = Fields::default();
        let hash = fields.optional("hash", members.get("hash"), |f, p, raw| f.line(p, raw, HASH));
        refuse_unknown(&mut fields, &members, &["hash"]);
        let found = fields.finish();
        if found.is_empty() { Ok(Self { hash }) } else { Err(Rejection::Invalid(found)) }
    }
}

/// That a request is rejected, and why.
#[derive(Debug)]
pub struct RejectRequest {
    /// Why.
    pub note: String,
}

impl RejectRequest {
    /// Reads a body.
    ///
    /// # Errors
    /// As [`ApproveRequest::read`].
    pub fn read(body: &[u8]) -> Result<Self, Rejection> {
        let members = Members::read(body)?;
        let mut fields = Fields::default();
        let line = |f: &mut Fields, path, raw: &RawValue| {
            noted::note(path, &Noted::NotBlank);
            f.line(path, raw, MAX_NOTE)
        };
        let note = fields.required("note", members.get("note"), line);
        refuse_unknown(&mut fields, &members, &["note"]);
        let found = fields.finish();
        let note = note.filter(|_| found.is_empty());
        note.map(|note| Self { note }).ok_or(Rejection::Invalid(found))
    }
}
