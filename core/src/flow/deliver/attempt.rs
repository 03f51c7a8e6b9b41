//! One try to send a message, and what follows it.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::time::Duration;

use super::approved;
use super::flag::{Failing, flagged};
use super::message;
use super::tried::DeliveryTry;
use crate::flow::exchange::receiver::{SentWebhook, encode, send};
use crate::flow::find::RecentSettings;
use crate::port::{
    Clock, Doorbell, Finished, LONGEST_WAIT, MessageClaim, Next, PortError, Ring, Rng, Store, Try, World,
};
use crate::record::outbox::MessageKind;
use crate::record::receiver::{self, Disabling, ReceiverEffect, TryError};
use crate::settings::situation::Situation;
use crate::value::time::Timestamp;
use crate::webhook::delivery::{AnswerEffect, LEASE, ReceiverAnswer, next_try};

/// Rings for the next tries of messages at their times. A doorbell that is not rung, because it fails or because the time
/// is too far away for a queue, is no loss: the cron handler finds the row.
pub(super) async fn ring_again(world: &impl World, tried: &[DeliveryTry]) {
    if !world.has_queues() {
        return;
    }
    let next = tried.iter().filter_map(|tried| {
        let after = tried.again_after.filter(|after| *after <= LONGEST_WAIT)?;
        Some(Ring::waiting(Doorbell::Delivery(tried.id.clone()), after))
    });
    let rings: Vec<Ring> = next.collect();
    if !rings.is_empty() {
        // The world logs what its queue says.
        let _rung = world.ring(&rings).await;
    }
}

/// Accounts for the try before this one, if its sender ended without recording it: it has failed, whatever ended the sender,
/// which says nothing about the receiver. The claim to go on with, if the message is due nevertheless.
pub(super) async fn account_for(
    world: &impl World,
    claim: MessageClaim,
    recent: &RecentSettings,
) -> Result<Option<MessageClaim>, PortError> {
    let Some(lost_until) = claim.lost_until else { return Ok(Some(claim)) };
    let (message, now) = (&claim.message, world.clock().now());
    let situation = recent.of(world, &message.merchant).await;
    let offset = situation.as_ref().map_or(Duration::ZERO, Situation::ahead);
    let at = lost_until.minus(LEASE).plus(offset);
    // Without jitter: the lease has kept it waiting already.
    let planned = next_try(claim.failed_tries.saturating_add(1), at, 0, None);
    let next = planned.map_or(Next::GivenUp, Next::Again);
    let took_ms = i64::try_from(LEASE.as_millis()).unwrap_or(i64::MAX);
    let (error, receiver) = (Some(TryError::Lost), ReceiverEffect::Nothing);
    let done = Try { at, status: None, error, excerpt: None, took_ms, next, receiver };
    let attention = flagged(message, &done, Failing::of(&situation, claim.failed_tries));
    let id = message.id.clone();
    let tried = DeliveryTry::new(id.clone(), done, attention, AnswerEffect::Retry, now.plus(offset));
    let Finished { done, attention, .. } = tried.finished();
    world.ledger(&id).finish_try(&id, done, attention).await?;
    match planned {
        Some(due_at) if due_at <= now.plus(offset) => {
            world.ledger(&id).claim(&id, now, now.plus(LEASE)).await
        }
        _ => {
            ring_again(world, core::slice::from_ref(&tried)).await;
            Ok(None)
        }
    }
}

/// Makes one try of a claimed message: steps 2 and 3, and the plan of step 4.
pub(super) async fn attempt(
    world: &impl World,
    claim: MessageClaim,
    recent: &RecentSettings,
) -> Result<DeliveryTry, PortError> {
    let message = &claim.message;
    if let Some(channel) = message.kind.channel() {
        // Boxed: webhooks would carry the future of a message to a payer.
        return Box::pin(message::attempt(world, &claim, channel)).await;
    }
    if message.kind == MessageKind::Approval {
        return Box::pin(approved::attempt(world, &claim)).await;
    }
    let now = world.clock().now();
    // 2
    let situation = recent.of(world, &message.merchant).await;
    let offset = situation.as_ref().map_or(Duration::ZERO, Situation::ahead);
    let encoded = match &situation {
        Ok(situation) => encode(world, &situation.settings, message, now).await,
        Err(error) => Err(error.clone().into()),
    };
    // 3
    let SentWebhook { answer, error, excerpt } = match &encoded {
        Ok(request) => send(world, request.clone(), now).await,
        Err(_) => SentWebhook::failed(TryError::Internal),
    };
    // 4
    let after = world.clock().now();
    let at = now.plus(offset);
    let ends_at = after.plus(offset);
    let receiver = of_receiver(&claim, answer, error, at);
    let next = match (what_next(world, &claim, answer, ends_at)?, receiver) {
        // What disables its receiver is held with the rest, even if it was its last try.
        (Next::GivenUp, ReceiverEffect::Disabled(_)) => Next::Held,
        (next, _) => next,
    };
    let took_ms = after.millis().saturating_sub(now.millis());
    let done = Try { at, status: answer.status(), error, excerpt, took_ms, next, receiver };
    let attention = flagged(message, &done, Failing::of(&situation, claim.failed_tries));
    let tried = DeliveryTry::new(message.id.clone(), done, attention, answer.effect(), ends_at);
    Ok(DeliveryTry { encoded: encoded.map(|_| ()), ..tried })
}

/// What a try says of the receiver. One that failed here says nothing.
fn of_receiver(
    claim: &MessageClaim,
    answer: ReceiverAnswer,
    error: Option<TryError>,
    at: Timestamp,
) -> ReceiverEffect {
    if error == Some(TryError::Internal) {
        return ReceiverEffect::Nothing;
    }
    if claim.message.kind.is_alert() {
        // Whether webhooks about payments arrive at the host is another matter; an address that is gone is gone.
        let is_gone = answer.effect() == AnswerEffect::Gone;
        return if is_gone { ReceiverEffect::Disabled(Disabling::Gone) } else { ReceiverEffect::Nothing };
    }
    let is_delivered = matches!(answer.effect(), AnswerEffect::Redirect | AnswerEffect::Stay);
    receiver::effect(is_delivered, answer.effect() == AnswerEffect::Gone, claim.failing_since, at)
}

pub(super) fn what_next(
    world: &impl World,
    claim: &MessageClaim,
    answer: ReceiverAnswer,
    now: Timestamp,
) -> Result<Next, PortError> {
    Ok(match answer.effect() {
        AnswerEffect::Redirect | AnswerEffect::Stay => Next::Delivered,
        AnswerEffect::Gone => Next::Held,
        AnswerEffect::Retry => {
            let mut jitter = [0; 1];
            world.rng().fill(&mut jitter)?;
            let [jitter] = jitter;
            let failed = claim.failed_tries.saturating_add(1);
            next_try(failed, now, jitter, answer.retry_after()).map_or(Next::GivenUp, Next::Again)
        }
    })
}
