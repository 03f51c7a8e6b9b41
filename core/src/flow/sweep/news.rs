//! What a run has caused itself, so that it is sent while the run goes on.

use core::cell::Cell;
use core::future::poll_fn;
use core::task::{Poll, Waker};

/// Whether something was caused since the last search for what is due.
#[derive(Default)]
pub(super) struct News {
    /// How many messages had been caused when this was noted last.
    known: Cell<u32>,
    is_new: Cell<bool>,
    is_closed: Cell<bool>,
    waker: Cell<Option<Waker>>,
}

impl News {
    /// From here on something may be caused.
    pub(super) fn open(&self, caused: u32) {
        self.known.set(caused);
        self.is_new.set(false);
        self.is_closed.set(false);
    }

    /// Notes how many messages were caused so far.
    pub(super) fn note(&self, caused: u32) {
        if self.known.replace(caused) != caused {
            self.is_new.set(true);
            self.wake();
        }
    }

    /// Nothing is caused any more.
    pub(super) fn close(&self) {
        self.is_closed.set(true);
        self.wake();
    }

    /// Waits until something was caused; `false` if nothing will be.
    pub(super) async fn next(&self) -> bool {
        poll_fn(|context| {
            if self.is_new.take() {
                return Poll::Ready(true);
            }
            if self.is_closed.get() {
                return Poll::Ready(false);
            }
            self.waker.set(Some(context.waker().clone()));
            Poll::Pending
        })
        .await
    }

    fn wake(&self) {
        if let Some(waker) = self.waker.take() {
            waker.wake();
        }
    }
}

#[cfg(test)]
mod tests {
    use core::pin::pin;
    use core::task::Context;

    use super::*;

    #[test]
    fn who_waits_goes_on_when_something_was_caused_and_ends_when_nothing_will_be() {
        let news = News::default();
        let mut context = Context::from_waker(Waker::noop());
        news.open(3);
        let mut next = pin!(news.next());
        assert_eq!(next.as_mut().poll(&mut context), Poll::Pending);
        news.note(3);
        assert_eq!(next.as_mut().poll(&mut context), Poll::Pending, "nothing was caused");
        news.note(4);
        news.close();
        assert_eq!(next.as_mut().poll(&mut context), Poll::Ready(true));
        assert_eq!(pin!(news.next()).poll(&mut context), Poll::Ready(false));
        news.open(4);
        assert_eq!(pin!(news.next()).poll(&mut context), Poll::Pending);
    }
}
