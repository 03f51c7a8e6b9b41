//! How often a payment transaction may be tried. Anyone who knows its session id may try, so only this limit
//! stops a stranger from opening any number of attempts, each of which a gateway is asked about.

use core::time::Duration;

use crate::attempt::Attempt;
use crate::rejection::Rejection;
use crate::value::time::Timestamp;

/// The most attempts of a payment transaction within a period: 10 in a minute, 60 in a day. Nobody who wants
/// to pay comes near these limits.
pub(crate) const LIMITS: [Limit; 2] = [
    Limit { attempts: 10, within: Duration::from_mins(1) },
    Limit { attempts: 60, within: Duration::from_hours(24) },
];

/// A number of attempts within a period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Limit {
    /// How many.
    pub attempts: i64,
    /// Within which period.
    pub within: Duration,
}

impl Limit {
    /// The number of the attempt that must be older than the period of the limit before another one after
    /// `latest` may begin; `None` while there are fewer attempts than the limit.
    #[must_use]
    pub(crate) fn oldest(self, latest: &Attempt) -> Option<i64> {
        latest.number.checked_sub(self.attempts)?.checked_add(1).filter(|number| *number > 0)
    }

    /// Whether another attempt may begin, when the oldest that counts was opened at `opened_at`.
    ///
    /// # Errors
    /// [`Rejection::TooManyAttempts`] with the seconds after which it may, rounded up.
    pub(crate) fn check(self, opened_at: Timestamp, now: Timestamp) -> Result<(), Rejection> {
        let left = self.within.saturating_sub(now.since(opened_at));
        if left.is_zero() {
            return Ok(());
        }
        let seconds = left.as_secs().saturating_add(u64::from(left.subsec_nanos() > 0));
        Err(Rejection::TooManyAttempts { retry_after: seconds })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wait_is_what_is_left_of_the_time_in_whole_seconds() {
        let [minute, _] = LIMITS;
        let opened = Timestamp::from_millis(1_000_000);
        let check = |millis| minute.check(opened, opened.plus(Duration::from_millis(millis)));
        assert_eq!(check(0), Err(Rejection::TooManyAttempts { retry_after: 60 }));
        assert_eq!(check(58_001), Err(Rejection::TooManyAttempts { retry_after: 2 }));
        assert_eq!(check(59_999), Err(Rejection::TooManyAttempts { retry_after: 1 }));
        assert_eq!(check(60_000), Ok(()));
    }
}
