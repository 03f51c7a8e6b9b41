//! The merchants' receivers, one per order: what each was sent, and what it answered.

use std::cell::RefCell;
use std::rc::Rc;

use checkout_core::gateway::exchange::Outgoing;
use checkout_core::port::SendError;
use checkout_core::testing::http::{HttpResult, empty};

use crate::weather::Weather;

/// One notification as it arrived.
#[derive(Debug, Clone)]
pub(crate) struct Received {
    pub(crate) id: String,
    pub(crate) url: String,
    pub(crate) body: String,
    /// What the receiver answered; `None` for nothing.
    pub(crate) status: Option<u16>,
}

/// Every receiver.
#[derive(Debug)]
pub(crate) struct Receivers {
    weather: Rc<Weather>,
    received: RefCell<Vec<Received>>,
}

impl Receivers {
    pub(crate) fn new(weather: &Rc<Weather>) -> Rc<Self> {
        Rc::new(Self { weather: Rc::clone(weather), received: RefCell::default() })
    }

    /// Everything that arrived, in order.
    pub(crate) fn received(&self) -> Vec<Received> {
        self.received.borrow().clone()
    }

    /// Answers a notification.
    ///
    /// # Errors
    /// If no answer comes.
    pub(crate) fn answer(&self, request: &Outgoing) -> HttpResult {
        let status = self.weather.receiver_answers();
        let id = request.headers.iter().find(|(name, _)| *name == "webhook-id").map(|(_, id)| id.clone());
        let received = Received {
            id: id.unwrap_or_default(),
            url: request.url.clone(),
            body: String::from_utf8_lossy(&request.body).into_owned(),
            status,
        };
        self.weather.note(|| format!("receiver {} {}: {status:?}", received.url, received.id));
        self.received.borrow_mut().push(received);
        status.map(empty).ok_or(SendError::Unknown)
    }
}
