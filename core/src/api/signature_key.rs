//! A new key of signatures in bodies of webhooks.

use super::administration::refuse_unknown;
use crate::rejection::Rejection;
use crate::wire::field::Fields;
use crate::wire::members::Members;

/// What is asked for.
pub struct SignatureKeyRequest {
    /// Whether the key begins at once.
    pub at_once: bool,
}

impl SignatureKeyRequest {
    /// Reads a body.
    ///
    /// # Errors
    /// [`Rejection::MalformedBody`], or [`Rejection::Invalid`] with every wrong field.
    pub fn read(body: &[u8]) -> Result<Self, Rejection> {
        let members = Members::read(body)?;
        let mut fields = Fields::default();
        let at_once = members.get("at_once").and_then(|raw| fields.flag("at_once", raw));
        refuse_unknown(&mut fields, &members, &["at_once"]);
        let found = fields.finish();
        let at_once = at_once.unwrap_or(false);
        if found.is_empty() { Ok(Self { at_once }) } else { Err(Rejection::Invalid(found)) }
    }
}
