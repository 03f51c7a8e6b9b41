//! How an entry of the attention list is resolved.

use alloc::string::String;

use super::note::read_note;
use crate::rejection::Rejection;
use crate::wire::field::Fields;
use crate::wire::members::Members;
use crate::words::word_list;

word_list! {
    /// How an entry of the attention list is resolved.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Resolution {
        /// It was dealt with elsewhere.
        Dismiss = "dismiss",
        /// The gateway is asked once more.
        Inquire = "inquire",
        /// The gateway confirmed to the operator that it charged what was asked for.
        Approved = "approved",
        /// The gateway confirmed to the operator that it charged nothing, or gave it back.
        NotCharged = "not_charged",
    }
}

/// What is asked for.
pub struct AttentionRequest {
    /// How.
    pub resolution: Resolution,
}

impl AttentionRequest {
    /// Reads a body.
    ///
    /// # Errors
    /// [`Rejection::MalformedBody`], or [`Rejection::Invalid`].
    pub fn read(body: &[u8]) -> Result<Self, Rejection> {
        let members = Members::read(body)?;
        let mut fields = Fields::default();
        let resolution = fields.given("action", members.get("action"), |f, p, raw| {
            f.word(p, raw, Resolution::WORDS, Resolution::parse)
        });
        resolution.map(|resolution| Self { resolution }).ok_or_else(|| Rejection::Invalid(fields.finish()))
    }
}

/// That an entry was dealt with, and how.
#[derive(Debug)]
pub struct ResolveRequest {
    /// How.
    pub note: String,
}

impl ResolveRequest {
    /// Reads a body.
    ///
    /// # Errors
    /// [`Rejection::MalformedBody`], or [`Rejection::Invalid`] with every wrong field.
    pub fn read(body: &[u8]) -> Result<Self, Rejection> {
        read_note(body).map(|note| Self { note })
    }
}
