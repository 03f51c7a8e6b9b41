//! What retrieving and listing show of a payment in addition to its state: its attempt, what was taken and
//! given back, and its child transactions.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use crate::attempt::{Attempt, stage};
use crate::child::Child;
use crate::child::amounts::Balance;
use crate::child::stage::OperationStage;
use crate::operation::begin::balance_of;
use crate::transaction::Transaction;
use crate::transaction::listing::{Listed, Position};
use crate::value::id::SessionId;
use crate::value::money::Money;
use crate::value::time::Timestamp;
use crate::words::{ChildOperation, Operation};

/// What is known about a transaction in addition to the transaction itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Standing {
    /// The attempt that settled it, otherwise its latest.
    pub attempt: Attempt,
    /// Its operations, in order.
    pub children: Vec<Child>,
}

/// A page of a listing.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ListedPage {
    /// Newest first.
    pub listed: Vec<Listed>,
    /// What is known of those that were tried.
    pub standings: BTreeMap<SessionId, Standing>,
    /// Where the page ended if it ended before it was full, because enough rows were looked at.
    pub stopped_at: Option<Position>,
}

/// What was taken and given back.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct StandingSums {
    /// What was taken so far, fees included.
    pub paid: Option<Money>,
    /// When money was taken for the first time.
    pub paid_at: Option<Timestamp>,
    /// What was given back.
    pub refunded: Option<Money>,
    /// What was released.
    pub voided: Option<Money>,
}

impl Standing {
    /// The operations on its attempt: what was paid in addition was given back by others.
    pub fn operations(&self) -> impl Iterator<Item = &Child> {
        self.children.iter().filter(|child| child.attempt == self.attempt.reference)
    }

    /// What was taken and given back of `transaction`.
    pub(crate) fn sums(&self, transaction: &Transaction) -> StandingSums {
        let settled = Some(&self.attempt).filter(|attempt| attempt.stage == stage::Stage::Success);
        let balance = settled.and_then(|settled| balance_of(settled, &self.children));
        let settlement = transaction.settlement.as_ref().filter(|_| transaction.state.is_success());
        let paid = settlement.and_then(|settlement| settlement.paid);
        StandingSums {
            paid,
            paid_at: paid.and_then(|_| self.paid_at()),
            refunded: balance.as_ref().and_then(Balance::refunded),
            voided: balance.as_ref().and_then(Balance::voided),
        }
    }

    /// A purchase took the money when it succeeded, an authorization at its first capture.
    fn paid_at(&self) -> Option<Timestamp> {
        match self.attempt.operation.settles_as() {
            Operation::Purchase => Some(self.attempt.known_at),
            Operation::Authorize => {
                let captures = self.operations().filter(|child| {
                    child.operation == ChildOperation::Capture && child.stage == OperationStage::Done
                });
                captures.map(|child| child.known_at).min()
            }
        }
    }
}
