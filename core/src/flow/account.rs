//! The users, keys, webhook secrets, deliveries and receivers of a merchant, as operators manage them, and as the merchant manages its own.

pub(super) mod changes;
pub mod delivery;
pub mod image;
pub mod key;
pub mod message;
mod page;
pub mod receiver;
pub mod user;
pub mod webhook_secret;

use alloc::vec::Vec;

use serde_json::value::RawValue;

use crate::access::key::KeyKind;
use crate::access::operator::Operator;
use crate::access::permission::{Permission, Permissions};
use crate::access::{Caller, Rights};
use crate::record::audit::Actor;
use crate::rejection::Rejection;
use crate::value::sorted::SortedSet;
use crate::violation::{AccessRule, Rule};
use crate::wire::field::Fields;
use crate::wire::members::Members;

/// The most permissions of one user or key.
const MAX_PERMISSIONS: usize = 256;

/// Who gives permissions. Nobody can give what they do not have, or change someone who has more.
#[derive(Debug, Clone, Copy)]
pub enum Grantor<'a> {
    /// An operator of the installation.
    Operator(&'a Operator),
    /// Someone who manages the access of the merchant.
    Merchant(&'a Caller),
}

impl Grantor<'_> {
    /// As the audit names it.
    fn actor(self) -> Actor {
        match self {
            Self::Operator(operator) => operator.actor(),
            Self::Merchant(caller) => caller.actor(),
        }
    }

    /// The name of the endpoint: operators and merchants have endpoints of their own.
    fn endpoint(self, of_operator: &'static str, own: &'static str) -> &'static str {
        match self {
            Self::Operator(_) => of_operator,
            Self::Merchant(_) => own,
        }
    }

    /// Whether everything can be given.
    fn is_unlimited(self) -> bool {
        match self {
            Self::Operator(_) => true,
            Self::Merchant(caller) => match &caller.rights {
                Rights::Key(kind, scope) => *kind == KeyKind::Private && scope.is_none(),
                Rights::User(user) => user.is_superuser,
            },
        }
    }

    fn has(self, permission: &Permission) -> bool {
        let own = match self {
            Self::Operator(_) => return true,
            Self::Merchant(caller) => match &caller.rights {
                Rights::Key(_, scope) => scope.as_ref(),
                Rights::User(user) => Some(&user.permissions),
            },
        };
        self.is_unlimited() || own.is_some_and(|own| own.has(permission))
    }

    /// Whether someone may be changed who has these permissions; `None` is everything.
    ///
    /// # Errors
    /// [`Rejection::PermissionMissing`] if they are more than one's own.
    fn may_change(self, permissions: Option<&Permissions>) -> Result<(), Rejection> {
        let is_covered = permissions.is_some_and(|given| given.iter().all(|one| self.has(one)));
        if self.is_unlimited() || is_covered { Ok(()) } else { Err(Rejection::PermissionMissing) }
    }
}

/// A list of permissions, each of which `is_fit`, and which the grantor has.
fn permissions(
    fields: &mut Fields,
    raw: &RawValue,
    grantor: Grantor<'_>,
    is_fit: impl Fn(&Permission) -> Result<(), AccessRule>,
) -> Option<Permissions> {
    let mut list: Vec<Permission> = Vec::new();
    for (place, item) in fields.items("permissions", raw, MAX_PERMISSIONS)?.into_iter().enumerate() {
        let read = match Fields::decode_text(item) {
            Ok(text) => Permission::parse(&text).ok_or(Rule::Access(AccessRule::NotPermission)),
            Err(rule) => Err(rule),
        };
        let checked = read.and_then(|permission| {
            is_fit(&permission).map_err(Rule::Access)?;
            let is_own = grantor.has(&permission);
            if is_own { Ok(permission) } else { Err(Rule::Access(AccessRule::NotOwn)) }
        });
        match checked {
            Ok(permission) if list.contains(&permission) => {}
            Ok(permission) => list.push(permission),
            Err(rule) => fields.violation(alloc::format!("permissions.{place}"), rule),
        }
    }
    Some(list.into())
}

/// Refuses members that are not known: everything said about access decides what is permitted.
pub(in crate::flow) fn refuse_unknown(fields: &mut Fields, members: &Members<'_>, known: &[&str]) {
    let mut unknown = SortedSet::new();
    for (name, _) in members.all().filter(|(name, _)| !known.contains(name)) {
        unknown.insert(name);
    }
    for name in &unknown {
        fields.violation(alloc::string::ToString::to_string(name), Rule::NotKnown);
    }
}
