//! The table `sandbox_charge`.

use checkout_core::gateway::charge::ChargeOperation;
use checkout_core::port::PortError;
use checkout_core::value::money::{Currency, Money};
use checkout_core::value::time::Timestamp;
use checkout_core::words::Language;
use sandbox_bank::card::TestCard;
use sandbox_bank::charge::{Charge, ChargeStatus, ChargeTerms};
use worker::D1Database;

use crate::sandbox::database::{SandboxRow, Statement, batch, corrupt, rows, statement};

const ADD: &str = "INSERT INTO sandbox_charge (id, account, reference, amount, currency, operation, language, \
    merchant, return_url, callback_url, created_at, keep_card, \
    status, card, silent_inquiries, failing_inquiries, due_at, ended_at) \
    VALUES (?1, ?2, ?3, CAST(?4 AS INTEGER), ?5, ?6, ?7, ?8, ?9, ?10, CAST(?11 AS INTEGER), CAST(?12 AS INTEGER), \
    ?13, nullif(?14, ''), CAST(?15 AS INTEGER), CAST(?16 AS INTEGER), CAST(nullif(?17, '') AS INTEGER), \
    CAST(nullif(?18, '') AS INTEGER)) \
    ON CONFLICT (account, reference) DO NOTHING RETURNING id";
const CHANGE: &str = "UPDATE sandbox_charge SET status = ?1, card = nullif(?2, ''), \
    silent_inquiries = CAST(?3 AS INTEGER), failing_inquiries = CAST(?4 AS INTEGER), \
    due_at = CAST(nullif(?5, '') AS INTEGER), ended_at = CAST(nullif(?6, '') AS INTEGER) \
    WHERE id = ?7 AND status = ?8 AND silent_inquiries = CAST(?9 AS INTEGER) \
    AND failing_inquiries = CAST(?10 AS INTEGER) RETURNING id";
const FIND_BY_ID: &str = "SELECT * FROM sandbox_charge WHERE id = ?1";
const FIND: &str = "SELECT * FROM sandbox_charge WHERE account = ?1 AND reference = ?2";
const DUE: &str = "SELECT * FROM sandbox_charge WHERE status = 'processing' AND due_at <= CAST(?1 AS INTEGER) \
    ORDER BY due_at LIMIT 20";
/// What changed in a period, page by page.
const LIST: &str = "SELECT * FROM sandbox_charge WHERE account = ?1 AND changed_at < CAST(?2 AS INTEGER) \
    AND (changed_at, id) > (CAST(?3 AS INTEGER), ?4) ORDER BY changed_at, id LIMIT CAST(?5 AS INTEGER)";

/// Adds a charge, unless its account has one of its reference; one row if it was added.
pub(super) fn add(charge: &Charge) -> Statement {
    let Charge { terms, .. } = charge;
    let [status, card, silent, failing, due_at, ended_at] = state(charge);
    let values: [&str; 18] = [
        &charge.id,
        &charge.account,
        &terms.reference,
        &terms.amount.minor().to_string(),
        terms.amount.currency().code(),
        terms.operation.as_str(),
        terms.language.as_str(),
        &terms.merchant,
        &terms.return_url,
        &terms.callback_url,
        &charge.opened_at.millis().to_string(),
        if terms.saves_card { "1" } else { "0" },
        &status,
        &card,
        &silent,
        &failing,
        &due_at,
        &ended_at,
    ];
    statement(ADD, &values)
}

/// Changes a charge that is as it was before; one row if it is.
pub(super) fn change(before: &Charge, after: &Charge) -> Statement {
    let ([status, card, silent, failing, due_at, ended_at], [known, _, still_silent, still_failing, ..]) =
        (state(after), state(before));
    let values = [
        &status,
        &card,
        &silent,
        &failing,
        &due_at,
        &ended_at,
        &before.id,
        &known,
        &still_silent,
        &still_failing,
    ];
    statement(CHANGE, &values.map(String::as_str))
}

/// The columns that change: status, card, inquiries without an answer, inquiries with an error, the time when it
/// is due, the time when it ended. What is absent is an empty text.
fn state(charge: &Charge) -> [String; 6] {
    let moment = |at: Option<Timestamp>| at.map(|at| at.millis().to_string()).unwrap_or_default();
    [
        charge.status.as_str().into(),
        charge.card.map_or("", |card| card.id).into(),
        charge.silent_inquiries.to_string(),
        charge.failing_inquiries.to_string(),
        moment(charge.due_at),
        moment(charge.ended_at),
    ]
}

/// The charge of a reference.
pub(super) fn find(account: &str, reference: &str) -> Statement {
    statement(FIND, &[account, reference])
}

/// The charge of a payment page.
pub(in crate::sandbox) async fn find_by_id(db: &D1Database, id: &str) -> Result<Option<Charge>, PortError> {
    first_of(&batch(db, vec![statement(FIND_BY_ID, &[id])]).await?, 0)
}

/// A few charges whose time has come.
pub(super) fn due(now: Timestamp) -> Statement {
    statement(DUE, &[&now.millis().to_string()])
}

/// A page of the list: of an account, before a moment, after another one and an id, at most so many.
pub(super) fn list(values: &[&str; 5]) -> Statement {
    statement(LIST, values)
}

/// The charges that the statement at `place` of a batch found.
pub(super) fn all_of(results: &[Vec<SandboxRow>], place: usize) -> Result<Vec<Charge>, PortError> {
    rows(results, place)?.iter().map(read).collect()
}

/// The first of them.
pub(super) fn first_of(results: &[Vec<SandboxRow>], place: usize) -> Result<Option<Charge>, PortError> {
    Ok(all_of(results, place)?.into_iter().next())
}

fn read(row: &SandboxRow) -> Result<Charge, PortError> {
    let currency = row.word("sandbox_charge.currency", Currency::parse)?;
    let card = match row.optional_text("sandbox_charge.card")? {
        Some(id) => Some(TestCard::find(&id).ok_or_else(|| corrupt("sandbox_charge.card"))?),
        None => None,
    };
    let count = |column| u8::try_from(row.number(column)?).map_err(|_| corrupt(column));
    let moment = |column| row.optional_number(column).map(|at| at.map(Timestamp::from_millis));
    Ok(Charge {
        terms: ChargeTerms {
            reference: row.text("sandbox_charge.reference")?,
            amount: Money::new(row.number("sandbox_charge.amount")?, currency)
                .map_err(|_| corrupt("sandbox_charge.amount"))?,
            operation: row.word("sandbox_charge.operation", ChargeOperation::parse)?,
            saves_card: row.number("sandbox_charge.keep_card")? != 0,
            language: row.word("sandbox_charge.language", Language::parse)?,
            merchant: row.text("sandbox_charge.merchant")?,
            return_url: row.text("sandbox_charge.return_url")?,
            callback_url: row.text("sandbox_charge.callback_url")?,
        },
        id: row.text("sandbox_charge.id")?,
        account: row.text("sandbox_charge.account")?,
        status: row.word("sandbox_charge.status", ChargeStatus::parse)?,
        card,
        silent_inquiries: count("sandbox_charge.silent_inquiries")?,
        failing_inquiries: count("sandbox_charge.failing_inquiries")?,
        due_at: moment("sandbox_charge.due_at")?,
        opened_at: Timestamp::from_millis(row.number("sandbox_charge.created_at")?),
        ended_at: moment("sandbox_charge.ended_at")?,
    })
}
