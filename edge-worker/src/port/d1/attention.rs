//! The attention list: what a person should look at.

use checkout_core::port::{Flagged, PortError};
use checkout_core::record::attention::{Attention, AttentionId, Reason};
use checkout_core::record::audit::Entry;
use checkout_core::value::id::{MerchantId, ReferenceNumber, SessionId};
use checkout_core::value::time::Timestamp;

use super::audit::{self, Of};
use super::fault::corrupt;
use super::row::Row;
use super::statement::{Db, Values};

/// The open entries, oldest first.
pub(super) async fn open(db: &Db, limit: u32) -> Result<Vec<Attention>, PortError> {
    const SQL: &str = "SELECT merchant_id, session_id, reference, reason, detail, at FROM attention \
         WHERE closed_at IS NULL ORDER BY at, reference, reason LIMIT CAST(? AS INTEGER)";
    Values::default().number(limit).rows(db, SQL).await?.into_iter().map(read).collect()
}

/// Reads a row.
pub(super) fn read(mut row: Row) -> Result<Attention, PortError> {
    Ok(Attention {
        merchant: row.word("attention.merchant_id", MerchantId::parse)?,
        session_id: match row.optional_text("attention.session_id")? {
            Some(text) => Some(SessionId::parse(&text).ok_or_else(|| corrupt("attention.session_id"))?),
            None => None,
        },
        reference: row.word("attention.reference", ReferenceNumber::parse)?,
        reason: row.word("attention.reason", Reason::parse)?,
        detail: row.text("attention.detail")?,
        at: row.time("attention.at")?,
    })
}

/// The merchant of an entry, and whether it is open; `None` if there is none.
pub(super) async fn flagged(db: &Db, id: &AttentionId) -> Result<Option<Flagged>, PortError> {
    const SQL: &str = "SELECT merchant_id, closed_at FROM attention WHERE reference = ? AND reason = ?";
    let values = Values::default().text(id.reference.as_str()).text(id.reason.as_str());
    let Some(mut row) = values.first(db, SQL).await? else { return Ok(None) };
    let merchant = row.word("attention.merchant_id", MerchantId::parse)?;
    Ok(Some(Flagged { merchant, is_open: row.optional_time("attention.closed_at")?.is_none() }))
}

/// Closes an entry; whether it was open.
pub(super) async fn close(
    db: &Db,
    id: &AttentionId,
    how: &'static str,
    (at, entry): (Timestamp, Option<&Entry>),
) -> Result<bool, PortError> {
    const OPEN: &str =
        "(SELECT merchant_id FROM attention WHERE reference = ? AND reason = ? AND closed_at IS NULL)";
    const SQL: &str = "UPDATE attention SET closed_at = CAST(? AS INTEGER), how = ? \
         WHERE reference = ? AND reason = ? AND closed_at IS NULL RETURNING reference";
    let values =
        Values::default().number(at.millis()).text(how).text(id.reference.as_str()).text(id.reason.as_str());
    let Some(entry) = entry else { return Ok(values.first(db, SQL).await?.is_some()) };
    let open = Values::default().text(id.reference.as_str()).text(id.reason.as_str());
    audit::change(db, entry, Of::row(entry, OPEN, open), values.bind(db, SQL)?).await
}
