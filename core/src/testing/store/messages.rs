//! What became of messages to payers, in memory.

use alloc::borrow::ToOwned;
use alloc::vec::Vec;

use super::MemoryStore;
use crate::messenger::Report;
use crate::messenger::provider::Provider;
use crate::port::{MessageNote, Messages, PortError, SentMessage};
use crate::value::id::{DeliveryId, MerchantId, SessionId};
use crate::value::time::Timestamp;
use crate::words::message::Fate;

impl Messages for MemoryStore {
    async fn begin_message(
        &self,
        id: &DeliveryId,
        provider: Provider,
        at: Timestamp,
    ) -> Result<bool, PortError> {
        let mut rows = self.rows.borrow_mut();
        let is_free = rows.messages.get(id).is_none_or(|note| note.fate == Fate::Waiting);
        if is_free {
            let note = MessageNote {
                id: id.clone(),
                provider,
                provider_id: None,
                fate: Fate::Sending,
                detail: None,
                at,
            };
            rows.messages.insert(id.clone(), note);
        }
        Ok(is_free)
    }

    async fn message_note(&self, id: &DeliveryId) -> Result<Option<MessageNote>, PortError> {
        Ok(self.rows.borrow().messages.get(id).cloned())
    }

    async fn note_message(&self, note: &MessageNote) -> Result<(), PortError> {
        let mut rows = self.rows.borrow_mut();
        if rows.messages.get(&note.id).is_none_or(|known| known.fate.gives_way_to(note.fate)) {
            rows.messages.insert(note.id.clone(), note.clone());
        }
        Ok(())
    }

    async fn report_message(
        &self,
        merchant: &MerchantId,
        provider: Provider,
        report: &Report,
        at: Timestamp,
    ) -> Result<bool, PortError> {
        let mut rows = self.rows.borrow_mut();
        let rows = &mut *rows;
        let deliveries = &rows.deliveries;
        let found = rows.messages.values_mut().find(|note| {
            let is_own = deliveries.get(&note.id).is_some_and(|row| row.message.merchant == *merchant);
            is_own
                && note.provider == provider
                && note.provider_id.as_ref() == Some(&report.provider_id)
                && note.fate.gives_way_to(report.fate)
                && note.fate != report.fate
        });
        let Some(note) = found else { return Ok(false) };
        (note.fate, note.at) = (report.fate, at);
        // What was erased stays erased: a detail may quote an address.
        let is_erased = deliveries.get(&note.id).is_some_and(|row| row.message.body.is_empty());
        note.detail = report.detail.clone().filter(|_| !is_erased);
        Ok(true)
    }

    async fn messages(&self, session_id: &SessionId) -> Result<Vec<SentMessage>, PortError> {
        let rows = self.rows.borrow();
        let mut found: Vec<_> = rows
            .deliveries
            .values()
            .filter(|row| row.message.subject.session_id.as_ref() == Some(session_id))
            .filter_map(|row| {
                let id = row.message.id.clone();
                let note = rows.messages.get(&id).cloned();
                Some(SentMessage {
                    channel: row.message.kind.channel()?,
                    body: row.message.body.clone(),
                    note,
                    id,
                })
            })
            .collect();
        found.sort_by(|one, other| {
            let place =
                |sent: &SentMessage| (sent.id.number(), sent.id.as_str().len(), sent.id.as_str().to_owned());
            place(one).cmp(&place(other))
        });
        Ok(found)
    }
}
