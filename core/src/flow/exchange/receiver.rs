//! An exchange with a receiver of webhooks: the signed request that it gets, and what its answer means.

use alloc::string::String;
use alloc::vec::Vec;

use crate::flow::Failure;
use crate::gateway::exchange::{HttpMethod, Incoming, Outgoing};
use crate::port::{Http, PortError, SendError, Signer, Vault, World};
use crate::record::outbox::Message;
use crate::record::receiver::TryError;
use crate::settings::MerchantSettings;
use crate::value::id::DeliveryId;
use crate::value::time::Timestamp;
use crate::webhook::delivery::{ReceiverAnswer, SEND_TIMEOUT, parse_retry_after};
use crate::webhook::excerpt;
use crate::webhook::standard::{SigningSecret, add_asymmetric, headers, signed_text};

/// The bytes of a webhook, signed for this moment: receivers check it by real time.
pub(in crate::flow) async fn encode(
    world: &impl World,
    settings: &MerchantSettings,
    message: &Message,
    now: Timestamp,
) -> Result<Outgoing, Failure> {
    let unsigned = Unsigned { id: &message.id, url: message.recipient.address(), body: message.body.clone() };
    sign(world, settings, unsigned, now).await
}

/// A webhook that is to be signed.
pub(in crate::flow) struct Unsigned<'a> {
    pub(in crate::flow) id: &'a DeliveryId,
    pub(in crate::flow) url: &'a str,
    pub(in crate::flow) body: String,
}

/// A request to an address, signed under an id for this moment.
pub(in crate::flow) async fn sign(
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
        method: HttpMethod::Post,
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
pub(in crate::flow) fn signing_secrets(
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
fn read(answer: &Incoming, now: Timestamp) -> ReceiverAnswer {
    let retry_after = answer.header("retry-after").and_then(|text| parse_retry_after(text, now));
    ReceiverAnswer::Status(answer.status, retry_after)
}

/// What became of one request to a receiver.
pub(in crate::flow) struct SentWebhook {
    /// What the answer says.
    pub(in crate::flow) answer: ReceiverAnswer,
    /// Why there is none.
    pub(in crate::flow) error: Option<TryError>,
    /// The beginning of its body.
    pub(in crate::flow) excerpt: Option<String>,
}

impl SentWebhook {
    pub(in crate::flow) fn failed(error: TryError) -> Self {
        Self { answer: ReceiverAnswer::NoAnswer, error: Some(error), excerpt: None }
    }
}

/// Sends a request once.
pub(in crate::flow) async fn send(world: &impl World, request: Outgoing, now: Timestamp) -> SentWebhook {
    match world.http().notify(request, SEND_TIMEOUT).await {
        Ok(answer) => {
            SentWebhook { answer: read(&answer, now), error: None, excerpt: excerpt::of(&answer.body) }
        }
        Err(SendError::NotSent) => SentWebhook::failed(TryError::NotSent),
        Err(SendError::Unknown) => SentWebhook::failed(TryError::NoAnswer),
    }
}
