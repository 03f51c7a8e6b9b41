//! What the upload of an attachment is answered.

use alloc::string::String;

use schemars::JsonSchema;
use serde::Serialize;

/// Where the file is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Uploaded {
    /// Where the file is, for `attachment_upload_url`.
    pub file_url: String,
    /// The name that the file was given.
    pub original_filename: String,
    /// The short address, if it was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attachment_short_url: Option<String>,
}
