//! Captures, refunds and voids: what the bank's records permit, and what it does with one that they permit. Its
//! amount decides, as a card decides the outcome of a charge.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::time::Duration;

use checkout_core::gateway::charge::ChargeOperation;
use checkout_core::value::money::Money;
use checkout_core::value::time::Timestamp;
use checkout_core::words::ChildOperation;
use serde::Serialize;

use crate::callback::Callback;
use crate::charge::{self, Charge};
use crate::numbers::{post_date, rrn, transaction_id};
use crate::reply::to_json;

/// How long a queued refund waits.
const QUEUE: Duration = Duration::from_secs(20);

/// The state of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OperationStatus {
    /// The bank accepted a refund and is not done.
    Queued,
    /// The money moved.
    Done,
    /// Nothing moved.
    Refused,
}

impl OperationStatus {
    /// The word of records and of the protocol.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Done => "done",
            Self::Refused => "refused",
        }
    }

    /// The status that a word names.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Queued, Self::Done, Self::Refused].into_iter().find(|status| status.as_str() == word)
    }
}

/// What was asked for. The same reference with other terms is another operation, and refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OperationTerms {
    /// The merchant's reference: one operation each.
    pub reference: String,
    /// What is to be done.
    pub operation: ChildOperation,
    /// How much, in the currency of the charge.
    pub amount: Money,
    /// Where the bank sends its callback.
    pub callback_url: String,
}

/// An operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operation {
    /// Its id.
    pub id: String,
    /// Whose it is: the key under which its callbacks are signed.
    pub account: String,
    /// The merchant's reference of the charge.
    pub charge: String,
    /// What was asked for.
    pub terms: OperationTerms,
    /// Its state.
    pub status: OperationStatus,
    /// What a queued operation becomes.
    pub ends_as: OperationStatus,
    /// When it does, if it is queued.
    pub due_at: Option<Timestamp>,
    /// When it was asked for.
    pub made_at: Timestamp,
    /// When it was done or refused.
    pub ended_at: Option<Timestamp>,
}

/// What the bank does with an operation that its records permit, and whether it says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Plan {
    /// Its state at once.
    pub(crate) status: OperationStatus,
    /// Its later state, if it is queued.
    pub(crate) ends_as: OperationStatus,
    /// When that happens, if it is queued.
    pub(crate) due_in: Option<Duration>,
    /// How the request is answered.
    pub(crate) manner: Manner,
}

/// How a request is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Manner {
    /// With the operation.
    Answered,
    /// With an error, though it was done.
    Failing,
    /// With nothing, though it was done.
    Silent,
    /// With nothing, and it never arrived.
    Lost,
    /// With a refusal; nothing is recorded.
    Refused,
}

impl Plan {
    /// The last two digits of the minor units decide; an account that queues refunds queues all others.
    pub(crate) fn of(terms: &OperationTerms, queues_refunds: bool) -> Self {
        let done = Self {
            status: OperationStatus::Done,
            ends_as: OperationStatus::Done,
            due_in: None,
            manner: Manner::Answered,
        };
        let queued = Self { status: OperationStatus::Queued, due_in: Some(QUEUE), ..done };
        let is_refund = terms.operation == ChildOperation::Refund;
        match terms.amount.minor().checked_rem(100) {
            Some(11) => Self { manner: Manner::Refused, ..done },
            Some(13) if is_refund => Self { ends_as: OperationStatus::Refused, ..queued },
            Some(15) if is_refund => queued,
            Some(17) => Self { manner: Manner::Silent, ..done },
            Some(19) => Self { manner: Manner::Failing, ..done },
            Some(23) => Self { manner: Manner::Lost, ..done },
            Some(_) | None if is_refund && queues_refunds => queued,
            Some(_) | None => done,
        }
    }
}

