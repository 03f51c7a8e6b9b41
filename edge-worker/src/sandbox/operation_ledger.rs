//! The table `sandbox_operation`: what the bank did to its charges. The bank has its own records and moves no
//! more money than they have, whatever it is asked for.

use checkout_core::port::PortError;
use checkout_core::value::money::{Currency, Money};
use checkout_core::value::time::Timestamp;
use checkout_core::words::ChildOperation;
use worker::D1Database;

use super::Sandbox;
use super::course::{Course, Operation, Status, Terms};
use super::database::{Row, batch, corrupt, first, rows, statement};

/// Records an operation if the bank's records permit it. A refund that is queued counts, because it will be
/// done.
const OPERATE: &str = "INSERT INTO sandbox_operation (id, charge_id, account, reference, operation, amount, \
    callback_url, status, ends_as, due_at, created_at, ended_at) \
    SELECT ?1, c.id, c.account, ?4, ?5, CAST(?6 AS INTEGER), ?8, ?9, ?10, CAST(nullif(?11, '') AS INTEGER), \
    CAST(?12 AS INTEGER), CAST(nullif(?13, '') AS INTEGER) FROM (\
    SELECT id, account, operation, amount, currency, \
    (SELECT coalesce(sum(amount), 0) FROM sandbox_operation o \
      WHERE o.charge_id = c.id AND o.operation = 'capture' AND o.status = 'done') AS captured, \
    (SELECT coalesce(sum(amount), 0) FROM sandbox_operation o \
      WHERE o.charge_id = c.id AND o.operation = 'refund' AND o.status <> 'refused') AS refunded, \
    (SELECT count(*) FROM sandbox_operation o \
      WHERE o.charge_id = c.id AND o.operation = 'void' AND o.status = 'done') AS voids \
    FROM sandbox_charge c WHERE c.account = ?2 AND c.reference = ?3 AND c.status = 'approved') c \
    WHERE c.currency = ?7 AND CASE ?5 \
    WHEN 'capture' THEN c.operation = 'authorize' AND c.voids = 0 \
      AND c.captured + CAST(?6 AS INTEGER) <= c.amount \
    WHEN 'refund' THEN c.refunded + CAST(?6 AS INTEGER) <= iif(c.operation = 'purchase', c.amount, c.captured) \
    ELSE c.operation = 'authorize' AND c.voids = 0 AND c.captured = 0 AND CAST(?6 AS INTEGER) = c.amount END \
    ON CONFLICT (account, reference) DO NOTHING";
const FIND: &str = "SELECT o.*, c.reference AS charge, c.currency FROM sandbox_operation o \
    JOIN sandbox_charge c ON c.id = o.charge_id WHERE o.account = ?1 AND o.reference = ?2";
const HAS_CHARGE: &str = "SELECT id FROM sandbox_charge WHERE account = ?1 AND reference = ?2";
const END_DUE: &str = "UPDATE sandbox_operation \
    SET status = ends_as, due_at = NULL, ended_at = CAST(?1 AS INTEGER) WHERE id IN (\
    SELECT id FROM sandbox_operation WHERE status = 'queued' AND due_at <= CAST(?1 AS INTEGER) \
    ORDER BY due_at LIMIT 20) RETURNING *, \
    (SELECT reference FROM sandbox_charge c WHERE c.id = charge_id) AS charge, \
    (SELECT currency FROM sandbox_charge c WHERE c.id = charge_id) AS currency";

/// The result of a request for an operation.
pub(super) enum Found {
    /// The operation of this reference, made now or before.
    Operation(Box<Operation>),
    /// The charge has no money left for it, or is of another kind.
    NotPermitted,
    /// There is no such charge.
    NoCharge,
}

/// Records an operation, or finds the one that has its reference already.
pub(super) async fn operate(
    sandbox: &Sandbox<'_>,
    id: &str,
    account: &str,
    charge: &str,
    (terms, course): (&Terms, Course),
) -> Result<Found, PortError> {
    let now = sandbox.now;
    let due_at = course.due_in.map(|wait| now.plus(wait).millis().to_string()).unwrap_or_default();
    let is_ended = course.status != Status::Queued;
    let values = [
        id,
        account,
        charge,
        &terms.reference,
        terms.operation.as_str(),
        &terms.amount.minor().to_string(),
        terms.amount.currency().code(),
        &terms.callback_url,
        course.status.as_str(),
        course.ends_as.as_str(),
        &due_at,
        &now.millis().to_string(),
        &if is_ended { now.millis().to_string() } else { String::new() },
    ];
    let statements = vec![
        statement(sandbox.db, OPERATE, &values)?,
        statement(sandbox.db, FIND, &[account, &terms.reference])?,
        statement(sandbox.db, HAS_CHARGE, &[account, charge])?,
    ];
    let results = batch(sandbox.db, statements).await?;
    Ok(match first(&results, 1)? {
        Some(row) => Found::Operation(Box::new(read(&row)?)),
        None if rows(&results, 2)?.is_empty() => Found::NoCharge,
        None => Found::NotPermitted,
    })
}

/// The operation of a reference.
pub(super) async fn find(
    db: &D1Database,
    account: &str,
    reference: &str,
) -> Result<Option<Operation>, PortError> {
    let results = batch(db, vec![statement(db, FIND, &[account, reference])?]).await?;
    first(&results, 0)?.as_ref().map(read).transpose()
}

/// Ends what is due, a few at a time.
pub(super) async fn end_due(db: &D1Database, now: Timestamp) -> Result<Vec<Operation>, PortError> {
    let results = batch(db, vec![statement(db, END_DUE, &[&now.millis().to_string()])?]).await?;
    rows(&results, 0)?.iter().map(read).collect()
}

fn read(row: &Row) -> Result<Operation, PortError> {
    let currency = row.word("sandbox_charge.currency", Currency::parse)?;
    Ok(Operation {
        terms: Terms {
            reference: row.text("sandbox_operation.reference")?,
            operation: row.word("sandbox_operation.operation", ChildOperation::parse)?,
            amount: Money::new(row.number("sandbox_operation.amount")?, currency)
                .map_err(|_| corrupt("sandbox_operation.amount"))?,
            callback_url: row.text("sandbox_operation.callback_url")?,
        },
        id: row.text("sandbox_operation.id")?,
        account: row.text("sandbox_operation.account")?,
        charge: row.text("sandbox_operation.charge")?,
        status: row.word("sandbox_operation.status", Status::parse)?,
        ended_at: row.optional_number("sandbox_operation.ended_at")?.map(Timestamp::from_millis),
    })
}
