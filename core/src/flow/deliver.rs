//! Delivering one message of the outbox. What is sent, and what the answer means, is decided by a codec for
//! each kind.

mod webhook;

pub(crate) use self::webhook::signing_secrets;

use core::time::Duration;

use super::Failure;
use crate::flow::find::settings_for;
use crate::gateway::exchange::{Incoming, Outgoing};
use crate::port::{Claim, Clock, Http, Next, PortError, Rng, Store, Try, World};
use crate::record::attention::{Attention, Reason};
use crate::record::outbox::{Kind, Message};
use crate::settings::MerchantSettings;
use crate::value::id::DeliveryId;
use crate::value::time::Timestamp;
use crate::webhook::delivery::{Effect, LEASE, ReceiverAnswer, SEND_TIMEOUT, next_try};

/// Tries to deliver a message:
///
/// 1. claim it, so that nobody else sends it at the same time;
/// 2. encode it for this moment, in real time; if what this needs cannot be loaded, the try has failed like
///    one without an answer, so that it comes back later and not before those of others;
/// 3. send;
/// 4. record the answer: it was accepted, or the next try is planned in the merchant's time, or the message
///    is given up.
///
/// `None` if it is delivered, given up or claimed by someone else.
///
/// # Errors
/// A failure of the world; the lease runs out and the message is sent again, with the same id.
pub async fn deliver(world: &impl World, id: &DeliveryId) -> Result<Option<Effect>, Failure> {
    let now = world.clock().now();
    // 1
    let Some(claim) = world.store().claim(id, now, now.plus(LEASE)).await? else { return Ok(None) };
    let message = &claim.message;
    // 2
    let settings = settings_for(world, &message.merchant).await;
    let offset = settings.as_ref().map_or(Duration::ZERO, |settings| settings.clock_offset);
    let encoded = settings.map_err(Failure::from).and_then(|settings| encode(world, &settings, message, now));
    // 3
    let answer = match &encoded {
        Ok(request) => match world.http().send(request.clone(), SEND_TIMEOUT).await {
            Ok(answer) => read(message.kind, &answer, now),
            Err(_) => ReceiverAnswer::NoAnswer,
        },
        Err(_) => ReceiverAnswer::NoAnswer,
    };
    // 4
    let after = world.clock().now();
    let done = Try {
        at: now.plus(offset),
        status: answer.status(),
        took_ms: after.millis().saturating_sub(now.millis()),
        next: what_next(world, &claim, answer, after.plus(offset))?,
    };
    let attention = (done.next == Next::GivenUp).then(|| given_up(message, &done));
    world.store().finish_try(id, &done, attention.as_ref()).await?;
    encoded.map(|_| Some(answer.effect()))
}

/// The request that sends a message.
fn encode(
    world: &impl World,
    settings: &MerchantSettings,
    message: &Message,
    now: Timestamp,
) -> Result<Outgoing, Failure> {
    match message.kind {
        Kind::PaymentWebhook | Kind::CardWebhook | Kind::OperationWebhook | Kind::RequestedWebhook => {
            webhook::encode(world, settings, message, now)
        }
    }
}

/// What the answer to that request says.
fn read(kind: Kind, answer: &Incoming, now: Timestamp) -> ReceiverAnswer {
    match kind {
        Kind::PaymentWebhook | Kind::CardWebhook | Kind::OperationWebhook | Kind::RequestedWebhook => {
            webhook::read(answer, now)
        }
    }
}

fn what_next(
    world: &impl World,
    claim: &Claim,
    answer: ReceiverAnswer,
    now: Timestamp,
) -> Result<Next, PortError> {
    Ok(match answer.effect() {
        Effect::Redirect | Effect::Stay => Next::Delivered,
        Effect::Gone => Next::GivenUp,
        Effect::Retry => {
            let mut jitter = [0; 1];
            world.rng().fill(&mut jitter)?;
            let [jitter] = jitter;
            let failed = claim.failed_tries.saturating_add(1);
            next_try(failed, now, jitter, answer.retry_after()).map_or(Next::GivenUp, Next::Again)
        }
    })
}

fn given_up(message: &Message, done: &Try) -> Attention {
    let last = done.status.map_or_else(|| "no answer".into(), |status| alloc::format!("status {status}"));
    Attention {
        merchant: message.merchant.clone(),
        session_id: Some(message.subject.session_id.clone()),
        reference: message.subject.reference.clone(),
        reason: Reason::DeliveryGivenUp,
        detail: alloc::format!("{} {} ended with {last}", message.kind, message.id),
        at: done.at,
    }
}
