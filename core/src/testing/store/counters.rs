//! What is counted so that it can be limited.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::{MemoryStore, Rows};
use crate::attempt::Attempt;
use crate::change::{AttemptWrite, Change};
use crate::payment::card_testing::{MOST_TRIED, TriedPayment, of_address};
use crate::port::{CommitError, Counters, Payers, PortError};
use crate::value::id::{MerchantId, ReferenceNumber};
use crate::value::time::Timestamp;

impl Rows {
    /// Stores who tries the attempt that a change opens.
    pub(super) fn write_payer(&mut self, change: &Change) {
        if let (Some(AttemptWrite::Open(attempt)), Some(payer)) = (&change.attempt, &change.payer) {
            self.payers.insert(attempt.reference.clone(), payer.payer.clone());
        }
    }

    /// The attempt is stored only while its payer is below the limits.
    pub(super) fn check_payer(&self, change: &Change) -> Result<(), CommitError> {
        let Some(claim) = &change.payer else { return Ok(()) };
        let merchant = &change.transaction.merchant;
        let tried = self.tried_by(merchant, &claim.payer, claim.since(), MOST_TRIED);
        match of_address(&tried, &claim.limits, claim.at) {
            Some(_) => Err(CommitError::Conflict),
            None => Ok(()),
        }
    }

    fn tried_by(
        &self,
        merchant: &MerchantId,
        payer: &str,
        since: Timestamp,
        limit: u32,
    ) -> Vec<TriedPayment> {
        let found = self
            .by_age(|attempt, by| attempt.merchant == *merchant && by == payer && attempt.opened_at > since);
        let tried: Vec<TriedPayment> = found.into_iter().filter_map(TriedPayment::of).collect();
        let left_out = tried.len().saturating_sub(usize::try_from(limit).unwrap_or(usize::MAX));
        tried.into_iter().skip(left_out).collect()
    }

    fn by_age(&self, is_it: impl Fn(&Attempt, &str) -> bool) -> Vec<&Attempt> {
        let known = self.payers.iter().filter_map(|(reference, payer)| {
            self.attempts.get(reference).filter(|attempt| is_it(attempt, payer))
        });
        let mut found: Vec<&Attempt> = known.collect();
        found.sort_by_key(|attempt| attempt.opened_at);
        found
    }
}

impl Payers for MemoryStore {
    async fn tried_by(
        &self,
        merchant: &MerchantId,
        payer: &str,
        since: Timestamp,
        limit: u32,
    ) -> Result<Vec<TriedPayment>, PortError> {
        Ok(self.rows.borrow().tried_by(merchant, payer, since, limit))
    }

    async fn delete_payers(&self, before: Timestamp, limit: u32) -> Result<u32, PortError> {
        let mut rows = self.rows.borrow_mut();
        let over = rows.by_age(|attempt, _| attempt.opened_at < before).into_iter();
        let over: Vec<ReferenceNumber> = over
            .take(usize::try_from(limit).unwrap_or(usize::MAX))
            .map(|attempt| attempt.reference.clone())
            .collect();
        let deleted = u32::try_from(over.len()).unwrap_or(u32::MAX);
        for reference in over {
            rows.payers.remove(&reference);
        }
        Ok(deleted)
    }
}

impl Counters for MemoryStore {
    async fn count_calls(&self, caller: &str, day: i64, calls: u32) -> Result<u32, PortError> {
        let mut rows = self.rows.borrow_mut();
        let count = rows.calls.entry((day, caller.to_string())).or_default();
        *count = count.saturating_add(calls);
        Ok(*count)
    }

    async fn delete_calls(&self, day: i64, limit: u32) -> Result<u32, PortError> {
        let mut rows = self.rows.borrow_mut();
        let over = rows.calls.keys().filter(|(counted, _)| *counted < day);
        let over: Vec<(i64, String)> =
            over.take(usize::try_from(limit).unwrap_or(usize::MAX)).cloned().collect();
        let deleted = u32::try_from(over.len()).unwrap_or(u32::MAX);
        for key in over {
            rows.calls.remove(&key);
        }
        Ok(deleted)
    }
}
