//! For which rows a doorbell was rung, and which could not be handled.

use checkout_core::port::{Doorbell, Doorbells, PortError};
use checkout_core::record::attention::Reason;
use checkout_core::record::facts::{FactCode, Facts};
use checkout_core::value::time::Timestamp;

use super::D1Store;
use super::statement::{Values, json};

/// An entry of the attention list from a row that is still due: `?1` is its key, `?2` the reason, `?3` the facts, `?4` the
/// moment.
macro_rules! flag {
    ($columns:literal from $rows:literal) => {
        concat!(
            "INSERT INTO attention (reference, reason, merchant_id, session_id, detail, at) SELECT ",
            $columns,
            " FROM ",
            $rows,
            " ON CONFLICT DO NOTHING RETURNING reference"
        )
    };
}

impl Doorbells for D1Store {
    async fn note_rung(&self, ids: &[&str], at: Timestamp) -> Result<(), PortError> {
        const SQL: &str = "INSERT INTO doorbell (id, rung_at) SELECT value, CAST(? AS INTEGER) FROM json_each(?) WHERE true \
             ON CONFLICT (id) DO UPDATE SET rung_at = excluded.rung_at";
        Values::default().number(at.millis()).text(&json(&ids, "doorbell.id")?).run(&self.db, SQL).await
    }

    async fn unring(&self, ids: &[&str]) -> Result<(), PortError> {
        const SQL: &str = "DELETE FROM doorbell WHERE id IN (SELECT value FROM json_each(?))";
        Values::default().text(&json(&ids, "doorbell.id")?).run(&self.db, SQL).await
    }

    async fn delete_rung(&self, before: Timestamp, limit: u32) -> Result<u32, PortError> {
        const SQL: &str = "DELETE FROM doorbell WHERE id IN (SELECT id FROM doorbell WHERE rung_at < CAST(? AS INTEGER) \
             ORDER BY rung_at LIMIT CAST(? AS INTEGER)) RETURNING 1";
        Values::default().number(before.millis()).number(limit).count(&self.db, SQL).await
    }

    async fn flag_unprocessed(&self, bell: &Doorbell, at: Timestamp) -> Result<bool, PortError> {
        const DELIVERY: &str = flag! {
            "reference, ?2, merchant_id, session_id, ?3, CAST(?4 AS INTEGER)"
            from "delivery WHERE id = ?1 AND state = 'due' AND kind NOT IN ('alert_webhook', 'alert_email')"
        };
        const ATTEMPT: &str = flag! {
            "reference, ?2, merchant_id, session_id, ?3, CAST(?4 AS INTEGER)"
            from "attempt WHERE reference = ?1 AND inquire_at IS NOT NULL"
        };
        const OPERATION: &str = flag! {
            "reference, ?2, merchant_id, parent_id, ?3, CAST(?4 AS INTEGER)"
            from "child WHERE reference = ?1 AND inquire_at IS NOT NULL"
        };
        // An entry names an attempt. Without one nobody has tried to pay.
        const EXPIRY: &str = flag! {
            "a.reference, ?2, t.merchant_id, t.session_id, ?3, CAST(?4 AS INTEGER)"
            from "txn t JOIN attempt a ON a.reference = (SELECT reference FROM attempt WHERE session_id = t.session_id ORDER BY number DESC LIMIT 1) \
             WHERE t.session_id = ?1 AND t.state IN ('created', 'pending', 'attempted')"
        };
        let sql = match bell {
            Doorbell::Delivery(_) => DELIVERY,
            Doorbell::Attempt(_) => ATTEMPT,
            Doorbell::Operation(_) => OPERATION,
            Doorbell::Expiry(_) => EXPIRY,
            // No row: the next run cleans again.
            Doorbell::Cleaning(_) => return Ok(false),
        };
        let detail = Facts::default().and(FactCode::NotProcessed, &[bell.id()]).stored();
        let values = Values::default().text(bell.id()).text(Reason::NotProcessed.as_str()).text(&detail);
        Ok(values.number(at.millis()).first(&self.db, sql).await?.is_some())
    }
}
