//! `POST /b/checkout/v1/upload-attachment/` uploads a file, for a transaction that exists or for later ones
//! (specification, Checkout operations, Upload attachment).
//!
//! The body is a multipart form: the file in the part `file`, and fields beside it.

use alloc::string::String;

use serde::Serialize;

use crate::record::attachment::MAX_BYTES;
use crate::wire::json::record;

/// The most bytes of a body: the largest file and what stands around it.
pub const MAX_BODY_BYTES: usize = MAX_BYTES.saturating_add(262_144);

record! {
    /// The fields beside the file, each raw.
    pub struct Request<'a> {
        /// The transaction that gets the file.
        pub session_id,
        /// The order number of the transaction that gets the file; of several the newest.
        pub order_no,
        /// A flag: answer a short address too.
        pub shortify_attachment_url,
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
