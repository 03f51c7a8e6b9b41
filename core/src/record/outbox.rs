//! What waits to be sent to a merchant.

use alloc::string::String;

use crate::value::id::{DeliveryId, MerchantId, ReferenceNumber, SessionId};
use crate::value::time::Timestamp;

/// One notification of a merchant, its bytes fixed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    /// The id that is sent with every try.
    pub id: DeliveryId,
    /// The merchant that is notified.
    pub merchant: MerchantId,
    /// The transaction.
    pub session_id: SessionId,
    /// The attempt.
    pub reference: ReferenceNumber,
    /// Where it goes.
    pub url: String,
    /// The body, sent unchanged with every try.
    pub body: String,
    /// When it is due.
    pub due_at: Timestamp,
}
