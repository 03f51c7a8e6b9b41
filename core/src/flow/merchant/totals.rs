//! Adding up a merchant's payments.

use alloc::vec::Vec;
use core::time::Duration;

use crate::access::Caller;
use crate::answer::totals::{DayTotalShown, TotalsAnswer};
use crate::api::read_totals::{self, Days};
use crate::flow::Failure;
use crate::flow::payer::local::ahead;
use crate::flow::reader::day_begins;
use crate::port::{DayTotals, PortError, World};
use crate::transaction::totals::{Day, DayTotal, WantedTotals, totals_of};
use crate::value::time::{Date, Local, Timestamp};

/// Adds up the payments of days at the merchant:
///
/// 1. read the query, for which today is the day at the merchant;
/// 2. count each day by an index, and add up what belongs together.
///
/// # Errors
/// The rejection, or a failure of the world.
pub async fn read_totals(world: &impl World, caller: &Caller, query: &str) -> Result<TotalsAnswer, Failure> {
    let situation = &caller.situation;
    // 1
    let days = read_totals::read(query, today(world, caller)?)?;
    // 2
    let totals = totals(world, caller, days).await?;
    let shown = totals.iter().map(DayTotalShown::of).collect::<Option<Vec<_>>>();
    Ok(TotalsAnswer {
        as_of: situation.now.into(),
        from: days.from,
        results: shown.ok_or_else(too_much)?,
        time_zone: situation.settings.time_zone.clone(),
        to: days.to,
    })
}

/// The day at the merchant.
///
/// # Errors
/// If there is no such day.
pub fn today(world: &impl World, caller: &Caller) -> Result<Date, Failure> {
    let (settings, now) = (&caller.situation.settings, caller.situation.now);
    let day = Local { at: now, ahead: ahead(world, settings, now) }.day();
    Ok(day.ok_or(PortError { port: "clock", detail: "the time is outside the calendar".into() })?)
}

/// The totals of days at the merchant, the newest first.
///
/// # Errors
/// A failure of the world.
pub async fn totals(world: &impl World, caller: &Caller, days: Days) -> Result<Vec<DayTotal>, Failure> {
    let wanted = WantedTotals { merchant: caller.merchant().clone(), days: spans(world, caller, days) };
    let counts = world.ledger(&wanted).count_days(&wanted).await?;
    Ok(totals_of(&counts).ok_or_else(too_much)?)
}

/// When each of the days begins and ends.
fn spans(world: &impl World, caller: &Caller, Days { from, to }: Days) -> Vec<Day> {
    let settings = &caller.situation.settings;
    let mut spans = Vec::new();
    let (mut date, mut begins) = (from, day_begins(world, settings, None, from));
    while date <= to {
        let Some(next) = date.plus_days(1) else { break };
        let until = day_begins(world, settings, None, next);
        spans.push(Day { date, from: begins, until });
        (date, begins) = (next, until);
    }
    spans
}

/// The first and the last second of days at the merchant.
#[must_use]
pub fn span(world: &impl World, caller: &Caller, Days { from, to }: Days) -> (Timestamp, Timestamp) {
    let settings = &caller.situation.settings;
    let after = to.plus_days(1).map(|next| day_begins(world, settings, None, next));
    let last = after.map_or(Timestamp::from_millis(i64::MAX), |next| next.minus(Duration::from_secs(1)));
    (day_begins(world, settings, None, from), last)
}

/// When a day at the merchant begins, and when the next one does.
pub(super) fn span_of_day(world: &impl World, caller: &Caller, day: Date) -> (Timestamp, Timestamp) {
    let begins = |date| day_begins(world, &caller.situation.settings, None, date);
    let until = day.plus_days(1).map_or(Timestamp::from_millis(i64::MAX), begins);
    (begins(day), until)
}

/// A sum is more than can be represented.
pub(in crate::flow) fn too_much() -> PortError {
    PortError { port: "totals", detail: "a sum cannot be represented".into() }
}
