//! Operations on payments, in memory.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use super::{MemoryStore, Rows, failed, first};
use crate::approval::day::RefundDay;
use crate::change::{Change, ChildWrite, EventKind};
use crate::child::Child;
use crate::child::stage::{self, OperationStage};
use crate::operation::begin::Books;
use crate::operation::standing::Standing;
use crate::port::{Bookkeeping, CommitError, Due, DueRow, PortError};
use crate::state::Event;
use crate::transaction::listing::Listing;
use crate::value::id::{MerchantId, ReferenceNumber, SessionId};
use crate::value::money::SumOfMoney;
use crate::value::time::Timestamp;

impl Rows {
    /// Whether the operation of a change can be written.
    pub(super) fn check_child(&self, write: &ChildWrite) -> Result<(), CommitError> {
        match write {
            ChildWrite::Open(child) => self.check_new_child(child),
            ChildWrite::Update { from, child } => self.check_child_move(*from, child),
        }
    }

    fn check_new_child(&self, child: &Child) -> Result<(), CommitError> {
        let mut others = self.children.values();
        if self.children.contains_key(&child.reference) || !self.attempts.contains_key(&child.attempt) {
            return Err(CommitError::Failed(failed(
                "the reference of the operation is taken, or its attempt is not",
            )));
        }
        if others.any(|other| other.parent == child.parent && other.number == child.number) {
            return Err(CommitError::Conflict);
        }
        let is_taken = child
            .tracking_key
            .as_deref()
            .is_some_and(|key| self.find_tracked(&child.merchant, key).is_some());
        if is_taken { Err(CommitError::KeyTaken) } else { Ok(()) }
    }

    fn check_child_move(&self, from: OperationStage, child: &Child) -> Result<(), CommitError> {
        self.children
            .get(&child.reference)
            .filter(|stored| stored.stage == from && stored.parent == child.parent)
            .ok_or(CommitError::Conflict)?;
        let to = child.stage;
        if from != to && !stage::legal_moves().any(|legal| legal == (from, to)) {
            return Err(CommitError::Failed(failed("illegal move of child.stage")));
        }
        Ok(())
    }

    /// Writes the operation of a change: what it moves is frozen.
    pub(super) fn write_child(&mut self, child: &Child) {
        let written = match self.children.remove(&child.reference) {
            None => child.clone(),
            Some(frozen) => Child {
                session_id: frozen.session_id,
                parent: frozen.parent,
                merchant: frozen.merchant,
                number: frozen.number,
                attempt: frozen.attempt,
                operation: frozen.operation,
                amount: frozen.amount,
                pg_code: frozen.pg_code,
                is_sandbox: frozen.is_sandbox,
                extra: frozen.extra,
                initiator: frozen.initiator,
                opened_at: frozen.opened_at,
                ..child.clone()
            },
        };
        self.lost.remove(&written.reference);
        self.children.insert(written.reference.clone(), written);
    }

    fn find_tracked(&self, merchant: &MerchantId, key: &str) -> Option<&Child> {
        let mut children = self.children.values();
        children.find(|child| child.merchant == *merchant && child.tracking_key.as_deref() == Some(key))
    }

    /// The refund of a change is stored only while it fits the day of who begins it.
    pub(super) fn check_refund(&self, change: &Change) -> Result<(), CommitError> {
        match &change.refund {
            Some(claim) if self.refunded(&claim.day) > claim.most_before => Err(CommitError::Conflict),
            Some(_) | None => Ok(()),
        }
    }

    /// The attempt whose success moved the transaction.
    pub(super) fn settled_by(&self, session_id: &SessionId) -> Option<&ReferenceNumber> {
        let mut events = self.events.iter().filter(|event| event.session_id == *session_id);
        let settled =
            events.find(|event| matches!(event.kind, EventKind::Moved(Event::AttemptSucceeded(_))))?;
        settled.attempt.as_ref().map(|attempt| &attempt.reference)
    }

    fn books(&self, session_id: &SessionId) -> Option<Books> {
        let of_parent = self.children.values().filter(|child| child.parent == *session_id);
        let children = of_parent.map(|child| (child.number, child.clone()));
        Some(Books {
            transaction: self.transactions.get(session_id)?.clone(),
            settled: self.settled_by(session_id).and_then(|reference| self.attempts.get(reference)).cloned(),
            children: first(children, u32::MAX),
        })
    }

    pub(super) fn standing_of(&self, session_id: &SessionId) -> Option<Standing> {
        let settled = self.settled_by(session_id).and_then(|reference| self.attempts.get(reference));
        let of_transaction = self.attempts.values().filter(|attempt| attempt.session_id == *session_id);
        let attempt = settled.or_else(|| of_transaction.max_by_key(|attempt| attempt.number))?;
        Some(Standing { attempt: attempt.clone(), children: self.books(session_id)?.children })
    }
}

impl Bookkeeping for MemoryStore {
    async fn books(&self, session_id: &SessionId) -> Result<Option<Books>, PortError> {
        Ok(self.rows.borrow().books(session_id))
    }

    async fn standings(
        &self,
        session_ids: &[&SessionId],
    ) -> Result<BTreeMap<SessionId, Standing>, PortError> {
        let rows = self.rows.borrow();
        let found = session_ids.iter().filter_map(|id| Some(((*id).clone(), rows.standing_of(id)?)));
        Ok(found.collect())
    }

    async fn table_rows(&self, listing: &Listing) -> Result<u64, PortError> {
        Ok(self.rows.borrow().table_rows(listing))
    }

    async fn child(&self, reference: &ReferenceNumber) -> Result<Option<Child>, PortError> {
        Ok(self.rows.borrow().children.get(reference).cloned())
    }

    async fn tracked(&self, merchant: &MerchantId, key: &str) -> Result<Option<Child>, PortError> {
        Ok(self.rows.borrow().find_tracked(merchant, key).cloned())
    }

    async fn refunded(&self, day: &RefundDay) -> Result<SumOfMoney, PortError> {
        Ok(SumOfMoney::new(self.rows.borrow().refunded(day), day.currency))
    }

    async fn due_operations(&self, due: Due<'_>) -> Result<Vec<DueRow<ReferenceNumber>>, PortError> {
        Ok(self.rows.borrow().due_operations(&due))
    }

    async fn postpone_operation(
        &self,
        reference: &ReferenceNumber,
        until: Timestamp,
    ) -> Result<(), PortError> {
        let mut rows = self.rows.borrow_mut();
        let open = rows.children.get_mut(reference).filter(|child| child.is_open());
        if let Some(child) = open.filter(|child| child.inquire_at.is_some()) {
            child.inquire_at = Some(until);
        }
        Ok(())
    }

    async fn claim_operation(
        &self,
        reference: &ReferenceNumber,
        due_at: Timestamp,
        until: Timestamp,
    ) -> Result<Option<u32>, PortError> {
        let mut rows = self.rows.borrow_mut();
        let open = rows.children.get_mut(reference).filter(|child| child.is_open());
        let Some(child) = open.filter(|child| child.inquire_at == Some(due_at)) else { return Ok(None) };
        child.inquire_at = Some(until);
        Ok(Some(rows.count_lost(reference)))
    }

    async fn end_operation_inquiries(&self, reference: &ReferenceNumber) -> Result<(), PortError> {
        if let Some(child) = self.rows.borrow_mut().children.get_mut(reference) {
            child.inquire_at = None;
        }
        Ok(())
    }
}
