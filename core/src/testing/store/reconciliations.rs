//! Reconciliations, in memory.

use alloc::vec::Vec;

use super::attention::StoredAttention;
use super::{MemoryStore, Rows, first, record};
use crate::attempt::Attempt;
use crate::attempt::stage::Stage;
use crate::port::{Due, PortError, Reconciliations, Record, RecordedCharge, StepFindings, Unsettled};
use crate::reconciliation::Reconciliation;
use crate::record::attention::Attention;
use crate::value::id::{MerchantId, ReferenceNumber};
use crate::value::time::Timestamp;

impl Rows {
    /// A gateway is reconciled from its first attempt on; cash is not, because there is no gateway to ask.
    pub(super) fn begin_reconciliation(&mut self, attempt: &Attempt) {
        if attempt.stage == Stage::Cod {
            return;
        }
        let real = attempt.opened_at.minus(self.offset_of(&attempt.merchant));
        let key = (attempt.merchant.clone(), attempt.pg_code.clone());
        self.reconciliations.entry(key).or_insert_with(|| {
            let (merchant, pg_code) = (attempt.merchant.clone(), attempt.pg_code.clone());
            let new = Reconciliation::new(merchant, pg_code, attempt.opened_at, real);
            Reconciliation { version: 1, ..new }
        });
    }

    /// Records a difference; one that was closed is opened again if it is another difference now.
    fn flag_difference(&mut self, entry: &Attention) {
        let key = (entry.reference.clone(), entry.reason.as_str());
        let listed = self.attention.get(&key).is_some_and(|listed| listed.entry.detail == entry.detail);
        if !listed {
            self.attention.insert(key, StoredAttention::new(entry.clone()));
        }
    }

    fn with_children(&self, reference: &ReferenceNumber) -> Option<RecordedCharge> {
        let attempt = self.attempts.get(reference)?;
        let transaction = self.transactions.get(&attempt.session_id)?;
        let children = self.children.values().filter(|child| child.parent == attempt.session_id).cloned();
        Some(RecordedCharge { record: record(transaction, Some(attempt)), children: children.collect() })
    }
}

impl Reconciliations for MemoryStore {
    async fn due_reconciliations(&self, due: Due<'_>) -> Result<Vec<Reconciliation>, PortError> {
        let rows = self.rows.borrow();
        let found = rows.reconciliations.values();
        let is_due = |row: &&Reconciliation| row.due_at <= due.now && rows.is_looked_at(&due, &row.merchant);
        Ok(first(found.filter(is_due).map(|row| (row.due_at, row.clone())), due.limit))
    }

    async fn reconciliations(&self, merchant: &MerchantId) -> Result<Vec<Reconciliation>, PortError> {
        let rows = self.rows.borrow();
        Ok(rows.reconciliations.values().filter(|row| row.merchant == *merchant).cloned().collect())
    }

    async fn save_reconciliation(
        &self,
        next: &Reconciliation,
        found: &StepFindings,
        _at: Timestamp,
    ) -> Result<bool, PortError> {
        let mut rows = self.rows.borrow_mut();
        rows.reconciled.extend(found.settled.iter().cloned());
        for entry in &found.differences {
            rows.flag_difference(entry);
        }
        let key = (next.merchant.clone(), next.pg_code.clone());
        let stored = rows.reconciliations.get(&key).map_or(0, |stored| stored.version);
        let is_next = stored.saturating_add(1) == next.version;
        if is_next {
            rows.reconciliations.insert(key, next.clone());
        }
        Ok(is_next)
    }

    async fn listed(&self, references: &[ReferenceNumber]) -> Result<Vec<RecordedCharge>, PortError> {
        let rows = self.rows.borrow();
        Ok(references.iter().filter_map(|reference| rows.with_children(reference)).collect())
    }

    async fn unsettled(&self, wanted: Unsettled<'_>) -> Result<Vec<Record>, PortError> {
        let Unsettled { merchant, pg_code, after, until, limit } = wanted;
        let rows = self.rows.borrow();
        let found = rows.attempts.values().filter(|attempt| {
            attempt.merchant == *merchant
                && attempt.pg_code == *pg_code
                && attempt.stage == Stage::Success
                && !rows.reconciled.contains(&attempt.reference)
                && attempt.opened_at > after
                && attempt.opened_at <= until
        });
        let records = found.filter_map(|attempt| {
            let transaction = rows.transactions.get(&attempt.session_id)?;
            Some((attempt.opened_at, record(transaction, Some(attempt))))
        });
        Ok(first(records, limit))
    }
}
