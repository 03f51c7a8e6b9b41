//! When an auto debit without success is tried again.

use core::time::Duration;

use crate::attempt::Attempt;
use crate::attempt::stage::Stage;
use crate::gateway::decline;
use crate::settings::retries::DebitRetries;
use crate::words::decline::{Advice, DeclineReason};

/// What follows a debit without success.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NextDebit {
    /// Why it had none.
    pub(crate) reason: DeclineReason,
    /// How long to wait before the next one; `None` if none follows.
    pub(crate) pause: Option<Duration>,
}

/// What follows an attempt that ended without success, the last of `tries`. One that did not reach its gateway is a technical
/// error; one that was withdrawn had asked for the payer. Where the bank wants never to be asked again, it is not.
#[must_use]
pub(crate) fn next_step(attempt: &Attempt, retries: &DebitRetries, tries: u32) -> NextDebit {
    let reason = match attempt.stage {
        Stage::Failed => decline::reason(&attempt.params).unwrap_or(DeclineReason::Other),
        Stage::Error => DeclineReason::TechnicalError,
        Stage::Canceled => DeclineReason::AuthenticationRequired,
        Stage::Sending | Stage::Redirected | Stage::Unknown | Stage::Success | Stage::Cod => {
            return NextDebit { reason: DeclineReason::Other, pause: None };
        }
    };
    let is_final = attempt.params.get(decline::ADVICE).is_some_and(|advice| advice == Advice::Stop.as_str());
    NextDebit { reason, pause: retries.pause(reason, tries).filter(|_| !is_final) }
}
