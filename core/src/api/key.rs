//! A new key of a merchant: its `kind`, `private` or `public`, its name, the time from which it is no longer valid, and its
//! permissions; without them it may do everything that a key of its kind may do.
//!
//! Decision: everything said about a key decides what it permits, so an unknown member is refused by name.

use alloc::string::String;

use super::administration::{Limits, expiry, name, permissions, refuse_unknown};
use crate::access::grantor::Grantor;
use crate::access::key::KeyKind;
use crate::access::permission::{Permission, Permissions};
use crate::rejection::Rejection;
use crate::value::time::Timestamp;
use crate::violation::{AccessRule, Rule};
use crate::wire::field::Fields;
use crate::wire::members::Members;

/// The members of the body.
const MEMBERS: [&str; 4] = ["kind", "name", "expires_at", "permissions"];
/// The longest name.
const MAX_NAME: usize = 50;

/// What is asked for.
pub struct KeyRequest {
    /// What the key may be used for.
    pub kind: KeyKind,
    /// What it is called.
    pub name: Option<String>,
    /// From when it is no longer valid.
    pub expires_at: Option<Timestamp>,
    /// What it may do; `None` for everything that a key of its kind may do.
    pub scope: Option<Permissions>,
}

impl KeyRequest {
    /// Reads a body.
    ///
    /// # Errors
    /// [`Rejection::MalformedBody`], or [`Rejection::Invalid`] with every wrong field.
    pub fn read(body: &[u8], grantor: Grantor<'_>, limits: Limits) -> Result<Self, Rejection> {
        let members = Members::read(body)?;
        let mut fields = Fields::default();
        let kind = fields
            .given("kind", members.get("kind"), |f, p, raw| f.word(p, raw, KeyKind::WORDS, KeyKind::parse));
        let name = members.get("name").and_then(|raw| name(&mut fields, "name", raw, MAX_NAME));
        let expires_at = expiry(&mut fields, &members, limits);
        let scope = members.get("permissions").and_then(|raw| {
            let is_fit = |permission: &Permission| match (kind, permission) {
                (_, permission) if permission.is_for_users() => Err(AccessRule::ForUsers),
                (Some(KeyKind::Public), Permission::UseGateway(_)) | (Some(KeyKind::Private) | None, _) => {
                    Ok(())
                }
                (Some(KeyKind::Public), _) => Err(AccessRule::ForGateways),
            };
            permissions(&mut fields, raw, grantor, is_fit)
        });
        let is_given = members.all().any(|(name, _)| name == "permissions");
        if scope.is_none() && is_given && members.get("permissions").is_none() {
            // Elsewhere `null` means absent. Here that would be a key without limits.
            fields.violation("permissions", Rule::NotList);
        } else if !is_given && !kind.map_or(grantor.is_unlimited(), |kind| grantor.gives_all_of(kind)) {
            fields.violation("permissions", Rule::Required);
        }
        refuse_unknown(&mut fields, &members, &MEMBERS);
        let found = fields.finish();
        match kind {
            Some(kind) if found.is_empty() => Ok(Self { kind, name, expires_at, scope }),
            _ => Err(Rejection::Invalid(found)),
        }
    }
}
