//! How many declines are let through before a payer has to wait.
//!
//! Decision: a thief who tries stolen cards is declined again and again; a payer who only visits, or shares an address with
//! many others, is not. So only declines count, and what is open, because it may still be declined. For an address, payments that succeeded are taken off: an office or a mobile
//! network whose people pay is never limited, however many of them there are.

use core::time::Duration;

/// The thresholds of a merchant, all within [`window`](Self::window). Zero switches one off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeclineLimits {
    /// Declines of one payment transaction.
    pub session_declines: u32,
    /// Different cards of one payment transaction that were declined.
    pub session_cards: u32,
    /// Declines from one address, less the payments from there that succeeded.
    pub address_declines: u32,
    /// Payment transactions that were declined from one address and not paid, less those that were paid from there.
    pub address_sessions: u32,
    /// The period in which declines count.
    pub window: Duration,
}

impl DeclineLimits {
    /// The most that a threshold can be: of one address, so many are found among the newest payments that are looked at.
    pub const MOST: u32 = 100;
    /// The shortest and the longest period.
    pub(crate) const WINDOWS: (Duration, Duration) = (Duration::from_mins(1), Duration::from_hours(24));
    /// What holds for a merchant that says nothing. A payer who mistypes, or whose first cards have no money on them, is
    /// declined a few times; card schemes consider more than ten declines of one card in a day excessive.
    pub const USUAL: Self = Self {
        session_declines: 10,
        session_cards: 5,
        address_declines: 20,
        address_sessions: 10,
        window: Duration::from_hours(1),
    };
}
