//! Days of the calendar without a time.

use alloc::format;
use alloc::string::String;
use core::fmt;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::digits::take_digits;

/// A day of the Gregorian calendar, within the years 1 to 9999.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date(time::Date);

/// The Julian day of 1970-01-01.
const EPOCH: i64 = 2_440_588;
/// The names of the months in an HTTP date.
const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

impl Date {
    /// Reads `2026-11-21` or `21/11/2026`; `None` for other forms and for days that do not exist.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (year, month, day) = if text.as_bytes().contains(&b'/') {
            let (day, rest) = take_digits(text, 2)?;
            let (month, rest) = take_digits(rest.strip_prefix('/')?, 2)?;
            (whole(rest.strip_prefix('/')?, 4)?, month, day)
        } else {
            let (year, rest) = take_digits(text, 4)?;
            let (month, rest) = take_digits(rest.strip_prefix('-')?, 2)?;
            (year, month, whole(rest.strip_prefix('-')?, 2)?)
        };
        Self::new(year, month, day)
    }

    /// Reads the day of an HTTP date: `06 Nov 1994`.
    pub(super) fn parse_http(text: &str) -> Option<Self> {
        let (day, rest) = take_digits(text, 2)?;
        let (name, year) = rest.strip_prefix(' ')?.split_once(' ')?;
        let month = MONTHS.iter().position(|known| *known == name)?.checked_add(1)?;
        Self::new(whole(year, 4)?, u64::try_from(month).ok()?, day)
    }

    fn new(year: u64, month: u64, day: u64) -> Option<Self> {
        let year = i32::try_from(year).ok().filter(|year| *year > 0)?;
        let month = time::Month::try_from(u8::try_from(month).ok()?).ok()?;
        time::Date::from_calendar_date(year, month, u8::try_from(day).ok()?).ok().map(Self)
    }

    /// The day that many days after 1970-01-01; `None` outside the years 1 to 9999.
    pub(super) fn from_days(days: i64) -> Option<Self> {
        let julian = i32::try_from(days.checked_add(EPOCH)?).ok()?;
        let date = time::Date::from_julian_day(julian).ok()?;
        (1..=9_999).contains(&date.year()).then_some(Self(date))
    }

    /// The day so many days later, or earlier if that is below zero; `None` outside the years 1 to 9999.
    #[must_use]
    pub(crate) fn plus_days(self, days: i64) -> Option<Self> {
        Self::from_days(self.days().checked_add(days)?)
    }

    /// How many days after an earlier day this one is; below zero when it is before it.
    #[must_use]
    pub(crate) fn days_since(self, earlier: Self) -> i64 {
        self.days().saturating_sub(earlier.days())
    }

    /// ISO 8601: `2026-11-21`.
    pub(super) fn text(self) -> String {
        format!("{:04}-{:02}-{:02}", self.0.year(), u8::from(self.0.month()), self.0.day())
    }

    /// How many days after 1970-01-01 it is; negative before.
    pub(super) fn days(self) -> i64 {
        i64::from(self.0.to_julian_day()).saturating_sub(EPOCH)
    }

    /// The name of the day in an HTTP date.
    pub(super) fn day_name(self) -> &'static str {
        match self.0.weekday() {
            time::Weekday::Monday => "Mon",
            time::Weekday::Tuesday => "Tue",
            time::Weekday::Wednesday => "Wed",
            time::Weekday::Thursday => "Thu",
            time::Weekday::Friday => "Fri",
            time::Weekday::Saturday => "Sat",
            time::Weekday::Sunday => "Sun",
        }
    }
}

/// Exactly that many digits and nothing after them.
fn whole(text: &str, count: usize) -> Option<u64> {
    take_digits(text, count).filter(|(_, rest)| rest.is_empty()).map(|(value, _)| value)
}

/// Prints ISO 8601: `2026-11-21`.
impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text())
    }
}

impl fmt::Debug for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for Date {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Date {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| D::Error::custom("must be a date such as 2026-11-21"))
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    #[test]
    fn reads_year_first_and_day_first_and_prints_year_first() {
        assert_eq!(Date::parse("2026-11-21").unwrap().to_string(), "2026-11-21");
        assert_eq!(Date::parse("21/11/2026").unwrap().to_string(), "2026-11-21");
        assert_eq!(Date::parse("01/02/0001").unwrap().to_string(), "0001-02-01");
    }

    #[test]
    fn only_days_that_exist_are_dates() {
        assert!(Date::parse("2028-02-29").is_some());
        for text in
            ["2026-02-29", "29/02/1900", "2026-13-01", "2026-00-01", "2026-01-00", "31/04/2026", "0000-01-01"]
        {
            assert_eq!(Date::parse(text), None, "{text}");
        }
    }

    #[test]
    fn other_forms_are_refused() {
        for text in [
            "",
            "2026",
            "2026-1-1",
            "1/1/2026",
            "2026/11/21",
            "21-11-2026",
            "11/21/2026",
            "20261121",
            "2026-11-21 ",
            " 2026-11-21",
            "2026-11-21T00:00",
            "+026-11-21",
            "21/11/26",
            "٢٠٢٦-١١-٢١",
            "2026-11-2é",
            "12026-01-01",
        ] {
            assert_eq!(Date::parse(text), None, "{text:?}");
        }
    }

    #[test]
    fn dates_are_ordered_by_the_calendar() {
        assert!(Date::parse("31/01/2026") < Date::parse("01/02/2026"));
    }

    #[test]
    fn days_are_counted_over_the_ends_of_months_and_of_the_calendar() {
        let day = |text| Date::parse(text).unwrap();
        assert_eq!(day("2028-02-28").plus_days(2), Some(day("2028-03-01")));
        assert_eq!(day("2026-01-01").plus_days(-1), Some(day("2025-12-31")));
        assert_eq!(day("2026-03-01").days_since(day("2025-12-31")), 60);
        assert_eq!(day("9999-12-31").plus_days(1), None);
        assert_eq!(day("0001-01-01").plus_days(-1), None);
    }

    #[test]
    fn stored_as_its_text() {
        let date = Date::parse("21/11/2026").unwrap();
        assert_eq!(serde_json::to_string(&date).unwrap(), "\"2026-11-21\"");
        assert_eq!(serde_json::from_str::<Date>("\"2026-11-21\"").unwrap(), date);
        assert!(serde_json::from_str::<Date>("\"2026-02-30\"").is_err());
    }
}
