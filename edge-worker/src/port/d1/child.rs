//! The table `child`: captures, refunds and voids of payments that succeeded.

use std::collections::BTreeMap;

use checkout_core::gateway::charge::stored_params;

use checkout_core::change::ChildWrite;
use checkout_core::child::Child;
use checkout_core::child::stage::OperationStage;
use checkout_core::operation::begin::Books;
use checkout_core::operation::standing::Standing;
use checkout_core::port::PortError;
use checkout_core::transaction::initiator::Initiator;
use checkout_core::transaction::listing::Maker;
use checkout_core::value::id::{MerchantId, PgCode, ReferenceNumber, SessionId};
use checkout_core::words::ChildOperation;
use checkout_core::words::operation_reason::OperationReason;
use futures_util::future::join;

use super::fault::corrupt;
use super::record;
use super::row::Row;
use super::statement::{Columns, Db, Statement, Values, json};

/// The columns in the order in which [`read`] takes them.
macro_rules! names {
    () => {
        "reference, session_id, parent_id, merchant_id, number, attempt, operation, stage, amount, currency, \
         pg_code, is_sandbox, tracking_key, extra, reason, note, initiator, opened_at, updated_at, known_at, inquire_at, inquiries, open_since, \
         gateway_id, message, params, response"
    };
}

macro_rules! columns {
    () => {
        concat!("SELECT ", names!(), " FROM child ")
    };
}

/// The operations of the transaction of a row `page` as one column, for [`read_all`].
pub(super) const OF_PAGE: &str = concat!(
    "(SELECT json_group_array(json_array(",
    names!(),
    ")) FROM child WHERE parent_id = page.session_id)"
);

/// Reads [`OF_PAGE`]: the operations in order.
pub(super) fn read_all(row: &mut Row) -> Result<Vec<Child>, PortError> {
    let rows = row.word("child.all", Row::all_of_json)?;
    let mut children = rows.into_iter().map(read).collect::<Result<Vec<_>, _>>()?;
    children.sort_by_key(|child| child.number);
    Ok(children)
}

/// A payment transaction with the attempt that settled it and its operations. Nothing changes between the two
/// statements that a change by version would not notice.
pub(super) async fn books(db: &Db, session_id: &SessionId) -> Result<Option<Books>, PortError> {
    const OF_PARENT: &str = concat!(columns!(), "WHERE parent_id = ? ORDER BY number");
    let Some(record) = record::load_settled(db, session_id).await? else { return Ok(None) };
    let rows = Values::default().text(session_id.as_str()).rows(db, OF_PARENT).await?;
    let children = rows.into_iter().map(read).collect::<Result<_, _>>()?;
    Ok(Some(Books { transaction: record.transaction, settled: record.attempt, children }))
}

/// The operations on the transactions of the attempts in a JSON list of references.
pub(super) async fn of_references(db: &Db, references: &str) -> Result<Vec<Child>, PortError> {
    const SQL: &str = concat!(
        columns!(),
        "WHERE parent_id IN (SELECT session_id FROM attempt WHERE reference IN (SELECT value FROM json_each(?)))"
    );
    Values::default().text(references).rows(db, SQL).await?.into_iter().map(read).collect()
}

/// The operations of the payments of a page: two statements at once, however many payments there are.
pub(super) async fn standings(
    db: &Db,
    session_ids: &[&SessionId],
) -> Result<BTreeMap<SessionId, Standing>, PortError> {
    const SQL: &str =
        concat!(columns!(), "WHERE child.parent_id IN (SELECT value FROM json_each(?)) ORDER BY number");
    if session_ids.is_empty() {
        return Ok(BTreeMap::new());
    }
    let list: Vec<String> = session_ids.iter().map(|id| format!("\"{id}\"")).collect();
    let list = format!("[{}]", list.join(","));
    let (attempts, rows) = join(record::shown(db, &list), Values::default().text(&list).rows(db, SQL)).await;
    let mut found: BTreeMap<SessionId, Standing> = attempts?
        .into_iter()
        .map(|attempt| (attempt.session_id.clone(), Standing { attempt, children: Vec::new() }))
        .collect();
    for row in rows? {
        let child = read(row)?;
        if let Some(standing) = found.get_mut(&child.parent) {
            standing.children.push(child);
        }
    }
    Ok(found)
}

/// The operation of a reference.
pub(super) async fn find(db: &Db, reference: &ReferenceNumber) -> Result<Option<Child>, PortError> {
    const SQL: &str = concat!(columns!(), "WHERE reference = ?");
    Values::default().text(reference.as_str()).first(db, SQL).await?.map(read).transpose()
}

