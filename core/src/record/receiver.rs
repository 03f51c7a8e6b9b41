//! The life of a merchant's receiver: it works, it fails, or it is disabled and what is for it is held.
//!
//! Decision: a receiver that only fails is its scheme and host, because a transaction may have an address of its own and each
//! would be tried for three days at most. One that answers 410 is that address only: other paths of the host may live.

use alloc::string::String;
use core::time::Duration;

use crate::value::time::Timestamp;
use crate::words::word_list;

/// How long a receiver may fail without a success before it is disabled.
pub const PATIENCE: Duration = Duration::from_hours(5 * 24);

word_list! {
    /// Why a receiver is disabled.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Disabling {
        /// It failed for [`PATIENCE`] without a success.
        Failing = "failing",
        /// It answered 410.
        Gone = "gone",
    }
}

word_list! {
    /// Why a try got no status.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum TryError {
        /// The address may not be reached, or nothing could be sent.
        NotSent = "not_sent",
        /// The receiver could not be reached, or did not answer in time.
        NoAnswer = "no_answer",
        /// The request could not be prepared here. It says nothing about the receiver.
        Internal = "internal",
        /// Who sent it ended before the answer was recorded. It may have arrived.
        Lost = "lost",
    }
}

/// A receiver that fails or is disabled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receiver {
    /// Its scheme and host; of one that is gone, its whole address.
    pub address: String,
    /// Since when it fails; `None` if it did not before it was disabled.
    pub failing_since: Option<Timestamp>,
    /// Since when it is disabled, and why; `None` if it is not.
    pub disabled: Option<(Timestamp, Disabling)>,
    /// How many deliveries are held for it.
    pub held: u32,
}

/// What one try changes for its receiver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReceiverEffect {
    /// Nothing that is not known: it still works or still fails, or the try says nothing about it.
    Nothing,
    /// It works again.
    Works,
    /// It fails from now on.
    Fails,
    /// It is disabled from now on.
    Disabled(Disabling),
}

/// What a try says of a receiver that failed since `failing_since`.
#[must_use]
pub fn effect(
    is_delivered: bool,
    is_gone: bool,
    failing_since: Option<Timestamp>,
    now: Timestamp,
) -> ReceiverEffect {
    match failing_since {
        _ if is_gone => ReceiverEffect::Disabled(Disabling::Gone),
        Some(_) if is_delivered => ReceiverEffect::Works,
        None if is_delivered => ReceiverEffect::Nothing,
        None => ReceiverEffect::Fails,
        Some(since) if now.since(since) >= PATIENCE => ReceiverEffect::Disabled(Disabling::Failing),
        Some(_) => ReceiverEffect::Nothing,
    }
}

/// The scheme and the host of an address, which name its receiver.
#[must_use]
pub fn origin(address: &str) -> &str {
    let host = address.find("://").and_then(|place| place.checked_add(3)).unwrap_or(0);
    let length = address.get(host..).and_then(|rest| rest.find('/'));
    let end = length.and_then(|length| host.checked_add(length)).unwrap_or(address.len());
    address.get(..end).unwrap_or(address)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(hours: i64) -> Timestamp {
        Timestamp::from_millis(hours.saturating_mul(3_600_000))
    }

    #[test]
    fn a_receiver_is_disabled_when_it_failed_for_five_days_without_a_success() {
        assert_eq!(effect(false, false, None, at(0)), ReceiverEffect::Fails);
        assert_eq!(effect(false, false, Some(at(0)), at(119)), ReceiverEffect::Nothing);
        assert_eq!(effect(false, false, Some(at(0)), at(120)), ReceiverEffect::Disabled(Disabling::Failing));
        assert_eq!(effect(true, false, Some(at(0)), at(120)), ReceiverEffect::Works);
        assert_eq!(effect(true, false, None, at(120)), ReceiverEffect::Nothing);
    }

    #[test]
    fn a_receiver_that_is_gone_is_disabled_at_once() {
        for since in [None, Some(at(0))] {
            assert_eq!(effect(false, true, since, at(0)), ReceiverEffect::Disabled(Disabling::Gone));
        }
    }

    #[test]
    fn the_origin_of_an_address_is_its_scheme_and_host() {
        for (address, expected) in [
            ("https://shop.example.com:8443/hook?a=1/2", "https://shop.example.com:8443"),
            ("https://shop.example.com", "https://shop.example.com"),
            ("http://127.0.0.1:8787/sandbox/inbox/a/", "http://127.0.0.1:8787"),
        ] {
            assert_eq!(origin(address), expected);
        }
    }
}
