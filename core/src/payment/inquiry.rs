//! What a merchant's inquiry does in each state, and how often it may reach the gateways.
//!
//! Decision: a transaction that was canceled or invalidated after an attempt is asked about too, because a
//! success that came too late means that money was taken. Before the first attempt there is nothing to ask
//! about: a payer who only saw the page is answered as `pending`.

use core::time::Duration;

use super::ending::notice;
use crate::attempt::Attempt;
use crate::attempt::stage::Stage;
use crate::rejection::Rejection;
use crate::settings::situation::Situation;
use crate::state::State;
use crate::transaction::Transaction;
use crate::value::id::ReferenceNumber;
use crate::value::slot::Slotted;
use crate::value::time::Timestamp;

/// How old a transaction is when the gateways are first asked for the merchant.
const FIRST_AFTER: Duration = Duration::from_mins(10);
/// How long after one such inquiry the next one may follow.
const NEXT_AFTER: Duration = Duration::from_mins(30);
/// How often the gateways are asked for the merchant in [`DAY`].
const MAX_A_DAY: usize = 3;
/// How often the gateways are asked for the merchant in [`MINUTE`], about all transactions.
pub(crate) const MAX_A_MINUTE: usize = 30;
/// The period in which inquiries about all transactions are counted.
pub const MINUTE: Duration = Duration::from_mins(1);
/// The period in which inquiries about one transaction are counted.
pub const DAY: Duration = Duration::from_hours(24);

/// Where the answer to an inquiry comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AnswerSource {
    /// From what is stored: the payment succeeded, or was not tried yet.
    Stored,
    /// From the gateways of every attempt that could have charged.
    Gateways,
}

/// Where the answer to an inquiry about a transaction in `state` comes from.
///
/// # Errors
/// [`Rejection::NotInquirable`] if nothing was tried, and nothing will be or has begun.
pub(crate) fn source(state: State, has_attempts: bool) -> Result<AnswerSource, Rejection> {
    match state {
        State::Paid | State::Authorized | State::Cod | State::Refunded => Ok(AnswerSource::Stored),
        State::Pending if !has_attempts => Ok(AnswerSource::Stored),
        State::Created
        | State::Pending
        | State::Attempted
        | State::Failed
        | State::Expired
        | State::Canceled
        | State::Invalided => {
            if has_attempts {
                Ok(AnswerSource::Gateways)
            } else {
                Err(Rejection::NotInquirable { state })
            }
        }
    }
}

/// Whether the gateway may have charged for an attempt although the outcome is not stored.
#[must_use]
pub(crate) const fn may_have_charged(attempt: &Attempt) -> bool {
    match attempt.stage {
        Stage::Sending
        | Stage::Redirected
        | Stage::Unknown
        | Stage::Failed
        | Stage::Canceled
        | Stage::Error => true,
        Stage::Success | Stage::Cod => false,
    }
}

/// The attempt that an answer is about: the one that settled the transaction, for cash the one to be paid on delivery, otherwise
/// the latest. A second success is given back, so no answer is about it.
#[must_use]
pub(crate) fn described<'a>(
    state: State,
    attempts: &'a [Attempt],
    settled: Option<&Attempt>,
) -> Option<&'a Attempt> {
    let counts = |attempt: &&Attempt| {
        if state == State::Cod {
            return attempt.stage == Stage::Cod;
        }
        settled.is_some_and(|settled| settled.reference == attempt.reference)
    };
    attempts.iter().find(counts).or_else(|| attempts.last())
}

/// The subject of an answer before the first attempt: something that no gateway was asked about, under a
/// reference that is the same at every inquiry. It is sent, and never stored.
#[must_use]
pub(crate) fn untried(transaction: &Transaction, situation: &Situation) -> Option<Attempt> {
    let mut random = [0; 8];
    // The first two digits name the slot, the others are random.
    hex::decode_to_slice(transaction.session_id.as_str().get(2..18)?, &mut random).ok()?;
    let reference = ReferenceNumber::generate(
        &situation.settings.reference_prefix,
        transaction.session_id.slot(),
        random,
    );
    let described = notice(transaction, None, situation, reference, situation.now)?;
    Some(Attempt { stage: Stage::Sending, message: None, known_at: transaction.created_at, ..described })
}

/// Whether an inquiry of a merchant with limited inquiries may reach the gateways now; `earlier` are the
/// moments within a [`DAY`] at which earlier ones did.
#[must_use]
pub fn is_due(created_at: Timestamp, earlier: &[Timestamp], now: Timestamp) -> bool {
    let is_rested = earlier.iter().all(|at| now.since(*at) >= NEXT_AFTER);
    now.since(created_at) >= FIRST_AFTER && earlier.len() < MAX_A_DAY && is_rested
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_throttled_inquiry_reaches_the_gateways_after_10_minutes_then_every_30_and_3_times_a_day() {
        let created = Timestamp::from_millis(1_700_000_000_000);
        let after = |minutes| created.plus(Duration::from_mins(minutes));
        assert!(!is_due(created, &[], after(9)));
        assert!(is_due(created, &[], after(10)));
        assert!(!is_due(created, &[after(10)], after(39)));
        assert!(is_due(created, &[after(10)], after(40)));
        assert!(is_due(created, &[after(10), after(40)], after(70)));
        assert!(!is_due(created, &[after(10), after(40), after(70)], after(600)));
    }
}
