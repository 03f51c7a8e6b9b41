//! Until when a card is valid: to the end of a month, in UTC.

use alloc::format;
use alloc::string::String;
use core::time::Duration;

use crate::value::time::{Date, Timestamp};

/// A day in seconds.
const DAY: u64 = 86_400;
/// How many days before its end a card counts as expiring soon.
const SOON_DAYS: u16 = 30;

/// The last month in which a card is valid, in the years 2000 to 2099.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Expiry {
    month: u8,
    year: u8,
}

impl Expiry {
    /// Reads two digits each, `01` to `12` and `00` to `99`.
    #[must_use]
    pub fn parse(month: &str, year: &str) -> Option<Self> {
        let two = |text: &str| {
            let is_two = text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit());
            is_two.then(|| text.parse::<u8>().ok()).flatten()
        };
        let month = two(month).filter(|month| (1..=12).contains(month))?;
        Some(Self { month, year: two(year)? })
    }

    /// The month, two digits.
    #[must_use]
    pub fn month(self) -> String {
        format!("{:02}", self.month)
    }

    /// The year, two digits.
    #[must_use]
    pub fn year(self) -> String {
        format!("{:02}", self.year)
    }

    /// The moment from which it is expired.
    #[must_use]
    pub(crate) fn ends_at(self) -> Timestamp {
        let year = u16::from(self.year).saturating_add(2_000);
        let (month, year) =
            if self.month >= 12 { (1, year.saturating_add(1)) } else { (self.month.saturating_add(1), year) };
        // Every first of a month exists.
        let first = Date::parse(&format!("{year:04}-{month:02}-01"));
        first.map_or(Timestamp::from_millis(0), Date::begins_at)
    }

    /// Whether it is expired.
    #[must_use]
    pub fn is_over(self, now: Timestamp) -> bool {
        now >= self.ends_at()
    }

    /// Whether it will be expired so many days from now.
    #[must_use]
    pub(crate) fn ends_within(self, days: u16, now: Timestamp) -> bool {
        self.ends_at() < now.plus(Duration::from_secs(u64::from(days).saturating_mul(DAY)))
    }

    /// Whether it ends with the month in which `now` is.
    #[must_use]
    pub(crate) fn is_last_month(self, now: Timestamp) -> bool {
        let now = format!("{now}");
        now.get(2..7) == Some(&format!("{}-{}", self.year(), self.month()))
    }

    /// Whether it ends within 30 days, and is not over.
    #[must_use]
    pub(crate) fn ends_soon(self, now: Timestamp) -> bool {
        !self.is_over(now) && self.ends_within(SOON_DAYS, now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        Timestamp::parse(text).unwrap()
    }

    #[test]
    fn a_card_is_good_to_the_end_of_its_month() {
        let expiry = Expiry::parse("12", "39").unwrap();
        assert_eq!((expiry.month(), expiry.year()), ("12".into(), "39".into()));
        assert_eq!(expiry.ends_at(), at("2040-01-01T00:00:00Z"));
        assert!(!expiry.is_over(at("2039-12-31T23:59:59.999Z")));
        assert!(expiry.is_over(at("2040-01-01T00:00:00Z")));
    }

    #[test]
    fn a_card_that_ends_within_the_days_asked_for_is_known_before() {
        let expiry = Expiry::parse("03", "30").unwrap();
        assert!(!expiry.ends_within(30, at("2030-03-02T00:00:00Z")));
        assert!(expiry.ends_within(30, at("2030-03-02T00:00:00.001Z")));
        assert!(!expiry.ends_soon(at("2030-03-02T00:00:00Z")));
        assert!(expiry.ends_soon(at("2030-03-31T00:00:00Z")));
        assert!(!expiry.ends_soon(at("2030-04-01T00:00:00Z")));
    }

    #[test]
    fn the_last_month_of_a_card_is_that_of_its_date() {
        let expiry = Expiry::parse("03", "30").unwrap();
        for (now, is_last) in [
            ("2030-02-28T23:59:59Z", false),
            ("2030-03-01T00:00:00Z", true),
            ("2030-03-31T23:59:59Z", true),
            ("2030-04-01T00:00:00Z", false),
            ("2031-03-01T00:00:00Z", false),
        ] {
            assert_eq!(expiry.is_last_month(at(now)), is_last, "{now}");
        }
    }

    #[test]
    fn only_two_digits_each_of_a_month_and_a_year_are_an_expiry() {
        for (month, year) in
            [("0", "39"), ("00", "39"), ("13", "39"), ("1", "39"), ("01", "2039"), ("+1", "39"), ("", "")]
        {
            assert_eq!(Expiry::parse(month, year), None, "{month}/{year}");
        }
    }
}
