//! The life of a request for approval: asked for, decided by persons, and carried out.

use core::fmt;

use crate::child::stage::OperationStage;
use crate::words::{pairs, word_list};

word_list! {
    /// The state of a request for approval.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum ApprovalState {
        /// It waits for those who can approve.
        Asked = "asked",
        /// Enough persons have approved it; the operation is carried out, or its outcome is awaited.
        Approved = "approved",
        /// The gateway did the operation.
        Done = "done",
        /// It was approved, and nothing was moved.
        Failed = "failed",
        /// Someone who can approve refused it.
        Rejected = "rejected",
        /// Who asked for it does not want it any more.
        Withdrawn = "withdrawn",
        /// Nobody decided in time.
        Expired = "expired",
    }
}

word_list! {
    /// What happens to a request for approval.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum ApprovalFact {
        /// The last person who is needed approves it.
        Approved = "approved",
        /// Someone who can approve refuses it.
        Rejected = "rejected",
        /// Who asked for it takes it back.
        Withdrawn = "withdrawn",
        /// Its time is over.
        Expired = "expired",
        /// The gateway did the operation.
        Done = "done",
        /// The operation was not possible, or the gateway did not do it.
        Failed = "failed",
    }
}

/// The state after a fact; `None` if the fact cannot be true of a request in this state.
///
/// Money that moved is always recorded, also after the request was called failed.
#[must_use]
pub fn advance(state: ApprovalState, fact: ApprovalFact) -> Option<ApprovalState> {
    match (state, fact) {
        (ApprovalState::Asked, ApprovalFact::Approved) => Some(ApprovalState::Approved),
        (ApprovalState::Asked, ApprovalFact::Rejected) => Some(ApprovalState::Rejected),
        (ApprovalState::Asked, ApprovalFact::Withdrawn) => Some(ApprovalState::Withdrawn),
        (ApprovalState::Asked, ApprovalFact::Expired) => Some(ApprovalState::Expired),
        (ApprovalState::Approved | ApprovalState::Failed, ApprovalFact::Done) => Some(ApprovalState::Done),
        (ApprovalState::Approved, ApprovalFact::Failed) => Some(ApprovalState::Failed),
        (
            ApprovalState::Asked
            | ApprovalState::Approved
            | ApprovalState::Failed
            | ApprovalState::Done
            | ApprovalState::Rejected
            | ApprovalState::Withdrawn
            | ApprovalState::Expired,
            _,
        ) => None,
    }
}

/// What the stage of the operation that carries out a request says about the request; `None` while its outcome is awaited.
#[must_use]
pub(crate) const fn fact_of(stage: OperationStage) -> Option<ApprovalFact> {
    match stage {
        OperationStage::Done => Some(ApprovalFact::Done),
        OperationStage::Rejected | OperationStage::Refused => Some(ApprovalFact::Failed),
        OperationStage::Sending | OperationStage::Unknown | OperationStage::Queued => None,
    }
}

impl fmt::Display for ApprovalState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Every pair of different states between which some fact moves a request.
pub fn legal_moves() -> impl Iterator<Item = (ApprovalState, ApprovalState)> {
    pairs(ApprovalState::ALL, |from, to| {
        ApprovalFact::ALL.into_iter().any(|fact| advance(from, fact) == Some(to))
    })
}
