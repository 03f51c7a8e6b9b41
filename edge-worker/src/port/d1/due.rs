//! What is due: of one merchant by the merchant's time, or of every merchant whose clock was not moved by the
//! real time.
//!
//! A search first walks its index from lane to lane: from one gateway or receiver of a merchant to the next
//! one, without reading the rows between. Then it takes a few rows of each lane, and orders them by turns. So
//! it reads about as many rows as it answers, however many are due.

use checkout_core::payment::chase::Urgency;
use checkout_core::port::{Due, DueRow, GatewayFamily, PortError};
use checkout_core::reconciliation::Reconciliation;
use checkout_core::value::id::{DeliveryId, MerchantId, ReferenceNumber, SessionId};
use checkout_core::value::time::Timestamp;

use super::reconciliation;
use super::row::Row;
use super::statement::{Db, Values};

/// A search by lanes. `?1` and `?2` are the first and the last merchant, `?3` the moment, `?4` the most rows
/// of a lane, `?5` the most rows, `?6` since when no doorbell was rung for a row.
///
/// `$table` holds the rows, which are `x` in `$is_open` (what the partial index holds) and in `$is_due`;
/// `$key` is the primary key, `$lane` names the lane, `$at` says since when a row is due. `$columns` are
/// taken of the row `a`, and `$order` of what was found.
macro_rules! by_lanes {
    (
        from $table:literal key $key:literal lane $lane:literal since $at:literal
        open $is_open:literal due $is_due:literal columns $columns:literal order $order:literal
    ) => {
        concat!(
            "WITH RECURSIVE lane (merchant_id, name) AS (SELECT * FROM (SELECT x.merchant_id, x.", $lane,
            " FROM ", $table, " x WHERE ", $is_open, " AND x.merchant_id >= ?1 AND x.merchant_id <= ?2",
            " ORDER BY x.merchant_id, x.", $lane, " LIMIT 1) UNION ALL SELECT n.merchant_id, n.", $lane,
            " FROM lane JOIN ", $table, " n ON n.", $key, " = COALESCE((SELECT x.", $key, " FROM ", $table, " x WHERE ", $is_open,
            " AND x.merchant_id = lane.merchant_id AND x.", $lane, " > lane.name ORDER BY x.", $lane, " LIMIT 1),",
            " (SELECT x.", $key, " FROM ", $table, " x WHERE ", $is_open,
            " AND x.merchant_id > lane.merchant_id AND x.merchant_id <= ?2 ORDER BY x.merchant_id, x.", $lane, " LIMIT 1))),",
            " found AS (SELECT ", $columns, ", a.", $at, " AS since,",
            " ROW_NUMBER() OVER (PARTITION BY a.merchant_id, a.", $lane, " ORDER BY a.", $at, ") AS place",
            " FROM lane JOIN ", $table, " a ON a.", $key, " IN (SELECT x.", $key, " FROM ", $table, " x WHERE ", $is_open,
            " AND x.merchant_id = lane.merchant_id AND x.", $lane, " = lane.name AND ", $is_due,
            " AND NOT EXISTS (SELECT 1 FROM doorbell d WHERE d.id = x.", $key, " AND d.rung_at > CAST(?6 AS INTEGER))",
            " ORDER BY x.", $at, " LIMIT CAST(?4 AS INTEGER))",
            " WHERE ?1 = ?2 OR lane.merchant_id NOT IN (SELECT id FROM merchant WHERE clock_offset > 0)),",
            " turn AS (SELECT *, ROW_NUMBER() OVER (PARTITION BY merchant_id ORDER BY place, since) AS turn FROM found)",
            " SELECT * FROM turn ORDER BY ", $order, " LIMIT CAST(?5 AS INTEGER)"
        )
    };
}

/// Attempts in some stages.
macro_rules! attempts {
    ($stages:literal) => {
        by_lanes! {
            from "attempt" key "reference" lane "pg_code" since "inquire_at"
            open $stages due "x.inquire_at <= CAST(?3 AS INTEGER)"
            columns "a.reference, a.merchant_id, a.pg_code, a.pg_name, a.is_sandbox" order "turn, since"
        }
    };
}

/// No id of a merchant comes after it.
const LAST_MERCHANT: &str = "~";

