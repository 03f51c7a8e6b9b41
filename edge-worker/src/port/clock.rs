//! The time, from the platform. It does not move between two inputs or outputs of a request.

use checkout_core::port::Clock;
use checkout_core::value::time::Timestamp;
use worker::Date;

/// The platform's clock.
pub(crate) struct PlatformClock;

impl Clock for PlatformClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(i64::try_from(Date::now().as_millis()).unwrap_or(i64::MAX))
    }
}
