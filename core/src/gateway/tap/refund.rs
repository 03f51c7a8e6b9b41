//! Refunds: objects of their own, with our reference in `reference.merchant`.

use alloc::format;
use alloc::string::{String, ToString};

use super::account::Tap;
use super::find::page;
use super::request::{ListRequest, OF_REFUND, REFUNDS, RefundReferences, RefundRequest, TapMark, TapUrl, id};
use super::words::TapRefundStatus;
use super::{amount, fault, raw};
use crate::gateway::exchange::Incoming;
use crate::gateway::operation::{OperationOrder, OperationOutcome, OperationRef, OperationReport};
use crate::gateway::step::Step;
use crate::gateway::text::{params, words};
use crate::value::money::Money;
use crate::wire::object::Object;

/// How ids of refunds begin.
const PREFIX: &str = "re";
/// The name under which the list has them.
const LIST: &[&str] = &["refunds"];
/// How many pages of the refunds of a charge are read.
const PAGES: u8 = 3;

/// A refund. Members that decide an outcome are required.
struct TapRefund {
    id: String,
    reference: Option<String>,
    status: Option<TapRefundStatus>,
    amount: Option<Money>,
    message: Option<String>,
}

impl TapRefund {
    fn parse<B: AsRef<[u8]> + ?Sized>(text: &B) -> Option<Self> {
        Object::read(text, |refund| {
            (refund.text("object") == "refund").then(|| Self {
                id: refund.text("id"),
                reference: refund.object("reference", |it| it.optional_text("merchant")).flatten(),
                status: TapRefundStatus::parse(&refund.text("status")),
                amount: amount::read(refund),
                message: refund.object("response", |it| it.optional_text("message")).flatten(),
            })
        })?
    }

    fn report(&self, body: &[u8]) -> OperationReport {
        let outcome = match self.status.filter(|_| self.amount.is_some()) {
            Some(TapRefundStatus::Refunded) => OperationOutcome::Done,
            Some(TapRefundStatus::Pending | TapRefundStatus::Accepted | TapRefundStatus::InProgress) => {
                OperationOutcome::Queued
            }
            Some(
                TapRefundStatus::Cancelled
                | TapRefundStatus::Failed
                | TapRefundStatus::Declined
                | TapRefundStatus::Restricted,
            ) => OperationOutcome::Refused,
            None => OperationOutcome::Unknown,
        };
        let reference = self.reference.as_deref().unwrap_or_default();
        let message = self.message.as_deref().and_then(words);
        OperationReport {
            amount: self.amount,
            gateway_id: id(&self.id, PREFIX).map(ToString::to_string),
            params: params(&[
                ("payment_id", Some(self.id.as_str())),
                ("pg_message", message.as_deref()),
                ("result", self.status.map(TapRefundStatus::as_str)),
                ("track_id", Some(reference)),
            ]),
            message,
            raw: raw::of(body),
            ..OperationReport::bare(reference, outcome)
        }
    }
}

/// Gives money of a charge back.
pub(super) fn refund<'c>(tap: &'c Tap, order: &'c OperationOrder, charge: &str) -> Step<'c, OperationReport> {
    let reference = order.reference.as_str();
    let bare = move |outcome| OperationReport::bare(reference, outcome);
    let request = amount::written(order.amount).and_then(|amount| {
        tap.refund(&RefundRequest {
            charge_id: charge,
            amount,
            currency: order.amount.currency().code(),
            reason: "requested_by_customer",
            metadata: TapMark { till: OF_REFUND },
            reference: RefundReferences { merchant: reference, idempotent: reference },
            post: TapUrl { url: &order.callback_url },
        })
    });
    let Some(request) = request else { return Step::Done(bare(OperationOutcome::Refused)) };
    Step::act(request, move |answer| match fault::refusal(answer) {
        Some(refusal) => OperationReport { message: refusal.message, ..bare(OperationOutcome::Refused) },
        None => read(answer).unwrap_or_else(|| bare(OperationOutcome::Unknown)),
    })
}

fn read(answer: &Incoming) -> Option<OperationReport> {
    let refund = TapRefund::parse(&answer.body).filter(|_| answer.status == 200)?;
    Some(refund.report(&answer.body))
}

/// Asks for a refund: by its id, or by the list of the refunds of its charge.
pub(super) fn inquire<'c>(
    tap: &'c Tap,
    operation: &'c OperationRef,
    charge: String,
) -> Step<'c, OperationReport> {
    match known(operation) {
        Some(known) => ask(tap, operation, known),
        None => turn(tap, operation, charge, None, PAGES),
    }
}

/// The id of a refund, if Tap has said it.
pub(super) fn known(operation: &OperationRef) -> Option<&str> {
    operation.gateway_id.as_deref().and_then(|known| id(known, PREFIX))
}

/// Asks for a refund by its id.
pub(super) fn ask<'c>(tap: &'c Tap, operation: &'c OperationRef, known: &str) -> Step<'c, OperationReport> {
    let request = tap.get(&format!("{REFUNDS}/{known}"));
    Step::ask(request, move |answer| read(answer).unwrap_or_else(|| unknown(operation)))
}

fn unknown(operation: &OperationRef) -> OperationReport {
    OperationReport::bare(operation.reference.as_str(), OperationOutcome::Unknown)
}

fn turn<'c>(
    tap: &'c Tap,
    operation: &'c OperationRef,
    charge: String,
    after: Option<String>,
    pages: u8,
) -> Step<'c, OperationReport> {
    let body = ListRequest {
        charges: alloc::vec![charge.as_str()],
        starting_after: after,
        ..ListRequest::default()
    };
    let request = pages.checked_sub(1).zip(tap.list(REFUNDS, &body));
    let Some((left, request)) = request else { return Step::Done(unknown(operation)) };
    Step::ask_first(request, move |answer| {
        let unknown = || Step::Done(unknown(operation));
        let Some(page) = page(answer, LIST) else { return unknown() };
        let refunds: Option<alloc::vec::Vec<_>> =
            page.entries.iter().map(|text| Some((TapRefund::parse(*text)?, *text))).collect();
        let Some(refunds) = refunds else { return unknown() };
        let is_ours = |refund: &TapRefund| refund.reference.as_deref() == Some(operation.reference.as_str());
        if let Some((refund, text)) = refunds.iter().find(|(refund, _)| is_ours(refund)) {
            return Step::Done(refund.report(text.as_bytes()));
        }
        let last = refunds.last().and_then(|(refund, _)| id(&refund.id, PREFIX)).map(ToString::to_string);
        match (page.has_more, last) {
            (false, _) => {
                Step::Done(OperationReport::bare(operation.reference.as_str(), OperationOutcome::Absent))
            }
            (true, Some(last)) => turn(tap, operation, charge, Some(last), left),
            (true, None) => unknown(),
        }
    })
}
