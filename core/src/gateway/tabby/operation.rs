//! Captures, refunds and voids. Tabby captures and refunds once for one reference of ours, and lists them with it.
//!
//! A payment can be given back only when it is closed, so a capture of a part closes it, which releases the rest. Closing a
//! payment of which nothing is captured is the void.

use alloc::format;
use alloc::string::{String, ToString};

use serde::Serialize;

use super::account::{Tabby, id};
use super::answer::{TabbyFault, fault};
use super::find::{self, FoundPayment};
use super::payment::{TabbyPayment, TabbyStatus, raw_of};
use crate::gateway::charge::ChargeRef;
use crate::gateway::exchange::{Incoming, Outgoing};
use crate::gateway::operation::{OperationOrder, OperationOutcome, OperationRef, OperationReport};
use crate::gateway::step::Step;
use crate::gateway::text::params;
use crate::value::money::Money;
use crate::words::ChildOperation;

/// A capture or a refund in the wire format.
#[derive(Serialize)]
struct TabbyMove<'a> {
    amount: String,
    reference_id: &'a str,
}

/// What an operation is about.
#[derive(Clone, Copy)]
struct TabbyOperation<'c> {
    reference: &'c str,
    charge: &'c ChargeRef,
    operation: ChildOperation,
    amount: Money,
}

impl TabbyOperation<'_> {
    fn bare(self, outcome: OperationOutcome) -> OperationReport {
        OperationReport::bare(self.reference, outcome)
    }

    fn refused(self, message: Option<String>) -> OperationReport {
        OperationReport { message, ..self.bare(OperationOutcome::Refused) }
    }
}

/// The request that captures an amount; `None` if the id of the payment is none.
pub(super) fn capture_request(
    tabby: &Tabby,
    payment: &str,
    reference: &str,
    amount: Money,
) -> Option<Outgoing> {
    let path = format!("{}/captures", find::path(id(payment)?));
    Some(tabby.post(&path, &TabbyMove { amount: amount.to_string(), reference_id: reference }))
}

pub(super) fn operate<'c>(tabby: &'c Tabby, order: &'c OperationOrder) -> Step<'c, OperationReport> {
    let subject = TabbyOperation {
        reference: order.reference.as_str(),
        charge: &order.charge,
        operation: order.operation,
        amount: order.amount,
    };
    with_payment(tabby, subject, move |payment| {
        let path = find::path(&payment);
        let movement = TabbyMove { amount: order.amount.to_string(), reference_id: subject.reference };
        let request = match order.operation {
            ChildOperation::Capture => tabby.post(&format!("{path}/captures"), &movement),
            ChildOperation::Refund => tabby.post(&format!("{path}/refunds"), &movement),
            ChildOperation::Void => tabby.post_nothing(&format!("{path}/close")),
        };
        Step::act_first(request, move |answer| acted(tabby, subject, answer, &path))
    })
}

pub(super) fn inquire<'c>(tabby: &'c Tabby, operation: &'c OperationRef) -> Step<'c, OperationReport> {
    let subject = TabbyOperation {
        reference: operation.reference.as_str(),
        charge: &operation.charge,
        operation: operation.operation,
        amount: operation.amount,
    };
    with_payment(tabby, subject, move |payment| {
        let path = find::path(&payment);
        Step::ask_first(tabby.get(&path), move |answer| match payment_in(answer) {
            Some(payment) => go_on(tabby, subject, &payment, answer),
            None => Step::Done(subject.bare(OperationOutcome::Unknown)),
        })
    })
}

/// Goes on with the id of the payment.
fn with_payment<'c>(
    tabby: &'c Tabby,
    subject: TabbyOperation<'c>,
    then: impl FnOnce(String) -> Step<'c, OperationReport> + 'c,
) -> Step<'c, OperationReport> {
    if let Some(known) = find::known(subject.charge) {
        return then(known.to_string());
    }
    find::find(tabby, subject.charge, move |found| match found {
        FoundPayment::Id(payment) => then(payment),
        FoundPayment::Nothing | FoundPayment::Unclear => Step::Done(subject.bare(OperationOutcome::Unknown)),
    })
}

fn payment_in(answer: &Incoming) -> Option<TabbyPayment> {
    if answer.status == 200 { TabbyPayment::read(&answer.body) } else { None }
}

