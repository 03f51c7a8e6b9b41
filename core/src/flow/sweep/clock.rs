//! The test clock of a merchant: reading it, and moving it forward (`docs/sandbox.md`).
//!
//! Decision: only a merchant whose gateways are all simulated has a clock that moves, and it never goes back:
//! what happened stays before what follows. The clock jumps; what falls due several times during the jump is
//! done once, at the time that the clock shows afterwards.

use core::time::Duration;

use serde::Serialize;

use crate::access::operator::Operator;
use crate::answer::operator::ClockShown;
use crate::api::test_clock::ClockRequest;
use crate::flow::Failure;
use crate::flow::deliver::RunReport;
use crate::flow::situation::known;
use crate::port::{Registry, World};
use crate::record::audit::Entry;
use crate::rejection::Rejection;
use crate::settings::situation::Situation;
use crate::value::id::MerchantId;

/// Shows a merchant's clock.
///
/// # Errors
/// [`Rejection::NotFound`], or a failure of the world.
pub async fn read_clock(world: &impl World, merchant: &MerchantId) -> Result<ClockShown, Failure> {
    Ok(shown(&known(world, merchant).await?, None))
}

/// Moves a merchant's clock forward and returns the merchant as it is then:
///
/// 1. load the merchant; one that has a gateway that is not simulated stays in real time;
/// 2. read how far: `advance` by a period, or `to` a moment, reporting what is wrong;
/// 3. store it; what the simulated bank lets the merchant wait for moves along.
///
/// The caller does what is due at the time that the clock shows then: the bank's part, then the
/// [sweep](crate::flow::sweep::sweep_merchant).
///
/// # Errors
/// [`Rejection::NotFound`], [`Rejection::ClockNotMovable`], [`Rejection::Invalid`], [`Rejection::Conflict`]
/// if the merchant was changed in the meantime, or a failure of the world.
pub async fn move_clock(
    world: &impl World,
    by: &Operator,
    merchant: &MerchantId,
    body: &[u8],
) -> Result<Situation, Failure> {
    // 1
    let situation = known(world, merchant).await?;
    let settings = &situation.settings;
    if !settings.gateways.iter().all(|gateway| gateway.sandbox) {
        return Err(Rejection::ClockNotMovable.into());
    }
    // 2
    let ClockRequest { offset } = ClockRequest::read(body, situation.now, situation.ahead())?;
    // 3
    let ahead = |offset: Duration| Ahead { advanced_seconds: offset.as_secs() };
    let entry = Entry::of(by.actor(), "move_clock", situation.real_now()).about(merchant).on(merchant);
    let entry = entry.making(settings.version.saturating_add(1));
    let entry = entry.from(&ahead(situation.ahead())).to(&ahead(offset));
    if !world.directory().move_clock(settings, offset, &entry).await? {
        return Err(Rejection::Conflict.into());
    }
    known(world, merchant).await
}

/// What is recorded of a clock.
#[derive(Serialize)]
struct Ahead {
    advanced_seconds: u64,
}

/// Shows a clock that was moved, and what happened because of it.
#[must_use]
pub fn moved(world: &impl World, merchant: &Situation, report: &RunReport) -> ClockShown {
    shown(&merchant.later(world), Some(report))
}

fn shown(situation: &Situation, report: Option<&RunReport>) -> ClockShown {
    ClockShown {
        advanced_seconds: situation.ahead().as_secs(),
        delivered: report.map(|report| report.delivered),
        expired: report.map(|report| report.expired),
        inquired: report.map(|report| report.inquired),
        merchant_id: situation.settings.merchant.clone(),
        now: situation.now.into(),
        reconciled: report.map(|report| report.reconciled),
    }
}
