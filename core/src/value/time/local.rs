//! A moment as clocks of a place show it.

use alloc::format;
use alloc::string::String;

use super::date::Date;
use super::timestamp::Timestamp;

const MILLIS_PER_MINUTE: i64 = 60_000;
const MILLIS_PER_DAY: i64 = 86_400_000;

/// A moment, and how far the clocks of a place are ahead of UTC then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Local {
    /// The moment.
    pub at: Timestamp,
    /// By how many minutes the clocks are ahead; negative west of Greenwich.
    pub ahead: i16,
}

impl From<Timestamp> for Local {
    /// The moment in UTC.
    fn from(at: Timestamp) -> Self {
        Self { at, ahead: 0 }
    }
}

impl Local {
    /// What a clock there shows: `2026-11-21T04:02:03` and a letter that says nothing.
    pub(crate) fn text(self) -> String {
        let ahead = i64::from(self.ahead).saturating_mul(MILLIS_PER_MINUTE);
        Timestamp::from_millis(self.at.millis().saturating_add(ahead)).text()
    }

    /// The day that a calendar there shows; `None` outside the years 1 to 9999.
    #[must_use]
    pub fn day(self) -> Option<Date> {
        let ahead = i64::from(self.ahead).saturating_mul(MILLIS_PER_MINUTE);
        Date::from_days(self.at.millis().saturating_add(ahead).div_euclid(MILLIS_PER_DAY))
    }

    /// How far the clocks are ahead: `UTC+3`, `UTC-3:30`, `UTC`.
    pub(crate) fn offset(self) -> String {
        let sign = if self.ahead < 0 { '-' } else { '+' };
        let minutes = self.ahead.unsigned_abs();
        match (minutes.div_euclid(60), minutes.rem_euclid(60)) {
            (0, 0) => "UTC".into(),
            (hours, 0) => format!("UTC{sign}{hours}"),
            (hours, minutes) => format!("UTC{sign}{hours}:{minutes:02}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    #[test]
    fn a_clock_shows_the_day_of_its_place() {
        let at = Timestamp::parse("2026-12-31T22:30:00Z").unwrap();
        for (ahead, text, offset) in [
            (0, "2026-12-31T22:30:00Z", "UTC"),
            (180, "2027-01-01T01:30:00Z", "UTC+3"),
            (330, "2027-01-01T04:00:00Z", "UTC+5:30"),
            (-210, "2026-12-31T19:00:00Z", "UTC-3:30"),
            (-25, "2026-12-31T22:05:00Z", "UTC-0:25"),
        ] {
            let local = Local { at, ahead };
            assert_eq!((local.text().as_str(), local.offset().as_str()), (text, offset));
            assert_eq!(Some(local.day().unwrap().to_string().as_str()), text.split('T').next());
        }
    }
}
