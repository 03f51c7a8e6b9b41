//! Auto debits that are tried again, and agreements that are paused.

use alloc::string::ToString;
use alloc::vec::Vec;

use super::due::by_turns;
use super::{MemoryStore, Rows};
use crate::attempt::Attempt;
use crate::attempt::stage::Stage;
use crate::card::agreement::{AgreementKey, Pause, SavedAgreement};
use crate::card::ladder::{LIMITS, Ladder, LadderWrite, MOST_TRIES, free_at};
use crate::card::usage::CardUse;
use crate::card::{CardToken, Holder};
use crate::change::Change;
use crate::port::{CommitError, Due, DueRow, Ladders, Pausing, PortError};
use crate::record::audit::Entry;
use crate::value::id::{MerchantId, SessionId};
use crate::value::time::Timestamp;

impl Rows {
    fn tried(&self, merchant: &MerchantId, card: &CardToken, since: Timestamp) -> Vec<Timestamp> {
        let is_of_card = |attempt: &&Attempt| {
            attempt.merchant == *merchant
                && matches!(&attempt.card, CardUse::Charge(token, _) if token == card)
                && attempt.stage != Stage::Success
                && attempt.opened_at > since
        };
        let mut tried: Vec<_> =
            self.attempts.values().filter(is_of_card).map(|attempt| attempt.opened_at).collect();
        tried.sort();
        tried.reverse();
        tried.truncate(usize::try_from(MOST_TRIES).unwrap_or(usize::MAX));
        tried
    }

    /// An attempt that nobody asked for is stored only while its card is within the limits.
    pub(super) fn check_retry(&self, change: &Change) -> Result<(), CommitError> {
        let Some(claim) = &change.retry else { return Ok(()) };
        let since = LIMITS.into_iter().map(|(window, _)| claim.at.minus(window)).min().unwrap_or(claim.at);
        let tried = self.tried(&change.transaction.merchant, &claim.card, since);
        if free_at(&tried, claim.at) > claim.at { Err(CommitError::Conflict) } else { Ok(()) }
    }

    pub(super) fn write_ladder(&mut self, change: &Change) {
        match change.ladder.as_deref() {
            None => {}
            Some(LadderWrite::Wait(ladder)) => {
                self.ladders.insert(ladder.session_id.clone(), ladder.clone());
            }
            Some(LadderWrite::End(paused)) => {
                self.ladders.remove(&change.transaction.session_id);
                if let Some((key, pause)) = paused {
                    let at = change.at.minus(self.offset_of(&change.transaction.merchant));
                    self.pause(key, pause, at);
                }
            }
        }
    }

    fn pause(&mut self, key: &AgreementKey, pause: &Pause, at: Timestamp) {
        self.end_pause(key, at);
        if let Some(stored) = self.agreements.get_mut(key) {
            stored.paused = Some(pause.clone());
        }
    }

    /// Whether the agreement was paused.
    pub(super) fn end_pause(&mut self, key: &AgreementKey, at: Timestamp) -> bool {
        let paused = self.agreements.get_mut(key).and_then(|stored| stored.paused.take());
        if let Some(paused) = &paused {
            self.close_pause(&paused.session_id, at);
        }
        paused.is_some()
    }

    fn due_ladders(&self, due: &Due<'_>) -> Vec<DueRow<SessionId>> {
        let is_due = |row: &&Ladder| row.next_at <= due.now && self.is_looked_at(due, &row.merchant);
        let found = self.ladders.values().filter(is_due).map(|row| {
            let (item, merchant) = (row.session_id.clone(), row.merchant.clone());
            ((false, row.next_at), DueRow { item, merchant, lane: row.pg_code.to_string(), family: None })
        });
        by_turns(due, found)
    }
}

impl Ladders for MemoryStore {
    async fn ladder(&self, session_id: &SessionId) -> Result<Option<Ladder>, PortError> {
        Ok(self.rows.borrow().ladders.get(session_id).cloned())
    }

    async fn due_ladders(&self, due: Due<'_>) -> Result<Vec<DueRow<SessionId>>, PortError> {
        Ok(self.rows.borrow().due_ladders(&due))
    }

    async fn claim_ladder(
        &self,
        session_id: &SessionId,
        due_at: Timestamp,
        until: Timestamp,
    ) -> Result<bool, PortError> {
        let mut rows = self.rows.borrow_mut();
        let Some(row) = rows.ladders.get_mut(session_id).filter(|row| row.next_at == due_at) else {
            return Ok(false);
        };
        row.next_at = until;
        Ok(true)
    }

    async fn end_ladder(
        &self,
        session_id: &SessionId,
        until: Timestamp,
        paused: Option<&Pausing>,
    ) -> Result<(), PortError> {
        let mut rows = self.rows.borrow_mut();
        if rows.ladders.get(session_id).is_none_or(|row| row.next_at != until) {
            return Ok(());
        }
        rows.ladders.remove(session_id);
        if let Some(Pausing { key, pause, entry }) = paused {
            let at = entry.at.minus(rows.offset_of(&entry.merchant));
            rows.pause(key, pause, at);
            rows.flag(entry);
        }
        Ok(())
    }

    async fn tried_debits(
        &self,
        holder: &Holder,
        card: &CardToken,
        since: Timestamp,
    ) -> Result<Vec<Timestamp>, PortError> {
        Ok(self.rows.borrow().tried(&holder.merchant, card, since))
    }

    async fn agreements(&self, holder: &Holder, limit: u32) -> Result<Vec<SavedAgreement>, PortError> {
        let rows = self.rows.borrow();
        let keys = rows.agreements.keys().filter(|key| key.holder == *holder);
        let most = usize::try_from(limit).unwrap_or(usize::MAX);
        Ok(keys.filter_map(|key| rows.agreement(key)).take(most).collect())
    }

    async fn resume_agreement(&self, key: &AgreementKey, entry: &Entry) -> Result<bool, PortError> {
        let mut rows = self.rows.borrow_mut();
        let was_paused = rows.end_pause(key, entry.at);
        Ok(rows.journal_if(was_paused, entry))
    }
}
