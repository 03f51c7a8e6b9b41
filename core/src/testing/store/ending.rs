//! How transactions ended.

use super::MemoryStore;
use crate::payment::receipt::Ended;
use crate::port::{Endings, PortError};
use crate::state::State;
use crate::value::id::SessionId;

impl Endings for MemoryStore {
    async fn ended(&self, session_id: &SessionId, state: State) -> Result<Option<Ended>, PortError> {
        let rows = self.rows.borrow();
        let first = rows.events.iter().find(|event| event.session_id == *session_id && event.state == state);
        Ok(first.map(|event| {
            let by = event.attempt.as_ref().and_then(|(reference, stage)| {
                let attempt = rows.attempts.get(reference)?;
                Some((attempt.clone(), *stage))
            });
            Ended { at: event.at, by }
        }))
    }
}
