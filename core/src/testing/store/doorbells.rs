//! For which rows a doorbell was rung.

use alloc::string::ToString;
use alloc::vec::Vec;

use super::{MemoryStore, Rows};
use crate::port::{Doorbell, Doorbells, Due, PortError};
use crate::record::attention::{Attention, Reason};
use crate::record::facts::{FactCode, Facts};
use crate::value::time::Timestamp;

impl Rows {
    /// Whether no doorbell was rung for a row lately.
    pub(super) fn is_unrung(&self, due: &Due<'_>, id: &str) -> bool {
        let rung_at = self.doorbells.get(id);
        due.unrung_since.is_none_or(|since| rung_at.is_none_or(|rung_at| *rung_at <= since))
    }

    fn unprocessed(&self, bell: &Doorbell, at: Timestamp) -> Option<Attention> {
        let (merchant, session_id, reference) = match bell {
            Doorbell::Cleaning(_) => return None,
            Doorbell::Delivery(id) => {
                let row = self.deliveries.get(id).filter(|row| row.state == super::DeliveryState::Due)?;
                let message = Some(&row.message).filter(|message| !message.kind.is_alert())?;
                let subject = &message.subject;
                (message.merchant.clone(), subject.session_id.clone(), subject.reference.clone())
            }
            Doorbell::Attempt(turn) => {
                let attempt = self.attempts.get(&turn.item).filter(|attempt| attempt.inquire_at.is_some())?;
                (attempt.merchant.clone(), Some(attempt.session_id.clone()), attempt.reference.clone())
            }
            Doorbell::Operation(turn) => {
                let child = self.children.get(&turn.item).filter(|child| child.inquire_at.is_some())?;
                (child.merchant.clone(), Some(child.parent.clone()), child.reference.clone())
            }
            Doorbell::Expiry(turn) => {
                let transaction = self.transactions.get(&turn.item).filter(|one| one.state.is_payable())?;
                let attempt = self.latest_attempt(&turn.item)?;
                (transaction.merchant.clone(), Some(turn.item.clone()), attempt.reference.clone())
            }
        };
        let detail = Facts::default().and(FactCode::NotProcessed, &[bell.id()]);
        Some(Attention { merchant, session_id, reference, reason: Reason::NotProcessed, detail, at })
    }
}

impl Doorbells for MemoryStore {
    async fn note_rung(&self, ids: &[&str], at: Timestamp) -> Result<(), PortError> {
        self.rows.borrow_mut().doorbells.extend(ids.iter().map(|id| (id.to_string(), at)));
        Ok(())
    }

    async fn unring(&self, ids: &[&str]) -> Result<(), PortError> {
        self.rows.borrow_mut().doorbells.retain(|id, _| !ids.contains(&id.as_str()));
        Ok(())
    }

    async fn delete_rung(&self, before: Timestamp, limit: u32) -> Result<u32, PortError> {
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let mut rows = self.rows.borrow_mut();
        let old = rows.doorbells.iter().filter(|(_, at)| **at < before).map(|(id, _)| id.clone());
        let old: Vec<_> = old.take(limit).collect();
        for id in &old {
            rows.doorbells.remove(id);
        }
        Ok(u32::try_from(old.len()).unwrap_or(u32::MAX))
    }

    async fn flag_unprocessed(&self, bell: &Doorbell, at: Timestamp) -> Result<bool, PortError> {
        let mut rows = self.rows.borrow_mut();
        let Some(entry) = rows.unprocessed(bell, at) else { return Ok(false) };
        let is_new = !rows.attention.contains_key(&(entry.reference.clone(), entry.reason.as_str()));
        rows.flag(&entry);
        Ok(is_new)
    }
}
