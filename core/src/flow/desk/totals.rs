//! What payments add up to, for a person.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use futures_util::future::join;

use super::payment::{PaymentList, newest};
use crate::access::Caller;
use crate::api::read_totals::{self, Days};
use crate::flow::Failure;
use crate::flow::merchant::totals::{span, today, too_much, totals};
use crate::port::World;
use crate::transaction::totals::{DayTotal, Figures};
use crate::value::id::PgCode;
use crate::value::money::Currency;
use crate::value::time::Date;

/// How many payments the first screen shows.
const NEWEST: u32 = 10;
/// The periods of the first screen: of so many days, today included.
pub const PERIODS: [i64; 3] = [1, 7, 30];

/// What one currency and gateway add up to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MethodTotal {
    /// The gateway.
    pub pg_code: PgCode,
    /// The figures.
    pub figures: Figures,
    /// The query of the payments that they are of.
    pub query: String,
}

/// The totals of a period.
#[derive(Debug, Clone)]
pub struct TotalsShown {
    /// The days.
    pub days: Days,
    /// Of the whole period, by currency and gateway.
    pub whole: Vec<MethodTotal>,
    /// Of each day, the newest first.
    pub by_day: Vec<(Date, MethodTotal)>,
}

/// The first screen.
#[derive(Debug, Clone)]
pub struct Overview {
    /// Of each currency and gateway: the totals of each of the [`PERIODS`].
    pub methods: Vec<[MethodTotal; PERIODS.len()]>,
    /// The newest payments.
    pub newest: PaymentList,
}

/// The totals of the days that a query names.
///
/// # Errors
/// What is wrong with the query, or a failure of the world.
pub async fn desk_totals(world: &impl World, caller: &Caller, query: &str) -> Result<TotalsShown, Failure> {
    let days = read_totals::read(query, today(world, caller)?)?;
    let found = totals(world, caller, days).await?;
    let whole = summed(world, caller, &found, days)?;
    let by_day = found.into_iter().map(|total| {
        let day = total.day;
        (day, method_total(world, caller, total.pg_code, total.figures, Days { from: day, to: day }))
    });
    Ok(TotalsShown { days, whole, by_day: by_day.collect() })
}

/// What the first screen shows.
///
/// # Errors
/// A failure of the world.
pub async fn overview(world: &impl World, caller: &Caller) -> Result<Overview, Failure> {
    let today = today(world, caller)?;
    let since =
        |days: i64| Days { from: today.plus_days(1_i64.saturating_sub(days)).unwrap_or(today), to: today };
    let longest = PERIODS.into_iter().max().unwrap_or(1);
    let (found, newest) = join(totals(world, caller, since(longest)), newest(world, caller, NEWEST)).await;
    let (found, newest) = (found?, newest?);
    let mut methods = Vec::new();
    for MethodTotal { pg_code, figures, .. } in summed(world, caller, &found, since(longest))? {
        let currency = figures.paid.currency();
        let of_method = |total: &&DayTotal| total.pg_code == pg_code && total.currency == currency;
        let of_period = |days: i64| {
            let days = since(days);
            let mut own = found.iter().filter(of_method).filter(|total| total.day >= days.from);
            let sum = own.try_fold(Figures::none(currency), |sum, total| sum.with(total.figures));
            sum.map(|figures| method_total(world, caller, pg_code.clone(), figures, days))
                .ok_or_else(too_much)
        };
        let [first, second, third] = PERIODS;
        methods.push([of_period(first)?, of_period(second)?, of_period(third)?]);
    }
    Ok(Overview { methods, newest })
}

/// The sums of a period, by currency and gateway.
fn summed(
    world: &impl World,
    caller: &Caller,
    totals: &[DayTotal],
    days: Days,
) -> Result<Vec<MethodTotal>, Failure> {
    let mut sums: BTreeMap<(Currency, &PgCode), Figures> = BTreeMap::new();
    for total in totals {
        let sum =
            sums.entry((total.currency, &total.pg_code)).or_insert_with(|| Figures::none(total.currency));
        *sum = sum.with(total.figures).ok_or_else(too_much)?;
    }
    let shown = sums
        .into_iter()
        .map(|((_, pg_code), figures)| method_total(world, caller, pg_code.clone(), figures, days));
    Ok(shown.collect())
}

fn method_total(
    world: &impl World,
    caller: &Caller,
    pg_code: PgCode,
    figures: Figures,
    days: Days,
) -> MethodTotal {
    let (from, to) = span(world, caller, days);
    let query = form_urlencoded::Serializer::new(String::new())
        .append_pair("paid_from", &from.text())
        .append_pair("paid_to", &to.text())
        .append_pair("currency", figures.paid.currency().code())
        .append_pair("pg_code", pg_code.as_str())
        .finish();
    MethodTotal { pg_code, figures, query }
}
