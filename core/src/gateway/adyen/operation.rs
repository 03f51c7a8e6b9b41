//! Captures, refunds and cancellations: Adyen only says that it received the request; what became of it comes in a webhook.

use alloc::format;
use alloc::string::String;

use serde::Serialize;

use super::amount::{self, Amount};
use super::details::{OutcomeDetails, OutcomeFacts, is_id};
use super::error::AdyenRefusal;
use super::raw;
use crate::gateway::exchange::Incoming;
use crate::gateway::operation::{OperationOrder, OperationOutcome, OperationReport};
use crate::value::money::Money;
use crate::wire::object::Object;
use crate::words::ChildOperation;

/// The request for a modification, in the wire format.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Modification<'a> {
    merchant_account: &'a str,
    reference: &'a str,
    /// A cancellation has none: it releases everything.
    #[serde(skip_serializing_if = "Option::is_none")]
    amount: Option<Amount>,
}

impl<'a> Modification<'a> {
    /// The request; `None` if Adyen cannot express the amount.
    pub(super) fn of(merchant_account: &'a str, order: &'a OperationOrder) -> Option<Self> {
        let amount = match order.operation {
            ChildOperation::Capture | ChildOperation::Refund => Some(Amount::of(order.amount)?),
            ChildOperation::Void => None,
        };
        Some(Self { merchant_account, reference: order.reference.as_str(), amount })
    }
}

/// Where an operation on a payment is requested.
pub(super) fn path(payment: &str, operation: ChildOperation) -> String {
    let word = match operation {
        ChildOperation::Capture => "captures",
        ChildOperation::Refund => "refunds",
        ChildOperation::Void => "cancels",
    };
    format!("/payments/{payment}/{word}")
}

/// A modification in the wire format.
struct ReceivedModification {
    psp_reference: String,
    payment: String,
    reference: String,
    status: String,
    amount: Option<Money>,
}

/// The answer to the request for an operation on `payment`.
pub(super) fn read(order: &OperationOrder, payment: &str, answer: &Incoming) -> OperationReport {
    if let Some(AdyenRefusal { message }) = AdyenRefusal::of(answer) {
        return OperationReport::refused(order.reference.as_str(), message);
    }
    let unknown = || OperationReport::bare(order.reference.as_str(), OperationOutcome::Unknown);
    if !matches!(answer.status, 200 | 201) {
        return unknown();
    }
    match read_received(&answer.body) {
        Some(received) if received.payment == payment => report_of(order, received, &answer.body),
        Some(_) | None => unknown(),
    }
}

fn read_received(body: &[u8]) -> Option<ReceivedModification> {
    Object::read(body, |object| ReceivedModification {
        psp_reference: object.text("pspReference"),
        payment: object.text("paymentPspReference"),
        reference: object.text("reference"),
        status: object.text("status"),
        amount: amount::member(object),
    })
}

fn report_of(order: &OperationOrder, received: ReceivedModification, body: &[u8]) -> OperationReport {
    let is_whole = received.amount.is_some() || order.operation == ChildOperation::Void;
    let is_received = received.status == "received" && is_whole;
    let id = Some(received.psp_reference.as_str()).filter(|id| is_id(id));
    let params = OutcomeDetails::default().params(&OutcomeFacts {
        reference: &received.reference,
        psp_reference: id,
        message: None,
        post_date: None,
        result: Some(&received.status),
    });
    OperationReport {
        amount: received.amount,
        outcome: if is_received { OperationOutcome::Queued } else { OperationOutcome::Unknown },
        message: None,
        gateway_id: id.map(Into::into),
        params,
        raw: raw::of(body),
        reference: received.reference,
    }
}
