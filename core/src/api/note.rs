//! A body that is a note, which must be given.

use alloc::string::String;

use serde_json::value::RawValue;

use super::administration::refuse_unknown;
use crate::rejection::Rejection;
use crate::wire::field::Fields;
use crate::wire::members::Members;
use crate::wire::noted::{self, Noted};

/// The most characters of a note.
const MAX_NOTE: usize = 500;

/// Reads the note of a body that has nothing else.
///
/// # Errors
/// [`Rejection::MalformedBody`], or [`Rejection::Invalid`] with every wrong field.
pub(super) fn read_note(body: &[u8]) -> Result<String, Rejection> {
    let members = Members::read(body)?;
    let mut fields = Fields::default();
    let line = |f: &mut Fields, path, raw: &RawValue| {
        noted::note(path, &Noted::NotBlank);
        f.line(path, raw, MAX_NOTE)
    };
    let note = fields.required("note", members.get("note"), line);
    refuse_unknown(&mut fields, &members, &["note"]);
    let found = fields.finish();
    note.filter(|_| found.is_empty()).ok_or(Rejection::Invalid(found))
}
