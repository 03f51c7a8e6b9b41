//! The receivers of a merchant: which fail or are disabled, enabling one again, and sending one a test webhook.

use alloc::string::ToString;
use alloc::vec::Vec;

use crate::access::grantor::Grantor;
use crate::answer::delivery::{ReceiverEnabled, ReceiverShown, TestWebhookSent};
use crate::answer::sample;
use crate::api::receiver::{NamedReceiver, TestWebhook};
use crate::flow::Failure;
use crate::flow::exchange::connect::signature_key;
use crate::flow::exchange::receiver::{SentWebhook, Unsigned, send, sign};
use crate::flow::situation::known;
use crate::port::{Clock, PortError, Receivers, Released, Ring, Rng, World};
use crate::record::audit::Entry;
use crate::record::receiver::Receiver;
use crate::rejection::Rejection;
use crate::value::id::{DeliveryId, MerchantId, SessionId};
use crate::value::slot::Slotted;
use crate::value::time::Moment;
use crate::webhook::delivery::AnswerEffect;

/// The most receivers that are listed.
const MAX_LISTED: u32 = 200;
/// The receivers that fail or are disabled, by address; at most 200.
///
/// # Errors
/// [`Rejection::NotFound`] if there is no such merchant, or a failure of the world.
pub async fn list_receivers(
    world: &impl World,
    merchant: &MerchantId,
) -> Result<Vec<ReceiverShown>, Failure> {
    known(world, merchant).await?;
    let found = world.directory().receivers(merchant, MAX_LISTED).await?;
    Ok(found.into_iter().map(shown).collect())
}

fn shown(receiver: Receiver) -> ReceiverShown {
    let Receiver { address, failing_since, disabled, held } = receiver;
    ReceiverShown {
        address,
        disabled_at: disabled.map(|(at, _)| at.into()),
        failing_since: failing_since.map(Moment::from),
        held,
        reason: disabled.map(|(_, why)| why),
    }
}

/// Enables a receiver again: what was held for it is due at once, from its first try.
///
/// # Errors
/// [`Rejection::Invalid`], [`Rejection::NotFound`] if it is not disabled, or a failure of the world.
pub async fn enable_receiver(
    world: &impl World,
    merchant: &MerchantId,
    grantor: Grantor<'_>,
    body: &[u8],
) -> Result<ReceiverEnabled, Failure> {
    let situation = known(world, merchant).await?;
    let NamedReceiver { address } = NamedReceiver::read(body)?;
    let action = grantor.endpoint("enable_receiver", "enable_own_receiver");
    let entry = Entry::of(grantor.actor(), action, world.clock().now()).about(merchant).on(&address);
    let now = situation.now;
    let released = world.directory().enable_receiver(merchant, &address, now, &entry).await?;
    let Released { count, due } = released.ok_or(Rejection::NotFound)?;
    world.post(due.into_iter().map(Ring::again).collect());
    Ok(ReceiverEnabled { address, released: count })
}

/// Sends one signed sample to an address, once:
///
/// 1. load the merchant, and read the address, which must be one that webhooks may go to, and the kind;
/// 2. sign a sample of the kind, which says that it is a test, for this moment;
/// 3. send it, and show what came back. Nothing is stored, and nothing is tried again.
///
/// # Errors
/// [`Rejection::Invalid`], [`Rejection::NotFound`], or a failure of the world.
pub async fn send_test_webhook(
    world: &impl World,
    merchant: &MerchantId,
    body: &[u8],
) -> Result<TestWebhookSent, Failure> {
    // 1
    let situation = known(world, merchant).await?;
    let TestWebhook { address, kind } = TestWebhook::read(body, world.installation())?;
    // 2
    let now = world.clock().now();
    let key = signature_key(world, &situation)?;
    let failed = |_| PortError { port: "webhook", detail: "a sample cannot be signed".into() };
    let body = sample::of(kind, now, &key).map_err(failed)?;
    let mut random = [0; 19];
    world.rng().fill(&mut random)?;
    let id = DeliveryId::new(&SessionId::generate(merchant.slot(), random), 1);
    let request =
        sign(world, &situation.settings, Unsigned { id: &id, url: address.as_str(), body }, now).await?;
    // 3
    let SentWebhook { answer, error, excerpt } = send(world, request, now).await;
    let took = world.clock().now().millis().saturating_sub(now.millis());
    Ok(TestWebhookSent {
        duration_ms: took,
        error,
        excerpt,
        id: id.to_string(),
        is_accepted: matches!(answer.effect(), AnswerEffect::Redirect | AnswerEffect::Stay),
        status: answer.status(),
    })
}
