//! What a refusal means to a payer who stays on the page.

use super::screen::ScreenNotice;

/// The notices of problems, by their codes. A code that is not here does not say what became of the payment.
pub(crate) const REFUSALS: [(&str, ScreenNotice); 14] = [
    ("payment_declined", ScreenNotice::Declined),
    ("price_changed", ScreenNotice::PriceChanged),
    // The other payment may be over by now.
    ("attempt_in_progress", ScreenNotice::InProgress),
    ("conflict", ScreenNotice::InProgress),
    // A wallet's answer does not say how long to wait.
    ("too_many_attempts", ScreenNotice::TooManyAttempts),
    ("too_many_declines", ScreenNotice::TooManyAttempts),
    ("too_many_requests", ScreenNotice::TooManyAttempts),
    ("invalid_fields", ScreenNotice::MethodUnknown),
    ("instrument_not_offered", ScreenNotice::MethodUnknown),
    ("card_unknown", ScreenNotice::MethodUnknown),
    ("card_expired", ScreenNotice::MethodUnknown),
    ("card_expires_soon", ScreenNotice::MethodUnknown),
    ("wallet_unavailable", ScreenNotice::NoWallet),
    ("wallet_not_configured", ScreenNotice::GatewayTrouble),
];

impl ScreenNotice {
    /// What the code of a problem means to the payer; `None` if it does not say what became of the payment.
    #[must_use]
    pub fn of_code(code: &str) -> Option<Self> {
        REFUSALS.iter().find(|(known, _)| *known == code).map(|(_, notice)| *notice)
    }
}
