//! Storing what a flow decided. If someone else changed the transaction first, it is decided again on what is
//! stored by then.

pub(super) mod attachment;
pub(super) mod generate;
pub(super) mod idempotency;
pub(super) mod notify;
pub(super) mod terms;

use alloc::boxed::Box;

use super::Failure;
use crate::change::Change;
use crate::flow::commit::attachment::shorten_messages;
use crate::message::facts::add_caused;
use crate::port::{CommitError, Ring, Store, World};
use crate::rejection::Rejection;

/// How often a change is decided again because the transaction was changed first by someone else.
const MAX_TRIES: u8 = 5;
/// How often an outcome is decided again: it is a fact, so the caller is answered with it, however many others
/// change the same transaction first.
const MAX_TRIES_OF_OUTCOME: u8 = 50;

/// What a flow decided.
pub(super) enum Decision<T> {
    /// This change is to be stored; `T` is what it was decided on.
    Commit(Box<Change>, T),
    /// Nothing is to be stored.
    Nothing(T),
    /// Something else was stored that matters: decide again.
    Again,
}

/// What was decided last, and is stored.
pub(super) struct Decided<T> {
    /// The change; `None` if nothing was to be stored.
    pub(super) change: Option<Box<Change>>,
    /// What it was decided on.
    pub(super) basis: T,
}

/// Decides on what is stored and stores the result, at most [`MAX_TRIES`] times:
///
/// 1. load what is decided on; the first time it may be `given`; it is boxed, because futures carry it around;
/// 2. decide;
/// 3. one batch stores the change; if someone else changed the transaction first, everything is decided again.
///
/// # Errors
/// What `load` and `decide` refuse; [`Rejection::Conflict`] if someone else was first every time, or the key in
/// the change is taken, which no other decision would change; a failure of the world.
pub(super) fn decide_and_commit<S, T>(
    world: &impl World,
    given: Option<Box<S>>,
    load: impl AsyncFn() -> Result<S, Failure>,
    decide: impl AsyncFnMut(Box<S>) -> Result<Decision<T>, Failure>,
) -> impl Future<Output = Result<Decided<T>, Failure>> {
    decide_again(world, MAX_TRIES, Bracket { given, load, decide })
}

/// As [`decide_and_commit`], for what a gateway said: tried [`MAX_TRIES_OF_OUTCOME`] times.
///
/// # Errors
/// As [`decide_and_commit`].
pub(super) fn commit_outcome<S, T>(
    world: &impl World,
    given: Option<Box<S>>,
    load: impl AsyncFn() -> Result<S, Failure>,
    decide: impl AsyncFnMut(Box<S>) -> Result<Decision<T>, Failure>,
) -> impl Future<Output = Result<Decided<T>, Failure>> {
    decide_again(world, MAX_TRIES_OF_OUTCOME, Bracket { given, load, decide })
}

/// What is decided on, and how.
struct Bracket<S, L, D> {
    given: Option<Box<S>>,
    load: L,
    decide: D,
}

async fn decide_again<S, T, L, D>(
    world: &impl World,
    tries: u8,
    bracket: Bracket<S, L, D>,
) -> Result<Decided<T>, Failure>
where
    L: AsyncFn() -> Result<S, Failure>,
    D: AsyncFnMut(Box<S>) -> Result<Decision<T>, Failure>,
{
    let Bracket { mut given, load, mut decide } = bracket;
    for _ in 0..tries {
        // 1
        let stored = match given.take() {
            Some(given) => given,
            None => Box::new(load().await?),
        };
        // 2
        let (mut change, basis) = match decide(stored).await? {
            Decision::Commit(change, basis) => (change, basis),
            Decision::Nothing(basis) => return Ok(Decided { change: None, basis }),
            Decision::Again => continue,
        };
        // 3
        if commit(world, &mut change).await? {
            return Ok(Decided { change: Some(change), basis });
        }
    }
    Err(Rejection::Conflict.into())
}

/// Stores a change; whether nobody else changed the transaction first.
///
/// # Errors
/// [`Rejection::Conflict`] if the key in the change is taken, or a failure of the world.
pub(super) async fn commit(world: &impl World, change: &mut Change) -> Result<bool, Failure> {
    match store(world, change).await {
        Ok(()) => Ok(true),
        Err(CommitError::Conflict) => Ok(false),
        Err(error @ (CommitError::KeyTaken | CommitError::Failed(_))) => Err(error.into()),
    }
}

/// Stores a change with the messages to payers that it causes, and posts all of its messages. Every flow stores its changes
/// here.
///
/// # Errors
/// As [`Store::commit`].
pub(super) async fn store(world: &impl World, change: &mut Change) -> Result<(), CommitError> {
    terms::add_digits(world, change);
    add_caused(change, &world.installation().public_url);
    shorten_messages(world, change).await.map_err(CommitError::Failed)?;
    let stored = world.ledger(change).commit(change).await;
    // One that failed may have been stored nevertheless, and a doorbell without a row has no effect.
    if !matches!(stored, Err(CommitError::Conflict | CommitError::KeyTaken)) {
        world.post(change.messages.iter().map(|message| Ring::first(message.id.clone())).collect());
    }
    stored
}
