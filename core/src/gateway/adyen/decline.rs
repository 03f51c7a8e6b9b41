//! Why Adyen refused a payment: its codes and their texts, which answers have both of and webhooks only the text.

use crate::gateway::charge::PgParams;
use crate::gateway::decline::{ADVICE, Advice, DeclineReason, note};

/// Code, text and meaning of each refusal that Adyen documents.
const REFUSALS: &[(&str, &str, DeclineReason)] = &[
    ("2", "Refused", DeclineReason::DoNotHonor),
    ("3", "Referral", DeclineReason::ContactIssuer),
    ("4", "Acquirer Error", DeclineReason::TechnicalError),
    ("5", "Blocked Card", DeclineReason::LostOrStolen),
    ("6", "Expired Card", DeclineReason::ExpiredCard),
    ("7", "Invalid Amount", DeclineReason::NotPermitted),
    ("8", "Invalid Card Number", DeclineReason::InvalidCard),
    ("9", "Issuer Unavailable", DeclineReason::TechnicalError),
    ("10", "Not supported", DeclineReason::NotPermitted),
    ("11", "3D Not Authenticated", DeclineReason::AuthenticationFailed),
    ("12", "Not enough balance", DeclineReason::InsufficientFunds),
    ("14", "Acquirer Fraud", DeclineReason::SuspectedFraud),
    ("15", "Cancelled", DeclineReason::CanceledByPayer),
    ("16", "Shopper Cancelled", DeclineReason::CanceledByPayer),
    ("17", "Invalid Pin", DeclineReason::WrongPin),
    ("18", "Pin tries exceeded", DeclineReason::WrongPin),
    ("19", "Pin validation not possible", DeclineReason::WrongPin),
    ("20", "FRAUD", DeclineReason::SuspectedFraud),
    ("21", "Not Submitted", DeclineReason::TechnicalError),
    ("22", "FRAUD-CANCELLED", DeclineReason::SuspectedFraud),
    ("23", "Transaction Not Permitted", DeclineReason::NotPermitted),
    ("24", "CVC Declined", DeclineReason::WrongSecurityCode),
    ("25", "Restricted Card", DeclineReason::NotPermitted),
    ("26", "Revocation Of Auth", DeclineReason::Revoked),
    ("27", "Declined Non Generic", DeclineReason::DoNotHonor),
    ("28", "Withdrawal amount exceeded", DeclineReason::LimitExceeded),
    ("29", "Withdrawal count exceeded", DeclineReason::LimitExceeded),
    ("31", "Issuer Suspected Fraud", DeclineReason::SuspectedFraud),
    ("32", "AVS Declined", DeclineReason::WrongAddress),
    ("33", "Card requires online pin", DeclineReason::WrongPin),
    ("34", "No checking account available on Card", DeclineReason::NotPermitted),
    ("35", "No savings account available on Card", DeclineReason::NotPermitted),
    ("36", "Mobile pin required", DeclineReason::AuthenticationRequired),
    ("37", "Contactless fallback", DeclineReason::NotPermitted),
    ("38", "Authentication required", DeclineReason::AuthenticationRequired),
    ("39", "RReq not received from DS", DeclineReason::AuthenticationFailed),
    ("40", "Current AID is in Penalty Box.", DeclineReason::NotPermitted),
    ("41", "CVM Required Restart Payment", DeclineReason::AuthenticationRequired),
    ("42", "3DS Authentication Error", DeclineReason::AuthenticationFailed),
    ("43", "Online PIN required", DeclineReason::WrongPin),
    ("44", "Try another interface", DeclineReason::NotPermitted),
    ("45", "Chip downgrade mode", DeclineReason::NotPermitted),
    ("46", "Transaction blocked by Adyen to prevent excessive retry fees", DeclineReason::Revoked),
];

/// What a Merchant Advice Code of Mastercard means for who debits the card again, where it says anything about that.
const ADVICES: &[(&str, Advice)] = &[
    ("01", Advice::OtherCard),
    ("02", Advice::RetryLater),
    ("03", Advice::Stop),
    (STOP_RECURRING, Advice::Stop),
    ("24", Advice::RetryLater),
    ("25", Advice::RetryLater),
    ("26", Advice::RetryLater),
    ("27", Advice::RetryLater),
    ("28", Advice::RetryLater),
    ("29", Advice::RetryLater),
    ("30", Advice::RetryLater),
    ("40", Advice::OtherCard),
    ("41", Advice::OtherCard),
];
/// The cardholder ended the agreement.
const STOP_RECURRING: &str = "21";

/// What Adyen says of a refusal.
pub(super) struct Refusal<'a> {
    /// Its code.
    pub(super) code: Option<&'a str>,
    /// Its text.
    pub(super) text: Option<&'a str>,
    /// The advice of the bank: two digits, and words after them at most.
    pub(super) advice: Option<&'a str>,
}

/// Adds to `params` why a payment was refused. The code decides; without one that is known, the text does. The advice of the bank
/// wins over that of the reason, but nothing permits to charge a card again that must not be.
pub(super) fn add(params: &mut PgParams, refusal: &Refusal<'_>) {
    let Refusal { code, text, advice } = *refusal;
    let by_code = || REFUSALS.iter().find(|(known, ..)| code == Some(*known));
    let by_text =
        || REFUSALS.iter().find(|(_, known, _)| text.is_some_and(|text| known.eq_ignore_ascii_case(text)));
    let (reason, code) = match by_code().or_else(by_text) {
        Some((known, _, reason)) => (*reason, *known),
        None => (DeclineReason::Other, code.or(text).unwrap_or_default()),
    };
    let said = advice.and_then(|advice| digits(advice.trim_start()));
    let reason = if said == Some(STOP_RECURRING) { DeclineReason::Revoked } else { reason };
    note(params, reason, code);
    let of_bank = ADVICES.iter().find(|(known, _)| said == Some(*known));
    if let Some((_, advice)) = of_bank.filter(|_| reason.advice() != Advice::Stop) {
        params.insert(ADVICE.into(), advice.as_str().into());
    }
}

/// The two digits with which an advice begins.
fn digits(advice: &str) -> Option<&str> {
    let (code, rest) = advice.split_at_checked(2)?;
    let is_whole = !rest.starts_with(|next: char| next.is_ascii_alphanumeric());
    Some(code).filter(|code| is_whole && code.bytes().all(|byte| byte.is_ascii_digit()))
}
