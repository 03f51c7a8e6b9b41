//! What routing needs to decide, and what it decided.

use alloc::vec::Vec;

use super::PortError;
use crate::record::decision::RoutingDecision;
use crate::record::health::Health;
use crate::value::id::{MerchantId, SessionId};
use crate::value::time::Timestamp;

/// The gateways that failed lately, and why payments went where they went. Both are stored with the
/// [`Change`](crate::change::Change) to which they belong.
pub trait Decisions {
    /// The gateways of a merchant that failed lately, and whether they are skipped at `now`, in real time.
    ///
    /// # Errors
    /// If the store fails or contains a row that cannot be read.
    async fn health(&self, merchant: &MerchantId, now: Timestamp) -> Result<Vec<Health>, PortError>;

    /// The decisions about the attempts of a transaction, in order.
    ///
    /// # Errors
    /// As [`health`](Self::health).
    async fn decisions(&self, session_id: &SessionId) -> Result<Vec<RoutingDecision>, PortError>;
}
