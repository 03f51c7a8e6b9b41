//! What happened to the money after a payment succeeded: the link of a payment is the payer's only document,
//! and must not say "successful" about money that was returned.

use alloc::vec::Vec;

use crate::child::amounts::Divisions;
use crate::child::stage::Stage;
use crate::operation::begin::Books;
use crate::state::State;
use crate::strings::screen::Aftermath;
use crate::value::money::Money;
use crate::value::time::Timestamp;
use crate::words::ChildOperation;

/// One movement of money.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Movement {
    /// What was done.
    pub operation: ChildOperation,
    /// Whether the gateway has yet to confirm it.
    pub is_queued: bool,
    /// How much.
    pub amount: Money,
    /// When that became known.
    pub at: Timestamp,
}

impl Movement {
    /// When the last of those became known that a page shows.
    #[must_use]
    pub fn last_of(movements: &[Self]) -> Option<Timestamp> {
        movements.iter().map(|movement| movement.at).max()
    }

    /// Those of the money that settled the payment, in order. An operation whose outcome is unknown is not
    /// included.
    pub(crate) fn of(books: &Books) -> Vec<Self> {
        let Some(settled) = &books.settled else { return Vec::new() };
        let own = books.children.iter().filter(|child| child.attempt == settled.reference);
        own.filter(|child| matches!(child.stage, Stage::Done | Stage::Queued))
            .map(|child| Self {
                operation: child.operation,
                is_queued: child.stage == Stage::Queued,
                amount: child.amount,
                at: child.known_at,
            })
            .collect()
    }
}

impl Aftermath {
    /// The outcome of all movements together. `releases_rest` says whether the gateway releases at once what a
    /// capture leaves.
    pub(super) fn of(books: &Books, movements: &[Movement], releases_rest: bool) -> Option<Self> {
        let has = |operation, is_queued| {
            movements.iter().any(|one| (one.operation, one.is_queued) == (operation, is_queued))
        };
        let ledger = books.ledger();
        let left =
            |operation| ledger.as_ref().map(|ledger| ledger.check(operation, None, Divisions::ANY).is_ok());
        if has(ChildOperation::Void, false) {
            return Some(Self::Voided);
        }
        if has(ChildOperation::Refund, false) {
            let is_all = books.transaction.state == State::Refunded
                || (left(ChildOperation::Refund) == Some(false) && !has(ChildOperation::Refund, true));
            return Some(if is_all { Self::Refunded } else { Self::PartlyRefunded });
        }
        if has(ChildOperation::Refund, true) {
            return Some(Self::RefundQueued);
        }
        has(ChildOperation::Capture, false).then(|| match left(ChildOperation::Capture) {
            Some(false) => Self::Captured,
            Some(true) | None if releases_rest => Self::RestReleased,
            Some(true) | None => Self::PartlyCaptured,
        })
    }
}
