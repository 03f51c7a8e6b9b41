//! An exchange with a gateway as data: a request with what reads its answer, which yields the result or the next request.

use alloc::boxed::Box;
use core::fmt;

use super::charge::Opened;
use super::exchange::{Incoming, Outgoing};

/// How an exchange goes on.
#[derive(Debug)]
pub enum Step<'c, T> {
    /// It is over.
    Done(T),
    /// A request has to be answered first.
    Ask(Call<'c, T>),
}

/// Reads an answer. Reading never fails: what cannot be read is unknown, because the gateway may have moved money.
pub type ReadAnswer<'c, T> = Box<dyn FnOnce(&Incoming) -> Step<'c, T> + 'c>;

/// A request, and what reads its answer.
pub struct Call<'c, T> {
    /// The request.
    pub request: Outgoing,
    /// Whether the gateway may move money because of it. If the connection breaks before such a request, nothing was
    /// moved; after it, that is unknown.
    pub moves_money: bool,
    /// Whether there is no result without an answer. What is known before a request that only adds to it stands without one:
    /// then an empty answer is read.
    pub is_needed: bool,
    /// Reads the answer.
    pub read: ReadAnswer<'c, T>,
}

impl<T> fmt::Debug for Call<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call")
            .field("request", &self.request)
            .field("moves_money", &self.moves_money)
            .finish_non_exhaustive()
    }
}

impl<'c, T> Step<'c, T> {
    /// A request that moves no money, whose answer is the last one.
    pub fn ask(request: Outgoing, read: impl FnOnce(&Incoming) -> T + 'c) -> Self {
        Self::ask_first(request, |answer| Self::Done(read(answer)))
    }

    /// A request that moves no money; its answer decides how the exchange goes on.
    pub(crate) fn ask_first(request: Outgoing, read: impl FnOnce(&Incoming) -> Self + 'c) -> Self {
        Self::Ask(Call { request, moves_money: false, is_needed: true, read: Box::new(read) })
    }

    /// A request that moves no money and only adds to what is known; its answer is the last one.
    #[cfg(any(feature = "mpgs", feature = "tamara", feature = "tap"))]
    pub(crate) fn add(request: Outgoing, read: impl FnOnce(&Incoming) -> T + 'c) -> Self {
        let read: ReadAnswer<'c, T> = Box::new(|answer| Self::Done(read(answer)));
        Self::Ask(Call { request, moves_money: false, is_needed: false, read })
    }

    /// A request that may move money, whose answer is the last one.
    pub fn act(request: Outgoing, read: impl FnOnce(&Incoming) -> T + 'c) -> Self {
        Self::act_first(request, |answer| Self::Done(read(answer)))
    }

    /// A request that may move money; its answer decides how the exchange goes on.
    pub(crate) fn act_first(request: Outgoing, read: impl FnOnce(&Incoming) -> Self + 'c) -> Self {
        Self::Ask(Call { request, moves_money: true, is_needed: true, read: Box::new(read) })
    }

    /// The request that has to be answered; `None` if the exchange is over.
    #[must_use]
    pub fn call(self) -> Option<Call<'c, T>> {
        match self {
            Self::Ask(call) => Some(call),
            Self::Done(_) => None,
        }
    }

    /// The result; `None` if a request has to be answered first.
    #[must_use]
    pub fn done(self) -> Option<T> {
        match self {
            Self::Done(result) => Some(result),
            Self::Ask(_) => None,
        }
    }
}

impl Step<'_, Opened> {
    /// A charge for which the gateway is not asked, and why.
    #[must_use]
    pub fn refused(message: &str) -> Self {
        Self::Done(Opened::Refused { message: Some(message.into()) })
    }
}

impl<'c, T> Call<'c, T> {
    /// How the exchange goes on after this answer.
    #[must_use]
    pub fn read(self, answer: &Incoming) -> Step<'c, T> {
        (self.read)(answer)
    }
}
