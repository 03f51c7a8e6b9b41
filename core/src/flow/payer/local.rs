//! What clocks at the merchant show: payers read times in its zone, wherever no script writes their own.

use alloc::vec::Vec;

use crate::checkout::page::{LocalClock, TransactionPage};
use crate::flow::reader::local;
use crate::port::{Clock as _, World};
use crate::rejection::Rejection;
use crate::settings::{MerchantSettings, time_zone};
use crate::value::time::Timestamp;
use crate::violation::{Rule, Violation};

/// By how many minutes clocks at the merchant are ahead of UTC at a moment; not at all if its zone is not known.
pub(in crate::flow) fn ahead(world: &impl World, settings: &MerchantSettings, at: Timestamp) -> i16 {
    local(world, settings, None, at).ahead
}

/// What those clocks show at every moment of a page.
pub(in crate::flow) fn clock(
    world: &impl World,
    settings: &MerchantSettings,
    page: &TransactionPage,
) -> LocalClock {
    let moments: Vec<_> = page.moments().map(|at| (at, ahead(world, settings, at))).collect();
    LocalClock::from(moments)
}

/// Refuses a time zone that the document names and the platform does not know.
pub(in crate::flow) fn refuse_unknown_zone(
    world: &impl World,
    settings: &MerchantSettings,
) -> Result<(), Rejection> {
    let is_known = |zone: &str| world.minutes_ahead(zone, world.clock().now()).is_some();
    let of_country = time_zone::of_country(&settings.country);
    match settings.time_zone.as_deref().filter(|zone| Some(*zone) != of_country) {
        Some(zone) if !is_known(zone) => {
            Err(Rejection::Invalid([Violation::new("time_zone", Rule::NotTimeZone)].into()))
        }
        Some(_) | None => Ok(()),
    }
}
