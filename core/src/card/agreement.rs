//! Agreements as they are kept: the terms of the first payment hold for all (specification, Agreement; wire contract
//! 9.2). One card at a time stands for an agreement.
//!
//! Decision: an agreement belongs to one customer, because unscheduled ones may have the same id for everybody.

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
    /// Whose.
    pub holder: Holder,
    /// The merchant's id of it, at most 128 characters.
    pub id: String,
}

/// An agreement as it is kept.
#[derive(Debug, Clone, PartialEq)]
pub struct KeptAgreement {
    /// Which.
    pub key: AgreementKey,
    /// The terms of the first payment.
    pub terms: Agreement,
    /// What the payer paid first, without fees.
    pub amount: Money,
    /// The card that stands for it.
    pub card: CardToken,
    /// How many payments the merchant made under it.
    pub cycles: u32,
    /// When it was last paid.
    pub charged_at: Timestamp,
}

/// What a payment means for an agreement.
#[derive(Debug, Clone, PartialEq)]
pub struct AgreementWrite {
    /// The agreement as it is where there was none: one that is kept already keeps its terms and its first amount.
    pub agreement: KeptAgreement,
    /// Who paid: the payer's payment puts the card in the place of another, the merchant's counts as a cycle.
    pub initiator: Initiator,
}

impl KeptAgreement {
    /// What of the terms a payment of `amount` at `now` breaks, the first of them; `None` where it keeps them.
    #[must_use]
    pub fn breach(&self, amount: Money, now: Timestamp) -> Option<Breach> {
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
