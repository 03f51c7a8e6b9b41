//! Reads a payment transaction with one of its attempts, in one statement.

mod read;

use std::collections::BTreeMap;

use checkout_core::attempt::Attempt;
use checkout_core::attempt::stage::Stage;
use checkout_core::payment::receipt::{EndedBy, TransactionEnd};
use checkout_core::port::{Awaited, PortError, Record, StoredEnding, Unsettled};
use checkout_core::record::audit::Entry;
use checkout_core::state::State;
use checkout_core::value::id::{MerchantId, ReferenceNumber, SessionId};
use checkout_core::value::time::Timestamp;

pub(super) use self::read::{read_known_attempt, read_transaction};
use super::audit::{self, Of};
use super::fault::corrupt;
use super::row::Row;
use super::statement::{Db, Values};

/// The columns of a transaction `t` in the order in which [`read_transaction`] takes them.
macro_rules! transaction_columns {
    () => {
        "t.session_id, t.merchant_id, t.version, t.state, t.plugin, t.operation, t.amount, t.currency, \
         t.pg_codes, t.created_at, t.expires_at, t.moved_at, t.settled_by, t.settled, t.settled_currency, t.paid, \
         t.paid_currency, t.shown, t.details"
    };
}
pub(super) use transaction_columns;

/// The columns of an attempt `a` in the order in which [`read_known_attempt`] takes them.
macro_rules! attempt_columns {
    () => {
        "a.reference, a.number, a.pg_code, a.pg_name, a.operation, a.is_sandbox, \
         a.permits_retry, a.stage, a.principal, a.principal_currency, a.amount, a.fee, a.total, a.currency, \
         a.exchange_rate, a.opened_at, a.updated_at, a.known_at, a.inquire_at, a.inquiries, a.unknown_since, a.page_url, a.gateway_id, \
         a.message, a.params, a.response, a.card_use, a.form_of_payment "
    };
}
pub(super) use attempt_columns;

/// The columns of a transaction `t` and an attempt `a` in the order in which [`read`] takes them.
macro_rules! record_columns {
    () => {
        concat!(
            $crate::port::d1::record::transaction_columns!(),
            ", ",
            $crate::port::d1::record::attempt_columns!()
        )
    };
}
pub(super) use record_columns;

macro_rules! columns {
    () => {
        concat!("SELECT ", record_columns!())
    };
}

/// Joins the latest attempt `a` of a transaction `t`.
macro_rules! join_latest {
    () => {
        "LEFT JOIN attempt a ON a.session_id = t.session_id AND a.number = \
         (SELECT MAX(number) FROM attempt WHERE session_id = t.session_id) "
    };
}
pub(super) use join_latest;

/// With the version of the merchant's settings, which are wanted next where nobody has them yet.
const WITH_LATEST: &str = concat!(
    columns!(),
    ", v.version FROM txn t JOIN merchant v ON v.id = t.merchant_id ",
    join_latest!(),
    "WHERE t.session_id = ? AND t.hidden_at IS NULL"
);

const BY_REFERENCE: &str = concat!(
    columns!(),
    ", v.version FROM attempt a JOIN txn t ON t.session_id = a.session_id \
     JOIN merchant v ON v.id = t.merchant_id WHERE a.reference = ?"
);

/// The event that settled a transaction names the attempt that settled it.
const WITH_SETTLED: &str = concat!(
    columns!(),
    "FROM txn t LEFT JOIN attempt a ON a.reference = (SELECT e.reference FROM txn_event e \
     WHERE e.session_id = t.session_id AND e.kind IN ('purchase_succeeded', 'authorization_succeeded') \
     ORDER BY e.number LIMIT 1) WHERE t.session_id = ?"
);

/// A transaction with the attempt that settled it.
pub(super) async fn load_settled(db: &Db, session_id: &SessionId) -> Result<Option<Record>, PortError> {
    Values::default().text(session_id.as_str()).first(db, WITH_SETTLED).await?.map(read).transpose()
}

const OF_TRANSACTION: &str = concat!(
    columns!(),
    "FROM attempt a JOIN txn t ON t.session_id = a.session_id WHERE a.session_id = ? ORDER BY a.number"
);

const OF_REFERENCES: &str = concat!(
    columns!(),
    "FROM attempt a JOIN txn t ON t.session_id = a.session_id WHERE a.reference IN (SELECT value FROM json_each(?))"
);

/// The attempts of a JSON list of references, each with its transaction.
pub(super) async fn of_references(db: &Db, references: &str) -> Result<Vec<Record>, PortError> {
    let rows = Values::default().text(references).rows(db, OF_REFERENCES).await?;
    rows.into_iter().map(read).collect()
}

const UNSETTLED: &str = concat!(
    columns!(),
    "FROM attempt a JOIN txn t ON t.session_id = a.session_id WHERE a.merchant_id = ? AND a.pg_code = ? \
     AND a.opened_at > CAST(? AS INTEGER) AND a.opened_at <= CAST(? AS INTEGER) AND a.stage = 'success' \
     AND a.reconciled_at IS NULL ORDER BY a.opened_at LIMIT CAST(? AS INTEGER)"
);

