//! The ways of browsers to providers and back.

use core::time::Duration;

use super::fixture::Fixture;
use super::{Checked, holds, same};
use crate::desk::session::SessionSecret;
use crate::desk::trip::{DeskTrip, TripSecret};
use crate::port::DeskTrips;
use crate::value::sealed::Sealed;
use crate::value::time::Timestamp;
use crate::words::Language;

fn trip(fixture: &Fixture, created_at: Timestamp) -> DeskTrip {
    DeskTrip {
        id: TripSecret::of(fixture.random()).id(),
        merchant: fixture.merchant.clone(),
        issuer: "https://id.example.com".into(),
        device: "Firefox, Windows".into(),
        language: Language::Ar,
        back: Sealed(alloc::format!("v1.{}", "B".repeat(40))),
        session: None,
        form: None,
        created_at,
    }
}

pub(super) async fn a_desk_trip_is_taken_once(store: &impl DeskTrips, fixture: &Fixture) -> Checked {
    let plain = trip(fixture, fixture.now);
    let waiting = DeskTrip {
        session: Some(SessionSecret::of(fixture.random()).id()),
        form: Some(Sealed(alloc::format!("v1.{}", "A".repeat(40)))),
        ..trip(fixture, fixture.now)
    };
    for one in [&plain, &waiting] {
        store.add_desk_trip(one).await?;
    }
    for one in [plain, waiting] {
        same("as it was stored", store.take_desk_trip(&one.id).await?, Some(one.clone()))?;
        holds("only once", store.take_desk_trip(&one.id).await?.is_none())?;
    }
    Ok(())
}

pub(super) async fn desk_trips_that_took_too_long_are_deleted(
    store: &impl DeskTrips,
    fixture: &Fixture,
) -> Checked {
    let old = trip(fixture, Timestamp::from_millis(1_000));
    let new = trip(fixture, fixture.now.plus(Duration::from_mins(1)));
    store.add_desk_trip(&old).await?;
    store.add_desk_trip(&new).await?;
    same("one is over", store.delete_desk_trips(Timestamp::from_millis(2_000), 10).await?, 1)?;
    holds("it is gone", store.take_desk_trip(&old.id).await?.is_none())?;
    holds("the other stays", store.take_desk_trip(&new.id).await?.is_some())
}
