//! A thief who tries stolen cards is declined again and again: how many declines are let through, and until when a payer waits
//! after the last of them. The thresholds are the merchant's ([`DeclineLimits`]).

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use crate::attempt::Attempt;
use crate::attempt::stage::Stage;
use crate::settings::limits::DeclineLimits;
use crate::value::id::SessionId;
use crate::value::time::Timestamp;
use crate::words::word_list;

/// The most payments from one address that are looked at, the newest.
pub const MOST_TRIED: u32 = 400;

/// A payment that was tried, and is declined, paid, or still open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TriedPayment {
    /// The transaction.
    pub session_id: SessionId,
    /// When it was tried.
    pub opened_at: Timestamp,
    /// What became of it.
    pub outcome: TriedOutcome,
}

/// What became of a payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TriedOutcome {
    /// The gateway declined it.
    Declined,
    /// The gateway took or held the money.
    Paid,
    /// It may still be declined: who opens many pages first is declined on all of them.
    Open,
}

word_list! {
    /// What was reached.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum DeclineLimit {
        /// See [`DeclineLimits::session_declines`].
        SessionDeclines = "session_declines",
        /// See [`DeclineLimits::session_cards`].
        SessionCards = "session_cards",
        /// See [`DeclineLimits::address_declines`].
        AddressDeclines = "address_declines",
        /// See [`DeclineLimits::address_sessions`].
        AddressSessions = "address_sessions",
    }
}

/// A limit that was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reached {
    /// Which.
    pub limit: DeclineLimit,
    /// After how many seconds the payer may try again, rounded up.
    pub retry_after: u64,
}

/// The attempt with this number is the first after which a transaction can be limited; `None` if it never is.
#[must_use]
pub(crate) fn first_limited(limits: &DeclineLimits) -> Option<i64> {
    let thresholds = [limits.session_declines, limits.session_cards];
    thresholds.into_iter().filter(|threshold| *threshold > 0).min().map(i64::from)
}

/// The limit that the attempts of one transaction reached, if they did; in order, the oldest first.
#[must_use]
pub fn of_session(attempts: &[Attempt], limits: &DeclineLimits, now: Timestamp) -> Option<Reached> {
    let declined = attempts.iter().filter(|attempt| attempt.was_declined());
    let found: Vec<(Timestamp, Option<&str>)> = declined
        .map(|attempt| {
            (attempt.opened_at, attempt.params.get("card_number").map(alloc::string::String::as_str))
        })
        .collect();
    reached(
        &found,
        |(opened_at, _)| *opened_at,
        limits,
        now,
        |declined| {
            let cards: BTreeSet<&str> = declined.iter().filter_map(|(_, card)| *card).collect();
            if is_reached(declined.len(), limits.session_declines) {
                Some(DeclineLimit::SessionDeclines)
            } else {
                is_reached(cards.iter().len(), limits.session_cards).then_some(DeclineLimit::SessionCards)
            }
        },
    )
}

/// What counts against another attempt of a transaction: what is open of it makes room for the attempt.
#[must_use]
pub(crate) fn besides(mut tried: Vec<TriedPayment>, own: &SessionId) -> Vec<TriedPayment> {
    tried.retain(|tried| tried.outcome != TriedOutcome::Open || tried.session_id != *own);
    tried
}

/// The limit that the payments from one address reached, if they did; in order, the oldest first.
#[must_use]
pub fn of_address(tried: &[TriedPayment], limits: &DeclineLimits, now: Timestamp) -> Option<Reached> {
    reached(
        tried,
        |tried| tried.opened_at,
        limits,
        now,
        |tried| {
            let declined = tried.iter().filter(|tried| tried.outcome != TriedOutcome::Paid).count();
            let paid: BTreeSet<&SessionId> = tried
                .iter()
                .filter(|tried| tried.outcome == TriedOutcome::Paid)
                .map(|tried| &tried.session_id)
                .collect();
            let unpaid: BTreeSet<&SessionId> = tried
                .iter()
                .map(|tried| &tried.session_id)
                .filter(|session_id| !paid.contains(*session_id))
                .collect();
            if is_reached(declined.saturating_sub(paid.iter().len()), limits.address_declines) {
                Some(DeclineLimit::AddressDeclines)
            } else {
                let left = unpaid.iter().len().saturating_sub(paid.iter().len());
                is_reached(left, limits.address_sessions).then_some(DeclineLimit::AddressSessions)
            }
        },
    )
}

fn is_reached(count: usize, threshold: u32) -> bool {
    threshold > 0 && u32::try_from(count).map_or(true, |count| count >= threshold)
}

/// Which limit is reached by what counts now, and when so much of it no longer counts that none is.
fn reached<T>(
    tried: &[T],
    opened_at: impl Fn(&T) -> Timestamp,
    limits: &DeclineLimits,
    now: Timestamp,
    limit: impl Fn(&[T]) -> Option<DeclineLimit>,
) -> Option<Reached> {
    let ends_at = |tried: &T| opened_at(tried).plus(limits.window);
    let over = tried.iter().take_while(|tried| ends_at(tried) <= now).count();
    let mut counting = tried.get(over..).unwrap_or_default();
    let found = limit(counting)?;
    let mut until = now;
    while let (Some(_), Some((oldest, newer))) = (limit(counting), counting.split_first()) {
        until = ends_at(oldest);
        counting = newer;
    }
    let left = until.since(now);
    let retry_after = left.as_secs().saturating_add(u64::from(left.subsec_nanos() > 0)).max(1);
    Some(Reached { limit: found, retry_after })
}

