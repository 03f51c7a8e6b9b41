//! Notifications: which are due, which are claimed by a sender, and how they ended.

use alloc::vec::Vec;

use super::{Event, Rows, failed};
use crate::change::EventKind;
use crate::port::{Claim, DeliveryStatus, Next, PortError, Try};
use crate::record::attention::Attention;
use crate::record::outbox::Delivery;
use crate::value::id::{DeliveryId, ReferenceNumber};
use crate::value::time::Timestamp;

/// One notification and its state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredDelivery {
    /// What is sent; `due_at` says when next.
    pub delivery: Delivery,
    /// Its state.
    pub state: DeliveryState,
    /// How many tries failed.
    pub failed_tries: u32,
    /// The receiver's last answer; `None` if it did not answer.
    pub last_status: Option<u16>,
    /// Until when someone has claimed it.
    pub lease_until: Option<Timestamp>,
    /// The tries, in order.
    pub tries: Vec<Try>,
}

/// The state of a notification.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeliveryState {
    /// It is to be sent.
    Due,
    /// The receiver accepted it.
    Delivered,
    /// It is not tried again.
    GivenUp,
}

impl StoredDelivery {
    pub(super) fn new(delivery: Delivery) -> Self {
        Self {
            delivery,
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
            Next::Again(at) => self.delivery.due_at = at,
            Next::GivenUp => self.state = DeliveryState::GivenUp,
        }
        self.failed_tries = self.failed_tries.saturating_add(1);
    }
}

impl Rows {
    pub(super) fn claim(&mut self, id: &DeliveryId, now: Timestamp, lease_until: Timestamp) -> Option<Claim> {
        let offset = self.offset_of(&self.deliveries.get(id)?.delivery.merchant);
        let is_due = |row: &&mut StoredDelivery| row.is_free(now) && row.delivery.due_at <= now.plus(offset);
        let row = self.deliveries.get_mut(id).filter(is_due)?;
        row.lease_until = Some(lease_until);
        Some(Claim { delivery: row.delivery.clone(), failed_tries: row.failed_tries })
    }

    pub(super) fn finish_try(
        &mut self,
        id: &DeliveryId,
        done: &Try,
        attention: Option<&Attention>,
    ) -> Result<(), PortError> {
        let row = self.deliveries.get_mut(id).ok_or_else(|| failed("there is no such delivery"))?;
        row.finish(done);
        let is_given_up = row.state == DeliveryState::GivenUp;
        if let Some(entry) = attention.filter(|_| is_given_up) {
            self.flag(entry);
        }
        Ok(())
    }

    pub(super) fn newest_delivery(
        &self,
        reference: &ReferenceNumber,
    ) -> Option<(DeliveryId, DeliveryStatus)> {
        let is_caused = |row: &&StoredDelivery| {
            let delivery = &row.delivery;
            let caused = |event: &Event| {
                (&event.session_id, event.number) == (&delivery.session_id, delivery.id.number())
                    && event.kind != EventKind::Notified
            };
            delivery.reference == *reference && self.events.iter().any(caused)
        };
        let about = self.deliveries.values().filter(is_caused);
        let newest = about.max_by_key(|row| row.delivery.id.number())?;
        let is_delivered = newest.state == DeliveryState::Delivered;
        let status =
            DeliveryStatus { status: newest.last_status, is_delivered, leased_until: newest.lease_until };
        Some((newest.delivery.id.clone(), status))
    }
}
