//! The time, from the platform. It does not move between two inputs or outputs of a request.

use checkout_core::port::Clock;
use checkout_core::value::time::Timestamp;
use worker::Date;

/// The platform's clock.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct PlatformClock {
    /// How many milliseconds it is behind.
    behind: i64,
}

/// With which a request to a development installation says how many seconds ago it was made: so a demo merchant has a
/// past. An installation that can be reached from elsewhere ignores it.
pub(crate) const SECONDS_AGO: &str = "till-seconds-ago";

impl PlatformClock {
    /// The clock of a request that may say how many seconds ago it was made.
    pub(crate) fn of_request(seconds_ago: Option<&str>) -> Self {
        let said =
            seconds_ago.filter(|_| cfg!(feature = "development")).and_then(|text| text.parse::<u32>().ok());
        Self { behind: said.map_or(0, |seconds| i64::from(seconds).saturating_mul(1_000)) }
    }
}

impl Clock for PlatformClock {
    fn now(&self) -> Timestamp {
        let now = i64::try_from(Date::now().as_millis()).unwrap_or(i64::MAX);
        Timestamp::from_millis(now.saturating_sub(self.behind))
    }
}
