//! How long a gateway holds money that was not captured yet.

use core::time::Duration;

use super::Attempt;
use crate::record::attention::{Attention, Reason};
use crate::record::facts::{FactCode, Facts};
use crate::value::id::{MerchantId, ReferenceNumber, SessionId};
use crate::value::time::Timestamp;

const DAY: Duration = Duration::from_hours(24);
/// How long before the end a person is reminded, at the least and at the most.
const REMINDED: [Duration; 2] = [DAY, Duration::from_hours(3 * 24)];

/// Money that is held until a moment, and not wholly captured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaptureDeadline {
    /// The transaction.
    pub session_id: SessionId,
    /// Whose it is.
    pub merchant: MerchantId,
    /// The attempt whose money it is.
    pub reference: ReferenceNumber,
    /// When the gateway's time for that is over.
    pub capture_by: Timestamp,
    /// When a person is reminded; `None` once that was done.
    pub remind_at: Option<Timestamp>,
}

/// What a change means for the deadline of its transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HoldWrite {
    /// Money is held from now on.
    Begin(CaptureDeadline),
    /// Nothing is left that could be captured. The reminder about this attempt is closed.
    End(ReferenceNumber),
}

impl CaptureDeadline {
    /// The deadline of what an attempt holds at a gateway where it can be captured for so many days. They are counted from the
    /// beginning of the attempt, which is never later than the hold itself. A person is reminded when a quarter of the time is
    /// left.
    #[must_use]
    pub(crate) fn of(attempt: &Attempt, days: u16) -> Self {
        let held = DAY.saturating_mul(days.into());
        let capture_by = attempt.opened_at.plus(held);
        Self {
            session_id: attempt.session_id.clone(),
            merchant: attempt.merchant.clone(),
            reference: attempt.reference.clone(),
            capture_by,
            remind_at: Some(capture_by.minus(left_when_reminded(held))),
        }
    }

    /// The entry of the attention list.
    #[must_use]
    pub(crate) fn reminder(&self, at: Timestamp) -> Attention {
        let values = [&*self.capture_by.text()];
        let detail = Facts::default().and(FactCode::CaptureBefore, &values);
        Attention {
            merchant: self.merchant.clone(),
            session_id: Some(self.session_id.clone()),
            reference: self.reference.clone(),
            reason: Reason::CaptureDue,
            detail,
            at,
        }
    }
}

/// How much of a time is left when a person is reminded.
fn left_when_reminded(held: Duration) -> Duration {
    let [least, most] = REMINDED;
    held.checked_div(4).unwrap_or(least).clamp(least, most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_is_reminded_a_quarter_before_the_end_a_day_at_least_and_three_at_most() {
        let hours = |days: u32| left_when_reminded(DAY.saturating_mul(days)).as_secs() / 3_600;
        assert_eq!([0, 1, 4, 5, 7, 12, 21, 30].map(hours), [24, 24, 24, 30, 42, 72, 72, 72]);
    }
}
