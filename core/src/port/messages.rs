//! What became of messages to payers.

use alloc::string::String;
use alloc::vec::Vec;

use super::{LogPage, PortError};
use crate::messenger::MessageReport;
use crate::messenger::provider::Provider;
use crate::value::id::{DeliveryId, MerchantId, ReferenceNumber, SessionId};
use crate::value::slot::{Slot, Slotted};
use crate::value::time::Timestamp;
use crate::words::message::{Channel, Fate, MessageState};

/// What is known of one message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MessageNote {
    /// The message.
    pub id: DeliveryId,
    /// Who carries it.
    pub provider: Provider,
    /// The provider's id of it.
    pub provider_id: Option<String>,
    /// What became of it.
    pub fate: Fate,
    /// What the provider says about it, or why it was not sent.
    pub detail: Option<String>,
    /// Since when.
    pub at: Timestamp,
}

impl Slotted for MessageNote {
    fn slot(&self) -> Slot {
        self.id.slot()
    }
}

/// A message to a payer, and what became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentMessage {
    /// Its id.
    pub id: DeliveryId,
    /// How it goes.
    pub channel: Channel,
    /// What there is to say; empty once it was erased.
    pub body: String,
    /// What is known of it; `None` before the first try.
    pub note: Option<MessageNote>,
}

/// Which messages of a merchant are looked for, the newest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MessageSearch {
    /// Of whom, of which period, and how many.
    pub page: LogPage,
    /// Only by this channel.
    pub channel: Option<Channel>,
    /// Only those in this state.
    pub state: Option<MessageState>,
}

impl Slotted for MessageSearch {
    fn slot(&self) -> Slot {
        self.page.merchant.slot()
    }
}

/// A message of a merchant, as its list has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedMessage {
    /// The message, and what is known of it.
    pub sent: SentMessage,
    /// The transaction that it is about.
    pub session_id: SessionId,
    /// The reference number under which it is stored.
    pub reference: ReferenceNumber,
    /// When it was caused.
    pub created_at: Timestamp,
}

/// The messages to payers.
pub trait Messages {
    /// When, after `since`, the merchant had the payer of a transaction reminded by a channel, the oldest first. A store that
    /// does not count has none.
    ///
    /// # Errors
    /// If the store fails or contains a row that cannot be read.
    async fn reminded_at(
        &self,
        session_id: &SessionId,
        channel: Channel,
        since: Timestamp,
    ) -> Result<Vec<Timestamp>, PortError>;

    /// Notes that a message is about to be sent; whether nobody noted it before, or what was sent before surely did not
    /// arrive.
    ///
    /// # Errors
    /// If the store fails or contains a row that cannot be read.
    async fn begin_message(
        &self,
        id: &DeliveryId,
        provider: Provider,
        at: Timestamp,
    ) -> Result<bool, PortError>;

    /// What is known of one message; `None` before the first try.
    ///
    /// # Errors
    /// As [`begin_message`](Self::begin_message).
    async fn message_note(&self, id: &DeliveryId) -> Result<Option<MessageNote>, PortError>;

    /// Notes what became of a message. What its provider reported in the meantime, and says more, stays.
    ///
    /// # Errors
    /// As [`begin_message`](Self::begin_message).
    async fn note_message(&self, note: &MessageNote) -> Result<(), PortError>;

    /// Notes what a provider reports of a message of the merchant; whether there is one about which this is new. A report that
    /// repeats our id counts before anything else is known of the message; any other needs the provider's id.
    ///
    /// # Errors
    /// As [`begin_message`](Self::begin_message).
    async fn report_message(
        &self,
        merchant: &MerchantId,
        provider: Provider,
        report: &MessageReport,
        at: Timestamp,
    ) -> Result<bool, PortError>;

    /// The messages about a transaction to its payer, the oldest first.
    ///
    /// # Errors
    /// As [`begin_message`](Self::begin_message).
    async fn messages(&self, session_id: &SessionId) -> Result<Vec<SentMessage>, PortError>;

    /// The messages that a search finds, the newest first.
    ///
    /// # Errors
    /// As [`begin_message`](Self::begin_message).
    async fn find_messages(&self, search: &MessageSearch) -> Result<Vec<ListedMessage>, PortError>;
}
