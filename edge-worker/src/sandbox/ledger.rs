//! The table `sandbox_charge`: everything that the bank stores about charges.

use checkout_core::gateway::charge::ChargeOperation;
use checkout_core::port::PortError;
use checkout_core::value::money::{Currency, Money};
use checkout_core::value::time::Timestamp;
use checkout_core::words::Language;
use js_sys::Array;
use worker::{D1Database, D1PreparedStatement};

use super::card::TestCard;
use super::charge::{Charge, Status, Step, Terms};
use super::database::{Row, batch, corrupt, first, rows, statement};

const OPEN: &str = "INSERT INTO sandbox_charge (id, account, reference, amount, currency, operation, language, \
    merchant, return_url, callback_url, status, created_at, keep_card) \
    VALUES (?1, ?2, ?3, CAST(?4 AS INTEGER), ?5, ?6, ?7, ?8, ?9, ?10, 'open', CAST(?11 AS INTEGER), \
    CAST(?12 AS INTEGER)) \
    ON CONFLICT (account, reference) DO NOTHING";
const FIND_BY_ID: &str = "SELECT * FROM sandbox_charge WHERE id = ?1";
const FIND: &str = "SELECT * FROM sandbox_charge WHERE account = ?1 AND reference = ?2";
const COUNT_INQUIRY: &str = "UPDATE sandbox_charge SET silent_inquiries = max(0, silent_inquiries - 1), \
    failing_inquiries = iif(silent_inquiries > 0, failing_inquiries, max(0, failing_inquiries - 1)) \
    WHERE account = ?1 AND reference = ?2 AND (silent_inquiries > 0 OR failing_inquiries > 0)";
const WITHDRAW: &str = "UPDATE sandbox_charge SET status = 'canceled', ended_at = CAST(?3 AS INTEGER) \
    WHERE account = ?1 AND reference = ?2 AND status IN ('open', 'challenged')";
const STEP: &str = "UPDATE sandbox_charge SET status = ?3, card = nullif(?4, ''), \
    silent_inquiries = CAST(?5 AS INTEGER), failing_inquiries = CAST(?6 AS INTEGER), \
    due_at = CAST(nullif(?7, '') AS INTEGER), ended_at = CAST(nullif(?8, '') AS INTEGER) \
    WHERE id = ?1 AND status = ?2 RETURNING *";
const APPROVE_DUE: &str = "UPDATE sandbox_charge \
    SET status = 'approved', due_at = NULL, ended_at = CAST(?1 AS INTEGER) WHERE id IN (\
    SELECT id FROM sandbox_charge WHERE status = 'processing' AND due_at <= CAST(?1 AS INTEGER) \
    ORDER BY due_at LIMIT 20) RETURNING *";

/// What changed in a period, page by page.
const LIST: &str = "SELECT c.*, \
    (SELECT coalesce(sum(amount), 0) FROM sandbox_operation o \
      WHERE o.charge_id = c.id AND o.operation = 'capture' AND o.status = 'done') AS captured, \
    (SELECT coalesce(sum(amount), 0) FROM sandbox_operation o \
      WHERE o.charge_id = c.id AND o.operation = 'refund' AND o.status = 'done') AS refunded, \
    (SELECT coalesce(sum(amount), 0) FROM sandbox_operation o \
      WHERE o.charge_id = c.id AND o.operation = 'void' AND o.status = 'done') AS voided \
    FROM sandbox_charge c WHERE c.account = ?1 AND c.changed_at < CAST(?2 AS INTEGER) \
    AND (c.changed_at, c.id) > (CAST(?3 AS INTEGER), ?4) \
    ORDER BY c.changed_at, c.id LIMIT CAST(?5 AS INTEGER)";

/// How the bank answers an inquiry.
pub(super) enum Inquiry {
    /// With the charge.
    Known(Box<Charge>),
    /// With no answer.
    Silent,
    /// With an error.
    Failing,
}

/// Opens a charge, with the step that its wallet's token takes at once, or finds the one that has its
/// reference already; whether it is new.
pub(super) async fn open(
    db: &D1Database,
    id: &str,
    account: &str,
    (terms, step): (&Terms, Option<&Step>),
    now: Timestamp,
) -> Result<(Charge, bool), PortError> {
    let values = [
        id,
        account,
        &terms.reference,
        &terms.amount.minor().to_string(),
        terms.amount.currency().code(),
        terms.operation.as_str(),
        terms.language.as_str(),
        &terms.merchant,
        &terms.return_url,
        &terms.callback_url,
        &now.millis().to_string(),
        if terms.keep_card { "1" } else { "0" },
    ];
    let mut statements = vec![statement(db, OPEN, &values)?];
    if let Some(step) = step {
        // Another charge of the reference has another id: its step was taken when it was opened.
        statements.push(step_statement(db, id, Status::Open, step, now)?);
    }
    statements.push(statement(db, FIND, &[account, &terms.reference])?);
    let found = if step.is_some() { 2 } else { 1 };
    let charge = charge_at(&batch(db, statements).await?, found)?
        .ok_or_else(|| corrupt("sandbox_charge.reference"))?;
    let is_new = charge.id == id;
    Ok((charge, is_new))
}

/// The charge of a payment page.
pub(super) async fn find(db: &D1Database, id: &str) -> Result<Option<Charge>, PortError> {
    charge_at(&batch(db, vec![statement(db, FIND_BY_ID, &[id])?]).await?, 0)
}

