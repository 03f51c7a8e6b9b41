//! The log of deliveries, and receivers that fail or are disabled.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::cmp::Reverse;

use super::delivery::StoredDelivery;
use super::{MemoryStore, Rows, first};
use crate::port::{
    Deliveries, DeliverySearch, FullDelivery, LogPage, LoggedDelivery, LoggedTry, PortError, Receivers,
    Released, Resend, Resent,
};
use crate::record::audit::Entry;
use crate::record::outbox::{DeliveryState, Message, MessageKind, Which};
use crate::record::receiver::{Disabling, Receiver, ReceiverEffect, origin};
use crate::value::id::{DeliveryId, MerchantId};
use crate::value::time::Timestamp;

/// A receiver that does not work.
#[derive(Debug, Default)]
pub(super) struct StoredReceiver {
    pub(super) failing_since: Option<Timestamp>,
    disabled: Option<(Timestamp, Disabling)>,
}

impl Rows {
    pub(super) fn is_disabled(&self, merchant: &MerchantId, url: &str) -> bool {
        [url, origin(url)].iter().any(|address| {
            let found = self.receivers.get(&(merchant.clone(), (*address).to_string()));
            found.is_some_and(|receiver| receiver.disabled.is_some())
        })
    }

    pub(super) fn change_receiver(&mut self, message: &Message, effect: ReceiverEffect, at: Timestamp) {
        let url = message.recipient.address();
        let of = |address: &str| (message.merchant.clone(), address.to_string());
        match effect {
            ReceiverEffect::Nothing => return,
            ReceiverEffect::Works => {
                let is_disabled = |found: &StoredReceiver| found.disabled.is_some();
                if !self.receivers.get(&of(origin(url))).is_some_and(is_disabled) {
                    self.receivers.remove(&of(origin(url)));
                }
            }
            ReceiverEffect::Fails => {
                self.receivers
                    .entry(of(origin(url)))
                    .or_insert(StoredReceiver { failing_since: Some(at), disabled: None });
            }
            ReceiverEffect::Disabled(Disabling::Failing) => {
                let failing = self.receivers.get_mut(&of(origin(url)));
                if let Some(found) = failing.filter(|found| found.failing_since.is_some()) {
                    found.disabled.get_or_insert((at, Disabling::Failing));
                }
            }
            ReceiverEffect::Disabled(Disabling::Gone) => {
                self.receivers.entry(of(url)).or_default().disabled.get_or_insert((at, Disabling::Gone));
            }
        }
        let merchant = &message.merchant;
        let held: Vec<DeliveryId> = self
            .deliveries
            .values()
            .filter(|row| row.state == DeliveryState::Due && row.message.merchant == *merchant)
            .filter(|row| self.is_disabled(merchant, row.message.recipient.address()))
            .map(|row| row.message.id.clone())
            .collect();
        for id in held {
            self.set_state(&id, DeliveryState::Held);
        }
    }

    fn set_state(&mut self, id: &DeliveryId, state: DeliveryState) {
        if let Some(row) = self.deliveries.get_mut(id) {
            row.state = state;
        }
    }

    fn is_wanted(&self, row: &StoredDelivery, search: &DeliverySearch) -> bool {
        let message = &row.message;
        self.is_on_page(row, &search.page)
            && message.kind != MessageKind::Approval
            && search.state.is_none_or(|state| state == row.state)
            && search.kind.is_none_or(|kind| kind == message.kind)
            && search.receiver.as_deref().is_none_or(|wanted| wanted == origin(message.recipient.address()))
    }

    /// Whether a message is of what a page asks for, or comes later in the order.
    pub(super) fn is_on_page(&self, row: &StoredDelivery, page: &LogPage) -> bool {
        let message = &row.message;
        let session_id = message.subject.session_id.as_ref();
        let place = (row.created_at, message.id.as_str());
        let of_order = |wanted: &String| {
            let shown = session_id.filter(|session_id| !self.hidden.contains(*session_id));
            let transaction = shown.and_then(|session_id| self.transactions.get(session_id));
            transaction.is_some_and(|stored| stored.details.order_no.as_ref() == Some(wanted))
        };
        message.merchant == page.merchant
            && page.session_id.as_ref().is_none_or(|wanted| session_id == Some(wanted))
            && page.order_no.as_ref().is_none_or(of_order)
            && page.since.is_none_or(|since| since <= row.created_at)
            && page.until.is_none_or(|until| row.created_at <= until)
            && page.after.as_ref().is_none_or(|(at, id)| place < (*at, id.as_str()))
    }

    fn is_resent(row: &StoredDelivery, resend: &Resend) -> bool {
        let message = &row.message;
        let is_wanted = match &resend.which {
            Which::One(id) => *id == message.id,
            Which::Of { state, receiver, since, until } => {
                row.state == *state
                    && (*since..=*until).contains(&row.created_at)
                    && row.resent_at.is_none_or(|at| at < *until)
                    && receiver.as_deref().is_none_or(|one| one == origin(message.recipient.address()))
            }
        };
        is_wanted
            && message.kind.is_webhook()
            && message.merchant == resend.merchant
            && !message.body.is_empty()
    }

