//! The receiver of a merchant's notifications.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use checkout_core::gateway::exchange::Outgoing;
use serde_json::Value;

/// Answers notifications with 200 unless set otherwise. Clones are the same receiver.
#[derive(Debug, Clone, Default)]
pub struct Receiver {
    next: Rc<RefCell<VecDeque<Option<u16>>>>,
    received: Rc<RefCell<Vec<Outgoing>>>,
}

impl Receiver {
    /// The next notification that has no answer yet gets this status; `None` for no answer at all.
    pub fn answer_next(&self, status: Option<u16>) {
        self.next.borrow_mut().push_back(status);
    }

    /// The notifications that arrived since the last call.
    #[must_use]
    pub fn take(&self) -> Vec<Outgoing> {
        self.received.take()
    }

    /// The bodies of the notifications that arrived since the last call.
    #[must_use]
    pub fn take_bodies(&self) -> Vec<Value> {
        self.take().iter().map(|request| serde_json::from_slice(&request.body).unwrap()).collect()
    }

    /// A notification arrives; its answer.
    pub(crate) fn receive(&self, notification: &Outgoing) -> Option<u16> {
        self.received.borrow_mut().push(notification.clone());
        self.next.borrow_mut().pop_front().unwrap_or(Some(200))
    }
}
