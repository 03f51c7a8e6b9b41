//! The body about a capture, refund or void: the answer to the request, and the separate notification of the
//! operation, serialised once and signed.

use alloc::string::String;
use alloc::vec::Vec;

use schemars::JsonSchema;
use serde::Serialize;

use super::administration::ActorShown;
use super::body::{AnswerBody, BodyMember, Labelled, component, raw_object, written};
use crate::child::Child;
use crate::child::stage::OperationStage;
use crate::operation::command::Command;
use crate::transaction::Transaction;
use crate::transaction::initiator::Initiator;
use crate::value::id::{PgCode, ReferenceNumber, SessionId};
use crate::value::json::{self, Unwritten};
use crate::value::money::Currency;
use crate::value::time::Moment;
use crate::webhook::signature::sign;
use crate::words::operation_reason::OperationReason;
use crate::words::{ChildOperation, ChildState};

/// Who caused the report about the operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReportSource {
    /// The merchant asked for it.
    Input,
    /// The gateway reported its end by itself.
    Gateway,
}

impl ReportSource {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Input => "input",
            Self::Gateway => "pg",
        }
    }
}

/// The `result` of an operation.
#[must_use]
pub const fn result(stage: OperationStage) -> &'static str {
    match stage {
        OperationStage::Done => "success",
        // What is not certain yet will be reported later, like what is queued.
        OperationStage::Sending | OperationStage::Unknown | OperationStage::Queued => "queued",
        OperationStage::Rejected => "rejected",
        OperationStage::Refused => "failed",
    }
}

/// A command that moves no money was done.
#[derive(Debug, Serialize, JsonSchema)]
pub struct OperationDone {
    /// What was done.
    pub detail: &'static str,
    /// The command.
    pub operation: Command,
    /// `success`.
    #[schemars(extend("enum" = ["success"]))]
    pub result: &'static str,
}

impl OperationDone {
    /// The answer to a command.
    pub(crate) fn of(command: Command, detail: &'static str) -> Self {
        Self { detail, operation: command, result: "success" }
    }
}

written! {
    /// The report about a capture, refund or void.
    OperationResult
}

/// The body about `child`, signed with the merchant's HMAC key. Its `sequence` is the number of the last event
/// of the transaction.
///
/// # Errors
/// If it could not be written.
pub fn body(
    transaction: &Transaction,
    child: &Child,
    source: ReportSource,
    hmac_key: &str,
) -> Result<String, Unwritten> {
    let mut body = AnswerBody::default();
    let order_no = transaction.details.order_no.as_deref();
    body.text("amount", child.amount.text());
    if let Some(extra) = child.extra.as_deref().and_then(|extra| serde_json::from_str(extra).ok()) {
        body.0.insert("extra", BodyMember::Raw(extra));
    }
    if let Some(user) = Initiator::named(child.initiator.as_deref()) {
        body.0.insert("initiator", BodyMember::Initiator(user));
    }
    if child.is_sandbox {
        body.0.insert("is_sandbox", BodyMember::Flag(true));
    }
    body.optional("note", child.note.as_deref());
    body.text("operation", child.operation.as_str());
    body.optional("order_no", order_no);
    body.text("pg_code", child.pg_code.as_str());
    body.0.insert("pg_params", BodyMember::Params(Labelled(&child.params)));
    let raw = raw_object(child.response.as_deref());
    body.0.insert(
        "pg_response",
        raw.map_or_else(|| BodyMember::Object(AnswerBody::default()), BodyMember::Raw),
    );
    body.optional("reason", child.reason.map(OperationReason::as_str));
    body.text("reference_number", child.reference.as_str());
    body.text("result", result(child.stage));
    body.0.insert("sequence", BodyMember::Number(transaction.version));
    body.text("session_id", child.parent.as_str());
    body.text("source", source.as_str());
    body.0.insert(
        "success",
        BodyMember::Flag(!matches!(child.stage, OperationStage::Rejected | OperationStage::Refused)),
    );
    body.text("timestamp_utc", child.known_at.text());
    body.0.insert("txn", BodyMember::Object(txn(child, order_no)));
    let signature = sign(|name| body.signed(name), hmac_key);
    body.text("signature", signature);
    json::write(&OperationResult(body))
}