    fn held_for(&self, merchant: &MerchantId, address: &str) -> u32 {
        let held = self.deliveries.values().filter(|row| {
            let url = row.message.recipient.address();
            row.state == DeliveryState::Held
                && row.message.merchant == *merchant
                && [url, origin(url)].contains(&address)
        });
        u32::try_from(held.count()).unwrap_or(u32::MAX)
    }
}

fn logged(row: &StoredDelivery) -> LoggedDelivery {
    let message = &row.message;
    LoggedDelivery {
        id: message.id.clone(),
        session_id: message.subject.session_id.clone(),
        reference: message.subject.reference.clone(),
        kind: message.kind,
        url: message.recipient.address().into(),
        state: row.state,
        created_at: row.created_at,
        due_at: message.due_at,
        failed_tries: row.failed_tries,
        last_status: row.last_status,
        resent_at: row.resent_at,
    }
}

pub(super) fn tries(row: &StoredDelivery) -> Vec<LoggedTry> {
    let numbered = (1..).zip(&row.tries);
    let logged = numbered.map(|(number, done)| LoggedTry {
        number,
        at: done.at,
        status: done.status,
        error: done.error,
        took_ms: done.took_ms,
        excerpt: done.excerpt.clone(),
    });
    logged.collect()
}

impl Deliveries for MemoryStore {
    async fn find_deliveries(&self, search: &DeliverySearch) -> Result<Vec<LoggedDelivery>, PortError> {
        let rows = self.rows.borrow();
        let found = rows.deliveries.values().filter(|row| rows.is_wanted(row, search));
        let keyed =
            found.map(|row| (Reverse((row.created_at, row.message.id.as_str().to_string())), logged(row)));
        Ok(first(keyed, search.page.limit))
    }

    async fn logged_delivery(
        &self,
        merchant: &MerchantId,
        id: &DeliveryId,
    ) -> Result<Option<FullDelivery>, PortError> {
        let rows = self.rows.borrow();
        let found = rows.deliveries.get(id).filter(|row| row.message.merchant == *merchant);
        let body = |row: &StoredDelivery| Some(row.message.body.clone()).filter(|body| !body.is_empty());
        Ok(found.map(|row| FullDelivery { row: logged(row), body: body(row), tries: tries(row) }))
    }

    async fn resend(&self, resend: &Resend, entry: &Entry) -> Result<Resent, PortError> {
        let mut rows = self.rows.borrow_mut();
        rows.journal(entry, None);
        let found = rows.deliveries.values().filter(|row| Rows::is_resent(row, resend));
        let keyed =
            found.map(|row| ((row.created_at, row.message.id.as_str().to_string()), row.message.id.clone()));
        let ids = first(keyed, resend.limit);
        let mut done = Resent { due: Vec::new(), held: 0 };
        for id in ids {
            let Some(row) = rows.deliveries.get(&id) else { continue };
            let is_held = rows.is_disabled(&resend.merchant, row.message.recipient.address());
            if is_held {
                done.held = done.held.saturating_add(1);
            } else {
                done.due.push(id.clone());
            }
            if let Some(row) = rows.deliveries.get_mut(&id) {
                row.state = if is_held { DeliveryState::Held } else { DeliveryState::Due };
                row.message.due_at = resend.now;
                row.failed_tries = 0;
                row.resent_at = Some(resend.now);
            }
        }
        Ok(done)
    }
}

impl Receivers for MemoryStore {
    async fn count_receivers(&self, merchant: &MerchantId, most: u32) -> Result<u32, PortError> {
        let rows = self.rows.borrow();
        let count = rows.receivers.keys().filter(|(holder, _)| holder == merchant).count();
        Ok(u32::try_from(count).unwrap_or(u32::MAX).min(most.saturating_add(1)))
    }

    async fn receivers(&self, merchant: &MerchantId, limit: u32) -> Result<Vec<Receiver>, PortError> {
        let rows = self.rows.borrow();
        let of_merchant = rows.receivers.iter().filter(|((holder, _), _)| holder == merchant);
        let keyed = of_merchant.map(|((_, address), found)| {
            let receiver = Receiver {
                address: address.clone(),
                failing_since: found.failing_since,
                disabled: found.disabled,
                held: rows.held_for(merchant, address),
            };
            (address.clone(), receiver)
        });
        Ok(first(keyed, limit))
    }

    async fn enable_receiver(
        &self,
        merchant: &MerchantId,
        address: &str,
        now: Timestamp,
        entry: &Entry,
    ) -> Result<Option<Released>, PortError> {
        let mut rows = self.rows.borrow_mut();
        let key = (merchant.clone(), address.to_string());
        if rows.receivers.get(&key).is_none_or(|found| found.disabled.is_none()) {
            return Ok(None);
        }
        let count = rows.held_for(merchant, address);
        rows.receivers.remove(&key);
        rows.journal(entry, None);
        let is_free = |row: &&StoredDelivery| {
            let url = row.message.recipient.address();
            row.state == DeliveryState::Held
                && row.message.merchant == *merchant
                && origin(url) == origin(address)
                && !rows.is_disabled(merchant, url)
        };
        let due: Vec<DeliveryId> =
            rows.deliveries.values().filter(is_free).map(|row| row.message.id.clone()).collect();
        for id in &due {
            if let Some(row) = rows.deliveries.get_mut(id) {
                row.state = DeliveryState::Due;
                row.message.due_at = now;
                row.failed_tries = 0;
            }
        }
        Ok(Some(Released { count, due }))
    }
}
