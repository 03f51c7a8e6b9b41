//! The states of a child transaction, the record of one capture, refund or void (specification, Payload fields,
//! `transaction`).

use crate::gateway::Operation;

/// What is done to a payment that succeeded, each with a child transaction of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChildOperation {
    /// Gives money back.
    Refund,
    /// Takes held money.
    Capture,
    /// Releases held money.
    Void,
}

impl ChildOperation {
    /// The words on the wire.
    pub const WORDS: &'static [&'static str] = &["refund", "capture", "void"];

    /// The word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Refund => "refund",
            Self::Capture => "capture",
            Self::Void => "void",
        }
    }

    /// The operation that the word names.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Refund, Self::Capture, Self::Void].into_iter().find(|operation| operation.as_str() == word)
    }

    /// What can follow a payment that charged at once, and one that only held the money.
    #[must_use]
    pub const fn of(operation: Operation) -> &'static [Self] {
        match operation {
            Operation::Purchase => &[Self::Refund],
            Operation::Authorize => &[Self::Capture, Self::Void, Self::Refund],
        }
    }
}

/// The state of a child transaction, as the wire names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChildState {
    /// A capture: held money was taken.
    Paid,
    /// Money was given back.
    Refunded,
    /// The gateway took the refund and will confirm it later.
    RefundQueued,
    /// The gateway refused a queued refund.
    RefundRejected,
    /// Held money was released.
    Voided,
}

/// What the gateway says of a queued refund.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefundAnswer {
    /// The money was given back.
    Confirmed,
    /// The refund was refused.
    Refused,
}

/// The state after the gateway's answer; `None` where the child was not waiting for one.
#[must_use]
pub fn settle(state: ChildState, answer: RefundAnswer) -> Option<ChildState> {
    match (state, answer) {
        (ChildState::RefundQueued, RefundAnswer::Confirmed) => Some(ChildState::Refunded),
        (ChildState::RefundQueued, RefundAnswer::Refused) => Some(ChildState::RefundRejected),
        (
            ChildState::Paid | ChildState::Refunded | ChildState::RefundRejected | ChildState::Voided,
            RefundAnswer::Confirmed | RefundAnswer::Refused,
        ) => None,
    }
}

impl ChildState {
    /// Every state.
    pub const ALL: [Self; 5] =
        [Self::Paid, Self::Refunded, Self::RefundQueued, Self::RefundRejected, Self::Voided];

    /// The word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Paid => "paid",
            Self::Refunded => "refunded",
            Self::RefundQueued => "refund_queued",
            Self::RefundRejected => "refund_rejected",
            Self::Voided => "voided",
        }
    }
}
