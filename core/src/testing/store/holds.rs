//! Until when held money can be captured, in memory.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use super::{MemoryStore, Rows, first};
use crate::attempt::hold::{CaptureDeadline, HoldWrite};
use crate::change::Change;
use crate::port::{Due, Holds, PortError};
use crate::record::attention::{Attention, Reason, Resolved};
use crate::value::id::SessionId;
use crate::value::time::Timestamp;

/// The deadlines of what is held.
pub(super) type Captures = BTreeMap<SessionId, CaptureDeadline>;

impl Rows {
    pub(super) fn write_hold(&mut self, change: &Change) {
        match change.hold.as_deref() {
            None => {}
            Some(HoldWrite::Begin(deadline)) => {
                self.captures.insert(deadline.session_id.clone(), deadline.clone());
            }
            Some(HoldWrite::End(reference)) => {
                self.captures.retain(|_, deadline| deadline.reference != *reference);
                let at = change.at.minus(self.offset_of(&change.transaction.merchant));
                let key = (reference.clone(), Reason::CaptureDue.as_str());
                if let Some(open) = self.attention.get_mut(&key).filter(|one| one.closed.is_none()) {
                    open.closed = Some(Resolved { at, note: None });
                }
            }
        }
    }

    /// Closes what the list says of an agreement that a transaction paused.
    pub(super) fn close_pause(&mut self, session_id: &SessionId, at: Timestamp) {
        for stored in self.attention.values_mut() {
            let is_of_pause = stored.entry.reason == Reason::AgreementPaused
                && stored.entry.session_id.as_ref() == Some(session_id);
            if is_of_pause && stored.closed.is_none() {
                stored.closed = Some(Resolved { at, note: None });
            }
        }
    }

    fn due_captures(&self, due: &Due<'_>) -> Vec<CaptureDeadline> {
        let is_due = |row: &&CaptureDeadline| {
            row.remind_at.is_some_and(|at| at <= due.now) && self.is_looked_at(due, &row.merchant)
        };
        let found = self.captures.values().filter(is_due);
        first(found.map(|row| ((row.remind_at, &row.session_id), row.clone())), due.limit)
    }
}

impl Holds for MemoryStore {
    async fn capture_deadline(&self, session_id: &SessionId) -> Result<Option<CaptureDeadline>, PortError> {
        Ok(self.rows.borrow().captures.get(session_id).cloned())
    }

    async fn due_captures(&self, due: Due<'_>) -> Result<Vec<CaptureDeadline>, PortError> {
        Ok(self.rows.borrow().due_captures(&due))
    }

    async fn remind_of_captures(&self, reminders: &[Attention]) -> Result<(), PortError> {
        let mut rows = self.rows.borrow_mut();
        for entry in reminders {
            let row = entry.session_id.as_ref().and_then(|id| rows.captures.get_mut(id));
            if row.is_some_and(|row| row.remind_at.take().is_some()) {
                rows.flag(entry);
            }
        }
        Ok(())
    }
}
