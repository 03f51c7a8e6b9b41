//! Compares one charge of a gateway's list with what is recorded of it.
//!
//! Decision: if the gateway reports an attempt that has no success here, that is a report like any other, and
//! is applied in the same place ([`crate::payment::apply`]). What contradicts a recorded success is left to a
//! person: money that a merchant was notified of is never taken back by a list.

use alloc::string::String;

use sha2::{Digest, Sha256};

use crate::attempt::Attempt;
use crate::attempt::stage::Stage;
use crate::child::{Child, stage};
use crate::gateway::charge::{ChargeOperation, Outcome, Report};
use crate::gateway::listing::{ListedCharge, ListedSums};
use crate::record::attention::{Attention, Concern, Reason};
use crate::record::facts::{FactCode, Facts, priced};
use crate::value::id::{MerchantId, ReferenceNumber};
use crate::value::money::{Currency, Money};
use crate::value::slot::Slotted;
use crate::value::time::Timestamp;
use crate::words::ChildOperation;

/// The most characters of the gateway's own text in an entry of the attention list.
const MAX_NAME_CHARS: usize = 64;

/// The result of a comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Comparison {
    /// Both say the same about money that was taken or held.
    Agrees,
    /// The gateway knows more about the attempt than is recorded.
    Unrecorded,
    /// Both cannot be true.
    Differs(Concern),
    /// No money is concerned, or not yet.
    Nothing,
}

/// Compares a charge of the list with its attempt and the operations on it. What was recorded after
/// `certain_until` may be newer than the list: it is no difference yet.
#[must_use]
pub(crate) fn compare(
    listed: &ListedCharge,
    attempt: &Attempt,
    children: &[Child],
    certain_until: Timestamp,
) -> Comparison {
    let is_success = attempt.stage == Stage::Success;
    let is_done = |child: &Child| child.stage == stage::OperationStage::Done;
    match &listed.report.outcome {
        Outcome::Approved if is_success => compare_successes(listed, attempt, children, certain_until),
        Outcome::Approved => Comparison::Unrecorded,
        Outcome::Declined | Outcome::Canceled if attempt.is_open() => Comparison::Unrecorded,
        Outcome::Canceled if is_success && is_released(attempt, children, is_done) => Comparison::Agrees,
        Outcome::Canceled if is_success && is_released(attempt, children, Child::is_open) => {
            Comparison::Nothing
        }
        Outcome::Declined | Outcome::Canceled | Outcome::Open { .. } | Outcome::Absent
            if is_success && attempt.updated_at <= certain_until =>
        {
            Comparison::Differs(missing(&listed.report.outcome))
        }
        Outcome::Declined | Outcome::Canceled | Outcome::Open { .. } | Outcome::Absent | Outcome::Unknown => {
            Comparison::Nothing
        }
    }
}

/// Whether a void, done or perhaps done, explains that a gateway calls what an attempt held canceled.
fn is_released(attempt: &Attempt, children: &[Child], stands: impl Fn(&Child) -> bool) -> bool {
    let is_void =
        |child: &&Child| child.attempt == attempt.reference && child.operation == ChildOperation::Void;
    children.iter().filter(is_void).any(stands)
}

/// The finding for a charge of the list of which nothing is recorded: a difference if money may have moved.
#[must_use]
pub(crate) fn unknown(merchant: &MerchantId, report: &Report, at: Timestamp) -> Option<Attention> {
    match report.outcome {
        Outcome::Approved | Outcome::Unknown => {}
        Outcome::Declined | Outcome::Canceled | Outcome::Open { .. } | Outcome::Absent => return None,
    }
    let name: String = report.reference.chars().filter(|c| !c.is_control()).take(MAX_NAME_CHARS).collect();
    Some(Attention {
        merchant: merchant.clone(),
        session_id: None,
        reference: name_of(merchant, &report.reference)?,
        reason: Reason::UnknownCharge,
        detail: match report.total {
            Some(total) => Facts::default().and(FactCode::UnknownCharge, &[&priced(total), &name]),
            None => Facts::default().and(FactCode::UnknownChargeUnnamed, &[&name]),
        },
        at,
    })
}

