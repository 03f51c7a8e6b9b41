//! Rotating the secret that signs the headers of webhooks, and the key that signs their bodies.
//!
//! The new secret signs at once, and the one before it signs too for a day, or until it is dropped: a receiver accepts a
//! webhook if one of the signatures is right, so it can be given the new secret at any time in between.

use alloc::string::String;
use alloc::vec::Vec;
use core::time::Duration;

use serde::Serialize;

use crate::access::grantor::Grantor;
use crate::answer::administration::{SignatureKeyAdded, WebhookSecretAdded};
use crate::api::signature_key::SignatureKeyRequest;
use crate::flow::Failure;
use crate::flow::situation::known;
use crate::port::{Clock, NewSecrets, PortError, Registry, Rng, Vault, World};
use crate::record::audit::Entry;
use crate::rejection::Rejection;
use crate::settings::{MerchantSettings, NextKey, SEALED, WebhookSecrets};
use crate::value::id::MerchantId;
use crate::value::sealed::Sealed;
use crate::value::slot::{Leading, Slot, Slotted};
use crate::value::time::Moment;
use crate::webhook::standard::SigningSecret;

/// How long the secret before the newest one signs too.
const OVERLAP: Duration = Duration::from_hours(24);
/// How long secrets are, in bytes.
const SECRET_BYTES: usize = 32;
/// How a key of the field `signature` carries the slot of its merchant.
const SIGNATURE_KEY: Leading = Leading::digits(SECRET_BYTES * 2);

/// Generates a secret.
///
/// # Errors
/// If there are no random numbers.
pub(crate) fn generate(world: &impl World) -> Result<SigningSecret, PortError> {
    let random = random(world)?;
    let failed = |_| PortError { port: "webhook", detail: "a signing secret has a wrong length".into() };
    SigningSecret::from_bytes(&random).map_err(failed)
}

/// Generates a key of the field `signature`, as the receiver gets it: 66 hexadecimal digits, 64 of them random.
///
/// # Errors
/// If there are no random numbers.
pub(crate) fn generate_signature_key(world: &impl World, slot: Slot) -> Result<String, PortError> {
    Ok(SIGNATURE_KEY.write(slot, &hex::encode(random(world)?)))
}

fn random(world: &impl World) -> Result<[u8; SECRET_BYTES], PortError> {
    let mut random = [0; SECRET_BYTES];
    world.rng().fill(&mut random)?;
    Ok(random)
}

/// Makes a secret, which is shown only this once:
///
/// 1. load the merchant;
/// 2. generate and seal the secret; of those before it only the newest one stays, for a day;
/// 3. store both, if the settings did not change in the meantime.
///
/// # Errors
/// [`Rejection::NotFound`], [`Rejection::Conflict`], or a failure of the world.
pub async fn add_webhook_secret(
    world: &impl World,
    merchant: &MerchantId,
    grantor: Grantor<'_>,
) -> Result<WebhookSecretAdded, Failure> {
    let now = world.clock().now();
    // 1
    let settings = known(world, merchant).await?.settings;
    // 2
    let secret = generate(world)?;
    let sealed = world.vault().seal(merchant, &secret.to_text())?;
    let previous = settings.webhook.signing.first().cloned();
    let previous_until = previous.is_some().then(|| now.plus(OVERLAP));
    let signing: Vec<Sealed> = [Some(sealed), previous].into_iter().flatten().collect();
    // 3
    let action = grantor.endpoint("add_webhook_secret", "add_own_webhook_secret");
    let entry = signing_entry(Entry::of(grantor.actor(), action, now), &settings, signing.len());
    let secrets = WebhookSecrets { signing, previous_until, ..settings.webhook.clone() };
    store(world, &entry, &settings, &secrets).await?;
    Ok(WebhookSecretAdded {
        previous_until: previous_until.map(Moment::from),
        webhook_signing_secret: secret.to_text(),
    })
}

