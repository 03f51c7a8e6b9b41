//! The table `approval`: requests for approval of refunds and voids.

use checkout_core::approval::Approval;
use checkout_core::approval::decided::{Verdicts, actor_from_json, actor_to_json};
use checkout_core::approval::stage::ApprovalState;
use checkout_core::change::ApprovalWrite;
use checkout_core::port::{ApprovalSearch, Approvals, FirstApprovals, PortError};
use checkout_core::record::facts::Facts;
use checkout_core::transaction::initiator::Initiator;
use checkout_core::value::id::{MerchantId, ReferenceNumber, SessionId};
use checkout_core::value::time::Timestamp;
use checkout_core::words::ChildOperation;
use checkout_core::words::operation_reason::OperationReason;

use super::D1Store;
use super::fault::corrupt;
use super::row::Row;
use super::statement::{Columns, Db, Statement, Values, json};

/// The columns in the order in which [`read`] takes them.
macro_rules! columns {
    () => {
        "SELECT id, merchant_id, session_id, attempt, operation, amount, currency, remaining, currency, extra, reason, note, \
         initiator, tracking_key, asked_by, asked_at, expires_at, approvers, hash, state, decided, failure, reference, changed_at \
         FROM approval "
    };
}

/// A page of one kind: `?2` and `?3` are where it begins, `?4` the most rows.
macro_rules! page {
    ($index:literal, $whose:literal) => {
        concat!(
            columns!(),
            "INDEXED BY ",
            $index,
            " WHERE ",
            $whose,
            " AND (asked_at, id) < (CAST(?2 AS INTEGER), ?3) ORDER BY asked_at DESC, id DESC LIMIT CAST(?4 AS INTEGER)"
        )
    };
}

/// After every id.
const LAST: &str = "~";

impl Approvals for D1Store {
    async fn approval(&self, id: &ReferenceNumber) -> Result<Option<Approval>, PortError> {
        const SQL: &str = concat!(columns!(), "WHERE id = ?");
        Values::default()
            .text(id.as_str())
            .first(&self.db, SQL)
            .await?
            .map(|mut row| read(&mut row))
            .transpose()
    }

    async fn tracked_approval(
        &self,
        merchant: &MerchantId,
        key: &str,
    ) -> Result<Option<Approval>, PortError> {
        const SQL: &str = concat!(columns!(), "WHERE merchant_id = ? AND tracking_key = ?");
        let values = Values::default().text(merchant.as_str()).text(key);
        values.first(&self.db, SQL).await?.map(|mut row| read(&mut row)).transpose()
    }

    async fn find_approvals(&self, search: &ApprovalSearch) -> Result<Vec<Approval>, PortError> {
        const OF_MERCHANT: &str = page!("approval_of_merchant", "merchant_id = ?1");
        const IN_STATE: &str = page!("approval_by_state", "merchant_id = ?1 AND state = ?5");
        const OF_SESSION: &str = page!(
            "approval_of_session",
            "merchant_id = ?1 AND (?5 IS NULL OR state = ?5) AND session_id = ?6"
        );
        let after = search
            .after
            .as_ref()
            .map_or((i64::MAX, LAST), |(at, id): &(Timestamp, _)| (at.millis(), id.as_str()));
        let values = Values::default()
            .text(search.merchant.as_str())
            .number(after.0)
            .text(after.1)
            .number(search.limit);
        let state = search.state.map(ApprovalState::as_str);
        let rows = match (&search.session_id, state) {
            (Some(session_id), _) => {
                values.optional_text(state).text(session_id.as_str()).rows(&self.db, OF_SESSION).await
            }
            (None, Some(state)) => values.text(state).rows(&self.db, IN_STATE).await,
            (None, None) => values.rows(&self.db, OF_MERCHANT).await,
        };
        rows?.into_iter().map(|mut row| read(&mut row)).collect()
    }

    async fn first_approvals(&self, merchant: &MerchantId, limit: u32) -> Result<FirstApprovals, PortError> {
        const SQL: &str = concat!(
            "SELECT w.*, 1 FROM (",
            page!("approval_by_state", "merchant_id = ?1 AND state = 'asked'"),
            ") w UNION ALL SELECT page.*, 0 FROM (",
            page!("approval_of_merchant", "merchant_id = ?1"),
            ") page"
        );
        let values = Values::default().text(merchant.as_str()).number(i64::MAX).text(LAST).number(limit);
        let mut found = FirstApprovals::default();
        for mut row in values.rows(&self.db, SQL).await? {
            let approval = read(&mut row)?;
            let part = if row.flag("approval.part")? { &mut found.waiting } else { &mut found.all };
            part.push(approval);
        }
        Ok(found)
    }
}

