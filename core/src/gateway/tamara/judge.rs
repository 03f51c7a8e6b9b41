//! What an order says about its charge.

use alloc::format;
use alloc::string::{String, ToString};

use super::account::Tamara;
use super::answer::is_absent;
use super::open::PAGE;
use super::order::{TamaraOrder, TamaraStatus, raw_of};
use super::request::{capture_request, order_request};
use crate::gateway::charge::{ChargeOperation, ChargeRef, Outcome, Report};
use crate::gateway::exchange::Incoming;
use crate::gateway::pay_later::{APPROVED, CANCELED, CAPTURED, NOT_CAPTURED, bare, id, is_known_held};
use crate::gateway::step::Step;
use crate::gateway::text::{page_address, params};

/// Asks for the order of a charge. What the payer has paid is authorised, and captured by a gateway that purchases; then the
/// order is asked for once more, and says the outcome.
pub(super) fn inquire<'c>(tamara: &'c Tamara, charge: &'c ChargeRef) -> Step<'c, Report> {
    Step::ask_first(order_request(tamara, charge), move |answer| {
        let order = TamaraOrder::of(answer).filter(|order| is_own(charge, order));
        let takes = charge.operation == ChargeOperation::Purchase;
        match order.as_ref().map(|order| (order.status, id(&order.id))) {
            Some((TamaraStatus::Approved, Some(known))) => authorise(tamara, charge, known.to_string()),
            Some((TamaraStatus::Authorised, Some(known))) if takes => capture(tamara, charge, known),
            _ => Step::Done(read(charge, answer)),
        }
    })
}

/// Confirms what the payer has paid. A conflict says that another inquiry has just done so.
fn authorise<'c>(tamara: &'c Tamara, charge: &'c ChargeRef, order: String) -> Step<'c, Report> {
    Step::act_first(tamara.api().post_nothing(&format!("/orders/{order}/authorise")), move |answer| {
        let takes = charge.operation == ChargeOperation::Purchase;
        if takes && matches!(answer.status, 200 | 409) {
            capture(tamara, charge, &order)
        } else {
            ask(tamara, charge)
        }
    })
}

/// Takes everything. What was captured by itself is refused, and found by asking.
fn capture<'c>(tamara: &'c Tamara, charge: &'c ChargeRef, order: &str) -> Step<'c, Report> {
    let request = capture_request(tamara, order, charge, (charge.reference.as_str(), charge.total));
    Step::act_first(request, move |_| ask(tamara, charge))
}

fn ask<'c>(tamara: &'c Tamara, charge: &'c ChargeRef) -> Step<'c, Report> {
    Step::ask(order_request(tamara, charge), move |answer| read(charge, answer))
}

fn is_own(charge: &ChargeRef, order: &TamaraOrder) -> bool {
    order.reference == charge.reference.as_str() && order.total == charge.total && order.is_untouched()
}

/// What the answer to an inquiry says.
fn read(charge: &ChargeRef, answer: &Incoming) -> Report {
    match TamaraOrder::of(answer) {
        Some(order) => report(charge, &order, &answer.body),
        None if is_absent(answer) => bare(charge, Outcome::Absent),
        None => bare(charge, Outcome::Unknown),
    }
}

/// What an order says about the charge, without anything being asked or done.
fn report(charge: &ChargeRef, order: &TamaraOrder, body: &[u8]) -> Report {
    let takes = charge.operation == ChargeOperation::Purchase;
    let judgement = match order.status {
        TamaraStatus::New => return waiting(charge, order),
        TamaraStatus::Authorised | TamaraStatus::Updated if !takes => {
            (Outcome::Approved, order.total, APPROVED)
        }
        TamaraStatus::FullyCaptured
        | TamaraStatus::PartiallyCaptured
        | TamaraStatus::FullyRefunded
        | TamaraStatus::PartiallyRefunded => {
            // A part that was captured elsewhere is another amount than the one that was asked for.
            if takes {
                (Outcome::Approved, order.captured, CAPTURED)
            } else {
                (Outcome::Approved, order.total, APPROVED)
            }
        }
        TamaraStatus::Declined => (Outcome::Declined, order.total, NOT_CAPTURED),
        TamaraStatus::Canceled if is_known_held(charge) => (Outcome::Approved, order.total, APPROVED),
        TamaraStatus::Canceled | TamaraStatus::Expired => (Outcome::Canceled, order.total, CANCELED),
        TamaraStatus::Approved | TamaraStatus::OnHold | TamaraStatus::Authorised | TamaraStatus::Updated => {
            return Report { gateway_id: id(&order.id).map(String::from), ..bare(charge, Outcome::Unknown) };
        }
    };
    Report { raw: raw_of(body), ..order.named().report(judgement, &order.captures, "declined") }
}

/// Nobody has paid: the page still waits. A page whose address nobody knows, because the answer with it was lost, cannot be
/// paid.
fn waiting(charge: &ChargeRef, order: &TamaraOrder) -> Report {
    if order.reference != charge.reference.as_str() {
        return bare(charge, Outcome::Unknown);
    }
    match charge.params.get(PAGE).and_then(|page| page_address(page)) {
        Some(page_url) => {
            let params = params(&[(PAGE, Some(&page_url))]);
            Report { params, ..bare(charge, Outcome::Open { page_url }) }
        }
        None => bare(charge, Outcome::Absent),
    }
}
