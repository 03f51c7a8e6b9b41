//! Reads the columns of a transaction and its attempt.

use super::super::fault::corrupt;
use super::super::row::Row;
use checkout_core::attempt::Attempt;
use checkout_core::attempt::stage::Stage;
use checkout_core::card::usage::CardUse;
use checkout_core::gateway::charge::{ChargeOperation, stored_params};
use checkout_core::gateway::instrument::FormOfPayment;
use checkout_core::gateway::terms::Quote;
use checkout_core::port::PortError;
use checkout_core::state::State;
use checkout_core::transaction::{Details, Settlement, Transaction};
use checkout_core::value::id::{MerchantId, PgCode, ReferenceNumber, SessionId};
use checkout_core::value::money::{Currency, ExchangeRate, Money};
use checkout_core::words::{Operation, Plugin};

/// How many columns of [`record_columns`] follow the reference of the attempt.
const AFTER_REFERENCE: usize = 27;

/// Reads the columns of an attempt that may be absent.
pub(in crate::port::d1) fn read_known_attempt(
    row: &mut Row,
    transaction: &Transaction,
) -> Result<Option<Attempt>, PortError> {
    if let Some(reference) = row.optional_text("attempt.reference")? {
        return read_attempt(row, &reference, transaction).map(Some);
    }
    row.skip(AFTER_REFERENCE);
    Ok(None)
}

/// Reads the columns of a transaction.
pub(in crate::port::d1) fn read_transaction(row: &mut Row) -> Result<Transaction, PortError> {
    Ok(Transaction {
        session_id: row.word("txn.session_id", SessionId::parse)?,
        merchant: row.word("txn.merchant_id", MerchantId::parse)?,
        version: row.number("txn.version")?,
        state: row.word("txn.state", State::parse)?,
        plugin: row.word("txn.plugin", Plugin::parse)?,
        operation: row.word("txn.operation", Operation::parse)?,
        amount: row.money("txn.amount")?,
        pg_codes: row.word("txn.pg_codes", read_codes)?,
        created_at: row.time("txn.created_at")?,
        expires_at: row.time("txn.expires_at")?,
        moved_at: row.time("txn.moved_at")?,
        settlement: read_settlement(row)?,
        shown: row.optional_text("txn.shown")?,
        details: row.word("txn.details", Details::from_json)?,
    })
}

/// Reads a JSON list of codes, none of which needs an escape.
fn read_codes(list: &str) -> Option<Vec<PgCode>> {
    if list == "[]" {
        return Some(Vec::new());
    }
    let codes = list.strip_prefix("[\"")?.strip_suffix("\"]")?;
    codes.split("\",\"").map(PgCode::parse).collect()
}

fn read_settlement(row: &mut Row) -> Result<Option<Settlement>, PortError> {
    let code = row.optional_text("txn.settled_by")?;
    let settled = row.optional_money("txn.settled")?;
    let paid = row.optional_money("txn.paid")?;
    match (code, settled) {
        (Some(code), Some(settled)) => {
            let pg_code = PgCode::parse(&code).ok_or_else(|| corrupt("txn.settled_by"))?;
            Ok(Some(Settlement { pg_code, settled, paid }))
        }
        (None, None) if paid.is_none() => Ok(None),
        (None | Some(_), None | Some(_)) => Err(corrupt("txn.settled")),
    }
}

fn read_attempt(row: &mut Row, reference: &str, transaction: &Transaction) -> Result<Attempt, PortError> {
    Ok(Attempt {
        reference: ReferenceNumber::parse(reference).ok_or_else(|| corrupt("attempt.reference"))?,
        session_id: transaction.session_id.clone(),
        merchant: transaction.merchant.clone(),
        number: row.number("attempt.number")?,
        pg_code: row.word("attempt.pg_code", PgCode::parse)?,
        pg_name: row.text("attempt.pg_name")?,
        operation: row.word("attempt.operation", ChargeOperation::parse)?,
        is_sandbox: row.flag("attempt.is_sandbox")?,
        permits_retry: row.flag("attempt.permits_retry")?,
        stage: row.word("attempt.stage", Stage::parse)?,
        principal: row.money("attempt.principal")?,
        quote: read_quote(row)?,
        opened_at: row.time("attempt.opened_at")?,
        updated_at: row.time("attempt.updated_at")?,
        known_at: row.time("attempt.known_at")?,
        inquire_at: row.optional_time("attempt.inquire_at")?,
        inquiries: row.number("attempt.inquiries")?,
        unknown_since: row.optional_time("attempt.unknown_since")?,
        page_url: row.optional_text("attempt.page_url")?,
        gateway_id: row.optional_text("attempt.gateway_id")?,
        message: row.optional_text("attempt.message")?,
        params: row.word("attempt.params", stored_params)?,
        response: row.optional_text("attempt.response")?,
        card: row.word("attempt.card_use", CardUse::parse)?,
        form_of_payment: row.word("attempt.form_of_payment", FormOfPayment::parse)?,
    })
}

fn read_quote(row: &mut Row) -> Result<Quote, PortError> {
    let minors = [row.number("attempt.amount")?, row.number("attempt.fee")?, row.number("attempt.total")?];
    let currency = row.word("attempt.currency", Currency::parse)?;
    let [amount, fee, total] =
        minors.map(|minor| Money::new(minor, currency).map_err(|_| corrupt("attempt.total")));
    let rate = match row.optional_text("attempt.exchange_rate")? {
        Some(text) => Some(ExchangeRate::parse(&text).ok_or_else(|| corrupt("attempt.exchange_rate"))?),
        None => None,
    };
    Ok(Quote { amount: amount?, fee: fee?, total: total?, rate })
}
