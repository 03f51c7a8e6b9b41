//! What payments add up to.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::filters::{code, made, refunded, tried};
use super::fixture::Fixture;
use super::{Checked, Problem, holds, same};
use crate::attempt::Attempt;
use crate::attempt::stage::Stage;
use crate::change::{AttemptWrite, Change, EventKind};
use crate::child::stage::OperationStage;
use crate::port::{DayTotals, Store};
use crate::state::{Event, State};
use crate::transaction::totals::{Day, WantedTotals, totals_of};
use crate::transaction::{Settlement, Transaction};
use crate::value::time::{Date, Timestamp};
use crate::words::Operation;

/// Two days of ten seconds each, the first of which begins with the check.
fn days(fixture: &Fixture) -> Result<Vec<Day>, Problem> {
    let date = Date::parse("2026-11-26").ok_or("no day")?;
    let next = date.plus_days(1).ok_or("no day")?;
    let (from, middle, until) = (fixture.now, fixture.after(10), fixture.after(20));
    Ok([Day { date, from, until: middle }, Day { date: next, from: middle, until }].into())
}

/// The totals of the two days, a line each.
async fn lines(store: &impl DayTotals, fixture: &Fixture) -> Result<Vec<String>, Problem> {
    let wanted = WantedTotals { merchant: fixture.merchant.clone(), days: days(fixture)? };
    let totals = totals_of(&store.count_days(&wanted).await?).ok_or("too much")?;
    let line = totals.iter().map(|total| {
        let figures = &total.figures;
        alloc::format!(
            "{} {} {}: {} paid {} with {}, {} returned {}, {} failed",
            total.day,
            total.currency,
            total.pg_code.as_str(),
            figures.payments,
            figures.paid,
            figures.fees,
            figures.refunds,
            figures.refunded,
            figures.failed
        )
    });
    Ok(line.collect())
}

/// Ends an attempt at a moment.
async fn ended(
    store: &impl Store,
    transaction: &Transaction,
    (attempt, stage): (Attempt, Stage),
    settlement: Option<Settlement>,
    at: Timestamp,
) -> Result<(Transaction, Attempt), Problem> {
    let mut next = Transaction { settlement, ..transaction.clone() };
    let event = if stage == Stage::Success {
        next.move_to(State::Paid, at);
        EventKind::Moved(Event::AttemptSucceeded(Operation::Purchase))
    } else {
        EventKind::AttemptNoted
    };
    let attempt = Attempt { stage, inquire_at: None, known_at: at, ..attempt };
    let change = Change::of(next, event, at)
        .with_attempt(AttemptWrite::Update { from: Stage::Sending, attempt: attempt.clone() });
    store.commit(&change).await?;
    Ok((change.transaction, attempt))
}

/// A payment through a gateway, with a fee of 250 minor units.
async fn paid(
    store: &impl Store,
    fixture: &Fixture,
    gateway: &str,
    at: Timestamp,
) -> Result<(Transaction, Attempt), Problem> {
    let code = code(gateway)?;
    let created = made(store, fixture, 0, None, |_| ()).await?;
    let (opened, attempt) = tried(store, fixture, &created, &code).await?;
    let total = created.amount.checked_add(fixture.money(250)?).ok_or("no total")?;
    let settlement = Settlement { pg_code: code, settled: created.amount, paid: Some(total) };
    ended(store, &opened, (attempt, Stage::Success), Some(settlement), at).await
}

pub(super) async fn what_was_paid_returned_and_failed_is_counted_by_its_day(
    store: &(impl Store + DayTotals),
    fixture: &Fixture,
) -> Checked {
    holds("nothing", lines(store, fixture).await?.is_empty())?;
    let last = Timestamp::from_millis(fixture.after(10).millis().saturating_sub(1));
    let (first, attempt) = paid(store, fixture, "knet", fixture.now).await?;
    paid(store, fixture, "knet", last).await?;
    paid(store, fixture, "knet", fixture.after(10)).await?;
    paid(store, fixture, "cash", fixture.after(19)).await?;
    paid(store, fixture, "cash", fixture.after(20)).await?;
    refunded(store, fixture, &first, &attempt, OperationStage::Done).await?;
    let (waits, attempt) = paid(store, fixture, "cash", fixture.after(19)).await?;
    refunded(store, fixture, &waits, &attempt, OperationStage::Queued).await?;
    for (stage, at) in [(Stage::Failed, 12), (Stage::Error, 13), (Stage::Canceled, 12), (Stage::Failed, 20)] {
        let created = made(store, fixture, 0, None, |_| ()).await?;
        let (opened, attempt) = tried(store, fixture, &created, &code("knet")?).await?;
        ended(store, &opened, (attempt, stage), None, fixture.after(at)).await?;
    }
    let wanted = [
        "2026-11-27 KWD cash: 2 paid 21.000 with 0.500, 0 returned 0.000, 0 failed",
        "2026-11-27 KWD knet: 1 paid 10.500 with 0.250, 0 returned 0.000, 2 failed",
        "2026-11-26 KWD knet: 2 paid 21.000 with 0.500, 1 returned 10.250, 0 failed",
    ];
    same("totals", lines(store, fixture).await?, wanted.iter().map(ToString::to_string).collect())
}

pub(super) async fn what_another_attempt_took_and_what_is_deleted_does_not_count(
    store: &(impl Store + DayTotals),
    fixture: &Fixture,
) -> Checked {
    let (twice, _) = paid(store, fixture, "knet", fixture.now).await?;
    // Charged again after the payment was settled, and given back.
    let second =
        Attempt { stage: Stage::Success, number: 2, inquire_at: None, ..fixture.attempt(&twice, 2)? };
    let noted = fixture.noted(&twice).with_attempt(AttemptWrite::Open(second.clone()));
    store.commit(&noted).await?;
    refunded(store, fixture, &noted.transaction, &second, OperationStage::Done).await?;
    let (deleted, attempt) = paid(store, fixture, "knet", fixture.now).await?;
    let deleted = refunded(store, fixture, &deleted, &attempt, OperationStage::Done).await?;
    store.commit(&Change::of(deleted, EventKind::Deleted, fixture.now)).await?;
    let wanted = "2026-11-26 KWD knet: 1 paid 10.500 with 0.250, 0 returned 0.000, 0 failed".to_string();
    same("totals", lines(store, fixture).await?, [wanted].into())
}
