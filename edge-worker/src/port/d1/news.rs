//! What became due with what was stored. A statement that stores a message notes it, and the batch that it belongs to
//! calls for it, so it does not depend on any caller; who is called is said once for each request and run.

use std::cell::{OnceCell, RefCell};
use std::time::Duration;

use checkout_core::port::{Doorbell, Ring};
use checkout_core::value::id::DeliveryId;

/// The messages for which no doorbell was rung yet.
#[derive(Default)]
pub(crate) struct CommittedRows {
    /// Of statements whose batch is still to come.
    prepared: RefCell<Vec<Ring>>,
    waiting: RefCell<Vec<Ring>>,
    /// Is called whenever something waits.
    call: OnceCell<Box<dyn Fn()>>,
}

impl CommittedRows {
    /// Has `call` called whenever something waits.
    pub(crate) fn on_added(&self, call: Box<dyn Fn()>) {
        // The first one stays: this is the store of one request.
        let _ = self.call.set(call);
    }

    /// What waits; it waits no longer.
    pub(crate) fn take_all(&self) -> Vec<Ring> {
        self.waiting.take()
    }

    /// Takes messages that someone is about to send; without those that were taken before.
    pub(crate) fn take(&self, ids: &[DeliveryId]) -> Vec<Ring> {
        let is_taken = |ring: &Ring| ids.iter().any(|id| ring.bell.id() == id.as_str());
        let (taken, left) = self.waiting.take().into_iter().partition(is_taken);
        *self.waiting.borrow_mut() = left;
        taken
    }

    /// A statement stores a message.
    pub(super) fn prepare(&self, id: DeliveryId) {
        self.prepared.borrow_mut().push(Ring::first(id));
    }

    /// What the statements of a batch store, which is about to run.
    pub(super) fn begin_batch(&self) -> Vec<Ring> {
        self.prepared.take()
    }

    /// The batch has ended. One that failed may have been stored nevertheless, and a doorbell without a row has no effect.
    pub(super) fn end_batch(&self, rings: Vec<Ring>) {
        if rings.is_empty() {
            return;
        }
        self.waiting.borrow_mut().extend(rings);
        if let Some(call) = self.call.get() {
            call();
        }
    }

    /// Messages that a person had made due again: many perhaps, and none comes before what is fresh.
    pub(super) fn add_again(&self, ids: impl IntoIterator<Item = DeliveryId>) {
        let ring = |id| Ring::waiting(Doorbell::Delivery(id), Duration::ZERO);
        self.end_batch(ids.into_iter().map(ring).collect());
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::rc::Rc;

    use super::*;

    fn id(number: u8) -> DeliveryId {
        DeliveryId::parse(&format!("alert_{number:040x}")).unwrap()
    }

    #[test]
    fn who_is_called_finds_what_a_batch_stored_and_nothing_that_someone_sends_already() {
        let news = Rc::new(CommittedRows::default());
        let found = Rc::new(Cell::new(0));
        let (seen, counted) = (Rc::clone(&news), Rc::clone(&found));
        news.on_added(Box::new(move || counted.set(seen.waiting.borrow().len())));
        news.end_batch(news.begin_batch());
        news.add_again([]);
        assert_eq!(found.get(), 0, "nothing was stored");
        news.prepare(id(1));
        news.prepare(id(2));
        assert_eq!(found.get(), 0, "it is not stored yet");
        news.end_batch(news.begin_batch());
        assert_eq!(found.get(), 2);
        news.add_again([id(3)]);
        assert_eq!(found.get(), 3);
        assert_eq!(news.take(&[id(1), id(4)]).len(), 1);
        assert!(news.take(&[id(1)]).is_empty());
        let waiting: Vec<String> = news.take_all().iter().map(|ring| ring.bell.id().to_owned()).collect();
        assert_eq!(waiting, [id(2).as_str(), id(3).as_str()]);
        assert!(news.take_all().is_empty());
    }
}
