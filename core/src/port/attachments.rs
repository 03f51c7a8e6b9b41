//! What belongs to payment transactions: attachments, the rows that refer to them, and short links.

use alloc::vec::Vec;

use super::PortError;
use crate::record::attachment::{Attachment, AttachmentName};
use crate::record::short_link::{ShortCode, ShortLink};
use crate::value::id::SessionId;

/// Stores the bytes of files. What was stored may be visible elsewhere only after a minute; nothing is ever
/// overwritten.
pub trait Files {
    /// Stores a file under a new name.
    ///
    /// # Errors
    /// If it may not have been stored.
    async fn put(&self, name: &AttachmentName, bytes: &[u8]) -> Result<(), PortError>;

    /// The bytes of a file; `None` if they are not there, or not yet visible.
    ///
    /// # Errors
    /// If the files cannot be read.
    async fn get(&self, name: &AttachmentName) -> Result<Option<Vec<u8>>, PortError>;

    /// Deletes a file. One that is not there is deleted already.
    ///
    /// # Errors
    /// If it may still be there.
    async fn delete(&self, name: &AttachmentName) -> Result<(), PortError>;
}

/// The rows of attachments and of short links. Those that belong to a change are stored with it, by
/// [`Store::commit`](super::Store::commit).
pub trait Attachments {
    /// A stored file, of any merchant.
    ///
    /// # Errors
    /// If the store fails or contains a row that cannot be read.
    async fn attachment(&self, name: &AttachmentName) -> Result<Option<Attachment>, PortError>;

    /// Adds a file that belongs to no transaction yet.
    ///
    /// # Errors
    /// As [`attachment`](Self::attachment); also if the name is taken.
    async fn add_attachment(&self, attachment: &Attachment) -> Result<(), PortError>;

    /// What a code leads to.
    ///
    /// # Errors
    /// As [`attachment`](Self::attachment).
    async fn short_link(&self, code: &ShortCode) -> Result<Option<ShortLink>, PortError>;

    /// The short addresses of a transaction, at most one of each kind.
    ///
    /// # Errors
    /// As [`attachment`](Self::attachment).
    async fn short_links(&self, session_id: &SessionId) -> Result<Vec<ShortLink>, PortError>;
}
