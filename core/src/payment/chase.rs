//! When the gateway is asked about an attempt whose outcome is unknown: at once after the answer was lost,
//! every minute five times, after five minutes, then every ten minutes up to 72 hours. After that the attempt
//! is on the operator's attention list: it is never called failed for lack of an answer.
//!
//! An attempt that ended without success is asked about until three answers said that nothing was taken: a gateway may
//! confirm late. An answer that says nothing certain does not count.

use core::time::Duration;

use crate::attempt::stage::Stage;
use crate::value::time::Timestamp;

/// How long a request to a gateway may be in progress before its outcome is asked about. Longer than the time
/// limit of the request itself.
pub const SENDING_GRACE: Duration = Duration::from_mins(1);
/// How old an attempt must be before "no such charge" means that the request never arrived.
pub const ABSENCE_GRACE: Duration = Duration::from_mins(1);
/// How long an unknown outcome is asked about.
pub const CHASE: Duration = Duration::from_hours(72);

/// When to ask again after `inquiries` inquiries, or `None` if the gateway is not asked any more. `age` is for how long the
/// outcome was unknown at the moment for which the last question was planned: one that comes late, because nothing ran for
/// days, is not the last one.
#[must_use]
pub fn next_inquiry(inquiries: i64, age: Duration, now: Timestamp) -> Option<Timestamp> {
    if age >= CHASE {
        return None;
    }
    let pause = match inquiries {
        ..=0 => Duration::ZERO,
        1..=5 => Duration::from_mins(1),
        6 => Duration::from_mins(5),
        7.. => Duration::from_mins(10),
    };
    Some(now.plus(pause))
}

/// How many inquiries in a row may end without a record before no more are made: whatever ends them, it is not the answer
/// that is missing.
pub(crate) const MOST_LOST: u32 = 10;

/// What a question that a stranger causes costs: so often may they be caused for long.
pub const COST_OF_QUESTION: Duration = Duration::from_secs(10);
/// How many of them may follow each other at once.
pub const QUESTIONS_AHEAD: u32 = 3;

/// When to ask again if the inquiry that begins at `now` ends without a record, after `lost` others that did.
#[must_use]
pub(crate) fn after_loss(lost: u32, now: Timestamp) -> Timestamp {
    now.plus(match lost {
        0..=4 => Duration::from_mins(1),
        5 => Duration::from_mins(5),
        6.. => Duration::from_mins(10),
    })
}

/// How urgent it is to ask about an attempt. An unknown outcome comes before a page that still waits for its
/// payer, and both come before a payment that ended and may be confirmed late.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Urgency {
    /// It may have charged, and the outcome is unknown.
    Unknown,
    /// The gateway's page waits for the payer.
    Waiting,
    /// It ended without success.
    Closed,
}

impl Urgency {
    /// How urgent it is to ask about an attempt in a stage; `None` if it is not asked about any more.
    #[must_use]
    pub const fn of(stage: Stage) -> Option<Self> {
        match stage {
            Stage::Sending | Stage::Unknown => Some(Self::Unknown),
            Stage::Redirected => Some(Self::Waiting),
            Stage::Failed | Stage::Canceled | Stage::Error => Some(Self::Closed),
            Stage::Success | Stage::Cod => None,
        }
    }
}

/// How often the gateway is asked about an attempt that ended without success.
pub(crate) const LATER_INQUIRIES: i64 = 3;

/// When to ask about an attempt that ended without success, and about which the gateway was asked `inquiries`
/// times since; `pause` is the profile's. The first time is that long after the attempt began, if that is
/// still in the future. `None` if it was asked often enough.
#[must_use]
pub(crate) fn later_inquiry(
    inquiries: i64,
    opened_at: Timestamp,
    pause: Duration,
    now: Timestamp,
) -> Option<Timestamp> {
    let planned = opened_at.plus(pause);
    let is_planned = inquiries == 0 && planned > now;
    (inquiries < LATER_INQUIRIES).then(|| if is_planned { planned } else { now.plus(pause) })
}

/// When to ask again about an attempt that ended without success, after an answer that said nothing certain. `age` is how long
/// ago it had ended at the moment for which the question was planned. The pauses grow with it; `None` after [`CHASE`].
#[must_use]
pub(crate) fn after_silence(age: Duration, pause: Duration, now: Timestamp) -> Option<Timestamp> {
    let quarter = age.checked_div(4).unwrap_or_default();
    (age < CHASE).then(|| now.plus(pause.max(quarter)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_outcome_is_chased_for_72_hours_and_then_given_up() {
        let start = Timestamp::from_millis(1_700_000_000_000);
        let mut now = start;
        let mut pauses = alloc::vec::Vec::new();
        let mut inquiries = 0;
        while let Some(at) = next_inquiry(inquiries, now.since(start), now) {
            pauses.push(at.since(now).as_secs());
            now = at;
            inquiries += 1;
        }
        assert_eq!(pauses[..9], [0, 60, 60, 60, 60, 60, 300, 600, 600]);
        assert!(now.since(start) >= CHASE);
        assert!(now.since(start) < CHASE + Duration::from_mins(11));
    }

    #[test]
    fn an_attempt_that_ended_without_success_is_asked_about_three_times() {
        let opened = Timestamp::from_millis(1_700_000_000_000);
        let pause = Duration::from_mins(8);
        let after = |minutes| opened.plus(Duration::from_mins(minutes));
        assert_eq!(later_inquiry(0, opened, pause, after(2)), Some(after(8)));
        assert_eq!(later_inquiry(0, opened, pause, after(30)), Some(after(38)));
        assert_eq!(later_inquiry(1, opened, pause, after(8)), Some(after(16)));
        assert_eq!(later_inquiry(2, opened, pause, after(16)), Some(after(24)));
        assert_eq!(later_inquiry(3, opened, pause, after(24)), None);
    }

    #[test]
    fn what_ended_and_is_not_certain_is_asked_about_for_72_hours_ever_more_rarely() {
        let ended = Timestamp::from_millis(1_700_000_000_000);
        let (mut now, mut count) = (ended, 0);
        while let Some(at) = after_silence(now.since(ended), Duration::from_mins(8), now) {
            assert!(at.since(now) >= Duration::from_mins(8) && at.since(ended) <= CHASE.saturating_mul(2));
            now = at;
            count += 1;
        }
        assert!(now.since(ended) >= CHASE && (15..40).contains(&count), "{count}");
    }
}
