//! Making a merchant, reading and replacing its settings.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::time::Duration;

use serde_json::value::{RawValue, to_raw_value};

use super::{broken, document, sign_on_secret};
use crate::access::key::KeyKind;
use crate::answer::operator::{MerchantAdded, MerchantShown, SettingsReplaced};
use crate::flow::Failure;
use crate::flow::account::key::{draw, entry};
use crate::flow::find::settings_for;
use crate::flow::sign_on::refuse_shared;
use crate::gateway::ConnectorKind;
use crate::port::{Clock, NewMerchant, PortError, Registry, Rng, Store, Vault, World};
use crate::rejection::Rejection;
use crate::settings::{MerchantSettings, SEALED, WebhookSecrets, parse};
use crate::value::id::{MerchantId, SessionId};
use crate::value::sealed::Sealed;
use crate::violation::{Rule, Violation};
use crate::webhook::standard::SigningSecret;
use crate::wire::field::Fields;
use crate::wire::members::Members;
use crate::wire::tree::Tree;

/// How long secrets are, in bytes.
const SECRET_BYTES: usize = 32;

/// Makes a merchant with its first keys and secrets, which are shown only this once:
///
/// 1. read the body and check the settings, reporting every wrong field;
/// 2. generate keys and secrets, seal what must be stored encrypted;
/// 3. one batch stores merchant and keys, if the id is free.
///
/// # Errors
/// The rejection, or a failure of the world.
pub async fn add_merchant(world: &impl World, body: &[u8]) -> Result<MerchantAdded, Failure> {
    let now = world.clock().now();
    // 1
    let members = Members::read(body)?;
    let mut fields = Fields::default();
    let merchant = fields.given("merchant_id", members.get("merchant_id"), |f, p, raw| {
        f.checked(p, raw, |text| MerchantId::parse(text).ok_or(Rule::NotMerchantId))
    });
    let placeholder = WebhookSecrets { hmac_key: Sealed(String::new()), signing: Vec::new() };
    let text = members.get("settings").map_or("null", RawValue::get);
    let document = document(text)?;
    let installation = Some(world.installation());
    let anyone = MerchantId::parse("new").ok_or(Rejection::Unavailable)?;
    let owner = merchant.as_ref().unwrap_or(&anyone);
    let (mut settings, merchant) = match (parse::parse(owner, 1, text, placeholder, installation), merchant) {
        (Ok(settings), Some(merchant)) => (settings, merchant),
        (parsed, _) => {
            let mut found = fields.finish();
            found.extend(parsed.err().into_iter().flatten().map(under_settings));
            return Err(Rejection::Invalid(found).into());
        }
    };
    refuse_shared(world, &settings).await.map_err(beneath_settings)?;
    // 2
    let mut random = [0; SECRET_BYTES];
    world.rng().fill(&mut random)?;
    let hmac_key = hex::encode(random);
    world.rng().fill(&mut random)?;
    let signing =
        SigningSecret::from_bytes(&random).map_err(|_| broken("a signing secret has a wrong length"))?;
    settings.webhook = WebhookSecrets {
        hmac_key: world.vault().seal(&merchant, &hmac_key)?,
        signing: Vec::from([world.vault().seal(&merchant, &signing.to_text())?]),
    };
    let document = seal_document(world, &merchant, document, None).map_err(beneath_settings)?;
    let private = draw(world, KeyKind::Private)?;
    let public = draw(world, KeyKind::Public)?;
    let keys = [&private, &public].map(|key| entry(&merchant, key, now)).into();
    // 3
    let is_added = world.store().add_merchant(&NewMerchant { settings, document, keys, at: now }).await?;
    if !is_added {
        return Err(Rejection::MerchantExists.into());
    }
    Ok(MerchantAdded {
        merchant_id: merchant,
        private_key: private.text().to_string(),
        public_key: public.text().to_string(),
        version: 1,
        webhook_hmac_key: hmac_key,
        webhook_signing_secret: signing.to_text(),
    })
}

/// Shows a merchant's settings, their credentials hidden.
///
/// # Errors
/// [`Rejection::NotFound`], or a failure of the world.
pub async fn read_merchant(world: &impl World, merchant: &MerchantId) -> Result<MerchantShown, Failure> {
    let stored = world.store().document(merchant).await?.ok_or(Rejection::NotFound)?;
    let mut document = stored_document(&stored.text)?;
    for gateway in document.get_mut("gateways").map(Tree::items_mut).into_iter().flatten() {
        for field in secrets(gateway) {
            if let Some(secret) = gateway.get_mut("credentials").and_then(|all| all.get_mut(field)) {
                *secret = Tree::Text(SEALED.into());
            }
        }
    }
    sign_on_secret::hide(&mut document);
    let settings = to_raw_value(&document).map_err(|_| broken("a document cannot be written"))?;
    Ok(MerchantShown { merchant_id: merchant.clone(), settings, version: stored.version })
}