/// What the answer to an operation says. If the state of the payment forbids it, the payment says why: perhaps it was done
/// before.
fn acted<'c>(
    tabby: &'c Tabby,
    subject: TabbyOperation<'c>,
    answer: &Incoming,
    path: &str,
) -> Step<'c, OperationReport> {
    if let Some(payment) = payment_in(answer) {
        return go_on(tabby, subject, &payment, answer);
    }
    match fault(answer) {
        TabbyFault::Refused(message) => Step::Done(subject.refused(message)),
        TabbyFault::Conflict(message) => Step::ask(tabby.get(path), move |answer| {
            let report = payment_in(answer).map(|payment| reported(subject, &payment, &answer.body));
            match report {
                Some(report) if report.outcome == OperationOutcome::Absent => subject.refused(message),
                Some(report) => report,
                None => subject.bare(OperationOutcome::Unknown),
            }
        }),
        TabbyFault::Nothing => Step::Done(subject.bare(OperationOutcome::Unknown)),
    }
}

/// What a payment says about an operation; a capture of ours that left the payment open closes it.
fn go_on<'c>(
    tabby: &'c Tabby,
    subject: TabbyOperation<'c>,
    payment: &TabbyPayment,
    answer: &Incoming,
) -> Step<'c, OperationReport> {
    let is_left_open = payment.status == TabbyStatus::Authorized
        && subject.operation == ChildOperation::Capture
        && payment.reference == subject.charge.reference.as_str()
        && payment.captures.iter().any(|capture| capture.reference.as_deref() == Some(subject.reference));
    let close =
        id(&payment.id).filter(|_| is_left_open).map(|payment| format!("{}/close", find::path(payment)));
    match close {
        Some(path) => Step::act(tabby.post_nothing(&path), move |answer| {
            payment_in(answer).map_or_else(
                || subject.bare(OperationOutcome::Unknown),
                |payment| reported(subject, &payment, &answer.body),
            )
        }),
        None => Step::Done(reported(subject, payment, &answer.body)),
    }
}

/// What a payment says about an operation.
fn reported(subject: TabbyOperation<'_>, payment: &TabbyPayment, body: &[u8]) -> OperationReport {
    if payment.reference != subject.charge.reference.as_str() {
        return subject.bare(OperationOutcome::Unknown);
    }
    let movements = match subject.operation {
        ChildOperation::Capture => &payment.captures,
        ChildOperation::Refund => &payment.refunds,
        ChildOperation::Void => return voided(subject, payment, body),
    };
    let found = movements.iter().find(|movement| movement.reference.as_deref() == Some(subject.reference));
    let Some(movement) = found else {
        return subject.bare(OperationOutcome::Absent);
    };
    if payment.status != TabbyStatus::Closed {
        return subject.bare(OperationOutcome::Unknown);
    }
    let result = if subject.operation == ChildOperation::Capture { "CAPTURED" } else { "REFUNDED" };
    done(subject, payment, body, (movement.amount, movement.id.as_deref(), result))
}

/// A void has no reference: what is closed and of which nothing was captured was voided.
fn voided(subject: TabbyOperation<'_>, payment: &TabbyPayment, body: &[u8]) -> OperationReport {
    match (payment.status, payment.is_untouched()) {
        (TabbyStatus::Closed, true) => done(subject, payment, body, (subject.amount, None, "VOIDED")),
        (_, false) => subject.refused(Some("the payment was captured".to_string())),
        (TabbyStatus::Authorized, true) => subject.bare(OperationOutcome::Absent),
        (TabbyStatus::Created | TabbyStatus::Rejected | TabbyStatus::Expired, true) => {
            subject.bare(OperationOutcome::Unknown)
        }
    }
}

fn done(
    subject: TabbyOperation<'_>,
    payment: &TabbyPayment,
    body: &[u8],
    (amount, moved, result): (Money, Option<&str>, &str),
) -> OperationReport {
    OperationReport {
        amount: Some(amount),
        gateway_id: moved.and_then(id).map(ToString::to_string),
        params: params(&[
            ("payment_id", Some(&payment.id)),
            ("result", Some(result)),
            ("track_id", Some(subject.reference)),
            ("transaction_id", moved),
        ]),
        raw: raw_of(body),
        ..subject.bare(OperationOutcome::Done)
    }
}
