//! The codec of webhooks: the request that a receiver gets, and what its answer means.

use alloc::vec::Vec;

use crate::flow::Failure;
use crate::gateway::exchange::{Incoming, Method, Outgoing};
use crate::port::{PortError, Vault, World};
use crate::record::outbox::{Message, Recipient};
use crate::settings::MerchantSettings;
use crate::value::time::Timestamp;
use crate::webhook::delivery::{ReceiverAnswer, parse_retry_after};
use crate::webhook::standard::{SigningSecret, headers};

/// The bytes of a webhook, signed for this moment: receivers check it by real time.
pub(super) fn encode(
    world: &impl World,
    settings: &MerchantSettings,
    message: &Message,
    now: Timestamp,
) -> Result<Outgoing, Failure> {
    let Recipient::Receiver(url) = &message.recipient;
    let secrets = signing_secrets(world, settings, now)?;
    let body = message.body.clone().into_bytes();
    let mut list = Vec::from([
        ("content-type", "application/json".into()),
        ("user-agent", concat!("Till/", env!("CARGO_PKG_VERSION")).into()),
    ]);
    list.extend(headers(message.id.as_str(), now, &body, &secrets));
    Ok(Outgoing {
        method: Method::Post,
        url: url.clone(),
        headers: list,
        body,
        max_answer: Outgoing::MAX_ANSWER,
    })
}

/// The secrets that sign a merchant's webhooks at a moment, the newest first.
///
/// # Errors
/// If the vault cannot open one.
pub(crate) fn signing_secrets(
    world: &impl World,
    settings: &MerchantSettings,
    now: Timestamp,
) -> Result<Vec<SigningSecret>, PortError> {
    let open = |sealed| {
        let text = world.vault().open(&settings.merchant, sealed)?;
        SigningSecret::parse(&text)
            .map_err(|_| PortError { port: "vault", detail: "a signing secret is malformed".into() })
    };
    settings.webhook.signing_at(now).iter().map(open).collect()
}

/// What a receiver answered.
pub(super) fn read(answer: &Incoming, now: Timestamp) -> ReceiverAnswer {
    let retry_after = answer.header("retry-after").and_then(|text| parse_retry_after(text, now));
    ReceiverAnswer::Status(answer.status, retry_after)
}
