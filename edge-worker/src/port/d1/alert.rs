//! The table `alert`, and what the attention list says of who was notified.

use checkout_core::port::{Alert, AlertAudience, AlertGroup, Alerts, PortError};
use checkout_core::record::attention::{Attention, Reason, Topic};
use checkout_core::value::id::MerchantId;
use checkout_core::value::time::Timestamp;

use super::D1Store;
use super::attention::read;
use super::commit::insert_message;
use super::fault::{failed, is_duplicate};
use super::statement::{Values, json};

/// Groups of entries that an audience was not notified of. `?1` is the audience, `?2` the reasons with their topics, `?3` until when the last alert may have
/// been, `?4` the most groups.
macro_rules! groups {
    ($from:literal, $reported_at:literal, $wanted:literal) => {
        concat!(
            "SELECT a.merchant_id, r.value ->> 1 AS topic, COALESCE(MAX(l.number), 0) AS number FROM ",
            $from,
            " CROSS JOIN json_each(?2) r ON r.value ->> 0 = a.reason \
             LEFT JOIN alert l ON l.audience = ?1 AND l.merchant_id = a.merchant_id AND l.topic = r.value ->> 1 \
             WHERE a.closed_at IS NULL AND a.",
            $reported_at,
            " IS NULL AND (l.at IS NULL OR l.at <= CAST(?3 AS INTEGER))",
            $wanted,
            " GROUP BY 1, 2 ORDER BY MIN(a.at), 1, 2 LIMIT CAST(?4 AS INTEGER)"
        )
    };
}

/// The entries of a group.
macro_rules! entries {
    ($index:literal, $reported_at:literal) => {
        concat!(
            "SELECT merchant_id, session_id, reference, reason, detail, at FROM attention INDEXED BY ",
            $index,
            " WHERE merchant_id = ? AND closed_at IS NULL AND ",
            $reported_at,
            " IS NULL AND reason IN (SELECT value FROM json_each(?)) ORDER BY at, reference, reason LIMIT CAST(? AS INTEGER)"
        )
    };
}

/// Notes that entries were reported.
macro_rules! reported {
    ($reported_at:literal) => {
        concat!(
            "UPDATE attention SET ",
            $reported_at,
            " = CAST(? AS INTEGER) WHERE (reference, reason) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?)) \
             AND closed_at IS NULL AND ",
            $reported_at,
            " IS NULL"
        )
    };
}

/// The reasons to which an audience is alerted.
fn heard(audience: AlertAudience) -> impl Iterator<Item = Reason> {
    let is_heard = move |reason: &Reason| audience == AlertAudience::Merchant || !reason.is_of_merchant();
    Reason::ALL.into_iter().filter(is_heard)
}

impl Alerts for D1Store {
    async fn flag_gateways(&self, now: Timestamp) -> Result<(), PortError> {
        const NAME: &str = "UPDATE gateway_health SET flagged = (SELECT a.reference FROM attempt a \
             WHERE a.session_id = gateway_health.session_id AND a.pg_code = gateway_health.pg_code ORDER BY a.number DESC LIMIT 1) \
             WHERE skipped_until > CAST(? AS INTEGER) AND flagged IS NULL";
        const OPEN: &str = "INSERT INTO attention (reference, reason, merchant_id, session_id, detail, at) \
             SELECT h.flagged, 'gateway_failing', h.merchant_id, h.session_id, \
             json_array(json_array('gateway_failed', h.pg_code, CAST(h.failures AS TEXT))), CAST(? AS INTEGER) + m.clock_offset \
             FROM gateway_health h JOIN merchant m ON m.id = h.merchant_id WHERE h.flagged IS NOT NULL ON CONFLICT DO NOTHING";
        const CLOSE: &str = "UPDATE attention SET closed_at = CAST(? AS INTEGER), how = 'recovered' \
             WHERE closed_at IS NULL AND reason = 'gateway_failing' \
             AND NOT EXISTS (SELECT 1 FROM gateway_health h WHERE h.flagged = attention.reference)";
        let at = || Values::default().number(now.millis());
        let batch = vec![at().bind(&self.db, NAME)?, at().bind(&self.db, OPEN)?, at().bind(&self.db, CLOSE)?];
        self.db.batch(batch).await.map_err(|error| failed(&error))
    }

