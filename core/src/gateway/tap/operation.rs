//! Captures and voids of authorisations, and the way to refunds. A capture is a charge whose source is the authorisation, with
//! our reference of the capture; a void changes the authorisation.

use alloc::format;
use alloc::string::{String, ToString};

use super::account::Tap;
use super::find::{Found, SoughtItem, find, page};
use super::item::{TapItem, TapKind};
use super::payer::TapCustomer;
use super::request::{
    ChargeReferences, ListRequest, OF_CAPTURE, TapChargeRequest, TapId, TapMark, TapUrl, id,
};
use super::words::ChargeStatus;
use super::{amount, fault, raw, refund};
use crate::gateway::exchange::Incoming;
use crate::gateway::operation::{OperationOrder, OperationOutcome, OperationRef, OperationReport};
use crate::gateway::step::Step;
use crate::gateway::text::params;
use crate::words::ChildOperation;

const NO_PAYMENT: &str = "Tap has not said the id of the payment";
const NOT_HELD: &str = "the money is not held any more";
const NO_CAPTURE: &str = "Tap has no capture of this payment";

/// What money is moved of.
enum TapOrigin<'c> {
    Charge(&'c str),
    Authorization(&'c str),
}

fn origin(gateway_id: Option<&str>) -> Option<TapOrigin<'_>> {
    let given = gateway_id?;
    let charge = id(given, TapKind::Charge.prefix()).map(TapOrigin::Charge);
    charge.or_else(|| id(given, TapKind::Authorization.prefix()).map(TapOrigin::Authorization))
}

pub(super) fn operate<'c>(tap: &'c Tap, order: &'c OperationOrder) -> Step<'c, OperationReport> {
    let reference = order.reference.as_str();
    match (order.operation, origin(order.charge.gateway_id.as_deref())) {
        (_, None) => Step::Done(OperationReport::refused(reference, Some(NO_PAYMENT.to_string()))),
        (ChildOperation::Refund, Some(TapOrigin::Charge(charge))) => refund::refund(tap, order, charge),
        (ChildOperation::Refund, Some(TapOrigin::Authorization(authorization))) => {
            with_capture(tap, authorization, move |captured| match captured {
                Captured::By(charge) => refund::refund(tap, order, &charge),
                Captured::Not => {
                    Step::Done(OperationReport::refused(reference, Some(NO_CAPTURE.to_string())))
                }
                Captured::Unclear => Step::Done(unknown(reference)),
            })
        }
        (ChildOperation::Capture, Some(TapOrigin::Authorization(authorization))) => {
            capture(tap, order, authorization)
        }
        (ChildOperation::Void, Some(TapOrigin::Authorization(authorization))) => {
            void(tap, reference, authorization)
        }
        (ChildOperation::Capture | ChildOperation::Void, Some(TapOrigin::Charge(_))) => {
            Step::Done(OperationReport::refused(reference, Some(NOT_HELD.to_string())))
        }
    }
}

pub(super) fn inquire<'c>(tap: &'c Tap, operation: &'c OperationRef) -> Step<'c, OperationReport> {
    let reference = operation.reference.as_str();
    match (operation.operation, origin(operation.charge.gateway_id.as_deref())) {
        (ChildOperation::Refund, Some(TapOrigin::Charge(charge))) => {
            refund::inquire(tap, operation, charge.to_string())
        }
        (ChildOperation::Refund, Some(TapOrigin::Authorization(authorization))) => {
            if let Some(known) = refund::known(operation) {
                return refund::ask(tap, operation, known);
            }
            with_capture(tap, authorization, move |captured| match captured {
                Captured::By(charge) => refund::inquire(tap, operation, charge),
                Captured::Not => Step::Done(OperationReport::bare(reference, OperationOutcome::Absent)),
                Captured::Unclear => Step::Done(unknown(reference)),
            })
        }
        (ChildOperation::Capture, Some(TapOrigin::Authorization(_))) => inquire_capture(tap, operation),
        (ChildOperation::Void, Some(TapOrigin::Authorization(authorization))) => {
            Step::ask(tap.get(&path(authorization)), move |answer| {
                void_report(reference, answer, OperationOutcome::Absent)
            })
        }
        (ChildOperation::Capture | ChildOperation::Void, Some(TapOrigin::Charge(_))) | (_, None) => {
            Step::Done(unknown(reference))
        }
    }
}