/// How much of one kind was done to a charge, in minor units.
fn sum(
    operations: &[Operation],
    kind: ChildOperation,
    counts: impl Fn(OperationStatus) -> bool,
) -> Option<i64> {
    let of_kind = operations.iter().filter(|one| one.terms.operation == kind && counts(one.status));
    of_kind.map(|one| one.terms.amount.minor()).try_fold(0_i64, i64::checked_add)
}

/// How much of one kind was done to a charge.
#[must_use]
pub fn done(charge: &Charge, operations: &[Operation], kind: ChildOperation) -> Money {
    let currency = charge.terms.amount.currency();
    let minor = sum(operations, kind, |status| status == OperationStatus::Done).unwrap_or_default();
    Money::new(minor, currency).unwrap_or(Money::zero(currency))
}

/// Whether the records of a charge permit an operation. A refund that is queued counts, because it will be
/// done.
pub(crate) fn permits(charge: &Charge, operations: &[Operation], terms: &OperationTerms) -> bool {
    let total = charge.terms.amount;
    if charge.status != charge::ChargeStatus::Approved || terms.amount.currency() != total.currency() {
        return false;
    }
    let done = |kind| sum(operations, kind, |status| status == OperationStatus::Done);
    let (Some(captured), Some(voided), Some(refunded)) = (
        done(ChildOperation::Capture),
        done(ChildOperation::Void),
        sum(operations, ChildOperation::Refund, |status| status != OperationStatus::Refused),
    ) else {
        return false;
    };
    let is_held = charge.terms.operation == ChargeOperation::Authorize && voided == 0;
    let amount = terms.amount.minor();
    let fits = |moved: i64, most: i64| moved.checked_add(amount).is_some_and(|moved| moved <= most);
    match terms.operation {
        ChildOperation::Capture => is_held && fits(captured, total.minor()),
        ChildOperation::Void => is_held && captured == 0 && amount == total.minor(),
        ChildOperation::Refund => {
            let is_taken = charge.terms.operation == ChargeOperation::Purchase;
            fits(refunded, if is_taken { total.minor() } else { captured })
        }
    }
}

#[derive(Serialize)]
struct OperationView<'a> {
    id: &'a str,
    reference: &'a str,
    charge: &'a str,
    operation: &'static str,
    status: &'static str,
    amount: String,
    currency: &'static str,
    message: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    rrn: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    transaction_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    post_date: Option<String>,
}

impl Operation {
    /// The operation after the bank has done what it had queued; `None` if nothing is due. The bank reports
    /// it by a callback.
    #[must_use]
    pub fn finish(&self, now: Timestamp) -> Option<Self> {
        let is_due =
            self.status == OperationStatus::Queued && self.due_at.is_some_and(|due_at| due_at <= now);
        is_due.then(|| Self { status: self.ends_as, due_at: None, ended_at: Some(now), ..self.clone() })
    }

    /// The operation as JSON.
    #[must_use]
    pub fn to_json(&self) -> Vec<u8> {
        let is_done = self.status == OperationStatus::Done;
        to_json(&OperationView {
            id: &self.id,
            reference: &self.terms.reference,
            charge: &self.charge,
            operation: self.terms.operation.as_str(),
            status: self.status.as_str(),
            amount: self.terms.amount.to_string(),
            currency: self.terms.amount.currency().code(),
            message: match self.status {
                OperationStatus::Queued => "the bank is working on it",
                OperationStatus::Done => "approved",
                OperationStatus::Refused => "the issuer refused the operation",
            },
            rrn: is_done.then(|| rrn(&self.id)),
            transaction_id: is_done.then(|| transaction_id(&self.id)),
            post_date: self.ended_at.filter(|_| is_done).map(post_date),
        })
    }

    /// The signed callback of the bank.
    #[must_use]
    pub fn callback(&self) -> Callback {
        Callback::signed(&self.account, self.terms.callback_url.clone(), self.to_json())
    }
}

#[cfg(test)]
mod tests;