/// The rows of a search by lanes.
async fn rows(db: &Db, due: Due<'_>, sql: &'static str) -> Result<Vec<Row>, PortError> {
    let (first, last) = due.merchant.map_or(("", LAST_MERCHANT), |one| (one.as_str(), one.as_str()));
    let values = Values::default().text(first).text(last).number(due.now.millis());
    let unrung_since = due.unrung_since.map_or(i64::MAX, Timestamp::millis);
    values.number(due.share).number(due.limit).number(unrung_since).rows(db, sql).await
}

/// A row that names its gateway.
fn of_gateway(mut row: Row) -> Result<DueRow<ReferenceNumber>, PortError> {
    let reference = row.word("attempt.reference", ReferenceNumber::parse)?;
    let merchant = row.word("attempt.merchant_id", MerchantId::parse)?;
    let pg_code = row.text("attempt.pg_code")?;
    let pg_name = row.text("attempt.pg_name")?;
    let family = GatewayFamily { pg_name: &pg_name, is_sandbox: row.flag("attempt.is_sandbox")? };
    Ok(DueRow::of_gateway(reference, merchant, pg_code, family))
}

/// Payable transactions whose time is over and that have no open attempt: a transaction with one waits for
/// its outcome. Some of the longest due of each merchant, in no particular order.
pub(super) async fn expiries(db: &Db, due: Due<'_>) -> Result<Vec<DueRow<SessionId>>, PortError> {
    const SQL: &str = "WITH RECURSIVE lane (merchant_id) AS (SELECT MIN(x.merchant_id) FROM txn x \
         WHERE x.state IN ('created', 'pending', 'attempted') AND x.merchant_id >= ?1 AND x.merchant_id <= ?2 \
         UNION ALL SELECT (SELECT MIN(x.merchant_id) FROM txn x WHERE x.state IN ('created', 'pending', 'attempted') \
         AND x.merchant_id > lane.merchant_id AND x.merchant_id <= ?2) FROM lane WHERE lane.merchant_id IS NOT NULL), \
         found AS (SELECT t.session_id, t.merchant_id, \
         ROW_NUMBER() OVER (PARTITION BY t.merchant_id ORDER BY RANDOM()) AS turn \
         FROM lane JOIN txn t ON t.session_id IN (SELECT x.session_id FROM txn x \
         WHERE x.state IN ('created', 'pending', 'attempted') AND x.merchant_id = lane.merchant_id \
         AND x.expires_at <= CAST(?3 AS INTEGER) AND x.hidden_at IS NULL AND NOT EXISTS (SELECT 1 FROM attempt a \
         WHERE a.session_id = x.session_id AND a.stage IN ('sending', 'redirected', 'unknown')) \
         AND NOT EXISTS (SELECT 1 FROM doorbell d WHERE d.id = x.session_id AND d.rung_at > CAST(?6 AS INTEGER)) \
         ORDER BY x.expires_at LIMIT 4 * CAST(?4 AS INTEGER)) \
         WHERE ?1 = ?2 OR lane.merchant_id NOT IN (SELECT id FROM merchant WHERE clock_offset > 0)) \
         SELECT session_id, merchant_id FROM found WHERE turn <= CAST(?4 AS INTEGER) ORDER BY turn LIMIT CAST(?5 AS INTEGER)";
    let read = |mut row: Row| {
        let item = row.word("txn.session_id", SessionId::parse)?;
        let merchant = row.word("txn.merchant_id", MerchantId::parse)?;
        Ok(DueRow { item, merchant, lane: String::new(), family: None })
    };
    rows(db, due, SQL).await?.into_iter().map(read).collect()
}

/// Attempts of one urgency whose gateway is to be asked.
pub(super) async fn inquiries(
    db: &Db,
    due: Due<'_>,
    urgency: Urgency,
) -> Result<Vec<DueRow<ReferenceNumber>>, PortError> {
    const UNKNOWN: &str = attempts!("x.stage IN ('sending', 'unknown') AND x.inquire_at IS NOT NULL");
    const WAITING: &str = attempts!("x.stage = 'redirected' AND x.inquire_at IS NOT NULL");
    const CLOSED: &str = attempts!("x.stage IN ('failed', 'canceled', 'error') AND x.inquire_at IS NOT NULL");
    let sql = match urgency {
        Urgency::Unknown => UNKNOWN,
        Urgency::Waiting => WAITING,
        Urgency::Closed => CLOSED,
    };
    rows(db, due, sql).await?.into_iter().map(of_gateway).collect()
}

