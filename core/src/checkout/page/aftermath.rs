//! What happened to the money after a payment succeeded: the link of a payment is the payer's only document,
//! and must not say "successful" about money that was returned.

use alloc::vec::Vec;

use crate::child::amounts::Divisions;
use crate::child::stage::OperationStage;
use crate::operation::begin::Books;
use crate::state::State;
use crate::strings::screen::Aftermath;
use crate::value::money::Money;
use crate::value::time::Timestamp;
use crate::words::ChildOperation;

/// What an outcome comes to: the number that a payer looks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutcomeAmount {
    /// What was done, of which the amount is the sum.
    pub operation: ChildOperation,
    /// Whether the gateway has yet to confirm it.
    pub is_queued: bool,
    /// How much moved by that.
    pub amount: Money,
    /// Of how much: of what was held, or of what was taken.
    pub whole: Money,
    /// By how many movements.
    pub times: usize,
}

impl OutcomeAmount {
    /// What the movements come to that decide an outcome.
    fn of(books: &Books, movements: &[ShownMovement]) -> Option<Self> {
        let held = books.settled.as_ref()?.quote.total;
        let taken = books.balance().and_then(|balance| balance.paid()).unwrap_or(held);
        let kinds = [
            (ChildOperation::Void, false, held),
            (ChildOperation::Refund, false, taken),
            (ChildOperation::Refund, true, taken),
            (ChildOperation::Capture, false, held),
        ];
        kinds.into_iter().find_map(|(operation, is_queued, whole)| {
            let is_it = |one: &&ShownMovement| (one.operation, one.is_queued) == (operation, is_queued);
            let amounts = || movements.iter().filter(is_it).map(|one| one.amount);
            let amount = amounts().reduce(|sum, next| sum.checked_add(next).unwrap_or(sum))?;
            Some(Self { operation, is_queued, amount, whole, times: amounts().count() })
        })
    }

    /// What did not move.
    #[must_use]
    pub fn rest(&self) -> Option<Money> {
        self.whole.checked_sub(self.amount).filter(|rest| !rest.is_zero())
    }
}

/// One movement of money.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShownMovement {
    /// What was done.
    pub operation: ChildOperation,
    /// Whether the gateway has yet to confirm it.
    pub is_queued: bool,
    /// How much.
    pub amount: Money,
    /// When that became known.
    pub at: Timestamp,
}

impl ShownMovement {
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
        own.filter(|child| matches!(child.stage, OperationStage::Done | OperationStage::Queued))
            .map(|child| Self {
                operation: child.operation,
                is_queued: child.stage == OperationStage::Queued,
                amount: child.amount,
                at: child.known_at,
            })
            .collect()
    }
}

impl Aftermath {
    /// The outcome of all movements together, and what it comes to. `releases_rest` says whether the gateway releases at once
    /// what a capture leaves.
    pub(super) fn of(
        books: &Books,
        movements: &[ShownMovement],
        releases_rest: bool,
    ) -> Option<(Self, OutcomeAmount)> {
        let moved = OutcomeAmount::of(books, movements)?;
        let balance = books.balance();
        let is_done = |operation| {
            balance.as_ref().is_some_and(|balance| balance.check(operation, None, Divisions::ANY).is_err())
        };
        let is_refund_open =
            movements.iter().any(|one| one.operation == ChildOperation::Refund && one.is_queued);
        let outcome = match (moved.operation, moved.is_queued) {
            (ChildOperation::Void, _) => Self::Voided,
            (ChildOperation::Refund, true) => Self::RefundQueued,
            (ChildOperation::Refund, false) => {
                let is_all = books.transaction.state == State::Refunded
                    || (is_done(ChildOperation::Refund) && !is_refund_open);
                match moved.rest() {
                    _ if !is_all => Self::PartlyRefunded,
                    Some(_) => Self::RefundedExceptFee,
                    None => Self::Refunded,
                }
            }
            (ChildOperation::Capture, _) if is_done(ChildOperation::Capture) => Self::Captured,
            (ChildOperation::Capture, _) if releases_rest => Self::RestReleased,
            (ChildOperation::Capture, _) => Self::PartlyCaptured,
        };
        Some((outcome, moved))
    }
}
