//! Which moves of a payment transaction are legal.
//!
//! This table is the only list of legal moves. The trigger that refuses other moves in the database is
//! generated from [`legal_moves`], and a test compares the two.

use core::fmt;

use crate::words::{Operation, pairs, word_list};

word_list! {
    /// The state of a payment transaction, as the wire names it.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum State {
        /// Made, not yet opened by the payer.
        Created = "created",
        /// The payer saw the page, or an attempt is in progress.
        Pending = "pending",
        /// At least one attempt failed or was canceled; the payer may try again.
        Attempted = "attempted",
        /// The money is held and not yet taken.
        Authorized = "authorized",
        /// The money is taken.
        Paid = "paid",
        /// The only attempt that the gateway permits failed.
        Failed = "failed",
        /// Stopped by the merchant or through its cancel address.
        Canceled = "canceled",
        /// The time to pay is over, or the payer gave up the only attempt.
        Expired = "expired",
        /// The merchant's configuration no longer permits the payment.
        Invalided = "invalided",
        /// A word of the API: a refund is a child transaction, so no move leads to it or from it.
        Refunded = "refunded",
        /// Payment in cash on delivery is acknowledged.
        Cod = "cod",
    }
}

/// What happens to a payment transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// The payer opened the page.
    PageOpened,
    /// An attempt was opened at a gateway.
    AttemptOpened,
    /// An attempt succeeded, now or late.
    AttemptSucceeded(Operation),
    /// Payment in cash on delivery was acknowledged.
    CashAcknowledged,
    /// An attempt was declined.
    AttemptFailed(Retry),
    /// The payer canceled an attempt.
    AttemptCanceled(Retry),
    /// An attempt certainly never reached the gateway.
    AttemptErred(Retry),
    /// The merchant canceled.
    Canceled,
    /// The time to pay is over.
    Expired,
    /// The configuration no longer permits the payment.
    Invalided,
    /// Captured money was taken from the held money.
    Captured,
    /// Money was given back.
    Refunded,
    /// The held money was released.
    Voided,
}

/// Whether the gateway of an attempt permits another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Retry {
    /// Another attempt may follow.
    Permitted,
    /// The first result is final.
    Final,
}

/// The requested move is not in the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a {state} payment transaction does not take {event:?}")]
pub struct Illegal {
    /// The state the transaction is in.
    pub state: State,
    /// What was to happen.
    pub event: Event,
}

/// The state after `event`.
///
/// # Errors
/// [`Illegal`] if the table has no such move. An outcome of a gateway is recorded on its attempt even then:
/// only the move of the transaction is refused.
pub fn step(state: State, event: Event) -> Result<State, Illegal> {
    use {Event as E, State as S};
    Ok(match (state, event) {
        (S::Created, E::PageOpened) | (S::Created | S::Pending | S::Attempted, E::AttemptOpened) => {
            S::Pending
        }
        (S::Pending | S::Attempted, E::PageOpened)
        | (S::Paid, E::Refunded)
        | (S::Authorized, E::Captured | E::Refunded | E::Voided) => state,
        (S::Created | S::Pending | S::Attempted | S::Failed | S::Expired, E::AttemptSucceeded(operation)) => {
            succeeded(operation)
        }
        (S::Created | S::Pending | S::Attempted | S::Failed | S::Expired, E::CashAcknowledged) => S::Cod,
        (
            S::Created | S::Pending | S::Attempted,
            E::AttemptFailed(Retry::Permitted)
            | E::AttemptCanceled(Retry::Permitted)
            | E::AttemptErred(Retry::Permitted),
        ) => S::Attempted,
        (
            S::Created | S::Pending | S::Attempted,
            E::AttemptFailed(Retry::Final) | E::AttemptErred(Retry::Final),
        ) => S::Failed,
        (S::Created | S::Pending | S::Attempted, E::AttemptCanceled(Retry::Final) | E::Expired) => S::Expired,
        (S::Created | S::Pending | S::Attempted | S::Cod, E::Canceled) => S::Canceled,
        (S::Created | S::Pending | S::Attempted, E::Invalided) => S::Invalided,
        _ => return Err(Illegal { state, event }),
    })
}

fn succeeded(operation: Operation) -> State {
    match operation {
        Operation::Purchase => State::Paid,
        Operation::Authorize => State::Authorized,
    }
}

/// Every pair of different states between which some event moves a transaction, in the order of
/// [`State::ALL`]. A move from a state to itself is always legal.
pub fn legal_moves() -> impl Iterator<Item = (State, State)> {
    pairs(State::ALL, |from, to| Event::ALL.into_iter().any(|event| step(from, event) == Ok(to)))
}

impl State {
    /// Whether an attempt may be opened, time and configuration permitting.
    #[must_use]
    pub const fn is_payable(self) -> bool {
        matches!(self, Self::Created | Self::Pending | Self::Attempted)
    }

    /// Whether nothing can be paid any more, and no money is held.
    #[cfg(any(test, feature = "testing"))]
    #[must_use]
    pub(crate) const fn is_ended(self) -> bool {
        !self.is_payable() && !matches!(self, Self::Authorized)
    }

    /// Whether the payment succeeded: paid, authorized or cash on delivery.
    #[must_use]
    pub const fn is_success(self) -> bool {
        matches!(self, Self::Paid | Self::Authorized | Self::Cod)
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Event {
    /// Every event, for tests and for generating the trigger.
    pub const ALL: [Self; 17] = [
        Self::PageOpened,
        Self::AttemptOpened,
        Self::AttemptSucceeded(Operation::Purchase),
        Self::AttemptSucceeded(Operation::Authorize),
        Self::CashAcknowledged,
        Self::AttemptFailed(Retry::Permitted),
        Self::AttemptFailed(Retry::Final),
        Self::AttemptCanceled(Retry::Permitted),
        Self::AttemptCanceled(Retry::Final),
        Self::AttemptErred(Retry::Permitted),
        Self::AttemptErred(Retry::Final),
        Self::Canceled,
        Self::Expired,
        Self::Invalided,
        Self::Captured,
        Self::Refunded,
        Self::Voided,
    ];

    /// A stable word for the event log and for test vectors.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::PageOpened => "page_opened",
            Self::AttemptOpened => "attempt_opened",
            Self::AttemptSucceeded(Operation::Purchase) => "purchase_succeeded",
            Self::AttemptSucceeded(Operation::Authorize) => "authorization_succeeded",
            Self::CashAcknowledged => "cash_acknowledged",
            Self::AttemptFailed(Retry::Permitted) => "attempt_failed",
            Self::AttemptFailed(Retry::Final) => "only_attempt_failed",
            Self::AttemptCanceled(Retry::Permitted) => "attempt_canceled",
            Self::AttemptCanceled(Retry::Final) => "only_attempt_canceled",
            Self::AttemptErred(Retry::Permitted) => "attempt_erred",
            Self::AttemptErred(Retry::Final) => "only_attempt_erred",
            Self::Canceled => "canceled",
            Self::Expired => "expired",
            Self::Invalided => "invalided",
            Self::Captured => "captured",
            Self::Refunded => "refunded",
            Self::Voided => "voided",
        }
    }
}
