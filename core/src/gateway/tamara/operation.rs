//! Captures, refunds and voids. Tamara has no key by which it would know a request again: what was done is found in the order,
//! where a capture has our reference as its tracking number, and a refund as the merchant's number.

use alloc::format;
use alloc::string::{String, ToString};

use serde::Serialize;

use super::account::{Tamara, TamaraAmount, id};
use super::answer::{TamaraFault, fault};
use super::order::{TamaraMovement, TamaraOrder, TamaraStatus, raw_of};
use super::request::{capture_request, order_request};
use crate::gateway::charge::ChargeRef;
use crate::gateway::exchange::Incoming;
use crate::gateway::operation::{OperationOrder, OperationOutcome, OperationRef, OperationReport};
use crate::gateway::step::Step;
use crate::gateway::text::params;
use crate::value::money::Money;
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

/// What an operation is about.
#[derive(Clone, Copy)]
struct TamaraOperation<'c> {
    reference: &'c str,
    charge: &'c ChargeRef,
    operation: ChildOperation,
    amount: Money,
}

impl TamaraOperation<'_> {
    fn bare(self, outcome: OperationOutcome) -> OperationReport {
        OperationReport::bare(self.reference, outcome)
    }

    fn refused(self, message: Option<String>) -> OperationReport {
        OperationReport { message, ..self.bare(OperationOutcome::Refused) }
    }
}

pub(super) fn operate<'c>(tamara: &'c Tamara, order: &'c OperationOrder) -> Step<'c, OperationReport> {
    let subject = TamaraOperation {
        reference: order.reference.as_str(),
        charge: &order.charge,
        operation: order.operation,
        amount: order.amount,
    };
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

fn act<'c>(tamara: &'c Tamara, subject: TamaraOperation<'c>, order: &str) -> Step<'c, OperationReport> {
    let TamaraOperation { reference, charge, amount, .. } = subject;
    let request = match subject.operation {
        ChildOperation::Capture => capture_request(tamara, order, charge, (reference, amount)),
        ChildOperation::Refund => tamara.post(
            &format!("/payments/simplified-refund/{order}"),
            &TamaraRefund {
                total_amount: TamaraAmount::of(amount),
                comment: format!("Refund {reference}"),
                merchant_refund_id: reference,
            },
        ),
        ChildOperation::Void => tamara.post(
            &format!("/orders/{order}/cancel"),
            &TamaraCancel { total_amount: TamaraAmount::of(charge.total) },
        ),
    };
    // The answers have no reference of ours: the order has.
    Step::act_first(request, move |answer| match (answer.status, fault(answer)) {
        (200 | 201, _) => ask(tamara, subject, TamaraSaid::Accepted),
        (_, TamaraFault::Refused(message)) => Step::Done(subject.refused(message)),
        (_, TamaraFault::Conflict(message)) => ask(tamara, subject, TamaraSaid::Refused(message)),
        (_, TamaraFault::Nothing) => Step::Done(subject.bare(OperationOutcome::Unknown)),
    })
}

/// What Tamara answered to a request for an operation.
enum TamaraSaid {
    Accepted,
    /// It was refused, with these words.
    Refused(Option<String>),
}

/// Asks for the order after a request for an operation.
fn ask<'c>(tamara: &'c Tamara, subject: TamaraOperation<'c>, said: TamaraSaid) -> Step<'c, OperationReport> {
    Step::ask(order_request(tamara, subject.charge), move |answer| {
        let report = reported(subject, answer);
        match (report.outcome, said) {
            (OperationOutcome::Absent, TamaraSaid::Refused(message)) => subject.refused(message),
            // What was done a moment ago is not listed yet.
            (OperationOutcome::Absent, TamaraSaid::Accepted) => subject.bare(OperationOutcome::Unknown),
            _ => report,
        }
    })
}

pub(super) fn inquire<'c>(tamara: &'c Tamara, operation: &'c OperationRef) -> Step<'c, OperationReport> {
    let subject = TamaraOperation {
        reference: operation.reference.as_str(),
        charge: &operation.charge,
        operation: operation.operation,
        amount: operation.amount,
    };
    Step::ask(order_request(tamara, subject.charge), move |answer| reported(subject, answer))
}

/// What an order says about an operation.
fn reported(subject: TamaraOperation<'_>, answer: &Incoming) -> OperationReport {
    let own = subject.charge.reference.as_str();
    let Some(order) = TamaraOrder::of(answer).filter(|order| order.reference == own) else {
        return subject.bare(OperationOutcome::Unknown);
    };
    let (movements, result) = match subject.operation {
        ChildOperation::Capture => (&order.captures, "CAPTURED"),
        ChildOperation::Refund => (&order.refunds, "REFUNDED"),
        ChildOperation::Void => return voided(subject, &order, &answer.body),
    };
    let found = movements.iter().find(|movement| movement.reference.as_deref() == Some(subject.reference));
    match found {
        Some(movement) => done(subject, &order, &answer.body, (Some(movement), result)),
        // One that was made elsewhere, or whose number Tamara does not show, may be this one.
        None if movements.iter().any(|movement| movement.reference.is_none()) => {
            subject.bare(OperationOutcome::Unknown)
        }
        None => subject.bare(OperationOutcome::Absent),
    }
}

/// A void has no reference: an order that is canceled was voided.
fn voided(subject: TamaraOperation<'_>, order: &TamaraOrder, body: &[u8]) -> OperationReport {
    match order.status {
        TamaraStatus::Canceled => done(subject, order, body, (None, "VOIDED")),
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
    subject: TamaraOperation<'_>,
    order: &TamaraOrder,
    body: &[u8],
    (movement, result): (Option<&TamaraMovement>, &str),
) -> OperationReport {
    let moved = movement.and_then(|movement| movement.id.as_deref());
    OperationReport {
        amount: Some(movement.map_or(subject.amount, |movement| movement.amount)),
        gateway_id: moved.and_then(id).map(ToString::to_string),
        params: params(&[
            ("payment_id", Some(&order.id)),
            ("result", Some(result)),
            ("track_id", Some(subject.reference)),
            ("transaction_id", moved),
        ]),
        raw: raw_of(body),
        ..subject.bare(OperationOutcome::Done)
    }
}