/// The operation under a tracking key.
pub(super) async fn tracked(db: &Db, merchant: &MerchantId, key: &str) -> Result<Option<Child>, PortError> {
    const SQL: &str = concat!(columns!(), "WHERE merchant_id = ? AND tracking_key = ?");
    Values::default().text(merchant.as_str()).text(key).first(db, SQL).await?.map(read).transpose()
}

/// The statement that writes the operation of a change.
pub(super) fn write(db: &Db, write: &ChildWrite, by: Option<Maker>) -> Result<Statement, PortError> {
    match write {
        ChildWrite::Open(child) => insert(db, child, by),
        ChildWrite::Update { from, child } => {
            let of_stage = Values::default().text(child.reference.as_str()).text(from.as_str());
            progress(child, Columns::default())?.update(db, "child", "reference = ? AND stage = ?", of_stage)
        }
    }
}

fn insert(db: &Db, child: &Child, by: Option<Maker>) -> Result<Statement, PortError> {
    let initiator = child.initiator.as_deref().map(|user| json(user, "child.initiator")).transpose()?;
    let columns = Columns::default()
        .text("reference", child.reference.as_str())
        .text("session_id", child.session_id.as_str())
        .text("parent_id", child.parent.as_str())
        .text("merchant_id", child.merchant.as_str())
        .number("number", child.number)
        .text("attempt", child.attempt.as_str())
        .text("operation", child.operation.as_str())
        .money("amount", "currency", child.amount)
        .text("pg_code", child.pg_code.as_str())
        .number("is_sandbox", child.is_sandbox)
        .optional_text("extra", child.extra.as_deref())
        .optional_text("reason", child.reason.map(OperationReason::as_str))
        .optional_text("note", child.note.as_deref())
        .optional_text("initiator", initiator.as_deref())
        .optional_text("made_by", by.map(|by| by.to_string()).as_deref())
        .time("opened_at", child.opened_at);
    progress(child, columns)?.insert(db, "child")
}

/// The columns of an operation that may change; the others are frozen.
fn progress(child: &Child, columns: Columns) -> Result<Columns, PortError> {
    Ok(columns
        .text("stage", child.stage.as_str())
        .optional_text("tracking_key", child.tracking_key.as_deref())
        .time("updated_at", child.updated_at)
        .time("known_at", child.known_at)
        .optional_time("inquire_at", child.inquire_at)
        .number("inquiries", child.inquiries)
        .number("lost_inquiries", 0)
        .optional_time("open_since", child.open_since)
        .optional_text("gateway_id", child.gateway_id.as_deref())
        .optional_text("message", child.message.as_deref())
        .text("params", &json(&child.params, "child.params")?)
        .optional_text("response", child.response.as_deref()))
}

fn read_reason(row: &mut Row) -> Result<Option<OperationReason>, PortError> {
    let read = |text: String| OperationReason::parse(&text).ok_or_else(|| corrupt("child.reason"));
    row.optional_text("child.reason")?.map(read).transpose()
}

fn read_initiator(row: &mut Row) -> Result<Option<Box<Initiator>>, PortError> {
    let read = |text: String| Initiator::from_json(&text).ok_or_else(|| corrupt("child.initiator"));
    row.optional_text("child.initiator")?.map(read).transpose().map(|user| user.map(Box::new))
}

fn read(mut row: Row) -> Result<Child, PortError> {
    Ok(Child {
        reference: row.word("child.reference", ReferenceNumber::parse)?,
        session_id: row.word("child.session_id", SessionId::parse)?,
        parent: row.word("child.parent_id", SessionId::parse)?,
        merchant: row.word("child.merchant_id", MerchantId::parse)?,
        number: row.number("child.number")?,
        attempt: row.word("child.attempt", ReferenceNumber::parse)?,
        operation: row.word("child.operation", ChildOperation::parse)?,
        stage: row.word("child.stage", OperationStage::parse)?,
        amount: row.money("child.amount")?,
        pg_code: row.word("child.pg_code", PgCode::parse)?,
        is_sandbox: row.flag("child.is_sandbox")?,
        tracking_key: row.optional_text("child.tracking_key")?,
        extra: row.optional_text("child.extra")?,
        reason: read_reason(&mut row)?,
        note: row.optional_text("child.note")?,
        initiator: read_initiator(&mut row)?,
        opened_at: row.time("child.opened_at")?,
        updated_at: row.time("child.updated_at")?,
        known_at: row.time("child.known_at")?,
        inquire_at: row.optional_time("child.inquire_at")?,
        inquiries: row.number("child.inquiries")?,
        open_since: row.optional_time("child.open_since")?,
        gateway_id: row.optional_text("child.gateway_id")?,
        message: row.optional_text("child.message")?,
        params: row.word("child.params", stored_params)?,
        response: row.optional_text("child.response")?,
    })
}
