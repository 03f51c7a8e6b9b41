//! Making, listing and revoking the keys of a merchant.

use alloc::string::ToString;
use alloc::vec::Vec;

use serde_json::Value;

use super::object;
use crate::access::key::ApiKey;
use crate::flow::Failure;
use crate::id::MerchantId;
use crate::port::{Clock, NewKey, PortError, Registry, Rng, World};
use crate::rejection::Rejection;
use crate::time::Timestamp;
use crate::violation::{Rule, Violation};

/// Makes a key, which is shown this once. The body names its `kind`: `private` or `public`.
///
/// # Errors
/// The rejection, or a failure of the world.
pub async fn add_key(world: &impl World, merchant: &MerchantId, body: &[u8]) -> Result<Value, Failure> {
    let now = world.clock().now();
    world.store().document(merchant).await?.ok_or(Rejection::NotFound)?;
    let form = match object(body)?.get("kind") {
        None | Some(Value::Null) => Err(Rule::Required),
        Some(Value::String(kind)) if kind == "private" => Ok(Form::Private),
        Some(Value::String(kind)) if kind == "public" => Ok(Form::Public),
        Some(Value::String(_)) => Err(Rule::OneOf(&["private", "public"])),
        Some(_) => Err(Rule::NotText),
    };
    let form = form.map_err(|rule| Rejection::Invalid(Vec::from([Violation::new("kind", rule)])))?;
    let key = draw(world, form)?;
    world.store().add_key(&entry(merchant, &key, now)).await?;
    Ok(serde_json::json!({"merchant_id": merchant.as_str(), "prefix": key.prefix(), "key": key.text()}))
}

/// Lists the keys of a merchant, newest first; never the keys themselves.
///
/// # Errors
/// [`Rejection::NotFound`], or a failure of the world.
pub async fn list_keys(world: &impl World, merchant: &MerchantId) -> Result<Value, Failure> {
    world.store().document(merchant).await?.ok_or(Rejection::NotFound)?;
    let keys: Vec<Value> = world
        .store()
        .keys(merchant)
        .await?
        .into_iter()
        .map(|key| {
            serde_json::json!({
                "kind": key.kind.as_str(),
                "prefix": key.prefix,
                "last4": key.last4,
                "created_at": key.created_at.to_string(),
                "revoked_at": key.revoked_at.map(|at| at.to_string()),
            })
        })
        .collect();
    Ok(Value::Array(keys))
}

/// Revokes a key for good.
///
/// # Errors
/// [`Rejection::NotFound`], or a failure of the world.
pub async fn revoke_key(world: &impl World, merchant: &MerchantId, prefix: &str) -> Result<(), Failure> {
    let is_revoked = world.store().revoke_key(merchant, prefix, world.clock().now()).await?;
    if is_revoked { Ok(()) } else { Err(Rejection::NotFound.into()) }
}

/// Which key is drawn.
#[derive(Clone, Copy)]
pub(super) enum Form {
    Private,
    Public,
}

/// Draws a key.
pub(super) fn draw(world: &impl World, form: Form) -> Result<ApiKey, PortError> {
    let mut failed = None;
    let mut fill = |bytes: &mut [u8]| {
        if let Err(error) = world.rng().fill(bytes) {
            failed = Some(error);
        }
    };
    let key = match form {
        Form::Private => ApiKey::generate_private(&mut fill),
        Form::Public => ApiKey::generate_public(&mut fill),
    };
    failed.map_or(Ok(key), Err)
}

/// A key as it is stored.
pub(super) fn entry(merchant: &MerchantId, key: &ApiKey, at: Timestamp) -> NewKey {
    let text = key.text();
    let last4 = text.get(text.len().saturating_sub(4)..).unwrap_or_default();
    NewKey {
        merchant: merchant.clone(),
        kind: key.kind(),
        prefix: key.prefix().to_string(),
        hash: hex::encode(key.hash()),
        last4: last4.to_string(),
        at,
    }
}
