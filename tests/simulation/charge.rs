//! What the bank of a run knows about a charge, and what it reports by itself.

use checkout_core::flow::report::gateway::ReportAddress;
use checkout_core::gateway::exchange::Incoming;
use checkout_core::value::time::Timestamp;
use checkout_tests::gateway::Exclusive;
use sandbox_bank::card::TestCard;
use sandbox_bank::charge::{ChargeStatus, PayerAction};
use serde_json::Value;

/// The true data of a charge.
#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts about a charge")]
pub(crate) struct Charge {
    pub(crate) status: ChargeStatus,
    /// Whether the bank took another amount than requested.
    pub(crate) is_wrong: bool,
    /// Whether the bank took the money after all.
    pub(crate) is_reversed: bool,
    /// Whether the time was over in which what was held could be captured.
    pub(crate) has_lapsed: bool,
    /// Whether another charge of the payment may be opened meanwhile.
    pub(crate) exclusive: Exclusive,
    /// Whether a payment under an agreement names it to the bank.
    pub(crate) names_agreement: bool,
    /// What was given back of it, if the bank does not distinguish one refund from another.
    pub(crate) refunded: Option<i64>,
    /// Whether it was released, if the bank does not distinguish one void from another.
    pub(crate) is_released: Option<bool>,
    /// When it ended.
    pub(crate) ended_at: Option<Timestamp>,
    /// What the bank was asked for.
    pub(crate) order: Value,
}

impl Charge {
    /// Whether the bank approved or declined.
    pub(crate) const fn is_decided(&self) -> bool {
        matches!(self.status, ChargeStatus::Approved | ChargeStatus::Declined)
    }

    /// Whether money was taken, or may still be.
    pub(crate) fn is_live(&self) -> bool {
        let is_gone = self.has_lapsed && self.is_released == Some(true);
        let is_taken = self.status == ChargeStatus::Approved && !is_gone;
        is_taken || self.status.waits_for_payer() || self.status == ChargeStatus::Processing
    }
}

/// A callback of the bank.
#[derive(Debug, Clone)]
pub(crate) struct Callback {
    pub(crate) reference: String,
    pub(crate) address: ReportAddress,
    pub(crate) request: Incoming,
    pub(crate) made_at: Timestamp,
    pub(crate) subject: Subject,
    /// The bank repeats it until it is acknowledged.
    pub(crate) is_insistent: bool,
}

/// What a callback is about.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Subject {
    /// A charge, as it was at that moment.
    Charge { status: ChargeStatus, is_wrong: bool },
    /// An operation that is done.
    Operation,
    /// A reason to ask.
    Hint,
}

/// What a payer does on a page so that the charge ends in this way: pays with a card that the issuer treats so, or
/// answers the question of 3-D Secure.
pub(crate) fn action(now: ChargeStatus, end: ChargeStatus, card: &'static TestCard) -> PayerAction {
    match (end, now) {
        (ChargeStatus::Canceled, _) => PayerAction::Cancel,
        (ChargeStatus::Declined, ChargeStatus::Challenged) => PayerAction::Fail,
        (_, ChargeStatus::Challenged) => PayerAction::Confirm,
        _ => PayerAction::Pay(card),
    }
}
