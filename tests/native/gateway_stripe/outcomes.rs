//! What the connector makes of every answer about a charge.

use checkout_core::testing::gateway::{REFERENCE, money};
use serde_json::json;

use super::declines::words;
use super::*;

#[test]
fn a_page_that_was_opened_is_shown_to_the_payer() {
    let report = reported(&kwd(), &[says("session open")]);
    assert_eq!(
        report.outcome,
        Outcome::Open { page_url: "https://checkout.stripe.com/c/pay/cs_test_a1Made#fid".into() }
    );
    assert_eq!((report.reference.as_str(), report.total), (REFERENCE, Some(money("10.250", "KWD"))));
    assert_eq!(report.gateway_id.as_deref(), Some("cs_test_a1Made"));
    assert!(report.raw.as_deref().unwrap().contains("client_reference_id"));
    assert_harmless(&report);
    let setup = reported(&verify(), &[says("session of a card open")]);
    assert!(is_open(&setup.outcome) && setup.total.is_none());
}

#[test]
fn every_state_of_a_page_has_its_outcome() {
    for (charge, name, outcome, gateway_id) in [
        (known("cs_test_a1Made"), "session expired", Outcome::Canceled, "cs_test_a1Made"),
        (known("cs_test_a1Made"), "session expired after tries", Outcome::Canceled, "cs_test_a1Made"),
        (known("cs_test_a1Made"), "session paid", Outcome::Approved, "pi_3Made"),
        (known("cs_test_a1Made"), "session processing", Outcome::Unknown, "cs_test_a1Made"),
        (held("cs_test_a1Made"), "session held", Outcome::Approved, "pi_3Made"),
        // The money was only held although it was to be taken, and the reverse.
        (known("cs_test_a1Made"), "session held", Outcome::Unknown, "cs_test_a1Made"),
        (held("cs_test_a1Made"), "session paid", Outcome::Unknown, "cs_test_a1Made"),
        (known("cs_test_a1Made"), "session of a card", Outcome::Unknown, "cs_test_a1Made"),
    ] {
        let report = asked(&charge, &[says(name)]);
        assert_eq!((report.outcome, report.gateway_id.as_deref()), (outcome, Some(gateway_id)), "{name}");
    }
    assert!(is_open(&asked(&known("cs_test_a1Made"), &[says("session open")]).outcome));
}

#[test]
fn every_state_of_an_intent_has_its_outcome() {
    for (charge, name, outcome) in [
        (known("pi_3Made"), "intent paid", Outcome::Approved),
        (held("pi_3Made"), "intent held", Outcome::Approved),
        (held("pi_3Made"), "intent captured", Outcome::Approved),
        (held("pi_3Made"), "intent voided", Outcome::Approved),
        (held("pi_3Made"), "intent lapsed", Outcome::Canceled),
        (known("pi_3Made"), "intent canceled", Outcome::Canceled),
        (known("pi_3Made"), "intent declined", Outcome::Declined),
        (known("pi_3Made"), "intent not authenticated", Outcome::Declined),
        (known("pi_3Made"), "intent processing", Outcome::Unknown),
        (known("pi_3Made"), "intent not confirmed", Outcome::Unknown),
        (known("pi_3Made"), "intent not tried", Outcome::Unknown),
        (known("pi_3Made"), "intent waits for a script", Outcome::Unknown),
        (known("pi_3Made"), "intent held", Outcome::Unknown),
        // The payer may try again on the page.
        (known("pi_3Made"), "intent of a page with a declined try", Outcome::Unknown),
    ] {
        let report = asked(&charge, &[says(name)]);
        assert_eq!(
            (report.reference.as_str(), report.total),
            (REFERENCE, Some(money("10.250", "KWD"))),
            "{name}"
        );
        assert_eq!(report.outcome, outcome, "{name}");
        assert_harmless(&report);
    }
    let report = asked(&known("pi_3Made"), &[says("intent waits for the payer")]);
    assert_eq!(
        report.outcome,
        Outcome::Open { page_url: "https://hooks.stripe.com/redirect/authenticate/src_made".into() }
    );
}

