//! Who is calling, and what the caller may do: a request offers a credential ([`header`]), the credential is found to be
//! a [`Principal`]'s, and [`may`] decides whether that principal may do what the endpoint does.
//!
//! Tokens are read by [`jws`]; those of a provider of single sign-on are judged by its keys ([`jwk`]) and by what they say
//! ([`claims`]), our own by [`ours`].

pub mod claims;
pub mod fault;
pub mod flood;
pub mod granting;
pub mod grantor;
pub mod header;
pub mod jwk;
pub mod jws;
pub mod key;
pub mod operator;
pub mod ours;
pub mod password;
pub mod permission;
pub mod quota;
pub mod role;
pub mod user;

use alloc::rc::Rc;
use alloc::string::{String, ToString};

use crate::operation::command::Command;
use crate::record::audit::{Actor, ActorKind};
use crate::rejection::Rejection;
use crate::route::{Action, Needs};
use crate::settings::situation::Situation;
use crate::value::id::{MerchantId, PgCode};
use crate::words::Plugin;
use key::KeyKind;
use operator::Operator;
use permission::{Permission, Permissions};
use user::User;

/// Who is calling.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Principal {
    /// Someone who acts for a merchant.
    Merchant(Caller),
    /// An operator of the installation.
    Operator(Operator),
    /// Anyone who has the id of a payment transaction: its payer on the hosted page or in a checkout SDK. The id is in the
    /// address or the body, and the flow finds the transaction.
    Session,
    /// Anyone: nothing was asked.
    Anyone,
}

impl Principal {
    /// The caller who acts for a merchant.
    ///
    /// # Errors
    /// [`Rejection::CredentialsInvalid`] for everyone else.
    pub fn into_caller(self) -> Result<Caller, Rejection> {
        match self {
            Self::Merchant(caller) => Ok(caller),
            Self::Operator(_) | Self::Session | Self::Anyone => Err(Rejection::CredentialsInvalid),
        }
    }
}

/// Someone who acts for a merchant, and the situation in which the request finds the merchant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// By what the caller acts.
    pub rights: Rights,
    /// The prefix of the key by which the caller acts, if it is one.
    pub prefix: Option<String>,
    /// Whether a user gave a name and a password with the request: only they are named to receivers.
    pub is_basic: bool,
    /// The merchant, as the request finds it.
    pub situation: Situation,
}

impl Caller {
    /// The merchant for whom the caller acts.
    #[must_use]
    pub fn merchant(&self) -> &MerchantId {
        &self.situation.settings.merchant
    }

    /// The user that calls, if one does.
    #[must_use]
    pub fn user(&self) -> Option<&User> {
        match &self.rights {
            Rights::User(user) => Some(user),
            Rights::Key(..) => None,
        }
    }

    /// Whether the caller may list and delete the cards of every customer.
    pub(crate) fn manages_cards(&self) -> bool {
        may_at_all(&self.rights, Action::Cards).is_ok()
    }

    /// Whether the caller sees at the desk what identifies a payer.
    #[must_use]
    pub fn sees_personal_data(&self) -> bool {
        match &self.rights {
            Rights::Key(kind, _) => *kind == KeyKind::Private,
            Rights::User(user) => user.is_superuser || user.permissions.has(&Permission::SeePersonalData),
        }
    }

    /// As the audit names the caller.
    #[must_use]
    pub fn actor(&self) -> Actor {
        let (kind, id, name) = match &self.rights {
            Rights::Key(..) => (ActorKind::Key, self.prefix.clone().unwrap_or_default(), None),
            Rights::User(user) => (ActorKind::User, user.id.to_string(), Some(user.username.clone())),
        };
        Actor { kind, id, name, role: None }
    }

    /// Whether nothing that a request wants in particular is refused.
    pub(crate) fn may_anything(&self) -> bool {
        match &self.rights {
            Rights::Key(KeyKind::Private, None) => true,
            Rights::Key(..) => false,
            Rights::User(user) => user.is_superuser,
        }
    }

