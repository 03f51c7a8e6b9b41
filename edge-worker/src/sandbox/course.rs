//! What the bank does with a capture, refund or void: its amount decides, as a card decides the outcome of a charge.

use core::time::Duration;

use checkout_core::gateway::sandbox::{SIGNATURE_HEADER, callback_signature};
use checkout_core::value::money::Money;
use checkout_core::value::time::Timestamp;
use checkout_core::words::ChildOperation;
use serde::Serialize;

use super::Callback;
use super::charge::digits;

/// How long a queued refund waits.
const QUEUE: Duration = Duration::from_secs(20);

/// The state of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Status {
    /// The bank accepted a refund and is not done.
    Queued,
    /// The money moved.
    Done,
    /// Nothing moved.
    Refused,
}

impl Status {
    /// The word in the table and in the protocol.
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Done => "done",
            Self::Refused => "refused",
        }
    }

    /// The status that a word names.
    pub(super) fn parse(word: &str) -> Option<Self> {
        [Self::Queued, Self::Done, Self::Refused].into_iter().find(|status| status.as_str() == word)
    }
}

/// What was asked for. The same reference with other terms is another operation, and refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Terms {
    /// The merchant's reference: one operation each.
    pub(super) reference: String,
    /// What is to be done.
    pub(super) operation: ChildOperation,
    /// How much, in the currency of the charge.
    pub(super) amount: Money,
    /// Where the bank sends its callback.
    pub(super) callback_url: String,
}

/// What the bank does with an operation that its records permit, and whether it says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Course {
    /// Its state at once.
    pub(super) status: Status,
    /// Its later state, if it is queued.
    pub(super) ends_as: Status,
    /// When that happens, if it is queued.
    pub(super) due_in: Option<Duration>,
    /// How the request is answered.
    pub(super) manner: Manner,
}

/// How a request is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Manner {
    /// With the operation.
    Reported,
    /// With an error, though it was done.
    Failing,
    /// With nothing, though it was done.
    Silent,
    /// With nothing, and it never arrived.
    Lost,
    /// With a refusal; nothing is stored.
    Refused,
}

/// The plan of an operation: the last two digits of its minor units decide it.
pub(super) fn course(operation: ChildOperation, amount: Money, is_queuing: bool) -> Course {
    let done = Course { status: Status::Done, ends_as: Status::Done, due_in: None, manner: Manner::Reported };
    let queued = Course { status: Status::Queued, due_in: Some(QUEUE), ..done };
    let is_refund = operation == ChildOperation::Refund;
    match amount.minor().checked_rem(100) {
        Some(11) => Course { manner: Manner::Refused, ..done },
        Some(13) if is_refund => Course { ends_as: Status::Refused, ..queued },
        Some(15) if is_refund => queued,
        Some(17) => Course { manner: Manner::Silent, ..done },
        Some(19) => Course { manner: Manner::Failing, ..done },
        Some(23) => Course { manner: Manner::Lost, ..done },
        Some(_) | None if is_refund && is_queuing => queued,
        Some(_) | None => done,
    }
}

/// An operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Operation {
    /// Its id.
    pub(super) id: String,
    /// Whose it is: the key under which its callbacks are signed.
    pub(super) account: String,
    /// The merchant's reference of the charge.
    pub(super) charge: String,
    /// What was asked for.
    pub(super) terms: Terms,
    /// Its state.
    pub(super) status: Status,
    /// When it was done or refused.
    pub(super) ended_at: Option<Timestamp>,
}

impl Operation {
    /// The operation as JSON.
    pub(super) fn to_json(&self) -> Vec<u8> {
        let is_done = self.status == Status::Done;
        let view = OperationView {
            id: &self.id,
            reference: &self.terms.reference,
            charge: &self.charge,
            operation: self.terms.operation.as_str(),
            status: self.status.as_str(),
            amount: self.terms.amount.to_string(),
            currency: self.terms.amount.currency().code(),
            message: match self.status {
                Status::Queued => "the bank is working on it",
                Status::Done => "approved",
                Status::Refused => "the issuer refused the operation",
            },
            rrn: is_done.then(|| digits("rrn", &self.id, 12)),
            transaction_id: is_done.then(|| format!("tr_{}", digits("transaction_id", &self.id, 16))),
            post_date: self.ended_at.filter(|_| is_done).map(|at| at.to_string().chars().take(10).collect()),
        };
        // Texts always serialise.
        serde_json::to_vec(&view).unwrap_or_default()
    }

    /// The signed callback of the bank.
    pub(super) fn callback(&self) -> Callback {
        let body = self.to_json();
        let signature = callback_signature(&self.account, &body);
        Callback {
            url: self.terms.callback_url.clone(),
            headers: vec![("content-type", "application/json".into()), (SIGNATURE_HEADER, signature)],
            body,
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

#[cfg(test)]
mod tests {
    use checkout_core::value::money::Currency;

    use super::*;

    fn kwd(minor: i64) -> Money {
        Money::new(minor, Currency::parse("KWD").unwrap()).unwrap()
    }

    #[test]
    fn the_last_two_digits_of_the_amount_choose_what_the_bank_does() {
        let of = |operation, minor, is_queuing| course(operation, kwd(minor), is_queuing);
        assert_eq!(of(ChildOperation::Refund, 10_000, false).status, Status::Done);
        assert_eq!(of(ChildOperation::Refund, 10_000, true).status, Status::Queued);
        assert_eq!(of(ChildOperation::Capture, 10_000, true).status, Status::Done);
        assert_eq!(of(ChildOperation::Refund, 10_011, false).manner, Manner::Refused);
        assert_eq!(of(ChildOperation::Refund, 10_013, false).ends_as, Status::Refused);
        assert_eq!(of(ChildOperation::Capture, 10_013, false).status, Status::Done);
        assert_eq!(of(ChildOperation::Refund, 10_015, false).status, Status::Queued);
        assert_eq!(of(ChildOperation::Void, 10_017, false).manner, Manner::Silent);
        assert_eq!(of(ChildOperation::Void, 10_019, false).manner, Manner::Failing);
        assert_eq!(of(ChildOperation::Capture, 10_023, false).manner, Manner::Lost);
    }
}
