//! Who gives a merchant's users and keys their permissions.

use super::key::KeyKind;
use super::operator::Operator;
use super::permission::{Permission, Permissions};
use super::{Caller, Rights};
use crate::record::audit::Actor;
use crate::rejection::Rejection;

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
    pub(crate) fn actor(self) -> Actor {
        match self {
            Self::Operator(operator) => operator.actor(),
            Self::Merchant(caller) => caller.actor(),
        }
    }

    /// The name of the endpoint: operators and merchants have endpoints of their own.
    pub(crate) fn endpoint(self, of_operator: &'static str, own: &'static str) -> &'static str {
        match self {
            Self::Operator(_) => of_operator,
            Self::Merchant(_) => own,
        }
    }

    /// Whether everything can be given.
    pub(crate) fn is_unlimited(self) -> bool {
        match self {
            Self::Operator(_) => true,
            Self::Merchant(caller) => match &caller.rights {
                Rights::Key(kind, scope) => *kind == KeyKind::Private && scope.is_none(),
                Rights::User(user) => user.is_superuser,
            },
        }
    }

    /// Whether a key without a scope can be made. A user makes no such private key: it has permissions that no user can
    /// have.
    pub(crate) fn gives_all_of(self, kind: KeyKind) -> bool {
        let is_user = matches!(self, Self::Merchant(caller) if caller.user().is_some());
        self.is_unlimited() && !(is_user && kind == KeyKind::Private)
    }

    pub(crate) fn has(self, permission: &Permission) -> bool {
        let own = match self {
            Self::Operator(_) => return true,
            Self::Merchant(caller) => match &caller.rights {
                Rights::Key(_, scope) => scope.as_ref(),
                Rights::User(_) if permission.is_for_keys() => return false,
                Rights::User(user) => Some(&user.permissions),
            },
        };
        self.is_unlimited() || own.is_some_and(|own| own.has(permission))
    }

    /// Whether someone may be changed who has these permissions; `None` is everything.
    ///
    /// # Errors
    /// [`Rejection::PermissionMissing`] if they are more than one's own.
    pub(crate) fn may_change(self, permissions: Option<&Permissions>) -> Result<(), Rejection> {
        let is_covered = permissions.is_some_and(|given| given.iter().all(|one| self.has(one)));
        if self.is_unlimited() || is_covered { Ok(()) } else { Err(Rejection::PermissionMissing) }
    }
}