    /// Whether the caller may do what a request wants in particular.
    ///
    /// # Errors
    /// As [`may`].
    pub fn may(&self, particular: Particular<'_>) -> Result<(), Rejection> {
        match &self.rights {
            Rights::Key(KeyKind::Private, None) => Ok(()),
            Rights::Key(KeyKind::Public, scope) => match particular {
                Particular::Pay(_, code) if uses(scope.as_ref(), code) => Ok(()),
                Particular::Pay(..) => Err(Rejection::PermissionMissing),
                Particular::Create(..)
                | Particular::Retrieve(_)
                | Particular::UploadAhead
                | Particular::Update(..)
                | Particular::UseGateway(_)
                | Particular::Operate(_) => Err(Rejection::PrivateKeyRequired),
            },
            Rights::User(user) if user.is_superuser => Ok(()),
            Rights::Key(KeyKind::Private, Some(permissions)) => permitted(permits(permissions, particular)),
            Rights::User(user) => permitted(permits(&user.permissions, particular)),
        }
    }
}

fn permitted(is_permitted: bool) -> Result<(), Rejection> {
    if is_permitted { Ok(()) } else { Err(Rejection::PermissionMissing) }
}

/// Whether a public key is for a gateway: for each, or for those that its scope names.
fn uses(scope: Option<&Permissions>, code: &PgCode) -> bool {
    scope.is_none_or(|scope| scope.has(&Permission::UseGateway(code.clone())))
}

/// What someone who acts for a merchant may do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rights {
    /// What the merchant's server or browser code may do, by key; with a scope, only that part of it.
    Key(KeyKind, Option<Permissions>),
    /// What a person or a service of the merchant was permitted.
    User(Rc<User>),
}

