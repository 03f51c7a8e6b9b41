//! The attention list in memory.

use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Reverse;

use super::{MemoryStore, Rows, first};
use crate::approval::stage::ApprovalState;
use crate::port::{AlertAudience, AttentionLists, AttentionSearch, Closing, Flagged, OpenMatters, PortError};
use crate::record::attention::{Attention, AttentionId, AttentionState, ListedAttention, Resolved};
use crate::value::id::MerchantId;

#[derive(Debug)]
pub(super) struct StoredAttention {
    pub(super) entry: Attention,
    pub(super) closed: Option<Resolved>,
    /// Whom it was notified.
    pub(super) reported: Vec<AlertAudience>,
}

impl StoredAttention {
    pub(super) const fn new(entry: Attention) -> Self {
        Self { entry, closed: None, reported: Vec::new() }
    }
}

impl Rows {
    pub(super) fn flag(&mut self, entry: &Attention) {
        let key = (entry.reference.clone(), entry.reason.as_str());
        let is_other = |stored: &StoredAttention| stored.entry.detail != entry.detail;
        if entry.reason.goes_on() && self.attention.get(&key).is_some_and(is_other) {
            self.attention.remove(&key);
        }
        self.attention.entry(key).or_insert_with(|| StoredAttention::new(entry.clone()));
    }

    pub(super) fn open_entries(&self, limit: u32) -> Vec<Attention> {
        let open = self.attention.iter().filter(|(_, flagged)| flagged.closed.is_none());
        first(open.map(|(key, StoredAttention { entry, .. })| ((entry.at, key), entry.clone())), limit)
    }

    pub(super) fn flagged(&self, id: &AttentionId) -> Option<Flagged> {
        let found = self.attention.get(&(id.reference.clone(), id.reason.as_str()))?;
        Some(Flagged {
            merchant: found.entry.merchant.clone(),
            session_id: found.entry.session_id.clone(),
            is_open: found.closed.is_none(),
        })
    }

    /// Whether it was open.
    pub(super) fn close(&mut self, id: &AttentionId, closing: Closing<'_>) -> bool {
        let found = self.attention.get_mut(&(id.reference.clone(), id.reason.as_str()));
        let Some(open) = found.filter(|flagged| flagged.closed.is_none()) else { return false };
        open.closed = Some(Resolved { at: closing.at, note: closing.note.map(String::from) });
        if let Some(entry) = closing.entry {
            self.journal(entry, None);
        }
        true
    }
}

/// What merchants are shown.
fn is_of(stored: &StoredAttention, merchant: &MerchantId, state: AttentionState) -> bool {
    let is_open = stored.closed.is_none();
    stored.entry.merchant == *merchant
        && !stored.entry.reason.is_of_operators()
        && is_open == (state == AttentionState::Open)
}

impl AttentionLists for MemoryStore {
    async fn find_attention(&self, search: &AttentionSearch) -> Result<Vec<ListedAttention>, PortError> {
        let rows = self.rows.borrow();
        let place = |at, id: &AttentionId| (at, id.reference.clone(), id.reason.as_str());
        let found = rows.attention.values().filter(|one| is_of(one, &search.merchant, search.state));
        let placed = found.map(|one| (place(one.entry.at, &one.entry.id()), one));
        let after = search.after.as_ref().map(|(at, id)| place(*at, id));
        let of_page = placed.filter(|(own, _)| after.as_ref().is_none_or(|after| own < after));
        let listed = |one: &StoredAttention| ListedAttention {
            entry: one.entry.clone(),
            resolved: one.closed.clone(),
        };
        Ok(first(of_page.map(|(own, one)| (Reverse(own), listed(one))), search.limit))
    }

    async fn open_matters(&self, merchant: &MerchantId, most: u32) -> Result<OpenMatters, PortError> {
        let rows = self.rows.borrow();
        let counted = |count: usize| u32::try_from(count).unwrap_or(u32::MAX).min(most.saturating_add(1));
        let entries = rows.attention.values().filter(|one| is_of(one, merchant, AttentionState::Open));
        let own = rows.approvals.values().filter(|approval| approval.merchant == *merchant);
        let requests = own.filter(|approval| approval.state == ApprovalState::Asked);
        Ok(OpenMatters { attention: counted(entries.count()), approvals: counted(requests.count()) })
    }
}
