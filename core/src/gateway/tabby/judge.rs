//! What a payment says about its charge.

use alloc::format;

use super::account::Tabby;
use super::find::{self, FoundPayment};
use super::operation::capture_request;
use super::payment::{TabbyPayment, TabbyStatus, raw_of};
use super::session;
use crate::gateway::charge::{ChargeOperation, ChargeRef, Outcome, Report};
use crate::gateway::exchange::Incoming;
use crate::gateway::pay_later::{APPROVED, CANCELED, CAPTURED, NOT_CAPTURED, bare, is_known_held};
use crate::gateway::step::Step;

/// Asks for the payment of a charge, by its id or, if the answer with the id was lost, by the list of payments.
pub(super) fn inquire<'c>(tabby: &'c Tabby, charge: &'c ChargeRef) -> Step<'c, Report> {
    if let Some(known) = find::known(charge) {
        return ask(tabby, charge, known);
    }
    find::find(tabby, charge, move |found| match found {
        FoundPayment::Id(payment) => ask(tabby, charge, &payment),
        FoundPayment::Nothing => Step::Done(bare(charge, Outcome::Absent)),
        FoundPayment::Unclear => Step::Done(bare(charge, Outcome::Unknown)),
    })
}

fn ask<'c>(tabby: &'c Tabby, charge: &'c ChargeRef, payment: &str) -> Step<'c, Report> {
    Step::ask_first(tabby.api().get(&find::path(payment)), move |answer| go_on(tabby, charge, answer))
}

/// What the answer says, and what has to be asked or done before that is an outcome.
fn go_on<'c>(tabby: &'c Tabby, charge: &'c ChargeRef, answer: &Incoming) -> Step<'c, Report> {
    let Some(payment) = TabbyPayment::of(answer) else { return Step::Done(bare(charge, Outcome::Unknown)) };
    let is_own = payment.reference == charge.reference.as_str() && payment.amount == charge.total;
    match (payment.status, charge.operation) {
        (TabbyStatus::Created, _) if is_own => page_of(tabby, charge),
        (TabbyStatus::Authorized, ChargeOperation::Purchase) if is_own && payment.is_untouched() => {
            let request = capture_request(tabby, &payment.id, charge.reference.as_str(), charge.total);
            match request {
                Some(request) => Step::act(request, move |answer| match TabbyPayment::of(answer) {
                    Some(payment) => report(charge, &payment, &answer.body),
                    None => bare(charge, Outcome::Unknown),
                }),
                None => Step::Done(bare(charge, Outcome::Unknown)),
            }
        }
        _ => Step::Done(report(charge, &payment, &answer.body)),
    }
}

/// The page of a charge that nobody has paid, if it still waits.
fn page_of<'c>(tabby: &'c Tabby, charge: &'c ChargeRef) -> Step<'c, Report> {
    let Some(session) = find::session(charge) else { return Step::Done(bare(charge, Outcome::Unknown)) };
    let request = tabby.api().get(&format!("{}/{session}", session::PATH));
    Step::ask(request, move |answer| {
        let page = if answer.status == 200 { session::page_of(&answer.body) } else { None };
        bare(charge, page.map_or(Outcome::Unknown, |page_url| Outcome::Open { page_url }))
    })
}

/// What a payment says about the charge, without anything being asked or done.
fn report(charge: &ChargeRef, payment: &TabbyPayment, body: &[u8]) -> Report {
    let takes = charge.operation == ChargeOperation::Purchase;
    let Some(captured) = payment.captured() else { return bare(charge, Outcome::Unknown) };
    let judgement = match payment.status {
        TabbyStatus::Authorized if !takes => (Outcome::Approved, payment.amount, APPROVED),
        TabbyStatus::Closed if captured.is_zero() && is_known_held(charge) => {
            (Outcome::Approved, payment.amount, APPROVED)
        }
        // Nothing was captured: what was held is released.
        TabbyStatus::Closed if captured.is_zero() => (Outcome::Canceled, payment.amount, CANCELED),
        // A part that was captured elsewhere is another amount than the one that was asked for.
        TabbyStatus::Closed if takes => (Outcome::Approved, captured, CAPTURED),
        TabbyStatus::Closed => (Outcome::Approved, payment.amount, APPROVED),
        TabbyStatus::Rejected => (Outcome::Declined, payment.amount, NOT_CAPTURED),
        TabbyStatus::Expired => (Outcome::Canceled, payment.amount, CANCELED),
        TabbyStatus::Created | TabbyStatus::Authorized => return bare(charge, Outcome::Unknown),
    };
    Report { raw: raw_of(body), ..payment.named().report(judgement, &payment.captures, "rejected") }
}
