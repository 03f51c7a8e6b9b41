//! The rows of files and of short addresses.

use alloc::vec::Vec;

use super::{MemoryStore, Rows, failed};
use crate::change::Change;
use crate::port::{Attachments, CommitError, PortError};
use crate::record::attachment::{Attachment, AttachmentName};
use crate::record::short_link::{ShortCode, ShortLink};
use crate::value::id::SessionId;

impl Rows {
    pub(super) fn check_attachments(&self, change: &Change) -> Result<(), CommitError> {
        let is_taken = |link: &ShortLink| {
            self.short_links.values().any(|stored| {
                stored.code == link.code || (&stored.session_id, stored.kind) == (&link.session_id, link.kind)
            })
        };
        if change.short_links.iter().any(is_taken) { Err(CommitError::Conflict) } else { Ok(()) }
    }

    /// A row that exists already stays as it is.
    pub(super) fn write_attachments(&mut self, change: &Change) {
        if let Some(attachment) = &change.attachment {
            self.attachments.entry(attachment.file.name.clone()).or_insert_with(|| attachment.clone());
        }
        for link in &change.short_links {
            self.short_links.insert(link.code.clone(), link.clone());
        }
    }
}

impl Attachments for MemoryStore {
    async fn attachment(&self, name: &AttachmentName) -> Result<Option<Attachment>, PortError> {
        Ok(self.rows.borrow().attachments.get(name).cloned())
    }

    async fn add_attachment(&self, attachment: &Attachment) -> Result<(), PortError> {
        let mut rows = self.rows.borrow_mut();
        if rows.attachments.contains_key(&attachment.file.name) {
            return Err(failed("the name of the attachment is taken"));
        }
        rows.attachments.insert(attachment.file.name.clone(), attachment.clone());
        Ok(())
    }

    async fn short_link(&self, code: &ShortCode) -> Result<Option<ShortLink>, PortError> {
        Ok(self.rows.borrow().short_links.get(code).cloned())
    }

    async fn short_links(&self, session_id: &SessionId) -> Result<Vec<ShortLink>, PortError> {
        let rows = self.rows.borrow();
        Ok(rows.short_links.values().filter(|link| link.session_id == *session_id).cloned().collect())
    }
}