#[test]
fn a_new_word_is_unknown() {
    for (name, place) in [
        ("intent paid", "/status"),
        ("intent paid", "/capture_method"),
        ("intent paid", "/currency"),
        ("session paid", "/status"),
        ("session paid", "/mode"),
        ("session paid", "/payment_intent/status"),
        ("session expired after tries", "/payment_intent/status"),
    ] {
        let charge = known(if name.starts_with("intent") { "pi_3Made" } else { "cs_test_a1Made" });
        let report = asked(&charge, &[says_with(name, place, json!("new_word"))]);
        assert_eq!(report.outcome, Outcome::Unknown, "{name} {place}");
    }
}

#[test]
fn another_amount_currency_or_reference_is_visible() {
    let charge = known("pi_3Made");
    let report = asked(&charge, &[says_with("intent paid", "/amount_received", json!(10_240))]);
    assert_eq!((report.outcome, report.total), (Outcome::Approved, Some(money("10.240", "KWD"))));
    let report = asked(&charge, &[says_with("intent paid", "/currency", json!("bhd"))]);
    assert_eq!(report.total, Some(money("10.250", "BHD")));
    let report = asked(&charge, &[says_with("intent paid", "/metadata/charge", json!("OTHER"))]);
    assert_eq!(report.reference, "OTHER");
    let page = known("cs_test_a1Made");
    let report = asked(&page, &[says_with("session open", "/amount_total", json!(1))]);
    assert_eq!(report.total, Some(money("0.001", "KWD")));
    let report = asked(&page, &[says_with("session open", "/client_reference_id", json!("OTHER"))]);
    assert_eq!(report.reference, "OTHER");
    // The page and its intent must agree.
    for place in ["/client_reference_id", "/payment_intent/metadata/charge"] {
        assert_eq!(
            asked(&page, &[says_with("session paid", place, json!("OTHER"))]).outcome,
            Outcome::Unknown
        );
    }
}

#[test]
fn an_answer_without_a_reference_an_amount_or_a_currency_is_unknown() {
    for (charge, name, places) in [
        (
            known("pi_3Made"),
            "intent paid",
            vec![
                "/metadata",
                "/metadata/charge",
                "/amount",
                "/amount_received",
                "/currency",
                "/status",
                "/id",
                "/object",
                "/capture_method",
            ],
        ),
        (held("pi_3Made"), "intent held", vec!["/metadata/charge", "/amount", "/currency", "/status"]),
        (
            known("cs_test_a1Made"),
            "session open",
            vec!["/client_reference_id", "/amount_total", "/currency", "/status", "/mode", "/url", "/object"],
        ),
        (
            known("cs_test_a1Made"),
            "session paid",
            vec![
                "/client_reference_id",
                "/amount_total",
                "/payment_intent",
                "/payment_intent/metadata/charge",
                "/payment_intent/amount",
            ],
        ),
    ] {
        for place in places {
            let report = asked(&charge, &[says_with(name, place, Value::Null)]);
            assert_eq!(report.outcome, Outcome::Unknown, "{name} {place}");
        }
    }
}

#[test]
fn an_approved_charge_has_its_data() {
    let report = asked(&known("pi_3Made"), &[says("intent paid")]);
    for (key, value) in [
        ("auth_code", "123456"),
        ("card_expiry_month", "08"),
        ("card_expiry_year", "30"),
        ("card_holder", "NOURA AL SABAH"),
        ("card_number", "************4242"),
        ("card_type", "visa"),
        ("full_card_expiry", "08/30"),
        ("payment_id", "pi_3Made"),
        ("pg_message", "Payment complete."),
        ("result", "CAPTURED"),
        ("track_id", REFERENCE),
        ("transaction_id", "ch_3Made"),
    ] {
        assert_eq!(report.params.get(key).map(String::as_str), Some(value), "{key}");
    }
    assert_eq!(report.params.len(), 12);
    assert!(report.card.is_none());
}

