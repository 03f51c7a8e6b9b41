//! The operators themselves: making, listing and revoking them.
//!
//! An operator is one person or one service with one key. Names are not unique: to replace a key, make a second operator of
//! the same name, use its key, and revoke the first.

use alloc::string::ToString;
use alloc::vec::Vec;

use serde::Serialize;

use crate::access::key::KeyKind;
use crate::access::operator::{Operator, key_text};
use crate::answer::administration::{OperatorAdded, OperatorShown};
use crate::api::administration::Limits;
use crate::api::operator::OperatorRequest;
use crate::flow::Failure;
use crate::flow::account::end::end_of_operator;
use crate::flow::account::key::{generate_key, last4};
use crate::port::{Clock, NewOperator, OperatorEntry, Operators, World};
use crate::record::audit::Entry;
use crate::rejection::Rejection;
use crate::value::id::OperatorId;
use crate::value::slot::Slot;
use crate::value::time::Moment;
use crate::words::role::Role;

/// Makes an operator with a key, which is shown only this once.
///
/// # Errors
/// [`Rejection::Invalid`], or a failure of the world.
pub async fn add_operator(world: &impl World, by: &Operator, body: &[u8]) -> Result<OperatorAdded, Failure> {
    let now = world.clock().now();
    let OperatorRequest { name, role, expires_at } =
        OperatorRequest::read(body, Limits { now, end: end_of_operator(world, by).await? })?;
    let key = generate_key(world, Slot::FIRST, KeyKind::Private)?;
    let new = NewOperator {
        name,
        role,
        prefix: key.prefix().to_string(),
        hash: hex::encode(key.hash()),
        last4: last4(&key),
        at: now,
        expires_at,
    };
    let expires_at = expires_at.map(Moment::from);
    let after = OperatorRecorded { expires_at, name: &new.name, prefix: &new.prefix, role };
    let entry = Entry::of(by.actor(), "add_operator", now).to(&after);
    let id = world.directory().add_operator(&new, &entry).await?;
    Ok(OperatorAdded { expires_at, id: id.0, key: key_text(&key), name: new.name, prefix: new.prefix, role })
}

/// What is recorded of a new operator.
#[derive(Serialize)]
struct OperatorRecorded<'a> {
    expires_at: Option<Moment>,
    name: &'a str,
    prefix: &'a str,
    role: Role,
}

/// Every operator that was ever made, in the order of their numbers; never their keys. The one whose token is a secret of
/// the Worker is not among them.
///
/// # Errors
/// A failure of the world.
pub async fn list_operators(world: &impl World) -> Result<Vec<OperatorShown>, Failure> {
    let operators = world.directory().operators().await?;
    Ok(operators.into_iter().map(shown).collect())
}

fn shown(entry: OperatorEntry) -> OperatorShown {
    OperatorShown {
        created_at: entry.created_at.into(),
        expires_at: entry.expires_at.map(Moment::from),
        id: entry.operator.id.0,
        last4: entry.last4,
        last_used_at: entry.used_at.map(|at| at.to_string()),
        name: entry.operator.name.to_string(),
        prefix: entry.prefix,
        revoked_at: entry.revoked_at.map(Moment::from),
        role: entry.operator.role,
    }
}

/// Revokes an operator permanently. An operator may revoke itself: a key that someone else knows must be revoked at once,
/// and the holder of the Worker's token can make another.
///
/// # Errors
/// [`Rejection::NotFound`], or a failure of the world.
pub async fn revoke_operator(world: &impl World, by: &Operator, id: OperatorId) -> Result<(), Failure> {
    let now = world.clock().now();
    let operators = world.directory().operators().await?;
    let before = operators.into_iter().find(|entry| entry.operator.id == id).ok_or(Rejection::NotFound)?;
    let after = OperatorEntry { revoked_at: Some(now), ..before.clone() };
    let entry = Entry::of(by.actor(), "revoke_operator", now).on(id).from(&shown(before)).to(&shown(after));
    let is_revoked = world.directory().revoke_operator(id, &entry).await?;
    if is_revoked { Ok(()) } else { Err(Rejection::NotFound.into()) }
}
