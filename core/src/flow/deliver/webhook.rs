//! The codec of webhooks: the request that a receiver gets, and what its answer means.

use alloc::string::String;
use alloc::vec::Vec;

use crate::flow::Failure;
use crate::gateway::exchange::{Incoming, Method, Outgoing};
use crate::port::{PortError, Signer, Vault, World};
use crate::record::outbox::Message;
use crate::settings::MerchantSettings;
use crate::value::id::DeliveryId;
use crate::value::time::Timestamp;
use crate::webhook::delivery::{ReceiverAnswer, parse_retry_after};
use crate::webhook::standard::{SigningSecret, add_asymmetric, headers, signed_text};

/// The bytes of a webhook, signed for this moment: receivers check it by real time.
pub(super) async fn encode(
    world: &impl World,
    settings: &MerchantSettings,
    message: &Message,
    now: Timestamp,
) -> Result<Outgoing, Failure> {
    let unsigned = Unsigned { id: &message.id, url: message.recipient.address(), body: message.body.clone() };
    sign(world, settings, unsigned, now).await
}

/// A webhook that is to be signed.
pub(crate) struct Unsigned<'a> {
    pub(crate) id: &'a DeliveryId,
    pub(crate) url: &'a str,
    pub(crate) body: String,
}

/// A request to an address, signed under an id for this moment.
pub(crate) async fn sign(
    world: &impl World,
    settings: &MerchantSettings,
    Unsigned { id, url, body }: Unsigned<'_>,
    now: Timestamp,
) -> Result<Outgoing, Failure> {
    let secrets = signing_secrets(world, settings, now)?;
    let mut list = Vec::from([
        ("content-type", "application/json".into()),
        ("user-agent", concat!("Till/", env!("CARGO_PKG_VERSION")).into()),
    ]);
    let mut signed = headers(id.as_str(), now, body.as_bytes(), &secrets);
    let text = signed_text(id.as_str(), now, &body);
    add_asymmetric(&mut signed, &world.signer().sign_webhook(&settings.merchant, &text).await?);
    list.extend(signed);
    Ok(Outgoing {
        method: Method::Post,
        url: url.into(),
        headers: list,
        body: body.into_bytes(),
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