/// Replaces a merchant's settings. A credential written as `[sealed]` keeps the stored one of the same
/// gateway.
///
/// # Errors
/// The rejection, or a failure of the world. If the document was changed in the meantime, that is a conflict.
pub async fn replace_settings(
    world: &impl World,
    merchant: &MerchantId,
    body: &[u8],
) -> Result<SettingsReplaced, Failure> {
    let now = world.clock().now();
    let text = core::str::from_utf8(body).map_err(|_| Rejection::MalformedBody)?;
    Members::read(body)?;
    let document = document(text)?;
    let stored = world.store().document(merchant).await?.ok_or(Rejection::NotFound)?;
    let before = settings_for(world, merchant).await?;
    let next = stored.version.saturating_add(1);
    let secrets = before.webhook.clone();
    let settings = parse::parse(merchant, next, text, secrets, Some(world.installation()))
        .map_err(Rejection::Invalid)?;
    keep_simulated(&settings, before.clock_offset)?;
    refuse_shared(world, &settings).await?;
    let sealed_before = stored_document(&stored.text)?;
    let sealed = seal_document(world, merchant, document, Some(&sealed_before))?;
    if !world.store().replace_document(merchant, stored.version, &sealed, now).await? {
        return Err(Rejection::Conflict.into());
    }
    Ok(SettingsReplaced { merchant_id: merchant.clone(), version: next })
}

/// A merchant whose clock was moved may have only simulated gateways: no real money moves at a time that is
/// not real.
fn keep_simulated(settings: &MerchantSettings, offset: Duration) -> Result<(), Rejection> {
    let real = settings.gateways.iter().enumerate().filter(|(_, gateway)| !gateway.sandbox);
    let found: Vec<Violation> = real
        .map(|(place, _)| Violation::new(alloc::format!("gateways.{place}.sandbox"), Rule::ClockIsMoved))
        .collect();
    if found.is_empty() || offset.is_zero() { Ok(()) } else { Err(Rejection::Invalid(found)) }
}

/// A failure whose violations are those of a member of the body.
fn beneath_settings(failure: Failure) -> Failure {
    match failure {
        Failure::Refused(Rejection::Invalid(found)) => {
            Rejection::Invalid(found.into_iter().map(under_settings).collect()).into()
        }
        Failure::Refused(_) | Failure::World(_) => failure,
    }
}

fn under_settings(violation: Violation) -> Violation {
    if violation.path == "settings" {
        return violation;
    }
    Violation::new(alloc::format!("settings.{}", violation.path), violation.rule)
}

/// The names of the secrets that the connector of a gateway declares.
fn secrets(gateway: &Tree<'_>) -> impl Iterator<Item = &'static str> + use<> {
    let connector = gateway.get("connector").and_then(Tree::text).and_then(ConnectorKind::parse);
    let fields = connector.map_or(&[][..], |connector| connector.declaration().credentials);
    fields.iter().filter(|field| field.is_secret).map(|field| field.name)
}

/// The sealed credential of this name of the gateway that has the same code and connector.
fn stored_credential<'d>(document: &'d Tree<'_>, gateway: &Tree<'_>, name: &str) -> Option<&'d str> {
    let identity = |gateway: &Tree<'_>| {
        let text = |name| gateway.get(name).and_then(Tree::text).map(String::from);
        Some((text("code")?, text("connector")?))
    };
    let wanted = identity(gateway)?;
    let mut gateways = document.get("gateways")?.items().iter();
    let stored = gateways.find(|stored| identity(stored).as_ref() == Some(&wanted))?;
    stored.get("credentials")?.get(name)?.text()
}

fn stored_document(text: &str) -> Result<Tree<'_>, PortError> {
    Tree::parse(text).ok_or_else(|| broken("a document is not JSON"))
}

/// Seals every credential of a document that comes in.
fn seal_document(
    world: &impl World,
    merchant: &MerchantId,
    mut document: Tree<'_>,
    stored: Option<&Tree<'_>>,
) -> Result<String, Failure> {
    let mut missing = Vec::new();
    let gateways = document.get_mut("gateways").map(Tree::items_mut);
    for (place, gateway) in gateways.into_iter().flatten().enumerate() {
        for name in secrets(gateway) {
            let given = gateway.get("credentials").and_then(|all| all.get(name)?.text());
            let Some(given) = given.map(String::from) else { continue };
            let sealed = if given == SEALED {
                let saved = stored.and_then(|stored| stored_credential(stored, gateway, name));
                if saved.is_none() {
                    let path = alloc::format!("gateways.{place}.credentials.{name}");
                    missing.push(Violation::new(path, Rule::Required));
                }
                saved.unwrap_or_default().to_string()
            } else {
                world.vault().seal(merchant, &given)?.0
            };
            if let Some(slot) = gateway.get_mut("credentials").and_then(|all| all.get_mut(name)) {
                *slot = Tree::Text(sealed.into());
            }
        }
    }
    missing.extend(sign_on_secret::seal(world, merchant, &mut document, stored)?);
    if missing.is_empty() { Ok(document.to_json()) } else { Err(Rejection::Invalid(missing).into()) }
}

/// Shows a deleted payment transaction again.
///
/// # Errors
/// [`Rejection::NotFound`] if none is hidden under this id, or a failure of the world.
pub async fn restore_transaction(world: &impl World, session_id: &SessionId) -> Result<(), Failure> {
    let is_restored = world.store().restore(session_id, world.clock().now()).await?;
    if is_restored { Ok(()) } else { Err(Rejection::NotFound.into()) }
}