#[test]
fn a_saved_card_is_charged_later_by_its_customer_and_its_method() {
    let page = reported(&verify(), &[says("session of a card")]);
    assert_eq!((page.outcome.clone(), page.total), (Outcome::Approved, None));
    assert_harmless(&page);
    let paid = asked(&known("cs_test_a1Made"), &[says("session paid and card saved")]);
    for card in [page.card.unwrap(), paid.card.unwrap()] {
        assert_eq!(card.token, BankToken(TOKEN.into()));
        assert_eq!((card.brand.as_deref(), card.number.as_deref()), (Some("visa"), Some("**** 4242")));
        assert_eq!((card.expiry.month(), card.expiry.year()), ("08".into(), "30".into()));
        assert_eq!(card.holder.as_deref(), Some("NOURA AL SABAH"));
    }
    let without = says_with("session of a card", "/setup_intent/status", json!("processing"));
    assert_eq!(reported(&verify(), &[without]).outcome, Outcome::Unknown);
}

#[test]
fn a_saved_card_of_a_payer_who_is_there_may_need_the_check_of_the_bank() {
    let order = by_card(ChargeInitiator::Payer);
    assert!(is_open(&reported(&order, &[says("intent waits for the payer")]).outcome));
    assert_eq!(reported(&order, &[says("intent paid")]).outcome, Outcome::Approved);
    let script = reported(&order, &[says("intent waits for a script")]);
    assert_eq!((script.outcome, script.gateway_id.as_deref()), (Outcome::Unknown, Some("pi_3Made")));
}

#[test]
fn a_charge_without_the_payer_ends_if_the_bank_wants_the_payer() {
    let order = by_card(ChargeInitiator::Merchant);
    let expected = [Some("authentication_required"), Some("authentication_required"), Some("authenticate")];
    let report = reported(&order, &[says("authentication required")]);
    assert_eq!((report.outcome.clone(), words(&report.params)), (Outcome::Declined, expected));
    let report = reported(&order, &[says("intent waits for the payer"), says("intent canceled")]);
    assert_eq!((report.outcome.clone(), words(&report.params)), (Outcome::Declined, expected));
    assert_eq!(report.total, Some(money("10.250", "KWD")));
    for other in [says("broken"), answer(200, "{"), says("unexpected state")] {
        let report = reported(&order, &[says("intent waits for the payer"), other]);
        assert_eq!(report.outcome, Outcome::Unknown);
    }
    let report = reported(&order, &[says("intent waits for the payer"), says("intent paid")]);
    assert_eq!(report.outcome, Outcome::Approved);
}

#[test]
fn a_refusal_is_certain_only_in_the_words_of_stripe() {
    for order in [kwd(), by_card(ChargeInitiator::Payer), by_card(ChargeInitiator::Merchant)] {
        for name in ["invalid", "missing", "no permission", "no key", "declined without an intent"] {
            let Opened::Refused { message } = opened(&order, &[says(name)]) else { panic!("{name}") };
            let message = message.unwrap();
            for secret in ["pm_1Made", "noura", "4242", "rk_", "sk_"] {
                assert!(!message.contains(secret), "{message}");
            }
        }
        for name in ["key reused", "busy", "key in use", "broken"] {
            assert_eq!(reported(&order, &[says(name)]).outcome, Outcome::Unknown, "{name}");
        }
        for status in [400, 401, 402, 403, 404, 408, 409, 425, 429, 500, 502, 503, 504] {
            for body in [
                "",
                "{}",
                "<html>Bad</html>",
                r#"{"error":{}}"#,
                r#"{"error":{"type":"new_error"}}"#,
                r#"{"error":"no"}"#,
            ] {
                let is_certain = matches!(status, 401 | 403) && body.contains("new_error");
                match opened(&order, &[answer(status, body)]) {
                    Opened::Refused { .. } => assert!(is_certain, "{status} {body}"),
                    Opened::Reported(report) => {
                        assert_eq!((report.outcome, is_certain), (Outcome::Unknown, false));
                    }
                }
            }
        }
    }
}

