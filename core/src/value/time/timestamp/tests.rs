use alloc::string::ToString;

use super::*;

/// 2026-11-21T01:02:03Z
const MOMENT: i64 = 1_795_222_923_000;

fn millis(text: &str) -> Option<i64> {
    Timestamp::parse(text).map(Timestamp::millis)
}

#[test]
fn prints_rfc_3339_in_utc_with_whole_seconds() {
    for (moment, text) in [
        (0, "1970-01-01T00:00:00Z"),
        (MOMENT, "2026-11-21T01:02:03Z"),
        (MOMENT + 999, "2026-11-21T01:02:03Z"),
        (-1, "1969-12-31T23:59:59Z"),
        (MIN_MILLIS, "0001-01-01T00:00:00Z"),
        (MAX_MILLIS, "9999-12-31T23:59:59Z"),
    ] {
        assert_eq!(Timestamp::from_millis(moment).to_string(), text);
    }
}

#[test]
fn moments_outside_the_calendar_become_the_nearest_inside() {
    assert_eq!(Timestamp::from_millis(i64::MIN).to_string(), "0001-01-01T00:00:00Z");
    assert_eq!(Timestamp::from_millis(i64::MAX).to_string(), "9999-12-31T23:59:59Z");
}

#[test]
fn reads_every_documented_form() {
    for text in [
        "2026-11-21T01:02:03Z",
        "2026-11-21t01:02:03z",
        "2026-11-21 01:02:03Z",
        "2026-11-21T04:02:03+03:00",
        "2026-11-21T04:02:03+0300",
        "2026-11-21 04:02:03+03",
        "2026-11-20T20:02:03-0500",
        "2026-11-20 20:32:03-04:30",
        "2026-11-21T01:02:03-00:00",
        "2026-11-21T01:02:03.000Z",
        "2026-11-21T01:02:03.000999999Z",
        "2026-11-21T01:02:03",
        "2026-11-21 01:02:03",
        "21/11/2026 01:02:03",
    ] {
        assert_eq!(millis(text), Some(MOMENT), "{text}");
    }
    for text in [
        "2026-11-21T01:02",
        "2026-11-21 01:02",
        "2026-11-21T01:02Z",
        "2026-11-21T03:02+02:00",
        "21/11/2026 01:02",
    ] {
        assert_eq!(millis(text), Some(MOMENT - 3_000), "{text}");
    }
    assert_eq!(millis("2026-11-21T01:02:03.25+00:00"), Some(MOMENT + 250));
    assert_eq!(millis("1969-12-31T23:59:59.999Z"), Some(-1));
}

#[test]
fn refuses_other_forms_and_moments_that_do_not_exist() {
    for text in [
        "",
        "2026-11-21",
        "21/11/2026",
        "2026-11-21T",
        "2026-11-21T01",
        "2026-11-21T1:02",
        "2026-11-21T01:02:3",
        "2026-11-21T01:02:03.",
        "2026-11-21T01:02:03.Z",
        "2026-11-21T01:02:03.0000000001Z",
        "2026-11-21T01:02.5",
        "2026-11-21T24:00:00Z",
        "2026-11-21T23:60:00Z",
        "2016-12-31T23:59:60Z",
        "2026-02-29T00:00:00Z",
        "2026-11-21T01:02:03+24:00",
        "2026-11-21T01:02:03+00:60",
        "2026-11-21T01:02:03+030",
        "2026-11-21T01:02:03+3",
        "2026-11-21T01:02:03+03:",
        "2026-11-21T01:02:03+2400",
        "2026-11-21T01:02:03+03000",
        "2026-11-21T01:02:03+",
        "2026-11-21T01:02:03ZZ",
        "2026-11-21T01:02:03Z+00:00",
        "2026-11-21T01:02:03 Z",
        "2026-11-21  01:02:03",
        "2026-11-21_01:02:03",
        " 2026-11-21T01:02:03Z",
        "2026-11-21T01:02:03Z ",
        "20261121T010203Z",
        "21/11/2026T01:02",
        "21/11/2026 01:02Z",
        "21/11/2026 01:02:03.5",
        "11/21/2026 01:02",
        "0001-01-01T00:00:00+00:01",
        "9999-12-31T23:59:59-00:01",
        "0000-01-01T00:00:00Z",
        "10000-01-01T00:00:00Z",
        "1795222923",
        "٢٠٢٦-١١-٢١T01:02:03Z",
        "2026-11-21T٠١:02:03Z",
        "now",
    ] {
        assert_eq!(millis(text), None, "{text:?}");
    }
}

#[test]
fn what_is_printed_is_read_back() {
    for moment in [MIN_MILLIS, -1_000, 0, MOMENT, MAX_MILLIS - 999] {
        let moment = Timestamp::from_millis(moment);
        assert_eq!(Timestamp::parse(&moment.to_string()), Some(moment));
    }
}

#[test]
fn seconds_are_rounded_down_on_both_sides_of_1970() {
    assert_eq!(
        [-1_001, -1_000, -1, 0, 999, 1_000].map(|ms| Timestamp::from_millis(ms).seconds()),
        [-2, -1, -1, 0, 0, 1]
    );
}

#[test]
fn arithmetic_stops_at_the_ends() {
    let moment = Timestamp::from_millis(MOMENT);
    assert_eq!(moment.plus(Duration::from_mins(1)).millis(), MOMENT + 60_000);
    assert_eq!(moment.plus(Duration::from_micros(1_999)).millis(), MOMENT + 1);
    assert_eq!(moment.plus(Duration::MAX).millis(), MAX_MILLIS);
    let later = moment.plus(Duration::from_mins(1));
    assert_eq!(later.since(moment), Duration::from_mins(1));
    assert_eq!(moment.since(later), Duration::ZERO);
    let whole = Timestamp::from_millis(i64::MAX).since(Timestamp::from_millis(i64::MIN));
    assert_eq!(whole, Duration::from_millis(315_537_897_599_999));
}

#[test]
fn stored_as_milliseconds() {
    let moment = Timestamp::from_millis(MOMENT);
    assert_eq!(serde_json::to_string(&moment).unwrap(), "1795222923000");
    assert_eq!(serde_json::from_str::<Timestamp>("1795222923000").unwrap(), moment);
}
