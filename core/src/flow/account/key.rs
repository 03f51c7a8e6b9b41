//! Making, listing and revoking the keys of a merchant.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::end::end_of;
use crate::access::grantor::Grantor;
use crate::access::key::{ApiKey, KeyKind};
use crate::access::permission::Permissions;
use crate::answer::operator::{KeyAdded, KeyShown};
use crate::api::administration::Limits;
use crate::api::key::KeyRequest;
use crate::flow::Failure;
use crate::port::{Clock, KeyEntry, NewKey, PortError, Registry, Rng, World};
use crate::record::audit::Entry;
use crate::rejection::Rejection;
use crate::value::id::MerchantId;
use crate::value::slot::{Slot, Slotted};
use crate::value::time::{Moment, Timestamp};

/// Makes a key, which is shown only this once.
///
/// # Errors
/// The rejection, or a failure of the world.
pub async fn add_key(
    world: &impl World,
    merchant: &MerchantId,
    grantor: Grantor<'_>,
    body: &[u8],
) -> Result<KeyAdded, Failure> {
    let now = world.clock().now();
    world.directory().document(merchant).await?.ok_or(Rejection::NotFound)?;
    let limits = Limits { now, end: end_of(world, merchant, grantor).await? };
    let KeyRequest { kind, name, expires_at, scope } = KeyRequest::read(body, grantor, limits)?;
    let key = generate_key(world, merchant.slot(), kind)?;
    let row = NewKey { name, scope, expires_at, ..entry(merchant, &key, now) };
    let action = grantor.endpoint("add_key", "add_own_key");
    let record = Entry::of(grantor.actor(), action, now).about(merchant).on(&row.prefix);
    world.directory().add_key(&row, &record.to(&row_shown(&row))).await?;
    Ok(KeyAdded {
        expires_at: expires_at.map(Moment::from),
        key: key.text().to_string(),
        merchant_id: merchant.clone(),
        name: row.name,
        permissions: row.scope.as_ref().map(Permissions::names),
        prefix: row.prefix,
    })
}

/// Lists the keys of a merchant, newest first; never the keys themselves.
///
/// # Errors
/// [`Rejection::NotFound`], or a failure of the world.
pub async fn list_keys(world: &impl World, merchant: &MerchantId) -> Result<Vec<KeyShown>, Failure> {
    world.directory().document(merchant).await?.ok_or(Rejection::NotFound)?;
    let keys = world.directory().keys(merchant).await?;
    Ok(keys.into_iter().map(shown).collect())
}

fn shown(key: KeyEntry) -> KeyShown {
    KeyShown {
        created_at: key.created_at.into(),
        expires_at: key.expires_at.map(Moment::from),
        kind: key.kind.as_str(),
        last4: key.last4,
        last_used_at: key.used_at.map(|at| at.to_string()),
        name: key.name,
        permissions: key.scope.as_ref().map(Permissions::names),
        prefix: key.prefix,
        revoked_at: key.revoked_at.map(Moment::from),
    }
}

/// A new key as it is listed.
pub(crate) fn row_shown(row: &NewKey) -> KeyShown {
    shown(KeyEntry {
        kind: row.kind,
        prefix: row.prefix.clone(),
        last4: row.last4.clone(),
        name: row.name.clone(),
        scope: row.scope.clone(),
        created_at: row.at,
        expires_at: row.expires_at,
        revoked_at: None,
        used_at: None,
    })
}

/// Revokes a key permanently.
///
/// # Errors
/// [`Rejection::NotFound`], [`Rejection::PermissionMissing`] for a key that may do more than who asks, or a failure of the
/// world.
pub async fn revoke_key(
    world: &impl World,
    merchant: &MerchantId,
    grantor: Grantor<'_>,
    prefix: &str,
) -> Result<(), Failure> {
    let now = world.clock().now();
    let keys = world.directory().keys(merchant).await?;
    let key = keys.into_iter().find(|key| key.prefix == prefix).ok_or(Rejection::NotFound)?;
    grantor.may_change(key.scope.as_ref())?;
    let action = grantor.endpoint("revoke_key", "revoke_own_key");
    let entry = Entry::of(grantor.actor(), action, now).about(merchant).on(prefix);
    let revoked = KeyEntry { revoked_at: Some(now), ..key.clone() };
    let entry = entry.from(&shown(key)).to(&shown(revoked));
    let is_revoked = world.directory().revoke_key(merchant, prefix, &entry).await?;
    if is_revoked { Ok(()) } else { Err(Rejection::NotFound.into()) }
}

/// Generates a key in a slot.
pub(crate) fn generate_key(world: &impl World, slot: Slot, kind: KeyKind) -> Result<ApiKey, PortError> {
    let mut failed = None;
    let mut fill = |bytes: &mut [u8]| {
        if let Err(error) = world.rng().fill(bytes) {
            failed = Some(error);
        }
    };
    let key = match kind {
        KeyKind::Private => ApiKey::generate_private(slot, &mut fill),
        KeyKind::Public => ApiKey::generate_public(slot, &mut fill),
    };
    failed.map_or(Ok(key), Err)
}

/// The last four characters of a key.
pub(crate) fn last4(key: &ApiKey) -> String {
    let text = key.text();
    text.get(text.len().saturating_sub(4)..).unwrap_or_default().to_string()
}

/// A key as it is stored.
pub(crate) fn entry(merchant: &MerchantId, key: &ApiKey, at: Timestamp) -> NewKey {
    NewKey {
        merchant: merchant.clone(),
        kind: key.kind(),
        prefix: key.prefix().to_string(),
        hash: hex::encode(key.hash()),
        last4: last4(key),
        name: None,
        scope: None,
        at,
        expires_at: None,
    }
}
