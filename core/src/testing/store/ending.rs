//! How transactions ended.

use alloc::collections::BTreeMap;

use super::MemoryStore;
use crate::payment::receipt::{EndedBy, TransactionEnd};
use crate::port::{Endings, PortError, StoredEnding};
use crate::state::State;
use crate::value::id::SessionId;

impl Endings for MemoryStore {
    async fn ended(&self, session_id: &SessionId, state: State) -> Result<Option<TransactionEnd>, PortError> {
        let rows = self.rows.borrow();
        let first = rows.events.iter().find(|event| event.session_id == *session_id && event.state == state);
        Ok(first.map(|event| {
            let by = event.attempt.as_ref().and_then(|event| {
                let attempt = rows.attempts.get(&event.reference)?.clone();
                Some(EndedBy { attempt, stage: event.stage })
            });
            TransactionEnd { at: event.at, by }
        }))
    }

    async fn endings(
        &self,
        wanted: &[(&SessionId, State)],
    ) -> Result<BTreeMap<SessionId, StoredEnding>, PortError> {
        let mut found = BTreeMap::new();
        for (session_id, state) in wanted {
            if let Some(ended) = self.ended(session_id, *state).await? {
                let by = ended.by.map(|by| (by.attempt.reference, by.stage));
                found.insert((*session_id).clone(), StoredEnding { at: ended.at, by });
            }
        }
        Ok(found)
    }
}
