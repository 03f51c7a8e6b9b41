//! How many calls a user or a private key makes in a day: 90,000 at most.
//!
//! Decisions: a public key has no such limit, because it is in every payer's browser, and a stranger could use it up. Days
//! are those of UTC. Counting each call in the database would cost a write for each: a [`CallTally`] in the memory of an
//! isolate counts some together, fewer as the limit comes near, and each one when less than 1% of the day's calls is left.
//! So the last call that is let through is exact, and before that nothing waits for the count.

use alloc::format;
use alloc::string::String;
use core::time::Duration;

use super::{Principal, Rights};
use crate::access::key::KeyKind;
use crate::value::time::Timestamp;

/// The most calls of one caller in a day.
pub(crate) const MOST_CALLS: u32 = 90_000;
/// The most calls that are counted together.
const MOST_TOGETHER: u32 = 100;
/// A day.
const DAY: Duration = Duration::from_hours(24);

/// Under which name the calls of a principal are counted; `None` if they are not. A key and its tokens count
/// together.
#[must_use]
pub fn counted_as(principal: &Principal) -> Option<String> {
    let Principal::Merchant(caller) = principal else { return None };
    match &caller.rights {
        Rights::Key(KeyKind::Private, _) => {
            let prefix = caller.prefix.as_deref().unwrap_or_default();
            Some(["key ", caller.merchant().as_str(), " ", prefix].concat())
        }
        Rights::Key(KeyKind::Public, _) => None,
        Rights::User(user) => Some(format!("user {}", user.id)),
    }
}

/// What one isolate knows of the calls of one caller.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CallTally {
    day: i64,
    /// How many are stored, as far as is known; `None` before the first answer.
    stored: Option<u32>,
    /// How many are not stored yet.
    pending: u32,
}

/// What to do about a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counting {
    /// It is counted with later ones.
    Later,
    /// This many are stored now, while the call goes on.
    Aside(u32),
    /// It is stored before it is known whether the call may go on.
    First,
    /// There were too many.
    Over,
}

impl CallTally {
    /// Counts a call.
    pub fn count(&mut self, now: Timestamp) -> Counting {
        let day = day_of(now);
        if day != self.day {
            *self = Self { day, stored: None, pending: 0 };
        }
        let Some(stored) = self.stored else { return Counting::First };
        let known = stored.saturating_add(self.pending);
        if known >= MOST_CALLS {
            return Counting::Over;
        }
        let together = (MOST_CALLS.saturating_sub(known) / 100).min(MOST_TOGETHER);
        if together <= 1 {
            return Counting::First;
        }
        self.pending = self.pending.saturating_add(1);
        if self.pending < together {
            return Counting::Later;
        }
        let pending = core::mem::take(&mut self.pending);
        self.stored = Some(stored.saturating_add(pending));
        Counting::Aside(pending)
    }

    /// Notes how many calls are stored for a day; whether the one that was stored last may go on.
    pub fn learn(&mut self, day: i64, stored: u32) -> bool {
        if day == self.day {
            self.stored = Some(self.stored.map_or(stored, |known| known.max(stored)));
        }
        stored <= MOST_CALLS
    }
}

/// The day of a moment, counted from 1970.
#[must_use]
pub fn day_of(now: Timestamp) -> i64 {
    i64::try_from(DAY.as_millis()).map_or(0, |day| now.millis().div_euclid(day))
}

/// After how many seconds the next day begins.
#[must_use]
pub fn until_tomorrow(now: Timestamp) -> u64 {
    let day = i64::try_from(DAY.as_millis()).unwrap_or(i64::MAX);
    let left = day.saturating_sub(now.millis().rem_euclid(day));
    u64::try_from(left).unwrap_or_default().div_ceil(1_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOON: Timestamp = Timestamp::from_millis(1_767_268_800_000);

    fn known(stored: u32) -> CallTally {
        CallTally { day: day_of(NOON), stored: Some(stored), pending: 0 }
    }

    #[test]
    fn a_day_ends_at_midnight_in_utc() {
        assert_eq!(until_tomorrow(NOON), 43_200);
        assert_eq!(until_tomorrow(NOON.plus(Duration::from_millis(1))), 43_200);
        assert_eq!(until_tomorrow(NOON.plus(Duration::from_secs(43_199))), 1);
        assert_eq!(day_of(NOON.plus(Duration::from_secs(43_199))), day_of(NOON));
        assert_eq!(day_of(NOON.plus(Duration::from_hours(12))), day_of(NOON).saturating_add(1));
    }

    #[test]
    fn the_first_calls_are_stored_until_it_is_known_how_many_there_were() {
        let mut tally = CallTally::default();
        assert_eq!([tally.count(NOON), tally.count(NOON)], [Counting::First, Counting::First]);
        assert!(tally.learn(day_of(NOON), 2));
        assert_eq!(tally.count(NOON), Counting::Later);
    }

    #[test]
    fn a_hundred_calls_are_stored_together_and_each_one_at_the_end() {
        let mut tally = known(1_000);
        let stored: u32 =
            (0..500).map(|_| if let Counting::Aside(calls) = tally.count(NOON) { calls } else { 0 }).sum();
        assert_eq!(stored, 500);
        assert_eq!(known(MOST_CALLS - 199).count(NOON), Counting::First);
        assert_eq!(known(MOST_CALLS - 1).count(NOON), Counting::First);
        assert_eq!(known(MOST_CALLS).count(NOON), Counting::Over);
    }

    #[test]
    fn the_last_call_of_a_day_goes_on_and_the_next_one_does_not() {
        let mut tally = known(MOST_CALLS - 1);
        let day = day_of(NOON);
        assert!(tally.learn(day, MOST_CALLS));
        assert!(!tally.learn(day, MOST_CALLS.saturating_add(1)));
        assert_eq!(tally.count(NOON), Counting::Over);
        let tomorrow = NOON.plus(DAY);
        assert_eq!(tally.count(tomorrow), Counting::First);
        assert!(tally.learn(day, 7), "what is learned late of yesterday changes nothing");
        assert_eq!(tally.count(tomorrow), Counting::First);
    }

    #[test]
    fn no_isolate_has_more_than_a_hundredth_of_what_is_left_uncounted() {
        for stored in (0..MOST_CALLS).step_by(97) {
            let mut tally = known(stored);
            let mut uncounted = 0_u32;
            while tally.count(NOON) == Counting::Later {
                uncounted = uncounted.saturating_add(1);
                assert!(uncounted <= MOST_CALLS.saturating_sub(stored) / 100, "{stored}");
            }
        }
    }
}
