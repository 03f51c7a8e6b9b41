//! Merchants and their keys.

use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
use core::time::Duration;

use super::PortError;
use crate::access::Caller;
use crate::access::key::{ApiKey, KeyKind};
use crate::access::permission::Permissions;
use crate::settings::MerchantSettings;
use crate::value::id::{MerchantId, SessionId};
use crate::value::time::Timestamp;

/// To whom a key belongs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyHolder {
    /// The caller.
    pub caller: Caller,
    /// When the key was used last, as far as that was noted.
    pub used_at: Option<Timestamp>,
}

/// Who holds a key.
pub trait Keyring {
    /// The caller to whom a key belongs, with its merchant's settings, in one round trip; `None` if the key
    /// is unknown, revoked or expired.
    ///
    /// # Errors
    /// If the store fails.
    async fn caller(&self, key: &ApiKey, now: Timestamp) -> Result<Option<KeyHolder>, PortError>;

    /// The caller to whom the private key with this prefix belongs, with its merchant's settings, in one round trip, for who
    /// proved before to have the key; `None` if it is unknown, revoked or expired.
    ///
    /// # Errors
    /// If the store fails.
    async fn holder(
        &self,
        merchant: &MerchantId,
        prefix: &str,
        now: Timestamp,
    ) -> Result<Option<KeyHolder>, PortError>;

    /// Notes that a key was used.
    ///
    /// # Errors
    /// If the store fails.
    async fn note_use(&self, merchant: &MerchantId, prefix: &str, at: Timestamp) -> Result<(), PortError>;
}

/// A merchant to be made, with its first keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewMerchant {
    /// Its settings, version 1.
    pub settings: MerchantSettings,
    /// The document, with sealed credentials.
    pub document: String,
    /// Its keys.
    pub keys: Vec<NewKey>,
    /// When.
    pub at: Timestamp,
}

/// A key to be stored: never the key itself, only its hash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewKey {
    /// The merchant.
    pub merchant: MerchantId,
    /// Public or private.
    pub kind: KeyKind,
    /// The part by which it is found.
    pub prefix: String,
    /// SHA-256 of the key, hex.
    pub hash: String,
    /// The last four characters, for recognition.
    pub last4: String,
    /// What the operator calls it.
    pub name: Option<String>,
    /// What it may do; `None` for everything that a key of its kind may do.
    pub scope: Option<Permissions>,
    /// When it was made.
    pub at: Timestamp,
    /// From when it is no longer valid.
    pub expires_at: Option<Timestamp>,
}

/// What is shown about a stored key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyEntry {
    /// Public or private.
    pub kind: KeyKind,
    /// The part by which it is found.
    pub prefix: String,
    /// The last four characters.
    pub last4: String,
    /// What the operator calls it.
    pub name: Option<String>,
    /// What it may do; `None` for everything that a key of its kind may do.
    pub scope: Option<Permissions>,
    /// When it was made.
    pub created_at: Timestamp,
    /// From when it is no longer valid.
    pub expires_at: Option<Timestamp>,
    /// When it was revoked.
    pub revoked_at: Option<Timestamp>,
    /// When it was used last, exact to an hour.
    pub used_at: Option<Timestamp>,
}

/// The document of a merchant as it is stored, with sealed credentials.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredDocument {
    /// The document, as JSON text.
    pub text: String,
    /// Counts up with every change.
    pub version: i64,
}

/// Merchants, their settings and their keys.
pub trait Registry {
    /// The settings of a merchant.
    ///
    /// # Errors
    /// If the store fails or the document cannot be read.
    async fn settings(&self, merchant: &MerchantId) -> Result<Option<Rc<MerchantSettings>>, PortError>;

    /// The origins that the merchant of a transaction allows; none if there is no such transaction, or it was deleted.
    /// In one round trip, and without loading the transaction or the rest of the settings.
    ///
    /// # Errors
    /// If the store fails or the document cannot be read.
    async fn allowed_origins(&self, session_id: &SessionId) -> Result<Vec<String>, PortError>;

    /// The settings of the merchant whose single sign-on is this provider for one of these audiences; `None` if there is
    /// none, or several. They may be those of an earlier version: who relies on them compares them with what is read
    /// afterwards.
    ///
    /// # Errors
    /// If the store fails or the document cannot be read.
    async fn settings_of_provider(
        &self,
        issuer: &str,
        audiences: &[String],
    ) -> Result<Option<Rc<MerchantSettings>>, PortError>;

    /// The stored document of a merchant.
    ///
    /// # Errors
    /// If the store fails.
    async fn document(&self, merchant: &MerchantId) -> Result<Option<StoredDocument>, PortError>;

    /// Makes a merchant; whether the id was free.
    ///
    /// # Errors
    /// If the store fails.
    async fn add_merchant(&self, merchant: &NewMerchant) -> Result<bool, PortError>;

    /// Replaces the document if its version is still `version`; whether it was.
    ///
    /// # Errors
    /// If the store fails.
    async fn replace_document(
        &self,
        merchant: &MerchantId,
        version: i64,
        document: &str,
        at: Timestamp,
    ) -> Result<bool, PortError>;

    /// Moves a merchant's clock forward to `offset` from the real time if its settings still have this
    /// version, which then counts up; whether they had. What a simulated bank lets the merchant's attempts
    /// wait for moves with it, in the same batch.
    ///
    /// # Errors
    /// If the store fails.
    async fn move_clock(
        &self,
        settings: &MerchantSettings,
        offset: Duration,
        at: Timestamp,
    ) -> Result<bool, PortError>;

    /// Merchants whose clock was moved, at most `limit`, in no particular order: none must wait for the
    /// others forever.
    ///
    /// # Errors
    /// If the store fails.
    async fn moved_clocks(&self, limit: u32) -> Result<Vec<MerchantId>, PortError>;

    /// Adds a key.
    ///
    /// # Errors
    /// If the store fails.
    async fn add_key(&self, key: &NewKey) -> Result<(), PortError>;

    /// The keys of a merchant, newest first.
    ///
    /// # Errors
    /// If the store fails.
    async fn keys(&self, merchant: &MerchantId) -> Result<Vec<KeyEntry>, PortError>;

    /// Revokes a key permanently; whether there was one that was not revoked.
    ///
    /// # Errors
    /// If the store fails.
    async fn revoke_key(&self, merchant: &MerchantId, prefix: &str, at: Timestamp)
    -> Result<bool, PortError>;
}
