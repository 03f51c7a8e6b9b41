//! Why Stripe or the bank declined: the codes of Stripe as our reasons.

use super::fault::StripeFault;
use crate::gateway::charge::PgParams;
use crate::gateway::decline::{ADVICE, Advice, DeclineReason, note};

/// A code (`decline_code`, or `code` if there is none), what it means, and what can be done.
const CODES: &[(&str, DeclineReason, Advice)] = &[
    ("approve_with_id", DeclineReason::TechnicalError, Advice::RetryLater),
    ("authentication_not_handled", DeclineReason::AuthenticationFailed, Advice::Authenticate),
    ("authentication_required", DeclineReason::AuthenticationRequired, Advice::Authenticate),
    ("call_issuer", DeclineReason::ContactIssuer, Advice::ContactBank),
    ("card_decline_rate_limit_exceeded", DeclineReason::LimitExceeded, Advice::OtherCard),
    ("card_declined", DeclineReason::DoNotHonor, Advice::ContactBank),
    ("card_not_supported", DeclineReason::NotPermitted, Advice::OtherCard),
    ("card_velocity_exceeded", DeclineReason::LimitExceeded, Advice::OtherCard),
    ("currency_not_supported", DeclineReason::NotPermitted, Advice::OtherCard),
    ("do_not_honor", DeclineReason::DoNotHonor, Advice::ContactBank),
    ("do_not_try_again", DeclineReason::DoNotHonor, Advice::Stop),
    ("duplicate_transaction", DeclineReason::Other, Advice::OtherMethod),
    ("expired_card", DeclineReason::ExpiredCard, Advice::OtherCard),
    ("fraudulent", DeclineReason::SuspectedFraud, Advice::Stop),
    ("generic_decline", DeclineReason::DoNotHonor, Advice::ContactBank),
    ("incorrect_address", DeclineReason::WrongAddress, Advice::CorrectData),
    ("incorrect_cvc", DeclineReason::WrongSecurityCode, Advice::CorrectData),
    ("incorrect_number", DeclineReason::InvalidCard, Advice::CorrectData),
    ("incorrect_pin", DeclineReason::WrongPin, Advice::CorrectData),
    ("incorrect_zip", DeclineReason::WrongAddress, Advice::CorrectData),
    ("insufficient_funds", DeclineReason::InsufficientFunds, Advice::OtherCard),
    ("invalid_account", DeclineReason::InvalidCard, Advice::OtherCard),
    ("invalid_amount", DeclineReason::NotPermitted, Advice::ContactBank),
    ("invalid_cvc", DeclineReason::WrongSecurityCode, Advice::CorrectData),
    ("invalid_expiry_month", DeclineReason::ExpiredCard, Advice::CorrectData),
    ("invalid_expiry_year", DeclineReason::ExpiredCard, Advice::CorrectData),
    ("invalid_number", DeclineReason::InvalidCard, Advice::CorrectData),
    ("invalid_pin", DeclineReason::WrongPin, Advice::CorrectData),
    ("issuer_not_available", DeclineReason::TechnicalError, Advice::RetryLater),
    ("lost_card", DeclineReason::LostOrStolen, Advice::Stop),
    ("merchant_blacklist", DeclineReason::SuspectedFraud, Advice::Stop),
    ("mobile_device_authentication_required", DeclineReason::AuthenticationRequired, Advice::Authenticate),
    ("new_account_information_available", DeclineReason::InvalidCard, Advice::OtherCard),
    ("no_action_taken", DeclineReason::DoNotHonor, Advice::ContactBank),
    ("not_permitted", DeclineReason::NotPermitted, Advice::OtherCard),
    ("offline_pin_required", DeclineReason::WrongPin, Advice::OtherCard),
    ("online_or_offline_pin_required", DeclineReason::WrongPin, Advice::OtherCard),
    ("payment_intent_authentication_failure", DeclineReason::AuthenticationFailed, Advice::Authenticate),
    ("pickup_card", DeclineReason::LostOrStolen, Advice::Stop),
    ("pin_try_exceeded", DeclineReason::WrongPin, Advice::OtherCard),
    ("processing_error", DeclineReason::TechnicalError, Advice::RetryLater),
    ("reenter_transaction", DeclineReason::TechnicalError, Advice::RetryLater),
    ("restricted_card", DeclineReason::ContactIssuer, Advice::ContactBank),
    ("revocation_of_all_authorizations", DeclineReason::Revoked, Advice::Stop),
    ("revocation_of_authorization", DeclineReason::Revoked, Advice::Stop),
    ("security_violation", DeclineReason::ContactIssuer, Advice::ContactBank),
    ("service_not_allowed", DeclineReason::ContactIssuer, Advice::ContactBank),
    ("setup_intent_authentication_failure", DeclineReason::AuthenticationFailed, Advice::Authenticate),
    ("stolen_card", DeclineReason::LostOrStolen, Advice::Stop),
    ("stop_payment_order", DeclineReason::Revoked, Advice::Stop),
    ("testmode_decline", DeclineReason::NotPermitted, Advice::OtherCard),
    ("transaction_not_allowed", DeclineReason::NotPermitted, Advice::OtherCard),
    ("try_again_later", DeclineReason::TechnicalError, Advice::RetryLater),
    ("withdrawal_count_limit_exceeded", DeclineReason::LimitExceeded, Advice::OtherCard),
];

/// Adds to the data of a decline why it was declined. The advice of the bank (`advice_code`) wins over that of the code.
pub(super) fn add(params: &mut PgParams, fault: &StripeFault) {
    let code = fault.decline_code.as_deref().or(fault.code.as_deref()).unwrap_or_default();
    // Two codes can be used for the same thing, one of them in each member: the more precise one counts.
    let is_soft = fault.code.as_deref() == Some("authentication_required");
    let code = if is_soft { "authentication_required" } else { code };
    let known = CODES.iter().find(|(known, ..)| *known == code);
    let (reason, usual) =
        known.map_or((DeclineReason::Other, None), |(_, reason, advice)| (*reason, Some(*advice)));
    note(params, reason, code);
    let of_bank = match fault.advice_code.as_deref() {
        Some("confirm_card_data") => Some(Advice::CorrectData),
        Some("do_not_try_again") => Some(Advice::Stop),
        Some("try_again_later") => Some(Advice::RetryLater),
        Some(_) | None => None,
    };
    if let Some(advice) = of_bank.or(usual) {
        params.insert(ADVICE.into(), advice.as_str().into());
    }
}

/// Adds to the data of a decline that the bank wants the payer, who was not there.
pub(super) fn add_authentication_required(params: &mut PgParams) {
    note(params, DeclineReason::AuthenticationRequired, "authentication_required");
}
