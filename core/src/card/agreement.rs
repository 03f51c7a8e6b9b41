//! Agreements as they are stored: the terms of the first payment apply to all. Each agreement has one card at
//! a time.
//!
//! Decision: an agreement belongs to one customer, because unscheduled ones may have the same id for every
//! customer.

use alloc::string::String;

use super::usage::ChargeInitiator;
use super::{CardToken, Holder};
use crate::rejection::refusal::Breach;
use crate::transaction::agreement::Agreement;
use crate::value::digest::digest;
use crate::value::id::SessionId;
use crate::value::money::Money;
use crate::value::slot::{Slot, Slotted};
use crate::value::time::Timestamp;
use crate::words::agreement::Variability;
use crate::words::decline::DeclineReason;

/// Which agreement.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct AgreementKey {
    /// The owner.
    pub holder: Holder,
    /// The merchant's id of the agreement, at most 128 characters.
    pub id: String,
}

impl Slotted for AgreementKey {
    fn slot(&self) -> Slot {
        self.holder.merchant.slot()
    }
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
    /// The merchant's payments under it whose outcome is still to come. Each may become a cycle.
    pub open: OpenDebits,
    /// Why it is not debited for now, if it is paused.
    pub paused: Option<Pause>,
}

/// Why an agreement is not debited until the merchant or a payment of the payer resumes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pause {
    /// Since when.
    pub at: Timestamp,
    /// Why the last debit had no success.
    pub reason: DeclineReason,
    /// The transaction that was not paid.
    pub session_id: SessionId,
}

/// The merchant's payments under an agreement that are sending, redirected or unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OpenDebits {
    /// How many.
    pub count: u32,
    /// When the last of them was opened.
    pub latest: Option<Timestamp>,
}

/// The cycle of an agreement that an attempt of the merchant takes: it is taken while the attempt is open, counted if the
/// attempt succeeds, and free again if it does not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CycleClaim {
    /// Of which agreement.
    pub key: AgreementKey,
    /// What the terms were checked against; `None` if no term depends on other payments.
    pub checked: Option<CyclesTaken>,
}

/// Which cycles of an agreement are taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CyclesTaken {
    /// The card of the agreement.
    pub card: CardToken,
    /// How many payments the merchant made.
    pub cycles: u32,
    /// When it was last paid.
    pub charged_at: Timestamp,
    /// The payments whose outcome is still to come.
    pub open: OpenDebits,
}

impl AgreementKey {
    /// The name under which its open attempts are found: a hash, because attempts outlive the customer's data.
    #[must_use]
    pub fn digest(&self) -> String {
        let Holder { merchant, customer_id, is_sandbox } = &self.holder;
        let environment = if *is_sandbox { "sandbox" } else { "production" };
        digest(&["agreement", merchant.as_str(), customer_id, environment, &self.id])
    }
}

impl CycleClaim {
    /// Whether the agreement, as it is stored, is still the one whose terms were checked.
    #[must_use]
    pub fn is_current(&self, stored: Option<&SavedAgreement>) -> bool {
        self.checked.as_ref().is_none_or(|checked| stored.is_some_and(|stored| stored.taken() == *checked))
    }
}

/// What a payment means for an agreement.
#[derive(Debug, Clone, PartialEq)]
pub struct AgreementWrite {
    /// The agreement as it is if there was none before: one that is stored already keeps its terms and its
    /// first amount.
    pub agreement: SavedAgreement,
    /// Who paid: the payer's payment replaces the card of the agreement, the merchant's counts as a cycle.
    pub initiator: ChargeInitiator,
}

impl SavedAgreement {
    /// The cycles that are taken.
    #[must_use]
    pub fn taken(&self) -> CyclesTaken {
        let Self { cycles, charged_at, open, .. } = *self;
        CyclesTaken { card: self.card.clone(), cycles, charged_at, open }
    }

    /// The claim of an attempt that was found to break no term.
    #[must_use]
    pub fn claim(&self) -> CycleClaim {
        let is_counted = self.terms.total_cycles.is_some() || self.terms.cycle_interval_days.is_some();
        CycleClaim { key: self.key.clone(), checked: is_counted.then(|| self.taken()) }
    }

    /// Whether a payment is of another currency, or of another amount although that is fixed: the payer agreed to neither,
    /// whether the merchant has terms enforced or not.
    #[must_use]
    pub fn misfit(&self, amount: Money) -> Option<Breach> {
        if amount.currency() != self.amount.currency() {
            return Some(Breach::OtherCurrency);
        }
        let is_fixed = self.terms.amount_variability == Some(Variability::Fixed);
        (is_fixed && amount != self.amount).then_some(Breach::OtherAmount)
    }

    /// The first term that a payment of `amount` at `now` breaks; `None` if it breaks none. A payment that is still open
    /// may succeed, so it counts, and the refusal says that it may end.
    ///
    /// Decision: an agreement has one currency, that of its first payment, because its terms are amounts without a currency.
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
        let misfit = self.misfit(amount);
        if misfit == Some(Breach::OtherCurrency) {
            return misfit;
        }
        let most = terms.max_amount_per_cycle.as_ref().map(|most| most.in_currency(amount.currency()));
        if most.is_some_and(|most| most.is_none_or(|most| amount.minor() > most.minor())) {
            return Some(Breach::AboveMaximum);
        }
        if misfit.is_some() {
            return misfit;
        }
        let taken = self.cycles.saturating_add(self.open.count);
        let latest = self.open.latest.filter(|_| self.open.count > 0);
        let is_last_open = terms.total_cycles.is_some_and(|total| taken >= u32::from(total));
        let is_cycle_open =
            interval.zip(latest).is_some_and(|(seconds, latest)| now.since(latest).as_secs() < seconds);
        (is_last_open || is_cycle_open).then_some(Breach::InProgress)
    }
}
