//! Asks for the outcome of a charge: by its page, by its payment, or by our reference if the answer with the id was lost.

use alloc::format;
use alloc::string::String;

use super::account::{CheckoutCom, PAGE, PAYMENT, id};
use super::fault::CkoRefusal;
use super::operation::declined_authorization;
use super::page::{HostedStatus, Page};
use super::payment::Payment;
use crate::gateway::charge::{ChargeOperation, ChargeRef, Outcome, Report};
use crate::gateway::check::Checked;
use crate::gateway::exchange::{Incoming, Outgoing};
use crate::gateway::step::Step;
use crate::wire::object::Object;

/// How many payments with one reference are read: those that were tried on one page.
const MOST_TRIES: u8 = 20;

pub(super) fn inquire<'c>(account: &'c CheckoutCom, charge: &'c ChargeRef) -> Step<'c, Report> {
    let known = charge.gateway_id.as_deref().unwrap_or_default();
    match (id(known, PAGE), id(known, PAYMENT)) {
        (Some(page), _) => ask_page(account, charge, page),
        (None, Some(payment)) => ask_payment(account, charge, payment, |report| report),
        (None, None) => seek(account, charge),
    }
}

fn unknown(charge: &ChargeRef) -> Report {
    Report::bare(charge.reference.as_str(), Outcome::Unknown)
}

/// Whether the card of a charge was to be saved.
fn saves(charge: &ChargeRef) -> bool {
    charge.saves_card || charge.operation == ChargeOperation::Verify
}

/// A page names the payment that was made or tried on it, which says how it is.
fn ask_page<'c>(account: &'c CheckoutCom, charge: &'c ChargeRef, page: &str) -> Step<'c, Report> {
    Step::ask_first(account.get(&format!("/hosted-payments/{page}")), move |answer| {
        let page = Page::parse(&answer.body).filter(|_| answer.status == 200);
        let Some(page) = page else { return Step::Done(unknown(charge)) };
        let body = answer.body.as_slice();
        match (page.status, page.payment()) {
            (Some(HostedStatus::Paid), Some(payment)) => {
                ask_payment(account, charge, payment, |report| report)
            }
            (Some(HostedStatus::Open), Some(payment)) => {
                let waiting = page.report(page.opened(), body);
                ask_payment(account, charge, payment, move |report| while_open(report, waiting))
            }
            (Some(HostedStatus::Expired), Some(payment)) => {
                ask_payment(account, charge, payment, |report| report)
            }
            (Some(HostedStatus::Open), None) => Step::Done(page.report(page.opened(), body)),
            (Some(HostedStatus::Expired), None) => Step::Done(page.report(Outcome::Canceled, body)),
            (Some(HostedStatus::Paid) | None, _) => Step::Done(page.report(Outcome::Unknown, body)),
        }
    })
}

/// What a payment says while its page is open: the payer can try again, so that only a success is final.
fn while_open(payment: Report, waiting: Report) -> Report {
    match payment.outcome {
        Outcome::Approved => payment,
        Outcome::Declined | Outcome::Canceled | Outcome::Open { .. } | Outcome::Absent | Outcome::Unknown => {
            waiting
        }
    }
}

/// Reads a payment. Its answer does not say why it was declined: the actions do.
fn ask_payment<'c>(
    account: &'c CheckoutCom,
    charge: &'c ChargeRef,
    payment: &str,
    then: impl FnOnce(Report) -> Report + 'c,
) -> Step<'c, Report> {
    Step::ask_first(account.get(&format!("/payments/{payment}")), move |answer| {
        let payment = Payment::parse(&answer.body).filter(|_| answer.status == 200);
        let Some(mut payment) = payment else { return Step::Done(then(unknown(charge))) };
        let Some(actions) = actions_request(account, &payment).filter(|_| payment.lacks_reason()) else {
            return Step::Done(then(payment.report(saves(charge), &answer.body)));
        };
        let body = answer.body.clone();
        Step::ask(actions, move |answer| {
            if let Some((code, summary)) = declined_authorization(answer) {
                payment.take_reason(code, summary);
            }
            then(payment.report(saves(charge), &body))
        })
    })
}

fn actions_request(account: &CheckoutCom, payment: &Payment) -> Option<Outgoing> {
    Some(account.get(&format!("/payments/{}/actions", payment.id()?)))
}

/// Looks for the payments with our reference: the one that succeeded, otherwise the newest. Without any the request never
/// arrived.
fn seek<'c>(account: &'c CheckoutCom, charge: &'c ChargeRef) -> Step<'c, Report> {
    let path = format!("/payments?limit={MOST_TRIES}&reference={}", charge.reference);
    let request = Outgoing { max_answer: Outgoing::MAX_LIST, ..account.get(&path) };
    Step::ask(request, move |answer| {
        let list = if answer.status == 200 { read_list(&answer.body) } else { None };
        let Some((payments, is_whole)) = list else { return unknown(charge) };
        let own = payments.into_iter().filter(|(payment, _)| payment.reference == charge.reference.as_str());
        let reports = own.map(|(payment, text)| payment.report(saves(charge), text.as_bytes()));
        let mut newest = None;
        for report in reports {
            if report.outcome == Outcome::Approved {
                return report;
            }
            newest = newest.or(Some(report));
        }
        match newest {
            Some(report) => report,
            None if is_whole => Report { outcome: Outcome::Absent, ..unknown(charge) },
            None => unknown(charge),
        }
    })
}

/// The payments on a list, newest first, and whether they are all.
fn read_list(body: &[u8]) -> Option<(alloc::vec::Vec<(Payment, &str)>, bool)> {
    Object::read(body, |list| {
        let payments = list.objects("data", |text| Some((Payment::parse(text)?, text)));
        let total = list.number::<usize>("total_count")?;
        let is_whole = total <= payments.len();
        Some((payments, is_whole))
    })?
}

/// Whether the key is accepted.
pub(super) fn read_checked(answer: &Incoming) -> Checked {
    match (answer.status, CkoRefusal::of(answer)) {
        (200, _) if read_list(&answer.body).is_some() => Checked::Accepted,
        (401 | 403, Some(CkoRefusal { message })) => Checked::Refused(message),
        (401 | 403, None) => Checked::Refused(Some(String::from("Checkout.com does not accept the key"))),
        _ => Checked::Unclear,
    }
}
