//! What the gateway says about payments and refunds. What cannot be read is unknown.

use alloc::string::String;

use crate::gateway::charge::{Opened, Outcome, Report};
use crate::gateway::check::Checked;
use crate::gateway::exchange::Incoming;
use crate::gateway::operation::{OperationOutcome, OperationReport};
use crate::gateway::text::{line, page_address, params};
use crate::value::id::ReferenceNumber;
use crate::value::money::{Currency, Money};
use crate::wire::object::Object;

/// A payment or a refund in the wire format. Members that decide an outcome are required.
struct Item {
    id: String,
    reference: String,
    status: String,
    amount: Option<Money>,
    page_url: Option<String>,
    message: Option<String>,
}

impl Item {
    fn read(kind: &str, body: &[u8]) -> Option<Self> {
        Object::read(body, |item| {
            let currency = Currency::parse(&item.text("currency"));
            let amount = item.text("amount");
            (item.text("object") == kind).then(|| Self {
                id: item.text("id"),
                reference: item.text("reference"),
                status: item.text("status"),
                amount: currency.and_then(|currency| Money::parse(&amount, currency).ok()),
                page_url: item.optional_text("page_url"),
                message: item.optional_text("message").as_deref().and_then(line),
            })
        })?
    }
}

/// What a payment says; `None` if the body is none.
pub(super) fn payment(body: &[u8]) -> Option<Report> {
    let payment = Item::read("payment", body)?;
    let page_url = payment.page_url.as_deref().and_then(page_address);
    let (outcome, result) = match (payment.amount, payment.status.as_str(), page_url) {
        (Some(_), "open", Some(page_url)) => (Outcome::Open { page_url }, None),
        (Some(_), "paid", _) => (Outcome::Approved, Some("CAPTURED")),
        (Some(_), "declined", _) => (Outcome::Declined, Some("NOT CAPTURED")),
        (Some(_), "canceled", _) => (Outcome::Canceled, Some("CANCELED")),
        // Every other word, and a payment without an amount, says nothing certain.
        _ => (Outcome::Unknown, None),
    };
    Some(Report {
        total: payment.amount,
        gateway_id: line(&payment.id),
        params: params(&[
            ("payment_id", Some(&payment.id)),
            ("pg_message", payment.message.as_deref()),
            ("result", result),
            ("track_id", Some(&payment.reference)),
        ]),
        message: payment.message,
        ..Report::bare(&payment.reference, outcome)
    })
}

/// What a refund says; `None` if the body is none.
pub(super) fn refund(body: &[u8]) -> Option<OperationReport> {
    let refund = Item::read("refund", body)?;
    let (outcome, result) = match (refund.amount, refund.status.as_str()) {
        (Some(_), "done") => (OperationOutcome::Done, Some("REFUNDED")),
        (Some(_), "queued") => (OperationOutcome::Queued, Some("QUEUED")),
        (Some(_), "refused") => (OperationOutcome::Refused, Some("DECLINED")),
        _ => (OperationOutcome::Unknown, None),
    };
    Some(OperationReport {
        amount: refund.amount,
        gateway_id: line(&refund.id),
        params: params(&[
            ("payment_id", Some(&refund.id)),
            ("pg_message", refund.message.as_deref()),
            ("result", result),
            ("track_id", Some(&refund.reference)),
        ]),
        message: refund.message,
        ..OperationReport::bare(&refund.reference, outcome)
    })
}

/// Whether a status says for certain that the request was not accepted. A time limit, a conflict, a try that came too early
/// and a limit of requests do not say whether an earlier one was.
fn is_refusal(status: u16) -> bool {
    (400..500).contains(&status) && !matches!(status, 408 | 409 | 425 | 429)
}

/// The words of a refusal.
fn words(body: &[u8]) -> Option<String> {
    Object::read(body, |fault| fault.optional_text("message"))?.as_deref().and_then(line)
}

/// The answer to the request that opens a payment.
pub(super) fn opened(reference: &ReferenceNumber, answer: &Incoming) -> Opened {
    if is_refusal(answer.status) {
        return Opened::Refused { message: words(&answer.body) };
    }
    let report = if matches!(answer.status, 200 | 201) { payment(&answer.body) } else { None };
    Opened::Reported(report.unwrap_or_else(|| Report::bare(reference.as_str(), Outcome::Unknown)))
}

/// The answer to an inquiry about a payment.
pub(super) fn charge(reference: &ReferenceNumber, answer: &Incoming) -> Report {
    let report = match answer.status {
        200 => payment(&answer.body),
        404 => Some(Report::bare(reference.as_str(), Outcome::Absent)),
        _ => None,
    };
    report.unwrap_or_else(|| Report::bare(reference.as_str(), Outcome::Unknown))
}

/// The answer to the request for a refund.
pub(super) fn requested(reference: &ReferenceNumber, answer: &Incoming) -> OperationReport {
    let bare = |outcome| OperationReport::bare(reference.as_str(), outcome);
    if is_refusal(answer.status) {
        return OperationReport { message: words(&answer.body), ..bare(OperationOutcome::Refused) };
    }
    let report = if matches!(answer.status, 200 | 201) { refund(&answer.body) } else { None };
    report.unwrap_or_else(|| bare(OperationOutcome::Unknown))
}

/// The answer to an inquiry about a refund.
pub(super) fn operation(reference: &ReferenceNumber, answer: &Incoming) -> OperationReport {
    let bare = |outcome| OperationReport::bare(reference.as_str(), outcome);
    let report = match answer.status {
        200 => refund(&answer.body),
        404 => Some(bare(OperationOutcome::Absent)),
        _ => None,
    };
    report.unwrap_or_else(|| bare(OperationOutcome::Unknown))
}

/// The answer to the question whether the key is accepted.
pub(super) fn checked(answer: &Incoming) -> Checked {
    match answer.status {
        200 => Checked::Accepted,
        401 | 403 => Checked::Refused(words(&answer.body)),
        _ => Checked::Unclear,
    }
}
