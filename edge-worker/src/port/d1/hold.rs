//! The table `capture_deadline`: until when held money can be captured.

use checkout_core::attempt::hold::{CaptureDeadline, HoldWrite};
use checkout_core::change::Change;
use checkout_core::port::{Due, Holds, PortError};
use checkout_core::record::attention::Attention;
use checkout_core::value::id::{MerchantId, ReferenceNumber, SessionId};

use super::D1Store;
use super::fault::failed;
use super::row::Row;
use super::statement::{Columns, Db, Statement, Values, json};

/// The columns in the order in which [`read`] takes them.
macro_rules! deadlines {
    ($rest:literal) => {
        concat!(
            "SELECT session_id, merchant_id, reference, capture_by, remind_at FROM capture_deadline WHERE ",
            $rest
        )
    };
}

fn read(mut row: Row) -> Result<CaptureDeadline, PortError> {
    Ok(CaptureDeadline {
        session_id: row.word("capture_deadline.session_id", SessionId::parse)?,
        merchant: row.word("capture_deadline.merchant_id", MerchantId::parse)?,
        reference: row.word("capture_deadline.reference", ReferenceNumber::parse)?,
        capture_by: row.time("capture_deadline.capture_by")?,
        remind_at: row.optional_time("capture_deadline.remind_at")?,
    })
}

/// The statements of a change for the deadline of its transaction.
pub(super) fn write(db: &Db, change: &Change) -> Result<Vec<Statement>, PortError> {
    const DELETE: &str = "DELETE FROM capture_deadline WHERE session_id = ? AND reference = ?";
    const CLOSE: &str = "UPDATE attention SET how = 'settled', closed_at = CAST(? AS INTEGER) \
         - (SELECT clock_offset FROM merchant WHERE id = attention.merchant_id) \
         WHERE reference = ? AND reason = 'capture_due' AND closed_at IS NULL";
    match change.hold.as_deref() {
        None => Ok(Vec::new()),
        Some(HoldWrite::Begin(deadline)) => Ok(vec![upsert(db, deadline)?]),
        Some(HoldWrite::End(reference)) => Ok(vec![
            Values::default()
                .text(change.transaction.session_id.as_str())
                .text(reference.as_str())
                .bind(db, DELETE)?,
            Values::default().number(change.at.millis()).text(reference.as_str()).bind(db, CLOSE)?,
        ]),
    }
}

fn upsert(db: &Db, deadline: &CaptureDeadline) -> Result<Statement, PortError> {
    Columns::default()
        .text("session_id", deadline.session_id.as_str())
        .text("merchant_id", deadline.merchant.as_str())
        .text("reference", deadline.reference.as_str())
        .time("capture_by", deadline.capture_by)
        .optional_time("remind_at", deadline.remind_at)
        .insert_or(
            db,
            "capture_deadline",
            " ON CONFLICT (session_id) DO UPDATE SET reference = excluded.reference, \
             capture_by = excluded.capture_by, remind_at = excluded.remind_at",
        )
}

impl Holds for D1Store {
    async fn capture_deadline(&self, session_id: &SessionId) -> Result<Option<CaptureDeadline>, PortError> {
        const SQL: &str = deadlines!("session_id = ?");
        Values::default().text(session_id.as_str()).first(&self.db, SQL).await?.map(read).transpose()
    }

    async fn due_captures(&self, due: Due<'_>) -> Result<Vec<CaptureDeadline>, PortError> {
        const OF_EVERYONE: &str = deadlines!(
            "remind_at <= CAST(? AS INTEGER) \
             AND merchant_id NOT IN (SELECT id FROM merchant WHERE clock_offset > 0) \
             ORDER BY remind_at LIMIT CAST(? AS INTEGER)"
        );
        const OF_ONE: &str = deadlines!(
            "remind_at <= CAST(? AS INTEGER) AND merchant_id = ? ORDER BY remind_at LIMIT CAST(? AS INTEGER)"
        );
        let values = Values::default().number(due.now.millis());
        let rows = match due.merchant {
            Some(merchant) => values.text(merchant.as_str()).number(due.limit).rows(&self.db, OF_ONE).await,
            None => values.number(due.limit).rows(&self.db, OF_EVERYONE).await,
        };
        rows?.into_iter().map(read).collect()
    }

    async fn remind_of_captures(&self, reminders: &[Attention]) -> Result<(), PortError> {
        const FLAG: &str = "INSERT INTO attention (reference, reason, merchant_id, session_id, detail, at) \
             SELECT d.reference, 'capture_due', d.merchant_id, d.session_id, w.value ->> 1, w.value ->> 2 \
             FROM json_each(?) w CROSS JOIN capture_deadline d ON d.session_id = w.value ->> 0 \
             WHERE d.remind_at IS NOT NULL ON CONFLICT DO NOTHING";
        const REMINDED: &str = "UPDATE capture_deadline SET remind_at = NULL \
             WHERE session_id IN (SELECT value ->> 0 FROM json_each(?))";
        let rows: Vec<(&str, String, i64)> = reminders
            .iter()
            .filter_map(|entry| {
                Some((entry.session_id.as_ref()?.as_str(), entry.detail.stored(), entry.at.millis()))
            })
            .collect();
        let rows = json(&rows, "capture_deadline.session_id")?;
        let with_rows = |sql| Values::default().text(&rows).bind(&self.db, sql);
        self.db.batch(vec![with_rows(FLAG)?, with_rows(REMINDED)?]).await.map_err(|error| failed(&error))
    }
}
