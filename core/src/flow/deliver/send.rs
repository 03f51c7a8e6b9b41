//! Sends messages: one at a time to a receiver, more once it answers well; the first time a receiver does not answer ends its
//! turn. Those that end at the same time are recorded together.

use alloc::vec::Vec;

use super::attempt::{account_for, attempt, ring_again};
use super::engine::{Engine, note};
use super::tried::{DeliveryTry, HOLD, Held, RecordQueue};
use crate::port::{ClaimedMessages, Clock, Doorbell, Finished, Store, World};
use crate::value::id::DeliveryId;
use crate::value::slot::Slot;
use crate::webhook::delivery::{AnswerEffect, LEASE};

impl<W: World> Engine<'_, W> {
    /// Claims messages: those that are due and that nobody else holds. One that cannot be read holds up no other.
    pub(super) async fn claim(&self, ids: &[DeliveryId]) -> Vec<Held> {
        if ids.is_empty() {
            return Vec::new();
        }
        let at = self.world.clock().now();
        match self.world.ledger(&Slot::FIRST).claim_all(ids, at, at.plus(LEASE)).await {
            Ok(ClaimedMessages { claims, unreadable }) => {
                for (id, error) in unreadable {
                    self.fail(Doorbell::Delivery(id), error);
                }
                // What may end its sender comes last: the others are recorded by then.
                let (mut held, lost): (Vec<Held>, Vec<Held>) = claims
                    .into_iter()
                    .map(|claim| Held { claim, at })
                    .partition(|held| held.claim.lost_until.is_none());
                held.extend(lost);
                held
            }
            Err(error) => {
                for id in ids {
                    self.fail(Doorbell::Delivery(id.clone()), error.clone());
                }
                Vec::new()
            }
        }
    }

    /// Sends a message; whether it was accepted, or is someone else's. One that waited too long for its turn is left to the
    /// next run: its lease may be over before the answer comes.
    pub(super) async fn send(&self, id: DeliveryId) -> bool {
        self.begin(id.as_str());
        let claimed = self.claimed.borrow_mut().remove(&id);
        let Held { claim, at } = match claimed {
            Some(held) => held,
            None => match self.claim(core::slice::from_ref(&id)).await.pop() {
                Some(held) => held,
                None => return true,
            },
        };
        if self.world.clock().now().since(at) >= HOLD {
            return true;
        }
        let tried = match account_for(self.world, claim, &self.recent).await {
            Ok(Some(claim)) => attempt(self.world, claim, &self.recent).await,
            Ok(None) => return true,
            Err(error) => Err(error),
        };
        match tried {
            Ok(tried) => {
                let is_good = matches!(tried.effect, AnswerEffect::Redirect | AnswerEffect::Stay);
                self.record(tried).await;
                is_good
            }
            Err(error) => {
                note(self.report, error);
                false
            }
        }
    }

    /// Records a try. One that ends while another is written is written with the next.
    async fn record(&self, tried: DeliveryTry) {
        let RecordQueue { waiting, is_writing } = &self.to_record;
        waiting.borrow_mut().push(tried);
        if is_writing.replace(true) {
            return;
        }
        loop {
            let batch = waiting.take();
            if batch.is_empty() {
                break;
            }
            self.write(batch).await;
        }
        is_writing.set(false);
    }

    /// Records tries together; if that fails, one by one, so that one that cannot be recorded does not hold up the others.
    async fn write(&self, batch: Vec<DeliveryTry>) {
        let ledger = self.world.ledger(&Slot::FIRST);
        let finished: Vec<Finished<'_>> = batch.iter().map(DeliveryTry::finished).collect();
        if let Err(error) = ledger.finish_tries(&finished).await {
            note(self.report, error);
            if finished.len() > 1 {
                for Finished { id, done, attention } in &finished {
                    let recorded = ledger.finish_try(id, done, *attention).await;
                    recorded.unwrap_or_else(|error| note(self.report, error));
                }
            }
        }
        ring_again(self.world, &batch).await;
        for tried in batch {
            self.count(|report| &mut report.delivered, tried.encoded.map(|()| true));
        }
    }
}
