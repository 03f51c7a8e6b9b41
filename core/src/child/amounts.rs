//! How much of a payment was taken, given back and released, and how much may still be: `paid_amount`,
//! `refunded_amount`, `voided_amount`. What a gateway releases by itself after its only capture is not voided,
//! because no one requested it.
//!
//! All amounts are in the currency of the payment transaction. A capture takes at most what was held, fee
//! included, in as many parts as the gateway permits (`Divisions`); after the only one that it permits it
//! releases the rest. A refund gives back at most what was taken, and never the fee. A void releases
//! everything, and only if nothing was captured. An open operation reserves its amount, so that two
//! operations at once never move more than there is.

use alloc::vec::Vec;

use super::stage::OperationStage;
use crate::gateway::profile::Profile;
use crate::rejection::refusal::Refusal;
use crate::value::money::Money;
use crate::words::{ChildOperation, Operation};

/// What a payment that succeeded is worth, fixed at its success.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Worth {
    /// Charged at once, or only held.
    pub operation: Operation,
    /// The principal, without the fee.
    pub settled: Money,
    /// Principal and fee: what was charged or is held.
    pub total: Money,
}

/// One operation on the payment, as far as amounts are concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OperationAmount {
    /// What was asked for.
    pub operation: ChildOperation,
    /// Its stage.
    pub stage: OperationStage,
    /// How much.
    pub amount: Money,
}

/// In which parts a gateway moves the money of a payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Divisions {
    /// Whether a part of what is held can be captured.
    pub captures_parts: bool,
    /// Whether what a capture leaves is released at once.
    pub captures_once: bool,
    /// Whether a part of what was taken can be given back.
    pub refunds_parts: bool,
}

impl Divisions {
    /// Every part is possible.
    pub(crate) const ANY: Self = Self { captures_parts: true, captures_once: false, refunds_parts: true };

    /// Those of a gateway.
    #[must_use]
    pub(crate) fn of(profile: &Profile) -> Self {
        Self {
            captures_parts: profile.captures_parts(),
            captures_once: profile.captures_once(),
            refunds_parts: profile.refunds_parts(),
        }
    }
}

/// What was done to a payment, and what is in progress.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Balance {
    worth: Worth,
    parts: Vec<OperationAmount>,
}

impl Balance {
    /// The balance of a payment and its operations.
    #[must_use]
    pub(crate) fn new(worth: Worth, parts: Vec<OperationAmount>) -> Self {
        Self { worth, parts }
    }

    /// What was taken so far, fee included; `None` while money is only held.
    #[must_use]
    pub(crate) fn paid(&self) -> Option<Money> {
        match self.worth.operation {
            Operation::Purchase => Some(self.worth.total),
            Operation::Authorize => Some(self.done(ChildOperation::Capture)).filter(|sum| !sum.is_zero()),
        }
    }

    /// What was given back; `None` for nothing.
    #[must_use]
    pub(crate) fn refunded(&self) -> Option<Money> {
        Some(self.done(ChildOperation::Refund)).filter(|sum| !sum.is_zero())
    }

    /// What was released; `None` for nothing.
    #[must_use]
    pub(crate) fn voided(&self) -> Option<Money> {
        Some(self.done(ChildOperation::Void)).filter(|sum| !sum.is_zero())
    }

    /// Whether nothing of what is held can be captured any more: it was released, or taken as far as the gateway permits.
    #[must_use]
    pub(crate) fn is_hold_over(&self, divisions: Divisions) -> bool {
        let is_done = |operation| {
            self.parts.iter().any(|p| p.operation == operation && p.stage == OperationStage::Done)
        };
        let is_taken = || self.done(ChildOperation::Capture).minor() >= self.worth.total.minor();
        self.worth.operation == Operation::Authorize
            && (is_done(ChildOperation::Void)
                || is_taken()
                || (divisions.captures_once && is_done(ChildOperation::Capture)))
    }

