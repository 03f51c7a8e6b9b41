//! A few things at once. The futures are boxed, so that waiting for all is compiled once and not for each
//! type of future.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::future::{Future, poll_fn};
use core::pin::Pin;
use core::task::Poll;

use futures_util::future::{MaybeDone, maybe_done};

type Boxed<'f, T> = Pin<Box<dyn Future<Output = T> + 'f>>;

/// The results of the futures, in their order, once all are done. Each wake-up polls every one that is not
/// done: for a dozen at most.
pub(in crate::flow) async fn together<'f, T>(
    futures: impl Iterator<Item = impl Future<Output = T> + 'f>,
) -> Vec<T> {
    let mut waiting = Vec::new();
    for future in futures {
        let boxed: Boxed<'f, T> = Box::pin(future);
        waiting.push(maybe_done(boxed));
    }
    all(waiting).await
}

async fn all<T>(mut waiting: Vec<MaybeDone<Boxed<'_, T>>>) -> Vec<T> {
    poll_fn(|context| {
        let mut is_over = true;
        for one in &mut waiting {
            is_over &= Pin::new(one).poll(context).is_ready();
        }
        if is_over { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
    waiting.iter_mut().filter_map(|one| Pin::new(one).take_output()).collect()
}

#[cfg(test)]
mod tests {
    use core::task::{Context, Waker};

    use super::*;

    #[test]
    fn all_are_waited_for_and_answer_in_their_order() {
        let futures = [3_u32, 0, 1].into_iter().enumerate().map(|(place, mut left)| {
            poll_fn(move |context| {
                let Some(next) = left.checked_sub(1) else { return Poll::Ready(place) };
                left = next;
                context.waker().wake_by_ref();
                Poll::Pending
            })
        });
        let mut waiting = core::pin::pin!(together(futures));
        let mut context = Context::from_waker(Waker::noop());
        let polls = core::iter::repeat_with(|| waiting.as_mut().poll(&mut context));
        let answers: Vec<_> = polls.take(4).collect();
        assert_eq!(answers, [Poll::Pending, Poll::Pending, Poll::Pending, Poll::Ready([0, 1, 2].into())]);
    }
}
