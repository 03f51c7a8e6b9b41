//! What the outside world does for the core. Only [`crate::flow`] calls these traits; `edge-worker`
//! implements them over D1, KV and `fetch`, `testing` in memory.
//!
//! Everything runs on one thread, so nothing here is `Send`.

mod bookkeeping;
mod cards;
mod due;
mod enclosures;
mod receipts;
mod reconciliations;
mod registry;

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::time::Duration;

use crate::attempt::Attempt;
use crate::change::Change;
use crate::gateway::exchange::{Incoming, Outgoing};
use crate::payment::chase::Urgency;
use crate::record::attention::Attention;
use crate::record::idempotency::StoredAnswer;
use crate::record::outbox::Delivery;
use crate::transaction::Transaction;
use crate::transaction::listing::{Listed, Listing};
use crate::value::id::{DeliveryId, MerchantId, PgCode, ReferenceNumber, SessionId};
use crate::value::sealed::Sealed;
use crate::value::time::Timestamp;

pub use crate::installation::Installation;
pub use crate::record::attention::AttentionId;
pub use crate::webhook::delivery::DeliveryStatus;
pub use bookkeeping::Bookkeeping;
pub use cards::{CardDeletion, CardName, Cards};
pub use due::{Due, Turn};
pub use enclosures::{Enclosures, Files};
pub use receipts::{Endings, Signer};
pub use reconciliations::{Found, Reconciliations};
pub use registry::{KeyEntry, Keyring, NewKey, NewMerchant, Registry};

/// A part of the outside world did not do what it should. The detail is for the operator's log and is never
/// sent to a client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PortError {
    /// Which port.
    pub port: &'static str,
    /// The error that it reported.
    pub detail: String,
}

impl fmt::Display for PortError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.port, self.detail)
    }
}

/// The time. A flow reads it once and passes it on.
pub trait Clock {
    /// Now.
    fn now(&self) -> Timestamp;
}

/// Random numbers of cryptographic strength.
pub trait Rng {
    /// Fills `bytes`.
    ///
    /// # Errors
    /// If the platform has no random numbers; the operation must not continue.
    fn fill(&self, bytes: &mut [u8]) -> Result<(), PortError>;
}

/// Seals secrets for storage and opens them for one use.
pub trait Vault {
    /// Seals a secret for one merchant.
    ///
    /// # Errors
    /// If the installation's key cannot be used.
    fn seal(&self, merchant: &MerchantId, secret: &str) -> Result<Sealed, PortError>;

    /// Opens what [`seal`](Self::seal) made for the same merchant.
    ///
    /// # Errors
    /// If it was sealed for another merchant, with another key, or changed.
    fn open(&self, merchant: &MerchantId, sealed: &Sealed) -> Result<String, PortError>;
}

/// A request could not be answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SendError {
    /// It certainly was not sent; it may be sent again.
    NotSent,
    /// It may have arrived: the time ran out, or the connection broke.
    Unknown,
}

/// Sends requests to gateways and receivers.
pub trait Http {
    /// Sends a request and reads the whole answer within `limit`. Redirects are not followed; bodies are
    /// limited in size.
    ///
    /// # Errors
    /// [`SendError::NotSent`] only if nothing can have been sent.
    async fn send(&self, request: Outgoing, limit: Duration) -> Result<Incoming, SendError>;
}

/// A transaction with one of its attempts.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// The transaction.
    pub transaction: Transaction,
    /// The attempt that was requested, or the latest; `None` before the first.
    pub attempt: Option<Attempt>,
}

/// Why a change was not stored. Nothing of it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CommitError {
    /// The transaction changed since it was loaded, or another attempt is open: load it again.
    Conflict,
    /// The idempotency key or the tracking key is taken: repeat its answer.
    KeyTaken,
    /// The store failed; the change may have been stored nevertheless.
    Failed(PortError),
}

/// How a try to deliver a notification ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Try {
    /// When.
    pub at: Timestamp,
    /// The receiver's status; `None` if it did not answer.
    pub status: Option<u16>,
    /// How long it took, in milliseconds.
    pub took_ms: i64,
    /// What happens with the delivery next.
    pub next: Next,
}

/// What happens with a delivery after a try.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// The receiver accepted it.
    Delivered,
    /// It is tried again at this time.
    Again(Timestamp),
    /// It is given up.
    GivenUp,
}

/// A delivery that was claimed: nobody else sends it until the lease is over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// What to send.
    pub delivery: Delivery,
    /// How many tries failed before.
    pub failed_tries: u32,
}

/// Transactions, their attempts, notifications and stored answers.
pub trait Store {
    /// A transaction with its latest attempt; `None` if there is none, or it was deleted.
    ///
    /// # Errors
    /// If the store fails or contains a row that cannot be read.
    async fn load(&self, session_id: &SessionId) -> Result<Option<Record>, PortError>;

    /// A page of a merchant's transactions that were not deleted, newest first.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    async fn list(&self, listing: &Listing) -> Result<Vec<Listed>, PortError>;

    /// An attempt with its transaction, even one that was deleted.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    async fn load_attempt(&self, reference: &ReferenceNumber) -> Result<Option<Record>, PortError>;

    /// Every attempt of a transaction, in order.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    async fn attempts(&self, session_id: &SessionId) -> Result<Vec<Attempt>, PortError>;

    /// When an attempt of a transaction was opened, by its number.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    async fn opened_at(&self, session_id: &SessionId, number: i64) -> Result<Option<Timestamp>, PortError>;