/// What is wrong if the gateway says this about an attempt that succeeded.
fn missing(outcome: &Outcome) -> Concern {
    let code = match outcome {
        Outcome::Declined => FactCode::ListedDeclined,
        Outcome::Canceled => FactCode::ListedCanceled,
        Outcome::Open { .. } => FactCode::ListedOpen,
        Outcome::Absent | Outcome::Approved | Outcome::Unknown => FactCode::NotListed,
    };
    Concern { reason: Reason::ChargeMissing, detail: Facts::of(code) }
}

fn compare_successes(
    listed: &ListedCharge,
    attempt: &Attempt,
    children: &[Child],
    certain_until: Timestamp,
) -> Comparison {
    let asked = attempt.quote.total;
    if let Some(total) = listed.report.total.filter(|total| *total != asked) {
        let values = [&*priced(asked), &*priced(total)];
        let detail = Facts::default().and(FactCode::OtherListedTotal, &values);
        return Comparison::Differs(Concern { reason: Reason::AmountMismatch, detail });
    }
    let ListedSums { captured, refunded, voided } = listed.sums;
    let of_charge = |operation| {
        let of_charge =
            move |child: &&Child| child.attempt == attempt.reference && child.operation == operation;
        children.iter().filter(of_charge)
    };
    let captured = captured.filter(|_| attempt.operation == ChargeOperation::Authorize);
    let sums = [
        (ChildOperation::Capture, captured),
        (ChildOperation::Refund, refunded),
        (ChildOperation::Void, voided),
    ];
    let differing = sums.into_iter().find_map(|(operation, theirs)| {
        let theirs = theirs?;
        let ours = moved(of_charge(operation), theirs.currency(), certain_until)?;
        (!ours.permits(theirs)).then(|| {
            let code = match operation {
                ChildOperation::Capture => FactCode::CapturedTotal,
                ChildOperation::Refund => FactCode::RefundedTotal,
                ChildOperation::Void => FactCode::VoidedTotal,
            };
            Facts::default().and(code, &[&priced(theirs), &priced(ours.done)])
        })
    });
    let reason = Reason::OperationsMismatch;
    differing.map_or(Comparison::Agrees, |detail| Comparison::Differs(Concern { reason, detail }))
}

/// What operations of one kind moved of a charge: certainly, and at most.
struct MovedSums {
    done: Money,
    at_most: Money,
}

impl MovedSums {
    fn permits(&self, sum: Money) -> bool {
        (self.done.minor()..=self.at_most.minor()).contains(&sum.minor())
    }
}

/// What is recorded; `None` if it is in another currency than the gateway's sum.
fn moved<'c>(
    mut children: impl Iterator<Item = &'c Child>,
    currency: Currency,
    certain_until: Timestamp,
) -> Option<MovedSums> {
    let zero = Money::zero(currency);
    children.try_fold(MovedSums { done: zero, at_most: zero }, |sum, child| {
        let added = |sum: Money, counts: bool| if counts { sum.checked_add(child.amount) } else { Some(sum) };
        let is_done = child.stage == stage::OperationStage::Done;
        Some(MovedSums {
            done: added(sum.done, is_done && child.updated_at <= certain_until)?,
            at_most: added(sum.at_most, is_done || child.is_open())?,
        })
    })
}

/// The name of a charge on the attention list: its reference if it can be one of ours in the merchant's slot, otherwise a
/// digest that does not collide with those of other merchants.
fn name_of(merchant: &MerchantId, reference: &str) -> Option<ReferenceNumber> {
    let ours = Some(reference).filter(|text| text.len() >= ReferenceNumber::MIN_GENERATED_CHARS);
    let ours = ours.and_then(ReferenceNumber::parse).filter(|ours| ours.slot() == merchant.slot());
    ours.or_else(|| {
        let named = Sha256::new().chain_update(merchant.as_str()).chain_update(":").chain_update(reference);
        ReferenceNumber::of_digest(hex::encode_upper(named.finalize()).get(..24)?, merchant.slot())
    })
}
