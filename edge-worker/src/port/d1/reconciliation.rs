//! The table `reconciliation`: how far payments were compared with the lists of gateways.

use checkout_core::port::{PortError, Record, RecordedCharge, StepFindings};
use checkout_core::reconciliation::{CompletedRun, Reconciliation, ReconciliationRun, RunPosition, RunTally};
use checkout_core::value::id::{MerchantId, PgCode, ReferenceNumber};
use checkout_core::value::json;
use checkout_core::value::time::Timestamp;

use super::commit::flag_difference;
use super::fault::{corrupt, failed};
use super::row::Row;
use super::statement::{Columns, Db, Statement, Values};
use super::{child, record};

/// The columns in the order in which [`read`] takes them.
macro_rules! columns {
    () => {
        "SELECT merchant_id, pg_code, version, since, listed_to, due_at, failures, run_to, cursor, asked_to, charges, \
         asked, differences, last_at, last_charges, last_asked, last_differences FROM reconciliation "
    };
}
pub(super) use columns;

/// The reconciliations of a merchant.
pub(super) async fn of_merchant(db: &Db, merchant: &MerchantId) -> Result<Vec<Reconciliation>, PortError> {
    const SQL: &str = concat!(columns!(), "WHERE merchant_id = ? ORDER BY pg_code");
    let rows = Values::default().text(merchant.as_str()).rows(db, SQL).await?;
    rows.into_iter().map(read).collect()
}

/// Stores what was found, in one batch, and then the progress, if no one else changed that first: a step that
/// is cut off between the two is done again, and finds the same.
pub(super) async fn save(
    db: &Db,
    next: &Reconciliation,
    found: &StepFindings,
    at: Timestamp,
) -> Result<bool, PortError> {
    let mut batch = Vec::new();
    if !found.settled.is_empty() {
        batch.push(settle(db, &found.settled, at)?);
    }
    for difference in &found.differences {
        batch.push(flag_difference(db, difference)?);
    }
    if !batch.is_empty() {
        db.batch(batch).await.map_err(|error| failed(&error))?;
    }
    let written = db.rows(write(db, next)?).await?;
    Ok(!written.is_empty())
}

fn write(db: &Db, next: &Reconciliation) -> Result<Statement, PortError> {
    let progress = progress(next);
    if next.version == 1 {
        return progress
            .text("merchant_id", next.merchant.as_str())
            .text("pg_code", next.pg_code.as_str())
            .insert_or(db, "reconciliation", " ON CONFLICT DO NOTHING RETURNING version");
    }
    let of_version = Values::default()
        .text(next.merchant.as_str())
        .text(next.pg_code.as_str())
        .number(next.version.saturating_sub(1));
    progress.update(
        db,
        "reconciliation",
        "merchant_id = ? AND pg_code = ? AND version = CAST(? AS INTEGER) RETURNING version",
        of_version,
    )
}

fn progress(next: &Reconciliation) -> Columns {
    let run = next.run.as_ref();
    let (cursor, asked_to) = match run.map(|run| &run.place) {
        None | Some(RunPosition::Listing(None)) => (None, None),
        Some(RunPosition::Listing(Some(cursor))) => (Some(cursor.as_str()), None),
        Some(RunPosition::Asking(after)) => (None, Some(*after)),
    };
    let tally = run.map(|run| run.tally).unwrap_or_default();
    let last = next.last.map(|ended| ended.tally).unwrap_or_default();
    Columns::default()
        .number("version", next.version)
        .time("since", next.since)
        .time("listed_to", next.listed_to)
        .time("due_at", next.due_at)
        .number("failures", next.failures)
        .optional_time("run_to", run.map(|run| run.to))
        .optional_text("cursor", cursor)
        .optional_time("asked_to", asked_to)
        .number("charges", tally.charges)
        .number("asked", tally.asked)
        .number("differences", tally.differences)
        .optional_time("last_at", next.last.map(|ended| ended.at))
        .number("last_charges", last.charges)
        .number("last_asked", last.asked)
        .number("last_differences", last.differences)
}

fn settle(db: &Db, references: &[ReferenceNumber], at: Timestamp) -> Result<Statement, PortError> {
    const SQL: &str = "UPDATE attempt SET reconciled_at = CAST(? AS INTEGER) \
         WHERE reference IN (SELECT value FROM json_each(?)) AND reconciled_at IS NULL";
    Values::default().number(at.millis()).text(&texts(references)).bind(db, SQL)
}

/// The attempts of these references, with the operations on their transactions.
pub(super) async fn listed(
    db: &Db,
    references: &[ReferenceNumber],
) -> Result<Vec<RecordedCharge>, PortError> {
    let records = record::of_references(db, &texts(references)).await?;
    let children = child::of_references(db, &texts(references)).await?;
    let with_children = |record: Record| {
        let parent = &record.transaction.session_id;
        let children = children.iter().filter(|child| child.parent == *parent).cloned().collect();
        RecordedCharge { record, children }
    };
    Ok(records.into_iter().map(with_children).collect())
}

/// References as a list of JSON, which is bound as one value.
fn texts(references: &[ReferenceNumber]) -> String {
    json::write_texts(references.iter().map(ReferenceNumber::as_str).collect::<Vec<_>>())
}

/// Reads a row.
pub(super) fn read(mut row: Row) -> Result<Reconciliation, PortError> {
    let merchant = row.word("reconciliation.merchant_id", MerchantId::parse)?;
    let pg_code = row.word("reconciliation.pg_code", PgCode::parse)?;
    let version = row.number("reconciliation.version")?;
    let since = row.time("reconciliation.since")?;
    let listed_to = row.time("reconciliation.listed_to")?;
    let due_at = row.time("reconciliation.due_at")?;
    let failures = row.number("reconciliation.failures")?;
    let to = row.optional_time("reconciliation.run_to")?;
    let cursor = row.optional_text("reconciliation.cursor")?;
    let asked_to = row.optional_time("reconciliation.asked_to")?;
    let tally = read_tally(&mut row)?;
    let place = match (cursor, asked_to) {
        (cursor, None) => RunPosition::Listing(cursor),
        (None, Some(after)) => RunPosition::Asking(after),
        (Some(_), Some(_)) => return Err(corrupt("reconciliation.cursor")),
    };
    let last_at = row.optional_time("reconciliation.last_at")?;
    let last = read_tally(&mut row)?;
    Ok(Reconciliation {
        merchant,
        pg_code,
        version,
        since,
        listed_to,
        due_at,
        failures,
        run: to.map(|to| ReconciliationRun { to, place, tally }),
        last: last_at.map(|at| CompletedRun { at, tally: last }),
    })
}

fn read_tally(row: &mut Row) -> Result<RunTally, PortError> {
    Ok(RunTally {
        charges: row.number("reconciliation.charges")?,
        asked: row.number("reconciliation.asked")?,
        differences: row.number("reconciliation.differences")?,
    })
}
