//! Requests for approval, in memory.

use alloc::vec::Vec;
use core::cmp::Reverse;

use super::{MemoryStore, Rows, failed, first};
use crate::approval::{Approval, stage};
use crate::change::{ApprovalWrite, Change};
use crate::port::{ApprovalSearch, Approvals, CommitError, FirstApprovals, PortError};
use crate::value::id::{MerchantId, ReferenceNumber};

impl Rows {
    /// Whether the request for approval of a change can be written.
    pub(super) fn check_approval(&self, change: &Change) -> Result<(), CommitError> {
        match change.approval.as_deref() {
            None => Ok(()),
            Some(ApprovalWrite::Open(approval)) => self.check_new_approval(approval),
            Some(ApprovalWrite::Update { from, approval }) => {
                self.approvals
                    .get(&approval.id)
                    .filter(|stored| stored.state == *from && stored.hash == approval.hash)
                    .ok_or(CommitError::Conflict)?;
                let to = approval.state;
                if *from != to && !stage::legal_moves().any(|legal| legal == (*from, to)) {
                    return Err(CommitError::Failed(failed("illegal move of approval.state")));
                }
                Ok(())
            }
        }
    }

    fn check_new_approval(&self, approval: &Approval) -> Result<(), CommitError> {
        let is_same = |other: &&Approval| {
            other.is_open() && other.attempt == approval.attempt && other.operation == approval.operation
        };
        if self.approvals.contains_key(&approval.id) {
            return Err(CommitError::Failed(failed("the id of the request is taken")));
        }
        if self.approvals.values().any(|other| is_same(&other)) {
            return Err(CommitError::Conflict);
        }
        let key = approval.tracking_key.as_deref();
        let is_taken = key.is_some_and(|key| self.find_tracked_approval(&approval.merchant, key).is_some());
        if is_taken { Err(CommitError::KeyTaken) } else { Ok(()) }
    }

    /// Writes the request of a change: what is to be approved is frozen.
    pub(super) fn write_approval(&mut self, change: &Change) {
        let Some(next) = change.approval.as_deref().map(ApprovalWrite::approval) else { return };
        let written = match self.approvals.remove(&next.id) {
            None => next.clone(),
            Some(frozen) => Approval {
                state: next.state,
                decided: next.decided.clone(),
                failure: next.failure.clone(),
                reference: next.reference.clone(),
                changed_at: next.changed_at,
                ..frozen
            },
        };
        self.approvals.insert(written.id.clone(), written);
    }

    fn find_tracked_approval(&self, merchant: &MerchantId, key: &str) -> Option<&Approval> {
        let mut all = self.approvals.values();
        all.find(|one| one.merchant == *merchant && one.tracking_key.as_deref() == Some(key))
    }
}

impl Approvals for MemoryStore {
    async fn approval(&self, id: &ReferenceNumber) -> Result<Option<Approval>, PortError> {
        Ok(self.rows.borrow().approvals.get(id).cloned())
    }

    async fn tracked_approval(
        &self,
        merchant: &MerchantId,
        key: &str,
    ) -> Result<Option<Approval>, PortError> {
        Ok(self.rows.borrow().find_tracked_approval(merchant, key).cloned())
    }

    async fn find_approvals(&self, search: &ApprovalSearch) -> Result<Vec<Approval>, PortError> {
        let rows = self.rows.borrow();
        let is_found = |one: &&Approval| {
            one.merchant == search.merchant
                && search.session_id.as_ref().is_none_or(|wanted| one.session_id == *wanted)
                && search.state.is_none_or(|wanted| one.state == wanted)
                && search.after.as_ref().is_none_or(|(at, id)| (one.asked_at, &one.id) < (*at, id))
        };
        let found = rows.approvals.values().filter(is_found);
        Ok(first(found.map(|one| (Reverse((one.asked_at, one.id.clone())), one.clone())), search.limit))
    }

    async fn first_approvals(&self, merchant: &MerchantId, limit: u32) -> Result<FirstApprovals, PortError> {
        let search = |state| ApprovalSearch {
            merchant: merchant.clone(),
            session_id: None,
            state,
            after: None,
            limit,
        };
        let waiting = self.find_approvals(&search(Some(stage::ApprovalState::Asked))).await?;
        Ok(FirstApprovals { waiting, all: self.find_approvals(&search(None)).await? })
    }
}
