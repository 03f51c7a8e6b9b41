//! Who is calling, and what the caller may do: the `Authorization` header becomes a credential ([`header`]),
//! a key ([`mod@key`]) becomes a [`Caller`], and every operation asks [`may`].

pub mod header;
pub mod key;

use alloc::rc::Rc;
use alloc::vec::Vec;

use crate::operation::command::Command;
use crate::rejection::Rejection;
use crate::settings::MerchantSettings;
use crate::value::id::{MerchantId, PgCode};
use crate::words::Plugin;
use key::KeyKind;

/// A caller who is known, with the settings of the merchant.
#[derive(Debug, Clone)]
pub struct Caller {
    /// Who it is.
    pub principal: Principal,
    /// The settings of the merchant.
    pub settings: Rc<MerchantSettings>,
}

/// Who is calling.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Principal {
    /// A merchant's server or browser code, by key.
    Key {
        /// The merchant of the key.
        merchant: MerchantId,
        /// Private or public.
        kind: KeyKind,
    },
    /// A person or a service of the merchant, who may do what they were permitted.
    User {
        /// The merchant of the user.
        merchant: MerchantId,
        /// What the user may do.
        permissions: Vec<Permission>,
    },
}

impl Principal {
    /// The merchant for whom the caller acts.
    #[must_use]
    pub fn merchant(&self) -> &MerchantId {
        match self {
            Self::Key { merchant, .. } | Self::User { merchant, .. } => merchant,
        }
    }
}

/// What a user may do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Permission {
    /// Create payment transactions of a plugin.
    Add(Plugin),
    /// Update them.
    Change(Plugin),
    /// Retrieve them; users who may create or update may do that too.
    View(Plugin),
    /// Use a gateway.
    UseGateway(PgCode),
    /// Do this to payments (`payment.refund` and its like).
    Operate(Command),
    /// Inquire about payments (`payment.inquiry`).
    Inquire,
}

/// What someone wants to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action<'a> {
    /// Create payment transactions at all: checked before a body is read.
    Create,
    /// Create one of this plugin, with these gateways.
    CreateWith(Plugin, &'a [PgCode]),
    /// Retrieve payment transactions at all.
    Retrieve,
    /// Retrieve one of this plugin.
    RetrieveOf(Plugin),
    /// Update payment transactions at all.
    Update,
    /// Update one of this plugin.
    UpdateWith(Plugin, Codes<'a>),
    /// List payment transactions.
    List,
    /// List and delete saved cards, and charge them: for keys only.
    Cards,
    /// Pay a transaction by device wallet.
    PayByWallet,
    /// Acknowledge that a transaction is paid in cash.
    PayInCash,
    /// List the merchant's payment methods.
    ListMethods,
    /// Use a gateway.
    UseGateway(&'a PgCode),
    /// Do anything to payments at all: checked before a body is read.
    OperateAtAll,
    /// Do this to a payment.
    Operate(Command),
    /// Inquire about a payment.
    Inquire,
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

/// Whether `principal` may do `action`. A private key may do everything; a public key is in browsers and apps
/// and may only pass on what a wallet provided there; a user may do what they were permitted.
///
/// # Errors
/// [`Rejection::PrivateKeyRequired`] for a public key, [`Rejection::PermissionMissing`] for a user.
pub fn may(principal: &Principal, action: Action<'_>) -> Result<(), Rejection> {
    match principal {
        Principal::Key { kind: KeyKind::Private, .. } => Ok(()),
        Principal::Key { kind: KeyKind::Public, .. } if action == Action::PayByWallet => Ok(()),
        Principal::Key { kind: KeyKind::Public, .. } => Err(Rejection::PrivateKeyRequired),
        Principal::User { permissions, .. } if is_permitted(permissions, action) => Ok(()),
        Principal::User { .. } => Err(Rejection::PermissionMissing),
    }
}

fn is_permitted(permissions: &[Permission], action: Action<'_>) -> bool {
    let has = |permission: &Permission| permissions.contains(permission);
    let may_use = |codes: &[PgCode]| codes.iter().all(|code| has(&Permission::UseGateway(code.clone())));
    let may_see = |plugin| {
        [Permission::View(plugin), Permission::Add(plugin), Permission::Change(plugin)].iter().any(has)
    };
    let mut plugins = Plugin::ALL.into_iter();
    match action {
        Action::Create | Action::PayByWallet | Action::PayInCash => {
            plugins.any(|plugin| has(&Permission::Add(plugin)))
        }
        Action::CreateWith(plugin, codes) => has(&Permission::Add(plugin)) && may_use(codes),
        Action::Update => plugins.any(|plugin| has(&Permission::Change(plugin))),
        Action::UpdateWith(plugin, codes) => has(&Permission::Change(plugin)) && may_update(codes, may_use),
        Action::Retrieve | Action::ListMethods => plugins.any(may_see),
        Action::RetrieveOf(plugin) => may_see(plugin),
        // A page of the listing is not filtered by permission, so that its cursors stay stable.
        Action::List => plugins.all(may_see),
        Action::OperateAtAll => permissions.iter().any(|given| matches!(given, Permission::Operate(_))),
        Action::Operate(command) => has(&Permission::Operate(command)),
        Action::Cards => false,
        Action::Inquire => has(&Permission::Inquire),
        Action::UseGateway(code) => has(&Permission::UseGateway(code.clone())),
    }
}

/// To replace a transaction, the caller must be permitted to use the gateways that it has; to change some of
/// it, only those that it gets.
fn may_update(codes: Codes<'_>, may_use: impl Fn(&[PgCode]) -> bool) -> bool {
    if codes.is_replaced {
        return may_use(codes.stored) && may_use(codes.given);
    }
    codes.given == codes.stored || may_use(codes.given)
}

#[cfg(test)]
mod tests;
