//! What is known of receivers: how many requests each may have at the same time, and which ones do not answer. It is kept
//! in memory for a while; nothing depends on it but the order of the work.

use alloc::collections::BTreeMap;
use alloc::string::String;
use core::time::Duration;

use crate::value::id::MerchantId;
use crate::value::time::Timestamp;

/// One gateway or one receiver of a merchant.
pub type Lane = (MerchantId, String);

/// How long a receiver that did not answer in time is treated with caution.
const CAUTION: Duration = Duration::from_mins(1);
/// The most requests that a lane can have at the same time.
const WIDEST: usize = 8;
/// Of how many lanes something is known at most.
const MAX_LANES: usize = 500;

/// How one request to a receiver ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LaneVerdict {
    /// It was accepted.
    Good,
    /// It was refused, or the connection failed at once.
    Bad,
    /// There was no answer for a long time.
    Silent,
}

#[derive(Debug, Clone, Copy)]
struct KnownLane {
    width: usize,
    silent_at: Option<Timestamp>,
}

/// What is known of lanes.
#[derive(Debug, Default)]
pub struct Lanes(BTreeMap<Lane, KnownLane>);

impl Lanes {
    /// How many requests a lane may have at the same time: one until it has answered well, one more for each good answer,
    /// and one again after any other.
    #[must_use]
    pub fn width(&self, lane: &Lane) -> usize {
        self.0.get(lane).map_or(1, |known| known.width)
    }

    /// Whether a lane did not answer a short while ago.
    #[must_use]
    pub fn is_silent(&self, lane: &Lane, now: Timestamp) -> bool {
        let silent_at = self.0.get(lane).and_then(|known| known.silent_at);
        silent_at.is_some_and(|at| now.since(at) < CAUTION)
    }

    /// Notes how a request ended.
    pub fn note(&mut self, lane: Lane, verdict: LaneVerdict, now: Timestamp) {
        if self.0.values().count() >= MAX_LANES && !self.0.contains_key(&lane) {
            self.0.clear();
        }
        let known = match verdict {
            LaneVerdict::Good => {
                KnownLane { width: self.width(&lane).saturating_add(1).min(WIDEST), silent_at: None }
            }
            LaneVerdict::Bad => KnownLane { width: 1, silent_at: None },
            LaneVerdict::Silent => KnownLane { width: 1, silent_at: Some(now) },
        };
        self.0.insert(lane, known);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lane(name: &str) -> Lane {
        (MerchantId::parse("shop").unwrap_or_else(|| panic!("an id")), name.into())
    }

    #[test]
    fn a_lane_widens_with_good_answers_and_is_narrow_after_any_other() {
        let (mut lanes, now) = (Lanes::default(), Timestamp::from_millis(0));
        assert_eq!(lanes.width(&lane("a")), 1);
        for width in [2, 3, 4, 5, 6, 7, 8, 8] {
            lanes.note(lane("a"), LaneVerdict::Good, now);
            assert_eq!(lanes.width(&lane("a")), width);
        }
        for verdict in [LaneVerdict::Bad, LaneVerdict::Silent] {
            lanes.note(lane("a"), LaneVerdict::Good, now);
            lanes.note(lane("a"), verdict, now);
            assert_eq!(lanes.width(&lane("a")), 1, "{verdict:?}");
        }
        assert_eq!(lanes.width(&lane("b")), 1);
    }

    #[test]
    fn a_silent_lane_is_treated_with_caution_for_a_minute_or_until_it_answers() {
        let (mut lanes, now) = (Lanes::default(), Timestamp::from_millis(0));
        lanes.note(lane("a"), LaneVerdict::Silent, now);
        assert!(lanes.is_silent(&lane("a"), now.plus(Duration::from_secs(59))));
        assert!(!lanes.is_silent(&lane("a"), now.plus(Duration::from_mins(1))));
        assert!(!lanes.is_silent(&lane("b"), now));
        lanes.note(lane("a"), LaneVerdict::Bad, now);
        assert!(!lanes.is_silent(&lane("a"), now));
    }

    #[test]
    fn the_memory_of_lanes_is_bounded() {
        let (mut lanes, now) = (Lanes::default(), Timestamp::from_millis(0));
        for number in 0..2_000 {
            lanes.note(lane(&alloc::format!("{number}")), LaneVerdict::Good, now);
            assert!(lanes.0.values().count() <= MAX_LANES);
        }
    }
}
