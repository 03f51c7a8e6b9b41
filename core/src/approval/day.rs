//! What one person or key refunds in a day at the merchant, so that it can be limited.

use super::{Approval, carried_out_by};
use crate::approval::stage::ApprovalState;
use crate::child::Child;
use crate::child::stage::OperationStage;
use crate::transaction::listing::Maker;
use crate::value::id::MerchantId;
use crate::value::money::Currency;
use crate::value::slot::{Slot, Slotted};
use crate::value::time::Timestamp;
use crate::words::ChildOperation;

/// Whose refunds of which day are added up, in one currency. What is done, is being done, has an unknown outcome or waits for
/// approval counts; what failed does not. What was approved counts on the day on which it was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefundDay {
    /// The merchant.
    pub merchant: MerchantId,
    /// The person or the key.
    pub by: Maker,
    /// The currency.
    pub currency: Currency,
    /// When the day begins at the merchant.
    pub from: Timestamp,
    /// When the next one begins.
    pub until: Timestamp,
}

impl Slotted for RefundDay {
    fn slot(&self) -> Slot {
        self.merchant.slot()
    }
}

impl RefundDay {
    /// Whether an operation counts that this maker began.
    #[must_use]
    pub(crate) fn has(&self, child: &Child, by: Option<&Maker>) -> bool {
        child.operation == ChildOperation::Refund
            && child.merchant == self.merchant
            && by == Some(&self.by)
            && child.amount.currency() == self.currency
            && self.is_within(child.opened_at)
            && !matches!(child.stage, OperationStage::Refused | OperationStage::Rejected)
            && carried_out_by(child.tracking_key.as_deref()).is_none()
    }

    /// Whether a request for approval counts.
    #[must_use]
    pub(crate) fn has_request(&self, approval: &Approval) -> bool {
        approval.operation == ChildOperation::Refund
            && approval.merchant == self.merchant
            && Maker::of(&approval.asked_by).as_ref() == Some(&self.by)
            && approval.amount.currency() == self.currency
            && self.is_within(approval.asked_at)
            && matches!(approval.state, ApprovalState::Asked | ApprovalState::Approved | ApprovalState::Done)
    }

    fn is_within(&self, at: Timestamp) -> bool {
        (self.from..self.until).contains(&at)
    }
}

/// That a refund fits its day: it is stored only while no more than this was refunded before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefundClaim {
    /// The day.
    pub day: RefundDay,
    /// The most that may be there before it, in the smallest unit of the currency.
    pub most_before: i64,
}
