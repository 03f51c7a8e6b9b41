//! The receivers of a merchant: which fail or are disabled, enabling one again, and sending one a test webhook.

use alloc::rc::Rc;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::value::RawValue;

use super::delivery::text;
use super::{Grantor, refuse_unknown};
use crate::answer::delivery::{ReceiverEnabled, ReceiverShown, TestWebhookSent};
use crate::answer::sample;
use crate::flow::connect::signature_key;
use crate::flow::deliver::{Sent, Unsigned, send, sign};
use crate::flow::{Failure, now_of};
use crate::port::{Clock, Deliveries, PortError, Registry, Rng, World};
use crate::record::audit::Entry;
use crate::record::outbox::Kind;
use crate::record::receiver::{Receiver, TryError};
use crate::rejection::Rejection;
use crate::settings::MerchantSettings;
use crate::value::id::{DeliveryId, MerchantId, SessionId};
use crate::webhook::delivery::Effect;
use crate::wire::field::Fields;
use crate::wire::members::Members;

/// The most receivers that are listed.
const MAX_LISTED: u32 = 200;
/// The longest address.
const MAX_ADDRESS: usize = 2_000;

/// The receivers that fail or are disabled, by address; at most 200.
///
/// # Errors
/// [`Rejection::NotFound`] if there is no such merchant, or a failure of the world.
pub async fn list_receivers(
    world: &impl World,
    merchant: &MerchantId,
) -> Result<Vec<ReceiverShown>, Failure> {
    load(world, merchant).await?;
    let found = world.store().receivers(merchant, MAX_LISTED).await?;
    Ok(found.into_iter().map(shown).collect())
}

fn shown(receiver: Receiver) -> ReceiverShown {
    let Receiver { address, failing_since, disabled, held } = receiver;
    ReceiverShown {
        address,
        disabled_at: disabled.map(|(at, _)| text(at)),
        failing_since: failing_since.map(text),
        held,
        reason: disabled.map(|(_, why)| why.as_str()),
    }
}

async fn load(world: &impl World, merchant: &MerchantId) -> Result<Rc<MerchantSettings>, Failure> {
    Ok(world.store().settings(merchant).await?.ok_or(Rejection::NotFound)?)
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
    let settings = load(world, merchant).await?;
    let Named { address } = Named::read(body)?;
    let action = grantor.endpoint("enable_receiver", "enable_own_receiver");
    let entry = Entry::of(grantor.actor(), action, world.clock().now()).about(merchant).on(&address);
    let now = now_of(world, &settings);
    let released = world.store().enable_receiver(merchant, &address, now, &entry).await?;
    let released = released.ok_or(Rejection::NotFound)?;
    Ok(ReceiverEnabled { address, released })
}

/// The receiver that is named.
pub(crate) struct Named {
    address: String,
}

impl Named {
    fn read(body: &[u8]) -> Result<Self, Rejection> {
        let members = Members::read(body)?;
        let mut fields = Fields::default();
        let line = |fields: &mut Fields, path, raw: &RawValue| fields.line(path, raw, MAX_ADDRESS);
        let address = fields.required("address", members.get("address"), line);
        refuse_unknown(&mut fields, &members, &["address"]);
        let found = fields.finish();
        let read = address.filter(|_| found.is_empty()).map(|address| Self { address });
        read.ok_or(Rejection::Invalid(found))
    }
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
    let settings = load(world, merchant).await?;
    let WantedTest { address, kind } = WantedTest::read(world, body)?;
    // 2
    let now = world.clock().now();
    let key = signature_key(world, &settings)?;
    let failed = |_| PortError { port: "webhook", detail: "a sample cannot be signed".into() };
    let body = sample::of(kind, now, &key).map_err(failed)?;
    let mut random = [0; 19];
    world.rng().fill(&mut random)?;
    let id = DeliveryId::new(&SessionId::generate(0, random), 1);
    let request = sign(world, &settings, Unsigned { id: &id, url: &address, body }, now).await?;
    // 3
    let Sent { answer, error, excerpt } = send(world, request, now).await;
    let took = world.clock().now().millis().saturating_sub(now.millis());
    Ok(TestWebhookSent {
        duration_ms: took,
        error: error.map(TryError::as_str),
        excerpt,
        id: id.to_string(),
        is_accepted: matches!(answer.effect(), Effect::Redirect | Effect::Stay),
        status: answer.status(),
    })
}

/// The test webhook that is wanted.
pub(crate) struct WantedTest {
    address: String,
    kind: Kind,
}

impl WantedTest {
    fn read(world: &impl World, body: &[u8]) -> Result<Self, Rejection> {
        let members = Members::read(body)?;
        let mut fields = Fields::default();
        let installation = world.installation();
        let address = fields.required("address", members.get("address"), |fields, path, raw| {
            fields.receiver(path, raw, installation)
        });
        let kind = fields.required("kind", members.get("kind"), |fields, path, raw| {
            fields.word(path, raw, Kind::WEBHOOKS, Kind::parse_webhook)
        });
        refuse_unknown(&mut fields, &members, &["address", "kind"]);
        let found = fields.finish();
        let read = address.zip(kind).filter(|_| found.is_empty());
        read.map(|(address, kind)| Self { address, kind }).ok_or(Rejection::Invalid(found))
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;

    use super::*;

    #[test]
    fn a_receiver_is_named_by_one_line() {
        assert_eq!(Named::read(br#"{"address":"https://a.example"}"#).unwrap().address, "https://a.example");
        let long = format!(r#"{{"address":"{}"}}"#, "x".repeat(2_001));
        for body in
            ["{}", r#"{"address":""}"#, r#"{"address":"a\u0000b"}"#, r#"{"address":"a","b":1}"#, &long]
        {
            assert!(matches!(Named::read(body.as_bytes()), Err(Rejection::Invalid(_))), "{body}");
        }
    }
}
