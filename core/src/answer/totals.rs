//! The answer that adds up the payments of days.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use schemars::JsonSchema;
use serde::Serialize;

use crate::transaction::totals::DayTotal;
use crate::value::id::PgCode;
use crate::value::money::{Currency, SumOfMoney};
use crate::value::time::{Date, Moment};

/// What the payments of some days add up to.
#[derive(Debug, Serialize, JsonSchema)]
pub struct TotalsAnswer {
    /// As of when.
    pub as_of: Moment,
    /// The first day.
    #[schemars(with = "String")]
    pub from: Date,
    /// The newest day first; a day, currency and gateway without anything is left out.
    pub results: Vec<DayTotalShown>,
    /// The time zone of the days; null if the merchant has none, and they are days in UTC.
    pub time_zone: Option<String>,
    /// The last day.
    #[schemars(with = "String")]
    pub to: Date,
}

/// The totals of one day, in one currency, at one gateway.
#[derive(Debug, Serialize, JsonSchema)]
pub struct DayTotalShown {
    /// The currency of the payments.
    #[schemars(with = "String")]
    pub currency_code: Currency,
    /// The day.
    #[schemars(with = "String")]
    pub day: Date,
    /// How many attempts failed on this day.
    pub failed_attempts: u64,
    /// The fees in what was taken.
    pub fees: String,
    /// What was taken, without fees and refunds; below zero if more was given back.
    pub net_amount: String,
    /// What was taken, fees included, of payments of which money was taken for the first time on this day.
    pub paid_amount: String,
    /// How many payments these are.
    pub payments: u64,
    /// The gateway.
    pub pg_code: PgCode,
    /// What was given back on this day, whenever it was paid.
    pub refunded_amount: String,
    /// How many refunds these are.
    pub refunds: u64,
}

impl DayTotalShown {
    /// One total; `None` if it cannot be represented.
    #[must_use]
    pub fn of(total: &DayTotal) -> Option<Self> {
        let figures = &total.figures;
        let text = |sum: SumOfMoney| sum.to_string();
        Some(Self {
            currency_code: total.currency,
            day: total.day,
            failed_attempts: figures.failed,
            fees: text(figures.fees),
            net_amount: text(figures.net()?),
            paid_amount: text(figures.paid),
            payments: figures.payments,
            pg_code: total.pg_code.clone(),
            refunded_amount: text(figures.refunded),
            refunds: figures.refunds,
        })
    }
}
