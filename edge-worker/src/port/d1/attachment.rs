//! The rows of files and of short addresses.

use checkout_core::port::{Attachments, PortError};
use checkout_core::record::attachment::{AttachedFile, Attachment, AttachmentName};
use checkout_core::record::short_link::{LinkKind, ShortCode, ShortLink};
use checkout_core::value::id::{MerchantId, SessionId};

use super::D1Store;
use super::row::Row;
use super::statement::{Columns, Db, Statement, Values};

impl Attachments for D1Store {
    async fn attachment(&self, name: &AttachmentName) -> Result<Option<Attachment>, PortError> {
        const SQL: &str =
            "SELECT merchant_id, original_name, size, created_at FROM attachment WHERE name = ?";
        let Some(mut row) = Values::default().text(name.as_str()).first(&self.db, SQL).await? else {
            return Ok(None);
        };
        let merchant = row.word("attachment.merchant_id", MerchantId::parse)?;
        let original_name = row.text("attachment.original_name")?;
        let size = row.small("attachment.size")?;
        let file = AttachedFile { name: name.clone(), original_name, size };
        Ok(Some(Attachment { merchant, file, at: row.time("attachment.created_at")? }))
    }

    async fn add_attachment(&self, attachment: &Attachment) -> Result<(), PortError> {
        self.db.run(insert_attachment(&self.db, attachment)?).await?;
        Ok(())
    }

    async fn short_link(&self, code: &ShortCode) -> Result<Option<ShortLink>, PortError> {
        const SQL: &str = "SELECT code, kind, merchant_id, session_id FROM short_link WHERE code = ?";
        Values::default().text(code.as_str()).first(&self.db, SQL).await?.map(read_link).transpose()
    }

    async fn short_links(&self, session_id: &SessionId) -> Result<Vec<ShortLink>, PortError> {
        const SQL: &str =
            "SELECT code, kind, merchant_id, session_id FROM short_link WHERE session_id = ? ORDER BY kind";
        let rows = Values::default().text(session_id.as_str()).rows(&self.db, SQL).await?;
        rows.into_iter().map(read_link).collect()
    }
}

fn read_link(mut row: Row) -> Result<ShortLink, PortError> {
    Ok(ShortLink {
        code: row.word("short_link.code", ShortCode::parse)?,
        kind: row.word("short_link.kind", LinkKind::parse)?,
        merchant: row.word("short_link.merchant_id", MerchantId::parse)?,
        session_id: row.word("short_link.session_id", SessionId::parse)?,
    })
}

/// A file that was stored.
pub(super) fn insert_attachment(db: &Db, attachment: &Attachment) -> Result<Statement, PortError> {
    let file = &attachment.file;
    Columns::default()
        .text("name", file.name.as_str())
        .text("merchant_id", attachment.merchant.as_str())
        .text("original_name", &file.original_name)
        .number("size", file.size)
        .time("created_at", attachment.at)
        .insert(db, "attachment")
}

/// A short address that was generated.
pub(super) fn insert_short_link(db: &Db, link: &ShortLink) -> Result<Statement, PortError> {
    Columns::default()
        .text("code", link.code.as_str())
        .text("kind", link.kind.as_str())
        .text("merchant_id", link.merchant.as_str())
        .text("session_id", link.session_id.as_str())
        .insert(db, "short_link")
}
