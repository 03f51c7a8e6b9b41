//! Captures, refunds and voids: Checkout.com accepts the request and names the action; the actions of the payment say what
//! became of it.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::Serialize;

use super::account::{ACTION, CheckoutCom, PAYMENT, id};
use super::fault::CkoRefusal;
use super::{amount, raw};
use crate::gateway::exchange::Incoming;
use crate::gateway::operation::{OperationOrder, OperationOutcome, OperationRef, OperationReport};
use crate::gateway::step::Step;
use crate::gateway::text::{line, params, words};
use crate::value::money::Money;
use crate::wire::json;
use crate::wire::object::Object;
use crate::words::ChildOperation;

/// Why an operation cannot be requested.
const NO_PAYMENT: &str = "Checkout.com has not said the id of the payment";

/// The request for an operation, in the wire format.
#[derive(Serialize)]
struct ActionRequest<'a> {
    /// A void has none: it releases everything that is left.
    #[serde(skip_serializing_if = "Option::is_none")]
    amount: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    capture_type: Option<&'static str>,
    reference: &'a str,
    metadata: ActionMarks<'a>,
}

/// Comes back in the webhooks of the action.
#[derive(Serialize)]
struct ActionMarks<'a> {
    charge: &'a str,
    operation: &'a str,
}

pub(super) fn operate<'c>(account: &'c CheckoutCom, order: &'c OperationOrder) -> Step<'c, OperationReport> {
    let reference = order.reference.as_str();
    let refused = |message: &str| Step::Done(OperationReport::refused(reference, Some(message.to_string())));
    let Some(payment) = id(order.charge.gateway_id.as_deref().unwrap_or_default(), PAYMENT) else {
        return refused(NO_PAYMENT);
    };
    let Some(number) = amount::written(order.amount) else { return refused(amount::UNFIT) };
    // After a final capture nothing is left to be captured.
    let is_whole = order.amount == order.charge.total;
    let (word, amount, capture_type) = match order.operation {
        ChildOperation::Capture => {
            ("captures", Some(number), Some(if is_whole { "Final" } else { "NonFinal" }))
        }
        ChildOperation::Refund => ("refunds", Some(number), None),
        ChildOperation::Void => ("voids", None, None),
    };
    let body = ActionRequest {
        amount,
        capture_type,
        reference,
        metadata: ActionMarks { charge: order.charge.reference.as_str(), operation: reference },
    };
    match account.post(&format!("/payments/{payment}/{word}"), Some(reference), &body) {
        Some(request) => Step::act(request, |answer| read_accepted(order, answer)),
        None => refused(NO_PAYMENT),
    }
}

fn read_accepted(order: &OperationOrder, answer: &Incoming) -> OperationReport {
    if let Some(CkoRefusal { message }) = CkoRefusal::of(answer) {
        return OperationReport::refused(order.reference.as_str(), message);
    }
    let accepted = Object::read(&answer.body, |accepted| {
        (accepted.text("action_id"), accepted.optional_text("reference"))
    });
    let Some((action, reference)) = accepted.filter(|_| matches!(answer.status, 200..=202)) else {
        return OperationReport::bare(order.reference.as_str(), OperationOutcome::Unknown);
    };
    let reference = reference.as_deref().unwrap_or(order.reference.as_str());
    let known = id(&action, ACTION);
    OperationReport {
        gateway_id: known.map(ToString::to_string),
        params: params(&[("payment_id", known), ("result", Some("Accepted")), ("track_id", Some(reference))]),
        raw: raw::of(&answer.body),
        ..OperationReport::bare(reference, OperationOutcome::Queued)
    }
}

/// An action of a payment in the wire format.
struct CkoAction<'a> {
    id: String,
    kind: String,
    reference: Option<String>,
    amount: Option<i64>,
    is_approved: Option<bool>,
    code: Option<String>,
    summary: Option<String>,
    moment: Option<String>,
    retrieval_reference: Option<String>,
    text: &'a str,
}