/// The statement that writes the request for approval of a change.
pub(super) fn write(db: &Db, write: &ApprovalWrite) -> Result<Statement, PortError> {
    match write {
        ApprovalWrite::Open(approval) => insert(db, approval),
        ApprovalWrite::Update { from, approval } => {
            let of_state = Values::default().text(approval.id.as_str()).text(from.as_str());
            progress(approval, Columns::default()).update(db, "approval", "id = ? AND state = ?", of_state)
        }
    }
}

fn insert(db: &Db, approval: &Approval) -> Result<Statement, PortError> {
    let initiator = approval.initiator.as_deref().map(|user| json(user, "approval.initiator")).transpose()?;
    let columns = Columns::default()
        .text("id", approval.id.as_str())
        .text("merchant_id", approval.merchant.as_str())
        .text("session_id", approval.session_id.as_str())
        .text("attempt", approval.attempt.as_str())
        .text("operation", approval.operation.as_str())
        .money("amount", "currency", approval.amount)
        .number("remaining", approval.remaining.minor())
        .optional_text("extra", approval.extra.as_deref())
        .optional_text("reason", approval.reason.map(OperationReason::as_str))
        .optional_text("note", approval.note.as_deref())
        .optional_text("initiator", initiator.as_deref())
        .optional_text("tracking_key", approval.tracking_key.as_deref())
        .text("asked_by", &actor_to_json(&approval.asked_by))
        .time("asked_at", approval.asked_at)
        .time("expires_at", approval.expires_at)
        .number("approvers", approval.approvers)
        .text("hash", &approval.hash);
    progress(approval, columns).insert(db, "approval")
}

/// The columns of a request that may change; the others are frozen.
fn progress(approval: &Approval, columns: Columns) -> Columns {
    columns
        .text("state", approval.state.as_str())
        .text("decided", &approval.decided.to_json())
        .optional_text("failure", approval.failure.as_ref().map(Facts::stored).as_deref())
        .optional_text("reference", approval.reference.as_ref().map(ReferenceNumber::as_str))
        .time("changed_at", approval.changed_at)
}

/// What was noted, by those who asked and decided: it may name the payer.
pub(super) fn erase(db: &Db, session_id: &SessionId) -> Result<Statement, PortError> {
    const SQL: &str = "UPDATE approval SET extra = NULL, note = NULL, failure = NULL, decided = json_remove(decided, '$.note') \
         WHERE session_id = ?";
    Values::default().text(session_id.as_str()).bind(db, SQL)
}

fn read(row: &mut Row) -> Result<Approval, PortError> {
    Ok(Approval {
        id: row.word("approval.id", ReferenceNumber::parse)?,
        merchant: row.word("approval.merchant_id", MerchantId::parse)?,
        session_id: row.word("approval.session_id", SessionId::parse)?,
        attempt: row.word("approval.attempt", ReferenceNumber::parse)?,
        operation: row.word("approval.operation", ChildOperation::parse)?,
        amount: row.money("approval.amount")?,
        remaining: row.money("approval.remaining")?,
        extra: row.optional_text("approval.extra")?,
        reason: read_as(row, "approval.reason", OperationReason::parse)?,
        note: row.optional_text("approval.note")?,
        initiator: read_as(row, "approval.initiator", Initiator::from_json)?.map(Box::new),
        tracking_key: row.optional_text("approval.tracking_key")?,
        asked_by: row.word("approval.asked_by", actor_from_json)?,
        asked_at: row.time("approval.asked_at")?,
        expires_at: row.time("approval.expires_at")?,
        approvers: row.small("approval.approvers")?,
        hash: row.text("approval.hash")?,
        state: row.word("approval.state", ApprovalState::parse)?,
        decided: row.word("approval.decided", Verdicts::from_json)?,
        failure: row.optional_text("approval.failure")?.as_deref().map(Facts::read),
        reference: read_as(row, "approval.reference", ReferenceNumber::parse)?,
        changed_at: row.time("approval.changed_at")?,
    })
}

/// What an optional text means.
fn read_as<T>(
    row: &mut Row,
    column: &str,
    parse: impl FnOnce(&str) -> Option<T>,
) -> Result<Option<T>, PortError> {
    let text = row.optional_text(column)?;
    text.map(|text| parse(&text).ok_or_else(|| corrupt(column))).transpose()
}
