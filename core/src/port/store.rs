//! Transactions, their attempts, messages and stored answers.

use alloc::vec::Vec;

use super::{ClaimedMessages, Closing, Due, DueRow, Finished, MessageClaim, NewestDelivery, PortError, Try};
use crate::attempt::Attempt;
use crate::change::Change;
use crate::operation::standing::ListedPage;
use crate::payment::chase::Urgency;
use crate::record::attention::{Attention, AttentionId};
use crate::record::audit::Entry;
use crate::record::idempotency::StoredAnswer;
use crate::transaction::Transaction;
use crate::transaction::listing::Listing;
use crate::value::id::{DeliveryId, MerchantId, PgCode, ReferenceNumber, SessionId};
use crate::value::time::Timestamp;

/// A transaction with one of its attempts.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// The transaction.
    pub transaction: Transaction,
    /// The attempt that was requested, or the latest; `None` before the first.
    pub attempt: Option<Attempt>,
}

impl Record {
    /// Whether the outcome of the attempt is still to come.
    #[must_use]
    pub fn has_open_attempt(&self) -> bool {
        Attempt::has_open(self.attempt.as_ref())
    }
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

/// An entry of the attention list, as far as it decides who may do what with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flagged {
    /// The merchant.
    pub merchant: MerchantId,
    /// The transaction; `None` if nothing recorded here belongs to the gateway's charge.
    pub session_id: Option<SessionId>,
    /// Whether it is open.
    pub is_open: bool,
}

/// Transactions, their attempts, messages and stored answers.
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
    async fn list(&self, listing: &Listing) -> Result<ListedPage, PortError>;

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

    /// Shows a deleted transaction again, with the entry of the audit, whose merchant becomes that of the transaction;
    /// whether there was one.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    async fn restore(&self, session_id: &SessionId, entry: &Entry) -> Result<bool, PortError>;

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

    /// Deletes answers stored before `before`, at most `limit` of them; how many.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    async fn delete_answers(&self, before: Timestamp, limit: u32) -> Result<u32, PortError>;

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
    async fn due_expiries(&self, due: Due<'_>) -> Result<Vec<DueRow<SessionId>>, PortError>;

    /// Attempts of one urgency whose gateway is to be asked now: in turns of the merchants and their
    /// gateways, the longest due first.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    async fn due_inquiries(
        &self,
        due: Due<'_>,
        urgency: Urgency,
    ) -> Result<Vec<DueRow<ReferenceNumber>>, PortError>;

    /// Postpones the inquiry about an attempt that is due and could not be made, so that it does not come
    /// before others again and again.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    async fn postpone_inquiry(&self, reference: &ReferenceNumber, until: Timestamp) -> Result<(), PortError>;

    /// Claims the inquiry about an attempt that is due at `due_at`: it is due again at `until`, unless its answer is recorded
    /// before. How many in a row were begun without a record, with this one; `None` if someone else was first.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    async fn claim_inquiry(
        &self,
        reference: &ReferenceNumber,
        due_at: Timestamp,
        until: Timestamp,
    ) -> Result<Option<u32>, PortError>;

    /// Counts a question about an attempt or an operation that a stranger caused; whether it may be asked. If not, the inquiry
    /// that is planned comes at `soon`, unless it comes before. A store that does not count lets all be asked.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    async fn may_ask(
        &self,
        reference: &ReferenceNumber,
        now: Timestamp,
        soon: Timestamp,
    ) -> Result<bool, PortError>;

    /// No inquiry about an attempt is due any more.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    async fn end_inquiries(&self, reference: &ReferenceNumber) -> Result<(), PortError>;

    /// Undelivered messages that are due and not claimed: in turns of the merchants and their receivers, those
    /// that were not tried before first.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    async fn due_deliveries(&self, due: Due<'_>) -> Result<Vec<DueRow<DeliveryId>>, PortError>;

    /// How many statements this store has run since it was made. A platform limits them for each request and
    /// each run.
    fn statements(&self) -> u32;

    /// Claims an undelivered message until `lease_until`; `None` if it is delivered, given up, not yet
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
    ) -> Result<Option<MessageClaim>, PortError>;

    /// Records how a try to deliver a claimed message ended, and what it changes for the receiver, with an entry of the attention
    /// list if the message was given up or the receiver disabled. What is for a receiver that is disabled is held from then on.
    ///
    /// # Errors
    /// As [`load`](Self::load). The message is then sent again when its lease is over.
    async fn finish_try(
        &self,
        id: &DeliveryId,
        done: &Try,
        attention: Option<&Attention>,
    ) -> Result<(), PortError>;

    /// Claims several messages as [`claim`](Self::claim) does, in one round trip if the store can: those that nobody else
    /// holds and that are due, in the order of `ids`.
    ///
    /// # Errors
    /// As [`claim`](Self::claim); some may be claimed nevertheless, until their lease is over.
    async fn claim_all(
        &self,
        ids: &[DeliveryId],
        now: Timestamp,
        lease_until: Timestamp,
    ) -> Result<ClaimedMessages, PortError>;

    /// Gives back messages that were claimed until `lease_until` and are not sent. A store that does not lets their lease run
    /// out.
    ///
    /// # Errors
    /// As [`claim`](Self::claim).
    async fn release(&self, ids: &[&str], lease_until: Timestamp) -> Result<(), PortError>;

    /// Records several tries as [`finish_try`](Self::finish_try) does, in one round trip if the store can.
    ///
    /// # Errors
    /// As [`finish_try`](Self::finish_try); each of them may be recorded or not.
    async fn finish_tries(&self, finished: &[Finished<'_>]) -> Result<(), PortError>;

    /// The state of the newest message about an attempt that was caused by its outcome; `None` if there is
    /// none. One that the merchant asked for does not count: it decides nothing for the payer.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    async fn newest_delivery(&self, reference: &ReferenceNumber)
    -> Result<Option<NewestDelivery>, PortError>;

    /// The open entries of the attention list, oldest first, at most `limit`.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    async fn attention(&self, limit: u32) -> Result<Vec<Attention>, PortError>;

    /// Whose an entry is, and whether it is open; `None` if there is none.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    async fn flagged(&self, id: &AttentionId) -> Result<Option<Flagged>, PortError>;

    /// Closes an entry; whether it was open. An entry of the audit is recorded with it, if there is one: a decision that does
    /// more than close it is recorded before it is carried out.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    async fn close_attention(&self, id: &AttentionId, closing: Closing<'_>) -> Result<bool, PortError>;
}