/// Successes at a gateway that no reconciliation has settled.
pub(super) async fn unsettled(db: &Db, wanted: Unsettled<'_>) -> Result<Vec<Record>, PortError> {
    let values = Values::default()
        .text(wanted.merchant.as_str())
        .text(wanted.pg_code.as_str())
        .number(wanted.after.millis())
        .number(wanted.until.millis())
        .number(wanted.limit);
    values.rows(db, UNSETTLED).await?.into_iter().map(read).collect()
}

const AWAITING_CARD: &str = concat!(
    columns!(),
    "FROM txn t CROSS JOIN attempt a ON a.session_id = t.session_id WHERE t.merchant_id = ? AND t.customer_id = ? \
     AND t.created_at > CAST(? AS INTEGER) AND t.hidden_at IS NULL AND a.pg_code = ? \
     AND (a.gateway_id = ? OR (a.card_use = 'keep' AND a.stage IN ('sending', 'redirected', 'unknown', 'success'))) \
     ORDER BY a.gateway_id IS ? DESC, t.created_at DESC LIMIT 20"
);

/// The attempts of a customer that are to save a card and have none, after the one that has the id of the payment.
pub(super) async fn awaiting_card(db: &Db, awaited: Awaited<'_>) -> Result<Vec<Record>, PortError> {
    let values = Values::default()
        .text(awaited.merchant.as_str())
        .text(awaited.customer_id)
        .number(awaited.since.millis())
        .text(awaited.pg_code.as_str())
        .text(awaited.charge_id)
        .text(awaited.charge_id);
    values.rows(db, AWAITING_CARD).await?.into_iter().map(read).collect()
}

/// The attempt that settled the transaction of a row, otherwise its latest: a join of `attempt a`.
macro_rules! join_shown {
    ($of:literal) => {
        concat!(
            "JOIN attempt a ON a.reference = COALESCE((SELECT e.reference FROM txn_event e WHERE e.session_id = ",
            $of,
            ".session_id AND e.kind IN ('purchase_succeeded', 'authorization_succeeded') \
             ORDER BY e.number LIMIT 1), (SELECT l.reference FROM attempt l WHERE l.session_id = ",
            $of,
            ".session_id ORDER BY l.number DESC LIMIT 1))"
        )
    };
}
pub(super) use join_shown;

/// The same of each transaction of a list.
const SHOWN: &str = concat!(
    columns!(),
    "FROM json_each(?) listed CROSS JOIN txn t ON t.session_id = listed.value ",
    join_shown!("t")
);

/// Of each transaction of a JSON list of session ids, the attempt that settled it, otherwise its latest.
pub(super) async fn shown(db: &Db, session_ids: &str) -> Result<Vec<Attempt>, PortError> {
    let rows = Values::default().text(session_ids).rows(db, SHOWN).await?;
    let records = rows.into_iter().map(read);
    records.filter_map(|record| record.map(|record| record.attempt).transpose()).collect()
}

/// A transaction with its latest attempt.
pub(super) async fn load(db: &Db, session_id: &SessionId) -> Result<Option<Record>, PortError> {
    if let Some(row) = db.ahead.take(session_id) {
        return read(row).map(Some);
    }
    let found = Values::default().text(session_id.as_str()).first(db, WITH_LATEST).await?;
    found.map(|row| read_with_version(db, row)).transpose()
}

/// An attempt with its transaction.
pub(super) async fn load_attempt(db: &Db, reference: &ReferenceNumber) -> Result<Option<Record>, PortError> {
    let found = Values::default().text(reference.as_str()).first(db, BY_REFERENCE).await?;
    found.map(|row| read_with_version(db, row)).transpose()
}

/// Every attempt of a transaction, in order.
pub(super) async fn attempts(db: &Db, session_id: &SessionId) -> Result<Vec<Attempt>, PortError> {
    let rows = Values::default().text(session_id.as_str()).rows(db, OF_TRANSACTION).await?;
    let records = rows.into_iter().map(read);
    records.filter_map(|record| record.map(|record| record.attempt).transpose()).collect()
}

/// When an attempt of a transaction was opened, by its number.
pub(super) async fn opened_at(
    db: &Db,
    session_id: &SessionId,
    number: i64,
) -> Result<Option<Timestamp>, PortError> {
    const SQL: &str = "SELECT opened_at FROM attempt WHERE session_id = ? AND number = CAST(? AS INTEGER)";
    let found = Values::default().text(session_id.as_str()).number(number).first(db, SQL).await?;
    found.map(|mut row| row.time("attempt.opened_at")).transpose()
}

