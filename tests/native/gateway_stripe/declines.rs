//! Why a charge was declined.

use checkout_core::gateway::charge::PgParams;
use checkout_core::gateway::decline::{ADVICE, CODE, REASON};
use checkout_core::testing::gateway::{REFERENCE, answer, money};
use serde_json::json;

use super::*;

/// The reason, the code and the advice.
pub(super) fn words(params: &PgParams) -> [Option<&str>; 3] {
    [REASON, CODE, ADVICE].map(|key| params.get(key).map(String::as_str))
}

#[test]
fn a_decline_has_its_reason() {
    let report = reported(&by_card(ChargeInitiator::Payer), &[says("declined")]);
    assert_eq!(report.outcome, Outcome::Declined);
    assert_eq!((report.reference.as_str(), report.total), (REFERENCE, Some(money("10.250", "KWD"))));
    assert_eq!(report.gateway_id.as_deref(), Some("pi_3Made"));
    assert_eq!(report.message.as_deref(), Some("Your card has insufficient funds."));
    // The advice of the bank wins over that of the code.
    assert_eq!(
        words(&report.params),
        [Some("insufficient_funds"), Some("insufficient_funds"), Some("retry_later")]
    );
    assert_harmless(&report);
    let report = asked(&known("pi_3Made"), &[says("intent declined")]);
    assert_eq!(
        words(&report.params),
        [Some("insufficient_funds"), Some("insufficient_funds"), Some("other_card")]
    );
    let report = asked(&known("pi_3Made"), &[says("intent not authenticated")]);
    assert_eq!(words(&report.params)[0], Some("authentication_failed"));
}

#[test]
fn every_code_has_its_reason_and_its_advice() {
    for (code, reason, advice) in [
        ("try_again_later", "technical_error", "retry_later"),
        ("processing_error", "technical_error", "retry_later"),
        ("issuer_not_available", "technical_error", "retry_later"),
        ("reenter_transaction", "technical_error", "retry_later"),
        ("approve_with_id", "technical_error", "retry_later"),
        ("insufficient_funds", "insufficient_funds", "other_card"),
        ("card_velocity_exceeded", "limit_exceeded", "other_card"),
        ("withdrawal_count_limit_exceeded", "limit_exceeded", "other_card"),
        ("authentication_required", "authentication_required", "authenticate"),
        ("incorrect_cvc", "wrong_security_code", "correct_data"),
        ("invalid_cvc", "wrong_security_code", "correct_data"),
        ("incorrect_number", "invalid_card", "correct_data"),
        ("invalid_expiry_month", "expired_card", "correct_data"),
        ("invalid_expiry_year", "expired_card", "correct_data"),
        ("incorrect_zip", "wrong_address", "correct_data"),
        ("expired_card", "expired_card", "other_card"),
        ("incorrect_pin", "wrong_pin", "correct_data"),
        ("card_not_supported", "not_permitted", "other_card"),
        ("currency_not_supported", "not_permitted", "other_card"),
        ("invalid_account", "invalid_card", "other_card"),
        ("new_account_information_available", "invalid_card", "other_card"),
        ("not_permitted", "not_permitted", "other_card"),
        ("transaction_not_allowed", "not_permitted", "other_card"),
        ("do_not_honor", "do_not_honor", "contact_bank"),
        ("generic_decline", "do_not_honor", "contact_bank"),
        ("call_issuer", "contact_issuer", "contact_bank"),
        ("service_not_allowed", "contact_issuer", "contact_bank"),
        ("restricted_card", "contact_issuer", "contact_bank"),
        ("security_violation", "contact_issuer", "contact_bank"),
        ("fraudulent", "suspected_fraud", "stop"),
        ("lost_card", "lost_or_stolen", "stop"),
        ("stolen_card", "lost_or_stolen", "stop"),
        ("pickup_card", "lost_or_stolen", "stop"),
        ("merchant_blacklist", "suspected_fraud", "stop"),
        ("stop_payment_order", "revoked", "stop"),
        ("revocation_of_authorization", "revoked", "stop"),
        ("do_not_try_again", "do_not_honor", "stop"),
        ("a_code_of_next_year", "other", "other_method"),
    ] {
        let mut body = sample("declined");
        let error = body["error"].as_object_mut().unwrap();
        error.insert("decline_code".into(), code.into());
        error.remove("advice_code");
        let report = reported(&by_card(ChargeInitiator::Payer), &[answer(402, body.to_string())]);
        assert_eq!(words(&report.params), [Some(reason), Some(code), Some(advice)]);
    }
    for (advice_code, advice) in
        [("confirm_card_data", "correct_data"), ("do_not_try_again", "stop"), ("new", "other_card")]
    {
        let declined = says_with("declined", "/error/advice_code", json!(advice_code));
        assert_eq!(words(&reported(&by_card(ChargeInitiator::Payer), &[declined]).params)[2], Some(advice));
    }
}
