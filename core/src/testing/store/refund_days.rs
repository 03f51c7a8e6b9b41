//! What one person or key refunded in a day, in memory.

use super::Rows;
use crate::approval::day::RefundDay;
use crate::approval::stage::ApprovalState;
use crate::approval::{Approval, carried_out_by};
use crate::change::EventKind;
use crate::child::Child;
use crate::child::stage::OperationStage;
use crate::transaction::listing::Maker;
use crate::value::time::Timestamp;
use crate::words::ChildOperation;

impl Rows {
    /// What was refunded in a day, in the smallest unit of its currency.
    pub(super) fn refunded(&self, day: &RefundDay) -> i64 {
        let opened = |event: &&super::Event| event.kind == EventKind::OperationOpened;
        let maker = |child: &Child| {
            let is_its = |event: &&super::Event| {
                event.operation.as_ref().is_some_and(|(reference, _)| *reference == child.reference)
            };
            let event = self.events.iter().filter(opened).find(is_its)?;
            event.actor.as_ref().and_then(Maker::of)
        };
        let done = self.children.values().filter(|child| day.has(child, maker(child).as_ref()));
        let asked = self.approvals.values().filter(|approval| day.has_request(approval));
        let amounts = done.map(|child| child.amount).chain(asked.map(|approval| approval.amount));
        amounts.map(|amount| amount.minor()).fold(0, i64::saturating_add)
    }
}

impl RefundDay {
    /// Whether an operation counts that this maker began.
    fn has(&self, child: &Child, by: Option<&Maker>) -> bool {
        child.operation == ChildOperation::Refund
            && child.merchant == self.merchant
            && by == Some(&self.by)
            && child.amount.currency() == self.currency
            && self.is_within(child.opened_at)
            && !matches!(child.stage, OperationStage::Refused | OperationStage::Rejected)
            && carried_out_by(child.tracking_key.as_deref()).is_none()
    }

    /// Whether a request for approval counts.
    fn has_request(&self, approval: &Approval) -> bool {
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
