//! A moment.

use alloc::format;
use alloc::string::String;
use core::fmt;
use core::time::Duration;

use serde::{Deserialize, Serialize};

use super::date::Date;
use super::digits::take_digits;

const MILLIS_PER_DAY: i64 = 86_400_000;

/// 0001-01-01T00:00:00.000Z
const MIN_MILLIS: i64 = -62_135_596_800_000;

/// 9999-12-31T23:59:59.999Z
const MAX_MILLIS: i64 = 253_402_300_799_999;

/// A moment in milliseconds since 1970-01-01 in UTC, stored as that number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(from = "i64", into = "i64")]
pub struct Timestamp(i64);

impl Timestamp {
    /// A moment by its milliseconds; one outside the years 1 to 9999 becomes the nearest moment inside.
    #[must_use]
    pub const fn from_millis(millis: i64) -> Self {
        if millis < MIN_MILLIS {
            Self(MIN_MILLIS)
        } else if millis > MAX_MILLIS {
            Self(MAX_MILLIS)
        } else {
            Self(millis)
        }
    }

    /// Milliseconds since 1970-01-01 in UTC; negative before.
    #[must_use]
    pub const fn millis(self) -> i64 {
        self.0
    }

    /// Whole seconds since 1970-01-01 in UTC, rounded down.
    #[must_use]
    pub const fn seconds(self) -> i64 {
        self.0.div_euclid(1_000)
    }

    /// The moment that much later, at most the end of the year 9999. Parts of a millisecond are dropped.
    #[must_use]
    pub fn plus(self, duration: Duration) -> Self {
        let millis = i64::try_from(duration.as_millis()).unwrap_or(i64::MAX);
        Self::from_millis(self.0.saturating_add(millis))
    }

    /// `duration` earlier, at the earliest the beginning of year 1.
    #[must_use]
    pub fn minus(self, duration: Duration) -> Self {
        let millis = i64::try_from(duration.as_millis()).unwrap_or(i64::MAX);
        Self::from_millis(self.0.saturating_sub(millis))
    }

    /// Reads an HTTP date in its preferred form (RFC 9110, 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
    #[must_use]
    pub(crate) fn parse_http_date(text: &str) -> Option<Self> {
        let (day_name, rest) = text.split_once(", ")?;
        let (date, rest) = rest.split_at_checked(11)?;
        let date = Date::parse_http(date).filter(|date| date.day_name() == day_name)?;
        let time = rest.strip_prefix(' ')?.strip_suffix(" GMT").filter(|time| time.len() == 8)?;
        let millis = date.days().checked_mul(MILLIS_PER_DAY)?.checked_add(parse_time(time)?)?;
        Some(Self::from_millis(millis))
    }

    /// RFC 3339 in UTC with whole seconds: `2026-11-21T01:02:03Z`.
    #[must_use]
    pub(crate) fn text(self) -> String {
        let seconds = self.0.rem_euclid(MILLIS_PER_DAY).div_euclid(1_000);
        let (minutes, second) = (seconds.div_euclid(60), seconds.rem_euclid(60));
        let (hour, minute) = (minutes.div_euclid(60), minutes.rem_euclid(60));
        // Every moment is inside the calendar.
        let day = Date::from_days(self.0.div_euclid(MILLIS_PER_DAY)).map(Date::text).unwrap_or_default();
        format!("{day}T{hour:02}:{minute:02}:{second:02}Z")
    }

