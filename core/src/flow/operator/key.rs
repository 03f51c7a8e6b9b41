//! Making, listing and revoking the keys of a merchant.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::{Map, Value};

use super::object;
use crate::access::key::ApiKey;
use crate::flow::Failure;
use crate::port::{Clock, NewKey, PortError, Registry, Rng, World};
use crate::rejection::Rejection;
use crate::value::id::MerchantId;
use crate::value::text::check_line;
use crate::value::time::Timestamp;
use crate::violation::{Rule, Violation, Violations};

/// The members of a body that makes a key.
const MEMBERS: [&str; 3] = ["kind", "name", "expires_at"];
/// The longest name.
const MAX_NAME: usize = 64;

/// Makes a key, which is shown only this once. The body gives its `kind`, `private` or `public`, its name,
/// and the time from which it is no longer valid.
///
/// Decision: everything said about a key decides what it permits, so an unknown member, such as a scope, is
/// refused by name.
///
/// # Errors
/// The rejection, or a failure of the world.
pub async fn add_key(world: &impl World, merchant: &MerchantId, body: &[u8]) -> Result<Value, Failure> {
    let now = world.clock().now();
    world.store().document(merchant).await?.ok_or(Rejection::NotFound)?;
    let Wish { form, name, expires_at } = read(&object(body)?, now).map_err(Rejection::Invalid)?;
    let key = draw(world, form)?;
    let row = NewKey { name, expires_at, ..entry(merchant, &key, now) };
    world.store().add_key(&row).await?;
    Ok(serde_json::json!({
        "merchant_id": merchant.as_str(),
        "prefix": key.prefix(),
        "key": key.text(),
        "name": row.name,
        "expires_at": expires_at.map(|at| at.to_string()),
    }))
}

/// The key that is requested.
struct Wish {
    form: Form,
    name: Option<String>,
    expires_at: Option<Timestamp>,
}

fn read(body: &Map<String, Value>, now: Timestamp) -> Result<Wish, Vec<Violation>> {
    let mut found = Violations::default();
    let given = |name: &str| body.get(name).filter(|value| !value.is_null());
    let mut note = |name: &str, rule: Rule| found.add(name.to_string(), rule);
    let form = match given("kind").map(Value::as_str) {
        None => Err(Rule::Required),
        Some(Some("private")) => Ok(Form::Private),
        Some(Some("public")) => Ok(Form::Public),
        Some(Some(_)) => Err(Rule::OneOf(&["private", "public"])),
        Some(None) => Err(Rule::NotText),
    };
    let form = form.map_err(|rule| note("kind", rule));
    let name = match given("name").map(Value::as_str) {
        None => Ok(None),
        Some(None) => Err(Rule::NotText),
        Some(Some(name)) if name.trim().is_empty() => Err(Rule::Blank),
        Some(Some(name)) => check_line(name, MAX_NAME).map(|()| Some(name.to_string())).map_err(Rule::from),
    };
    let name = name.map_err(|rule| note("name", rule));
    let expires_at = match given("expires_at").map(Value::as_str) {
        None => Ok(None),
        Some(None) => Err(Rule::NotText),
        Some(Some(text)) => match Timestamp::parse(text) {
            None => Err(Rule::NotDateTime),
            Some(at) if at <= now => Err(Rule::NotInFuture),
            Some(at) => Ok(Some(at)),
        },
    };
    let expires_at = expires_at.map_err(|rule| note("expires_at", rule));
    for unknown in body.keys().filter(|member| !MEMBERS.contains(&member.as_str())) {
        note(unknown, Rule::NotKnown);
    }
    match (form, name, expires_at) {
        (Ok(form), Ok(name), Ok(expires_at)) if found.is_empty() => Ok(Wish { form, name, expires_at }),
        _ => Err(found.into_vec()),
    }
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
                "name": key.name,
                "created_at": key.created_at.to_string(),
                "expires_at": key.expires_at.map(|at| at.to_string()),
                "revoked_at": key.revoked_at.map(|at| at.to_string()),
            })
        })
        .collect();
    Ok(Value::Array(keys))
}

/// Revokes a key permanently.
///
/// # Errors
/// [`Rejection::NotFound`], or a failure of the world.
pub async fn revoke_key(world: &impl World, merchant: &MerchantId, prefix: &str) -> Result<(), Failure> {
    let is_revoked = world.store().revoke_key(merchant, prefix, world.clock().now()).await?;
    if is_revoked { Ok(()) } else { Err(Rejection::NotFound.into()) }
}

/// Which key is generated.
#[derive(Clone, Copy)]
pub(super) enum Form {
    Private,
    Public,
}

/// Generates a key.
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
        name: None,
        at,
        expires_at: None,
    }
}
