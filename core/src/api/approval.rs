//! What is decided about a request for approval.

use alloc::string::String;

use super::administration::refuse_unknown;
use super::note::read_note;
use crate::rejection::Rejection;
use crate::wire::field::Fields;
use crate::wire::members::Members;

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
        read_note(body).map(|note| Self { note })
    }
}
