//! What a connector needs to act for a merchant: declared by the connector, checked with the settings, stored with
//! its secrets sealed, opened for one exchange.

use alloc::collections::BTreeMap;
use alloc::string::String;
use core::fmt;

use crate::value::sealed::Sealed;
use crate::value::shape::TextShape;

/// One member of the `credentials` of a gateway in a settings document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CredentialField {
    /// Its name.
    pub name: &'static str,
    /// What it is, for those who write a document.
    pub about: &'static str,
    /// Whether the connector works without it.
    pub is_required: bool,
    /// Whether it is sealed when it is stored, and never shown.
    pub is_secret: bool,
    /// What it may be.
    pub shape: TextShape,
}

impl CredentialField {
    /// A secret that is required.
    #[must_use]
    pub const fn secret(name: &'static str, about: &'static str, shape: TextShape) -> Self {
        Self { name, about, is_required: true, is_secret: true, shape }
    }

    /// An identifier that is required, and shown.
    #[must_use]
    pub const fn public(name: &'static str, about: &'static str, shape: TextShape) -> Self {
        Self { name, about, is_required: true, is_secret: false, shape }
    }

    /// The same, and the connector works without it.
    #[must_use]
    pub(crate) const fn optional(self) -> Self {
        Self { is_required: false, ..self }
    }
}

/// A credential as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoredCredential {
    /// An identifier.
    Public(String),
    /// A secret.
    Secret(Sealed),
}

/// The credentials of a gateway as they are stored, by name.
pub type StoredCredentials = BTreeMap<&'static str, StoredCredential>;

/// What a connector needs to act for a merchant, opened for one exchange.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Credentials {
    /// The gateway's base address, without a trailing slash; `None` for the gateway's usual one.
    pub endpoint: Option<String>,
    /// Whether the gateway moves no money: its address for tests is the usual one.
    pub is_test: bool,
    /// The values by name.
    pub values: BTreeMap<&'static str, String>,
}

impl Credentials {
    /// A credential that is required: empty only if the stored settings are older than the requirement.
    #[must_use]
    pub fn get(&self, name: &str) -> &str {
        self.optional(name).unwrap_or_default()
    }

    /// A credential that may be left out.
    #[must_use]
    pub(crate) fn optional(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(String::as_str)
    }

    /// Why a key does not fit the environment, as far as it says for which of them it is: a live key moves real money in a
    /// test, and with a test key a payer gets goods for nothing.
    #[cfg(any(feature = "stripe", feature = "tabby", feature = "tap"))]
    pub(crate) const fn misplaced(&self, is_test_key: Option<bool>) -> Option<&'static str> {
        match (self.is_test, is_test_key) {
            (true, Some(false)) => Some("the key is one for real payments, and this gateway is for tests"),
            (false, Some(true)) => Some("the key is one for tests, and this gateway is for real payments"),
            (true, Some(true) | None) | (false, Some(false) | None) => None,
        }
    }
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Credentials")
            .field("endpoint", &self.endpoint)
            .field("is_test", &self.is_test)
            .field("values", &format_args!("[redacted; {}]", self.values.len()))
            .finish()
    }
}
