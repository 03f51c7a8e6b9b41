//! What clocks at the merchant show.

use crate::flow::payer::local::ahead;
use crate::port::World;
use crate::settings::MerchantSettings;
use crate::value::time::{Local, Timestamp};

/// A moment as clocks at the merchant show it.
#[must_use]
pub fn local(world: &impl World, settings: &MerchantSettings, at: Timestamp) -> Local {
    Local { at, ahead: ahead(world, settings, at) }
}