impl TriedPayment {
    /// What an attempt says of who tried it; `None` if nothing, such as what the payer gave up.
    #[must_use]
    pub fn of(attempt: &Attempt) -> Option<Self> {
        let outcome = match attempt.stage {
            Stage::Success => TriedOutcome::Paid,
            Stage::Sending | Stage::Redirected | Stage::Unknown => TriedOutcome::Open,
            Stage::Failed if attempt.was_declined() => TriedOutcome::Declined,
            Stage::Failed | Stage::Canceled | Stage::Error | Stage::Cod => return None,
        };
        Some(Self { session_id: attempt.session_id.clone(), opened_at: attempt.opened_at, outcome })
    }
}

#[cfg(test)]
mod tests {
    use core::time::Duration;

    use super::*;

    const LIMITS: DeclineLimits = DeclineLimits {
        session_declines: 0,
        session_cards: 0,
        address_declines: 3,
        address_sessions: 0,
        window: Duration::from_secs(100),
    };

    fn at(second: u64) -> Timestamp {
        Timestamp::from_millis(1_000_000_000).plus(Duration::from_secs(second))
    }

    /// A payment at a second of one of ten transactions.
    fn tried(second: u64, number: u8, is_declined: bool) -> TriedPayment {
        let session_id = SessionId::parse(&alloc::format!("00{number:038}")).unwrap();
        let outcome = if is_declined { TriedOutcome::Declined } else { TriedOutcome::Paid };
        TriedPayment { session_id, opened_at: at(second), outcome }
    }

    fn declines(seconds: &[u64]) -> Vec<TriedPayment> {
        seconds.iter().map(|second| tried(*second, 1, true)).collect()
    }

    fn wait(tried: &[TriedPayment], limits: &DeclineLimits, second: u64) -> Option<(DeclineLimit, u64)> {
        of_address(tried, limits, at(second)).map(|reached| (reached.limit, reached.retry_after))
    }

    #[test]
    fn the_last_decline_that_is_let_through_is_one_less_than_the_threshold() {
        assert_eq!(wait(&declines(&[0, 1]), &LIMITS, 2), None);
        let full = declines(&[0, 1, 2]);
        assert_eq!(wait(&full, &LIMITS, 2), Some((DeclineLimit::AddressDeclines, 98)));
        assert_eq!(wait(&full, &LIMITS, 99), Some((DeclineLimit::AddressDeclines, 1)));
        assert_eq!(wait(&full, &LIMITS, 100), None, "the first of them no longer counts");
    }

    #[test]
    fn what_is_still_open_may_be_declined() {
        let open = |second| TriedPayment { outcome: TriedOutcome::Open, ..tried(second, 1, true) };
        let mut found = declines(&[0, 1]);
        found.push(open(2));
        assert_eq!(wait(&found, &LIMITS, 3), Some((DeclineLimit::AddressDeclines, 97)));
        assert_eq!(wait(&[open(0), open(1)], &LIMITS, 3), None);
    }

    #[test]
    fn the_wait_ends_when_enough_of_them_no_longer_count() {
        let many = declines(&[0, 10, 20, 30, 40]);
        assert_eq!(wait(&many, &LIMITS, 50), Some((DeclineLimit::AddressDeclines, 70)));
        assert_eq!(wait(&many, &LIMITS, 120), None);
    }

    #[test]
    fn a_payment_that_succeeded_takes_one_decline_off() {
        let mut mixed = declines(&[0, 1, 2]);
        mixed.push(tried(3, 2, false));
        assert_eq!(wait(&mixed, &LIMITS, 4), None);
        mixed.push(tried(4, 3, true));
        assert_eq!(wait(&mixed, &LIMITS, 5), Some((DeclineLimit::AddressDeclines, 95)));
    }

    #[test]
    fn transactions_that_were_declined_and_not_paid_are_counted_once_each() {
        let limits = DeclineLimits { address_declines: 0, address_sessions: 2, ..LIMITS };
        let found = [tried(0, 1, true), tried(1, 1, true), tried(2, 2, true)];
        assert_eq!(wait(&found[..2], &limits, 3), None);
        assert_eq!(wait(&found, &limits, 3), Some((DeclineLimit::AddressSessions, 98)));
        let paid_later = [found.as_slice(), &[tried(3, 2, false)]].concat();
        assert_eq!(wait(&paid_later, &limits, 4), None);
    }

    #[test]
    fn a_threshold_of_zero_is_none() {
        let off = DeclineLimits { address_declines: 0, ..LIMITS };
        assert_eq!(wait(&declines(&[0; 50]), &off, 1), None);
        assert_eq!(first_limited(&off), None);
        assert_eq!(first_limited(&DeclineLimits { session_cards: 4, session_declines: 9, ..off }), Some(4));
    }
}
