//! By what payments are found, in memory.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::Rows;
use crate::change::{Change, EventKind};
use crate::child::Child;
use crate::transaction::listing::search::{Term, TermKind};
use crate::value::id::SessionId;

impl Rows {
    pub(super) fn write_terms(&mut self, change: &Change) {
        let session_id = &change.transaction.session_id;
        let terms = self.terms.entry(session_id.clone()).or_default();
        if change.event == EventKind::Erased {
            terms.clear();
        }
        if let Some(contact) = &change.contact {
            terms.retain(|term| term.kind == TermKind::Digits);
            terms.extend(contact.iter().cloned());
        }
        terms.extend(change.digits.clone());
    }

    pub(super) fn terms_of(&self, session_id: &SessionId) -> Vec<Term> {
        self.terms.get(session_id).into_iter().flatten().cloned().collect()
    }

    /// The names of the attempts and operations of a transaction.
    pub(super) fn names_of(&self, session_id: &SessionId) -> Vec<String> {
        let attempts = self.attempts.values().filter(|attempt| attempt.session_id == *session_id);
        let children = self.children.values().filter(|child| child.parent == *session_id);
        attempts
            .map(|attempt| attempt.reference.as_str().to_string())
            .chain(children.flat_map(names_of_child))
            .collect()
    }
}

fn names_of_child(child: &Child) -> Vec<String> {
    let own = [child.reference.as_str(), child.session_id.as_str()].map(String::from);
    own.into_iter().chain(child.tracking_key.clone()).collect()
}