/// The operations of a payment transaction.
#[derive(Debug, Serialize, JsonSchema)]
pub struct OperationList<'a> {
    /// The captures, refunds and voids, in order.
    pub results: Vec<OperationShown<'a>>,
}

/// A capture, refund or void.
#[derive(Debug, Serialize, JsonSchema)]
pub struct OperationShown<'a> {
    /// How much.
    amount: String,
    /// Who asked for it; absent if that was not recorded, or the checkout did it by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<ActorShown>,
    /// ISO 4217 code.
    #[schemars(with = "String")]
    currency_code: Currency,
    /// What the gateway says about it; null if there is nothing to say.
    message: Option<&'a str>,
    /// What was noted about it; null if nothing was, or it was erased.
    note: Option<&'a str>,
    /// When it was asked for.
    opened_at: Moment,
    /// What was asked for.
    operation: ChildOperation,
    /// The gateway.
    pg_code: &'a PgCode,
    /// Why it was asked for; null if that was not said.
    reason: Option<OperationReason>,
    /// The operation.
    reference_number: &'a ReferenceNumber,
    /// Its result: `success`, `failed`, `rejected`, or `queued` while that is not known.
    result: &'static str,
    /// The child transaction.
    session_id: &'a SessionId,
    /// The state of the child transaction; null while there is none.
    state: Option<ChildState>,
    /// When it last changed.
    updated_at: Moment,
}

impl<'a> OperationShown<'a> {
    /// An operation, with who asked for it.
    #[must_use]
    pub fn of(child: &'a Child, by: Option<ActorShown>) -> Self {
        Self {
            amount: child.amount.text(),
            by,
            currency_code: child.amount.currency(),
            message: child.message.as_deref(),
            note: child.note.as_deref(),
            opened_at: child.opened_at.into(),
            operation: child.operation,
            pg_code: &child.pg_code,
            reason: child.reason,
            reference_number: &child.reference,
            result: result(child.stage),
            session_id: &child.session_id,
            state: child.state(),
            updated_at: child.updated_at.into(),
        }
    }
}

/// The child transactions that exist.
pub(crate) fn children<'a>(children: &'a [Child], order_no: Option<&str>) -> Vec<AnswerBody<'a>> {
    let shown = children.iter().filter(|child| child.state().is_some());
    shown.map(|child| txn(child, order_no)).collect()
}

/// The child transaction. While its outcome is not certain, it has the state of an attempt whose outcome is
/// not certain.
fn txn<'a>(child: &'a Child, order_no: Option<&str>) -> AnswerBody<'a> {
    let mut txn = AnswerBody::default();
    txn.text("amount", child.amount.text());
    txn.text("currency_code", child.amount.currency().code());
    if let Some(order_no) = order_no {
        txn.text("order_no", String::from(order_no));
    }
    txn.text("session_id", child.session_id.as_str());
    txn.text("state", child.state().map_or_else(|| without_state(child), ChildState::as_str));
    txn
}

/// What is reported for a child transaction that has no state: not certain yet, or refused after it was
/// reported as queued.
fn without_state(child: &Child) -> &'static str {
    match child.stage {
        OperationStage::Refused => match child.operation {
            ChildOperation::Refund => ChildState::RefundRejected.as_str(),
            ChildOperation::Capture | ChildOperation::Void => "failed",
        },
        OperationStage::Sending
        | OperationStage::Unknown
        | OperationStage::Queued
        | OperationStage::Done
        | OperationStage::Rejected => "pending",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_that_moves_no_money_is_answered_by_three_members() {
        let done = OperationDone::of(Command::Cancel, "the payment transaction is canceled");
        let expected =
            r#"{"detail":"the payment transaction is canceled","operation":"cancel","result":"success"}"#;
        assert_eq!(serde_json::to_string(&done).unwrap(), expected);
    }
}
