//! Delivering one notification to a merchant's receiver.

use alloc::vec::Vec;
use core::time::Duration;

use super::Failure;
use crate::flow::find::settings_for;
use crate::gateway::exchange::{Method, Outgoing};
use crate::port::{Claim, Clock, Http, Next, PortError, Rng, Store, Try, Vault, World};
use crate::record::attention::{Attention, Reason};
use crate::settings::MerchantSettings;
use crate::value::id::DeliveryId;
use crate::value::time::Timestamp;
use crate::webhook::delivery::{Answer, Effect, LEASE, SEND_TIMEOUT, next_try, parse_retry_after};
use crate::webhook::standard::{SigningSecret, headers};

/// Tries to deliver a notification:
///
/// 1. claim it, so that nobody else sends it at the same time;
/// 2. sign the stored bytes for this moment, in real time, because the receiver checks it by real time; if
///    the secrets cannot be loaded, the try has failed like one without an answer, so that it comes back
///    later and not before those of others;
/// 3. send;
/// 4. record the answer: 200 and 201 end it, anything else plans the next try in the merchant's time, or
///    gives it up.
///
/// `None` if it is delivered, given up or claimed by someone else.
///
/// # Errors
/// A failure of the world; the lease runs out and the delivery is tried again, with the same id.
pub async fn deliver(world: &impl World, id: &DeliveryId) -> Result<Option<Effect>, Failure> {
    let now = world.clock().now();
    // 1
    let Some(claim) = world.store().claim(id, now, now.plus(LEASE)).await? else { return Ok(None) };
    // 2
    let settings = settings_for(world, &claim.delivery.merchant).await;
    let offset = settings.as_ref().map_or(Duration::ZERO, |settings| settings.clock_offset);
    let signed = settings.map_err(Failure::from).and_then(|settings| sign(world, &settings, &claim, now));
    // 3
    let answer = match &signed {
        Ok(request) => match world.http().send(request.clone(), SEND_TIMEOUT).await {
            Ok(answer) => {
                let retry_after = answer.header("retry-after").and_then(|text| parse_retry_after(text, now));
                Answer::Status(answer.status, retry_after)
            }
            Err(_) => Answer::NoAnswer,
        },
        Err(_) => Answer::NoAnswer,
    };
    // 4
    let after = world.clock().now();
    let done = Try {
        at: now.plus(offset),
        status: match answer {
            Answer::Status(status, _) => Some(status),
            Answer::NoAnswer => None,
        },
        took_ms: after.millis().saturating_sub(now.millis()),
        next: what_next(world, &claim, answer, after.plus(offset))?,
    };
    let attention = (done.next == Next::GivenUp).then(|| given_up(&claim, &done));
    world.store().finish_try(id, &done, attention.as_ref()).await?;
    signed.map(|_| Some(answer.effect()))
}

fn sign(
    world: &impl World,
    settings: &MerchantSettings,
    claim: &Claim,
    now: Timestamp,
) -> Result<Outgoing, Failure> {
    let delivery = &claim.delivery;
    let mut secrets = Vec::with_capacity(settings.webhook.signing.len());
    for sealed in &settings.webhook.signing {
        let text = world.vault().open(&delivery.merchant, sealed)?;
        let secret = SigningSecret::parse(&text)
            .map_err(|_| PortError { port: "vault", detail: "a signing secret is malformed".into() })?;
        secrets.push(secret);
    }
    let body = delivery.body.clone().into_bytes();
    let mut list = Vec::from([
        ("content-type", "application/json".into()),
        ("user-agent", concat!("Till/", env!("CARGO_PKG_VERSION")).into()),
    ]);
    list.extend(headers(delivery.id.as_str(), now, &body, &secrets));
    Ok(Outgoing { method: Method::Post, url: delivery.url.clone(), headers: list, body })
}

fn what_next(world: &impl World, claim: &Claim, answer: Answer, now: Timestamp) -> Result<Next, PortError> {
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

fn given_up(claim: &Claim, done: &Try) -> Attention {
    let delivery = &claim.delivery;
    let last = done.status.map_or_else(|| "no answer".into(), |status| alloc::format!("status {status}"));
    Attention {
        merchant: delivery.merchant.clone(),
        session_id: Some(delivery.session_id.clone()),
        reference: delivery.reference.clone(),
        reason: Reason::DeliveryGivenUp,
        detail: alloc::format!("notification {} ended with {last}", delivery.id),
        at: done.at,
    }
}
