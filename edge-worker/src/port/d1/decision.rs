//! The tables `decision` and `gateway_health`: why payments went to their gateways, and which gateways failed lately.

use checkout_core::port::{Decisions, PortError};
use checkout_core::record::decision::{Basis, RoutingDecision};
use checkout_core::record::health::{Health, HealthWrite, Seen};
use checkout_core::value::id::{MerchantId, PgCode, ReferenceNumber, SessionId};
use checkout_core::value::time::Timestamp;

use super::D1Store;
use super::row::Row;
use super::statement::{Columns, Db, Statement, Values};

impl Decisions for D1Store {
    async fn health(&self, merchant: &MerchantId, now: Timestamp) -> Result<Vec<Health>, PortError> {
        health(&self.db, merchant, now).await
    }

    async fn decisions(&self, session_id: &SessionId) -> Result<Vec<RoutingDecision>, PortError> {
        decisions(&self.db, session_id).await
    }
}

/// The gateways of a merchant that failed lately.
async fn health(db: &Db, merchant: &MerchantId, now: Timestamp) -> Result<Vec<Health>, PortError> {
    const SQL: &str = "SELECT pg_code, failures, coalesce(skipped_until > CAST(? AS INTEGER), 0) AS is_skipped \
         FROM gateway_health WHERE merchant_id = ? ORDER BY pg_code";
    let rows = Values::default().number(now.millis()).text(merchant.as_str()).rows(db, SQL).await?;
    rows.into_iter()
        .map(|mut row| {
            Ok(Health {
                code: row.word("gateway_health.pg_code", PgCode::parse)?,
                failures: row.small("gateway_health.failures")?,
                is_skipped: row.flag("gateway_health.is_skipped")?,
            })
        })
        .collect()
}

/// The decisions about the attempts of a transaction, in order.
async fn decisions(db: &Db, session_id: &SessionId) -> Result<Vec<RoutingDecision>, PortError> {
    const SQL: &str = "SELECT d.reference, d.at, d.basis, d.rule, d.draw, d.replaces, d.gateways FROM decision d \
         JOIN attempt a ON a.reference = d.reference WHERE d.session_id = ? ORDER BY a.number";
    let rows = Values::default().text(session_id.as_str()).rows(db, SQL).await?;
    rows.into_iter().map(read).collect()
}

fn read(mut row: Row) -> Result<RoutingDecision, PortError> {
    let reference = row.word("decision.reference", ReferenceNumber::parse)?;
    let at = row.time("decision.at")?;
    let basis = row.word("decision.basis", Basis::parse)?;
    let rule = row.optional_text("decision.rule")?;
    let draw = row.optional_number("decision.draw")?.and_then(|draw| u8::try_from(draw).ok());
    let replaces = row.optional_text("decision.replaces")?.and_then(|text| ReferenceNumber::parse(&text));
    let gateways = row.word("decision.gateways", RoutingDecision::read_gateways)?;
    Ok(RoutingDecision { reference, at, basis, rule, draw, replaces, gateways })
}

/// Stores the decision about an attempt.
pub(super) fn insert(
    db: &Db,
    session_id: &SessionId,
    decision: &RoutingDecision,
) -> Result<Statement, PortError> {
    Columns::default()
        .text("reference", decision.reference.as_str())
        .text("session_id", session_id.as_str())
        .time("at", decision.at)
        .text("basis", decision.basis.as_str())
        .optional_text("rule", decision.rule.as_deref())
        .optional_number("draw", decision.draw.map(i64::from))
        .optional_text("replaces", decision.replaces.as_ref().map(ReferenceNumber::as_str))
        .text("gateways", &decision.gateways_text())
        .insert(db, "decision")
}

/// Stores what a payment of a transaction showed about its gateway.
pub(super) fn write_health(
    db: &Db,
    session_id: &SessionId,
    write: &HealthWrite,
) -> Result<Statement, PortError> {
    const ANSWERED: &str = "DELETE FROM gateway_health WHERE merchant_id = ? AND pg_code = ?";
    const FAILED: &str = "INSERT INTO gateway_health (merchant_id, pg_code, session_id, failures, failed_at, skipped_until) \
         VALUES (?1, ?2, ?3, 1, CAST(?4 AS INTEGER), CASE WHEN CAST(?6 AS INTEGER) <= 1 THEN CAST(?7 AS INTEGER) END) \
         ON CONFLICT (merchant_id, pg_code) DO UPDATE SET session_id = excluded.session_id, failed_at = excluded.failed_at, \
         failures = iif(failed_at >= CAST(?5 AS INTEGER), failures + (session_id <> excluded.session_id), 1), \
         skipped_until = CASE WHEN iif(failed_at >= CAST(?5 AS INTEGER), failures + (session_id <> excluded.session_id), 1) \
         >= CAST(?6 AS INTEGER) THEN CAST(?7 AS INTEGER) END, \
         flagged = iif(failed_at >= CAST(?5 AS INTEGER), flagged, NULL)";
    let key = Values::default().text(write.merchant.as_str()).text(write.code.as_str());
    match write.seen {
        Seen::Answered => key.bind(db, ANSWERED),
        Seen::Failed { at, counted_from, skipped_from, skipped_until } => key
            .text(session_id.as_str())
            .number(at.millis())
            .number(counted_from.millis())
            .number(skipped_from)
            .number(skipped_until.millis())
            .bind(db, FAILED),
    }
}
