//! Captures, refunds and voids. Tamara has no key by which it would know a request again: what was done is found in the order,
//! where a capture has our reference as its tracking number, and a refund as the merchant's number.

use alloc::format;
use alloc::string::{String, ToString};

use serde::Serialize;

use super::account::{Tamara, TamaraAmount};
use super::answer::fault;
use super::order::{TamaraOrder, TamaraStatus, raw_of};
use super::request::{capture_request, order_request};
use crate::gateway::exchange::Incoming;
use crate::gateway::operation::{
    AskedOperation, OperationOrder, OperationOutcome, OperationRef, OperationReport,
};
use crate::gateway::pay_later::{Fault, Movement, id};
use crate::gateway::step::Step;
use crate::wire::object::Object;
use crate::words::ChildOperation;

/// A refund in the wire format.
#[derive(Serialize)]
struct TamaraRefund<'a> {
    total_amount: TamaraAmount,
    comment: String,
    merchant_refund_id: &'a str,
}

/// The release of everything that is held, in the wire format.
#[derive(Serialize)]
struct TamaraCancel {
    total_amount: TamaraAmount,
}

pub(super) fn operate<'c>(tamara: &'c Tamara, order: &'c OperationOrder) -> Step<'c, OperationReport> {
    let subject = AskedOperation::ordered(order);
    let Some(known) = order.charge.gateway_id.as_deref().and_then(id) else {
        return Step::ask_first(order_request(tamara, &order.charge), move |answer| {
            let found =
                TamaraOrder::of(answer).filter(|found| found.reference == order.charge.reference.as_str());
            match found.as_ref().and_then(|found| id(&found.id)) {
                Some(known) => act(tamara, subject, known),
                None => Step::Done(subject.bare(OperationOutcome::Unknown)),
            }
        });
    };
    act(tamara, subject, known)
}

fn act<'c>(tamara: &'c Tamara, subject: AskedOperation<'c>, order: &str) -> Step<'c, OperationReport> {
    let AskedOperation { reference, charge, amount, .. } = subject;
    let request = match subject.operation {
        ChildOperation::Capture => capture_request(tamara, order, charge, (reference, amount)),
        ChildOperation::Refund => tamara.api().post(
            &format!("/payments/simplified-refund/{order}"),
            &TamaraRefund {
                total_amount: TamaraAmount::of(amount),
                comment: format!("Refund {reference}"),
                merchant_refund_id: reference,
            },
        ),
        ChildOperation::Void => tamara.api().post(
            &format!("/orders/{order}/cancel"),
            &TamaraCancel { total_amount: TamaraAmount::of(charge.total) },
        ),
    };
    // The answers have no reference of ours: the order has.
    Step::act_first(request, move |answer| match (answer.status, fault(answer)) {
        (200 | 201, _) => ask(tamara, subject, TamaraSaid::Accepted(id_of(subject, answer))),
        (_, Fault::Refused(message)) => Step::Done(subject.refused(message)),
        (_, Fault::Conflict(message)) => ask(tamara, subject, TamaraSaid::Refused(message)),
        (_, Fault::Nothing) => Step::Done(subject.bare(OperationOutcome::Unknown)),
    })
}

/// What Tamara answered to a request for an operation.
enum TamaraSaid {
    /// It was accepted, and has this id.
    Accepted(Option<String>),
    /// It was refused, with these words.
    Refused(Option<String>),
}

/// The id that Tamara gave to an operation which it accepted.
fn id_of(subject: AskedOperation<'_>, answer: &Incoming) -> Option<String> {
    let name = match subject.operation {
        ChildOperation::Capture => "capture_id",
        ChildOperation::Refund => "refund_id",
        ChildOperation::Void => "cancel_id",
    };
    let given = Object::read(&answer.body, |body| body.optional_text(name)).flatten();
    given.filter(|given| id(given).is_some())
}

/// Asks for the order after a request for an operation. What Tamara said of the request stands without an answer.
fn ask<'c>(tamara: &'c Tamara, subject: AskedOperation<'c>, said: TamaraSaid) -> Step<'c, OperationReport> {
    Step::add(order_request(tamara, subject.charge), move |answer| match said {
        TamaraSaid::Refused(message) => {
            let report = reported(subject, answer);
            if report.outcome == OperationOutcome::Absent { subject.refused(message) } else { report }
        }
        TamaraSaid::Accepted(given) => {
            let report = reported(AskedOperation { gateway_id: given.as_deref(), ..subject }, answer);
            // What was done a moment ago is not listed yet.
            let is_listed = !matches!(report.outcome, OperationOutcome::Absent | OperationOutcome::Unknown);
            if is_listed {
                return report;
            }
            OperationReport { gateway_id: given, ..subject.bare(OperationOutcome::Unknown) }
        }
    })
}

pub(super) fn inquire<'c>(tamara: &'c Tamara, operation: &'c OperationRef) -> Step<'c, OperationReport> {
    let subject = AskedOperation::before(operation);
    Step::ask(order_request(tamara, subject.charge), move |answer| reported(subject, answer))
}

/// What an order says about an operation.
fn reported(subject: AskedOperation<'_>, answer: &Incoming) -> OperationReport {
    let own = subject.charge.reference.as_str();
    let Some(order) = TamaraOrder::of(answer).filter(|order| order.reference == own) else {
        return subject.bare(OperationOutcome::Unknown);
    };
    let movements = match subject.operation {
        ChildOperation::Capture => &order.captures,
        ChildOperation::Refund => &order.refunds,
        ChildOperation::Void => return voided(subject, &order, &answer.body),
    };
    match Movement::of(movements, subject) {
        Some(movement) => done(subject, &order, &answer.body, Some(movement)),
        // One that was made elsewhere, or whose number Tamara does not show, may be this one.
        None if movements.iter().any(|movement| movement.reference.is_none()) => {
            subject.bare(OperationOutcome::Unknown)
        }
        None => subject.bare(OperationOutcome::Absent),
    }
}

/// A void has no reference: an order that is canceled was voided.
fn voided(subject: AskedOperation<'_>, order: &TamaraOrder, body: &[u8]) -> OperationReport {
    match order.status {
        TamaraStatus::Canceled => done(subject, order, body, None),
        TamaraStatus::Authorised => subject.bare(OperationOutcome::Absent),
        TamaraStatus::FullyCaptured
        | TamaraStatus::PartiallyCaptured
        | TamaraStatus::FullyRefunded
        | TamaraStatus::PartiallyRefunded => subject.refused(Some("the order was captured".to_string())),
        TamaraStatus::New
        | TamaraStatus::Approved
        | TamaraStatus::OnHold
        | TamaraStatus::Declined
        | TamaraStatus::Updated
        | TamaraStatus::Expired => subject.bare(OperationOutcome::Unknown),
    }
}

fn done(
    subject: AskedOperation<'_>,
    order: &TamaraOrder,
    body: &[u8],
    movement: Option<&Movement>,
) -> OperationReport {
    OperationReport { raw: raw_of(body), ..order.named().done(subject, movement) }
}
