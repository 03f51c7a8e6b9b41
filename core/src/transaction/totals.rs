//! What a merchant's payments add up to, by day, currency and gateway.
//!
//! A payment counts on the day on which money was taken for the first time, with all that was taken of it since; a refund on
//! the day on which the gateway did it, whenever its payment was; an attempt that failed on the day on which that became
//! known. Days are those of the calendar at the merchant. An attempt that is no part of the payment, because another one had
//! settled it, counts neither when it is charged nor when it is given back.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::cmp::Reverse;

use crate::value::id::{MerchantId, PgCode};
use crate::value::money::{Currency, SumOfMoney};
use crate::value::slot::{Slot, Slotted};
use crate::value::time::{Date, Timestamp};
use crate::words::word_list;

/// A day at a merchant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Day {
    /// The day.
    pub date: Date,
    /// Its first moment.
    pub from: Timestamp,
    /// The first moment of the next day.
    pub until: Timestamp,
}

/// Of which days of a merchant the totals are wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WantedTotals {
    /// The merchant.
    pub merchant: MerchantId,
    /// The days, each once.
    pub days: Vec<Day>,
}

impl Slotted for WantedTotals {
    fn slot(&self) -> Slot {
        self.merchant.slot()
    }
}

word_list! {
    /// What is counted.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum CountKind {
        /// Payments of which money was taken.
        Paid = "paid",
        /// Refunds that were done.
        Refunded = "refunded",
        /// Attempts that were declined or broke.
        Failed = "failed",
    }
}

/// What was counted of one day, in one currency, at one gateway.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DayCount {
    /// The day.
    pub day: Date,
    /// The gateway.
    pub pg_code: PgCode,
    /// What is counted.
    pub of: CountKind,
    /// How many.
    pub count: u64,
    /// What they moved together: nothing for attempts that failed.
    pub moved: SumOfMoney,
    /// How much of that is fees.
    pub fees: SumOfMoney,
}

/// The totals of one day, in one currency, at one gateway.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DayTotal {
    /// The day.
    pub day: Date,
    /// The currency of the payments.
    pub currency: Currency,
    /// The gateway.
    pub pg_code: PgCode,
    /// What was counted.
    pub figures: Figures,
}

/// What payments add up to in one currency.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Figures {
    /// How many payments money was taken of.
    pub payments: u64,
    /// What was taken, fees included.
    pub paid: SumOfMoney,
    /// The fees in it.
    pub fees: SumOfMoney,
    /// How many refunds were done.
    pub refunds: u64,
    /// What was given back.
    pub refunded: SumOfMoney,
    /// How many attempts failed.
    pub failed: u64,
}

impl Figures {
    /// Nothing at all.
    #[must_use]
    pub const fn none(currency: Currency) -> Self {
        let nothing = SumOfMoney::zero(currency);
        Self { payments: 0, paid: nothing, fees: nothing, refunds: 0, refunded: nothing, failed: 0 }
    }

    /// What is left of what was taken, without fees and refunds; `None` if that cannot be represented.
    #[must_use]
    pub fn net(&self) -> Option<SumOfMoney> {
        self.paid.checked_sub(self.fees)?.checked_sub(self.refunded)
    }

    /// Both together; `None` if that cannot be represented.
    #[must_use]
    pub fn with(self, other: Self) -> Option<Self> {
        Some(Self {
            payments: self.payments.checked_add(other.payments)?,
            paid: self.paid.checked_add(other.paid)?,
            fees: self.fees.checked_add(other.fees)?,
            refunds: self.refunds.checked_add(other.refunds)?,
            refunded: self.refunded.checked_add(other.refunded)?,
            failed: self.failed.checked_add(other.failed)?,
        })
    }

    fn of(count: &DayCount) -> Self {
        let none = Self::none(count.moved.currency());
        match count.of {
            CountKind::Paid => Self { payments: count.count, paid: count.moved, fees: count.fees, ..none },
            CountKind::Refunded => Self { refunds: count.count, refunded: count.moved, ..none },
            CountKind::Failed => Self { failed: count.count, ..none },
        }
    }
}

/// The totals of what was counted: the newest day first, and within it by currency and gateway; `None` if one of them cannot be
/// represented.
#[must_use]
pub(crate) fn totals_of(counts: &[DayCount]) -> Option<Vec<DayTotal>> {
    let mut found: BTreeMap<(Reverse<Date>, &str, &PgCode), Figures> = BTreeMap::new();
    for count in counts {
        let currency = count.moved.currency();
        let figures = found
            .entry((Reverse(count.day), currency.code(), &count.pg_code))
            .or_insert_with(|| Figures::none(currency));
        *figures = figures.with(Figures::of(count))?;
    }
    let total = |((Reverse(day), _, pg_code), figures): ((Reverse<Date>, &str, &PgCode), Figures)| DayTotal {
        day,
        currency: figures.paid.currency(),
        pg_code: pg_code.clone(),
        figures,
    };
    Some(found.into_iter().map(total).collect())
}

#[cfg(test)]
mod tests {
    use alloc::string::{String, ToString};

    use super::*;

    fn count(day: &str, code: &str, of: CountKind, (count, moved, fees): (u64, i64, i64)) -> DayCount {
        let currency = Currency::parse("KWD").unwrap();
        DayCount {
            day: Date::parse(day).unwrap(),
            pg_code: PgCode::parse(code).unwrap(),
            of,
            count,
            moved: SumOfMoney::new(moved, currency),
            fees: SumOfMoney::new(fees, currency),
        }
    }

    #[test]
    fn what_was_counted_of_one_day_currency_and_gateway_is_one_row() {
        let counts = [
            count("2026-11-26", "knet", CountKind::Refunded, (1, 12_000, 0)),
            count("2026-11-26", "knet", CountKind::Paid, (2, 20_500, 500)),
            count("2026-11-26", "cash", CountKind::Failed, (3, 0, 0)),
            count("2026-11-27", "knet", CountKind::Refunded, (1, 1_000, 0)),
        ];
        let totals = totals_of(&counts).unwrap();
        let seen: Vec<(String, _, _, String)> = totals
            .iter()
            .map(|total| {
                let Figures { payments, refunds, failed, .. } = total.figures;
                let (day, net) = (total.day.to_string(), total.figures.net().unwrap().to_string());
                (day, total.pg_code.as_str(), (payments, refunds, failed), net)
            })
            .collect();
        assert_eq!(
            seen,
            [
                ("2026-11-27".into(), "knet", (0, 1, 0), "-1.000".into()),
                ("2026-11-26".into(), "cash", (0, 0, 3), "0.000".into()),
                ("2026-11-26".into(), "knet", (2, 1, 0), "8.000".into()),
            ]
        );
    }

    #[test]
    fn a_sum_that_cannot_be_represented_is_none_and_no_other_number() {
        let much = count("2026-11-26", "knet", CountKind::Paid, (1, i64::MAX, 0));
        assert_eq!(totals_of(&[much.clone(), much]), None);
    }
}
