//! What payments add up to, day by day: each day is read by its own range of an index.

use checkout_core::port::{DayTotals, PortError};
use checkout_core::transaction::totals::{CountKind, Day, DayCount, WantedTotals};
use checkout_core::value::id::PgCode;
use checkout_core::value::money::{Currency, SumOfMoney};

use super::D1Store;
use super::fault::corrupt;
use super::row::Row;
use super::statement::Values;

/// Rows of one merchant on one of the listed days.
macro_rules! on_days {
    ($of:literal, $index:literal, $at:literal) => {
        concat!(
            " FROM json_each(?2) listed CROSS JOIN ",
            $of,
            " INDEXED BY ",
            $index,
            " WHERE r.merchant_id = ?1 AND r.",
            $at,
            " >= listed.value ->> 0 AND r.",
            $at,
            " < listed.value ->> 1"
        )
    };
}

/// Sums are text, because a large one is no number that JavaScript holds exactly.
const SQL: &str = concat!(
    "SELECT listed.key, r.paid_currency, r.settled_by, 'paid', COUNT(*), CAST(SUM(r.paid) AS TEXT), \
     CAST(SUM(MAX(r.paid - r.settled, 0)) AS TEXT)",
    on_days!("txn r", "txn_by_payment", "paid_at"),
    " AND r.hidden_at IS NULL AND r.paid IS NOT NULL GROUP BY listed.key, r.paid_currency, r.settled_by \
     UNION ALL SELECT listed.key, r.currency, r.pg_code, 'refunded', COUNT(*), CAST(SUM(r.amount) AS TEXT), '0'",
    on_days!("child r", "child_refunded", "known_at"),
    " AND r.operation = 'refund' AND r.stage = 'done' \
     AND r.attempt = (SELECT e.reference FROM txn_event e WHERE e.session_id = r.parent_id \
     AND e.kind IN ('purchase_succeeded', 'authorization_succeeded') ORDER BY e.number LIMIT 1) \
     AND EXISTS (SELECT 1 FROM txn p WHERE p.session_id = r.parent_id AND p.hidden_at IS NULL) \
     GROUP BY listed.key, r.currency, r.pg_code \
     UNION ALL SELECT listed.key, r.principal_currency, r.pg_code, 'failed', COUNT(*), '0', '0'",
    on_days!("attempt r", "attempt_failed", "known_at"),
    " AND r.stage IN ('failed', 'error') \
     AND EXISTS (SELECT 1 FROM txn p WHERE p.session_id = r.session_id AND p.hidden_at IS NULL) GROUP BY listed.key, r.principal_currency, r.pg_code"
);

impl DayTotals for D1Store {
    async fn count_days(&self, wanted: &WantedTotals) -> Result<Vec<DayCount>, PortError> {
        let span = |day: &Day| format!("[{},{}]", day.from.millis(), day.until.millis());
        let spans: Vec<String> = wanted.days.iter().map(span).collect();
        let values = Values::default().text(wanted.merchant.as_str()).text(&format!("[{}]", spans.join(",")));
        let rows = values.rows(&self.db, SQL).await?;
        rows.into_iter().map(|row| read(row, &wanted.days)).collect()
    }
}

fn read(mut row: Row, days: &[Day]) -> Result<DayCount, PortError> {
    let place: usize = row.small("totals.day")?;
    let day = days.get(place).ok_or_else(|| corrupt("totals.day"))?.date;
    let currency = row.word("totals.currency", Currency::parse)?;
    Ok(DayCount {
        day,
        pg_code: row.word("totals.pg_code", PgCode::parse)?,
        of: row.word("totals.of", CountKind::parse)?,
        count: row.small("totals.count")?,
        moved: SumOfMoney::new(row.word("totals.moved", |text| text.parse().ok())?, currency),
        fees: SumOfMoney::new(row.word("totals.fees", |text| text.parse().ok())?, currency),
    })
}
