//! When an outcome became known: the one time that notifications, inquiries and answers give, however late or
//! often they do.
//!
//! Decision: it is when the attempt that they describe got its result, or when the transaction was canceled,
//! expired or became unpayable after that. For an attempt whose outcome is open, it is when the attempt was
//! opened, or when its outcome became unknown; for a transaction that was never tried, when it was made.

use crate::attempt::Attempt;
use crate::state::State;
use crate::transaction::Transaction;
use crate::value::time::Timestamp;

/// When the reported outcome of `attempt` and its `transaction` became known.
#[must_use]
pub fn known_at(transaction: &Transaction, attempt: &Attempt) -> Timestamp {
    match transaction.state {
        State::Canceled | State::Expired | State::Invalided => attempt.known_at.max(transaction.moved_at),
        State::Created
        | State::Pending
        | State::Attempted
        | State::Authorized
        | State::Paid
        | State::Failed
        | State::Refunded
        | State::Cod => attempt.known_at,
    }
}
