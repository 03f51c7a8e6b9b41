//! What tests read of the store in memory.

use alloc::vec::Vec;

use super::{Event, MemoryStore, StoredDelivery};
use crate::attempt::Attempt;
use crate::child::Child;
use crate::transaction::Transaction;
use crate::value::id::{ReferenceNumber, SessionId};
use crate::value::time::Timestamp;

impl MemoryStore {
    /// The event log of a transaction, in order.
    #[must_use]
    pub fn events(&self, session_id: &SessionId) -> Vec<Event> {
        self.rows.borrow().events.iter().filter(|event| event.session_id == *session_id).cloned().collect()
    }

    /// The attempts of a transaction, in order.
    #[must_use]
    pub fn attempts(&self, session_id: &SessionId) -> Vec<Attempt> {
        let rows = self.rows.borrow();
        let mut attempts: Vec<Attempt> =
            rows.attempts.values().filter(|attempt| attempt.session_id == *session_id).cloned().collect();
        attempts.sort_by_key(|attempt| attempt.number);
        attempts
    }

    /// Whether strangers had asked about an attempt so often that their next question only hastened the planned one, to this
    /// moment.
    #[must_use]
    pub fn was_hastened(&self, reference: &ReferenceNumber, planned: Timestamp) -> bool {
        self.rows.borrow().asked.get(reference).is_some_and(|paid_until| *paid_until > planned)
    }

    /// The operations of a transaction, in order.
    #[must_use]
    pub fn children(&self, session_id: &SessionId) -> Vec<Child> {
        let rows = self.rows.borrow();
        let mut children: Vec<Child> =
            rows.children.values().filter(|child| child.parent == *session_id).cloned().collect();
        children.sort_by_key(|child| child.number);
        children
    }

    /// The messages about a transaction, in order.
    #[must_use]
    pub fn deliveries(&self, session_id: &SessionId) -> Vec<StoredDelivery> {
        let rows = self.rows.borrow();
        let about = |row: &&StoredDelivery| row.message.subject.session_id.as_ref() == Some(session_id);
        let mut deliveries: Vec<StoredDelivery> = rows.deliveries.values().filter(about).cloned().collect();
        deliveries.sort_by_key(|row| row.message.id.number());
        deliveries
    }

    /// Every transaction, in the order of the session ids.
    #[must_use]
    pub fn transactions(&self) -> Vec<Transaction> {
        self.rows.borrow().transactions.values().cloned().collect()
    }
}
