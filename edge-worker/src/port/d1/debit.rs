//! Auto debits that are tried again, and the agreements that they pause.

use checkout_core::card::agreement::{AgreementKey, SavedAgreement};
use checkout_core::card::ladder::{Ladder, MOST_TRIES};
use checkout_core::card::{CardToken, Holder};
use checkout_core::port::{Due, DueRow, Ladders, Pausing, PortError};
use checkout_core::record::audit::Entry;
use checkout_core::value::id::{MerchantId, PgCode, SessionId};
use checkout_core::value::time::Timestamp;
use checkout_core::words::decline::DeclineReason;

use super::D1Store;
use super::audit::{self, Of};
use super::card::{of_holder, read_agreement, select_agreements};
use super::commit::attention_values;
use super::due;
use super::ladder::{pause_values, tried, tries_of};
use super::pause::{PauseEnd, close_pause};
use super::statement::Values;

impl Ladders for D1Store {
    async fn ladder(&self, session_id: &SessionId) -> Result<Option<Ladder>, PortError> {
        const SQL: &str =
            "SELECT merchant_id, pg_code, tries, reason, next_at FROM debit_ladder WHERE session_id = ?";
        let values = Values::default().text(session_id.as_str());
        let Some(mut row) = values.first(&self.db, SQL).await? else { return Ok(None) };
        Ok(Some(Ladder {
            session_id: session_id.clone(),
            merchant: row.word("debit_ladder.merchant_id", MerchantId::parse)?,
            pg_code: row.word("debit_ladder.pg_code", PgCode::parse)?,
            tries: row.small("debit_ladder.tries")?,
            reason: row.word("debit_ladder.reason", DeclineReason::parse)?,
            next_at: row.time("debit_ladder.next_at")?,
        }))
    }

    async fn due_ladders(&self, due: Due<'_>) -> Result<Vec<DueRow<SessionId>>, PortError> {
        due::ladders(&self.db, due).await
    }

    async fn claim_ladder(
        &self,
        session_id: &SessionId,
        due_at: Timestamp,
        until: Timestamp,
    ) -> Result<bool, PortError> {
        const SQL: &str = "UPDATE debit_ladder SET next_at = CAST(? AS INTEGER) \
             WHERE session_id = ? AND next_at = CAST(? AS INTEGER) RETURNING session_id";
        let values = Values::default().number(until.millis());
        let values = values.text(session_id.as_str()).number(due_at.millis());
        Ok(values.first(&self.db, SQL).await?.is_some())
    }

    async fn end_ladder(
        &self,
        session_id: &SessionId,
        until: Timestamp,
        paused: Option<&Pausing>,
    ) -> Result<(), PortError> {
        const DELETE: &str = "DELETE FROM debit_ladder WHERE session_id = ? AND next_at = CAST(? AS INTEGER)";
        const FLAG: &str = "INSERT INTO attention (reference, reason, merchant_id, session_id, detail, at) \
             SELECT ?, ?, ?, ?, ?, CAST(? AS INTEGER) \
             WHERE EXISTS (SELECT 1 FROM debit_ladder WHERE session_id = ? AND next_at = CAST(? AS INTEGER)) \
             ON CONFLICT DO NOTHING";
        const PAUSE: &str = "UPDATE agreement SET paused_at = CAST(? AS INTEGER), pause_reason = ?, paused_by = ? \
             WHERE merchant_id = ? AND customer_id = ? AND is_sandbox = CAST(? AS INTEGER) AND id = ? \
             AND EXISTS (SELECT 1 FROM debit_ladder WHERE session_id = ? AND next_at = CAST(? AS INTEGER))";
        let claimed = |values: Values| values.text(session_id.as_str()).number(until.millis());
        let mut batch = Vec::new();
        if let Some(Pausing { key, pause, entry }) = paused {
            batch.push(close_pause(&self.db, key, PauseEnd::Claimed(entry.at, session_id, until))?);
            batch.push(claimed(attention_values(entry)).bind(&self.db, FLAG)?);
            batch.push(claimed(pause_values(key, pause)).bind(&self.db, PAUSE)?);
        }
        batch.push(claimed(Values::default()).bind(&self.db, DELETE)?);
        self.db.batch(batch).await.map_err(|error| super::fault::failed(&error))
    }

    async fn tried_debits(
        &self,
        holder: &Holder,
        card: &CardToken,
        since: Timestamp,
    ) -> Result<Vec<Timestamp>, PortError> {
        const SQL: &str =
            concat!("SELECT r.opened_at ", tried!(), " ORDER BY r.opened_at DESC LIMIT CAST(? AS INTEGER)");
        let values = tries_of(Values::default(), &holder.merchant, card, since).number(MOST_TRIES);
        let rows = values.rows(&self.db, SQL).await?;
        rows.into_iter().map(|mut row| row.time("attempt.opened_at")).collect()
    }

    async fn agreements(&self, holder: &Holder, limit: u32) -> Result<Vec<SavedAgreement>, PortError> {
        const SQL: &str = select_agreements!("ORDER BY id LIMIT CAST(? AS INTEGER)");
        let values = of_holder(Values::default(), holder).number(limit);
        let rows = values.rows(&self.db, SQL).await?;
        rows.into_iter().map(|row| read_agreement(row, holder)).collect()
    }

    async fn resume_agreement(&self, key: &AgreementKey, entry: &Entry) -> Result<bool, PortError> {
        const PAUSED: &str = "(SELECT merchant_id FROM agreement WHERE merchant_id = ? AND customer_id = ? \
             AND is_sandbox = CAST(? AS INTEGER) AND id = ? AND paused_at IS NOT NULL)";
        const RESUME: &str = "UPDATE agreement SET paused_at = NULL, pause_reason = NULL, paused_by = NULL \
             WHERE merchant_id = ? AND customer_id = ? AND is_sandbox = CAST(? AS INTEGER) AND id = ?";
        let values = || of_holder(Values::default(), &key.holder).text(&key.id);
        let close = close_pause(&self.db, key, PauseEnd::Resumed(entry.at))?;
        let resume = values().bind(&self.db, RESUME)?;
        audit::change_all(&self.db, entry, Of::row(entry, PAUSED, values()), vec![close, resume]).await
    }
}
