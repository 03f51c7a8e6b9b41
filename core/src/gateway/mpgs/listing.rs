//! The report of transactions, a table as text (CSV), as a list of payments.
//!
//! Decision: only payments that certainly took money are listed. The report names transactions and not orders, so it does
//! not say what became of an order: about everything else the gateway is asked one by one.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::time::Duration;

use super::decline::Code;
use super::read::{TransactionKind, TransactionResult};
use crate::gateway::charge::{Outcome, Report};
use crate::gateway::listing::{ChargePage, ListedCharge, ListedSums, Period};
use crate::gateway::text::{line, params};
use crate::value::money::{Currency, Money};
use crate::value::time::Timestamp;

/// How much time one page is about.
const SLICE: Duration = Duration::from_hours(3);
/// The columns, under the names of the fields.
const COLUMNS: &str = "order.id,transaction.id,transaction.type,transaction.amount,transaction.currency,result,\
response.gatewayCode,timeOfRecord";
/// How many there are.
const WIDTH: usize = 8;
/// The most rows of a page.
const MAX_ROWS: usize = 20_000;

/// The part of a period that a page is about: from the cursor, or from the beginning.
pub(super) fn slice(period: Period, cursor: Option<&str>) -> Option<Period> {
    let from = match cursor {
        Some(cursor) => Timestamp::from_millis(cursor.parse().ok()?),
        None => period.from,
    };
    let is_within = from >= period.from && from <= period.to;
    is_within.then(|| Period { from, to: from.plus(SLICE).min(period.to) })
}

/// The query of a report. Its first moment is in it, its last is not; parts of a second are left out of both.
pub(super) fn query(slice: Period) -> String {
    let Period { from, to } = slice;
    format!("timeOfRecord.start={from}&timeOfRecord.end={to}&columns={COLUMNS}&columnHeaders={COLUMNS}")
}

/// The page in a body; `None` if any part of it cannot be read.
pub(super) fn read(body: &[u8], slice: Period, period: Period) -> Option<ChargePage> {
    let text = core::str::from_utf8(body).ok()?;
    let mut rows = rows_of(text)?.into_iter();
    let header = rows.next()?;
    if header.join(",") != COLUMNS {
        return None;
    }
    let rows = rows.map(Row::of).collect::<Option<Vec<Row>>>()?;
    let charges = rows.iter().filter(|row| row.is_payment() && !is_undone(row, &rows)).map(Row::listed);
    let charges = charges.collect::<Option<Vec<_>>>()?;
    let next = (slice.to < period.to).then(|| slice.to.millis().to_string());
    Some(ChargePage { charges: once_each(charges), next })
}

/// One row per order: the report repeats a transaction for every event of it.
fn once_each(charges: Vec<ListedCharge>) -> Vec<ListedCharge> {
    let mut listed: Vec<ListedCharge> = Vec::with_capacity(charges.len());
    for charge in charges {
        if !listed.contains(&charge) {
            listed.push(charge);
        }
    }
    listed
}

/// Whether the report names a void of the same order: then it does not say whether the money was taken.
fn is_undone(payment: &Row, rows: &[Row]) -> bool {
    rows.iter().any(|row| row.order == payment.order && row.kind.is_void())
}

struct Row {
    order: String,
    transaction: String,
    kind: TransactionKind,
    amount: String,
    currency: String,
    result: TransactionResult,
    code: Code,
    recorded_at: String,
}

impl Row {
    fn of(cells: Vec<String>) -> Option<Self> {
        let [order, transaction, kind, amount, currency, result, code, recorded_at] =
            <[String; WIDTH]>::try_from(cells).ok()?;
        // The last cell of a row that was cut off is no whole moment.
        let is_whole = recorded_at.ends_with('Z') && Timestamp::parse(&recorded_at).is_some();
        let (kind, result) = (TransactionKind::of(&kind), TransactionResult::of(&result));
        let row = Self { order, transaction, kind, amount, currency, result, code: Code(code), recorded_at };
        is_whole.then_some(row)
    }

    fn is_payment(&self) -> bool {
        self.kind == TransactionKind::Payment
            && self.result == TransactionResult::Success
            && self.code.is_approval()
    }

    fn listed(&self) -> Option<ListedCharge> {
        let currency = Currency::parse(&self.currency)?;
        let total = Money::parse(&self.amount, currency).ok()?;
        let report = Report {
            total: Some(total),
            gateway_id: line(&self.transaction),
            params: params(&[
                ("payment_id", Some(self.order.as_str())),
                ("post_date", Some(self.recorded_at.as_str())),
                ("result", Some("CAPTURED")),
                ("track_id", Some(self.order.as_str())),
                ("transaction_id", Some(self.transaction.as_str())),
            ]),
            ..Report::bare(&self.order, Outcome::Approved)
        };
        Some(ListedCharge { report, sums: ListedSums::default() })
    }
}

/// The rows of a table (RFC 4180), each a list of cells; `None` if a quote is not closed, or there are too many.
fn rows_of(text: &str) -> Option<Vec<Vec<String>>> {
    let mut rows: Vec<Vec<String>> = Vec::new();
    let (mut row, mut cell, mut is_quoted) = (Vec::new(), String::new(), false);
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '"' if is_quoted && characters.next_if_eq(&'"').is_some() => cell.push('"'),
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => row.push(core::mem::take(&mut cell)),
            '\r' if !is_quoted => {}
            '\n' if !is_quoted => {
                row.push(core::mem::take(&mut cell));
                rows.push(core::mem::take(&mut row));
            }
            other => cell.push(other),
        }
        if rows.len() > MAX_ROWS {
            return None;
        }
    }
    if !row.is_empty() || !cell.is_empty() {
        row.push(cell);
        rows.push(row);
    }
    (!is_quoted).then_some(rows)
}
