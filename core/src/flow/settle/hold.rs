//! What a change means for the time in which held money can be captured.

use crate::attempt::hold::{CaptureDeadline, HoldWrite};
use crate::change::{AttemptWrite, Change, EventKind};
use crate::record::attention::Reason;
use crate::settings::MerchantSettings;
use crate::state::Event;
use crate::words::Operation;

/// Of what was learned about an attempt: the time begins where the attempt authorizes its transaction at a gateway that holds
/// money for so many days, and ends where the gateway has taken the money back.
pub(super) fn of_attempt(change: &Change, settings: &MerchantSettings) -> Option<HoldWrite> {
    let attempt = change.attempt.as_ref().map(AttemptWrite::attempt)?;
    if change.attention.iter().any(|entry| entry.reason == Reason::TakenBack) {
        return Some(HoldWrite::End(attempt.reference.clone()));
    }
    let event = EventKind::Moved(Event::AttemptSucceeded(Operation::Authorize));
    let profile = settings.gateway(&attempt.pg_code).filter(|_| change.event == event)?;
    let days = profile.capabilities().capture_days?;
    Some(HoldWrite::Begin(CaptureDeadline::of(attempt, days)))
}
