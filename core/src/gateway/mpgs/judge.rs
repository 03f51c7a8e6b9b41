//! What an order and its transactions say about a charge.
//!
//! The last transaction of an order is not always the payment: 3-D Secure makes transactions of its own, and what failed
//! before a retry stays in the list. A success of the kind that was asked for decides, then anything that may still
//! become one, then the status of the order.

use alloc::format;
use alloc::string::String;

use super::raw::raw_of;
use super::read::{OrderAnswer, OrderStatus, OrderTransaction, TransactionKind, TransactionResult};
use crate::gateway::charge::{ChargeOperation, ChargeRef, Outcome, PgParams, Report};
use crate::gateway::decline::{DeclineReason, note};
use crate::gateway::text::{line, masked, params};
use crate::value::id::ReferenceNumber;
use crate::value::money::Money;

/// How few characters our references have: the gateway numbers its own transactions with fewer.
const MIN_REFERENCE: usize = 12;

/// What of a charge was asked for.
#[derive(Clone, Copy)]
pub(super) struct AskedCharge {
    pub(super) total: Money,
    pub(super) operation: ChargeOperation,
}

impl AskedCharge {
    pub(super) fn of(charge: &ChargeRef) -> Self {
        Self { total: charge.total, operation: charge.operation }
    }
}

/// Whether the payer can still try.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Presence {
    /// The answer to the payment itself: a failure counts only if its code is certain.
    Answer,
    /// There is no page, or the payer left it: a failure is the end.
    Gone,
    /// There was a page, and its time is over: what is not paid is not paid any more.
    Over,
    /// The payer may be at the page, and try again.
    There,
}

/// How a charge is.
enum ChargeVerdict<'a> {
    Approved(&'a OrderTransaction),
    Declined(Option<&'a OrderTransaction>, DeclineReason),
    Canceled(Option<&'a OrderTransaction>),
    /// Nothing is paid, and the payer can go on.
    Waiting,
    Unknown,
}

/// Whether a kind of transaction is the success of an operation. A purchase may be an authorization that is captured at
/// once.
pub(super) fn fits(operation: ChargeOperation, kind: TransactionKind) -> bool {
    match operation {
        ChargeOperation::Purchase => matches!(kind, TransactionKind::Payment | TransactionKind::Capture),
        ChargeOperation::Authorize => kind == TransactionKind::Authorization,
        ChargeOperation::Verify => kind == TransactionKind::Verification,
    }
}

/// Whether the status of an order agrees with a success of the operation, whatever was done to it afterwards.
fn agrees(operation: ChargeOperation, status: OrderStatus) -> bool {
    let is_taken = matches!(
        status,
        OrderStatus::Captured
            | OrderStatus::RefundRequested
            | OrderStatus::PartiallyRefunded
            | OrderStatus::Refunded
            | OrderStatus::ExcessivelyRefunded
            | OrderStatus::Disputed
            | OrderStatus::ChargebackProcessed
            | OrderStatus::Disbursed
    );
    match operation {
        ChargeOperation::Purchase => is_taken,
        ChargeOperation::Authorize => {
            is_taken || matches!(status, OrderStatus::Authorized | OrderStatus::PartiallyCaptured)
        }
        ChargeOperation::Verify => status == OrderStatus::Verified,
    }
}

fn judge(asked: AskedCharge, answer: &OrderAnswer, presence: Presence) -> ChargeVerdict<'_> {
    let newest_first = || answer.transactions.iter().rev();
    let success = newest_first().find(|transaction| {
        transaction.result == TransactionResult::Success && fits(asked.operation, transaction.kind)
    });
    if let Some(success) = success {
        return judge_success(asked, answer, success);
    }
    // What authenticates the payer takes nothing.
    let payments =
        || newest_first().filter(|transaction| transaction.kind != TransactionKind::Authentication);
    if payments().any(|payment| payment.result != TransactionResult::Failure) {
        return ChargeVerdict::Unknown;
    }
    let last = payments().next().or_else(|| answer.transactions.last());
    let is_final = presence != Presence::There;
    let Some(status) = answer.order.status else { return ChargeVerdict::Unknown };
    match status {
        OrderStatus::Failed | OrderStatus::AuthenticationUnsuccessful if presence == Presence::Answer => {
            judge_refusal(last)
        }
        OrderStatus::Failed if is_final => {
            ChargeVerdict::Declined(last, last.map_or(DeclineReason::Other, |payment| payment.code.reason()))
        }
        OrderStatus::AuthenticationUnsuccessful if is_final => {
            ChargeVerdict::Declined(last, DeclineReason::AuthenticationFailed)
        }
        OrderStatus::Canceled if is_final => ChargeVerdict::Canceled(last),
        OrderStatus::Initiated
        | OrderStatus::AuthenticationInitiated
        | OrderStatus::Authenticated
        | OrderStatus::AuthenticationNotNeeded => {
            if presence == Presence::Over {
                ChargeVerdict::Canceled(last)
            } else {
                ChargeVerdict::Waiting
            }
        }
        OrderStatus::Failed | OrderStatus::AuthenticationUnsuccessful | OrderStatus::Canceled => {
            ChargeVerdict::Waiting
        }
        OrderStatus::Verified
        | OrderStatus::Authorized
        | OrderStatus::PartiallyCaptured
        | OrderStatus::Captured
        | OrderStatus::RefundRequested
        | OrderStatus::PartiallyRefunded
        | OrderStatus::Refunded
        | OrderStatus::ExcessivelyRefunded
        | OrderStatus::Disputed
        | OrderStatus::ChargebackProcessed
        | OrderStatus::Disbursed => ChargeVerdict::Unknown,
    }
}

/// The answer to the payment itself: only a code that certainly declines is believed; others are asked about.
fn judge_refusal(last: Option<&OrderTransaction>) -> ChargeVerdict<'_> {
    match last.and_then(|payment| payment.code.certain_decline()) {
        Some(reason) => ChargeVerdict::Declined(last, reason),
        None => ChargeVerdict::Unknown,
    }
}

