//! The table `sandbox_operation`: what the bank did to its charges.

use checkout_core::port::PortError;
use checkout_core::value::money::{Currency, Money};
use checkout_core::value::time::Timestamp;
use checkout_core::words::ChildOperation;
use sandbox_bank::operation::{Operation, OperationStatus, OperationTerms};

use crate::sandbox::database::{SandboxRow, Statement, corrupt, rows, statement};

/// The bank decided by what was done to the charge: so many operations. Another one makes it decide again.
const ADD: &str = "INSERT INTO sandbox_operation (id, charge_id, account, reference, operation, amount, \
    callback_url, status, ends_as, due_at, created_at, ended_at) \
    SELECT ?1, c.id, c.account, ?4, ?5, CAST(?6 AS INTEGER), ?7, ?8, ?9, CAST(nullif(?10, '') AS INTEGER), \
    CAST(?11 AS INTEGER), CAST(nullif(?12, '') AS INTEGER) FROM sandbox_charge c \
    WHERE c.account = ?2 AND c.reference = ?3 AND c.status = 'approved' \
    AND (SELECT count(*) FROM sandbox_operation o WHERE o.charge_id = c.id) = CAST(?13 AS INTEGER) \
    ON CONFLICT (account, reference) DO NOTHING RETURNING id";
const END: &str = "UPDATE sandbox_operation SET status = ?2, due_at = NULL, ended_at = CAST(?3 AS INTEGER) \
    WHERE id = ?1 AND status = 'queued' RETURNING id";
const FIND: &str = "SELECT o.*, c.reference AS charge, c.currency FROM sandbox_operation o \
    JOIN sandbox_charge c ON c.id = o.charge_id WHERE o.account = ?1 AND o.reference = ?2";
const OF_CHARGE: &str = "SELECT o.*, c.reference AS charge, c.currency FROM sandbox_charge c \
    JOIN sandbox_operation o ON o.charge_id = c.id WHERE c.account = ?1 AND c.reference = ?2";
const OF_LIST: &str = "SELECT o.*, c.reference AS charge, c.currency FROM (SELECT * FROM sandbox_charge \
    WHERE account = ?1 AND changed_at < CAST(?2 AS INTEGER) AND (changed_at, id) > (CAST(?3 AS INTEGER), ?4) \
    ORDER BY changed_at, id LIMIT CAST(?5 AS INTEGER)) c JOIN sandbox_operation o ON o.charge_id = c.id";
const DUE: &str = "SELECT o.*, c.reference AS charge, c.currency FROM (SELECT * FROM sandbox_operation \
    WHERE status = 'queued' AND due_at <= CAST(?1 AS INTEGER) ORDER BY due_at LIMIT 20) o \
    JOIN sandbox_charge c ON c.id = o.charge_id ORDER BY o.due_at";

/// Adds an operation if so many are known of its charge; one row if it was added.
pub(super) fn add(operation: &Operation, known: usize) -> Statement {
    let Operation { terms, .. } = operation;
    let moment = |at: Option<Timestamp>| at.map(|at| at.millis().to_string()).unwrap_or_default();
    let values = [
        &operation.id,
        &operation.account,
        &operation.charge,
        &terms.reference,
        terms.operation.as_str(),
        &terms.amount.minor().to_string(),
        &terms.callback_url,
        operation.status.as_str(),
        operation.ends_as.as_str(),
        &moment(operation.due_at),
        &operation.made_at.millis().to_string(),
        &moment(operation.ended_at),
        &known.to_string(),
    ];
    statement(ADD, &values)
}

/// Ends an operation that is queued; one row if it is.
pub(super) fn end(operation: &Operation) -> Statement {
    let ended_at = operation.ended_at.map(|at| at.millis().to_string()).unwrap_or_default();
    statement(END, &[&operation.id, operation.status.as_str(), &ended_at])
}

/// The operation of a reference.
pub(super) fn find(account: &str, reference: &str) -> Statement {
    statement(FIND, &[account, reference])
}

/// What was done to a charge.
pub(super) fn of_charge(account: &str, reference: &str) -> Statement {
    statement(OF_CHARGE, &[account, reference])
}

/// What was done to the charges of a page of the list.
pub(super) fn of_list(values: &[&str; 5]) -> Statement {
    statement(OF_LIST, values)
}

/// A few operations whose time has come.
pub(super) fn due(now: Timestamp) -> Statement {
    statement(DUE, &[&now.millis().to_string()])
}

/// The operations that the statement at `place` of a batch found.
pub(super) fn all_of(results: &[Vec<SandboxRow>], place: usize) -> Result<Vec<Operation>, PortError> {
    rows(results, place)?.iter().map(read).collect()
}

fn read(row: &SandboxRow) -> Result<Operation, PortError> {
    let currency = row.word("sandbox_charge.currency", Currency::parse)?;
    let moment = |column| row.optional_number(column).map(|at| at.map(Timestamp::from_millis));
    Ok(Operation {
        terms: OperationTerms {
            reference: row.text("sandbox_operation.reference")?,
            operation: row.word("sandbox_operation.operation", ChildOperation::parse)?,
            amount: Money::new(row.number("sandbox_operation.amount")?, currency)
                .map_err(|_| corrupt("sandbox_operation.amount"))?,
            callback_url: row.text("sandbox_operation.callback_url")?,
        },
        id: row.text("sandbox_operation.id")?,
        account: row.text("sandbox_operation.account")?,
        charge: row.text("sandbox_operation.charge")?,
        status: row.word("sandbox_operation.status", OperationStatus::parse)?,
        ends_as: row.word("sandbox_operation.ends_as", OperationStatus::parse)?,
        due_at: moment("sandbox_operation.due_at")?,
        made_at: Timestamp::from_millis(row.number("sandbox_operation.created_at")?),
        ended_at: moment("sandbox_operation.ended_at")?,
    })
}
