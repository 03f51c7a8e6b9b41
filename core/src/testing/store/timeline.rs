//! The history of one transaction.

use alloc::string::ToString;
use alloc::vec::Vec;
use core::cmp::Reverse;

use super::receivers::tries;
use super::{Event, MemoryStore, failed, first};
use crate::port::{LoggedTry, PortError, Timelines};
use crate::record::event::{EventWord, LoggedEvent};
use crate::value::id::{DeliveryId, SessionId};

impl Timelines for MemoryStore {
    async fn logged_events(&self, session_id: &SessionId, limit: u32) -> Result<Vec<LoggedEvent>, PortError> {
        let newest_first = self.events(session_id).into_iter().map(|event| (Reverse(event.number), event));
        first(newest_first, limit).into_iter().map(logged).collect()
    }

    async fn logged_tries(
        &self,
        session_id: &SessionId,
        limit: u32,
    ) -> Result<Vec<(DeliveryId, LoggedTry)>, PortError> {
        let rows = self.rows.borrow();
        let of_transaction = rows
            .deliveries
            .values()
            .filter(|row| row.message.subject.session_id.as_ref() == Some(session_id));
        let tried = of_transaction.flat_map(|row| {
            let id = &row.message.id;
            tries(row)
                .into_iter()
                .map(|tried| (Reverse((tried.at, id.clone(), tried.number)), (id.clone(), tried)))
        });
        Ok(first(tried, limit))
    }
}

fn logged(event: Event) -> Result<LoggedEvent, PortError> {
    let attempt = event.attempt.map(|attempt| (attempt.reference, attempt.stage.as_str()));
    let operation = event.operation.map(|(reference, stage)| (reference, stage.as_str()));
    let approval = event.approval.map(|(id, state)| (id, state.as_str()));
    Ok(LoggedEvent {
        number: event.number,
        at: event.at,
        event: EventWord::parse(event.kind.as_str()).ok_or_else(|| failed("an event has no word"))?,
        state: event.state,
        subject: attempt.or(operation).or(approval).map(|(reference, stage)| (reference, stage.to_string())),
        actor: event.actor,
    })
}
