//! What was done to payments after they succeeded.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use super::{Due, DueRow, PortError};
use crate::approval::day::RefundDay;
use crate::child::Child;
use crate::operation::begin::Books;
use crate::operation::standing::Standing;
use crate::transaction::listing::Listing;
use crate::value::id::{MerchantId, ReferenceNumber, SessionId};
use crate::value::money::SumOfMoney;
use crate::value::time::Timestamp;

/// The operations on payments. They are stored with the [`Change`](crate::change::Change) that they belong
/// to.
pub trait Bookkeeping {
    /// A payment transaction with the attempt that settled it and its operations in order; `None` if there is
    /// none.
    ///
    /// # Errors
    /// If the store fails or contains a row that cannot be read.
    async fn books(&self, session_id: &SessionId) -> Result<Option<Books>, PortError>;

    /// For each transaction of the list that has an attempt: the one that settled it, otherwise the latest,
    /// and the operations.
    ///
    /// # Errors
    /// As [`books`](Self::books).
    async fn standings(&self, session_ids: &[&SessionId])
    -> Result<BTreeMap<SessionId, Standing>, PortError>;

    /// How many transactions a page of a listing has, and operations of these, together.
    ///
    /// # Errors
    /// As [`books`](Self::books).
    async fn table_rows(&self, listing: &Listing) -> Result<u64, PortError>;

    /// The operation with a reference.
    ///
    /// # Errors
    /// As [`books`](Self::books).
    async fn child(&self, reference: &ReferenceNumber) -> Result<Option<Child>, PortError>;

    /// The operation that a merchant asked for under a tracking key.
    ///
    /// # Errors
    /// As [`books`](Self::books).
    async fn tracked(&self, merchant: &MerchantId, key: &str) -> Result<Option<Child>, PortError>;

    /// What was refunded in a day, by one person or key.
    ///
    /// # Errors
    /// As [`books`](Self::books).
    async fn refunded(&self, day: &RefundDay) -> Result<SumOfMoney, PortError>;

    /// Open operations whose gateway is to be asked now: in turns of the merchants and their gateways, the
    /// longest due first.
    ///
    /// # Errors
    /// As [`books`](Self::books).
    async fn due_operations(&self, due: Due<'_>) -> Result<Vec<DueRow<ReferenceNumber>>, PortError>;

    /// Postpones the inquiry about an open operation that is due and could not be made.
    ///
    /// # Errors
    /// As [`books`](Self::books).
    async fn postpone_operation(
        &self,
        reference: &ReferenceNumber,
        until: Timestamp,
    ) -> Result<(), PortError>;

    /// Claims the inquiry about an open operation, as `Store::claim_inquiry` does about an attempt.
    ///
    /// # Errors
    /// As [`books`](Self::books).
    async fn claim_operation(
        &self,
        reference: &ReferenceNumber,
        due_at: Timestamp,
        until: Timestamp,
    ) -> Result<Option<u32>, PortError>;

    /// No inquiry about an operation is due any more.
    ///
    /// # Errors
    /// As [`books`](Self::books).
    async fn end_operation_inquiries(&self, reference: &ReferenceNumber) -> Result<(), PortError>;
}
