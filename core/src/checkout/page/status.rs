//! Which screen a payment transaction shows.

use core::time::Duration;

use crate::attempt::Attempt;
use crate::attempt::stage::Stage;
use crate::settings::MerchantSettings;
use crate::state::State;
use crate::strings::screen::PageStatus;
use crate::transaction::Transaction;
use crate::value::time::Timestamp;

/// After how long an outcome is awaited for longer than usual. The gateways of the simulation and most banks
/// answer within seconds, and an inquiry is made at once and every minute.
pub const USUAL_WAIT: Duration = Duration::from_mins(3);

/// Which screen a transaction shows at `now`.
#[must_use]
pub fn status(transaction: &Transaction, latest: Option<&Attempt>, now: Timestamp) -> PageStatus {
    let open = latest.filter(|attempt| attempt.is_open());
    match transaction.state_at(now, open.is_some()) {
        State::Created | State::Pending | State::Attempted => match open {
            Some(attempt) if attempt.was_never_shown() && !transaction.is_over(now) => PageStatus::Declined,
            Some(attempt) if attempt.stage != Stage::Redirected || transaction.is_over(now) => {
                awaited(transaction, attempt, now)
            }
            None if latest.is_some() => PageStatus::Declined,
            Some(_) | None => PageStatus::Payable,
        },
        State::Paid | State::Refunded => PageStatus::Paid,
        State::Authorized => PageStatus::Authorized,
        State::Cod => PageStatus::CashOnDelivery,
        State::Failed => PageStatus::Failed,
        State::Canceled => PageStatus::Canceled,
        State::Expired => PageStatus::Expired,
        State::Invalided => PageStatus::Invalid,
    }
}

/// The screen while the outcome of an attempt is awaited.
fn awaited(transaction: &Transaction, attempt: &Attempt, now: Timestamp) -> PageStatus {
    if attempt.is_held() {
        return PageStatus::Held;
    }
    let since = match attempt.stage {
        // The bank's page waited for the payer until the time to pay was over.
        Stage::Redirected => transaction.expires_at,
        Stage::Sending
        | Stage::Unknown
        | Stage::Success
        | Stage::Failed
        | Stage::Canceled
        | Stage::Error
        | Stage::Cod => attempt.unknown_since.unwrap_or(attempt.known_at),
    };
    if now.since(since) < USUAL_WAIT { PageStatus::Pending } else { PageStatus::Late }
}

impl PageStatus {
    /// This screen for a merchant that may be paused: nothing can be chosen then, and what is in progress
    /// continues.
    #[must_use]
    pub const fn at(self, settings: &MerchantSettings) -> Self {
        if settings.is_paused && self.can_pay() { Self::Paused } else { self }
    }
}