/// Drops the secrets before the newest one, which sign no more.
///
/// # Errors
/// [`Rejection::NotFound`] also if there is none, [`Rejection::Conflict`], or a failure of the world.
pub async fn drop_webhook_secret(
    world: &impl World,
    merchant: &MerchantId,
    grantor: Grantor<'_>,
) -> Result<(), Failure> {
    let now = world.clock().now();
    let settings = known(world, merchant).await?.settings;
    let signing = settings.webhook.signing_at(now);
    let newest = signing.first().cloned().filter(|_| signing.len() > 1).ok_or(Rejection::NotFound)?;
    let action = grantor.endpoint("drop_webhook_secret", "drop_own_webhook_secret");
    let entry = signing_entry(Entry::of(grantor.actor(), action, now), &settings, 1);
    let webhook = settings.webhook.clone();
    let secrets = WebhookSecrets { signing: [newest].into(), previous_until: None, ..webhook };
    store(world, &entry, &settings, &secrets).await
}

/// Makes a key of the field `signature`, which is shown only this once:
///
/// 1. load the merchant, and read whether the key begins at once;
/// 2. generate and seal the key. A body has one signature, so there is no time in which two keys sign: the receiver is given
///    the new one a day before, and accepts either in between;
/// 3. store it, if the settings did not change in the meantime. One that had not begun yet is dropped.
///
/// # Errors
/// [`Rejection::NotFound`], [`Rejection::Invalid`], [`Rejection::Conflict`], or a failure of the world.
pub async fn replace_signature_key(
    world: &impl World,
    merchant: &MerchantId,
    grantor: Grantor<'_>,
    body: &[u8],
) -> Result<SignatureKeyAdded, Failure> {
    let now = world.clock().now();
    // 1
    let settings = known(world, merchant).await?.settings;
    let SignatureKeyRequest { at_once } = SignatureKeyRequest::read(body)?;
    // 2
    let key = generate_signature_key(world, merchant.slot())?;
    let sealed = world.vault().seal(merchant, &key)?;
    let from = if at_once { now } else { now.plus(OVERLAP) };
    let current = settings.webhook.hmac_key_at(now).clone();
    let webhook = settings.webhook.clone();
    let secrets = if at_once {
        WebhookSecrets { hmac_key: sealed, next_hmac: None, ..webhook }
    } else {
        WebhookSecrets { hmac_key: current, next_hmac: Some(NextKey { key: sealed, from }), ..webhook }
    };
    // 3
    let begins_at = Moment::from(from);
    let action = grantor.endpoint("replace_signature_key", "replace_own_signature_key");
    let entry = Entry::of(grantor.actor(), action, now).to(&KeyRecorded { begins_at, key: SEALED });
    store(world, &entry, &settings, &secrets).await?;
    Ok(SignatureKeyAdded { begins_at, webhook_hmac_key: key })
}

/// What is recorded of a new key of signatures.
#[derive(Serialize)]
struct KeyRecorded {
    begins_at: Moment,
    key: &'static str,
}

/// An entry with how many secrets there were, and are.
fn signing_entry(entry: Entry, settings: &MerchantSettings, count: usize) -> Entry {
    let hidden = |count: usize| alloc::vec![SEALED; count];
    entry.from(&hidden(settings.webhook.signing.len())).to(&hidden(count))
}

async fn store(
    world: &impl World,
    entry: &Entry,
    settings: &MerchantSettings,
    secrets: &WebhookSecrets,
) -> Result<(), Failure> {
    let (merchant, version) = (&settings.merchant, settings.version);
    let entry = entry.clone().about(merchant).on(merchant).making(version.saturating_add(1));
    let new = NewSecrets { merchant, version, secrets };
    let is_stored = world.directory().replace_secrets(&new, &entry).await?;
    if is_stored { Ok(()) } else { Err(Rejection::Conflict.into()) }
}
