//! Which screen a payment transaction shows.

use crate::payment::attempt::Attempt;
use crate::payment::stage::Stage;
use crate::settings::MerchantSettings;
use crate::time::Timestamp;
use crate::transaction::Transaction;
use crate::transaction::state::State;

/// Which screen is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageStatus {
    /// The payer can pay.
    Payable,
    /// The last attempt did not succeed; the payer can try again.
    Declined,
    /// The outcome of an attempt is awaited.
    Pending,
    /// Paid.
    Paid,
    /// The money is held.
    Authorized,
    /// Cash on delivery is acknowledged.
    CashOnDelivery,
    /// The only attempt failed.
    Failed,
    /// The time to pay is over.
    Expired,
    /// The merchant canceled.
    Canceled,
    /// The merchant's configuration no longer permits the payment.
    Invalid,
    /// The merchant takes no payments for now.
    Paused,
}

impl PageStatus {
    /// The word that the page's script reads.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Payable => "payable",
            Self::Declined => "declined",
            Self::Pending => "pending",
            Self::Paid => "paid",
            Self::Authorized => "authorized",
            Self::CashOnDelivery => "cash_on_delivery",
            Self::Failed => "failed",
            Self::Expired => "expired",
            Self::Canceled => "canceled",
            Self::Invalid => "invalid",
            Self::Paused => "paused",
        }
    }

    /// Whether the payer can choose a method.
    #[must_use]
    pub const fn can_pay(self) -> bool {
        matches!(self, Self::Payable | Self::Declined)
    }

    /// Whether the last attempt is what the screen is about.
    #[must_use]
    pub const fn shows_attempt(self) -> bool {
        match self {
            Self::Paid | Self::Authorized | Self::CashOnDelivery | Self::Pending | Self::Failed => true,
            Self::Payable
            | Self::Declined
            | Self::Expired
            | Self::Canceled
            | Self::Invalid
            | Self::Paused => false,
        }
    }

    /// This screen at a merchant who may be paused: nothing can be chosen then, and what is under way goes on.
    #[must_use]
    pub const fn at(self, settings: &MerchantSettings) -> Self {
        if settings.is_paused && self.can_pay() { Self::Paused } else { self }
    }

    /// Whether nothing more will happen on the page.
    #[must_use]
    pub const fn is_final(self) -> bool {
        !matches!(self, Self::Payable | Self::Declined | Self::Pending | Self::Paused)
    }
}

/// Which screen a transaction shows at `now`.
#[must_use]
pub fn status(transaction: &Transaction, latest: Option<&Attempt>, now: Timestamp) -> PageStatus {
    let open = latest.filter(|attempt| attempt.stage.is_open());
    match transaction.state_at(now, open.is_some()) {
        State::Created | State::Pending | State::Attempted => match open {
            Some(attempt) if attempt.was_never_shown() && !transaction.is_over(now) => PageStatus::Declined,
            Some(attempt) if attempt.stage != Stage::Redirected || transaction.is_over(now) => {
                PageStatus::Pending
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