#[test]
fn an_error_about_an_intent_that_may_charge_is_unknown() {
    let order = by_card(ChargeInitiator::Payer);
    for status in ["succeeded", "processing", "requires_capture", "requires_action", "new_word"] {
        let answer = says_with("declined", "/error/payment_intent/status", json!(status));
        assert_eq!(reported(&order, &[answer]).outcome, Outcome::Unknown, "{status}");
        let mut body = sample("declined");
        body["error"]["type"] = json!("invalid_request_error");
        body["error"]["payment_intent"]["status"] = json!(status);
        let answer = checkout_core::testing::gateway::answer(400, body.to_string());
        assert_eq!(reported(&order, &[answer]).outcome, Outcome::Unknown, "{status}");
    }
    let without = says_with("declined", "/error/payment_intent/metadata", json!({}));
    assert_eq!(reported(&order, &[without]).outcome, Outcome::Unknown);
}

#[test]
fn google_pay_is_charged_only_after_its_token_was_accepted() {
    let order = by_google();
    assert_eq!(reported(&order, &[says("method"), says("intent paid")]).outcome, Outcome::Approved);
    assert_eq!(reported(&order, &[says("method"), says("broken")]).outcome, Outcome::Unknown);
    assert_eq!(reported(&order, &[says("method"), says("declined")]).outcome, Outcome::Declined);
    // Nothing was sent that charges, so these are certain.
    for refusal in [
        says("invalid"),
        says("declined without an intent"),
        says("broken"),
        answer(200, "{"),
        answer(502, ""),
    ] {
        assert!(matches!(opened(&order, &[refusal]), Opened::Refused { message: Some(_) }));
    }
    let saving = Order { saves_card: true, ..by_google() };
    assert!(matches!(opened(&saving, &[says("method"), says("broken")]), Opened::Refused { .. }));
}

#[test]
fn what_is_paid_is_not_withdrawn() {
    let withdraw =
        |charge: &ChargeRef, answers: &[Incoming]| converse(stripe().withdraw(charge), answers).1.outcome;
    let page = known("cs_test_a1Made");
    assert_eq!(withdraw(&page, &[says("session expired")]), Outcome::Canceled);
    assert_eq!(withdraw(&page, &[says("session not open"), says("session paid")]), Outcome::Approved);
    assert_eq!(withdraw(&page, &[says("broken"), says("session expired")]), Outcome::Canceled);
    assert_eq!(withdraw(&page, &[says("broken"), says("broken")]), Outcome::Unknown);
    assert!(is_open(&withdraw(&page, &[says("broken"), says("session open")])));
    let intent = known("pi_3Made");
    assert_eq!(withdraw(&intent, &[says("intent paid")]), Outcome::Approved);
    assert_eq!(withdraw(&held("pi_3Made"), &[says("intent held")]), Outcome::Approved);
    assert_eq!(withdraw(&intent, &[says("intent declined")]), Outcome::Declined);
    assert_eq!(withdraw(&intent, &[says("intent processing")]), Outcome::Unknown);
    assert_eq!(withdraw(&intent, &[says("broken")]), Outcome::Unknown);
    for waiting in [
        "intent waits for the payer",
        "intent waits for a script",
        "intent not confirmed",
        "intent not tried",
    ] {
        assert_eq!(
            withdraw(&intent, &[says(waiting), says("intent canceled")]),
            Outcome::Canceled,
            "{waiting}"
        );
    }
    let late = [says("intent waits for the payer"), says("unexpected state"), says("intent paid")];
    assert_eq!(withdraw(&intent, &late), Outcome::Approved);
}
