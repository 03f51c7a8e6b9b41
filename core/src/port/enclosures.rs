//! What goes with payment transactions: files, the rows that refer to them, and short addresses.

use alloc::vec::Vec;

use super::PortError;
use crate::record::attachment::{Attachment, AttachmentName};
use crate::record::short_link::{ShortCode, ShortLink};
use crate::value::id::SessionId;

/// Keeps the bytes of files. What was put may be visible elsewhere only after a minute; nothing is ever overwritten.
pub trait Files {
    /// Puts a file away under a new name.
    ///
    /// # Errors
    /// Where it may not have been kept.
    async fn put(&self, name: &AttachmentName, bytes: &[u8]) -> Result<(), PortError>;

    /// The bytes of a file; `None` where they are not there, or not yet visible.
    ///
    /// # Errors
    /// Where the files cannot be read.
    async fn get(&self, name: &AttachmentName) -> Result<Option<Vec<u8>>, PortError>;
}

/// The rows of files and of short addresses. Those that belong to a change are stored with it, by
/// [`Store::commit`](super::Store::commit).
pub trait Enclosures {
    /// A file that is kept, whosever it is.
    ///
    /// # Errors
    /// Where the store fails or holds a row that cannot be read.
    async fn attachment(&self, name: &AttachmentName) -> Result<Option<Attachment>, PortError>;

    /// Adds a file that belongs to no transaction yet.
    ///
    /// # Errors
    /// As [`attachment`](Self::attachment); also where the name is taken.
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
