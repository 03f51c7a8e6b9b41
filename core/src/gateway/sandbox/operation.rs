//! Captures, refunds and voids at the sandbox bank: the request, and what the bank says about it.

use alloc::string::{String, ToString};

use serde::Serialize;

use crate::gateway::charge::PgParams;
use crate::gateway::operation::{OperationOutcome, OperationReport};
use crate::gateway::text::{is_in_the_clear, line, params, words};
use crate::value::money::{Currency, Money};
use crate::wire::object::Object;

/// The request for an operation, in the wire format.
#[derive(Serialize)]
pub(super) struct OperationRequest<'a> {
    pub(super) reference: &'a str,
    pub(super) operation: &'static str,
    pub(super) amount: String,
    pub(super) currency: &'static str,
    pub(super) callback_url: &'a str,
}

/// An operation in the wire format. Members that decide an outcome are required.
struct SandboxOperation {
    id: String,
    reference: String,
    operation: String,
    status: SandboxOperationStatus,
    amount: String,
    currency: String,
    message: Option<String>,
    rrn: Option<String>,
    transaction_id: Option<String>,
    post_date: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum SandboxOperationStatus {
    Done,
    Queued,
    Refused,
}

impl SandboxOperationStatus {
    fn parse(word: &str) -> Option<Self> {
        match word {
            "done" => Some(Self::Done),
            "queued" => Some(Self::Queued),
            "refused" => Some(Self::Refused),
            _ => None,
        }
    }
}

/// The operation in a body; `None` if a member is missing or of another type, or the status is no known word.
/// One whose amount cannot be read says nothing certain.
pub(super) fn read_operation(body: &[u8]) -> Option<OperationReport> {
    let done = read(body)?;
    let amount =
        Currency::parse(&done.currency).and_then(|currency| Money::parse(&done.amount, currency).ok());
    let outcome = match (done.status, amount) {
        (_, None) => OperationOutcome::Unknown,
        (SandboxOperationStatus::Done, Some(_)) => OperationOutcome::Done,
        (SandboxOperationStatus::Queued, Some(_)) => OperationOutcome::Queued,
        (SandboxOperationStatus::Refused, Some(_)) => OperationOutcome::Refused,
    };
    // No card number enters this service.
    let is_hidden = done.message.as_deref().is_some_and(is_in_the_clear);
    Some(OperationReport {
        amount,
        outcome,
        message: done.message.as_deref().and_then(words),
        gateway_id: line(&done.id),
        params: params_of(&done),
        raw: core::str::from_utf8(body).ok().filter(|_| !is_hidden).map(|text| text.trim().to_string()),
        reference: done.reference,
    })
}

fn read(body: &[u8]) -> Option<SandboxOperation> {
    let done = Object::read(body, |object| {
        Some(SandboxOperation {
            status: object.needed_word("status", SandboxOperationStatus::parse)?,
            id: object.text("id"),
            reference: object.text("reference"),
            operation: object.text("operation"),
            amount: object.text("amount"),
            currency: object.text("currency"),
            message: object.optional_text("message"),
            rrn: object.optional_text("rrn"),
            transaction_id: object.optional_text("transaction_id"),
            post_date: object.optional_text("post_date"),
        })
    });
    done.flatten()
}

fn params_of(done: &SandboxOperation) -> PgParams {
    params(&[
        ("payment_id", Some(done.id.as_str())),
        ("pg_message", done.message.as_deref().and_then(words).as_deref()),
        ("post_date", done.post_date.as_deref()),
        ("ref", done.rrn.as_deref()),
        ("result", result_word(done.status, &done.operation)),
        ("rrn", done.rrn.as_deref()),
        ("track_id", Some(done.reference.as_str())),
        ("transaction_id", done.transaction_id.as_deref()),
    ])
}

/// The words that gateways commonly use for a result.
fn result_word(status: SandboxOperationStatus, operation: &str) -> Option<&'static str> {
    match (status, operation) {
        (SandboxOperationStatus::Done, "capture") => Some("CAPTURED"),
        (SandboxOperationStatus::Done, "refund") => Some("REFUNDED"),
        (SandboxOperationStatus::Done, "void") => Some("VOIDED"),
        (SandboxOperationStatus::Queued, _) => Some("QUEUED"),
        (SandboxOperationStatus::Refused, _) => Some("DECLINED"),
        (SandboxOperationStatus::Done, _) => None,
    }
}
