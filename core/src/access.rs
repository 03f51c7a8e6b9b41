//! Who is calling, and what he may do: the `Authorization` header becomes a credential ([`header`]), a key
//! ([`mod@key`]) becomes a [`Caller`], and every operation asks [`may`] (specification, Authentication).

pub mod header;
pub mod key;

use alloc::rc::Rc;

use crate::id::MerchantId;
use crate::rejection::Rejection;
use crate::settings::MerchantSettings;
use key::KeyKind;

/// Somebody who is known, with the settings of his merchant.
#[derive(Debug, Clone)]
pub struct Caller {
    /// Who he is.
    pub principal: Principal,
    /// The settings of his merchant.
    pub settings: Rc<MerchantSettings>,
}

/// Who is calling.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Principal {
    /// A merchant's server or browser code, by key.
    Key {
        /// Whose key.
        merchant: MerchantId,
        /// Private or public.
        kind: KeyKind,
    },
}

impl Principal {
    /// The merchant for whom he acts.
    #[must_use]
    pub fn merchant(&self) -> &MerchantId {
        match self {
            Self::Key { merchant, .. } => merchant,
        }
    }
}

/// What somebody wants to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Create a payment transaction.
    Create,
    /// Retrieve a payment transaction.
    Retrieve,
    /// Update a payment transaction.
    Update,
    /// List payment transactions.
    List,
    /// List the merchant's payment methods.
    ListMethods,
}

/// Whether `principal` may do `action`. A private key may do everything; a public key stands in browsers and apps
/// and does none of this.
///
/// # Errors
/// [`Rejection::PrivateKeyRequired`] for a public key.
pub fn may(principal: &Principal, action: Action) -> Result<(), Rejection> {
    match (principal, action) {
        (
            Principal::Key { kind: KeyKind::Private, .. },
            Action::Create | Action::Retrieve | Action::Update | Action::List | Action::ListMethods,
        ) => Ok(()),
        (
            Principal::Key { kind: KeyKind::Public, .. },
            Action::Create | Action::Retrieve | Action::Update | Action::List | Action::ListMethods,
        ) => Err(Rejection::PrivateKeyRequired),
    }
}
