//! Decides what a receiver's answer means, and when a delivery is tried again.
//!
//! The first try follows its event at once: inline if a payer's browser waits, otherwise in the background.
//! Every later one waits for the schedule of `next_try` and is taken up by the sweep that runs every
//! minute. A delivery is claimed by a lease before it is sent, so a sender that dies costs at most one
//! duplicate with the same id.

use core::time::Duration;

use crate::value::time::Timestamp;

/// How long one send may take, from the connection to the head of the answer.
pub(crate) const SEND_TIMEOUT: Duration = Duration::from_secs(15);
/// How long a payer's browser waits for the first answer before it polls instead.
pub(crate) const INLINE_WAIT: Duration = Duration::from_secs(5);
/// How long a claim lasts. Longer than a send, so that only a dead sender loses it.
pub const LEASE: Duration = Duration::from_mins(1);
/// The longest wait that a receiver's `Retry-After` can ask for.
pub(crate) const MAX_RETRY_AFTER: Duration = Duration::from_hours(24);

/// The seconds from a failed try to the next one, before jitter: 1, 5, 30 minutes, 2, 5, 10, 14, 20, 24
/// hours.
const RETRY_SECONDS: [u64; 9] = [60, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

/// What came back of one try.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReceiverAnswer {
    /// The receiver answered with a status and perhaps a `Retry-After` ([`parse_retry_after`]). A redirection
    /// is an answer like any other; it is not followed.
    Status(u16, Option<Duration>),
    /// The receiver could not be reached, or did not answer within [`SEND_TIMEOUT`].
    NoAnswer,
}

/// What an answer means for the delivery and for a waiting payer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerEffect {
    /// Delivered; the payer goes to `redirect_url`.
    Redirect,
    /// Delivered; the payer stays on the summary page.
    Stay,
    /// Not delivered; tried again on the schedule. The payer stays on the summary page.
    Retry,
    /// The receiver wants no more notifications; not delivered, and held until it is enabled again. The payer
    /// stays on the summary page.
    Gone,
}

impl ReceiverAnswer {
    /// What the answer means: only 200 and 201 count as delivered, other successes do not.
    #[must_use]
    pub(crate) fn effect(self) -> AnswerEffect {
        match self {
            Self::Status(200, _) => AnswerEffect::Redirect,
            Self::Status(201, _) => AnswerEffect::Stay,
            Self::Status(410, _) => AnswerEffect::Gone,
            Self::Status(..) | Self::NoAnswer => AnswerEffect::Retry,
        }
    }

    /// The status; `None` without an answer.
    #[must_use]
    pub(crate) fn status(self) -> Option<u16> {
        match self {
            Self::Status(status, _) => Some(status),
            Self::NoAnswer => None,
        }
    }

    /// The wait that the receiver asked for.
    #[must_use]
    pub(crate) fn retry_after(self) -> Option<Duration> {
        match self {
            Self::Status(_, retry_after) => retry_after,
            Self::NoAnswer => None,
        }
    }
}

/// When a delivery that has failed `failed_tries` times, just `now` for the last time, is due again; `None`
/// when its tries are exhausted.
///
/// `jitter` is one random byte: 0 takes a fifth off the scheduled wait, 255 adds a fifth, linearly between.
/// `retry_after` is the least wait, up to [`MAX_RETRY_AFTER`]; it does not add tries when they are exhausted.
/// A delivery without a failed try is due now.
#[must_use]
pub(crate) fn next_try(
    failed_tries: u32,
    now: Timestamp,
    jitter: u8,
    retry_after: Option<Duration>,
) -> Option<Timestamp> {
    let Some(waits_before) = failed_tries.checked_sub(1) else { return Some(now) };
    let scheduled = *RETRY_SECONDS.get(usize::try_from(waits_before).ok()?)?;
    let least_millis = scheduled.saturating_mul(800);
    let spread_millis = scheduled.saturating_mul(400).saturating_mul(u64::from(jitter)) / 255;
    let wait = Duration::from_millis(least_millis.saturating_add(spread_millis));
    let asked = retry_after.unwrap_or(Duration::ZERO).min(MAX_RETRY_AFTER);
    Some(now.plus(wait.max(asked)))
}

/// Reads the value of a `Retry-After` header as a wait from `now`, at most [`MAX_RETRY_AFTER`] (RFC 9110,
/// 10.2.3): whole seconds or an HTTP date in its preferred form. A date in the past is no wait; anything else
/// is `None`.
#[must_use]
pub(crate) fn parse_retry_after(text: &str, now: Timestamp) -> Option<Duration> {
    let text = text.trim_matches([' ', '\t']);
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        // Only a number too large for 64 bits fails to parse, and is replaced by the longest wait.
        let wait = text.parse().map_or(MAX_RETRY_AFTER, Duration::from_secs);
        return Some(wait.min(MAX_RETRY_AFTER));
    }
    let until = Timestamp::parse_http_date(text)?;
    Some(until.since(now).min(MAX_RETRY_AFTER))
}

/// The state of a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeliveryStatus {
    /// The receiver's last status.
    pub status: Option<u16>,
    /// Whether the receiver accepted it.
    pub is_delivered: bool,
    /// Until when a sender has claimed it, in real time; `None` if it is not claimed.
    pub leased_until: Option<Timestamp>,
}

#[cfg(test)]
mod tests;
