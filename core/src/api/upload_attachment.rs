//! `POST /b/checkout/v1/upload-attachment/` uploads a file, for a transaction that exists or for later ones
//! (specification, Checkout operations, Upload attachment).
//!
//! The body is a multipart form: the file in the part `file`, and fields beside it.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::attachment::MAX_BYTES;
use crate::rejection::Rejection;

/// The most bytes of a body: the largest file and what stands around it.
pub const MAX_BODY_BYTES: usize = MAX_BYTES.saturating_add(262_144);

/// The fields beside the file, each raw.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Request<'a> {
    /// The transaction that gets the file.
    #[serde(borrow)]
    pub session_id: Option<&'a RawValue>,
    /// The order number of the transaction that gets the file; of several the newest.
    #[serde(borrow)]
    pub order_no: Option<&'a RawValue>,
    /// A flag: answer a short address too.
    #[serde(borrow)]
    pub shortify_attachment_url: Option<&'a RawValue>,
}

impl<'a> Request<'a> {
    /// Reads the fields of the form, as [`form::to_json`](super::form::to_json) writes them.
    ///
    /// # Errors
    /// [`Rejection::MalformedBody`] for anything but one JSON object.
    pub fn from_json(body: &'a [u8]) -> Result<Self, Rejection> {
        serde_json::from_slice(body).map_err(|_| Rejection::MalformedBody)
    }
}

/// The answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Answer {
    /// Where the file is, for `attachment_upload_url`.
    pub file_url: String,
    /// The name that the file was given.
    pub original_filename: String,
    /// The short address, where it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attachment_short_url: Option<String>,
}
