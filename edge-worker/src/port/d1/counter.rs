//! The table `call_count`, and who tried the attempts of the table `attempt`.

use checkout_core::attempt::stage::Stage;
use checkout_core::change::PayerClaim;
use checkout_core::payment::card_testing::{MOST_TRIED, TriedOutcome, TriedPayment};
use checkout_core::port::{Counters, Payers, PortError};
use checkout_core::value::id::{MerchantId, SessionId};
use checkout_core::value::time::Timestamp;

use super::D1Store;
use super::fault::corrupt;
use super::row::Row;
use super::statement::Values;

/// The attempts of a payer that count, after a moment. The index is by the same columns.
macro_rules! tried {
    () => {
        "FROM attempt WHERE merchant_id = ? AND payer = ? AND opened_at > CAST(? AS INTEGER) \
         AND (stage IN ('success', 'sending', 'redirected', 'unknown') OR (stage = 'failed' AND params <> '{}')) "
    };
}

/// That a payer is below the limits of a claim, and its values, to be added to others: the rule of
/// `card_testing::of_address`.
pub(super) const PAYER_MAY_TRY: &str = concat!(
    " AND (SELECT COUNT(*) FILTER (WHERE r.stage <> 'success') - COUNT(DISTINCT r.session_id) FILTER (WHERE r.stage = 'success') \
     < CAST(? AS INTEGER) AND COUNT(DISTINCT r.session_id) - 2 * COUNT(DISTINCT r.session_id) FILTER (WHERE r.stage = 'success') \
     < CAST(? AS INTEGER) FROM (SELECT session_id, stage ",
    tried!(),
    "ORDER BY opened_at DESC LIMIT CAST(? AS INTEGER)) r)"
);

/// The values of [`PAYER_MAY_TRY`].
pub(super) fn payer_values(values: Values, claim: &PayerClaim, merchant: &MerchantId) -> Values {
    // Zero switches a threshold off.
    let threshold = |threshold: u32| if threshold == 0 { u32::MAX } else { threshold };
    let values = values
        .number(threshold(claim.limits.address_declines))
        .number(threshold(claim.limits.address_sessions))
        .text(merchant.as_str())
        .text(&claim.payer);
    values.number(claim.since().millis()).number(MOST_TRIED)
}

impl Payers for D1Store {
    async fn tried_by(
        &self,
        merchant: &MerchantId,
        payer: &str,
        since: Timestamp,
        limit: u32,
    ) -> Result<Vec<TriedPayment>, PortError> {
        const SQL: &str = concat!(
            "SELECT session_id, opened_at, stage ",
            tried!(),
            "ORDER BY opened_at DESC LIMIT CAST(? AS INTEGER)"
        );
        let values =
            Values::default().text(merchant.as_str()).text(payer).number(since.millis()).number(limit);
        values.rows(&self.db, SQL).await?.into_iter().rev().map(read_tried).collect()
    }

    async fn delete_payers(&self, before: Timestamp, limit: u32) -> Result<u32, PortError> {
        const SQL: &str = "UPDATE attempt SET payer = NULL WHERE reference IN (SELECT reference FROM attempt \
             WHERE payer IS NOT NULL AND opened_at < CAST(? AS INTEGER) ORDER BY opened_at LIMIT CAST(? AS INTEGER)) RETURNING 1";
        Values::default().number(before.millis()).number(limit).count(&self.db, SQL).await
    }
}

impl Counters for D1Store {
    async fn count_calls(&self, caller: &str, day: i64, calls: u32) -> Result<u32, PortError> {
        const SQL: &str = "INSERT INTO call_count (caller, day, calls) VALUES (?, CAST(? AS INTEGER), CAST(? AS INTEGER)) \
             ON CONFLICT (day, caller) DO UPDATE SET calls = calls + excluded.calls RETURNING calls";
        // A call counts whether or not its caller is proved yet.
        let counted = Values::default().text(caller).number(day).number(calls).bind(&self.db, SQL)?;
        let row = self.db.rows_of_anyone(counted).await?.into_iter().next();
        row.ok_or_else(|| corrupt("call_count"))?.small("call_count.calls")
    }

    async fn delete_calls(&self, day: i64, limit: u32) -> Result<u32, PortError> {
        const SQL: &str = "DELETE FROM call_count WHERE (day, caller) IN (SELECT day, caller FROM call_count \
             WHERE day < CAST(? AS INTEGER) ORDER BY day, caller LIMIT CAST(? AS INTEGER)) RETURNING 1";
        Values::default().number(day).number(limit).count(&self.db, SQL).await
    }
}

fn read_tried(mut row: Row) -> Result<TriedPayment, PortError> {
    Ok(TriedPayment {
        session_id: row.word("attempt.session_id", SessionId::parse)?,
        opened_at: row.time("attempt.opened_at")?,
        outcome: row.word("attempt.stage", |stage| match Stage::parse(stage)? {
            Stage::Success => Some(TriedOutcome::Paid),
            Stage::Failed => Some(TriedOutcome::Declined),
            Stage::Sending | Stage::Redirected | Stage::Unknown => Some(TriedOutcome::Open),
            Stage::Canceled | Stage::Error | Stage::Cod => None,
        })?,
    })
}
