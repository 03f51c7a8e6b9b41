//! Captures, refunds and voids.
//!
//! A refund is an object of its own, with our reference in its metadata. A capture and a void change the intent: a capture
//! writes our reference into it in the same request, a void in a request before it, so that an inquiry sees which of them
//! was carried out.

use alloc::format;
use alloc::string::{String, ToString};

use super::Stripe;
use super::amount;
use super::fault::{FaultVerdict, StripeFault, verdict};
use super::inquire::{KnownIntent, intent_request, known, session_request};
use super::intent::{self, Expandable, Intent};
use super::refund;
use super::request::{StripeForm, id};
use super::session::CheckoutSession;
use super::words::IntentStatus;
use crate::gateway::exchange::Incoming;
use crate::gateway::operation::{
    AskedOperation, OperationOrder, OperationOutcome, OperationRef, OperationReport,
};
use crate::gateway::step::Step;
use crate::gateway::text::params;
use crate::words::ChildOperation;

pub(super) fn operate<'c>(stripe: &'c Stripe, order: &'c OperationOrder) -> Step<'c, OperationReport> {
    let subject = AskedOperation::ordered(order);
    let price = match amount::written(subject.amount) {
        Ok(price) => price,
        Err(reason) => return Step::Done(subject.refused(Some(reason.to_string()))),
    };
    with_intent(stripe, subject, move |intent| match order.operation {
        ChildOperation::Capture => capture(stripe, subject, intent, price),
        ChildOperation::Refund => refund::refund(stripe, subject, &intent, price),
        ChildOperation::Void => void(stripe, subject, intent),
    })
}

pub(super) fn inquire<'c>(stripe: &'c Stripe, operation: &'c OperationRef) -> Step<'c, OperationReport> {
    let subject = AskedOperation::before(operation);
    let given = operation.gateway_id.as_deref().unwrap_or_default();
    if let Some(known) = id(given, refund::PREFIX).filter(|_| operation.operation == ChildOperation::Refund) {
        return refund::inquire(stripe, subject, known);
    }
    with_intent(stripe, subject, move |intent| match operation.operation {
        ChildOperation::Refund => refund::find(stripe, subject, intent),
        ChildOperation::Capture | ChildOperation::Void => {
            Step::ask(intent_request(stripe, &intent), move |answer| known_report(subject, answer))
        }
    })
}

/// Goes on with the id of the intent, which a session knows if the charge is known by its page.
fn with_intent<'c>(
    stripe: &'c Stripe,
    subject: AskedOperation<'c>,
    then: impl FnOnce(String) -> Step<'c, OperationReport> + 'c,
) -> Step<'c, OperationReport> {
    match known(subject.charge.gateway_id.as_deref()) {
        KnownIntent::Intent(intent) => then(intent),
        KnownIntent::Session(session) => Step::ask_first(session_request(stripe, &session), move |answer| {
            let session = CheckoutSession::parse(&answer.body).filter(|_| answer.status == 200);
            let intent = match session.and_then(|session| session.intent) {
                Some(Expandable::Full(intent)) => Some(intent.id),
                Some(Expandable::Id(intent)) => Some(intent),
                None => None,
            };
            match intent.as_deref().and_then(|intent| id(intent, intent::PREFIX)) {
                Some(intent) => then(intent.to_string()),
                None => Step::Done(subject.bare(OperationOutcome::Unknown)),
            }
        }),
        KnownIntent::Nothing => Step::Done(subject.bare(OperationOutcome::Unknown)),
    }
}

fn capture<'c>(
    stripe: &'c Stripe,
    subject: AskedOperation<'c>,
    intent: String,
    price: i64,
) -> Step<'c, OperationReport> {
    let form = StripeForm::new()
        .with("amount_to_capture", &price.to_string())
        .with("metadata[capture]", subject.reference)
        .with("expand[]", "latest_charge");
    let path = format!("{}/{intent}/capture", intent::PATH);
    Step::act_first(stripe.post(&path, subject.reference, form), move |answer| {
        read_change(stripe, subject, &intent, answer)
    })
}

/// Writes our reference into the intent, and cancels it.
fn void<'c>(stripe: &'c Stripe, subject: AskedOperation<'c>, intent: String) -> Step<'c, OperationReport> {
    let path = format!("{}/{intent}", intent::PATH);
    let form = StripeForm::new().with("metadata[void]", subject.reference).with("expand[]", "latest_charge");
    Step::ask_first(stripe.post_again(&path, form), move |answer| {
        let marked = Intent::parse(&answer.body).filter(|_| answer.status == 200);
        match marked {
            Some(marked) if marked.status == Some(IntentStatus::RequiresCapture) => {}
            Some(marked) => return Step::Done(changed(subject, &marked, &answer.body)),
            None => return Step::Done(not_begun(subject, answer)),
        }
        let form = StripeForm::new()
            .with("cancellation_reason", "requested_by_customer")
            .with("expand[]", "latest_charge");
        Step::act_first(stripe.post(&format!("{path}/cancel"), subject.reference, form), move |answer| {
            read_change(stripe, subject, &intent, answer)
        })
    })
}

