//! What the outside world does for the core. Only [`crate::flow`] calls these traits; `edge-worker`
//! implements them over D1, KV and `fetch`, `testing` in memory.
//!
//! Everything runs on one thread, so nothing here is `Send`.

mod alerts;
mod approvals;
mod attachments;
mod attention;
mod bookkeeping;
mod cards;
mod counters;
mod customers;
mod decisions;
mod deliveries;
mod desk_factors;
mod desk_sessions;
mod desk_trips;
mod doorbells;
mod due;
mod erasures;
mod error;
mod faces;
mod holds;
mod ladders;
mod lanes;
mod limits;
mod log_page;
mod messages;
mod monitoring;
mod operators;
mod published;
mod receipts;
mod reconciliations;
mod registry;
mod scope;
mod sealing;
mod sign_on;
mod store;
mod templates;
mod timelines;
mod totals;
mod tries;
mod user_devices;
mod user_links;
mod users;

use alloc::string::String;
use alloc::vec::Vec;
use core::cell::RefCell;
use core::fmt;
use core::time::Duration;

use crate::gateway::decline::Unmapped;
use crate::gateway::exchange::{Incoming, Outgoing};
use crate::value::id::MerchantId;
use crate::value::sealed::{SealKeyId, Sealed};
use crate::value::slot::Slotted;
use crate::value::time::Timestamp;

pub use crate::installation::Installation;
pub use crate::record::attention::AttentionId;
pub use crate::webhook::delivery::DeliveryStatus;
pub use alerts::{Alert, AlertAudience, AlertGroup, Alerts, OperatorAlerts};
pub use approvals::{ApprovalSearch, Approvals, FirstApprovals};
pub use attachments::{Attachments, Files};
pub use attention::{AttentionLists, AttentionSearch, Closing, OpenMatters};
pub use bookkeeping::Bookkeeping;
pub use cards::{Awaited, CardDeletion, CardName, Cards};
pub use counters::{Counters, Limited, Payers};
pub use customers::{CustomerSearch, Customers, GivenConsent};
pub use decisions::Decisions;
pub use deliveries::{
    Deliveries, DeliverySearch, FullDelivery, LoggedDelivery, LoggedTry, Receivers, Released, Resend, Resent,
};
pub use desk_factors::DeskFactors;
pub use desk_sessions::DeskSessions;
pub use desk_trips::DeskTrips;
pub use doorbells::{Doorbell, Doorbells, LONGEST_WAIT, Queue, Ring};
pub use due::{Due, DueRow, GatewayFamily};
pub use erasures::{DeletedCards, Erasures};
pub use error::PortError;
pub use faces::{Directory, Ledger};
pub use holds::Holds;
pub use ladders::{Ladders, Pausing};
pub use lanes::{Lane, LaneVerdict, Lanes};
pub use limits::RunLimits;
pub use log_page::LogPage;
pub use messages::{ListedMessage, MessageNote, MessageSearch, Messages, SentMessage};
pub use monitoring::{AttemptCount, Measures, Monitoring, SweepTotals, Waiting, Window};
pub use operators::{Journal, NewOperator, OperatorEntry, Operators};
pub use published::{ImageEntry, Published, StoredImage};
pub use receipts::{Endings, Signer, StoredEnding};
pub use reconciliations::{Reconciliations, RecordedCharge, StepFindings, Unsettled};
pub use registry::{
    KeyEntry, KeyHolder, Keyring, MerchantEntry, NewDocument, NewKey, NewMerchant, NewSecrets, PageOrigins,
    Registry, StoredDocument, StoredVersion,
};
pub use scope::{Scope, Wait};
pub use sealing::{CardReplacement, CardSecret, MerchantSecrets, SealedCards, SealedSecrets};
pub use sign_on::{Cache, Signatures, SignedText};
pub use store::{CommitError, Flagged, Record, Store};
pub use templates::PaymentTemplates;
pub use timelines::Timelines;
pub use totals::DayTotals;
pub use tries::{ClaimedMessages, Finished, MessageClaim, NewestDelivery, Next, Try};
pub(crate) use user_devices::DEVICE_LIFE;
pub use user_devices::{KnownDevice, UserDevices};
pub use user_links::{LinkUse, UserLinks};
pub(crate) use users::PLACE_LIFE;
pub use users::{FoundUser, NewUser, TRY_PERIOD, TrySubject, UserChange, UserEntry, UserKey, Users};

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

