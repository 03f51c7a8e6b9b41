//! What an operation is decided on: the books of its payment, and what its caller asked for before.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::totals::{span_of_day, today};
use crate::access::Caller;
use crate::approval::Approval;
use crate::approval::day::{RefundClaim, RefundDay};
use crate::child::Child;
use crate::flow::Failure;
use crate::operation::approval::needs_approval;
use crate::operation::begin::Books;
use crate::port::{ApprovalSearch, Approvals, Bookkeeping, World};
use crate::rejection::Rejection;
use crate::transaction::listing::Maker;
use crate::value::id::SessionId;
use crate::value::money::{Currency, Money};
use crate::words::ChildOperation;

/// The most requests for approval of one payment that are looked at: few are open, and the newest come first.
const MOST_REQUESTS: u32 = 1_000;

/// What an operation is decided on.
pub(super) struct OperationBasis {
    pub(super) books: Books,
    /// The requests for approval of the payment; empty for a caller who need not ask.
    pub(super) requests: Vec<Approval>,
    /// What the caller may still refund today; `None` without a limit, and for other operations.
    allowance: Option<Allowance>,
}

/// How an operation may begin.
pub(super) enum Leave {
    /// At once, and while this is so.
    Now(Option<Box<RefundClaim>>),
    /// When another person has approved it.
    Asking,
}

impl OperationBasis {
    /// Finds the payment, and what its caller asked for before.
    ///
    /// # Errors
    /// [`Rejection::NotFound`], or a failure of the world.
    pub(super) async fn load(
        world: &impl World,
        caller: &Caller,
        session_id: &SessionId,
        operation: ChildOperation,
    ) -> Result<Self, Failure> {
        let ledger = world.ledger(session_id);
        let mut requests = Vec::new();
        if is_bound(caller) {
            let of_payment = ApprovalSearch {
                merchant: caller.merchant().clone(),
                session_id: Some(session_id.clone()),
                state: None,
                after: None,
                limit: MOST_REQUESTS,
            };
            requests = ledger.find_approvals(&of_payment).await?;
        }
        let books = ledger.books(session_id).await?.ok_or(Rejection::NotFound)?;
        let allowance = match operation {
            ChildOperation::Refund => allowance(world, caller, books.transaction.amount.currency()).await?,
            ChildOperation::Capture | ChildOperation::Void => None,
        };
        Ok(Self { books, requests, allowance })
    }

    /// Whether an operation that is possible may begin at once.
    ///
    /// # Errors
    /// [`Rejection::RefundLimit`] if it is more than its caller may refund today, and nobody approves refunds.
    pub(super) fn leave(&self, caller: &Caller, child: &Child) -> Result<Leave, Rejection> {
        let policy = &caller.situation.settings.approvals;
        let claim = match &self.allowance {
            None => None,
            Some(allowance) => match allowance.claim(child.amount) {
                None if allowance.may_ask => return Ok(Leave::Asking),
                None => {
                    let Allowance { limit, left, .. } = *allowance;
                    return Err(Rejection::RefundLimit { limit, left });
                }
                claim => claim,
            },
        };
        let has_to_ask = is_bound(caller) && needs_approval(policy, &self.books, child);
        Ok(if has_to_ask { Leave::Asking } else { Leave::Now(claim.map(Box::new)) })
    }
}

/// Whether the settings bind a caller to ask: users, and keys where they say so.
fn is_bound(caller: &Caller) -> bool {
    let policy = &caller.situation.settings.approvals;
    policy.is_set() && (policy.binds_keys || caller.user().is_some())
}

/// What a caller may refund today without another person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Allowance {
    /// In the whole day.
    pub limit: Money,
    /// What is left of it.
    pub left: Money,
    /// Whether more can be asked for, and another person approves it.
    pub may_ask: bool,
    day: RefundDay,
}

impl Allowance {
    /// What has to hold when a refund is stored; `None` if it is more than is left.
    fn claim(&self, amount: Money) -> Option<RefundClaim> {
        let most_before = self.limit.checked_sub(amount)?.minor();
        self.left.checked_sub(amount)?;
        Some(RefundClaim { day: self.day.clone(), most_before })
    }
}

/// What a caller may still refund today; `None` without a limit.
///
/// # Errors
/// A failure of the world.
pub(in crate::flow) async fn allowance(
    world: &impl World,
    caller: &Caller,
    currency: Currency,
) -> Result<Option<Allowance>, Failure> {
    let policy = &caller.situation.settings.approvals;
    let limit = policy.limit_a_day(currency).filter(|_| policy.binds_keys || caller.user().is_some());
    let (Some(limit), Some(by)) = (limit, Maker::of(&caller.actor())) else { return Ok(None) };
    let (from, until) = span_of_day(world, caller, today(world, caller)?);
    let day = RefundDay { merchant: caller.merchant().clone(), by, currency, from, until };
    let before = world.ledger(&day).refunded(&day).await?.minor();
    let left = Money::new(limit.minor().saturating_sub(before).max(0), currency);
    let may_ask = policy.operations.contains(&ChildOperation::Refund);
    Ok(Some(Allowance { limit, left: left.unwrap_or(Money::zero(currency)), may_ask, day }))
}