fn path(authorization: &str) -> String {
    format!("{}/{authorization}", TapKind::Authorization.path())
}

fn unknown(reference: &str) -> OperationReport {
    OperationReport::bare(reference, OperationOutcome::Unknown)
}

fn item_of(answer: &Incoming) -> Option<TapItem> {
    TapItem::parse(&answer.body).filter(|_| answer.status == 200)
}

/// Captures for the customer of the authorisation, whom only the authorisation names.
fn capture<'c>(tap: &'c Tap, order: &'c OperationOrder, authorization: &'c str) -> Step<'c, OperationReport> {
    let reference = order.reference.as_str();
    Step::ask_first(tap.get(&path(authorization)), move |answer| {
        let Some(held) = item_of(answer) else { return Step::Done(unknown(reference)) };
        let customer = held.saved.customer.as_deref().and_then(|customer| id(customer, "cus_"));
        let request = match (held.status, customer) {
            (Some(ChargeStatus::Authorized), Some(customer)) => {
                capture_request(tap, order, authorization, customer.to_string())
            }
            _ => None,
        };
        let Some(request) = request else {
            return Step::Done(OperationReport::refused(
                reference,
                held.message().or_else(|| Some(NOT_HELD.to_string())),
            ));
        };
        Step::act(request, move |answer| match (fault::refusal(answer), item_of(answer)) {
            (Some(refusal), _) => OperationReport::refused(reference, refusal.message),
            (None, Some(item)) => capture_report(&item, &answer.body),
            (None, None) => unknown(reference),
        })
    })
}

fn capture_request(
    tap: &Tap,
    order: &OperationOrder,
    authorization: &str,
    customer: String,
) -> Option<crate::gateway::exchange::Outgoing> {
    let reference = order.reference.as_str();
    let body = TapChargeRequest {
        amount: amount::written(order.amount)?,
        currency: order.amount.currency().code(),
        customer_initiated: None,
        three_d_secure: None,
        save_card: None,
        payment_agreement: None,
        metadata: TapMark { till: OF_CAPTURE },
        reference: ChargeReferences {
            transaction: reference,
            order: order.charge.reference.as_str(),
            idempotent: reference,
        },
        customer: TapCustomer::Known { id: customer },
        merchant: tap.merchant(),
        source: TapId { id: authorization },
        post: TapUrl { url: &order.callback_url },
        redirect: None,
    };
    tap.make(TapKind::Charge.path(), None, &body)
}

/// What a capture says.
fn capture_report(item: &TapItem, body: &[u8]) -> OperationReport {
    let is_capture = item.kind == TapKind::Charge && item.amount.is_some();
    let outcome = match item.status.filter(|_| is_capture) {
        Some(ChargeStatus::Captured) => OperationOutcome::Done,
        Some(ChargeStatus::Initiated | ChargeStatus::InProgress) => OperationOutcome::Queued,
        Some(
            ChargeStatus::Declined
            | ChargeStatus::Failed
            | ChargeStatus::Restricted
            | ChargeStatus::Abandoned
            | ChargeStatus::Cancelled
            | ChargeStatus::Void,
        ) => OperationOutcome::Refused,
        Some(ChargeStatus::Authorized | ChargeStatus::TimedOut | ChargeStatus::Unknown) | None => {
            OperationOutcome::Unknown
        }
    };
    report_of(item, item.reference(), outcome, body)
}

fn report_of(item: &TapItem, reference: &str, outcome: OperationOutcome, body: &[u8]) -> OperationReport {
    let message = item.message();
    OperationReport {
        amount: item.amount,
        gateway_id: item.gateway_id(),
        params: params(&[
            ("payment_id", Some(item.id.as_str())),
            ("pg_message", message.as_deref()),
            ("result", item.status.map(ChargeStatus::as_str)),
            ("track_id", Some(reference)),
        ]),
        message,
        raw: raw::of(body),
        ..OperationReport::bare(reference, outcome)
    }
}

