//! What the bank of a Mastercard advises after a refusal.

use checkout_core::gateway::callback::GatewayEvent;
use checkout_core::gateway::decline::{ADVICE, REASON};
use serde_json::{Value, json};

use super::outcomes::payment;
use super::{answered, callbacks, changed, reported};

#[test]
fn a_payment_that_must_never_be_tried_again_says_so() {
    let params = reported(payment(&answered("refused, never to be tried again"))).params;
    let said = [REASON, ADVICE].map(|name| params.get(name).map(String::as_str));
    assert_eq!(said, [Some("do_not_honor"), Some("stop")]);
}

#[test]
fn what_the_bank_advises_after_a_refusal_decides_whether_the_card_is_debited_again() {
    let advised = |code: &str, advice: Value| {
        let data = json!({ "merchantAdviceCode": advice });
        let answer = changed("refused", &[("additionalData", data), ("refusalReasonCode", json!(code))]);
        let params = reported(payment(&answer)).params;
        (params.get(REASON).unwrap().clone(), params.get(ADVICE).unwrap().clone())
    };
    let cases = [
        ("2", json!("03"), "do_not_honor", "stop"),
        ("2", json!("03 : Do not try again"), "do_not_honor", "stop"),
        ("2", json!("21"), "revoked", "stop"),
        ("12", json!("02"), "insufficient_funds", "retry_later"),
        ("12", json!("24"), "insufficient_funds", "retry_later"),
        ("2", json!("01"), "do_not_honor", "other_card"),
        ("2", json!("41"), "do_not_honor", "other_card"),
        // What must not be charged again is not, whatever else is said.
        ("5", json!("02"), "lost_or_stolen", "stop"),
        // What says nothing about it, and what is no such code, changes nothing.
        ("2", json!("43"), "do_not_honor", "contact_bank"),
        ("2", json!("0321"), "do_not_honor", "contact_bank"),
        ("2", json!("3"), "do_not_honor", "contact_bank"),
        ("2", json!("\u{0663}\u{0663}"), "do_not_honor", "contact_bank"),
        ("2", json!(["03"]), "do_not_honor", "contact_bank"),
    ];
    for (code, advice, reason, expected) in cases {
        assert_eq!(advised(code, advice.clone()), (reason.into(), expected.into()), "{code} {advice}");
    }
}

#[test]
fn a_webhook_gives_the_advice_too() {
    let mut said = callbacks::body("refused, direct");
    callbacks::item(&mut said)["additionalData"]["merchantAdviceCode"] = json!("03 : Do not try again");
    let events = callbacks::read(&said).unwrap().events;
    let [GatewayEvent::Charge(report)] = &events[..] else { panic!("{events:?}") };
    assert_eq!(report.params.get(ADVICE).map(String::as_str), Some("stop"));
}