/// The mark could not be written, so the request that releases the money was not sent.
fn not_begun(subject: AskedOperation<'_>, answer: &Incoming) -> OperationReport {
    match verdict(answer) {
        FaultVerdict::Declined(fault) | FaultVerdict::Refused(fault) => subject.refused(fault.message),
        FaultVerdict::Nothing => subject.bare(OperationOutcome::Unknown),
    }
}

/// What the answer to a capture or a void says. If the state of the intent forbids it, the intent says why: perhaps it was
/// carried out before.
fn read_change<'c>(
    stripe: &'c Stripe,
    subject: AskedOperation<'c>,
    intent: &str,
    answer: &Incoming,
) -> Step<'c, OperationReport> {
    let fault = match (answer.status, verdict(answer)) {
        (200, _) => {
            let report = Intent::parse(&answer.body).map(|intent| changed(subject, &intent, &answer.body));
            return Step::Done(report.unwrap_or_else(|| subject.bare(OperationOutcome::Unknown)));
        }
        (_, FaultVerdict::Refused(fault)) => fault,
        (_, FaultVerdict::Declined(fault)) => return Step::Done(subject.refused(fault.message)),
        (_, FaultVerdict::Nothing) => return Step::Done(subject.bare(OperationOutcome::Unknown)),
    };
    if !fault.is_code("payment_intent_unexpected_state") {
        return Step::Done(subject.refused(fault.message));
    }
    let StripeFault { message, .. } = fault;
    Step::ask(intent_request(stripe, intent), move |answer| {
        let report = known_report(subject, answer);
        if report.outcome == OperationOutcome::Absent { subject.refused(message) } else { report }
    })
}

/// What an intent says about an operation that was requested before.
fn known_report(subject: AskedOperation<'_>, answer: &Incoming) -> OperationReport {
    let intent = Intent::parse(&answer.body).filter(|_| answer.status == 200);
    let Some(intent) =
        intent.filter(|intent| intent.marks.charge.as_deref() == Some(subject.charge.reference.as_str()))
    else {
        return subject.bare(OperationOutcome::Unknown);
    };
    let mark = mark_of(subject, &intent);
    match (subject.operation, intent.status) {
        (ChildOperation::Capture, Some(IntentStatus::Succeeded)) if mark != Some(subject.reference) => {
            subject.bare(OperationOutcome::Absent)
        }
        (ChildOperation::Void, Some(IntentStatus::Canceled)) if mark.is_none() => {
            subject.bare(OperationOutcome::Absent)
        }
        // The money is still held, whatever mark a try left behind.
        (ChildOperation::Capture | ChildOperation::Void, Some(IntentStatus::RequiresCapture)) => {
            subject.bare(OperationOutcome::Absent)
        }
        _ => changed(subject, &intent, &answer.body),
    }
}

fn mark_of<'i>(subject: AskedOperation<'_>, intent: &'i Intent) -> Option<&'i str> {
    match subject.operation {
        ChildOperation::Capture => intent.marks.capture.as_deref(),
        ChildOperation::Void => intent.marks.void.as_deref(),
        ChildOperation::Refund => None,
    }
}

/// What an intent says about the operation whose mark it carries.
fn changed(subject: AskedOperation<'_>, intent: &Intent, body: &[u8]) -> OperationReport {
    let mark = mark_of(subject, intent);
    let (moved, result) = match subject.operation {
        ChildOperation::Capture => (intent.received(), "CAPTURED"),
        ChildOperation::Void | ChildOperation::Refund => (intent.amount(), "VOIDED"),
    };
    let is_charge = intent.marks.charge.as_deref() == Some(subject.charge.reference.as_str());
    let outcome = match (subject.operation, intent.status) {
        _ if !is_charge => OperationOutcome::Unknown,
        (ChildOperation::Capture, Some(IntentStatus::Succeeded))
        | (ChildOperation::Void, Some(IntentStatus::Canceled)) => {
            if mark.is_some() && moved.is_some() {
                OperationOutcome::Done
            } else {
                OperationOutcome::Unknown
            }
        }
        (ChildOperation::Capture, Some(IntentStatus::Canceled))
        | (ChildOperation::Void, Some(IntentStatus::Succeeded)) => OperationOutcome::Refused,
        _ => OperationOutcome::Unknown,
    };
    let is_done = outcome == OperationOutcome::Done;
    // The mark of a void is written by a request before it. One void is in progress at a time, so that another mark is
    // that of a request that arrived late, whose void was never requested.
    let named = mark.filter(|_| subject.operation != ChildOperation::Void);
    OperationReport {
        reference: named.unwrap_or(subject.reference).to_string(),
        amount: moved.filter(|_| is_done),
        outcome,
        message: None,
        gateway_id: None,
        params: params(&[
            ("payment_id", Some(intent.id.as_str())),
            ("result", is_done.then_some(result)),
            ("track_id", mark),
            ("transaction_id", intent.charge.as_ref().map(intent::IntentCharge::id)),
        ]),
        raw: super::raw::raw_of(body),
    }
}
