//! The messages that a request posted, until they are delivered: at once, in the background, unless someone sends them before.

use std::cell::RefCell;

use checkout_core::port::Ring;
use checkout_core::value::id::DeliveryId;

/// The messages of one request, or of one run, that are to be delivered.
pub(crate) struct Courier {
    waiting: RefCell<Vec<Ring>>,
    /// Is called whenever something waits.
    call: Box<dyn Fn()>,
}

impl Courier {
    /// A courier who has `call` called whenever something waits.
    pub(crate) fn new(call: Box<dyn Fn()>) -> Self {
        Self { waiting: RefCell::default(), call }
    }

    /// Messages are to be delivered.
    pub(crate) fn post(&self, rings: Vec<Ring>) {
        if !rings.is_empty() {
            self.waiting.borrow_mut().extend(rings);
            (self.call)();
        }
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
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::rc::Rc;

    use super::*;

    fn ring(number: u8) -> Ring {
        Ring::first(id(number))
    }

    fn id(number: u8) -> DeliveryId {
        DeliveryId::parse(&format!("alert_{number:040x}")).unwrap()
    }

    #[test]
    fn who_is_called_finds_what_was_posted_and_nothing_that_someone_sends_already() {
        let calls = Rc::new(Cell::new(0));
        let counted = Rc::clone(&calls);
        let courier = Courier::new(Box::new(move || counted.set(counted.get() + 1)));
        courier.post(Vec::new());
        assert_eq!(calls.get(), 0, "nothing was posted");
        courier.post(vec![ring(1), ring(2)]);
        courier.post(vec![ring(3)]);
        assert_eq!(calls.get(), 2);
        assert_eq!(courier.take(&[id(1), id(4)]).len(), 1);
        assert!(courier.take(&[id(1)]).is_empty());
        let waiting: Vec<String> = courier.take_all().iter().map(|ring| ring.bell.id().to_owned()).collect();
        assert_eq!(waiting, [id(2).as_str(), id(3).as_str()]);
        assert!(courier.take_all().is_empty());
    }
}
