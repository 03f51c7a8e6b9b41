//! Asks for the outcome of a charge, and withdraws one that the payer has not completed.

use alloc::format;
use alloc::string::String;
use alloc::string::ToString;

use super::Stripe;
use super::find::{FoundIntent, Shelf, Sought, find};
use super::intent::{self, Intent};
use super::request::{StripeForm, id};
use super::session::{self, CheckoutSession};
use super::words::IntentStatus;
use crate::gateway::charge::{ChargeOperation, ChargeRef, Outcome, Report};
use crate::gateway::exchange::{Incoming, Outgoing};
use crate::gateway::instrument::FormOfPayment;
use crate::gateway::step::Step;

/// How many pages of a list are read. An exchange has at most five requests: after these, the object that was found is
/// read, or read, withdrawn and read again.
const PAGES_TO_INQUIRE: u8 = 4;
const PAGES_TO_WITHDRAW: u8 = 2;

/// What Stripe knows a charge by.
pub(super) enum KnownIntent {
    Session(String),
    Intent(String),
    Nothing,
}

pub(super) fn known(gateway_id: Option<&str>) -> KnownIntent {
    let given = gateway_id.unwrap_or_default();
    if let Some(intent) = id(given, intent::PREFIX) {
        return KnownIntent::Intent(intent.to_string());
    }
    id(given, session::PREFIX)
        .map_or(KnownIntent::Nothing, |session| KnownIntent::Session(session.to_string()))
}

fn shelf_of(charge: &ChargeRef) -> Shelf {
    let is_page = charge.form == FormOfPayment::Redirect || charge.operation == ChargeOperation::Verify;
    if is_page {
        Shelf { path: session::PATH, prefix: session::PREFIX }
    } else {
        Shelf { path: intent::PATH, prefix: intent::PREFIX }
    }
}

pub(super) fn inquire<'c>(stripe: &'c Stripe, charge: &'c ChargeRef) -> Step<'c, Report> {
    inquire_known(stripe, charge, known(charge.gateway_id.as_deref()), |unknown| {
        seek(stripe, charge, PAGES_TO_INQUIRE, unknown, |found| {
            inquire_known(stripe, charge, found, Step::Done)
        })
    })
}

fn inquire_known<'c>(
    stripe: &'c Stripe,
    charge: &'c ChargeRef,
    known: KnownIntent,
    otherwise: impl FnOnce(Report) -> Step<'c, Report>,
) -> Step<'c, Report> {
    match known {
        KnownIntent::Session(session) => {
            Step::ask(session_request(stripe, &session), |answer| read_session(charge, answer))
        }
        KnownIntent::Intent(intent) => {
            Step::ask(intent_request(stripe, &intent), |answer| read_intent(charge, answer))
        }
        KnownIntent::Nothing => otherwise(unknown(charge)),
    }
}

pub(super) fn session_request(stripe: &Stripe, session: &str) -> Outgoing {
    stripe.get(&format!("{}/{session}?{}", session::PATH, session::EXPANDED))
}

pub(super) fn intent_request(stripe: &Stripe, intent: &str) -> Outgoing {
    stripe.get(&format!("{}/{intent}?expand[]=latest_charge", intent::PATH))
}

fn unknown(charge: &ChargeRef) -> Report {
    Report::bare(charge.reference.as_str(), Outcome::Unknown)
}

/// Looks for the charge on the lists of Stripe. One that is on none of them does not exist.
fn seek<'c>(
    stripe: &'c Stripe,
    charge: &'c ChargeRef,
    pages: u8,
    unknown: Report,
    then: impl FnOnce(KnownIntent) -> Step<'c, Report> + 'c,
) -> Step<'c, Report> {
    let sought = Sought {
        shelf: shelf_of(charge),
        reference: charge.reference.as_str(),
        opened_at: charge.opened_at,
        pages,
    };
    find(stripe, sought, move |found| match found {
        FoundIntent::Id(found) => then(known(Some(&found))),
        FoundIntent::Nothing => Step::Done(Report { outcome: Outcome::Absent, ..unknown }),
        FoundIntent::Unclear => Step::Done(unknown),
    })
}

/// Stripe deletes neither sessions nor intents: an answer that one does not exist is about another account.
fn read_session(charge: &ChargeRef, answer: &Incoming) -> Report {
    let session = CheckoutSession::parse(&answer.body).filter(|_| answer.status == 200);
    session.map_or_else(|| unknown(charge), |session| session.report(Some(charge.operation), &answer.body))
}

fn read_intent(charge: &ChargeRef, answer: &Incoming) -> Report {
    let intent = Intent::parse(&answer.body).filter(|_| answer.status == 200);
    intent.map_or_else(|| unknown(charge), |intent| intent.report(Some(charge.operation), &answer.body))
}

pub(super) fn withdraw<'c>(stripe: &'c Stripe, charge: &'c ChargeRef) -> Step<'c, Report> {
    withdraw_known(stripe, charge, known(charge.gateway_id.as_deref()), |unknown| {
        seek(stripe, charge, PAGES_TO_WITHDRAW, unknown, |found| {
            withdraw_known(stripe, charge, found, Step::Done)
        })
    })
}

fn withdraw_known<'c>(
    stripe: &'c Stripe,
    charge: &'c ChargeRef,
    known: KnownIntent,
    otherwise: impl FnOnce(Report) -> Step<'c, Report>,
) -> Step<'c, Report> {
    match known {
        KnownIntent::Session(session) => close_page(stripe, charge, session),
        KnownIntent::Intent(intent) => cancel_intent(stripe, charge, intent),
        KnownIntent::Nothing => otherwise(unknown(charge)),
    }
}

/// Stripe closes a page only while it is open; otherwise the session says how the charge ended.
fn close_page<'c>(stripe: &'c Stripe, charge: &'c ChargeRef, session: String) -> Step<'c, Report> {
    let form = session::EXPAND.iter().fold(StripeForm::new(), |form, member| form.with("expand[]", member));
    let request = stripe.post_again(&format!("{}/{session}/expire", session::PATH), form);
    Step::ask_first(request, move |answer| {
        let report = read_session(charge, answer);
        if report.outcome == Outcome::Unknown {
            return Step::ask(session_request(stripe, &session), |answer| read_session(charge, answer));
        }
        Step::Done(report)
    })
}

/// An intent that holds money can be canceled as well, which would undo what the payer completed: so it is read first.
fn cancel_intent<'c>(stripe: &'c Stripe, charge: &'c ChargeRef, intent: String) -> Step<'c, Report> {
    Step::ask_first(intent_request(stripe, &intent), move |answer| {
        let report = read_intent(charge, answer);
        let waits = Intent::parse(&answer.body).is_some_and(|intent| {
            matches!(
                intent.status,
                Some(
                    IntentStatus::RequiresAction
                        | IntentStatus::RequiresConfirmation
                        | IntentStatus::RequiresPaymentMethod
                )
            )
        });
        if !waits
            || !matches!(report.outcome, Outcome::Open { .. } | Outcome::Unknown)
            || answer.status != 200
        {
            return Step::Done(report);
        }
        let form =
            StripeForm::new().with("cancellation_reason", "abandoned").with("expand[]", "latest_charge");
        let request = stripe.post_again(&format!("{}/{intent}/cancel", intent::PATH), form);
        Step::ask_first(request, move |answer| {
            let report = read_intent(charge, answer);
            if report.outcome == Outcome::Unknown {
                return Step::ask(intent_request(stripe, &intent), |answer| read_intent(charge, answer));
            }
            Step::Done(report)
        })
    })
}
