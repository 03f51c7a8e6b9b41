//! Idempotency keys: the same key with the same body does nothing twice; with another body it is refused.

use alloc::string::{String, ToString};

use sha2::{Digest, Sha256};

use crate::access::key::KeyKind;
use crate::access::{Caller, Rights};
use crate::flow::Failure;
use crate::port::{Store, World};
use crate::record::attachment::FilePart;
use crate::record::idempotency::StoredAnswer;
use crate::rejection::Rejection;
use crate::value::time::Timestamp;
use crate::wire::json::unquote;

/// The status under which a claim is stored: no answer has it.
pub(crate) const CLAIMED: u16 = 0;

/// When a request did what it asks for.
pub(crate) enum Done<B, N> {
    /// The same request came before and did it then.
    Before(B),
    /// It was done now.
    Now(N),
}

/// Does something once, however often the same request comes:
///
/// 1. what the same request did before is its answer;
/// 2. otherwise it is done, and what it stores takes the key of the request in the same batch;
/// 3. if that is refused, the same request may have come first in the meantime, and be the reason for the
///    refusal: look again.
///
/// # Errors
/// What `find` refuses, such as a key that was sent with another body; what `act` refuses; a failure of the world.
pub(crate) async fn do_once<B, N>(
    mut find: impl AsyncFnMut() -> Result<Option<B>, Failure>,
    act: impl AsyncFnOnce() -> Result<N, Failure>,
) -> Result<Done<B, N>, Failure> {
    // 1
    if let Some(before) = find().await? {
        return Ok(Done::Before(before));
    }
    act_once(find, act).await
}

/// As [`do_once`] from its second step on, for what does nothing outside before it takes the key.
///
/// # Errors
/// As [`do_once`].
pub(crate) async fn act_once<B, N>(
    mut find: impl AsyncFnMut() -> Result<Option<B>, Failure>,
    act: impl AsyncFnOnce() -> Result<N, Failure>,
) -> Result<Done<B, N>, Failure> {
    // 2
    let rejection = match act().await {
        Ok(now) => return Ok(Done::Now(now)),
        Err(Failure::Refused(rejection)) => rejection,
        Err(failure) => return Err(failure),
    };
    // 3
    find().await?.map(Done::Before).ok_or(Failure::Refused(rejection))
}

/// An idempotency key and the request that it was sent with.
pub(crate) struct IdempotencyKey<'a> {
    operation: &'static str,
    text: &'a str,
    fingerprint: String,
}

