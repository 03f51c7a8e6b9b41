//! Why Adyen refused a payment: its codes and their texts, which answers have both of and webhooks only the text.

use crate::gateway::charge::PgParams;
use crate::gateway::decline::{Reason, note};

/// Code, text and meaning of each refusal that Adyen documents.
const REFUSALS: &[(&str, &str, Reason)] = &[
    ("2", "Refused", Reason::DoNotHonor),
    ("3", "Referral", Reason::ContactIssuer),
    ("4", "Acquirer Error", Reason::TechnicalError),
    ("5", "Blocked Card", Reason::LostOrStolen),
    ("6", "Expired Card", Reason::ExpiredCard),
    ("7", "Invalid Amount", Reason::NotPermitted),
    ("8", "Invalid Card Number", Reason::InvalidCard),
    ("9", "Issuer Unavailable", Reason::TechnicalError),
    ("10", "Not supported", Reason::NotPermitted),
    ("11", "3D Not Authenticated", Reason::AuthenticationFailed),
    ("12", "Not enough balance", Reason::InsufficientFunds),
    ("14", "Acquirer Fraud", Reason::SuspectedFraud),
    ("15", "Cancelled", Reason::CanceledByPayer),
    ("16", "Shopper Cancelled", Reason::CanceledByPayer),
    ("17", "Invalid Pin", Reason::WrongPin),
    ("18", "Pin tries exceeded", Reason::WrongPin),
    ("19", "Pin validation not possible", Reason::WrongPin),
    ("20", "FRAUD", Reason::SuspectedFraud),
    ("21", "Not Submitted", Reason::TechnicalError),
    ("22", "FRAUD-CANCELLED", Reason::SuspectedFraud),
    ("23", "Transaction Not Permitted", Reason::NotPermitted),
    ("24", "CVC Declined", Reason::WrongSecurityCode),
    ("25", "Restricted Card", Reason::NotPermitted),
    ("26", "Revocation Of Auth", Reason::Revoked),
    ("27", "Declined Non Generic", Reason::DoNotHonor),
    ("28", "Withdrawal amount exceeded", Reason::LimitExceeded),
    ("29", "Withdrawal count exceeded", Reason::LimitExceeded),
    ("31", "Issuer Suspected Fraud", Reason::SuspectedFraud),
    ("32", "AVS Declined", Reason::WrongAddress),
    ("33", "Card requires online pin", Reason::WrongPin),
    ("34", "No checking account available on Card", Reason::NotPermitted),
    ("35", "No savings account available on Card", Reason::NotPermitted),
    ("36", "Mobile pin required", Reason::AuthenticationRequired),
    ("37", "Contactless fallback", Reason::NotPermitted),
    ("38", "Authentication required", Reason::AuthenticationRequired),
    ("39", "RReq not received from DS", Reason::AuthenticationFailed),
    ("40", "Current AID is in Penalty Box.", Reason::NotPermitted),
    ("41", "CVM Required Restart Payment", Reason::AuthenticationRequired),
    ("42", "3DS Authentication Error", Reason::AuthenticationFailed),
    ("43", "Online PIN required", Reason::WrongPin),
    ("44", "Try another interface", Reason::NotPermitted),
    ("45", "Chip downgrade mode", Reason::NotPermitted),
    ("46", "Transaction blocked by Adyen to prevent excessive retry fees", Reason::Revoked),
];

/// Adds to `params` why a payment was refused. The code decides; without one that is known, the text does.
pub(super) fn add(params: &mut PgParams, code: Option<&str>, text: Option<&str>) {
    let by_code = || REFUSALS.iter().find(|(known, ..)| code == Some(*known));
    let by_text =
        || REFUSALS.iter().find(|(_, known, _)| text.is_some_and(|text| known.eq_ignore_ascii_case(text)));
    match by_code().or_else(by_text) {
        Some((known, _, reason)) => note(params, *reason, known),
        None => note(params, Reason::Other, code.or(text).unwrap_or_default()),
    }
}
