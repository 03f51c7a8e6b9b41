//! The log of deliveries, sending them again, and the life of receivers.

use alloc::string::String;
use alloc::vec::Vec;

use super::{LogPage, PortError};
use crate::record::audit::Entry;
use crate::record::outbox::{DeliveryState, MessageKind, Which};
use crate::record::receiver::{Receiver, TryError};
use crate::value::id::{DeliveryId, MerchantId, ReferenceNumber, SessionId};
use crate::value::slot::{Slot, Slotted};
use crate::value::time::Timestamp;

/// Which deliveries are looked for, the newest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliverySearch {
    /// Of whom, of which period, and how many.
    pub page: LogPage,
    /// Only in this state.
    pub state: Option<DeliveryState>,
    /// Only of this kind.
    pub kind: Option<MessageKind>,
    /// Only to this receiver, by its scheme and host.
    pub receiver: Option<String>,
}

impl Slotted for DeliverySearch {
    fn slot(&self) -> Slot {
        self.page.merchant.slot()
    }
}

/// A delivery, as the log has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedDelivery {
    /// Its id, which every try sends.
    pub id: DeliveryId,
    /// The transaction that it is about, if it is about one.
    pub session_id: Option<SessionId>,
    /// The reference number that it names.
    pub reference: ReferenceNumber,
    /// What it is.
    pub kind: MessageKind,
    /// Where it goes.
    pub url: String,
    /// Its state.
    pub state: DeliveryState,
    /// When it was caused.
    pub created_at: Timestamp,
    /// When it is tried next, if it is due.
    pub due_at: Timestamp,
    /// How many tries failed since it was caused or sent again.
    pub failed_tries: u32,
    /// The last status; `None` if there was none.
    pub last_status: Option<u16>,
    /// When a person last had it sent again.
    pub resent_at: Option<Timestamp>,
}

/// A try, as the log has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedTry {
    /// Counted from 1.
    pub number: u32,
    /// When.
    pub at: Timestamp,
    /// The status that was answered.
    pub status: Option<u16>,
    /// Why there is none; not known of tries before there was a log.
    pub error: Option<TryError>,
    /// How long it took, in milliseconds.
    pub took_ms: i64,
    /// The beginning of the answer.
    pub excerpt: Option<String>,
}

/// A delivery with everything that the log has of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FullDelivery {
    /// Its row.
    pub row: LoggedDelivery,
    /// What every try sends; `None` once that was erased.
    pub body: Option<String>,
    /// Every try, in order.
    pub tries: Vec<LoggedTry>,
}

/// A request to send again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resend {
    /// The merchant.
    pub merchant: MerchantId,
    /// What.
    pub which: Which,
    /// Now, in the merchant's time.
    pub now: Timestamp,
    /// At most so many.
    pub limit: u32,
}

impl Slotted for Resend {
    fn slot(&self) -> Slot {
        self.merchant.slot()
    }
}

/// What was sent again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resent {
    /// What is due now.
    pub due: Vec<DeliveryId>,
    /// How many are held, because their receiver is disabled.
    pub held: u32,
}

/// What was held for a receiver that is enabled again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Released {
    /// How many that were.
    pub count: u32,
    /// What is due now: the oldest of them.
    pub due: Vec<DeliveryId>,
}

/// The log of deliveries.
pub trait Deliveries {
    /// A page of the log.
    ///
    /// # Errors
    /// If the store fails or contains a row that cannot be read.
    async fn find_deliveries(&self, search: &DeliverySearch) -> Result<Vec<LoggedDelivery>, PortError>;

    /// One delivery of a merchant with its tries, in order; `None` if the merchant has none with this id.
    ///
    /// # Errors
    /// As [`find_deliveries`](Self::find_deliveries).
    async fn logged_delivery(
        &self,
        merchant: &MerchantId,
        id: &DeliveryId,
    ) -> Result<Option<FullDelivery>, PortError>;

    /// Makes deliveries due again, except those whose transaction was erased. The entry is recorded before.
    ///
    /// # Errors
    /// As [`find_deliveries`](Self::find_deliveries).
    async fn resend(&self, resend: &Resend, entry: &Entry) -> Result<Resent, PortError>;
}

/// The receivers of webhooks that fail or are disabled.
pub trait Receivers {
    /// The receivers of a merchant that fail or are disabled, by address, at most `limit`.
    ///
    /// # Errors
    /// If the store fails or contains a row that cannot be read.
    async fn receivers(&self, merchant: &MerchantId, limit: u32) -> Result<Vec<Receiver>, PortError>;

    /// How many receivers of a merchant fail or are disabled, at most one more than `most`.
    ///
    /// # Errors
    /// As [`receivers`](Self::receivers).
    async fn count_receivers(&self, merchant: &MerchantId, most: u32) -> Result<u32, PortError>;

    /// Enables a receiver again, and makes due what was held for it. `None` if it is not disabled.
    /// The entry is recorded with it. `now` is in the merchant's time.
    ///
    /// # Errors
    /// As [`receivers`](Self::receivers).
    async fn enable_receiver(
        &self,
        merchant: &MerchantId,
        address: &str,
        now: Timestamp,
        entry: &Entry,
    ) -> Result<Option<Released>, PortError>;
}
