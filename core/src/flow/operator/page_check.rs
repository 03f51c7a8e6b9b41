//! Whether browsers get the pages, scripts and headers that the build published (PCI DSS 11.6.1): once an hour the
//! installation requests its own addresses, as a browser does, and compares the answers.
//!
//! The outcome is kept for the metrics; what differs is for the log. An address without an answer is counted separately:
//! it says nothing about its bytes.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::time::Duration;

use sha2::{Digest, Sha256};

use crate::access::quota::day_of;
use crate::gateway::exchange::Incoming;
use crate::port::{Cache, Clock, Counters, PortError, SendError, World};
use crate::value::time::Timestamp;

/// How much time there is between two checks, at least.
const EVERY: Duration = Duration::from_hours(1);
/// The name of the outcome in the cache, and of the count of the checks of an hour.
const NAME: &str = "page-check";
/// For how long the outcome of the last check is known.
const LIFE: Duration = Duration::from_hours(24 * 8);

/// An address of the installation, and what a browser is to get there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpectedPage {
    /// The path.
    pub path: String,
    /// The status.
    pub status: u16,
    /// The SHA-256 of the body.
    pub sha256: [u8; 32],
    /// Headers that matter for security, by lower-case names.
    pub headers: Vec<(&'static str, String)>,
}

/// Something that a browser does not get as it was published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The address.
    pub path: String,
    /// `status`, `body`, or the name of a header.
    pub part: &'static str,
}

/// The outcome of one check.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CheckOutcome {
    /// How many addresses were requested.
    pub requested: usize,
    /// How many of them gave no answer.
    pub unanswered: usize,
    /// What differs.
    pub differences: Vec<Difference>,
}

/// What the metrics show of the last check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LastCheck {
    /// When it was.
    pub at: Timestamp,
    /// How many addresses gave no answer.
    pub unanswered: u64,
    /// How many parts of answers differed.
    pub differences: u64,
}

impl LastCheck {
    fn write(&self) -> String {
        format!("{} {} {}", self.at.millis(), self.unanswered, self.differences)
    }

    fn read(text: &str) -> Option<Self> {
        let mut parts = text.split(' ');
        let at = Timestamp::from_millis(parts.next()?.parse().ok()?);
        let unanswered = parts.next()?.parse().ok()?;
        let differences = parts.next()?.parse().ok()?;
        parts.next().is_none().then_some(Self { at, unanswered, differences })
    }
}

/// The last check; `None` if none is known.
///
/// # Errors
/// If the cache cannot be read.
pub async fn last(world: &impl World) -> Result<Option<LastCheck>, PortError> {
    Ok(world.cache().read(NAME).await?.as_deref().and_then(LastCheck::read))
}

/// Checks, unless a check was made in the last hour or, as the counter knows at once everywhere, in this hour of the day:
///
/// 1. is a check due;
/// 2. request each address and compare;
/// 3. note the outcome.
///
/// # Errors
/// If the cache or the counter fails.
pub async fn check(
    world: &impl World,
    expected: impl FnOnce() -> Vec<ExpectedPage>,
    request: impl AsyncFn(&str) -> Result<Incoming, SendError>,
) -> Result<Option<CheckOutcome>, PortError> {
    // 1
    let now = world.clock().now();
    if last(world).await?.is_some_and(|last| now.since(last.at) < EVERY) {
        return Ok(None);
    }
    let hour = now.millis().div_euclid(3_600_000).rem_euclid(24);
    if world.directory().count_calls(&format!("{NAME} {hour}"), day_of(now), 1).await? > 1 {
        return Ok(None);
    }
    // 2
    let mut found = CheckOutcome::default();
    for one in expected() {
        found.requested = found.requested.saturating_add(1);
        match request(&one.path).await {
            Ok(answer) => found.differences.extend(differences(&one, &answer)),
            Err(SendError::NotSent | SendError::Unknown) => {
                found.unanswered = found.unanswered.saturating_add(1);
            }
        }
    }
    // 3
    let wide = |count: usize| u64::try_from(count).unwrap_or(u64::MAX);
    let note =
        LastCheck { at: now, unanswered: wide(found.unanswered), differences: wide(found.differences.len()) };
    world.cache().write(NAME, &note.write(), LIFE).await?;
    Ok(Some(found))
}

/// What of an answer is not as expected.
fn differences(expected: &ExpectedPage, answer: &Incoming) -> Vec<Difference> {
    let difference = |part| Difference { path: expected.path.clone(), part };
    let mut found = Vec::new();
    if answer.status != expected.status {
        found.push(difference("status"));
    }
    if Sha256::digest(&answer.body).as_slice() != expected.sha256.as_slice() {
        found.push(difference("body"));
    }
    let headers = expected.headers.iter();
    let changed = headers.filter(|(name, value)| answer.header(name) != Some(value.as_str()));
    found.extend(changed.map(|(name, _)| difference(name)));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expected() -> ExpectedPage {
        ExpectedPage {
            path: "/pkg/a.js".into(),
            status: 200,
            sha256: Sha256::digest(b"let a").into(),
            headers: Vec::from([("x-content-type-options", "nosniff".into())]),
        }
    }

    fn answer(status: u16, body: &[u8], headers: &[(&str, &str)]) -> Incoming {
        let headers = headers.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
        Incoming { status, query: String::new(), headers, body: body.into() }
    }

    fn parts(answer: &Incoming) -> Vec<&'static str> {
        differences(&expected(), answer).into_iter().map(|difference| difference.part).collect()
    }

    #[test]
    fn an_answer_as_it_was_published_has_no_difference() {
        let more = [("x-content-type-options", "nosniff"), ("cf-ray", "1")];
        assert!(parts(&answer(200, b"let a", &more)).is_empty());
    }

    #[test]
    fn a_change_of_any_part_is_a_difference() {
        let nosniff = [("x-content-type-options", "nosniff")];
        assert_eq!(parts(&answer(404, b"let a", &nosniff)), ["status"]);
        assert_eq!(parts(&answer(200, b"let a;", &nosniff)), ["body"]);
        assert_eq!(parts(&answer(200, b"let a", &[])), ["x-content-type-options"]);
        let sniff = [("x-content-type-options", "nosniff, x")];
        assert_eq!(parts(&answer(200, b"", &sniff)), ["body", "x-content-type-options"]);
    }

    #[test]
    fn the_outcome_is_read_as_it_was_written() {
        let last = LastCheck { at: Timestamp::from_millis(1_700_000_000_000), unanswered: 1, differences: 2 };
        assert_eq!(LastCheck::read(&last.write()), Some(last));
        for text in ["", "1", "1 2", "1 2 x", "1 2 3 4"] {
            assert_eq!(LastCheck::read(text), None, "{text}");
        }
    }
}
