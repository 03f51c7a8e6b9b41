//! The table `debit_ladder`, and what it means for agreements.

use checkout_core::card::agreement::{AgreementKey, Pause, SavedAgreement};
use checkout_core::card::ladder::{LIMITS, Ladder, LadderWrite, MOST_TRIES, TryClaim};
use checkout_core::card::usage::{CardUse, ChargeInitiator};
use checkout_core::card::{CardToken, Holder};
use checkout_core::port::{Due, DueRow, Ladders, PortError};
use checkout_core::record::audit::Entry;
use checkout_core::value::id::{MerchantId, PgCode, SessionId};
use checkout_core::value::time::Timestamp;
use checkout_core::words::decline::DeclineReason;

use super::D1Store;
use super::audit::{self, Of};
use super::card::{of_holder, read_agreement, select_agreements};
use super::due;
use super::statement::{Columns, Db, Statement, Values};

/// Debits of a card that had no success or are open.
macro_rules! tried {
    () => {
        "FROM attempt r WHERE r.merchant_id = ? AND r.card_use IN (?, ?) AND r.card_use <> '' \
         AND r.stage <> 'success' AND r.opened_at > CAST(? AS INTEGER)"
    };
}

/// That a card is within each of the limits, to be added to the guard of a change.
pub(super) const CARD_MAY_BE_TRIED: &str = concat!(
    " AND (SELECT COUNT(*) ",
    tried!(),
    ") < CAST(? AS INTEGER) AND (SELECT COUNT(*) ",
    tried!(),
    ") < CAST(? AS INTEGER)"
);

/// The values of [`CARD_MAY_BE_TRIED`].
pub(super) fn card_values(values: Values, claim: &TryClaim, merchant: &MerchantId) -> Values {
    LIMITS.into_iter().fold(values, |values, (window, most)| {
        tries_of(values, merchant, &claim.card, claim.at.minus(window)).number(most)
    })
}

fn tries_of(values: Values, merchant: &MerchantId, card: &CardToken, since: Timestamp) -> Values {
    let by = |initiator| CardUse::Charge(card.clone(), initiator).to_text();
    values
        .text(merchant.as_str())
        .text(&by(ChargeInitiator::Merchant))
        .text(&by(ChargeInitiator::Payer))
        .number(since.millis())
}

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
        paused: Option<(&AgreementKey, &Pause)>,
    ) -> Result<(), PortError> {
        const DELETE: &str = "DELETE FROM debit_ladder WHERE session_id = ? AND next_at = CAST(? AS INTEGER)";
        const PAUSE: &str = "UPDATE agreement SET paused_at = CAST(? AS INTEGER), pause_reason = ?, paused_by = ? \
             WHERE merchant_id = ? AND customer_id = ? AND is_sandbox = CAST(? AS INTEGER) AND id = ? \
             AND EXISTS (SELECT 1 FROM debit_ladder WHERE session_id = ? AND next_at = CAST(? AS INTEGER))";
        let claimed = |values: Values| values.text(session_id.as_str()).number(until.millis());
        let mut batch = Vec::new();
        if let Some((key, pause)) = paused {
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
        let key = || of_holder(Values::default(), &key.holder).text(&key.id);
        audit::change(&self.db, entry, Of::row(entry, PAUSED, key()), key().bind(&self.db, RESUME)?).await
    }
}

fn pause_values(key: &AgreementKey, pause: &Pause) -> Values {
    let values = Values::default().number(pause.at.millis());
    let values = values.text(pause.reason.as_str()).text(pause.session_id.as_str());
    of_holder(values, &key.holder).text(&key.id)
}

/// The statements of a change for the ladder of its transaction.
pub(super) fn write(
    db: &Db,
    session_id: &SessionId,
    write: &LadderWrite,
) -> Result<Vec<Statement>, PortError> {
    const DELETE: &str = "DELETE FROM debit_ladder WHERE session_id = ?";
    const PAUSE: &str = "UPDATE agreement SET paused_at = CAST(? AS INTEGER), pause_reason = ?, paused_by = ? \
         WHERE merchant_id = ? AND customer_id = ? AND is_sandbox = CAST(? AS INTEGER) AND id = ?";
    match write {
        LadderWrite::Wait(ladder) => Ok(vec![upsert(db, ladder)?]),
        LadderWrite::End(paused) => {
            let mut statements = vec![Values::default().text(session_id.as_str()).bind(db, DELETE)?];
            if let Some((key, pause)) = paused {
                statements.push(pause_values(key, pause).bind(db, PAUSE)?);
            }
            Ok(statements)
        }
    }
}

fn upsert(db: &Db, ladder: &Ladder) -> Result<Statement, PortError> {
    Columns::default()
        .text("session_id", ladder.session_id.as_str())
        .text("merchant_id", ladder.merchant.as_str())
        .text("pg_code", ladder.pg_code.as_str())
        .number("tries", ladder.tries)
        .text("reason", ladder.reason.as_str())
        .time("next_at", ladder.next_at)
        .insert_or(
            db,
            "debit_ladder",
            " ON CONFLICT (session_id) DO UPDATE SET pg_code = excluded.pg_code, tries = excluded.tries, \
             reason = excluded.reason, next_at = excluded.next_at",
        )
}
