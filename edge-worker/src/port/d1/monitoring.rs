//! What is measured and counted. Every statement is answered by an index, from rows that are new or wait.

use checkout_core::attempt::stage::Stage;
use checkout_core::port::{AttemptCount, Measures, Monitoring, PortError, SweepTotals, Waiting, Window};
use checkout_core::record::attention::Reason;
use checkout_core::state::State;
use checkout_core::value::json;
use checkout_core::value::time::Timestamp;

use super::D1Store;
use super::row::Row;
use super::statement::{Db, Values};

impl Monitoring for D1Store {
    async fn measure(&self, window: Window) -> Result<Measures, PortError> {
        const UNKNOWN: &str = "SELECT COUNT(*), MIN(COALESCE(unknown_since, opened_at)) FROM attempt \
             WHERE stage IN ('sending', 'unknown') AND inquire_at IS NOT NULL";
        const DELIVERIES: &str = "SELECT COUNT(*), MIN(due_at) FROM delivery WHERE state = 'due'";
        Ok(Measures {
            payments: payments(&self.db, window.payments).await?,
            attempts: attempts(&self.db, window.attempts).await?,
            unknown: waiting(&self.db, UNKNOWN).await?,
            deliveries: waiting(&self.db, DELIVERIES).await?,
            attention: attention(&self.db).await?,
            sweeps: sweeps(&self.db).await?,
        })
    }

    async fn note_sweep(&self, run: &SweepTotals) -> Result<(), PortError> {
        const SQL: &str = "INSERT INTO sweep_total (id, ended_at, runs, inquired, expired, delivered, reconciled, failures) \
             VALUES (1, CAST(? AS INTEGER), CAST(? AS INTEGER), CAST(? AS INTEGER), CAST(? AS INTEGER), CAST(? AS INTEGER), \
             CAST(? AS INTEGER), CAST(? AS INTEGER)) ON CONFLICT (id) DO UPDATE SET ended_at = excluded.ended_at, \
             runs = runs + excluded.runs, inquired = inquired + excluded.inquired, expired = expired + excluded.expired, \
             delivered = delivered + excluded.delivered, reconciled = reconciled + excluded.reconciled, \
             failures = failures + excluded.failures";
        let counts = [run.runs, run.inquired, run.expired, run.delivered, run.reconciled, run.failures];
        let counted =
            counts.into_iter().fold(Values::default().number(run.ended_at.millis()), |values, count| {
                values.number(i64::try_from(count).unwrap_or(i64::MAX))
            });
        counted.run(&self.db, SQL).await
    }
}

/// Payment transactions by state: the index by state is walked from merchant to merchant.
async fn payments(db: &Db, since: Timestamp) -> Result<Vec<(State, u64)>, PortError> {
    const SQL: &str = "WITH RECURSIVE lane (merchant_id) AS (SELECT min(merchant_id) FROM txn UNION ALL \
         SELECT (SELECT min(t.merchant_id) FROM txn t WHERE t.merchant_id > lane.merchant_id) FROM lane \
         WHERE lane.merchant_id IS NOT NULL) \
         SELECT stored.value, COUNT(*) FROM lane CROSS JOIN json_each(?) stored \
         CROSS JOIN txn t INDEXED BY txn_by_state ON t.merchant_id = lane.merchant_id AND t.state = stored.value \
         AND t.created_at > CAST(? AS INTEGER) AND t.hidden_at IS NULL GROUP BY stored.value";
    let states = json::write_texts(State::WORDS.to_vec());
    let rows = Values::default().text(&states).number(since.millis()).rows(db, SQL).await?;
    rows.into_iter()
        .map(|mut row| Ok((row.word("txn.state", State::parse)?, row.small("txn.count")?)))
        .collect()
}

async fn attempts(db: &Db, since: Timestamp) -> Result<Vec<AttemptCount>, PortError> {
    const SQL: &str = "SELECT pg_name, is_sandbox, stage, COUNT(*) FROM attempt INDEXED BY attempt_by_opening \
         WHERE opened_at > CAST(? AS INTEGER) GROUP BY pg_name, is_sandbox, stage";
    let rows = Values::default().number(since.millis()).rows(db, SQL).await?;
    rows.into_iter()
        .map(|mut row| {
            Ok(AttemptCount {
                pg_name: row.text("attempt.pg_name")?,
                is_sandbox: row.flag("attempt.is_sandbox")?,
                stage: row.word("attempt.stage", Stage::parse)?,
                count: row.small("attempt.count")?,
            })
        })
        .collect()
}

async fn waiting(db: &Db, sql: &'static str) -> Result<Waiting, PortError> {
    let read = |mut row: Row| {
        Ok(Waiting { count: row.small("waiting.count")?, since: row.optional_time("waiting.since")? })
    };
    Values::default().first(db, sql).await?.map_or_else(|| Ok(Waiting::default()), read)
}

async fn attention(db: &Db) -> Result<Vec<(Reason, u64)>, PortError> {
    const SQL: &str = "SELECT reason, COUNT(*) FROM attention WHERE closed_at IS NULL GROUP BY reason";
    let rows = Values::default().rows(db, SQL).await?;
    rows.into_iter()
        .map(|mut row| Ok((row.word("attention.reason", Reason::parse)?, row.small("attention.count")?)))
        .collect()
}

async fn sweeps(db: &Db) -> Result<Option<SweepTotals>, PortError> {
    const SQL: &str = "SELECT ended_at, runs, inquired, expired, delivered, reconciled, failures FROM sweep_total \
         WHERE id = 1";
    let read = |mut row: Row| {
        Ok(SweepTotals {
            ended_at: row.time("sweep_total.ended_at")?,
            runs: row.small("sweep_total.runs")?,
            inquired: row.small("sweep_total.inquired")?,
            expired: row.small("sweep_total.expired")?,
            delivered: row.small("sweep_total.delivered")?,
            reconciled: row.small("sweep_total.reconciled")?,
            failures: row.small("sweep_total.failures")?,
        })
    };
    Values::default().first(db, SQL).await?.map(read).transpose()
}
