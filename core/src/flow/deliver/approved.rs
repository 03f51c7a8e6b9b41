//! One try to do what is due of a request for approval. It goes to nobody: the row of the outbox is what makes it happen, also if
//! who approved it has ended, and by the queue and the cron handler alike.

use core::time::Duration;

use super::flag::{Failing, flagged};
use super::tried::DeliveryTry;
use crate::flow::situation::situation_of;
use crate::flow::{Failure, operation};
use crate::port::{Clock, MessageClaim, Next, PortError, Rng, Try, World};
use crate::record::facts::{FactCode, Facts};
use crate::record::receiver::{ReceiverEffect, TryError};
use crate::rejection::Rejection;
use crate::settings::situation::Situation;
use crate::webhook::delivery::{AnswerEffect, next_try};

/// Makes one try:
///
/// 1. do what is due of the request;
/// 2. plan what follows: it is done, or tried again because another operation is in progress or the world failed; after the last
///    try the request has failed, if its operation has not begun.
///
/// # Errors
/// A failure of the world.
pub(super) async fn attempt(world: &impl World, claim: &MessageClaim) -> Result<DeliveryTry, PortError> {
    let message = &claim.message;
    let id = &message.subject.reference;
    let started = world.clock().now();
    let situation = situation_of(world, &message.merchant).await;
    let offset = situation.as_ref().map_or(Duration::ZERO, Situation::ahead);
    // 1
    let done = operation::do_due(world, id).await;
    // 2
    let ended = world.clock().now();
    let (at, ends_at) = (started.plus(offset), ended.plus(offset));
    let mut next = Next::Delivered;
    if done.is_err() {
        let mut jitter = [0; 1];
        world.rng().fill(&mut jitter)?;
        let [jitter] = jitter;
        let failed = claim.failed_tries.saturating_add(1);
        next = next_try(failed, ends_at, jitter, None).map_or(Next::GivenUp, Next::Again);
    }
    if next == Next::GivenUp && is_waiting(&done) {
        match operation::give_up(world, id, Facts::of(FactCode::TriedToTheEnd)).await {
            Ok(()) | Err(Failure::Refused(_)) => {}
            Err(failure) => return Err(failure.fault().unwrap_or_else(broken)),
        }
    }
    let (error, effect) = match &done {
        Ok(()) => (None, AnswerEffect::Stay),
        Err(_) => (Some(TryError::Internal), AnswerEffect::Retry),
    };
    let took_ms = ended.millis().saturating_sub(started.millis());
    let receiver = ReceiverEffect::Nothing;
    let tried = Try { at, status: None, error, excerpt: None, took_ms, next, receiver };
    let attention = flagged(message, &tried, Failing::unheard());
    let outcome = DeliveryTry::new(message.id.clone(), tried, attention, effect, ends_at);
    let world_failed = done.as_ref().err().is_some_and(|failure| failure.fault().is_some());
    Ok(if world_failed { DeliveryTry { encoded: done, ..outcome } } else { outcome })
}

/// Whether the request may still wait to be carried out.
fn is_waiting(done: &Result<(), Failure>) -> bool {
    match done {
        Ok(()) => false,
        Err(Failure::Refused(refused)) => refused.rejection != Rejection::NotFound,
        Err(Failure::World(_) | Failure::Unwritten) => true,
    }
}

fn broken() -> PortError {
    PortError { port: "approval", detail: "a request for approval cannot be ended".into() }
}