impl<'a> CkoAction<'a> {
    fn read(text: &'a str) -> Option<Self> {
        Object::read(text, |action| Self {
            id: action.text("id"),
            kind: action.text("type"),
            reference: action.optional_text("reference"),
            amount: action.number("amount"),
            is_approved: action.flag("approved"),
            code: action.optional_text("response_code"),
            summary: action.optional_text("response_summary"),
            moment: action.optional_text("processed_on"),
            retrieval_reference: action
                .object("processing", |processing| processing.optional_text("acquirer_reference_number"))
                .flatten(),
            text,
        })
    }
}

/// The actions in an answer, newest first; `None` if any of them cannot be read.
fn read_actions(answer: &Incoming) -> Option<Vec<CkoAction<'_>>> {
    let list = serde_json::from_slice(&answer.body).ok().filter(|_| answer.status == 200)?;
    json::items(list)?.into_iter().map(|item| CkoAction::read(item.get())).collect()
}

/// Why the payment was declined: code and words of its newest authorisation that was.
pub(super) fn declined_authorization(answer: &Incoming) -> Option<(Option<String>, Option<String>)> {
    let found = read_actions(answer)?.into_iter().find(|action| {
        matches!(action.kind.as_str(), "Authorization" | "Card Verification")
            && action.is_approved != Some(true)
            && action.code.is_some()
    })?;
    Some((found.code, found.summary))
}

/// The action of an operation among those of its payment.
pub(super) fn inquire<'c>(
    account: &'c CheckoutCom,
    operation: &'c OperationRef,
) -> Step<'c, OperationReport> {
    let unknown = || OperationReport::bare(operation.reference.as_str(), OperationOutcome::Unknown);
    let Some(payment) = id(operation.charge.gateway_id.as_deref().unwrap_or_default(), PAYMENT) else {
        return Step::Done(unknown());
    };
    Step::ask(account.get(&format!("/payments/{payment}/actions")), move |answer| {
        let Some(actions) = read_actions(answer) else { return unknown() };
        match actions.iter().find(|action| is_of(operation, action)) {
            Some(action) => report(operation, action),
            // What was accepted is not always an action yet.
            None if operation.gateway_id.is_some() => {
                OperationReport::bare(operation.reference.as_str(), OperationOutcome::Queued)
            }
            None => OperationReport::bare(operation.reference.as_str(), OperationOutcome::Absent),
        }
    })
}

const fn kind_of(operation: ChildOperation) -> &'static str {
    match operation {
        ChildOperation::Capture => "Capture",
        ChildOperation::Refund => "Refund",
        ChildOperation::Void => "Void",
    }
}

fn is_of(operation: &OperationRef, action: &CkoAction<'_>) -> bool {
    let by_id = operation.gateway_id.as_deref() == Some(action.id.as_str());
    let by_reference = action.reference.as_deref() == Some(operation.reference.as_str());
    (by_id || by_reference) && action.kind == kind_of(operation.operation)
}

/// A void names what it released, which the merchant did not have to say.
fn report(operation: &OperationRef, action: &CkoAction<'_>) -> OperationReport {
    let currency = operation.charge.total.currency();
    let amount: Option<Money> = action.amount.and_then(|number| amount::read(number, currency.code()));
    let is_void = operation.operation == ChildOperation::Void;
    let outcome = match action.is_approved {
        Some(true) if amount.is_some() || is_void => OperationOutcome::Done,
        Some(false) => OperationOutcome::Refused,
        Some(true) => OperationOutcome::Unknown,
        None => OperationOutcome::Queued,
    };
    let message = action.summary.as_deref().and_then(words).filter(|_| outcome == OperationOutcome::Refused);
    let known = id(&action.id, ACTION);
    OperationReport {
        amount: amount.filter(|_| !is_void),
        gateway_id: known.map(ToString::to_string),
        params: params(&[
            ("payment_id", known),
            ("pg_message", message.as_deref()),
            ("post_date", action.moment.as_deref().and_then(|moment| moment.get(..10))),
            ("ref", action.retrieval_reference.as_deref()),
            ("result", action.code.as_deref().and_then(line).as_deref()),
            ("track_id", Some(operation.reference.as_str())),
        ]),
        raw: raw::of(action.text.as_bytes()),
        message,
        ..OperationReport::bare(operation.reference.as_str(), outcome)
    }
}
