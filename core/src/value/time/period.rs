//! Lengths of time as merchants write them.
//!
//! The caller decides the shortest and the longest period.

use alloc::format;
use alloc::string::String;
use core::time::Duration;

use super::digits::take_digits;

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;
const WEEK: u64 = 7 * DAY;

/// Reads a period of whole seconds from one of these forms:
///
/// - days and a time: `1 00:00:00`
/// - hours, minutes, seconds: `00:50:00`, with hours above 23 allowed
/// - seconds: `300`
/// - ISO 8601 in capitals with weeks, days, hours, minutes and seconds: `P1D`, `PT15M`, `P1DT2H`
///
/// `None` for anything else, including signs, fractions, years and months.
///
/// ```
/// use core::time::Duration;
/// use checkout_core::value::time::parse_period;
///
/// assert_eq!(parse_period("1 00:00:00"), Some(Duration::from_hours(24)));
/// ```
#[must_use]
pub fn parse_period(text: &str) -> Option<Duration> {
    let seconds = if let Some(rest) = text.strip_prefix('P') {
        parse_iso(rest)?
    } else if let Some((days, time)) = text.split_once(' ') {
        let (hours, seconds) = parse_clock(time)?;
        if hours > 23 {
            return None;
        }
        parse_number(days)?.checked_mul(DAY)?.checked_add(seconds)?
    } else if text.contains(':') {
        parse_clock(text)?.1
    } else {
        parse_number(text)?
    };
    Some(Duration::from_secs(seconds))
}

/// The texts that [`parse_period`] reads, as a regular expression.
pub const PERIOD_PATTERN: &str = "^([0-9]+|[0-9]+:[0-5][0-9]:[0-5][0-9]|[0-9]+ ([01]?[0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\
    |P((([0-9]+W)?[0-9]+D|[0-9]+W)(T([0-9]+H([0-9]+M)?([0-9]+S)?|[0-9]+M([0-9]+S)?|[0-9]+S))?\
    |T([0-9]+H([0-9]+M)?([0-9]+S)?|[0-9]+M([0-9]+S)?|[0-9]+S)))$";

/// Prints a period in whole seconds as the API shows it: `1 00:00:00`, and `00:50:00` below one day.
#[must_use]
pub fn print_period(period: Duration) -> String {
    let seconds = period.as_secs();
    let (days, hours) = (seconds / DAY, seconds % DAY / HOUR);
    let (minutes, seconds) = (seconds % HOUR / MINUTE, seconds % MINUTE);
    let clock = format!("{hours:02}:{minutes:02}:{seconds:02}");
    if days > 0 { format!("{days} {clock}") } else { clock }
}

/// `HH:MM:SS` as its hours and its total in seconds.
fn parse_clock(text: &str) -> Option<(u64, u64)> {
    let (hours, rest) = text.split_once(':')?;
    let hours = parse_number(hours)?;
    let (minutes, rest) = take_digits(rest, 2)?;
    let (seconds, rest) = take_digits(rest.strip_prefix(':')?, 2)?;
    if minutes > 59 || seconds > 59 || !rest.is_empty() {
        return None;
    }
    let total = hours.checked_mul(HOUR)?.checked_add(minutes.checked_mul(MINUTE)?)?.checked_add(seconds)?;
    Some((hours, total))
}

/// What follows the `P` of ISO 8601: each unit at most once, from large to small, at least one after the `T`.
fn parse_iso(text: &str) -> Option<u64> {
    let (date, time) = match text.split_once('T') {
        Some((_, "")) => return None,
        Some((date, time)) => (date, time),
        None if text.is_empty() => return None,
        None => (text, ""),
    };
    let days = parse_units(date, &[('W', WEEK), ('D', DAY)])?;
    days.checked_add(parse_units(time, &[('H', HOUR), ('M', MINUTE), ('S', 1)])?)
}

fn parse_units(text: &str, units: &[(char, u64)]) -> Option<u64> {
    let mut total: u64 = 0;
    let mut rest = text;
    for &(letter, seconds) in units {
        if let Some((count, after)) = rest.split_once(letter) {
            total = parse_number(count)?.checked_mul(seconds)?.checked_add(total)?;
            rest = after;
        }
    }
    rest.is_empty().then_some(total)
}

/// One or more ASCII digits.
fn parse_number(text: &str) -> Option<u64> {
    take_digits(text, text.len()).map(|(number, _)| number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(text: &str) -> Option<u64> {
        parse_period(text).map(|period| period.as_secs())
    }

    #[test]
    fn reads_every_documented_form() {
        for (text, expected) in [
            ("1 00:00:00", 86_400),
            ("0 00:00:05", 5),
            ("365 23:59:59", 31_622_399),
            ("00:50:00", 3_000),
            ("1:00:00", 3_600),
            ("36:00:00", 129_600),
            ("300", 300),
            ("0", 0),
            ("P1D", 86_400),
            ("P1W", 604_800),
            ("PT15M", 900),
            ("P1DT2H", 93_600),
            ("P1W2DT3H4M5S", 788_645),
            ("PT90S", 90),
            ("PT0S", 0),
        ] {
            assert_eq!(seconds(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn refuses_other_forms() {
        for text in [
            "",
            " ",
            "50:00",
            "00:60:00",
            "00:00:60",
            "1 24:00:00",
            "-1",
            "+1",
            "1.5",
            "1d",
            "1 day, 00:00:00",
            "-1 00:00:00",
            "1  00:00:00",
            "1 00:00",
            " 00:00:01",
            "00:00:01 ",
            "00:00:1",
            "00:00:01.5",
            "P",
            "PT",
            "P1DT",
            "P1Y",
            "P1M",
            "P1Y1D",
            "PT1D",
            "P1H",
            "PT1S1M",
            "P1D1D",
            "PT1.5S",
            "P-1D",
            "-P1D",
            "p1d",
            "pt1h",
            "1T",
            "P1",
            "PD",
            "1:2:3",
            "P1D2",
            "P 1D",
            "١",
            "10:٠٠:00",
        ] {
            assert_eq!(seconds(text), None, "{text:?}");
        }
    }

    #[test]
    fn refuses_what_no_counter_holds() {
        for text in [
            "99999999999999999999",
            "999999999999999999 00:00:00",
            "P99999999999999999W",
            "18446744073709551615:00:00",
        ] {
            assert_eq!(seconds(text), None, "{text}");
        }
    }

    #[test]
    fn prints_days_only_from_one_day_on() {
        for (period, text) in
            [(0, "00:00:00"), (3_000, "00:50:00"), (86_399, "23:59:59"), (86_400, "1 00:00:00")]
        {
            assert_eq!(print_period(Duration::from_secs(period)), text);
        }
        assert_eq!(print_period(Duration::from_millis(1_999)), "00:00:01");
        assert_eq!(print_period(Duration::MAX), "213503982334601 07:00:15");
    }
}
