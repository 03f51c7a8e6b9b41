//! The attention list in memory.

use alloc::vec::Vec;

use super::{Rows, first};
use crate::port::{AlertAudience, Flagged};
use crate::record::attention::{Attention, AttentionId};
use crate::record::audit::Entry;
use crate::value::time::Timestamp;

#[derive(Debug)]
pub(super) struct StoredAttention {
    pub(super) entry: Attention,
    pub(super) closed: Option<(Timestamp, &'static str)>,
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
        self.attention.entry(key).or_insert_with(|| StoredAttention::new(entry.clone()));
    }

    pub(super) fn open_entries(&self, limit: u32) -> Vec<Attention> {
        let open = self.attention.iter().filter(|(_, flagged)| flagged.closed.is_none());
        first(open.map(|(key, StoredAttention { entry, .. })| ((entry.at, key), entry.clone())), limit)
    }

    pub(super) fn flagged(&self, id: &AttentionId) -> Option<Flagged> {
        let found = self.attention.get(&(id.reference.clone(), id.reason.as_str()))?;
        Some(Flagged { merchant: found.entry.merchant.clone(), is_open: found.closed.is_none() })
    }

    /// Whether it was open.
    pub(super) fn close(
        &mut self,
        id: &AttentionId,
        closed: (Timestamp, &'static str),
        entry: Option<&Entry>,
    ) -> bool {
        let found = self.attention.get_mut(&(id.reference.clone(), id.reason.as_str()));
        let Some(open) = found.filter(|flagged| flagged.closed.is_none()) else { return false };
        open.closed = Some(closed);
        if let Some(entry) = entry {
            self.journal(entry, None);
        }
        true
    }
}
