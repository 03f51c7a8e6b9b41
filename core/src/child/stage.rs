//! The life of one operation: what was asked of the gateway, and what it answered.
//!
//! Unknown is not failed: what may have moved money stays open, keeps its amount reserved, and is asked about
//! until the gateway answers. Only a refund can be *queued*: the gateway accepted it and will confirm it
//! later.

use core::fmt;

use crate::words::{ChildOperation, ChildState, pairs, word_list};

word_list! {
    /// The stage of an operation.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum OperationStage {
        /// Recorded; the request to the gateway may or may not have left.
        Sending = "sending",
        /// The gateway may have done it, and has not said so; it is asked until it does.
        Unknown = "unknown",
        /// The gateway accepted the refund and will confirm it later.
        Queued = "queued",
        /// The gateway did it.
        Done = "done",
        /// The gateway refused a refund that it had queued.
        Rejected = "rejected",
        /// The gateway refused it at once, or certainly never got it. No child transaction remains.
        Refused = "refused",
    }
}

word_list! {
    /// What is learned about an operation.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum OperationFact {
        /// The gateway did it.
        Confirmed = "confirmed",
        /// The gateway accepted a refund and will confirm it later.
        Accepted = "accepted",
        /// The gateway did not do it and will not.
        Denied = "denied",
        /// No certain answer came: it may have been done.
        AnswerLost = "answer_lost",
        /// The request certainly never reached the gateway.
        NeverSent = "never_sent",
    }
}

/// The stage after a fact; `None` if the fact says nothing new or cannot be true of an operation in this
/// stage.
///
/// What is done stays done, and what was refused stays refused, except after a confirmation: money that moved
/// is always recorded.
#[must_use]
pub fn advance(
    operation: ChildOperation,
    stage: OperationStage,
    fact: OperationFact,
) -> Option<OperationStage> {
    let next = match stage {
        OperationStage::Sending | OperationStage::Unknown => match fact {
            OperationFact::Confirmed => OperationStage::Done,
            OperationFact::Accepted if operation == ChildOperation::Refund => OperationStage::Queued,
            // Only refunds are queued: for anything else such an answer says nothing certain.
            OperationFact::Accepted | OperationFact::AnswerLost => OperationStage::Unknown,
            OperationFact::Denied | OperationFact::NeverSent => OperationStage::Refused,
        },
        OperationStage::Queued => match fact {
            OperationFact::Confirmed => OperationStage::Done,
            OperationFact::Denied => OperationStage::Rejected,
            OperationFact::Accepted | OperationFact::AnswerLost | OperationFact::NeverSent => return None,
        },
        OperationStage::Rejected | OperationStage::Refused => match fact {
            OperationFact::Confirmed => OperationStage::Done,
            OperationFact::Accepted
            | OperationFact::Denied
            | OperationFact::AnswerLost
            | OperationFact::NeverSent => return None,
        },
        OperationStage::Done => return None,
    };
    (next != stage).then_some(next)
}

impl OperationStage {
    /// Whether its outcome is still to come. Until then its amount is reserved.
    #[must_use]
    pub const fn is_open(self) -> bool {
        matches!(self, Self::Sending | Self::Unknown | Self::Queued)
    }

    /// The state of the child transaction in the API; `None` if there is none, because nothing is certain yet
    /// or nothing came of it. A refund whose outcome is unknown shows like one that is queued: it will be
    /// confirmed or refused.
    #[must_use]
    pub const fn state(self, operation: ChildOperation) -> Option<ChildState> {
        match (operation, self) {
            (ChildOperation::Capture, Self::Done) => Some(ChildState::Paid),
            (ChildOperation::Void, Self::Done) => Some(ChildState::Voided),
            (ChildOperation::Refund, Self::Done) => Some(ChildState::Refunded),
            (ChildOperation::Refund, Self::Unknown | Self::Queued) => Some(ChildState::RefundQueued),
            (ChildOperation::Refund, Self::Rejected) => Some(ChildState::RefundRejected),
            (ChildOperation::Refund, Self::Sending | Self::Refused)
            | (
                ChildOperation::Capture | ChildOperation::Void,
                Self::Sending | Self::Unknown | Self::Queued | Self::Rejected | Self::Refused,
            ) => None,
        }
    }
}

impl fmt::Display for OperationStage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Every pair of different stages between which some fact moves an operation.
pub fn legal_moves() -> impl Iterator<Item = (OperationStage, OperationStage)> {
    pairs(OperationStage::ALL, |from, to| {
        ChildOperation::ALL.into_iter().any(|operation| {
            OperationFact::ALL.into_iter().any(|fact| advance(operation, from, fact) == Some(to))
        })
    })
}