/// When, after `since`, the gateways were asked for the merchant.
pub(super) async fn inquired_at(
    db: &Db,
    session_id: &SessionId,
    since: Timestamp,
) -> Result<Vec<Timestamp>, PortError> {
    const SQL: &str = "SELECT at FROM txn_event \
         WHERE session_id = ? AND kind = 'inquired' AND at > CAST(? AS INTEGER) ORDER BY number";
    let rows = Values::default().text(session_id.as_str()).number(since.millis()).rows(db, SQL).await?;
    rows.into_iter().map(|mut row| row.time("txn_event.at")).collect()
}

/// How many counted inquiries a merchant made after `since`.
pub(super) async fn inquiries_of(
    db: &Db,
    merchant: &MerchantId,
    since: Timestamp,
) -> Result<usize, PortError> {
    const SQL: &str = "SELECT COUNT(*) FROM txn_event e JOIN txn t ON t.session_id = e.session_id \
         WHERE e.kind = 'inquired' AND e.at > CAST(? AS INTEGER) AND t.merchant_id = ?";
    let row = Values::default().number(since.millis()).text(merchant.as_str()).first(db, SQL).await?;
    row.ok_or_else(|| corrupt("txn_event"))?.small("txn_event")
}

/// How a transaction first came to a state.
pub(super) async fn ended(
    db: &Db,
    session_id: &SessionId,
    state: State,
) -> Result<Option<TransactionEnd>, PortError> {
    const SQL: &str = "SELECT at, reference, stage FROM txn_event WHERE session_id = ? AND state = ? \
         ORDER BY number LIMIT 1";
    let values = Values::default().text(session_id.as_str()).text(state.as_str());
    let Some(mut row) = values.first(db, SQL).await? else { return Ok(None) };
    let at = row.time("txn_event.at")?;
    let Some(reference) = row.optional_text("txn_event.reference")? else {
        return Ok(Some(TransactionEnd { at, by: None }));
    };
    let reference = ReferenceNumber::parse(&reference).ok_or_else(|| corrupt("txn_event.reference"))?;
    let then = row.word("txn_event.stage", Stage::parse)?;
    let attempt = load_attempt(db, &reference).await?.and_then(|record| record.attempt);
    Ok(Some(TransactionEnd { at, by: attempt.map(|attempt| EndedBy { attempt, stage: then }) }))
}

/// How many transactions first came to a state each.
pub(super) async fn endings(
    db: &Db,
    wanted: &[(&SessionId, State)],
) -> Result<BTreeMap<SessionId, StoredEnding>, PortError> {
    const SQL: &str = "SELECT e.session_id, e.at, e.reference, e.stage FROM json_each(?) w JOIN txn_event e \
         ON e.session_id = w.value ->> 0 AND e.number = (SELECT MIN(f.number) FROM txn_event f \
         WHERE f.session_id = w.value ->> 0 AND f.state = w.value ->> 1)";
    let mut found = BTreeMap::new();
    if wanted.is_empty() {
        return Ok(found);
    }
    let list: Vec<String> = wanted.iter().map(|(id, state)| format!("[\"{id}\",\"{state}\"]")).collect();
    for mut row in Values::default().text(&format!("[{}]", list.join(","))).rows(db, SQL).await? {
        let session_id = row.word("txn_event.session_id", SessionId::parse)?;
        let at = row.time("txn_event.at")?;
        let reference = row.optional_text("txn_event.reference")?;
        let by = match reference.and_then(|text| ReferenceNumber::parse(&text)) {
            Some(reference) => Some((reference, row.word("txn_event.stage", Stage::parse)?)),
            None => None,
        };
        found.insert(session_id, StoredEnding { at, by });
    }
    Ok(found)
}

fn read(mut row: Row) -> Result<Record, PortError> {
    read_record(&mut row)
}

fn read_with_version(db: &Db, mut row: Row) -> Result<Record, PortError> {
    let record = read_record(&mut row)?;
    db.version.replace(Some((record.transaction.merchant.clone(), row.number("merchant.version")?)));
    Ok(record)
}

fn read_record(row: &mut Row) -> Result<Record, PortError> {
    let transaction = read_transaction(row)?;
    let attempt = read_known_attempt(row, &transaction)?;
    Ok(Record { transaction, attempt })
}

/// Shows a deleted transaction again. A trigger writes the event and what the operator did.
pub(super) async fn restore(db: &Db, session_id: &SessionId, entry: &Entry) -> Result<bool, PortError> {
    const HIDDEN: &str = "(SELECT merchant_id FROM txn WHERE session_id = ? AND hidden_at IS NOT NULL)";
    const SQL: &str = "UPDATE txn SET hidden_at = NULL, restored_at = CAST(? AS INTEGER), version = version + 1 \
         WHERE session_id = ? AND hidden_at IS NOT NULL";
    let of = Of::row(entry, HIDDEN, Values::default().text(session_id.as_str()));
    let shown = Values::default().number(entry.at.millis()).text(session_id.as_str()).bind(db, SQL)?;
    audit::change(db, entry, of, shown).await
}