/// Open operations whose gateway is to be asked.
pub(super) async fn operations(db: &Db, due: Due<'_>) -> Result<Vec<DueRow<ReferenceNumber>>, PortError> {
    const SQL: &str = by_lanes! {
        from "child" key "reference" lane "pg_code" since "inquire_at"
        open "x.stage IN ('sending', 'unknown', 'queued') AND x.inquire_at IS NOT NULL"
        due "x.inquire_at <= CAST(?3 AS INTEGER)"
        columns "a.reference, a.merchant_id, a.pg_code, (SELECT b.pg_name FROM attempt b WHERE b.reference = a.attempt), a.is_sandbox"
        order "turn, since"
    };
    rows(db, due, SQL).await?.into_iter().map(of_gateway).collect()
}

/// Auto debits that are tried again.
pub(super) async fn ladders(db: &Db, due: Due<'_>) -> Result<Vec<DueRow<SessionId>>, PortError> {
    const SQL: &str = by_lanes! {
        from "debit_ladder" key "session_id" lane "pg_code" since "next_at"
        open "x.next_at IS NOT NULL" due "x.next_at <= CAST(?3 AS INTEGER)"
        columns "a.session_id, a.merchant_id, a.pg_code" order "turn, since"
    };
    let read = |mut row: Row| {
        let item = row.word("debit_ladder.session_id", SessionId::parse)?;
        let merchant = row.word("debit_ladder.merchant_id", MerchantId::parse)?;
        Ok(DueRow { item, merchant, lane: row.text("debit_ladder.pg_code")?, family: None })
    };
    rows(db, due, SQL).await?.into_iter().map(read).collect()
}

/// Reconciliations that are due, the longest due first.
pub(super) async fn reconciliations(db: &Db, due: Due<'_>) -> Result<Vec<Reconciliation>, PortError> {
    const OF_EVERYONE: &str = concat!(
        reconciliation::columns!(),
        "WHERE due_at <= CAST(? AS INTEGER) \
         AND merchant_id NOT IN (SELECT id FROM merchant WHERE clock_offset > 0) \
         ORDER BY due_at LIMIT CAST(? AS INTEGER)"
    );
    const OF_ONE: &str = concat!(
        reconciliation::columns!(),
        "WHERE due_at <= CAST(? AS INTEGER) AND merchant_id = ? ORDER BY due_at LIMIT CAST(? AS INTEGER)"
    );
    let values = Values::default().number(due.now.millis());
    let rows = match due.merchant {
        Some(merchant) => values.text(merchant.as_str()).number(due.limit).rows(db, OF_ONE).await,
        None => values.number(due.limit).rows(db, OF_EVERYONE).await,
    };
    rows?.into_iter().map(reconciliation::read).collect()
}

/// Notifications that are due and that no sender holds. Those that failed before come last, in no particular
/// order, so that receivers that are down hold up neither the others nor each other.
pub(super) async fn deliveries(db: &Db, due: Due<'_>) -> Result<Vec<DueRow<DeliveryId>>, PortError> {
    const SQL: &str = by_lanes! {
        from "delivery" key "id" lane "receiver" since "due_at"
        open "x.state = 'due'" due "x.due_at <= CAST(?3 AS INTEGER) AND x.lease_until <= CAST(?3 AS INTEGER)"
        columns "a.id, a.merchant_id, CASE WHEN a.kind IN ('alert_webhook', 'alert_email') THEN 'alerts ' ELSE '' END || a.receiver AS of_lane, a.failed_tries > 0 AS is_failing"
        order "is_failing, turn, CASE WHEN is_failing THEN RANDOM() ELSE since END"
    };
    let read = |mut row: Row| {
        let item = row.word("delivery.id", DeliveryId::parse)?;
        let merchant = row.word("delivery.merchant_id", MerchantId::parse)?;
        Ok(DueRow { item, merchant, lane: row.text("delivery.receiver")?, family: None })
    };
    rows(db, due, SQL).await?.into_iter().map(read).collect()
}
