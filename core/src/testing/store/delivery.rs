//! The outbox: which messages are due, which are claimed by a sender, and how they ended.

use alloc::string::ToString;
use alloc::vec::Vec;

use super::{Event, Rows, failed};
use crate::change::EventKind;
use crate::port::{DeliveryStatus, MessageClaim, NewestDelivery, Next, PortError, Try};
use crate::record::attention::{Attention, Reason, Resolved};
use crate::record::outbox::{DeliveryState, Message};
use crate::record::receiver::{ReceiverEffect, origin};
use crate::value::id::{DeliveryId, ReferenceNumber};
use crate::value::time::Timestamp;

/// One message and its state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredDelivery {
    /// What is sent; `due_at` says when next.
    pub message: Message,
    /// Its state.
    pub state: DeliveryState,
    /// How many tries failed.
    pub failed_tries: u32,
    /// The last answer; `None` if there was none.
    pub last_status: Option<u16>,
    /// Until when someone has claimed it.
    pub lease_until: Option<Timestamp>,
    /// The tries, in order.
    pub tries: Vec<Try>,
    /// When it was caused.
    pub created_at: Timestamp,
    /// When a person last had it sent again.
    pub resent_at: Option<Timestamp>,
}

impl StoredDelivery {
    pub(super) fn new(message: Message, state: DeliveryState) -> Self {
        Self {
            created_at: message.due_at,
            resent_at: None,
            message,
            state,
            failed_tries: 0,
            last_status: None,
            lease_until: None,
            tries: Vec::new(),
        }
    }

    pub(super) fn is_free(&self, now: Timestamp) -> bool {
        self.state == DeliveryState::Due && self.lease_until.is_none_or(|until| until <= now)
    }

    fn finish(&mut self, done: &Try) {
        self.tries.push(done.clone());
        // What has ended stays that way, whatever a slower sender reports later, except that it was
        // delivered.
        if self.state != DeliveryState::Due && done.next != Next::Delivered {
            return;
        }
        self.last_status = done.status;
        self.lease_until = None;
        match done.next {
            Next::Delivered => {
                self.state = DeliveryState::Delivered;
                return;
            }
            Next::Again(at) => self.message.due_at = at,
            Next::Held => self.state = DeliveryState::Held,
            Next::GivenUp => self.state = DeliveryState::GivenUp,
        }
        self.failed_tries = self.failed_tries.saturating_add(1);
    }
}

impl Rows {
    pub(super) fn claim(
        &mut self,
        id: &DeliveryId,
        now: Timestamp,
        lease_until: Timestamp,
    ) -> Option<MessageClaim> {
        let offset = self.offset_of(&self.deliveries.get(id)?.message.merchant);
        let is_due = |row: &&mut StoredDelivery| row.is_free(now) && row.message.due_at <= now.plus(offset);
        let row = self.deliveries.get_mut(id).filter(is_due)?;
        let lost_until = row.lease_until.replace(lease_until);
        let (message, failed_tries) = (row.message.clone(), row.failed_tries);
        let receiver = (message.merchant.clone(), origin(message.recipient.address()).to_string());
        let failing_since = self.receivers.get(&receiver).and_then(|found| found.failing_since);
        Some(MessageClaim { message, failed_tries, failing_since, lost_until })
    }

    pub(super) fn release(&mut self, ids: &[&str], lease_until: Timestamp) {
        let is_held = |row: &&mut StoredDelivery| {
            ids.contains(&row.message.id.as_str()) && row.lease_until == Some(lease_until)
        };
        for row in self.deliveries.values_mut().filter(is_held) {
            row.lease_until = None;
        }
    }

    pub(super) fn finish_try(
        &mut self,
        id: &DeliveryId,
        done: &Try,
        attention: Option<&Attention>,
    ) -> Result<(), PortError> {
        let row = self.deliveries.get_mut(id).ok_or_else(|| failed("there is no such message"))?;
        row.finish(done);
        let message = row.message.clone();
        self.change_receiver(&message, done.receiver, done.at);
        let state = self.deliveries.get(id).map(|row| row.state);
        let is_stopped = matches!(state, Some(DeliveryState::GivenUp | DeliveryState::Held));
        let is_early = |entry: &Attention| entry.reason == Reason::WebhookFailing;
        let is_meant = |entry: &&Attention| {
            if is_early(entry) { state == Some(DeliveryState::Due) } else { is_stopped }
        };
        if let Some(entry) = attention.filter(is_meant) {
            // What was closed is open again when it happens again.
            let key = (entry.reference.clone(), entry.reason.as_str());
            if self.attention.get(&key).is_some_and(|flagged| flagged.closed.is_some()) {
                self.attention.remove(&key);
            }
            self.flag(entry);
        }
        self.close_failing(&message, done);
        Ok(())
    }

    /// Closes what is said of webhooks that fail, once this one was given up or its receiver works again.
    fn close_failing(&mut self, message: &Message, done: &Try) {
        let receiver = origin(message.recipient.address());
        let of_receiver = |rows: &StoredDelivery| {
            rows.message.merchant == message.merchant && origin(rows.message.recipient.address()) == receiver
        };
        let references: Vec<ReferenceNumber> = match (done.next, done.receiver) {
            (Next::GivenUp | Next::Held, _) => [message.subject.reference.clone()].into(),
            (Next::Delivered, ReceiverEffect::Works) => {
                let alike = self.deliveries.values().filter(|row| of_receiver(row));
                alike.map(|row| row.message.subject.reference.clone()).collect()
            }
            (Next::Delivered | Next::Again(_), _) => return,
        };
        for reference in references {
            let entry = self.attention.get_mut(&(reference, Reason::WebhookFailing.as_str()));
            if let Some(open) = entry.filter(|entry| entry.closed.is_none()) {
                open.closed = Some(Resolved { at: done.at, note: None });
            }
        }
    }

    pub(super) fn newest_delivery(&self, reference: &ReferenceNumber) -> Option<NewestDelivery> {
        let is_caused = |row: &&StoredDelivery| {
            let Message { id, subject, .. } = &row.message;
            let caused = |event: &Event| {
                (Some(&event.session_id), event.number) == (subject.session_id.as_ref(), id.number())
                    && event.kind != EventKind::Notified
            };
            let to_merchant = row.message.kind.is_webhook();
            to_merchant && subject.reference == *reference && self.events.iter().any(caused)
        };
        let about = self.deliveries.values().filter(is_caused);
        let newest = about.max_by_key(|row| row.message.id.number())?;
        let is_delivered = newest.state == DeliveryState::Delivered;
        let status =
            DeliveryStatus { status: newest.last_status, is_delivered, leased_until: newest.lease_until };
        Some(NewestDelivery { id: newest.message.id.clone(), status })
    }
}
