//! What waits to be sent to a merchant.

use alloc::string::String;

use crate::value::id::{DeliveryId, MerchantId, ReferenceNumber, SessionId};
use crate::value::time::Timestamp;

/// One notification of a merchant, its bytes fixed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    /// The id that every try carries.
    pub id: DeliveryId,
    /// Who is told.
    pub merchant: MerchantId,
    /// About which transaction.
    pub session_id: SessionId,
    /// About which attempt.
    pub reference: ReferenceNumber,
    /// Where it goes.
    pub url: String,
    /// The body, sent unchanged with every try.
    pub body: String,
    /// When it is due.
    pub due_at: Timestamp,
}
