//! The test clock of a merchant: reading it, and moving it forward (`docs/sandbox.md`).
//!
//! Decision: only a merchant whose gateways are all simulated has a clock that moves, and it never goes back:
//! what happened stays before what follows. The clock jumps; what falls due several times during the jump is
//! done once, at the time that the clock shows afterwards.

use alloc::rc::Rc;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::time::Duration;

use serde_json::{Map, Value};

use super::object;
use crate::flow::sweep::Swept;
use crate::flow::{Failure, now_of};
use crate::port::{Clock, Registry, World};
use crate::rejection::Rejection;
use crate::settings::{MAX_EXPIRATION, MerchantSettings};
use crate::value::id::MerchantId;
use crate::value::time::Timestamp;
use crate::value::time::period::parse_period;
use crate::violation::{Rule, Violation};

/// How far a clock can be moved from the real time in total.
pub const MAX_OFFSET: Duration = MAX_EXPIRATION;

/// Shows a merchant's clock.
///
/// # Errors
/// [`Rejection::NotFound`], or a failure of the world.
pub async fn read_clock(world: &impl World, merchant: &MerchantId) -> Result<Value, Failure> {
    let settings = world.store().settings(merchant).await?.ok_or(Rejection::NotFound)?;
    Ok(Value::Object(shown(world, &settings)))
}

/// Moves a merchant's clock forward and returns the merchant's settings as they are then:
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
    merchant: &MerchantId,
    body: &[u8],
) -> Result<Rc<MerchantSettings>, Failure> {
    // 1
    let settings = world.store().settings(merchant).await?.ok_or(Rejection::NotFound)?;
    if !settings.gateways.iter().all(|gateway| gateway.sandbox) {
        return Err(Rejection::ClockNotMovable.into());
    }
    // 2
    let offset = offset(&object(body)?, now_of(world, &settings), settings.clock_offset)
        .map_err(|found| Rejection::Invalid(Vec::from([found])))?;
    // 3
    if !world.store().move_clock(&settings, offset, world.clock().now()).await? {
        return Err(Rejection::Conflict.into());
    }
    world.store().settings(merchant).await?.ok_or(Rejection::NotFound.into())
}

/// Shows a clock that was moved, and what happened because of it.
#[must_use]
pub fn moved(world: &impl World, settings: &MerchantSettings, swept: &Swept) -> Value {
    let mut answer = shown(world, settings);
    for (name, count) in [
        ("inquired", swept.inquired),
        ("expired", swept.expired),
        ("delivered", swept.delivered),
        ("reconciled", swept.reconciled),
    ] {
        answer.insert(name.into(), Value::from(count));
    }
    Value::Object(answer)
}

fn shown(world: &impl World, settings: &MerchantSettings) -> Map<String, Value> {
    let mut answer = Map::new();
    answer.insert("merchant_id".into(), Value::from(settings.merchant.as_str()));
    answer.insert("now".into(), Value::from(now_of(world, settings).to_string()));
    answer.insert("advanced_seconds".into(), Value::from(settings.clock_offset.as_secs()));
    answer
}

/// The offset that is requested.
fn offset(root: &Map<String, Value>, now: Timestamp, before: Duration) -> Result<Duration, Violation> {
    let given = |name| root.get(name).filter(|value: &&Value| !value.is_null());
    let (name, step) = match (given("advance"), given("to")) {
        (None, None) => return Err(Violation::new("advance", Rule::OneOfTwo { other: "to" })),
        (Some(_), Some(_)) => return Err(Violation::new("to", Rule::NotBeside("advance"))),
        (Some(period), None) => ("advance", period_of(period)),
        (None, Some(moment)) => ("to", moment_of(moment).and_then(|moment| step_to(moment, now))),
    };
    step.and_then(|step| {
        let offset = before.saturating_add(step);
        if offset > MAX_OFFSET { Err(Rule::ClockTooFar) } else { Ok(offset) }
    })
    .map_err(|rule| Violation::new(name, rule))
}

fn period_of(value: &Value) -> Result<Duration, Rule> {
    let period = parse_period(value.as_str().ok_or(Rule::NotText)?).ok_or(Rule::NotPeriod)?;
    let is_within = (Duration::from_secs(1)..=MAX_OFFSET).contains(&period);
    if is_within { Ok(period) } else { Err(Rule::PeriodOutOfRange) }
}

fn moment_of(value: &Value) -> Result<Timestamp, Rule> {
    Timestamp::parse(value.as_str().ok_or(Rule::NotText)?).ok_or(Rule::NotDateTime)
}

fn step_to(moment: Timestamp, now: Timestamp) -> Result<Duration, Rule> {
    if moment < now { Err(Rule::Before("the time of the merchant")) } else { Ok(moment.since(now)) }
}
