//! The ladder of an auto debit that was declined: when it is tried again, and how often a card may be tried at all.

use core::time::Duration;

use super::CardToken;
use super::agreement::{AgreementKey, Pause};
use crate::value::id::{MerchantId, PgCode, SessionId};
use crate::value::time::Timestamp;
use crate::words::decline::DeclineReason;

/// How many debits of one card may stay without success, in how long: the stricter of what Visa and Mastercard permit, for
/// every card, because a gateway does not always say of which scheme a card is.
pub const LIMITS: [(Duration, u32); 2] =
    [(Duration::from_hours(24), 10), (Duration::from_hours(30 * 24), 15)];
/// The most debits that are looked at to find out whether a card may be tried.
pub const MOST_TRIES: u32 = 15;

/// A debit that is tried again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ladder {
    /// The transaction.
    pub session_id: SessionId,
    /// Whose it is.
    pub merchant: MerchantId,
    /// The gateway that has the card.
    pub pg_code: PgCode,
    /// How many debits of the transaction ended without success.
    pub tries: u32,
    /// Why the last one did.
    pub reason: DeclineReason,
    /// When the next one begins.
    pub next_at: Timestamp,
}

/// What a change means for the ladder of its transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LadderWrite {
    /// The debit is tried again.
    Wait(Ladder),
    /// It is over: the transaction is paid, or nothing is tried any more and the agreement is paused.
    End(Option<(AgreementKey, Pause)>),
}

/// That a card may be debited once more: fewer of its debits than the limits permit had no success, when that was read and
/// still when the attempt is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TryClaim {
    /// The card.
    pub card: CardToken,
    /// When that was asked.
    pub at: Timestamp,
}

/// When a card may be debited next, of which debits began at these moments and had no success, the newest first.
#[must_use]
pub(crate) fn free_at(tried: &[Timestamp], now: Timestamp) -> Timestamp {
    LIMITS.into_iter().fold(now, |free, (window, most)| {
        let place = usize::try_from(most).unwrap_or(usize::MAX).saturating_sub(1);
        tried.get(place).map_or(free, |oldest| free.max(oldest.plus(window)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    const DAY: Duration = Duration::from_hours(24);

    #[test]
    fn a_card_is_free_once_enough_of_its_debits_are_old() {
        let now = Timestamp::from_millis(1_900_000_000_000);
        let ago = |hours: &[u64]| -> Vec<Timestamp> {
            hours.iter().map(|hours| now.minus(Duration::from_hours(*hours))).collect()
        };
        assert_eq!(free_at(&[], now), now);
        assert_eq!(free_at(&ago(&[1; 9]), now), now);
        assert_eq!(free_at(&ago(&[1; 10]), now), now.plus(Duration::from_hours(23)));
        assert_eq!(free_at(&ago(&[24; 10]), now), now);
        let month: Vec<u64> = (1..=15).map(|day| day * 24).collect();
        assert_eq!(free_at(&ago(&month), now), now.plus(DAY.saturating_mul(15)));
        assert_eq!(free_at(&ago(&month[..14]), now), now);
    }
}
