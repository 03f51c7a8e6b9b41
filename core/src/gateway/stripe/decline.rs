//! Why Stripe or the bank declined: the codes of Stripe as our reasons.

use super::fault::Fault;
use crate::gateway::charge::PgParams;
use crate::gateway::decline::{ADVICE, Advice, Reason, note};

/// A code (`decline_code`, or `code` if there is none), what it means, and what can be done.
const CODES: &[(&str, Reason, Advice)] = &[
    ("approve_with_id", Reason::TechnicalError, Advice::RetryLater),
    ("authentication_not_handled", Reason::AuthenticationFailed, Advice::Authenticate),
    ("authentication_required", Reason::AuthenticationRequired, Advice::Authenticate),
    ("call_issuer", Reason::ContactIssuer, Advice::ContactBank),
    ("card_decline_rate_limit_exceeded", Reason::LimitExceeded, Advice::OtherCard),
    ("card_declined", Reason::DoNotHonor, Advice::ContactBank),
    ("card_not_supported", Reason::NotPermitted, Advice::OtherCard),
    ("card_velocity_exceeded", Reason::LimitExceeded, Advice::OtherCard),
    ("currency_not_supported", Reason::NotPermitted, Advice::OtherCard),
    ("do_not_honor", Reason::DoNotHonor, Advice::ContactBank),
    ("do_not_try_again", Reason::DoNotHonor, Advice::Stop),
    ("duplicate_transaction", Reason::Other, Advice::OtherMethod),
    ("expired_card", Reason::ExpiredCard, Advice::OtherCard),
    ("fraudulent", Reason::SuspectedFraud, Advice::Stop),
    ("generic_decline", Reason::DoNotHonor, Advice::ContactBank),
    ("incorrect_address", Reason::WrongAddress, Advice::CorrectData),
    ("incorrect_cvc", Reason::WrongSecurityCode, Advice::CorrectData),
    ("incorrect_number", Reason::InvalidCard, Advice::CorrectData),
    ("incorrect_pin", Reason::WrongPin, Advice::CorrectData),
    ("incorrect_zip", Reason::WrongAddress, Advice::CorrectData),
    ("insufficient_funds", Reason::InsufficientFunds, Advice::OtherCard),
    ("invalid_account", Reason::InvalidCard, Advice::OtherCard),
    ("invalid_amount", Reason::NotPermitted, Advice::ContactBank),
    ("invalid_cvc", Reason::WrongSecurityCode, Advice::CorrectData),
    ("invalid_expiry_month", Reason::ExpiredCard, Advice::CorrectData),
    ("invalid_expiry_year", Reason::ExpiredCard, Advice::CorrectData),
    ("invalid_number", Reason::InvalidCard, Advice::CorrectData),
    ("invalid_pin", Reason::WrongPin, Advice::CorrectData),
    ("issuer_not_available", Reason::TechnicalError, Advice::RetryLater),
    ("lost_card", Reason::LostOrStolen, Advice::Stop),
    ("merchant_blacklist", Reason::SuspectedFraud, Advice::Stop),
    ("mobile_device_authentication_required", Reason::AuthenticationRequired, Advice::Authenticate),
    ("new_account_information_available", Reason::InvalidCard, Advice::OtherCard),
    ("no_action_taken", Reason::DoNotHonor, Advice::ContactBank),
    ("not_permitted", Reason::NotPermitted, Advice::OtherCard),
    ("offline_pin_required", Reason::WrongPin, Advice::OtherCard),
    ("online_or_offline_pin_required", Reason::WrongPin, Advice::OtherCard),
    ("payment_intent_authentication_failure", Reason::AuthenticationFailed, Advice::Authenticate),
    ("pickup_card", Reason::LostOrStolen, Advice::Stop),
    ("pin_try_exceeded", Reason::WrongPin, Advice::OtherCard),
    ("processing_error", Reason::TechnicalError, Advice::RetryLater),
    ("reenter_transaction", Reason::TechnicalError, Advice::RetryLater),
    ("restricted_card", Reason::ContactIssuer, Advice::ContactBank),
    ("revocation_of_all_authorizations", Reason::Revoked, Advice::Stop),
    ("revocation_of_authorization", Reason::Revoked, Advice::Stop),
    ("security_violation", Reason::ContactIssuer, Advice::ContactBank),
    ("service_not_allowed", Reason::ContactIssuer, Advice::ContactBank),
    ("setup_intent_authentication_failure", Reason::AuthenticationFailed, Advice::Authenticate),
    ("stolen_card", Reason::LostOrStolen, Advice::Stop),
    ("stop_payment_order", Reason::Revoked, Advice::Stop),
    ("testmode_decline", Reason::NotPermitted, Advice::OtherCard),
    ("transaction_not_allowed", Reason::NotPermitted, Advice::OtherCard),
    ("try_again_later", Reason::TechnicalError, Advice::RetryLater),
    ("withdrawal_count_limit_exceeded", Reason::LimitExceeded, Advice::OtherCard),
];

/// Adds to the data of a decline why it was declined. The advice of the bank (`advice_code`) wins over that of the code.
pub(super) fn add(params: &mut PgParams, fault: &Fault) {
    let code = fault.decline_code.as_deref().or(fault.code.as_deref()).unwrap_or_default();
    // Two codes can be used for the same thing, one of them in each member: the more precise one counts.
    let is_soft = fault.code.as_deref() == Some("authentication_required");
    let code = if is_soft { "authentication_required" } else { code };
    let known = CODES.iter().find(|(known, ..)| *known == code);
    let (reason, usual) = known.map_or((Reason::Other, None), |(_, reason, advice)| (*reason, Some(*advice)));
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
    note(params, Reason::AuthenticationRequired, "authentication_required");
}
