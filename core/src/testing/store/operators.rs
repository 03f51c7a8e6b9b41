//! Operators, and what was recorded of changes.

use alloc::borrow::Cow;
use alloc::string::ToString;
use alloc::vec::Vec;

use super::{MemoryStore, Rows, failed};
use crate::access::key::ApiKey;
use crate::access::operator::Operator;
use crate::port::{Journal, NewOperator, OperatorEntry, Operators, PortError};
use crate::record::audit::{Entry, RecordedEntry, Search};
use crate::value::id::{EntryId, MerchantId, OperatorId};
use crate::value::time::Timestamp;

#[derive(Debug)]
pub(super) struct StoredOperator {
    entry: OperatorEntry,
    hash: alloc::string::String,
}

impl Rows {
    /// Records an entry. `merchant` is that of the row that changes, if the entry does not name one.
    pub(super) fn journal(&mut self, entry: &Entry, merchant: Option<&MerchantId>) {
        let id = EntryId(u32::try_from(self.journal.len()).unwrap_or(u32::MAX).saturating_add(1));
        let recorded = RecordedEntry {
            id,
            at: entry.at,
            actor: Some(entry.actor.clone()),
            action: entry.action.to_string(),
            merchant: entry.merchant.as_ref().or(merchant).cloned(),
            subject: entry.subject.clone(),
            before: entry.before.clone(),
            after: entry.after.clone(),
        };
        self.journal.push((recorded, entry.version));
    }

    /// Records an entry if the change that it is about was made; whether it was.
    pub(super) fn journal_if(&mut self, is_made: bool, entry: &Entry) -> bool {
        if is_made {
            self.journal(entry, None);
        }
        is_made
    }
}

impl Operators for MemoryStore {
    async fn operator(
        &self,
        key: &ApiKey,
        now: Timestamp,
    ) -> Result<Option<(Operator, Option<Timestamp>)>, PortError> {
        let rows = self.rows.borrow();
        let holds = |stored: &&StoredOperator| {
            let entry = &stored.entry;
            entry.revoked_at.is_none()
                && entry.expires_at.is_none_or(|expires_at| expires_at > now)
                && entry.prefix == key.prefix()
                && hex::decode(&stored.hash).is_ok_and(|hash| key.matches(&hash))
        };
        let found = rows.operators.iter().find(holds);
        Ok(found.map(|stored| (stored.entry.operator.clone(), stored.entry.used_at)))
    }

    async fn note_operator(&self, id: OperatorId, at: Timestamp) -> Result<(), PortError> {
        let mut rows = self.rows.borrow_mut();
        if let Some(stored) = rows.operators.iter_mut().find(|stored| stored.entry.operator.id == id) {
            stored.entry.used_at = stored.entry.used_at.max(Some(at));
        }
        Ok(())
    }

    async fn add_operator(&self, new: &NewOperator, entry: &Entry) -> Result<OperatorId, PortError> {
        let mut rows = self.rows.borrow_mut();
        if rows.operators.iter().any(|stored| stored.entry.prefix == new.prefix) {
            return Err(failed("the prefix is taken"));
        }
        let id = OperatorId(u32::try_from(rows.operators.len()).unwrap_or(u32::MAX).saturating_add(1));
        let operator = Operator { id, name: Cow::Owned(new.name.clone()), role: new.role };
        let stored = OperatorEntry {
            operator,
            prefix: new.prefix.clone(),
            last4: new.last4.clone(),
            created_at: new.at,
            expires_at: new.expires_at,
            revoked_at: None,
            used_at: None,
        };
        rows.operators.push(StoredOperator { entry: stored, hash: new.hash.clone() });
        rows.journal(&entry.clone().on(id), None);
        Ok(id)
    }

    async fn operators(&self) -> Result<Vec<OperatorEntry>, PortError> {
        Ok(self.rows.borrow().operators.iter().map(|stored| stored.entry.clone()).collect())
    }

    async fn revoke_operator(&self, id: OperatorId, entry: &Entry) -> Result<bool, PortError> {
        let mut rows = self.rows.borrow_mut();
        let is_it = |stored: &&mut StoredOperator| {
            stored.entry.operator.id == id && stored.entry.revoked_at.is_none()
        };
        let Some(stored) = rows.operators.iter_mut().find(is_it) else { return Ok(false) };
        stored.entry.revoked_at = Some(entry.at);
        rows.journal(entry, None);
        Ok(true)
    }
}

impl Journal for MemoryStore {
    async fn record(&self, entry: &Entry) -> Result<(), PortError> {
        self.rows.borrow_mut().journal(entry, None);
        Ok(())
    }

    async fn record_unless_since(&self, entry: &Entry, since: Timestamp) -> Result<(), PortError> {
        let same = Search { merchant: entry.merchant.clone(), ..Search::default() };
        let is_same = |known: &RecordedEntry| {
            known.at > since
                && known.action == entry.action
                && known.subject == entry.subject
                && known.actor.as_ref().is_some_and(|actor| actor.is_same(&entry.actor))
        };
        let known = self.recorded(&Search { limit: u32::MAX, ..same }).await?;
        if known.iter().any(is_same) { Ok(()) } else { self.record(entry).await }
    }

    async fn recorded(&self, search: &Search) -> Result<Vec<RecordedEntry>, PortError> {
        let rows = self.rows.borrow();
        let is_wanted = |recorded: &&RecordedEntry| {
            let by = recorded.actor.as_ref().map(|actor| (actor.kind, actor.id.clone()));
            (search.merchant.is_none() || search.merchant == recorded.merchant)
                && (search.actor.is_none() || search.actor == by)
                && search.before.is_none_or(|before| recorded.id < before)
        };
        let newest_first = rows.journal.iter().rev().map(|(recorded, _)| recorded).filter(is_wanted);
        Ok(newest_first.take(usize::try_from(search.limit).unwrap_or(usize::MAX)).cloned().collect())
    }
}
