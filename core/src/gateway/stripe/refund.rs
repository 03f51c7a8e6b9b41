//! Refunds: requested, asked for by their id, and found by our reference among those of an intent.

use alloc::format;
use alloc::string::{String, ToString};

use super::fault::{FaultVerdict, verdict};
use super::find::read_list;
use super::intent::Marks;
use super::raw::raw_of;
use super::request::{StripeForm, id};
use super::{Stripe, amount};
use crate::gateway::exchange::{Incoming, Outgoing};
use crate::gateway::operation::{AskedOperation, OperationOutcome, OperationReport};
use crate::gateway::step::Step;
use crate::gateway::text::params;
use crate::value::money::Money;
use crate::wire::object::Object;
use crate::words::word_list;

/// The address of refunds.
pub(super) const PATH: &str = "/v1/refunds";
/// How their ids begin.
pub(super) const PREFIX: &str = "re_";
/// How many pages of the refunds of one intent are read.
const PAGES: u8 = 4;

/// A refund. Members that decide an outcome are required.
struct Refund {
    id: String,
    reference: Option<String>,
    status: Option<RefundStatus>,
    amount: Option<Money>,
    failure_reason: Option<String>,
    pending_reason: Option<String>,
    charge: Option<String>,
    bank_reference: Option<String>,
}

word_list! {
    /// How a refund is.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    enum RefundStatus {
        /// The bank has it.
        Succeeded = "succeeded",
        /// It is under way.
        Pending = "pending",
        /// The payer has to say where the money goes.
        RequiresAction = "requires_action",
        /// It came back.
        Failed = "failed",
        /// It was taken back.
        Canceled = "canceled",
    }
}

impl Refund {
    fn parse(body: &[u8]) -> Option<Self> {
        Object::read(body, |refund| {
            let number = refund.needed_number("amount")?;
            let currency = refund.text("currency");
            (refund.text("object") == "refund").then(|| Self {
                id: refund.text("id"),
                reference: Marks::read(refund).refund,
                status: refund.optional_text("status").as_deref().and_then(RefundStatus::parse),
                amount: amount::read(number, &currency),
                failure_reason: refund.optional_text("failure_reason"),
                pending_reason: refund.optional_text("pending_reason"),
                charge: super::intent::id_of(refund, "charge"),
                bank_reference: refund.object("destination_details", read_bank_reference).flatten(),
            })
        })?
    }

    fn report(&self, body: &[u8]) -> OperationReport {
        let is_readable = self.reference.is_some() && self.amount.is_some();
        let (outcome, result) = match self.status {
            _ if !is_readable => (OperationOutcome::Unknown, None),
            Some(RefundStatus::Succeeded) => (OperationOutcome::Done, Some("REFUNDED")),
            Some(RefundStatus::Pending | RefundStatus::RequiresAction) => {
                (OperationOutcome::Queued, Some("QUEUED"))
            }
            Some(RefundStatus::Failed | RefundStatus::Canceled) => {
                (OperationOutcome::Refused, Some("DECLINED"))
            }
            None => (OperationOutcome::Unknown, None),
        };
        let message = self.failure_reason.as_deref().or(self.pending_reason.as_deref());
        let message = message.and_then(super::raw::shown);
        OperationReport {
            reference: self.reference.clone().unwrap_or_default(),
            amount: self.amount,
            outcome,
            gateway_id: id(&self.id, PREFIX).map(ToString::to_string),
            params: params(&[
                ("payment_id", Some(self.id.as_str())),
                ("pg_message", message.as_deref()),
                ("ref", self.bank_reference.as_deref()),
                ("result", result),
                ("rrn", self.bank_reference.as_deref()),
                ("track_id", self.reference.as_deref()),
                ("transaction_id", self.charge.as_deref()),
            ]),
            raw: raw_of(body),
            message,
        }
    }
}

/// The report about a refund that failed; `None` for one that did not, or that is not complete.
pub(super) fn failed(body: &[u8]) -> Option<OperationReport> {
    let report = Refund::parse(body)?.report(body);
    (report.outcome == OperationOutcome::Refused).then_some(report)
}

/// The number under which the bank of the cardholder finds the refund.
fn read_bank_reference(details: &mut Object<'_>) -> Option<String> {
    details.object("card", |card| card.optional_text("reference")).flatten()
}

pub(super) fn refund<'c>(
    stripe: &'c Stripe,
    subject: AskedOperation<'c>,
    intent: &str,
    price: i64,
) -> Step<'c, OperationReport> {
    let form = StripeForm::new()
        .with("payment_intent", intent)
        .with("amount", &price.to_string())
        .with("metadata[charge]", subject.charge.reference.as_str())
        .with("metadata[refund]", subject.reference);
    Step::act(stripe.post(PATH, subject.reference, form), move |answer| {
        match (answer.status, verdict(answer)) {
            (200, _) => read(subject, answer),
            (_, FaultVerdict::Declined(fault) | FaultVerdict::Refused(fault)) => {
                subject.refused(fault.message)
            }
            (_, FaultVerdict::Nothing) => subject.bare(OperationOutcome::Unknown),
        }
    })
}

pub(super) fn inquire<'c>(
    stripe: &'c Stripe,
    subject: AskedOperation<'c>,
    known: &str,
) -> Step<'c, OperationReport> {
    Step::ask(stripe.get(&format!("{PATH}/{known}")), move |answer| read(subject, answer))
}

fn read(subject: AskedOperation<'_>, answer: &Incoming) -> OperationReport {
    let refund = Refund::parse(&answer.body).filter(|_| answer.status == 200);
    refund.map_or_else(|| subject.bare(OperationOutcome::Unknown), |refund| refund.report(&answer.body))
}

/// Looks for the refund with our reference among those of the intent.
pub(super) fn find<'c>(
    stripe: &'c Stripe,
    subject: AskedOperation<'c>,
    intent: String,
) -> Step<'c, OperationReport> {
    turn(stripe, subject, intent, None, PAGES)
}

fn turn<'c>(
    stripe: &'c Stripe,
    subject: AskedOperation<'c>,
    intent: String,
    after: Option<String>,
    pages: u8,
) -> Step<'c, OperationReport> {
    let unknown = move || Step::Done(subject.bare(OperationOutcome::Unknown));
    let Some(left) = pages.checked_sub(1) else { return unknown() };
    let after = after.map(|last| format!("&starting_after={last}")).unwrap_or_default();
    let request = stripe.get(&format!("{PATH}?payment_intent={intent}&limit=100{after}"));
    let request = Outgoing { max_answer: Outgoing::MAX_LIST, ..request };
    Step::ask_first(request, move |answer| {
        let page = if answer.status == 200 { read_list(&answer.body) } else { None };
        let Some((entries, has_more)) = page else { return unknown() };
        let ours = |reference: &Option<String>| reference.as_deref() == Some(subject.reference);
        if let Some(entry) = entries.iter().find(|entry| ours(&entry.marks.refund)) {
            let refund = Refund::parse(entry.text.as_bytes());
            return refund.map_or_else(unknown, |refund| Step::Done(refund.report(entry.text.as_bytes())));
        }
        if !has_more {
            return Step::Done(subject.bare(OperationOutcome::Absent));
        }
        match entries.last().and_then(|last| id(&last.id, PREFIX)) {
            Some(last) => turn(stripe, subject, intent, Some(last.to_string()), left),
            None => unknown(),
        }
    })
}