    /// When, after `since`, the gateways were asked for a merchant whose inquiries are counted.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    async fn inquired_at(
        &self,
        session_id: &SessionId,
        since: Timestamp,
    ) -> Result<Vec<Timestamp>, PortError>;

    /// How many counted inquiries a merchant made after `since`, about any transaction.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    async fn inquiries_of(&self, merchant: &MerchantId, since: Timestamp) -> Result<usize, PortError>;

    /// Stores a change, completely or not at all, if no other change of the transaction came first.
    ///
    /// # Errors
    /// See [`CommitError`].
    async fn commit(&self, change: &Change) -> Result<(), CommitError>;

    /// Shows a deleted transaction again; whether there was one.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    async fn restore(&self, session_id: &SessionId, at: Timestamp) -> Result<bool, PortError>;

    /// The answer stored under an idempotency key.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    async fn answer(
        &self,
        merchant: &MerchantId,
        operation: &'static str,
        key: &str,
    ) -> Result<Option<StoredAnswer>, PortError>;

    /// Deletes answers stored before `before`, at most `limit` of them.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    async fn forget_answers(&self, before: Timestamp, limit: u32) -> Result<(), PortError>;

    /// The codes of the gateways that took or held the money of a merchant's transactions with this
    /// `customer_id`, each once, in alphabetical order. Cash on delivery is not among them: that money was
    /// not seen here.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    async fn paid_codes(&self, merchant: &MerchantId, customer_id: &str) -> Result<Vec<PgCode>, PortError>;

    /// Payable transactions whose time is over and that have no open attempt. Those of one merchant come in
    /// no particular order: one that cannot be ended must not come before the others again and again.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    async fn due_expiries(&self, due: Due<'_>) -> Result<Vec<Turn<SessionId>>, PortError>;

    /// Attempts of one urgency whose gateway is to be asked now: in turns of the merchants and their
    /// gateways, the longest due first.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    async fn due_inquiries(
        &self,
        due: Due<'_>,
        urgency: Urgency,
    ) -> Result<Vec<Turn<ReferenceNumber>>, PortError>;

    /// Postpones the inquiry about an attempt that is due and could not be made, so that it does not come
    /// before others again and again.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    async fn postpone_inquiry(&self, reference: &ReferenceNumber, until: Timestamp) -> Result<(), PortError>;

    /// Undelivered notifications that are due and not claimed: in turns of the merchants and their receivers,
    /// those that were not tried before first.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    async fn due_deliveries(&self, due: Due<'_>) -> Result<Vec<Turn<DeliveryId>>, PortError>;

    /// How many statements this store has run since it was made. A platform limits them for each request and
    /// each run.
    fn statements(&self) -> u32;

    /// Claims an undelivered notification until `lease_until`; `None` if it is delivered, given up, not yet
    /// due again in the time of its merchant, or claimed by someone else. `now` and the lease are in real
    /// time.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    async fn claim(
        &self,
        id: &DeliveryId,
        now: Timestamp,
        lease_until: Timestamp,
    ) -> Result<Option<Claim>, PortError>;

    /// Records how a claimed delivery ended, with an entry of the attention list if it was given up.
    ///
    /// # Errors
    /// As [`load`](Self::load). The delivery is then tried again when its lease is over.
    async fn finish_try(
        &self,
        id: &DeliveryId,
        done: &Try,
        attention: Option<&Attention>,
    ) -> Result<(), PortError>;

    /// The state of the newest notification about an attempt that was caused by its outcome; `None` if there
    /// is none. One that the merchant asked for does not count: it decides nothing for the payer.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    async fn newest_delivery(
        &self,
        reference: &ReferenceNumber,
    ) -> Result<Option<(DeliveryId, DeliveryStatus)>, PortError>;

    /// The open entries of the attention list, oldest first, at most `limit`.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    async fn attention(&self, limit: u32) -> Result<Vec<(AttentionId, Attention)>, PortError>;

    /// Whether an entry is open; `None` if there is none.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    async fn is_attention_open(&self, id: &AttentionId) -> Result<Option<bool>, PortError>;

    /// Closes an entry; whether it was open.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    async fn close_attention(
        &self,
        id: &AttentionId,
        how: &'static str,
        at: Timestamp,
    ) -> Result<bool, PortError>;
}

/// All ports of one request.
pub trait World {
    /// See [`Clock`].
    type Clock: Clock;
    /// See [`Rng`].
    type Rng: Rng;
    /// See [`Vault`].
    type Vault: Vault;
    /// See [`Signer`].
    type Signer: Signer;
    /// See [`Http`].
    type Http: Http;
    /// See [`Files`].
    type Files: Files;
    /// See [`Store`], [`Keyring`], [`Registry`], [`Enclosures`], [`Bookkeeping`], [`Cards`], [`Endings`] and
    /// [`Reconciliations`].
    type Store: Store + Keyring + Registry + Enclosures + Bookkeeping + Cards + Endings + Reconciliations;

    /// Until when a payer's browser waits for the answer; `None` if none waits.
    fn awaited_until(&self) -> Option<Timestamp> {
        None
    }

    /// The installation.
    fn installation(&self) -> &Installation;
    /// The secret by which the operator of the installation is known.
    fn operator_token(&self) -> &str;
    /// The time.
    fn clock(&self) -> &Self::Clock;
    /// Random numbers.
    fn rng(&self) -> &Self::Rng;
    /// Secrets.
    fn vault(&self) -> &Self::Vault;
    /// The key of receipts.
    fn signer(&self) -> &Self::Signer;
    /// Outgoing requests.
    fn http(&self) -> &Self::Http;
    /// Files of merchants.
    fn files(&self) -> &Self::Files;
    /// What is stored.
    fn store(&self) -> &Self::Store;
}