/// A key that is derived from one of the installation's for one purpose. Its `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct DerivedKey {
    /// What names it; says nothing about the key.
    pub id: String,
    /// The key.
    pub bytes: [u8; 32],
}

impl fmt::Debug for DerivedKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DerivedKey({}, [redacted])", self.id)
    }
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

    /// The keys that open, the one that seals first.
    fn keys(&self) -> Vec<SealKeyId>;

    /// The keys for a purpose, one for each key of the installation, those for the same purpose always the same. The first
    /// is for what is made now; all are for what was made before.
    fn derived(&self, purpose: &str) -> Vec<DerivedKey>;
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

    /// As [`send`](Self::send), if only the head of the answer matters: of its body comes what arrives at once.
    ///
    /// # Errors
    /// As [`send`](Self::send).
    async fn notify(&self, request: Outgoing, limit: Duration) -> Result<Incoming, SendError> {
        self.send(request, limit).await
    }
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
    /// See [`Signatures`].
    type Signatures: Signatures;
    /// See [`Cache`].
    type Cache: Cache;
    /// See [`Directory`].
    type Directory: Directory;
    /// See [`Ledger`].
    type Ledger: Ledger;

    /// A payment was declined with a code that no table has. Called once for each such payment, after it was stored; the
    /// operator is notified, so that the code can be added.
    fn miss_decline_code(&self, unmapped: &Unmapped);

    /// Whether a sign-in that was right a short while ago was this one: name, password and stored hash together. A world
    /// without such a memory checks the hash each time.
    fn recalls_sign_in(&self, mark: &[u8]) -> bool;

    /// Remembers for a short while that a sign-in was right.
    fn remember_sign_in(&self, mark: &[u8]);

    /// By how many minutes clocks in a time zone, which the IANA database names so, are ahead of UTC at a moment; `None` if
    /// there is no such zone. The platform knows the zones, and learns of changed laws without a new build.
    fn minutes_ahead(&self, zone: &str, at: Timestamp) -> Option<i16>;

    /// A limit refused a request. The operator is notified.
    fn limited(&self, limited: &Limited<'_>);

    /// How much one run does.
    fn run_limits(&self) -> RunLimits;

    /// Whether queues carry doorbells. Without them the cron handler does what is due itself.
    fn has_queues(&self) -> bool;

    /// Rings doorbells.
    ///
    /// # Errors
    /// If the queue fails; some may have been rung nevertheless.
    async fn ring(&self, rings: &[Ring]) -> Result<(), PortError>;

    /// What is remembered of receivers from one run to the next, if this world has a memory.
    fn lanes(&self) -> Option<&RefCell<Lanes>>;

    /// To whom the installation's own alerts go; `None` if to nobody.
    fn operator_alerts(&self) -> Option<&OperatorAlerts>;

    /// Has messages delivered at once that became due with what was stored, in the background. It may fail: the cron handler
    /// finds their rows.
    fn post(&self, rings: Vec<Ring>);
    /// What is known of the request since it came.
    fn scope(&self) -> Scope;
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
    /// Signatures of providers of single sign-on.
    fn signatures(&self) -> &Self::Signatures;
    /// What was fetched from them.
    fn cache(&self) -> &Self::Cache;
    /// What is known of merchants and of those who act for them.
    fn directory(&self) -> &Self::Directory;
    /// The ledger of the slot that a name is in. What is of no one slot (what is due, totals, clean-up) is asked of that of
    /// [`Slot::FIRST`](crate::value::slot::Slot::FIRST): all slots are in one database.
    fn ledger(&self, of: &(impl Slotted + ?Sized)) -> &Self::Ledger;
}
