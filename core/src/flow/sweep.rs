//! What is done every minute without a request: outcomes are inquired, transactions expire, notifications are
//! tried again, payments are reconciled, old answers are deleted.
//!
//! A run takes [`RUN`] at most. It reads which rows are due (`due`), and hands them to the [engine](crate::flow::deliver), which
//! does them in turns of the merchants, their gateways and their receivers, the urgent first. A run that has time left continues
//! with the next rows. What is left over, or failed, stays for the next run.
//!
//! Where queues are bound, a run only rings for what is due, and the consumers of the queues hand it to the engine, many at the
//! same time.

mod alert;
pub mod clock;
mod due;

use core::cell::RefCell;
use core::time::Duration;

use self::due::{do_due, ring_due};
use crate::flow::deliver::{Engine, RunReport, go_on, note, tidy};
use crate::flow::exchange::patience::GATEWAY_TIMEOUT;
use crate::flow::situation::situation_of;
use crate::port::{Clock, Monitoring, Registry, SweepTotals, World};
use crate::settings::situation::Situation;
use crate::value::slot::Slot;
use crate::value::time::Timestamp;
use crate::webhook::delivery::SEND_TIMEOUT;

/// How long one run takes at most: the next one begins after a minute.
pub const RUN: Duration = Duration::from_secs(50);
/// How long work that was begun may take: a gateway's answer, and the answer to the refund of a payment that
/// does not count.
const TAIL: Duration = GATEWAY_TIMEOUT.saturating_add(GATEWAY_TIMEOUT);
/// How long a run begins anything. A notification takes no longer than [`TAIL`].
const BEGINNING: Duration = RUN.saturating_sub(TAIL);
/// How much of it belongs to merchants whose clock was moved, if there are any.
const FOR_MOVED_CLOCKS: Duration = Duration::from_secs(5);
const _: () =
    assert!(SEND_TIMEOUT.as_secs() <= TAIL.as_secs() && BEGINNING.as_secs() > FOR_MOVED_CLOCKS.as_secs());

/// The most merchants whose clock was moved that are looked at in one run.
const MAX_MOVED_CLOCKS: u32 = 20;

/// One run:
///
/// 1. what is new on the attention list is reported;
/// 2. what is due for every merchant whose clock was not moved; if queues are bound, doorbells are rung for it;
/// 3. what is due for each merchant whose clock was moved, in the merchant's time;
/// 4. delete stored answers past their lifetime, counts that limit nothing any more, and notes of old doorbells; erase what
///    identifies payers where it is older than the merchant's settings say. What is left over is cleaned up by consumers of
///    the queues, if they are bound;
/// 5. note for the operator's monitoring that the run ended, and what it did.
///
pub async fn sweep(world: &impl World) -> RunReport {
    let started = world.clock().now();
    let beginning = world.run_limits().beginning.min(BEGINNING);
    let until = started.plus(beginning);
    let report = RefCell::new(RunReport::default());
    let engine = Engine::new(world, None, started.plus(beginning.saturating_sub(FOR_MOVED_CLOCKS)), &report);
    // 1
    let raised = alert::raise(world, || engine.may_begin()).await;
    report.borrow_mut().alerts = raised.alerts;
    report.borrow_mut().failures.extend(raised.failures);
    // 2
    let is_rung = world.has_queues() && {
        // What cannot be rung for is done here.
        ring_due(&engine).await.inspect_err(|error| note(&report, error.clone())).is_ok()
    };
    do_due(&engine, is_rung).await;
    // 3
    match world.directory().moved_clocks(MAX_MOVED_CLOCKS).await {
        Ok(merchants) => {
            for merchant in &merchants {
                match situation_of(world, merchant).await {
                    Ok(merchant) => {
                        let engine = Engine::new(world, Some(&merchant), until, &report);
                        do_due(&engine, false).await;
                    }
                    Err(error) => note(&report, error),
                }
            }
        }
        Err(error) => note(&report, error),
    }
    // 4
    if tidy(world, until, &report).await && world.has_queues() {
        go_on(world, started.plus(RUN), &report).await;
    }
    // 5
    let mut report = report.into_inner();
    if let Err(error) = world.ledger(&Slot::FIRST).note_sweep(&totals(&report, world.clock().now())).await {
        report.failures.push(error);
    }
    report
}

/// One run, as it is added to the totals.
fn totals(report: &RunReport, ended_at: Timestamp) -> SweepTotals {
    let wide = |count: usize| u64::try_from(count).unwrap_or(u64::MAX);
    SweepTotals {
        ended_at,
        runs: 1,
        inquired: wide(report.inquired),
        expired: wide(report.expired),
        delivered: wide(report.delivered),
        reconciled: wide(report.reconciled),
        failures: wide(report.failures.len()),
    }
}

/// One run for one merchant, in the merchant's time.
pub async fn sweep_merchant(world: &impl World, merchant: &Situation) -> RunReport {
    let report = RefCell::new(RunReport::default());
    let until = world.clock().now().plus(world.run_limits().beginning.min(BEGINNING));
    let engine = Engine::new(world, Some(merchant), until, &report);
    do_due(&engine, false).await;
    report.into_inner()
}
