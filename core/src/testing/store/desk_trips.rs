//! The ways of browsers to providers and back.

use alloc::vec::Vec;

use super::MemoryStore;
use crate::desk::trip::{DeskTrip, TripId};
use crate::port::{DeskTrips, PortError};
use crate::value::time::Timestamp;

impl DeskTrips for MemoryStore {
    async fn add_desk_trip(&self, trip: &DeskTrip) -> Result<(), PortError> {
        self.rows.borrow_mut().desk_trips.insert(trip.id.clone(), trip.clone());
        Ok(())
    }

    async fn take_desk_trip(&self, id: &TripId) -> Result<Option<DeskTrip>, PortError> {
        Ok(self.rows.borrow_mut().desk_trips.remove(id))
    }

    async fn delete_desk_trips(&self, before: Timestamp, limit: u32) -> Result<u32, PortError> {
        let mut rows = self.rows.borrow_mut();
        let over = rows.desk_trips.values().filter(|trip| trip.created_at < before);
        let most = usize::try_from(limit).unwrap_or(usize::MAX);
        let over: Vec<TripId> = over.map(|trip| trip.id.clone()).take(most).collect();
        for id in &over {
            rows.desk_trips.remove(id);
        }
        Ok(u32::try_from(over.len()).unwrap_or(u32::MAX))
    }
}