fn judge_success<'a>(
    asked: AskedCharge,
    answer: &'a OrderAnswer,
    success: &'a OrderTransaction,
) -> ChargeVerdict<'a> {
    if !success.code.is_approval() {
        return ChargeVerdict::Unknown;
    }
    if answer.order.status == Some(OrderStatus::Canceled) {
        // The gateway reverses what its risk rules reject.
        if success.is_rejected {
            return ChargeVerdict::Declined(Some(success), DeclineReason::SuspectedFraud);
        }
        return if is_voided_by_us(answer) {
            ChargeVerdict::Approved(success)
        } else {
            ChargeVerdict::Canceled(Some(success))
        };
    }
    if success.is_rejected || !answer.order.status.is_some_and(|status| agrees(asked.operation, status)) {
        return ChargeVerdict::Unknown;
    }
    ChargeVerdict::Approved(success)
}

/// Whether a void of ours undid the payment: that is an operation on a payment that succeeded. Others are those of the
/// gateway or of a person, in the bank's portal.
fn is_voided_by_us(answer: &OrderAnswer) -> bool {
    answer.transactions.iter().any(|transaction| {
        let is_void = transaction.kind.is_void() && transaction.result == TransactionResult::Success;
        is_void && transaction.id.len() >= MIN_REFERENCE && ReferenceNumber::parse(&transaction.id).is_some()
    })
}

/// What was or would be charged: of the amounts that the gateway names, one that differs from what was asked for, so
/// that it is seen.
fn total_of(asked: AskedCharge, answer: &OrderAnswer, payment: Option<&OrderTransaction>) -> Option<Money> {
    let order = &answer.order;
    let named = order.amount.filter(|amount| !amount.is_zero() || asked.total.is_zero());
    let Some(payment) = payment else { return named };
    let is_success = payment.result == TransactionResult::Success;
    let paid = payment.amount.or(named.filter(|_| !is_success))?;
    // More than one payment of an order adds up.
    let sum = match asked.operation {
        ChargeOperation::Purchase => order.captured,
        ChargeOperation::Authorize => order.authorized,
        ChargeOperation::Verify => None,
    };
    let over = sum.filter(|sum| asked.total.checked_sub(*sum).is_none());
    // The amount of an order from which nothing was taken may be zero.
    let whole = if is_success { order.amount } else { named };
    let mut all = [Some(paid), whole, over].into_iter().flatten();
    Some(all.find(|amount| *amount != asked.total).unwrap_or(paid))
}

