//! Listing transactions: all of them are checked.

use alloc::vec::Vec;

use super::{Rows, first};
use crate::transaction::listing::{Listed, Listing, Position};

impl Rows {
    pub(super) fn list(&self, listing: &Listing) -> Vec<Listed> {
        let shown = self.transactions.values().filter(|each| !self.hidden.contains(&each.session_id));
        let all = shown.map(|transaction| Listed {
            transaction: transaction.clone(),
            has_open_attempt: self.open_attempt(&transaction.session_id).is_some(),
        });
        let taken = all.filter(|listed| listing.takes(listed));
        first(
            taken.map(|listed| (core::cmp::Reverse(Position::of(&listed.transaction)), listed)),
            listing.limit,
        )
    }
}
