//! Making, listing and revoking the keys of a merchant.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::{Grantor, permissions, refuse_unknown};
use crate::access::key::{ApiKey, KeyKind};
use crate::access::permission::{Permission, Permissions};
use crate::answer::operator::{KeyAdded, KeyShown};
use crate::flow::Failure;
use crate::port::{Clock, KeyEntry, NewKey, PortError, Registry, Rng, World};
use crate::rejection::Rejection;
use crate::value::id::MerchantId;
use crate::value::text::check_line;
use crate::value::time::Timestamp;
use crate::violation::{AccessRule, Rule};
use crate::wire::field::Fields;
use crate::wire::members::Members;

/// The members of a body that makes a key.
const MEMBERS: [&str; 4] = ["kind", "name", "expires_at", "permissions"];
/// The longest name.
const MAX_NAME: usize = 64;

/// Makes a key, which is shown only this once. The body gives its `kind`, `private` or `public`, its name,
/// the time from which it is no longer valid, and its permissions; without them it may do everything that a key of its
/// kind may do.
///
/// Decision: everything said about a key decides what it permits, so an unknown member is refused by name.
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
    world.store().document(merchant).await?.ok_or(Rejection::NotFound)?;
    let Wanted { kind, name, expires_at, scope } = read(body, grantor, now)?;
    let key = draw(world, kind)?;
    let row = NewKey { name, scope, expires_at, ..entry(merchant, &key, now) };
    world.store().add_key(&row).await?;
    Ok(KeyAdded {
        expires_at: expires_at.map(|at| at.to_string()),
        key: key.text().to_string(),
        merchant_id: merchant.clone(),
        name: row.name,
        permissions: row.scope.as_ref().map(Permissions::names),
        prefix: row.prefix,
    })
}

/// The key that is requested.
pub(crate) struct Wanted {
    kind: KeyKind,
    name: Option<String>,
    expires_at: Option<Timestamp>,
    scope: Option<Permissions>,
}

fn read(body: &[u8], grantor: Grantor<'_>, now: Timestamp) -> Result<Wanted, Rejection> {
    let members = Members::read(body)?;
    let mut fields = Fields::default();
    let kind =
        fields.given("kind", members.get("kind"), |f, p, raw| f.word(p, raw, KeyKind::WORDS, KeyKind::parse));
    let name = members.get("name").and_then(|raw| {
        fields.checked("name", raw, |name| match name.trim() {
            "" => Err(Rule::Blank),
            _ => check_line(name, MAX_NAME).map(|()| name.to_string()).map_err(Rule::from),
        })
    });
    let expires_at = members.get("expires_at").and_then(|raw| {
        fields.checked("expires_at", raw, |text| match Timestamp::parse(text) {
            None => Err(Rule::NotDateTime),
            Some(at) if at <= now => Err(Rule::NotInFuture),
            Some(at) => Ok(at),
        })
    });
    let scope = members.get("permissions").and_then(|raw| {
        let is_fit = |permission: &Permission| match (kind, permission) {
            (Some(KeyKind::Public), Permission::UseGateway(_)) | (Some(KeyKind::Private) | None, _) => Ok(()),
            (Some(KeyKind::Public), _) => Err(AccessRule::ForGateways),
        };
        permissions(&mut fields, raw, grantor, is_fit)
    });
    let is_given = members.all().any(|(name, _)| name == "permissions");
    if scope.is_none() && is_given && members.get("permissions").is_none() {
        // Elsewhere `null` means absent. Here that would be a key without limits.
        fields.violation("permissions", Rule::NotList);
    } else if !is_given && !grantor.is_unlimited() {
        fields.violation("permissions", Rule::Required);
    }
    refuse_unknown(&mut fields, &members, &MEMBERS);
    let found = fields.finish();
    match kind {
        Some(kind) if found.is_empty() => Ok(Wanted { kind, name, expires_at, scope }),
        _ => Err(Rejection::Invalid(found)),
    }
}

/// Lists the keys of a merchant, newest first; never the keys themselves.
///
/// # Errors
/// [`Rejection::NotFound`], or a failure of the world.
pub async fn list_keys(world: &impl World, merchant: &MerchantId) -> Result<Vec<KeyShown>, Failure> {
    world.store().document(merchant).await?.ok_or(Rejection::NotFound)?;
    let keys = world.store().keys(merchant).await?;
    Ok(keys.into_iter().map(shown).collect())
}

fn shown(key: KeyEntry) -> KeyShown {
    KeyShown {
        created_at: key.created_at.to_string(),
        expires_at: key.expires_at.map(|at| at.to_string()),
        kind: key.kind.as_str(),
        last4: key.last4,
        last_used_at: key.used_at.map(|at| at.to_string()),
        name: key.name,
        permissions: key.scope.as_ref().map(Permissions::names),
        prefix: key.prefix,
        revoked_at: key.revoked_at.map(|at| at.to_string()),
    }
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
    if !grantor.is_unlimited() {
        let keys = world.store().keys(merchant).await?;
        let key = keys.iter().find(|key| key.prefix == prefix).ok_or(Rejection::NotFound)?;
        grantor.may_change(key.scope.as_ref())?;
    }
    let is_revoked = world.store().revoke_key(merchant, prefix, world.clock().now()).await?;
    if is_revoked { Ok(()) } else { Err(Rejection::NotFound.into()) }
}

/// Generates a key.
pub(crate) fn draw(world: &impl World, kind: KeyKind) -> Result<ApiKey, PortError> {
    let mut failed = None;
    let mut fill = |bytes: &mut [u8]| {
        if let Err(error) = world.rng().fill(bytes) {
            failed = Some(error);
        }
    };
    let key = match kind {
        KeyKind::Private => ApiKey::generate_private(&mut fill),
        KeyKind::Public => ApiKey::generate_public(&mut fill),
    };
    failed.map_or(Ok(key), Err)
}

/// A key as it is stored.
pub(crate) fn entry(merchant: &MerchantId, key: &ApiKey, at: Timestamp) -> NewKey {
    let text = key.text();
    let last4 = text.get(text.len().saturating_sub(4)..).unwrap_or_default();
    NewKey {
        merchant: merchant.clone(),
        kind: key.kind(),
        prefix: key.prefix().to_string(),
        hash: hex::encode(key.hash()),
        last4: last4.to_string(),
        name: None,
        scope: None,
        at,
        expires_at: None,
    }
}
