//! Why a charge was declined: the response codes of Tap.

use crate::gateway::charge::PgParams;
use crate::gateway::decline::{DeclineReason, note};

/// The codes that Tap documents.
const CODES: &[(&str, DeclineReason)] = &[
    ("401", DeclineReason::TechnicalError),
    ("402", DeclineReason::TechnicalError),
    ("404", DeclineReason::TechnicalError),
    ("405", DeclineReason::InvalidCard),
    ("406", DeclineReason::ExpiredCard),
    ("407", DeclineReason::ExpiredCard),
    ("408", DeclineReason::TechnicalError),
    ("501", DeclineReason::DoNotHonor),
    ("502", DeclineReason::WrongSecurityCode),
    ("503", DeclineReason::AuthenticationFailed),
    ("504", DeclineReason::AuthenticationFailed),
    ("505", DeclineReason::InsufficientFunds),
    ("506", DeclineReason::NotPermitted),
    ("507", DeclineReason::DoNotHonor),
    ("508", DeclineReason::TechnicalError),
    ("509", DeclineReason::DoNotHonor),
    ("510", DeclineReason::ContactIssuer),
    ("511", DeclineReason::TechnicalError),
    ("512", DeclineReason::AuthenticationFailed),
    ("513", DeclineReason::TechnicalError),
    ("514", DeclineReason::SuspectedFraud),
    ("515", DeclineReason::NotPermitted),
    ("516", DeclineReason::AuthenticationFailed),
    ("701", DeclineReason::NotPermitted),
    ("702", DeclineReason::LimitExceeded),
    ("703", DeclineReason::NotPermitted),
    ("704", DeclineReason::NotPermitted),
];
/// The codes that mean nothing a reason is known for: the same charge once more.
pub(super) const WITHOUT_REASON: &[&str] = &["403"];

/// Adds to the data of a decline why it was declined.
pub(super) fn add(params: &mut PgParams, code: Option<&str>) {
    let code = code.unwrap_or_default();
    let known = CODES.iter().find(|(known, _)| *known == code);
    note(params, known.map_or(DeclineReason::Other, |(_, reason)| *reason), code);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gateway::decline::reason;

    #[test]
    fn every_code_has_its_reason() {
        for (code, expected) in CODES {
            let mut params = PgParams::new();
            add(&mut params, Some(code));
            assert_eq!(reason(&params), Some(*expected), "{code}");
        }
        for code in [None, Some(""), Some("403"), Some("599")] {
            let mut params = PgParams::new();
            add(&mut params, code);
            assert_eq!(reason(&params), Some(DeclineReason::Other), "{code:?}");
        }
    }
}