/// What is known of the page of a charge.
pub(super) struct PageState {
    pub(super) presence: Presence,
    /// The page that still waits, if there is one.
    pub(super) url: Option<String>,
}

/// The report on a charge.
pub(super) fn report_of(asked: AskedCharge, answer: &OrderAnswer, page: PageState, body: &[u8]) -> Report {
    let unknown = || Report::bare(&answer.order.id, Outcome::Unknown);
    let (payment, outcome, reason) = match judge(asked, answer, page.presence) {
        ChargeVerdict::Approved(payment) => (Some(payment), Outcome::Approved, None),
        ChargeVerdict::Declined(payment, reason) => (payment, Outcome::Declined, Some(reason)),
        ChargeVerdict::Canceled(payment) => (payment, Outcome::Canceled, None),
        ChargeVerdict::Waiting => {
            let outcome = page.url.map_or(Outcome::Unknown, |page_url| Outcome::Open { page_url });
            return Report { outcome, ..unknown() };
        }
        ChargeVerdict::Unknown => return unknown(),
    };
    let Some(total) = total_of(asked, answer, payment) else { return unknown() };
    let is_approved = outcome == Outcome::Approved;
    if is_approved && answer.order.amount.is_none() {
        return unknown();
    }
    let mut params = params_of(&answer.order.id, payment, result_word(&outcome, asked.operation));
    if let Some(reason) = reason {
        note(&mut params, reason, payment.map(decline_code).unwrap_or_default());
    }
    Report {
        total: Some(total),
        message: payment.and_then(|payment| payment.message.clone()),
        // A charge that is not paid may be paid later: its page has the same session then.
        gateway_id: payment.filter(|_| is_approved).and_then(|payment| line(&payment.id)),
        params,
        raw: raw_of(body),
        outcome,
        ..unknown()
    }
}

/// The gateway's code of a decline. What the bank approved and the risk rules reject has that of the rules.
fn decline_code(payment: &OrderTransaction) -> &str {
    if payment.is_rejected && payment.code.is_approval() { "REJECTED" } else { &payment.code.0 }
}

/// The normalised data of a transaction.
pub(super) fn params_of(
    reference: &str,
    transaction: Option<&OrderTransaction>,
    result: Option<&'static str>,
) -> PgParams {
    let Some(transaction) = transaction else {
        return params(&[("payment_id", Some(reference)), ("result", result), ("track_id", Some(reference))]);
    };
    let card = &transaction.card;
    let full_expiry = card.month.as_deref().zip(card.year.as_deref());
    let full_expiry = full_expiry.map(|(month, year)| format!("{month}/{year}"));
    let number = card.number.as_deref().map(|number| masked(number).replace(['x', 'X'], "*"));
    params(&[
        ("auth_code", transaction.auth_code.as_deref()),
        ("card_expiry_month", card.month.as_deref()),
        ("card_expiry_year", card.year.as_deref()),
        ("card_number", number.as_deref()),
        ("card_type", card.brand.as_deref()),
        ("full_card_expiry", full_expiry.as_deref()),
        ("payment_id", Some(reference)),
        ("pg_message", transaction.message.as_deref()),
        ("post_date", transaction.recorded_at.as_deref()),
        ("ref", transaction.receipt.as_deref()),
        ("result", result),
        ("rrn", transaction.receipt.as_deref()),
        ("track_id", Some(reference)),
        ("transaction_id", Some(transaction.id.as_str())),
    ])
}

/// The words that gateways commonly use for a result.
fn result_word(outcome: &Outcome, operation: ChargeOperation) -> Option<&'static str> {
    let is_taken = operation == ChargeOperation::Purchase;
    match outcome {
        Outcome::Approved => Some(if is_taken { "CAPTURED" } else { "APPROVED" }),
        Outcome::Declined => Some(if is_taken { "NOT CAPTURED" } else { "DECLINED" }),
        Outcome::Canceled => Some("CANCELED"),
        Outcome::Open { .. } | Outcome::Absent | Outcome::Unknown => None,
    }
}

/// A report on a charge of which the gateway has no order.
pub(super) fn bare(reference: &ReferenceNumber, outcome: Outcome) -> Report {
    Report::bare(reference.as_str(), outcome)
}