impl<'a> IdempotencyKey<'a> {
    /// Reads the header, if there is one, of a request for an operation; a key may be in quotes.
    ///
    /// # Errors
    /// [`Rejection::IdempotencyKeyMalformed`].
    pub(crate) fn read(
        header: Option<&'a str>,
        operation: &'static str,
        body: &[u8],
        file: Option<&FilePart<'_>>,
    ) -> Result<Option<Self>, Rejection> {
        let Some(text) = header.map(unquote) else { return Ok(None) };
        let is_valid = (1..=255).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic());
        if !is_valid {
            return Err(Rejection::IdempotencyKeyMalformed);
        }
        let mut digest = Sha256::new_with_prefix(body);
        if let Some(file) = file {
            // No JSON text has this byte, and the length ends the name: no two different requests give the
            // same digest.
            digest.update([0]);
            digest.update(file.file_name.len().to_be_bytes());
            digest.update(file.file_name);
            digest.update(file.bytes);
        }
        Ok(Some(Self { operation, text, fingerprint: hex::encode(digest.finalize()) }))
    }

    /// What a request is for.
    pub(crate) const fn operation(&self) -> &'static str {
        self.operation
    }

    /// Under what it is stored. Decision: the servers and users of a merchant share their keys, because one of them may repeat
    /// what another began; a public key, which everyone can read, has keys of its own. No key has a space.
    fn stored_as(&self, caller: &Caller) -> String {
        match &caller.rights {
            Rights::Key(KeyKind::Public, _) => {
                [caller.prefix.as_deref().unwrap_or_default(), " ", self.text].concat()
            }
            Rights::Key(KeyKind::Private, _) | Rights::User(_) => self.text.to_string(),
        }
    }

    /// The answer to the request, to be stored in the batch of what it does.
    pub(crate) fn answer(&self, caller: &Caller, status: u16, body: String, at: Timestamp) -> StoredAnswer {
        StoredAnswer {
            merchant: caller.merchant().clone(),
            operation: self.operation,
            key: self.stored_as(caller),
            fingerprint: self.fingerprint.clone(),
            status,
            body,
            at,
        }
    }

    /// The claim of a request that begins an attempt, to be stored in the same batch: it names the attempt.
    pub(crate) fn claim(&self, caller: &Caller, reference: &str, at: Timestamp) -> StoredAnswer {
        self.answer(caller, CLAIMED, reference.to_string(), at)
    }

    /// The answer that is stored under the key.
    ///
    /// # Errors
    /// [`Rejection::IdempotencyKeyReused`] if it was sent with another body, or a failure of the world.
    pub(crate) async fn stored(
        &self,
        world: &impl World,
        caller: &Caller,
    ) -> Result<Option<StoredAnswer>, Failure> {
        match world
            .ledger(caller.merchant())
            .answer(caller.merchant(), self.operation, &self.stored_as(caller))
            .await?
        {
            Some(stored) if stored.fingerprint != self.fingerprint => {
                Err(Rejection::IdempotencyKeyReused.into())
            }
            stored => Ok(stored),
        }
    }

    /// What is claimed under the key.
    ///
    /// # Errors
    /// As [`stored`](Self::stored).
    pub(crate) async fn claimed(
        &self,
        world: &impl World,
        caller: &Caller,
    ) -> Result<Option<String>, Failure> {
        let stored = self.stored(world, caller).await?;
        Ok(stored.filter(|stored| stored.status == CLAIMED).map(|stored| stored.body))
    }
}

#[cfg(test)]
mod tests {
    use core::cell::Cell;
    use core::future::Future;
    use core::task::{Context, Poll, Waker};

    use super::*;

    /// What is stored under the key at each look, and what comes of doing it.
    fn done(stored: [Option<u8>; 2], act: Result<u8, Failure>) -> (Result<Done<u8, u8>, Failure>, usize) {
        let (looks, mut stored) = (Cell::new(0_usize), stored.into_iter());
        let find = async || {
            looks.set(looks.get().saturating_add(1));
            Ok(stored.next().flatten())
        };
        let mut doing = core::pin::pin!(do_once(find, async || act));
        let mut context = Context::from_waker(Waker::noop());
        match doing.as_mut().poll(&mut context) {
            Poll::Ready(result) => (result, looks.get()),
            Poll::Pending => (Err(Rejection::Unavailable.into()), 0),
        }
    }

    fn refused() -> Result<u8, Failure> {
        Err(Rejection::Conflict.into())
    }

    #[test]
    fn what_was_done_before_is_not_done_again() {
        assert!(matches!(done([Some(1), None], refused()), (Ok(Done::Before(1)), 1)));
    }

    #[test]
    fn what_is_new_is_done_after_one_look() {
        assert!(matches!(done([None, None], Ok(2)), (Ok(Done::Now(2)), 1)));
    }

    #[test]
    fn a_refusal_looks_again_for_the_same_request() {
        assert!(matches!(done([None, Some(1)], refused()), (Ok(Done::Before(1)), 2)));
        let (result, looks) = done([None, None], refused());
        assert_eq!((result.err(), looks), (refused().err(), 2));
    }

    #[test]
    fn a_failure_of_the_world_is_no_reason_to_look_again() {
        let failed = || Failure::World(crate::port::PortError { port: "test", detail: String::new() });
        let (result, looks) = done([None, Some(1)], Err(failed()));
        assert_eq!((result.err(), looks), (Some(failed()), 1));
    }
}
