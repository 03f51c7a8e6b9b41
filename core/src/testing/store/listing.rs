//! Listing transactions: all of them are checked.

use core::cmp::Reverse;

use super::{Rows, first};
use crate::child::stage::OperationStage;
use crate::operation::standing::ListedPage;
use crate::transaction::listing::{Afterwards, Listed, Listing, Maker};
use crate::value::id::SessionId;
use crate::words::ChildOperation;

impl Rows {
    pub(super) fn list(&self, listing: &Listing) -> ListedPage {
        let place = |each: &Listed| Reverse(each.position(listing.order()));
        let shown = self.transactions.values().filter(|each| !self.hidden.contains(&each.session_id));
        let all = shown.map(|transaction| Listed {
            transaction: transaction.clone(),
            has_open_attempt: self.open_attempt(&transaction.session_id).is_some(),
            made_by: self.maker(&transaction.session_id),
            paid_at: self.paid_at.get(&transaction.session_id).copied(),
        });
        let reached = all.filter(|each| listing.reaches(each));
        let walked = first(reached.map(|each| (place(&each), each)), listing.walked);
        let is_cut = u32::try_from(walked.len()).is_ok_and(|count| count == listing.walked);
        let stopped_at = walked.last().filter(|_| is_cut);
        let stopped_at = stopped_at.and_then(|last| last.position(listing.order()));
        let mut taken = walked;
        taken.retain(|each| listing.takes(each, &self.afterwards(&each.transaction.session_id)));
        let listed = first(taken.into_iter().map(|each| (place(&each), each)), listing.limit);
        let is_full = u32::try_from(listed.len()).is_ok_and(|count| count == listing.limit);
        let standing = |each: &Listed| {
            let id = &each.transaction.session_id;
            Some((id.clone(), self.standing_of(id)?))
        };
        let standings = listed.iter().filter_map(standing).collect();
        ListedPage { listed, standings, stopped_at: stopped_at.filter(|_| !is_full) }
    }

    pub(super) fn table_rows(&self, listing: &Listing) -> u64 {
        let listed = self.list(listing).listed;
        let is_of = |parent: &SessionId| listed.iter().any(|each| each.transaction.session_id == *parent);
        let children = self.children.values().filter(|child| is_of(&child.parent)).count();
        u64::try_from(listed.len().saturating_add(children)).unwrap_or(u64::MAX)
    }

    fn maker(&self, session_id: &SessionId) -> Option<Maker> {
        let made = self.events.iter().find(|event| event.session_id == *session_id && event.number == 1)?;
        made.actor.as_ref().and_then(Maker::of)
    }

    fn afterwards(&self, session_id: &SessionId) -> Afterwards {
        let attempts = self.attempts.values().filter(|attempt| attempt.session_id == *session_id);
        let mut children = self.children.values().filter(|child| child.parent == *session_id);
        Afterwards {
            names: self.names_of(session_id),
            terms: self.terms_of(session_id),
            tried: attempts.map(|attempt| attempt.pg_code.clone()).collect(),
            has_refund: children.any(|child| {
                child.operation == ChildOperation::Refund && child.stage == OperationStage::Done
            }),
        }
    }
}
