//! Merchants and their keys.

use alloc::string::String;
use alloc::vec::Vec;
use core::time::Duration;

use super::PortError;
use crate::access::Caller;
use crate::access::key::{ApiKey, KeyKind};
use crate::access::permission::Permissions;
use crate::record::audit::{Actor, Entry};
use crate::settings::situation::Merchant;
use crate::settings::{MerchantSettings, WebhookSecrets};
use crate::value::id::{MerchantId, SessionId};
use crate::value::time::Timestamp;
use crate::words::Bilingual;

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
    /// is unknown, revoked or expired. A transaction that the request has `named` may be read with them, for who loads it next.
    ///
    /// # Errors
    /// If the store fails.
    async fn caller(
        &self,
        key: &ApiKey,
        now: Timestamp,
        named: Option<&SessionId>,
    ) -> Result<Option<KeyHolder>, PortError>;

    /// The caller to whom a key belongs, as this place remembers them, without asking the store; `None` if it does not, or
    /// the key is not the one. It may be so no longer: what is stored next is stored only if the key lives and the
    /// settings have their version, what is read next fails if not, and [`prove`](Self::prove) says so.
    fn recall(&self, key: &ApiKey, now: Timestamp) -> Option<KeyHolder>;

    /// Whether who was recalled is who they were; true if nobody was. Asked before anything leaves: an answer, or what is not
    /// stored in this store. Costs nothing if something was stored or read since.
    ///
    /// # Errors
    /// If the store fails.
    async fn prove(&self) -> Result<bool, PortError>;

    /// The caller to whom the private key with this prefix belongs, with its merchant's settings, in one round trip, for who
    /// proved before to have the key; `None` if it is unknown, revoked or expired. `named` as in [`caller`](Self::caller).
    ///
    /// # Errors
    /// If the store fails.
    async fn holder(
        &self,
        merchant: &MerchantId,
        prefix: &str,
        now: Timestamp,
        named: Option<&SessionId>,
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

/// A merchant in the list of all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MerchantEntry {
    /// Its id.
    pub id: MerchantId,
    /// Its name.
    pub name: Bilingual,
    /// Whether every gateway of it is simulated.
    pub is_test: bool,
    /// Whether it takes no payments for now.
    pub is_paused: bool,
    /// When it was made.
    pub created_at: Timestamp,
    /// Counts up with every change of the settings.
    pub version: i64,
}

/// The document of a merchant as it is stored, with sealed credentials.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredDocument {
    /// The document, as JSON text.
    pub text: String,
    /// Counts up with every change.
    pub version: i64,
}

/// A document that takes the place of another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewDocument<'a> {
    /// The merchant.
    pub merchant: &'a MerchantId,
    /// The version that is replaced.
    pub version: i64,
    /// The document, with sealed credentials.
    pub document: &'a str,
}

/// The secrets by which a merchant's webhooks are signed, when they change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewSecrets<'a> {
    /// The merchant.
    pub merchant: &'a MerchantId,
    /// The version of the merchant's settings that is changed.
    pub version: i64,
    /// All of them, as they are then.
    pub secrets: &'a WebhookSecrets,
}

/// A version of a merchant's document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredVersion {
    /// Its number.
    pub version: i64,
    /// Since when it counted.
    pub at: Timestamp,
    /// Who made it, and by which endpoint; `None` if that was not recorded.
    pub made: Option<(Actor, String)>,
}

/// Which pages may use a session.
pub trait PageOrigins {
    /// The origins that the merchant of a transaction allows; none if there is no such transaction, or it was deleted.
    /// In one round trip, and without loading the transaction or the rest of the settings.
    ///
    /// # Errors
    /// If the store fails or the document cannot be read.
    async fn allowed_origins(&self, session_id: &SessionId) -> Result<Vec<String>, PortError>;
}

