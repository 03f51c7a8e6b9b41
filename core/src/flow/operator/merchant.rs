//! Making a merchant, reading and replacing its settings.

use alloc::boxed::Box;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::time::Duration;

use serde::Serialize;
use serde_json::value::RawValue;

use super::{broken, document};
use crate::access::key::KeyKind;
use crate::access::operator::Operator;
use crate::answer::operator::{KeyShown, MerchantAdded, MerchantShown, SettingsReplaced};
use crate::api::merchant::{MerchantRequest, PauseRequest, settings_text, under_settings};
use crate::flow::Failure;
use crate::flow::account::changes::changed;
use crate::flow::account::end::{end_of_operator, refuse_endless};
use crate::flow::account::image::refuse_unknown_images;
use crate::flow::account::key::{entry, generate_key, row_shown};
use crate::flow::account::webhook_secret::{generate, generate_signature_key};
use crate::flow::caller::sign_on::refuse_shared;
use crate::flow::payer::local::refuse_unknown_zone;
use crate::flow::situation::situation_of;
use crate::port::{Clock, NewDocument, NewMerchant, Registry, Store, StoredDocument, Vault, World};
use crate::record::audit::Entry;
use crate::rejection::{RefusedRequest, Rejection};
use crate::route::query::REPLACED;
use crate::settings::{MerchantSettings, WebhookSecrets, parse};
use crate::value::id::{MerchantId, SessionId, SettingsVersion};
use crate::value::slot::Slotted;
use crate::violation::{Rule, Violation};
use crate::wire::members::Members;
use crate::wire::query::Parameters;
use crate::wire::tree::Tree;

/// Makes a merchant with its first keys and secrets, which are shown only this once:
///
/// 1. read the body and check the settings, reporting every wrong field;
/// 2. generate keys and secrets, seal what must be stored encrypted;
/// 3. one batch stores merchant and keys, if the id is free.
///
/// # Errors
/// The rejection, or a failure of the world.
pub async fn add_merchant(world: &impl World, by: &Operator, body: &[u8]) -> Result<MerchantAdded, Failure> {
    let now = world.clock().now();
    refuse_endless(end_of_operator(world, by).await?)?;
    // 1
    let members = Members::read(body)?;
    let tree = document::given(settings_text(&members))?;
    let MerchantRequest { merchant, mut settings } = MerchantRequest::read(&members, world.installation())?;
    refuse_shared(world, &settings).await.map_err(beneath_settings)?;
    refuse_unknown_zone(world, &settings).map_err(|rejection| beneath_settings(rejection.into()))?;
    refuse_unknown_images(world, &merchant, "brand", &settings.brand).await.map_err(beneath_settings)?;
    // 2
    let hmac_key = generate_signature_key(world, merchant.slot())?;
    let signing = generate(world)?;
    settings.webhook = WebhookSecrets {
        hmac_key: world.vault().seal(&merchant, &hmac_key)?,
        signing: Vec::from([world.vault().seal(&merchant, &signing.to_text())?]),
        previous_until: None,
        next_hmac: None,
    };
    let document = document::seal(world, &merchant, tree, None).map_err(beneath_settings)?;
    let private = generate_key(world, merchant.slot(), KeyKind::Private)?;
    let public = generate_key(world, merchant.slot(), KeyKind::Public)?;
    let keys = [&private, &public].map(|key| entry(&merchant, key, now));
    let after = MerchantRecorded {
        keys: keys.iter().map(row_shown).collect(),
        settings: document::hidden(&document)?.to_raw()?,
    };
    // 3
    let record = Entry::of(by.actor(), "add_merchant", now).about(&merchant).on(&merchant);
    let record = record.making(1).to(&after);
    let new = NewMerchant { settings, document, keys: keys.into(), at: now };
    let is_added = world.directory().add_merchant(&new, &record).await?;
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

/// What is recorded of a new merchant.
#[derive(Serialize)]
struct MerchantRecorded {
    keys: Vec<KeyShown>,
    settings: Box<RawValue>,
}

/// Shows a merchant's settings, their credentials hidden.
///
/// # Errors
/// [`Rejection::NotFound`], or a failure of the world.
pub async fn read_merchant(world: &impl World, merchant: &MerchantId) -> Result<MerchantShown, Failure> {
    let stored = world.directory().document(merchant).await?.ok_or(Rejection::NotFound)?;
    let settings = document::hidden(&stored.text)?.to_raw()?;
    Ok(MerchantShown { merchant_id: merchant.clone(), settings, version: stored.version })
}

/// Replaces a merchant's settings. A credential written as `[sealed]` keeps the stored one of the same
/// gateway.
///
/// # Errors
/// The rejection, or a failure of the world. If the document was changed in the meantime, that is a conflict; so it is if
/// the query names a `version` that is not the stored one.
pub async fn replace_settings(
    world: &impl World,
    by: &Operator,
    merchant: &MerchantId,
    query: &str,
    body: &[u8],
) -> Result<SettingsReplaced, Failure> {
    let text = core::str::from_utf8(body).map_err(|_| Rejection::MalformedBody)?;
    Members::read(body)?;
    let mut parameters = Parameters::of(query, REPLACED);
    let expected = parameters.read("version", NOT_NUMBER, SettingsVersion::parse);
    parameters.finish()?;
    let stored = world.directory().document(merchant).await?.ok_or(Rejection::NotFound)?;
    let expected = expected.map_or(stored.version, |expected| i64::from(expected.0));
    let entry = Entry::of(by.actor(), "replace_settings", world.clock().now());
    replace(
        world,
        entry,
        ProposedDocument { merchant, text, sealed_in: &stored.text, stored: &stored, expected },
    )
    .await
}

/// What a number in a query must be.
pub(super) const NOT_NUMBER: Rule = Rule::NotInteger { min: 1, max: 2_147_483_647 };

/// A document that is to take the place of the stored one.
pub(super) struct ProposedDocument<'a> {
    /// The merchant.
    pub(super) merchant: &'a MerchantId,
    /// The document, as a client gives it.
    pub(super) text: &'a str,
    /// The stored document in which the credentials are that it does not give.
    pub(super) sealed_in: &'a str,
    /// The document that is replaced.
    pub(super) stored: &'a StoredDocument,
    /// The version that it is expected to have.
    pub(super) expected: i64,
}