fn inquire_capture<'c>(tap: &'c Tap, operation: &'c OperationRef) -> Step<'c, OperationReport> {
    let reference = operation.reference.as_str();
    let known = operation.gateway_id.as_deref().and_then(|known| id(known, TapKind::Charge.prefix()));
    if let Some(known) = known {
        return Step::ask(tap.get(&format!("{}/{known}", TapKind::Charge.path())), move |answer| {
            item_of(answer).map_or_else(|| unknown(reference), |item| capture_report(&item, &answer.body))
        });
    }
    let sought = SoughtItem { kind: TapKind::Charge, reference, opened_at: operation.opened_at };
    find(tap, sought, move |found| {
        Step::Done(match found {
            Found::Item(item, text) => capture_report(&item, text.as_bytes()),
            Found::Nothing => OperationReport::bare(reference, OperationOutcome::Absent),
            Found::Unclear => unknown(reference),
        })
    })
}

/// Releases what is held. If that is refused, the authorisation says why: perhaps it was released before.
fn void<'c>(tap: &'c Tap, reference: &'c str, authorization: &'c str) -> Step<'c, OperationReport> {
    let Some(request) = tap.void(authorization) else { return Step::Done(unknown(reference)) };
    Step::act_first(request, move |answer| {
        let Some(refusal) = fault::refusal(answer) else {
            return Step::Done(void_report(reference, answer, OperationOutcome::Unknown));
        };
        Step::ask(tap.get(&path(authorization)), move |answer| OperationReport {
            message: refusal.message,
            ..void_report(reference, answer, OperationOutcome::Refused)
        })
    })
}

/// What an authorisation says about a void; `held` is what it means that the money is still held.
fn void_report(reference: &str, answer: &Incoming, held: OperationOutcome) -> OperationReport {
    let Some(item) = item_of(answer).filter(|item| item.kind == TapKind::Authorization) else {
        return unknown(reference);
    };
    let outcome = match item.status.filter(|_| item.amount.is_some()) {
        Some(ChargeStatus::Void) => OperationOutcome::Done,
        Some(ChargeStatus::Authorized) => held,
        Some(
            ChargeStatus::Captured
            | ChargeStatus::Declined
            | ChargeStatus::Failed
            | ChargeStatus::Restricted
            | ChargeStatus::Abandoned
            | ChargeStatus::Cancelled,
        ) => OperationOutcome::Refused,
        Some(
            ChargeStatus::Initiated
            | ChargeStatus::InProgress
            | ChargeStatus::TimedOut
            | ChargeStatus::Unknown,
        )
        | None => OperationOutcome::Unknown,
    };
    report_of(&item, reference, outcome, &answer.body)
}

/// What took the money of an authorisation.
enum Captured {
    By(String),
    Not,
    Unclear,
}

/// Looks for the charge that captured an authorisation. There is at most one.
fn with_capture<'c>(
    tap: &'c Tap,
    authorization: &'c str,
    then: impl FnOnce(Captured) -> Step<'c, OperationReport> + 'c,
) -> Step<'c, OperationReport> {
    let body = ListRequest { sources: alloc::vec![authorization], ..ListRequest::default() };
    let Some(request) = tap.list(TapKind::Charge.path(), &body) else { return then(Captured::Unclear) };
    Step::ask_first(request, move |answer| {
        let page = page(answer, TapKind::Charge.lists());
        let Some((items, has_more)) = page.and_then(|page| Some((page.items()?, page.has_more))) else {
            return then(Captured::Unclear);
        };
        let captured = items.iter().find(|(item, _)| {
            item.source.as_deref() == Some(authorization) && item.status == Some(ChargeStatus::Captured)
        });
        then(match captured.and_then(|(item, _)| item.gateway_id()) {
            Some(charge) => Captured::By(charge),
            None if has_more || captured.is_some() => Captured::Unclear,
            None => Captured::Not,
        })
    })
}
