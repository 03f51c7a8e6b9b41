//! The erasure of what identifies payers. What is erased of a transaction is stored with its change, by
//! [`Store::commit`](super::Store::commit) of the event [`Erased`](crate::change::EventKind::Erased).

use alloc::vec::Vec;

use super::PortError;
use crate::api::erasure::ErasureSubject;
use crate::transaction::Transaction;
use crate::value::id::{MerchantId, SessionId};
use crate::value::time::Timestamp;

/// What a merchant's saved cards and agreements of a customer were.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DeletedCards {
    /// How many cards were deleted.
    pub cards: usize,
    /// How many agreements were deleted.
    pub agreements: usize,
}

/// What identifies payers, wherever it is stored.
pub trait Erasures {
    /// Transactions of a merchant that can be erased, even those that were deleted, at most `limit`: they have ended, no
    /// gateway is asked about them, no message about them waits, nothing happened to them after `quiet_since`, and what
    /// happened last was not their erasure.
    ///
    /// # Errors
    /// If the store fails or contains a row that cannot be read.
    async fn erasable(
        &self,
        merchant: &MerchantId,
        subject: &ErasureSubject,
        quiet_since: Timestamp,
        limit: u32,
    ) -> Result<Vec<Transaction>, PortError>;

    /// Transactions of any merchants whose settings say for how long the data of payers is stored, that can be erased and to
    /// which nothing happened for that long, by the time of their merchant: at most `limit`, and at most `share` of one
    /// merchant. Those of one merchant follow each other.
    ///
    /// # Errors
    /// As [`erasable`](Self::erasable).
    async fn erasable_by_age(
        &self,
        now: Timestamp,
        share: u32,
        limit: u32,
    ) -> Result<Vec<Transaction>, PortError>;

    /// How many transactions of a merchant still have data of the subject.
    ///
    /// # Errors
    /// As [`erasable`](Self::erasable).
    async fn not_erased(&self, merchant: &MerchantId, subject: &ErasureSubject) -> Result<u64, PortError>;

    /// Whether a merchant has this transaction, even if it was deleted.
    ///
    /// # Errors
    /// As [`erasable`](Self::erasable).
    async fn has_transaction(&self, merchant: &MerchantId, session_id: &SessionId)
    -> Result<bool, PortError>;

    /// Deletes the saved cards and the agreements of a customer of a merchant, and closes what the attention list says of
    /// agreements that are paused.
    ///
    /// # Errors
    /// As [`erasable`](Self::erasable).
    async fn delete_cards_of(
        &self,
        merchant: &MerchantId,
        customer_id: &str,
        at: Timestamp,
    ) -> Result<DeletedCards, PortError>;
}