    /// How much an operation moves: the amount that was requested, otherwise all that is left.
    ///
    /// # Errors
    /// Why it cannot be done.
    pub(crate) fn check(
        &self,
        operation: ChildOperation,
        asked: Option<Money>,
        divisions: Divisions,
    ) -> Result<Money, Refusal> {
        match operation {
            ChildOperation::Capture => self.check_capture(asked, divisions),
            ChildOperation::Refund => self.check_refund(asked, divisions),
            ChildOperation::Void => self.check_void(),
        }
    }

    fn check_capture(&self, asked: Option<Money>, divisions: Divisions) -> Result<Money, Refusal> {
        self.must_be_held()?;
        if divisions.captures_once {
            self.must_be_the_first(ChildOperation::Capture, Refusal::Released)?;
        }
        let left = self.left(self.worth.total, ChildOperation::Capture);
        divided(asked, left, divisions.captures_parts)
    }

    fn check_refund(&self, asked: Option<Money>, divisions: Divisions) -> Result<Money, Refusal> {
        let taken = self.paid().ok_or(Refusal::NothingTaken)?;
        let returnable = if taken.minor() < self.worth.settled.minor() { taken } else { self.worth.settled };
        // All that was taken includes the fee, which is never given back.
        if !divisions.refunds_parts && returnable != taken {
            return Err(Refusal::FeeIncluded);
        }
        divided(asked, self.left(returnable, ChildOperation::Refund), divisions.refunds_parts)
    }

    fn check_void(&self) -> Result<Money, Refusal> {
        self.must_be_held()?;
        self.must_be_the_first(ChildOperation::Capture, Refusal::Captured)?;
        Ok(self.worth.total)
    }

    fn must_be_held(&self) -> Result<(), Refusal> {
        if self.worth.operation == Operation::Purchase {
            return Err(Refusal::NotAuthorized);
        }
        self.must_be_the_first(ChildOperation::Void, Refusal::Voided)
    }

    /// No operation of a kind was done, and the outcome of none is awaited.
    fn must_be_the_first(&self, operation: ChildOperation, done: Refusal) -> Result<(), Refusal> {
        let of_kind = || self.parts.iter().filter(|part| part.operation == operation);
        if of_kind().any(|part| part.stage == OperationStage::Done) {
            return Err(done);
        }
        if of_kind().any(|part| part.stage.is_open()) {
            return Err(Refusal::InProgress);
        }
        Ok(())
    }

    fn done(&self, operation: ChildOperation) -> Money {
        self.sum(|part| part.operation == operation && part.stage == OperationStage::Done)
    }

    /// What is left of `whole` after what was done and what is in progress.
    fn left(&self, whole: Money, operation: ChildOperation) -> Money {
        let moved = self.sum(|part| {
            part.operation == operation && (part.stage == OperationStage::Done || part.stage.is_open())
        });
        whole.checked_sub(moved).unwrap_or(Money::zero(whole.currency()))
    }

    fn sum(&self, is_counted: impl Fn(&OperationAmount) -> bool) -> Money {
        let nothing = Money::zero(self.worth.total.currency());
        // A sum is never more than what the payment is worth, so it can always be represented.
        self.parts
            .iter()
            .filter(|part| is_counted(part))
            .fold(nothing, |sum, part| sum.checked_add(part.amount).unwrap_or(sum))
    }
}

/// The amount that was requested, if it is within what is left, and all of it where parts are not possible.
fn divided(asked: Option<Money>, available: Money, parts: bool) -> Result<Money, Refusal> {
    let amount = within(asked, available)?;
    if parts || amount == available { Ok(amount) } else { Err(Refusal::Indivisible { available }) }
}

fn within(asked: Option<Money>, available: Money) -> Result<Money, Refusal> {
    if available.is_zero() {
        return Err(Refusal::NothingLeft);
    }
    let amount = asked.unwrap_or(available);
    let fits =
        amount.currency() == available.currency() && !amount.is_zero() && amount.minor() <= available.minor();
    if fits { Ok(amount) } else { Err(Refusal::OutOfRange { available }) }
}

#[cfg(test)]
mod tests;
