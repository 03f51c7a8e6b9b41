use alloc::vec::Vec;
use core::time::Duration;

use super::*;

const MIDDLE: u8 = 128;
/// How many times a delivery is tried, the first time included, before it is given up.
const MAX_TRIES: usize = RETRY_SECONDS.len() + 1;

/// 2026-11-21T00:00:00Z.
fn now() -> Timestamp {
    Timestamp::from_millis(1_795_219_200_000)
}

fn wait(failed_tries: u32, jitter: u8, retry_after: Option<u64>) -> Option<Duration> {
    next_try(failed_tries, now(), jitter, retry_after.map(Duration::from_secs)).map(|at| at.since(now()))
}

#[test]
fn status_200_redirects_201_stays_410_is_gone_and_every_other_status_is_retried() {
    for status in 100..=999 {
        let expected = match status {
            200 => AnswerEffect::Redirect,
            201 => AnswerEffect::Stay,
            410 => AnswerEffect::Gone,
            _ => AnswerEffect::Retry,
        };
        assert_eq!(ReceiverAnswer::Status(status, None).effect(), expected, "{status}");
    }
}

#[test]
fn no_answer_is_retried() {
    assert_eq!(ReceiverAnswer::NoAnswer.effect(), AnswerEffect::Retry);
    assert_eq!(ReceiverAnswer::NoAnswer.retry_after(), None);
}

#[test]
fn retry_after_does_not_change_the_meaning_of_a_status() {
    let asked = Some(Duration::from_secs(9));
    assert_eq!(ReceiverAnswer::Status(200, asked).effect(), AnswerEffect::Redirect);
    assert_eq!(ReceiverAnswer::Status(503, asked).effect(), AnswerEffect::Retry);
    assert_eq!(ReceiverAnswer::Status(503, asked).retry_after(), asked);
}

#[test]
fn the_waits_are_1_5_30_minutes_then_2_5_10_14_20_24_hours_within_a_fifth() {
    let minutes = [1, 5, 30, 120, 300, 600, 840, 1_200, 1_440];
    for (failed_tries, minutes) in (1..).zip(minutes) {
        let scheduled = Duration::from_secs(minutes * 60);
        assert_eq!(wait(failed_tries, 0, None), Some(scheduled * 4 / 5), "least of {failed_tries}");
        assert_eq!(wait(failed_tries, 255, None), Some(scheduled * 6 / 5), "most of {failed_tries}");
        let middle = wait(failed_tries, MIDDLE, None).unwrap();
        assert!(middle.abs_diff(scheduled) <= scheduled / 500, "middle of {failed_tries}: {middle:?}");
    }
}

#[test]
fn more_jitter_is_never_a_shorter_wait() {
    let waits: Vec<_> = (0..=255).map(|jitter| wait(4, jitter, None)).collect();
    assert!(waits.is_sorted());
}

#[test]
fn the_tenth_failure_exhausts_the_tries_even_with_retry_after() {
    assert_eq!(MAX_TRIES, 10);
    assert!(wait(9, MIDDLE, None).is_some());
    for failed_tries in [10, 11, u32::MAX] {
        assert_eq!(wait(failed_tries, MIDDLE, None), None);
        assert_eq!(wait(failed_tries, MIDDLE, Some(60)), None);
    }
}

#[test]
fn a_delivery_without_a_failed_try_is_due_now() {
    assert_eq!(wait(0, 255, None), Some(Duration::ZERO));
}

#[test]
fn retry_after_is_the_least_wait() {
    assert_eq!(wait(1, 0, Some(3_600)), Some(Duration::from_hours(1)));
    assert_eq!(wait(3, 0, Some(10)), wait(3, 0, None));
}

#[test]
fn retry_after_is_capped_at_24_hours_and_the_schedule_is_not() {
    assert_eq!(wait(1, 0, Some(u64::MAX)), Some(MAX_RETRY_AFTER));
    assert_eq!(wait(9, 255, Some(u64::MAX)), Some(MAX_RETRY_AFTER * 6 / 5));
}

#[test]
fn retry_after_is_read_as_seconds() {
    let read = |text| parse_retry_after(text, now());
    assert_eq!(read("120"), Some(Duration::from_mins(2)));
    assert_eq!(read(" 0 "), Some(Duration::ZERO));
    assert_eq!(read("86401"), Some(MAX_RETRY_AFTER));
    assert_eq!(read("99999999999999999999999999"), Some(MAX_RETRY_AFTER));
}

#[test]
fn retry_after_is_read_as_an_http_date() {
    let read = |text| parse_retry_after(text, now());
    assert_eq!(read("Sat, 21 Nov 2026 00:01:30 GMT"), Some(Duration::from_secs(90)));
    assert_eq!(read("Fri, 20 Nov 2026 23:59:59 GMT"), Some(Duration::ZERO));
    assert_eq!(read("Sun, 06 Nov 1994 08:49:37 GMT"), Some(Duration::ZERO));
    assert_eq!(read("Tue, 01 Dec 2026 00:00:00 GMT"), Some(MAX_RETRY_AFTER));
}

#[test]
fn another_retry_after_is_ignored() {
    for text in [
        "",
        "-1",
        "+5",
        "1.5",
        "1e3",
        "٣",
        "soon",
        "21 Nov 2026 00:01:30 GMT",
        "Sat, 21 Nov 2026 00:01:30 +0300",
        "Mon, 21 Nov 2026 00:01:30 GMT",
        "Sat, 31 Nov 2026 00:01:30 GMT",
        "2026-11-21T00:01:30Z",
    ] {
        assert_eq!(parse_retry_after(text, now()), None, "{text}");
    }
}
