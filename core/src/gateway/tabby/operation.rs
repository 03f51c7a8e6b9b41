//! Captures, refunds and voids. Tabby captures and refunds once for one reference of ours, and lists them with it.
//!
//! A payment can be given back only when it is closed, so a capture of a part closes it, which releases the rest. Closing a
//! payment of which nothing is captured is the void.

use alloc::format;
use alloc::string::{String, ToString};

use serde::Serialize;

use super::account::Tabby;
use super::answer::fault;
use super::find::{self, FoundPayment};
use super::payment::{TabbyPayment, TabbyStatus, raw_of};
use crate::gateway::exchange::{Incoming, Outgoing};
use crate::gateway::operation::{
    AskedOperation, OperationOrder, OperationOutcome, OperationRef, OperationReport,
};
use crate::gateway::pay_later::{Fault, Movement, id};
use crate::gateway::step::Step;
use crate::value::money::Money;
use crate::words::ChildOperation;

/// A capture or a refund in the wire format.
#[derive(Serialize)]
struct TabbyMove<'a> {
    amount: String,
    reference_id: &'a str,
}

/// The request that captures an amount; `None` if the id of the payment is none.
pub(super) fn capture_request(
    tabby: &Tabby,
    payment: &str,
    reference: &str,
    amount: Money,
) -> Option<Outgoing> {
    let path = format!("{}/captures", find::path(id(payment)?));
    Some(tabby.api().post(&path, &TabbyMove { amount: amount.to_string(), reference_id: reference }))
}

pub(super) fn operate<'c>(tabby: &'c Tabby, order: &'c OperationOrder) -> Step<'c, OperationReport> {
    let subject = AskedOperation::ordered(order);
    with_payment(tabby, subject, move |payment| {
        let path = find::path(&payment);
        let movement = TabbyMove { amount: order.amount.to_string(), reference_id: subject.reference };
        let request = match order.operation {
            ChildOperation::Capture => tabby.api().post(&format!("{path}/captures"), &movement),
            ChildOperation::Refund => tabby.api().post(&format!("{path}/refunds"), &movement),
            ChildOperation::Void => tabby.api().post_nothing(&format!("{path}/close")),
        };
        Step::act_first(request, move |answer| acted(tabby, subject, answer, &path))
    })
}

pub(super) fn inquire<'c>(tabby: &'c Tabby, operation: &'c OperationRef) -> Step<'c, OperationReport> {
    let subject = AskedOperation::before(operation);
    with_payment(tabby, subject, move |payment| {
        let path = find::path(&payment);
        Step::ask_first(tabby.api().get(&path), move |answer| match TabbyPayment::of(answer) {
            Some(payment) => go_on(tabby, subject, &payment, answer),
            None => Step::Done(subject.bare(OperationOutcome::Unknown)),
        })
    })
}

/// Goes on with the id of the payment.
fn with_payment<'c>(
    tabby: &'c Tabby,
    subject: AskedOperation<'c>,
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

/// What the answer to an operation says. If the state of the payment forbids it, the payment says why: perhaps it was done
/// before.
fn acted<'c>(
    tabby: &'c Tabby,
    subject: AskedOperation<'c>,
    answer: &Incoming,
    path: &str,
) -> Step<'c, OperationReport> {
    if let Some(payment) = TabbyPayment::of(answer) {
        return go_on(tabby, subject, &payment, answer);
    }
    match fault(answer) {
        Fault::Refused(message) => Step::Done(subject.refused(message)),
        Fault::Conflict(message) => Step::ask(tabby.api().get(path), move |answer| {
            let report = TabbyPayment::of(answer).map(|payment| reported(subject, &payment, &answer.body));
            match report {
                Some(report) if report.outcome == OperationOutcome::Absent => subject.refused(message),
                Some(report) => report,
                None => subject.bare(OperationOutcome::Unknown),
            }
        }),
        Fault::Nothing => Step::Done(subject.bare(OperationOutcome::Unknown)),
    }
}

/// What a payment says about an operation; a capture of ours that left the payment open closes it.
fn go_on<'c>(
    tabby: &'c Tabby,
    subject: AskedOperation<'c>,
    payment: &TabbyPayment,
    answer: &Incoming,
) -> Step<'c, OperationReport> {
    let is_left_open = payment.status == TabbyStatus::Authorized
        && subject.operation == ChildOperation::Capture
        && payment.reference == subject.charge.reference.as_str()
        && Movement::of(&payment.captures, subject).is_some();
    let close =
        id(&payment.id).filter(|_| is_left_open).map(|payment| format!("{}/close", find::path(payment)));
    match close {
        Some(path) => Step::act(tabby.api().post_nothing(&path), move |answer| {
            TabbyPayment::of(answer).map_or_else(
                || subject.bare(OperationOutcome::Unknown),
                |payment| reported(subject, &payment, &answer.body),
            )
        }),
        None => Step::Done(reported(subject, payment, &answer.body)),
    }
}

/// What a payment says about an operation.
fn reported(subject: AskedOperation<'_>, payment: &TabbyPayment, body: &[u8]) -> OperationReport {
    if payment.reference != subject.charge.reference.as_str() {
        return subject.bare(OperationOutcome::Unknown);
    }
    let movements = match subject.operation {
        ChildOperation::Capture => &payment.captures,
        ChildOperation::Refund => &payment.refunds,
        ChildOperation::Void => return voided(subject, payment, body),
    };
    let Some(movement) = Movement::of(movements, subject) else {
        return subject.bare(OperationOutcome::Absent);
    };
    if payment.status != TabbyStatus::Closed {
        return subject.bare(OperationOutcome::Unknown);
    }
    done(subject, payment, body, Some(movement))
}

/// A void has no reference: what is closed and of which nothing was captured was voided.
fn voided(subject: AskedOperation<'_>, payment: &TabbyPayment, body: &[u8]) -> OperationReport {
    match (payment.status, payment.is_untouched()) {
        (TabbyStatus::Closed, true) => done(subject, payment, body, None),
        (_, false) => subject.refused(Some("the payment was captured".to_string())),
        (TabbyStatus::Authorized, true) => subject.bare(OperationOutcome::Absent),
        (TabbyStatus::Created | TabbyStatus::Rejected | TabbyStatus::Expired, true) => {
            subject.bare(OperationOutcome::Unknown)
        }
    }
}

fn done(
    subject: AskedOperation<'_>,
    payment: &TabbyPayment,
    body: &[u8],
    movement: Option<&Movement>,
) -> OperationReport {
    OperationReport { raw: raw_of(body), ..payment.named().done(subject, movement) }
}
