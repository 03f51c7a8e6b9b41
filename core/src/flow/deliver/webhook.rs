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
    let signing = settings.webhook.signing_at(now);
    let mut secrets = Vec::with_capacity(signing.len());
    for sealed in signing {
        let text = world.vault().open(&message.merchant, sealed)?;
        let secret = SigningSecret::parse(&text)
            .map_err(|_| PortError { port: "vault", detail: "a signing secret is malformed".into() })?;
        secrets.push(secret);
    }
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

/// What a receiver answered.
pub(super) fn read(answer: &Incoming, now: Timestamp) -> ReceiverAnswer {
    let retry_after = answer.header("retry-after").and_then(|text| parse_retry_after(text, now));
    ReceiverAnswer::Status(answer.status, retry_after)
}