/// Merchants, their settings and their keys.
pub trait Registry {
    /// A merchant.
    ///
    /// # Errors
    /// If the store fails or the document cannot be read.
    async fn merchant(&self, id: &MerchantId) -> Result<Option<Merchant>, PortError>;

    /// The merchants after one, in the order of their ids, at most `limit`.
    ///
    /// # Errors
    /// If the store fails or contains a row that cannot be read.
    async fn merchants(
        &self,
        after: Option<&MerchantId>,
        limit: u32,
    ) -> Result<Vec<MerchantEntry>, PortError>;

    /// The merchant whose single sign-on is this provider for one of these audiences; `None` if there is none, or several. The
    /// settings may be those of an earlier version: who relies on them compares them with what is read afterwards.
    ///
    /// # Errors
    /// If the store fails or the document cannot be read.
    async fn merchant_of_provider(
        &self,
        issuer: &str,
        audiences: &[String],
    ) -> Result<Option<Merchant>, PortError>;

    /// The stored document of a merchant.
    ///
    /// # Errors
    /// If the store fails.
    async fn document(&self, merchant: &MerchantId) -> Result<Option<StoredDocument>, PortError>;

    /// Versions of a merchant's document before `before`, the newest first, at most `limit`. A version that changed something
    /// other than the document is not among them.
    ///
    /// # Errors
    /// If the store fails.
    async fn versions(
        &self,
        merchant: &MerchantId,
        before: Option<i64>,
        limit: u32,
    ) -> Result<Vec<StoredVersion>, PortError>;

    /// The document of one version.
    ///
    /// # Errors
    /// If the store fails.
    async fn version(&self, merchant: &MerchantId, version: i64) -> Result<Option<String>, PortError>;

    /// Makes a merchant, with the entry of the audit; whether the id was free.
    ///
    /// # Errors
    /// If the store fails.
    async fn add_merchant(&self, merchant: &NewMerchant, entry: &Entry) -> Result<bool, PortError>;

    /// Replaces the document if its version is still the one that is replaced, with the entry of the audit; whether it was.
    ///
    /// # Errors
    /// If the store fails.
    async fn replace_document(&self, new: &NewDocument<'_>, entry: &Entry) -> Result<bool, PortError>;

    /// Replaces the secrets of webhooks if the settings still have this version, which then counts up, with the entry of the
    /// audit; whether they had.
    ///
    /// # Errors
    /// If the store fails.
    async fn replace_secrets(&self, new: &NewSecrets<'_>, entry: &Entry) -> Result<bool, PortError>;

    /// Moves a merchant's clock forward to `offset` from the real time if its settings still have this
    /// version, which then counts up; whether they had. What a simulated bank lets the merchant's attempts
    /// wait for moves with it, in the same batch, as does the entry of the audit.
    ///
    /// # Errors
    /// If the store fails.
    async fn move_clock(
        &self,
        settings: &MerchantSettings,
        offset: Duration,
        entry: &Entry,
    ) -> Result<bool, PortError>;

    /// Merchants whose clock was moved, at most `limit`, in no particular order: none must wait for the
    /// others forever.
    ///
    /// # Errors
    /// If the store fails.
    async fn moved_clocks(&self, limit: u32) -> Result<Vec<MerchantId>, PortError>;

    /// Adds a key, with the entry of the audit.
    ///
    /// # Errors
    /// If the store fails.
    async fn add_key(&self, key: &NewKey, entry: &Entry) -> Result<(), PortError>;

    /// The keys of a merchant, newest first.
    ///
    /// # Errors
    /// If the store fails.
    async fn keys(&self, merchant: &MerchantId) -> Result<Vec<KeyEntry>, PortError>;

    /// Revokes a key permanently, with the entry of the audit; whether there was one that was not revoked.
    ///
    /// # Errors
    /// If the store fails.
    async fn revoke_key(&self, merchant: &MerchantId, prefix: &str, entry: &Entry)
    -> Result<bool, PortError>;
}
