//! Agreements as they are stored: the terms of the first payment apply to all. Each agreement has one card at
//! a time.
//!
//! Decision: an agreement belongs to one customer, because unscheduled ones may have the same id for every
//! customer.

use alloc::string::String;

use super::usage::Initiator;
use super::{CardToken, Holder};
use crate::rejection::refusal::Breach;
use crate::transaction::agreement::Agreement;
use crate::value::money::Money;
use crate::value::time::Timestamp;

/// Which agreement.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct AgreementKey {
    /// The owner.
    pub holder: Holder,
    /// The merchant's id of the agreement, at most 128 characters.
    pub id: String,
}

/// An agreement as it is stored.
#[derive(Debug, Clone, PartialEq)]
pub struct SavedAgreement {
    /// Which agreement.
    pub key: AgreementKey,
    /// The terms of the first payment.
    pub terms: Agreement,
    /// What the payer paid first, without fees.
    pub amount: Money,
    /// The card of the agreement.
    pub card: CardToken,
    /// How many payments the merchant made under it.
    pub cycles: u32,
    /// When it was last paid.
    pub charged_at: Timestamp,
}

/// What a payment means for an agreement.
#[derive(Debug, Clone, PartialEq)]
pub struct AgreementWrite {
    /// The agreement as it is if there was none before: one that is stored already keeps its terms and its
    /// first amount.
    pub agreement: SavedAgreement,
    /// Who paid: the payer's payment replaces the card of the agreement, the merchant's counts as a cycle.
    pub initiator: Initiator,
}

impl SavedAgreement {
    /// The first term that a payment of `amount` at `now` breaks; `None` if it breaks none.
    #[must_use]
    pub(crate) fn breach(&self, amount: Money, now: Timestamp) -> Option<Breach> {
        let terms = &self.terms;
        if terms.is_over(now) {
            return Some(Breach::Over);
        }
        if terms.total_cycles.is_some_and(|total| self.cycles >= u32::from(total)) {
            return Some(Breach::CyclesDone);
        }
        let interval = terms.cycle_interval_days.map(|days| u64::from(days).saturating_mul(86_400));
        if interval.is_some_and(|seconds| now.since(self.charged_at).as_secs() < seconds) {
            return Some(Breach::TooEarly);
        }
        let most = terms.max_amount_per_cycle.as_deref();
        let most = most.and_then(|text| Money::parse(text, amount.currency()).ok());
        if most.is_some_and(|most| amount.minor() > most.minor()) {
            return Some(Breach::AboveMaximum);
        }
        let is_fixed = terms.amount_variability.as_deref() == Some("fixed");
        (is_fixed && amount != self.amount).then_some(Breach::OtherAmount)
    }
}
