//! `POST /b/checkout/v1/upload-attachment/` uploads a file, for a transaction that exists or for later ones.
//!
//! The body is a multipart form: the file in the part `file`, and the other fields.

use crate::wire::json::record;

/// The most characters of an id.
pub const MAX_ID_CHARS: usize = 128;

record! {
    /// The fields in addition to the file, each raw.
    pub struct UploadRequest<'a> {
        /// The transaction that gets the file.
        pub session_id,
        /// The order number of the transaction that gets the file; if there are several, the newest.
        pub order_no,
        /// A flag: answer a short address too.
        pub shortify_attachment_url,
    }
}