    async fn unreported_groups(
        &self,
        audience: AlertAudience,
        alerted_until: Timestamp,
        limit: u32,
    ) -> Result<Vec<AlertGroup>, PortError> {
        const MERCHANT: &str = groups!(
            "merchant m INDEXED BY merchant_with_alerts \
             CROSS JOIN attention a INDEXED BY attention_untold ON a.merchant_id = m.id",
            "alerted_at",
            " AND m.document ->> '$.alerts' IS NOT NULL AND (m.document ->> '$.alerts.webhook_url' IS NOT NULL \
             OR json_array_length(m.document, '$.alerts.emails') > 0) AND (m.document ->> '$.alerts.on' IS NULL \
             OR EXISTS (SELECT 1 FROM json_each(m.document, '$.alerts.on') w WHERE w.value = r.value ->> 1))"
        );
        const OPERATORS: &str =
            groups!("attention a INDEXED BY attention_untold_to_operators", "operators_alerted_at", "");
        let topics: Vec<[&str; 2]> =
            heard(audience).map(|reason| [reason.as_str(), reason.topic().as_str()]).collect();
        let values = Values::default()
            .text(audience.as_str())
            .text(&json(&topics, "attention.reason")?)
            .number(alerted_until.millis())
            .number(limit);
        let sql = match audience {
            AlertAudience::Merchant => MERCHANT,
            AlertAudience::Operators => OPERATORS,
        };
        let rows = values.rows(&self.db, sql).await?;
        rows.into_iter()
            .map(|mut row| {
                Ok(AlertGroup {
                    merchant: row.word("attention.merchant_id", MerchantId::parse)?,
                    topic: row.word("alert.topic", Topic::parse)?,
                    alerts_before: row.number("alert.number")?,
                })
            })
            .collect()
    }

    async fn unreported_entries(
        &self,
        audience: AlertAudience,
        group: &AlertGroup,
        limit: u32,
    ) -> Result<Vec<Attention>, PortError> {
        const MERCHANT: &str = entries!("attention_untold", "alerted_at");
        const OPERATORS: &str = entries!("attention_untold_to_operators", "operators_alerted_at");
        let of_topic = heard(audience).filter(|reason| reason.topic() == group.topic);
        let reasons: Vec<&str> = of_topic.map(Reason::as_str).collect();
        let values = Values::default()
            .text(group.merchant.as_str())
            .text(&json(&reasons, "attention.reason")?)
            .number(limit);
        let sql = match audience {
            AlertAudience::Merchant => MERCHANT,
            AlertAudience::Operators => OPERATORS,
        };
        values.rows(&self.db, sql).await?.into_iter().map(read).collect()
    }

    async fn store_alert(&self, alert: &Alert<'_>) -> Result<bool, PortError> {
        // An alert that does not follow the last one makes its number NULL, which refuses the whole batch.
        const NEXT: &str = "INSERT INTO alert (audience, merchant_id, topic, number, at) \
             VALUES (?, ?, ?, CAST(? AS INTEGER), CAST(? AS INTEGER)) ON CONFLICT (audience, merchant_id, topic) DO UPDATE \
             SET number = CASE WHEN alert.number = excluded.number - 1 THEN excluded.number END, at = excluded.at";
        const MERCHANT: &str = reported!("alerted_at");
        const OPERATORS: &str = reported!("operators_alerted_at");
        let Alert { audience, group, entries, messages, at } = *alert;
        let next = Values::default()
            .text(audience.as_str())
            .text(group.merchant.as_str())
            .text(group.topic.as_str())
            .number(group.alerts_before.saturating_add(1))
            .number(at.millis());
        let keys: Vec<[&str; 2]> =
            entries.iter().map(|entry| [entry.reference.as_str(), entry.reason.as_str()]).collect();
        let note = match audience {
            AlertAudience::Merchant => MERCHANT,
            AlertAudience::Operators => OPERATORS,
        };
        let keys = json(&keys, "attention.reference")?;
        let mut batch = vec![
            next.bind(&self.db, NEXT)?,
            Values::default().number(at.millis()).text(&keys).bind(&self.db, note)?,
        ];
        for message in messages {
            batch.push(insert_message(&self.db, message)?);
        }
        match self.db.batch(batch).await {
            Ok(()) => Ok(true),
            Err(error) if is_duplicate(&error, "alert.number") => Ok(false),
            Err(error) => Err(failed(&error)),
        }
    }
}
