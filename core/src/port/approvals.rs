//! Requests for approval. They are stored with the [`Change`](crate::change::Change) that they belong to.

use alloc::vec::Vec;

use super::PortError;
use crate::approval::Approval;
use crate::approval::stage::ApprovalState;
use crate::value::id::{MerchantId, ReferenceNumber, SessionId};
use crate::value::slot::{Slot, Slotted};
use crate::value::time::Timestamp;

/// Which requests are looked for, the newest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApprovalSearch {
    /// The merchant.
    pub merchant: MerchantId,
    /// Only about this transaction.
    pub session_id: Option<SessionId>,
    /// Only in this state.
    pub state: Option<ApprovalState>,
    /// Only after this one in the order.
    pub after: Option<(Timestamp, ReferenceNumber)>,
    /// At most so many.
    pub limit: u32,
}

impl Slotted for ApprovalSearch {
    fn slot(&self) -> Slot {
        self.session_id.as_ref().map_or_else(|| self.merchant.slot(), SessionId::slot)
    }
}

/// The newest requests of a merchant.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FirstApprovals {
    /// Those that wait for a decision.
    pub waiting: Vec<Approval>,
    /// All of them.
    pub all: Vec<Approval>,
}

/// The requests for approval.
pub trait Approvals {
    /// The request with an id.
    ///
    /// # Errors
    /// If the store fails or contains a row that cannot be read.
    async fn approval(&self, id: &ReferenceNumber) -> Result<Option<Approval>, PortError>;

    /// The request that a merchant made under a tracking key.
    ///
    /// # Errors
    /// As [`approval`](Self::approval).
    async fn tracked_approval(&self, merchant: &MerchantId, key: &str)
    -> Result<Option<Approval>, PortError>;

    /// A page of a merchant's requests.
    ///
    /// # Errors
    /// As [`approval`](Self::approval).
    async fn find_approvals(&self, search: &ApprovalSearch) -> Result<Vec<Approval>, PortError>;

    /// The newest of a merchant's requests that wait for a decision, and the newest of all, at most so many of each.
    ///
    /// # Errors
    /// As [`approval`](Self::approval).
    async fn first_approvals(&self, merchant: &MerchantId, limit: u32) -> Result<FirstApprovals, PortError>;
}
