//! What became of messages to payers, in memory.

use alloc::borrow::ToOwned;
use alloc::vec::Vec;
use core::cmp::Reverse;

use super::delivery::StoredDelivery;
use super::{MemoryStore, Rows, first};
use crate::change::EventKind;
use crate::messenger::MessageReport;
use crate::messenger::provider::Provider;
use crate::port::{ListedMessage, MessageNote, MessageSearch, Messages, PortError, SentMessage};
use crate::value::id::{DeliveryId, MerchantId, SessionId};
use crate::value::time::Timestamp;
use crate::words::message::{Channel, Fate, MessageState};

impl Messages for MemoryStore {
    async fn reminded_at(
        &self,
        session_id: &SessionId,
        channel: Channel,
        since: Timestamp,
    ) -> Result<Vec<Timestamp>, PortError> {
        let rows = self.rows.borrow();
        let by_channel = |number: i64| {
            let mut sent = rows.deliveries.values().map(|row| &row.message);
            sent.any(|one| {
                (one.id.session_id(), one.id.number()) == (Some(session_id), number)
                    && one.kind.channel() == Some(channel)
            })
        };
        let reminders = rows.events.iter().filter(|event| {
            event.session_id == *session_id
                && event.kind == EventKind::Notified
                && event.at > since
                && by_channel(event.number)
        });
        Ok(reminders.map(|event| event.at).collect())
    }

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
        report: &MessageReport,
        at: Timestamp,
    ) -> Result<bool, PortError> {
        let mut rows = self.rows.borrow_mut();
        let rows = &mut *rows;
        let own = |id: &DeliveryId| {
            let row = rows.deliveries.get(id);
            row.filter(|row| row.message.merchant == *merchant && row.message.kind.channel().is_some())
        };
        let named = |note: &&MessageNote| {
            note.provider == provider
                && note.provider_id.as_ref() == Some(&report.provider_id)
                && own(&note.id).is_some()
        };
        let known = match &report.id {
            Some(id) => own(id).map(|row| row.message.id.clone()),
            None => rows.messages.values().find(named).map(|note| note.id.clone()),
        };
        let Some(id) = known else { return Ok(false) };
        let is_news = rows.messages.get(&id).is_none_or(|note| {
            note.provider == provider
                && note.provider_id.as_ref().is_none_or(|known| *known == report.provider_id)
                && note.fate.gives_way_to(report.fate)
                && note.fate != report.fate
        });
        if !is_news {
            return Ok(false);
        }
        // What was erased stays erased: a detail may quote an address.
        let is_erased = own(&id).is_some_and(|row| row.message.body.is_empty());
        let note = MessageNote {
            id: id.clone(),
            provider,
            provider_id: Some(report.provider_id.clone()),
            fate: report.fate,
            detail: report.detail.clone().filter(|_| !is_erased),
            at,
        };
        rows.messages.insert(id, note);
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

    async fn find_messages(&self, search: &MessageSearch) -> Result<Vec<ListedMessage>, PortError> {
        let rows = self.rows.borrow();
        let found = rows.deliveries.values().filter_map(|row| {
            let listed = rows.listed(row)?;
            rows.is_found(row, &listed, search).then_some(listed)
        });
        let keyed =
            found.map(|listed| (Reverse((listed.created_at, listed.sent.id.as_str().to_owned())), listed));
        Ok(first(keyed, search.page.limit))
    }
}

impl Rows {
    pub(super) fn listed(&self, row: &StoredDelivery) -> Option<ListedMessage> {
        let message = &row.message;
        Some(ListedMessage {
            sent: SentMessage {
                id: message.id.clone(),
                channel: message.kind.channel()?,
                body: message.body.clone(),
                note: self.messages.get(&message.id).cloned(),
            },
            session_id: message.subject.session_id.clone()?,
            reference: message.subject.reference.clone(),
            created_at: row.created_at,
        })
    }

    fn is_found(&self, row: &StoredDelivery, listed: &ListedMessage, search: &MessageSearch) -> bool {
        let state = MessageState::of(listed.sent.note.as_ref().map(|note| note.fate));
        self.is_on_page(row, &search.page)
            && search.channel.is_none_or(|channel| channel == listed.sent.channel)
            && search.state.is_none_or(|wanted| wanted == state)
    }
}