/// Counts an inquiry; `None` if there is no such charge.
pub(super) async fn inquire(
    db: &D1Database,
    account: &str,
    reference: &str,
) -> Result<Option<Inquiry>, PortError> {
    let values = [account, reference];
    let statements = vec![statement(db, FIND, &values)?, statement(db, COUNT_INQUIRY, &values)?];
    let results = batch(db, statements).await?;
    let Some(row) = first(&results, 0)? else { return Ok(None) };
    Ok(Some(if row.number("sandbox_charge.silent_inquiries")? > 0 {
        Inquiry::Silent
    } else if row.number("sandbox_charge.failing_inquiries")? > 0 {
        Inquiry::Failing
    } else {
        Inquiry::Known(Box::new(read(&row)?))
    }))
}

/// Cancels a charge that still waits for its payer; the charge after that.
pub(super) async fn withdraw(
    db: &D1Database,
    account: &str,
    reference: &str,
    now: Timestamp,
) -> Result<Option<Charge>, PortError> {
    let statements = vec![
        statement(db, WITHDRAW, &[account, reference, &now.millis().to_string()])?,
        statement(db, FIND, &[account, reference])?,
    ];
    charge_at(&batch(db, statements).await?, 1)
}

/// Takes a step from the state of `charge`; `None` if another request took one first.
pub(super) async fn take_step(
    db: &D1Database,
    charge: &Charge,
    step: &Step,
    now: Timestamp,
) -> Result<Option<Charge>, PortError> {
    let statement = step_statement(db, &charge.id, charge.status, step, now)?;
    charge_at(&batch(db, vec![statement]).await?, 0)
}

fn step_statement(
    db: &D1Database,
    id: &str,
    from: Status,
    step: &Step,
    now: Timestamp,
) -> Result<D1PreparedStatement, PortError> {
    let due_at = step.due_in.map(|wait| now.plus(wait).millis().to_string()).unwrap_or_default();
    let is_ended = !step.status.waits_for_payer() && step.status != Status::Processing;
    let values = [
        id,
        from.as_str(),
        step.status.as_str(),
        step.card.map_or("", |card| card.id),
        &step.silent_inquiries.to_string(),
        &step.failing_inquiries.to_string(),
        &due_at,
        &if is_ended { now.millis().to_string() } else { String::new() },
    ];
    statement(db, STEP, &values)
}

/// Approves what is due, a few at a time.
pub(super) async fn approve_due(db: &D1Database, now: Timestamp) -> Result<Vec<Charge>, PortError> {
    let results = batch(db, vec![statement(db, APPROVE_DUE, &[&now.millis().to_string()])?]).await?;
    rows(&results, 0)?.iter().map(read).collect()
}

/// A charge of the list.
pub(super) struct Listed {
    /// The charge.
    pub(super) charge: Charge,
    /// When the bank last did something to it, in milliseconds.
    pub(super) changed_at: i64,
    /// What was captured, refunded and voided.
    pub(super) sums: [Money; 3],
}

/// Which page is asked for; moments are milliseconds since 1970.
pub(super) struct Wanted {
    /// The first moment that does not belong to the period.
    pub(super) to: i64,
    /// The change after which the page begins: when, and of which charge.
    pub(super) after: (i64, String),
}

/// What changed at an account in a period, the earliest first.
pub(super) async fn list(
    db: &D1Database,
    account: &str,
    Wanted { to, after: (changed_at, id) }: &Wanted,
    limit: usize,
) -> Result<Vec<Listed>, PortError> {
    let values = [account, &to.to_string(), &changed_at.to_string(), id, &limit.to_string()];
    let results = batch(db, vec![statement(db, LIST, &values)?]).await?;
    rows(&results, 0)?.iter().map(read_listed).collect()
}

fn read_listed(row: &Row) -> Result<Listed, PortError> {
    let charge = read(row)?;
    let currency = charge.terms.amount.currency();
    let sum = |column| {
        let minor = row.number(column)?;
        Money::new(minor, currency).map_err(|_| corrupt(column))
    };
    let sums = [
        sum("sandbox_operation.captured")?,
        sum("sandbox_operation.refunded")?,
        sum("sandbox_operation.voided")?,
    ];
    Ok(Listed { charge, changed_at: row.number("sandbox_charge.changed_at")?, sums })
}

fn charge_at(results: &Array, place: u32) -> Result<Option<Charge>, PortError> {
    first(results, place)?.as_ref().map(read).transpose()
}

fn read(row: &Row) -> Result<Charge, PortError> {
    let currency = row.word("sandbox_charge.currency", Currency::parse)?;
    let card = match row.optional_text("sandbox_charge.card")? {
        Some(id) => Some(TestCard::find(&id).ok_or_else(|| corrupt("sandbox_charge.card"))?),
        None => None,
    };
    Ok(Charge {
        terms: Terms {
            reference: row.text("sandbox_charge.reference")?,
            amount: Money::new(row.number("sandbox_charge.amount")?, currency)
                .map_err(|_| corrupt("sandbox_charge.amount"))?,
            operation: row.word("sandbox_charge.operation", ChargeOperation::parse)?,
            keep_card: row.number("sandbox_charge.keep_card")? != 0,
            language: row.word("sandbox_charge.language", Language::parse)?,
            merchant: row.text("sandbox_charge.merchant")?,
            return_url: row.text("sandbox_charge.return_url")?,
            callback_url: row.text("sandbox_charge.callback_url")?,
        },
        id: row.text("sandbox_charge.id")?,
        account: row.text("sandbox_charge.account")?,
        status: row.word("sandbox_charge.status", Status::parse)?,
        card,
        opened_at: Timestamp::from_millis(row.number("sandbox_charge.created_at")?),
        ended_at: row.optional_number("sandbox_charge.ended_at")?.map(Timestamp::from_millis),
    })
}
