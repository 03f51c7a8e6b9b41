//! The outbox: which messages are due, which are claimed by a sender, and how they ended.

use alloc::vec::Vec;

use super::{Event, Rows, failed};
use crate::change::EventKind;
use crate::port::{Claim, DeliveryStatus, NewestDelivery, Next, PortError, Try};
use crate::record::attention::Attention;
use crate::record::outbox::Message;
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
}

/// The state of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeliveryState {
    /// It is to be sent.
    Due,
    /// The recipient accepted it.
    Delivered,
    /// It is not tried again.
    GivenUp,
}

impl StoredDelivery {
    pub(super) fn new(message: Message) -> Self {
        Self {
            message,
            state: DeliveryState::Due,
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
            Next::GivenUp => self.state = DeliveryState::GivenUp,
        }
        self.failed_tries = self.failed_tries.saturating_add(1);
    }
}

impl Rows {
    pub(super) fn claim(&mut self, id: &DeliveryId, now: Timestamp, lease_until: Timestamp) -> Option<Claim> {
        let offset = self.offset_of(&self.deliveries.get(id)?.message.merchant);
        let is_due = |row: &&mut StoredDelivery| row.is_free(now) && row.message.due_at <= now.plus(offset);
        let row = self.deliveries.get_mut(id).filter(is_due)?;
        row.lease_until = Some(lease_until);
        Some(Claim { message: row.message.clone(), failed_tries: row.failed_tries })
    }

    pub(super) fn finish_try(
        &mut self,
        id: &DeliveryId,
        done: &Try,
        attention: Option<&Attention>,
    ) -> Result<(), PortError> {
        let row = self.deliveries.get_mut(id).ok_or_else(|| failed("there is no such message"))?;
        row.finish(done);
        let is_given_up = row.state == DeliveryState::GivenUp;
        if let Some(entry) = attention.filter(|_| is_given_up) {
            self.flag(entry);
        }
        Ok(())
    }

    pub(super) fn newest_delivery(&self, reference: &ReferenceNumber) -> Option<NewestDelivery> {
        let is_caused = |row: &&StoredDelivery| {
            let Message { id, subject, .. } = &row.message;
            let caused = |event: &Event| {
                (&event.session_id, event.number) == (&subject.session_id, id.number())
                    && event.kind != EventKind::Notified
            };
            subject.reference == *reference && self.events.iter().any(caused)
        };
        let about = self.deliveries.values().filter(is_caused);
        let newest = about.max_by_key(|row| row.message.id.number())?;
        let is_delivered = newest.state == DeliveryState::Delivered;
        let status =
            DeliveryStatus { status: newest.last_status, is_delivered, leased_until: newest.lease_until };
        Some(NewestDelivery { id: newest.message.id.clone(), status })
    }
}
