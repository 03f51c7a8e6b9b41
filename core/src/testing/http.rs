//! Gateways and receivers that answer as the test says.

use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::RefCell;
use core::fmt;
use core::time::Duration;

use crate::gateway::exchange::{Incoming, Outgoing};
use crate::port::{Http, SendError};

/// The answer to one request.
pub type HttpResult = Result<Incoming, SendError>;

type Responder = Box<dyn FnMut(&Outgoing) -> HttpResult>;

/// Answers requests from a queue, then with a closure, and records every request. Without either, nothing can
/// be reached.
#[derive(Default)]
pub struct ScriptedHttp {
    queue: RefCell<VecDeque<HttpResult>>,
    responder: RefCell<Option<Responder>>,
    sent: RefCell<Vec<Outgoing>>,
}

impl ScriptedHttp {
    /// Answers the next request that no earlier call has answered.
    pub fn answer_next(&self, answer: HttpResult) {
        self.queue.borrow_mut().push_back(answer);
    }

    /// Answers requests with `responder` while the queue is empty. It must not send requests itself.
    pub fn answer_by(&self, responder: impl FnMut(&Outgoing) -> HttpResult + 'static) {
        *self.responder.borrow_mut() = Some(Box::new(responder));
    }

    /// The requests that were sent since the last call, in order.
    #[must_use]
    pub fn take_sent(&self) -> Vec<Outgoing> {
        self.sent.take()
    }

    /// How many requests were sent since the last [`take_sent`](Self::take_sent).
    #[must_use]
    pub fn count(&self) -> usize {
        self.sent.borrow().len()
    }
}

impl Http for ScriptedHttp {
    async fn send(&self, request: Outgoing, _limit: Duration) -> HttpResult {
        let queued = self.queue.borrow_mut().pop_front();
        let answer = queued.unwrap_or_else(|| match self.responder.borrow_mut().as_mut() {
            Some(responder) => responder(&request),
            None => Err(SendError::NotSent),
        });
        self.sent.borrow_mut().push(request);
        answer
    }
}

impl fmt::Debug for ScriptedHttp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ScriptedHttp").field("sent", &self.sent).finish_non_exhaustive()
    }
}

/// A JSON answer with this status.
#[must_use]
pub fn json(status: u16, body: &str) -> Incoming {
    let headers = [("content-type".into(), "application/json".into())].into();
    Incoming { query: String::new(), status, headers, body: body.into() }
}

/// An answer with this status without a body.
#[must_use]
pub fn empty(status: u16) -> Incoming {
    Incoming { query: String::new(), status, headers: Vec::new(), body: Vec::new() }
}
