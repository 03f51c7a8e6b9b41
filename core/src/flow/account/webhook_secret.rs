//! Rotating the secret that signs the headers of webhooks.
//!
//! The new secret signs at once, and the one before it signs too for a day, or until it is dropped: a receiver accepts a
//! webhook if one of the signatures is right, so it can be given the new secret at any time in between.

use alloc::string::ToString;
use alloc::vec::Vec;
use core::time::Duration;

use super::Grantor;
use crate::answer::administration::WebhookSecretAdded;
use crate::flow::Failure;
use crate::port::{Clock, NewSecrets, PortError, Registry, Rng, Vault, World};
use crate::record::audit::Entry;
use crate::rejection::Rejection;
use crate::settings::{MerchantSettings, SEALED};
use crate::value::id::MerchantId;
use crate::value::sealed::Sealed;
use crate::value::time::Timestamp;
use crate::webhook::standard::SigningSecret;

/// How long the secret before the newest one signs too.
const OVERLAP: Duration = Duration::from_hours(24);
/// How long secrets are, in bytes.
const SECRET_BYTES: usize = 32;

/// Generates a secret.
///
/// # Errors
/// If there are no random numbers.
pub(crate) fn generate(world: &impl World) -> Result<SigningSecret, PortError> {
    let mut random = [0; SECRET_BYTES];
    world.rng().fill(&mut random)?;
    let failed = |_| PortError { port: "webhook", detail: "a signing secret has a wrong length".into() };
    SigningSecret::from_bytes(&random).map_err(failed)
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
    let settings = world.store().settings(merchant).await?.ok_or(Rejection::NotFound)?;
    // 2
    let secret = generate(world)?;
    let sealed = world.vault().seal(merchant, &secret.to_text())?;
    let previous = settings.webhook.signing.first().cloned();
    let previous_until = previous.is_some().then(|| now.plus(OVERLAP));
    let signing: Vec<Sealed> = [Some(sealed), previous].into_iter().flatten().collect();
    // 3
    let action = grantor.endpoint("add_webhook_secret", "add_own_webhook_secret");
    let entry = Entry::of(grantor.actor(), action, now);
    let secrets = Secrets { signing, previous_until };
    store(world, entry, &settings, secrets).await?;
    Ok(WebhookSecretAdded {
        previous_until: previous_until.map(|until| until.to_string()),
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
    let settings = world.store().settings(merchant).await?.ok_or(Rejection::NotFound)?;
    let signing = settings.webhook.signing_at(now);
    let newest = signing.first().cloned().filter(|_| signing.len() > 1).ok_or(Rejection::NotFound)?;
    let action = grantor.endpoint("drop_webhook_secret", "drop_own_webhook_secret");
    let entry = Entry::of(grantor.actor(), action, now);
    store(world, entry, &settings, Secrets { signing: [newest].into(), previous_until: None }).await
}

/// The secrets that sign from now on.
struct Secrets {
    signing: Vec<Sealed>,
    previous_until: Option<Timestamp>,
}

async fn store(
    world: &impl World,
    entry: Entry,
    settings: &MerchantSettings,
    Secrets { signing, previous_until }: Secrets,
) -> Result<(), Failure> {
    let (merchant, version) = (&settings.merchant, settings.version);
    let hidden = |count: usize| alloc::vec![SEALED; count];
    let entry = entry.about(merchant).on(merchant).making(version.saturating_add(1));
    let entry = entry.from(&hidden(settings.webhook.signing.len())).to(&hidden(signing.len()));
    let new = NewSecrets { merchant, version, signing: &signing, previous_until };
    let is_stored = world.store().replace_secrets(&new, &entry).await?;
    if is_stored { Ok(()) } else { Err(Rejection::Conflict.into()) }
}
