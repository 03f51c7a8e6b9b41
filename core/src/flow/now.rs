//! The time that an operation is about.

use crate::port::{Clock, World};
use crate::settings::MerchantSettings;
use crate::value::time::Timestamp;

/// The merchant's time: the real time plus how far the merchant's test clock was moved forward. Everything
/// about the merchant's payments uses it; credentials, leases, signatures that receivers check and the
/// operator's log use the real time.
#[must_use]
pub fn now_of(world: &impl World, settings: &MerchantSettings) -> Timestamp {
    world.clock().now().plus(settings.clock_offset)
}
