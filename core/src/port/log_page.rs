//! What the pages of a merchant's lists of what was sent have in common.

use alloc::string::String;

use crate::value::id::{DeliveryId, MerchantId, SessionId};
use crate::value::time::Timestamp;

/// Which page of a list is looked for, the newest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogPage {
    /// The merchant.
    pub merchant: MerchantId,
    /// Only about this transaction.
    pub session_id: Option<SessionId>,
    /// Only about transactions with this order number.
    pub order_no: Option<String>,
    /// Only caused at this moment or later.
    pub since: Option<Timestamp>,
    /// Only caused at this moment or earlier.
    pub until: Option<Timestamp>,
    /// Only after this one in the order.
    pub after: Option<(Timestamp, DeliveryId)>,
    /// At most so many.
    pub limit: u32,
}
