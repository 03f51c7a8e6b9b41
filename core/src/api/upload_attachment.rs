//! `POST /b/checkout/v1/upload-attachment/` uploads a file, for a transaction that exists or for later ones.
//!
//! The body is a multipart form: the file in the part `file`, and the other fields.

use alloc::string::String;

use serde::Serialize;

use crate::wire::json::record;

record! {
    /// The fields in addition to the file, each raw.
    pub struct Request<'a> {
        /// The transaction that gets the file.
        pub session_id,
        /// The order number of the transaction that gets the file; if there are several, the newest.
        pub order_no,
        /// A flag: answer a short address too.
        pub shortify_attachment_url,
    }
}

/// The answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "description", derive(schemars::JsonSchema))]
pub struct Uploaded {
    /// Where the file is, for `attachment_upload_url`.
    pub file_url: String,
    /// The name that the file was given.
    pub original_filename: String,
    /// The short address, if it was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attachment_short_url: Option<String>,
}
