//! Until when held money can be captured. That it is held, or is not any more, is stored with its change, by
//! [`Store::commit`](super::Store::commit).

use alloc::vec::Vec;

use super::{Due, PortError};
use crate::attempt::hold::CaptureDeadline;
use crate::record::attention::Attention;
use crate::value::id::SessionId;

/// The deadlines of what is held.
pub trait Holds {
    /// The deadline of a transaction; `None` if nothing is held, or its gateway holds it without an end.
    ///
    /// # Errors
    /// If the store fails or contains a row that cannot be read.
    async fn capture_deadline(&self, session_id: &SessionId) -> Result<Option<CaptureDeadline>, PortError>;

    /// The deadlines about which a person is to be reminded, those that are due longest first.
    ///
    /// # Errors
    /// As [`capture_deadline`](Self::capture_deadline).
    async fn due_captures(&self, due: Due<'_>) -> Result<Vec<CaptureDeadline>, PortError>;

    /// Puts reminders on the attention list, each once, unless the money was captured or released meanwhile.
    ///
    /// # Errors
    /// As [`capture_deadline`](Self::capture_deadline).
    async fn remind_of_captures(&self, reminders: &[Attention]) -> Result<(), PortError>;
}