    /// How long after an earlier moment this one is; zero when it is not after it.
    #[must_use]
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_millis(u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0))
    }

    /// Reads a moment from one of these forms; a form without a zone is in UTC:
    ///
    /// - RFC 3339, with `T` or a space, with `Z` or an offset: `2026-11-21T04:02:03.250+03:00`
    /// - the same with an offset as ISO 8601 permits it too: `+0300`, `+03`
    /// - the same without a zone, or without seconds: `2026-11-21 01:02`
    /// - day first, always in UTC: `21/11/2026 01:02`, `21/11/2026 01:02:03`
    ///
    /// Parts of a millisecond are dropped. Leap seconds and the hour 24 are refused.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (date, rest) = text.split_at_checked(10)?;
        let day_first = date.as_bytes().contains(&b'/');
        let date = Date::parse(date)?;
        let rest = if day_first { rest.strip_prefix(' ') } else { rest.strip_prefix(['T', 't', ' ']) }?;
        let (time, zone) = match rest.find(['Z', 'z', '+', '-']) {
            Some(place) => rest.split_at_checked(place)?,
            None => (rest, ""),
        };
        if day_first && (time.as_bytes().contains(&b'.') || !zone.is_empty()) {
            return None;
        }
        let local = date.days().checked_mul(MILLIS_PER_DAY)?.checked_add(parse_time(time)?)?;
        let millis = local.checked_sub(parse_offset_millis(zone)?)?;
        (MIN_MILLIS..=MAX_MILLIS).contains(&millis).then_some(Self(millis))
    }
}

impl Date {
    /// Its first moment, in UTC.
    #[must_use]
    pub fn begins_at(self) -> Timestamp {
        Timestamp::from_millis(self.days().saturating_mul(MILLIS_PER_DAY))
    }
}

/// `HH:MM`, `HH:MM:SS` or `HH:MM:SS.fraction` with up to nine decimals, in milliseconds since midnight.
fn parse_time(text: &str) -> Option<i64> {
    let (hour, rest) = take_digits(text, 2)?;
    let (minute, rest) = take_digits(rest.strip_prefix(':')?, 2)?;
    let (second, rest) = match rest.strip_prefix(':') {
        Some(rest) => take_digits(rest, 2)?,
        None if rest.is_empty() => (0, rest),
        None => return None,
    };
    let millis = match rest.strip_prefix('.') {
        Some(fraction) => parse_fraction(fraction)?,
        None if rest.is_empty() => 0,
        None => return None,
    };
    if hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let seconds = hour.checked_mul(3_600)?.checked_add(minute.checked_mul(60)?)?.checked_add(second)?;
    i64::try_from(seconds.checked_mul(1_000)?.checked_add(millis)?).ok()
}

/// One to nine decimals of a second, in whole milliseconds.
fn parse_fraction(text: &str) -> Option<u64> {
    let (digits, rest) = take_digits(text, text.len())?;
    let missing = 9_usize.checked_sub(text.len())?;
    if text.is_empty() || !rest.is_empty() {
        return None;
    }
    let factor = 10_u64.checked_pow(u32::try_from(missing).ok()?)?;
    digits.checked_mul(factor)?.checked_div(1_000_000)
}

/// The offset from UTC, given as nothing, `Z`, `±HH:MM`, `±HHMM` or `±HH` (ISO 8601), in milliseconds.
fn parse_offset_millis(text: &str) -> Option<i64> {
    if matches!(text, "" | "Z" | "z") {
        return Some(0);
    }
    let (sign, rest) =
        if let Some(rest) = text.strip_prefix('+') { (1, rest) } else { (-1, text.strip_prefix('-')?) };
    let (hours, rest) = take_digits(rest, 2)?;
    let (minutes, rest) =
        if rest.is_empty() { (0, rest) } else { take_digits(rest.strip_prefix(':').unwrap_or(rest), 2)? };
    if hours > 23 || minutes > 59 || !rest.is_empty() {
        return None;
    }
    let minutes = i64::try_from(hours.checked_mul(60)?.checked_add(minutes)?).ok()?;
    minutes.checked_mul(60_000)?.checked_mul(sign)
}

impl From<i64> for Timestamp {
    fn from(millis: i64) -> Self {
        Self::from_millis(millis)
    }
}

impl From<Timestamp> for i64 {
    fn from(moment: Timestamp) -> Self {
        moment.0
    }
}

/// Prints RFC 3339 in UTC with whole seconds: `2026-11-21T01:02:03Z`.
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text())
    }
}

#[cfg(test)]
mod tests;
