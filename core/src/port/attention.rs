//! The attention list of one merchant.

use alloc::vec::Vec;

use super::PortError;
use crate::record::attention::{AttentionId, AttentionState, ListedAttention};
use crate::record::audit::Entry;
use crate::value::id::MerchantId;
use crate::value::slot::{Slot, Slotted};
use crate::value::time::Timestamp;

/// Which entries are looked for, the newest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttentionSearch {
    /// The merchant.
    pub merchant: MerchantId,
    /// In which state.
    pub state: AttentionState,
    /// Only after this one in the order.
    pub after: Option<(Timestamp, AttentionId)>,
    /// At most so many.
    pub limit: u32,
}

impl Slotted for AttentionSearch {
    fn slot(&self) -> Slot {
        self.merchant.slot()
    }
}

/// What closes an entry.
#[derive(Debug, Clone, Copy)]
pub struct Closing<'a> {
    /// The word for it.
    pub how: &'static str,
    /// What was noted about it.
    pub note: Option<&'a str>,
    /// When.
    pub at: Timestamp,
    /// The entry of the audit that is recorded with it, if there is one.
    pub entry: Option<&'a Entry>,
}

/// How much waits for someone at a merchant. What is more than was to be counted is one more than that.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OpenMatters {
    /// Open entries of the attention list.
    pub attention: u32,
    /// Requests for approval that wait for a decision.
    pub approvals: u32,
}

/// What merchants see of the attention list: the entries that they can do something about.
pub trait AttentionLists {
    /// A page of a merchant's entries.
    ///
    /// # Errors
    /// If the store fails or contains a row that cannot be read.
    async fn find_attention(&self, search: &AttentionSearch) -> Result<Vec<ListedAttention>, PortError>;

    /// Counts what waits at a merchant, of each kind at most one more than `most`.
    ///
    /// # Errors
    /// As [`find_attention`](Self::find_attention).
    async fn open_matters(&self, merchant: &MerchantId, most: u32) -> Result<OpenMatters, PortError>;
}
