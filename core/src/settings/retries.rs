//! When an auto debit that was declined is tried again.

use alloc::vec::Vec;
use core::time::Duration;

use crate::words::decline::DeclineReason;

/// The most debits of one transaction that follow the first one.
pub(crate) const MOST_STEPS: usize = 10;
/// The shortest and the longest pause between two debits, in hours.
pub(crate) const PAUSES: (u32, u32) = (1, 720);

/// After which declines a debit is tried again, and after how many hours each time. Every other decline is final: the card
/// is gone, its data are wrong, the payer has to be there, or the bank never wants to be asked again.
pub(crate) const USUAL: [(DeclineReason, &[u32]); 6] = [
    (DeclineReason::InsufficientFunds, &[24, 72, 120, 168]),
    (DeclineReason::LimitExceeded, &[24, 72, 168]),
    (DeclineReason::DoNotHonor, &[24, 72, 168]),
    (DeclineReason::ContactIssuer, &[72, 168]),
    (DeclineReason::TechnicalError, &[1, 6, 24, 72]),
    (DeclineReason::Other, &[24, 72]),
];

/// The schedule of a merchant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DebitRetries {
    /// The pauses in hours after each of the reasons above.
    pub steps: Vec<(DeclineReason, Vec<u32>)>,
}

impl DebitRetries {
    /// The pause before the next debit after `tries` had no success, the last for this reason; `None` if none follows.
    #[must_use]
    pub(crate) fn pause(&self, reason: DeclineReason, tries: u32) -> Option<Duration> {
        let (_, steps) = self.steps.iter().find(|(known, _)| *known == reason)?;
        let place = usize::try_from(tries.checked_sub(1)?).ok()?;
        steps.get(place).map(|hours| Duration::from_hours(u64::from(*hours)))
    }
}
