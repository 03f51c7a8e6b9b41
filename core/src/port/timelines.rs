//! What happened to a payment transaction.

use alloc::vec::Vec;

use super::{LoggedTry, PortError};
use crate::record::event::LoggedEvent;
use crate::value::id::{DeliveryId, SessionId};

/// The log of events of a transaction, and how its messages were sent.
pub trait Timelines {
    /// The latest events of a transaction, the newest first, at most `limit`.
    ///
    /// # Errors
    /// If the store fails or contains a row that cannot be read.
    async fn logged_events(&self, session_id: &SessionId, limit: u32) -> Result<Vec<LoggedEvent>, PortError>;

    /// The latest tries to deliver the messages of a transaction, the newest first, at most `limit`.
    ///
    /// # Errors
    /// As [`logged_events`](Self::logged_events).
    async fn logged_tries(
        &self,
        session_id: &SessionId,
        limit: u32,
    ) -> Result<Vec<(DeliveryId, LoggedTry)>, PortError>;
}