/// What a request wants in particular, which is known only when its body was read, or what it names was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Particular<'a> {
    /// Create a payment transaction of this plugin, with these gateways.
    Create(Plugin, &'a [PgCode]),
    /// Retrieve one of this plugin.
    Retrieve(Plugin),
    /// Upload a file for transactions that do not exist yet.
    UploadAhead,
    /// Update one of this plugin.
    Update(Plugin, Codes<'a>),
    /// Use a gateway.
    UseGateway(&'a PgCode),
    /// Pay a transaction of this plugin through this gateway, by a device wallet or a saved card.
    Pay(Plugin, &'a PgCode),
    /// Do this to a payment.
    Operate(Command),
}

/// The gateways of an update.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Codes<'a> {
    /// Those that the transaction has.
    pub stored: &'a [PgCode],
    /// Those that it will have.
    pub given: &'a [PgCode],
    /// Whether the whole transaction is replaced.
    pub is_replaced: bool,
}

impl<'a> Codes<'a> {
    /// Those of an update of something else.
    #[must_use]
    pub(crate) const fn untouched(stored: &'a [PgCode]) -> Self {
        Self { stored, given: stored, is_replaced: false }
    }
}

/// Whether `principal` may do `action` at all, which is decided before the body of a request is judged.
///
/// A private key may do everything that is done for a merchant; a public key is in browsers and apps and may only pass
/// on what a wallet provided there; a user may do what they were permitted. The installation is its operators', each by
/// role. Everyone else is as good as unknown.
///
/// # Errors
/// [`Rejection::PrivateKeyRequired`] for a public key, [`Rejection::PermissionMissing`] for a user or an operator,
/// [`Rejection::CredentialsInvalid`] if the credential is for endpoints of another audience.
pub fn may(principal: &Principal, action: Action) -> Result<(), Rejection> {
    match (action.needs(), principal) {
        (Needs::Nothing, _) | (Needs::Session, Principal::Session) => Ok(()),
        (Needs::Operator(role), Principal::Operator(operator)) => permitted(operator.role >= role),
        (Needs::Merchant, Principal::Merchant(caller)) => may_at_all(&caller.rights, action),
        _ => Err(Rejection::CredentialsInvalid),
    }
}

fn may_at_all(rights: &Rights, action: Action) -> Result<(), Rejection> {
    match rights {
        Rights::Key(KeyKind::Private, _) if action == Action::Approve => Err(Rejection::UserRequired),
        Rights::Key(KeyKind::Private, None) => Ok(()),
        Rights::Key(KeyKind::Public, _) if action == Action::PayByWallet => Ok(()),
        Rights::Key(KeyKind::Public, _) => Err(Rejection::PrivateKeyRequired),
        Rights::Key(KeyKind::Private, Some(scope)) => permitted(permits_at_all(scope, action)),
        // The list of saved cards and cash are for servers, whatever the user may do.
        Rights::User(_) if matches!(action, Action::Cards | Action::PayInCash) => Err(Rejection::KeyRequired),
        Rights::User(user) => permitted(user.is_superuser || permits_at_all(&user.permissions, action)),
    }
}

fn may_see(permissions: &Permissions, plugin: Plugin) -> bool {
    let seeing = [Permission::View(plugin), Permission::Add(plugin), Permission::Change(plugin)];
    seeing.iter().any(|permission| permissions.has(permission))
}

fn permits_at_all(permissions: &Permissions, action: Action) -> bool {
    let has = |permission: Permission| permissions.has(&permission);
    let mut plugins = Plugin::ALL.into_iter();
    match action {
        Action::Create | Action::PayByWallet | Action::Debit => {
            plugins.any(|plugin| has(Permission::Add(plugin)))
        }
        Action::Update => plugins.any(|plugin| has(Permission::Change(plugin))),
        Action::Upload => {
            plugins.any(|plugin| has(Permission::Add(plugin)) || has(Permission::Change(plugin)))
        }
        Action::Retrieve => plugins.any(|plugin| may_see(permissions, plugin)),
        // The listing shows the gateways that the caller may use.
        Action::ListMethods => {
            let is_use = |given: &Permission| matches!(given, Permission::UseGateway(_));
            permissions.iter().any(is_use) || plugins.any(|plugin| may_see(permissions, plugin))
        }
        // A page of the listing is not filtered by permission, so that its cursors stay stable.
        Action::List => plugins.all(|plugin| may_see(permissions, plugin)),
        Action::Export => has(Permission::Export) && plugins.all(|plugin| may_see(permissions, plugin)),
        Action::Operate => permissions.iter().any(|given| matches!(given, Permission::Operate(_))),
        Action::ReadApprovals => {
            has(Permission::Approve)
                || permissions.iter().any(|given| matches!(given, Permission::Operate(_)))
        }
        Action::Approve => has(Permission::Approve),
        Action::Inquire => has(Permission::Inquire),
        Action::Cards => has(Permission::ManageCards),
        Action::PayInCash => has(Permission::AcknowledgeCash),
        Action::ManageAccess => has(Permission::ManageAccess),
        // For the first of these no permission is enough.
        Action::ManageMerchant
        | Action::UseSession
        | Action::ReadInstallation
        | Action::Support
        | Action::Administer => false,
        Action::Anything => true,
    }
}

fn permits(permissions: &Permissions, particular: Particular<'_>) -> bool {
    let has = |permission: Permission| permissions.has(&permission);
    let may_use = |codes: &[PgCode]| codes.iter().all(|code| has(Permission::UseGateway(code.clone())));
    match particular {
        Particular::Create(plugin, codes) => has(Permission::Add(plugin)) && may_use(codes),
        Particular::Update(plugin, codes) => has(Permission::Change(plugin)) && may_update(codes, may_use),
        Particular::Retrieve(plugin) => may_see(permissions, plugin),
        Particular::UploadAhead => Plugin::ALL.into_iter().any(|plugin| has(Permission::Add(plugin))),
        Particular::Pay(plugin, code) => {
            has(Permission::Add(plugin)) && has(Permission::UseGateway(code.clone()))
        }
        Particular::Operate(command) => has(Permission::Operate(command)),
        Particular::UseGateway(code) => has(Permission::UseGateway(code.clone())),
    }
}

/// To replace a transaction, or to change its gateways, the caller must be permitted to use those that it has and those that
/// it gets: taking one away decides how the payer pays as much as adding one.
fn may_update(codes: Codes<'_>, may_use: impl Fn(&[PgCode]) -> bool) -> bool {
    let is_changed = codes.is_replaced || codes.given != codes.stored;
    !is_changed || (may_use(codes.stored) && may_use(codes.given))
}

#[cfg(test)]
mod tests;