/// Checks a document as every document that comes in, seals its credentials and stores it.
///
/// # Errors
/// [`Rejection::Invalid`] with every wrong field, [`Rejection::Conflict`], or a failure of the world.
pub(super) async fn replace(
    world: &impl World,
    entry: Entry,
    given: ProposedDocument<'_>,
) -> Result<SettingsReplaced, Failure> {
    let ProposedDocument { merchant, text, sealed_in, stored, expected } = given;
    if expected != stored.version {
        return Err(Rejection::Conflict.into());
    }
    let tree = document::given(text)?;
    let before = situation_of(world, merchant).await?;
    let next = stored.version.saturating_add(1);
    let secrets = before.settings.webhook.clone();
    let settings = parse::parse(merchant, next, text, secrets, Some(world.installation()))
        .map_err(Rejection::Invalid)?;
    keep_simulated(&settings, before.ahead())?;
    refuse_shared(world, &settings).await?;
    refuse_unknown_zone(world, &settings)?;
    refuse_unknown_images(world, merchant, "brand", &settings.brand).await?;
    let sealed = document::seal(world, merchant, tree, Some(&document::stored(sealed_in)?))?;
    store(world, entry, merchant, stored, &sealed).await
}

/// Stores a document in place of another one, with an entry that has the members in which they differ.
pub(super) async fn store(
    world: &impl World,
    entry: Entry,
    merchant: &MerchantId,
    stored: &StoredDocument,
    text: &str,
) -> Result<SettingsReplaced, Failure> {
    let next = stored.version.saturating_add(1);
    let (before, after) = (document::hidden(&stored.text)?, document::hidden(text)?);
    let entry = entry.about(merchant).on(merchant).making(next);
    let entry = changed(entry, &before, &after);
    let new = NewDocument { merchant, version: stored.version, document: text };
    if !world.directory().replace_document(&new, &entry).await? {
        return Err(Rejection::Conflict.into());
    }
    Ok(SettingsReplaced { merchant_id: merchant.clone(), version: next })
}

/// Stops the payments of a merchant, or lets them begin again. The rest of the settings stays as it is, and is not checked
/// again: stopping must not fail because a rule is newer than the document.
///
/// # Errors
/// [`Rejection::NotFound`], [`Rejection::Invalid`], [`Rejection::Conflict`] if the settings were changed in the meantime, or
/// a failure of the world.
pub async fn pause_merchant(
    world: &impl World,
    by: &Operator,
    merchant: &MerchantId,
    body: &[u8],
) -> Result<SettingsReplaced, Failure> {
    let stored = world.directory().document(merchant).await?.ok_or(Rejection::NotFound)?;
    let PauseRequest { is_paused } = PauseRequest::read(body)?;
    let value =
        Tree::parse(if is_paused { "true" } else { "false" }).ok_or_else(|| broken("a flag is not JSON"))?;
    let mut document = document::stored(&stored.text)?;
    document.set("is_paused", value);
    let entry = Entry::of(by.actor(), "pause_merchant", world.clock().now());
    store(world, entry, merchant, &stored, &document.to_json()).await
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
        Failure::Refused(RefusedRequest { rejection: Rejection::Invalid(found), .. }) => {
            Rejection::Invalid(found.into_iter().map(under_settings).collect()).into()
        }
        Failure::Refused(_) | Failure::World(_) | Failure::Unwritten => failure,
    }
}

/// Shows a deleted payment transaction again.
///
/// # Errors
/// [`Rejection::NotFound`] if none is hidden under this id, or a failure of the world.
pub async fn restore_transaction(
    world: &impl World,
    by: &Operator,
    session_id: &SessionId,
) -> Result<(), Failure> {
    let entry = Entry::of(by.actor(), "restore_transaction", world.clock().now()).on(session_id);
    let is_restored = world.ledger(session_id).restore(session_id, &entry).await?;
    if is_restored { Ok(()) } else { Err(Rejection::NotFound.into()) }
}
