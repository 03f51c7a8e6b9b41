//! The ways of browsers to providers and back.

use super::PortError;
use crate::desk::trip::{DeskTrip, TripId};
use crate::value::time::Timestamp;

/// Trips. Each is taken once.
pub trait DeskTrips {
    /// Stores a trip.
    ///
    /// # Errors
    /// If the store fails.
    async fn add_desk_trip(&self, trip: &DeskTrip) -> Result<(), PortError>;

    /// Takes a trip from the store; `None` if it is not there, or someone else took it.
    ///
    /// # Errors
    /// If the store fails.
    async fn take_desk_trip(&self, id: &TripId) -> Result<Option<DeskTrip>, PortError>;

    /// Deletes trips that began before `before`, at most `limit` of them.
    ///
    /// # Errors
    /// If the store fails.
    async fn delete_desk_trips(&self, before: Timestamp, limit: u32) -> Result<u32, PortError>;
}
