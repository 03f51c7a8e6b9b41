//! How far a merchant's test clock is moved: `advance` by a period, or `to` a moment.

use core::time::Duration;

use crate::rejection::Rejection;
use crate::settings::MAX_EXPIRATION;
use crate::value::time::Timestamp;
use crate::value::time::period::{PERIOD_PATTERN, parse_period};
use crate::violation::Rule;
use crate::wire::field::Fields;
use crate::wire::members::Members;
use crate::wire::noted::{self, Noted};

/// How far a clock can be moved from the real time in total.
pub const MAX_OFFSET: Duration = MAX_EXPIRATION;

/// What is asked for.
pub struct ClockRequest {
    /// How far the clock is from the real time then.
    pub offset: Duration,
}

impl ClockRequest {
    /// Reads a body. `now` is the time of the merchant, whose clock is moved by `before`.
    ///
    /// # Errors
    /// [`Rejection::MalformedBody`], or [`Rejection::Invalid`].
    pub fn read(body: &[u8], now: Timestamp, before: Duration) -> Result<Self, Rejection> {
        noted::note("advance", &Noted::Matching(PERIOD_PATTERN));
        noted::note("to", &Noted::DateTime);
        let members = Members::read(body)?;
        let mut fields = Fields::default();
        let reach = |step: Duration| {
            let offset = before.saturating_add(step);
            if offset > MAX_OFFSET { Err(Rule::ClockTooFar) } else { Ok(offset) }
        };
        let offset = match (members.get("advance"), members.get("to")) {
            (None, None) => fields.refuse("advance", Rule::OneOfTwo { other: "to" }),
            (Some(_), Some(_)) => fields.refuse("to", Rule::NotWith("advance")),
            (Some(period), None) => fields.checked("advance", period, |text| period_of(text).and_then(reach)),
            (None, Some(moment)) => fields.checked("to", moment, |text| step_to(text, now).and_then(reach)),
        };
        offset.map(|offset| Self { offset }).ok_or_else(|| Rejection::Invalid(fields.finish()))
    }
}

fn period_of(text: &str) -> Result<Duration, Rule> {
    let period = parse_period(text).ok_or(Rule::NotPeriod)?;
    let is_within = (Duration::from_secs(1)..=MAX_OFFSET).contains(&period);
    if is_within { Ok(period) } else { Err(Rule::PeriodOutOfRange) }
}

fn step_to(text: &str, now: Timestamp) -> Result<Duration, Rule> {
    let moment = Timestamp::parse(text).ok_or(Rule::NotDateTime)?;
    if moment < now { Err(Rule::Before("the time of the merchant")) } else { Ok(moment.since(now)) }
}
