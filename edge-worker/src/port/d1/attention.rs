//! The attention list: what a person should look at.

use checkout_core::port::{AttentionLists, AttentionSearch, Closing, Flagged, OpenMatters, PortError};
use checkout_core::record::attention::{
    Attention, AttentionId, AttentionState, ListedAttention, Reason, Resolved,
};
use checkout_core::record::facts::Facts;
use checkout_core::value::id::{MerchantId, ReferenceNumber, SessionId};
use checkout_core::value::json;

use super::D1Store;
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
    take(&mut row)
}

fn take(row: &mut Row) -> Result<Attention, PortError> {
    Ok(Attention {
        merchant: row.word("attention.merchant_id", MerchantId::parse)?,
        session_id: session_id(row)?,
        reference: row.word("attention.reference", ReferenceNumber::parse)?,
        reason: row.word("attention.reason", Reason::parse)?,
        detail: Facts::read(&row.text("attention.detail")?),
        at: row.time("attention.at")?,
    })
}

fn session_id(row: &mut Row) -> Result<Option<SessionId>, PortError> {
    let text = row.optional_text("attention.session_id")?;
    text.map(|text| SessionId::parse(&text).ok_or_else(|| corrupt("attention.session_id"))).transpose()
}

/// Whose an entry is, and whether it is open; `None` if there is none.
pub(super) async fn flagged(db: &Db, id: &AttentionId) -> Result<Option<Flagged>, PortError> {
    const SQL: &str =
        "SELECT merchant_id, session_id, closed_at FROM attention WHERE reference = ? AND reason = ?";
    let values = Values::default().text(id.reference.as_str()).text(id.reason.as_str());
    let Some(mut row) = values.first(db, SQL).await? else { return Ok(None) };
    let merchant = row.word("attention.merchant_id", MerchantId::parse)?;
    let session_id = session_id(&mut row)?;
    Ok(Some(Flagged { merchant, session_id, is_open: row.optional_time("attention.closed_at")?.is_none() }))
}

/// Closes an entry; whether it was open.
pub(super) async fn close(db: &Db, id: &AttentionId, closing: Closing<'_>) -> Result<bool, PortError> {
    const OPEN: &str =
        "(SELECT merchant_id FROM attention WHERE reference = ? AND reason = ? AND closed_at IS NULL)";
    const SQL: &str = "UPDATE attention SET closed_at = CAST(? AS INTEGER), how = ?, note = ? \
         WHERE reference = ? AND reason = ? AND closed_at IS NULL RETURNING reference";
    let values = Values::default()
        .number(closing.at.millis())
        .text(closing.how)
        .optional_text(closing.note)
        .text(id.reference.as_str())
        .text(id.reason.as_str());
    let Some(entry) = closing.entry else { return Ok(values.first(db, SQL).await?.is_some()) };
    let open = Values::default().text(id.reference.as_str()).text(id.reason.as_str());
    audit::change(db, entry, Of::row(entry, OPEN, open), values.bind(db, SQL)?).await
}

/// A page of one merchant's entries in one state: `?2` are the reasons that are left out, `?3` to `?5` where it begins, `?6` the most rows.
macro_rules! page {
    ($index:literal, $state:literal) => {
        concat!(
            "SELECT merchant_id, session_id, reference, reason, detail, at, closed_at, note FROM attention INDEXED BY ",
            $index,
            " WHERE merchant_id = ?1 AND ",
            $state,
            " AND reason NOT IN (SELECT value FROM json_each(?2)) \
             AND (at, reference, reason) < (CAST(?3 AS INTEGER), ?4, ?5) \
             ORDER BY at DESC, reference DESC, reason DESC LIMIT CAST(?6 AS INTEGER)"
        )
    };
}

/// After every reference number and reason.
const LAST: &str = "~";

/// The reasons that merchants are not shown.
fn of_operators() -> String {
    let reasons = Reason::ALL.into_iter().filter(|reason| reason.is_of_operators());
    json::write_texts(reasons.map(Reason::as_str).collect::<Vec<&str>>())
}

impl AttentionLists for D1Store {
    async fn find_attention(&self, search: &AttentionSearch) -> Result<Vec<ListedAttention>, PortError> {
        const OPEN: &str = page!("attention_open_of_merchant", "closed_at IS NULL");
        const RESOLVED: &str = page!("attention_closed_of_merchant", "closed_at IS NOT NULL");
        let (at, reference, reason) = search.after.as_ref().map_or((i64::MAX, LAST, LAST), |(at, id)| {
            (at.millis(), id.reference.as_str(), id.reason.as_str())
        });
        let values = Values::default()
            .text(search.merchant.as_str())
            .text(&of_operators())
            .number(at)
            .text(reference)
            .text(reason)
            .number(search.limit);
        let sql = match search.state {
            AttentionState::Open => OPEN,
            AttentionState::Resolved => RESOLVED,
        };
        values.rows(&self.db, sql).await?.into_iter().map(listed).collect()
    }

    async fn open_matters(&self, merchant: &MerchantId, most: u32) -> Result<OpenMatters, PortError> {
        const SQL: &str = "SELECT (SELECT COUNT(*) FROM (SELECT 1 FROM attention INDEXED BY attention_open_of_merchant \
             WHERE merchant_id = ?1 AND closed_at IS NULL AND reason NOT IN (SELECT value FROM json_each(?2)) \
             LIMIT CAST(?3 AS INTEGER) + 1)), \
             (SELECT COUNT(*) FROM (SELECT 1 FROM approval INDEXED BY approval_by_state WHERE merchant_id = ?1 \
             AND state = 'asked' LIMIT CAST(?3 AS INTEGER) + 1))";
        let values = Values::default().text(merchant.as_str()).text(&of_operators()).number(most);
        let Some(mut row) = values.first(&self.db, SQL).await? else { return Ok(OpenMatters::default()) };
        Ok(OpenMatters { attention: row.small("attention.count")?, approvals: row.small("approval.count")? })
    }
}

fn listed(mut row: Row) -> Result<ListedAttention, PortError> {
    let entry = take(&mut row)?;
    let at = row.optional_time("attention.closed_at")?;
    let note = row.optional_text("attention.note")?;
    Ok(ListedAttention { entry, resolved: at.map(|at| Resolved { at, note }) })
}
