//! A payer cancels in an SDK.

use super::*;

// Canceling.

#[test]
fn canceling_ends_the_transaction_and_notifies_the_merchant() {
    let shop = Shop::open(20);
    let session_id = shop.create(&customer(&["knet"]));
    let answer = canceled(&shop, &session_id);
    let callback: Value = serde_json::from_str(&answer.body).unwrap();
    assert_eq!(
        (text(&callback, "status"), text(&callback, "session_id")),
        (Some("canceled"), Some(session_id.as_str()))
    );
    assert_eq!(shop.state(&session_id), "canceled");
    let bodies = shop.receiver.take_bodies();
    let [body] = bodies.as_slice() else { panic!("{bodies:?}") };
    assert_eq!((text(body, "result"), text(body, "state")), (Some("canceled"), Some("canceled")));
    for member in [
        "amount",
        "amount_details",
        "currency_code",
        "gateway_account",
        "gateway_name",
        "payment_type",
        "pg_params",
        "reference_number",
        "session_id",
        "signature",
        "timestamp_utc",
    ] {
        assert!(body.get(member).is_some_and(|value| !value.is_null()), "{member}");
    }
    assert_eq!((text(body, "gateway_account"), text(body, "gateway_name")), (Some("knet"), Some("kpay")));
    assert_eq!(body["amount_details"]["total"], "10.250");
    let signed = sign_json(&body.to_string(), shop.secret("webhook_hmac_key")).unwrap();
    assert_eq!(text(body, "signature"), Some(signed.as_str()));
    assert!(matches!(
        refused(submit(&shop, &session_id, &json!({"pg_code": "knet"}))),
        Rejection::NotPayable { state: State::Canceled }
    ));
}

#[test]
fn a_second_cancellation_changes_nothing_and_notifies_nobody() {
    let shop = Shop::open(21);
    let session_id = shop.create(&order(&["knet"]));
    let first = canceled(&shop, &session_id);
    let _ = shop.receiver.take();
    let second = canceled(&shop, &session_id);
    assert_eq!((second.body, second.deliveries.len()), (first.body, 0));
    assert_eq!(shop.receiver.take().len(), 0);
}

#[test]
fn a_page_that_waits_for_the_payer_is_withdrawn_before_the_transaction_ends() {
    let shop = Shop::open(22);
    let session_id = shop.create(&order(&["knet"]));
    let reference = shop.pay_to_page(&session_id, "knet");
    canceled(&shop, &session_id);
    assert_eq!(shop.state(&session_id), "canceled");
    assert_eq!(shop.bank.statuses().get(reference.as_str()), Some(&"canceled"));
    assert_eq!(shop.results(&session_id), ["canceled"]);
}

#[test]
fn the_only_attempt_of_a_gateway_is_withdrawn_and_the_transaction_is_canceled_with_it() {
    let shop = Shop::open(28);
    let session_id = shop.create(&order(&["single"]));
    let reference = shop.pay_to_page(&session_id, "single");
    let answer = canceled(&shop, &session_id);
    assert_eq!((shop.state(&session_id), shop.results(&session_id)), ("canceled", vec!["canceled"]));
    let callback: Value = serde_json::from_str(&answer.body).unwrap();
    assert_eq!(text(&callback, "reference_number"), Some(reference.as_str()));
    let notified = shop.receiver.take_bodies();
    let notified: Vec<_> = notified
        .iter()
        .map(|body| (text(body, "result"), text(body, "state"), text(body, "reference_number")))
        .collect();
    assert_eq!(notified, [(Some("canceled"), Some("canceled"), Some(reference.as_str()))], "once");
    assert_eq!(canceled(&shop, &session_id).body, answer.body);
}

#[test]
fn a_page_that_turns_out_to_wait_is_withdrawn_too() {
    let shop = Shop::open(29);
    let session_id = shop.create(&order(&["knet"]));
    shop.bank.on_opening(Mood::Mute);
    let _unknown = shop.pay(&session_id, "knet").unwrap();
    canceled(&shop, &session_id);
    assert_eq!((shop.state(&session_id), shop.results(&session_id)), ("canceled", vec!["canceled"]));
}

#[test]
fn what_is_canceled_offers_no_method_to_pay() {
    let shop = Shop::open(31);
    let session_id = shop.create(&order(&["knet"]));
    canceled(&shop, &session_id);
    let notified = init(&shop, &session_id);
    assert_eq!((text(&notified, "state"), &notified["payment_methods"]), (Some("canceled"), &json!([])));
}

#[test]
fn what_was_paid_meanwhile_is_not_canceled() {
    let shop = Shop::open(23);
    let session_id = shop.create(&order(&["knet"]));
    let reference = shop.pay_to_page(&session_id, "knet");
    shop.bank.approve(reference.as_str());
    assert_eq!(refused(cancel(&shop, &session_id)), Rejection::NotCancelable { state: State::Paid });
    assert_eq!(shop.state(&session_id), "paid");
}

#[test]
fn while_an_outcome_is_unknown_nothing_is_canceled() {
    let shop = Shop::open(24);
    let session_id = shop.create(&order(&["knet"]));
    shop.bank.on_opening(Mood::Mute);
    shop.bank.on_asking(Mood::Deaf);
    let _ = shop.pay(&session_id, "knet");
    assert_eq!(refused(cancel(&shop, &session_id)), Rejection::AttemptInProgress);
    assert_eq!(shop.state(&session_id), "pending");
}

#[test]
fn a_gateway_that_does_not_answer_prevents_canceling_the_transaction() {
    let shop = Shop::open(25);
    let session_id = shop.create(&order(&["knet"]));
    let _ = shop.pay_to_page(&session_id, "knet");
    shop.bank.on_asking(Mood::Broken);
    assert_eq!(refused(cancel(&shop, &session_id)), Rejection::AttemptInProgress);
    shop.bank.on_asking(Mood::Fine);
    canceled(&shop, &session_id);
    assert_eq!(shop.state(&session_id), "canceled");
}

#[test]
fn cash_that_was_acknowledged_is_not_canceled_by_the_payer() {
    let shop = Shop::open(26);
    let session_id = shop.create(&order(&["cash"]));
    shop.pay(&session_id, "cash").unwrap();
    assert_eq!(refused(cancel(&shop, &session_id)), Rejection::NotCancelable { state: State::Cod });
}

#[test]
fn a_cancellation_must_say_what_it_is() {
    let shop = Shop::open(27);
    let session_id = shop.create(&order(&["knet"]));
    for body in ["{}", r#"{"operation":"refund"}"#, r#"{"operation":1}"#] {
        let result = block_on(sdk::cancel(&shop.world, &session_id, body.as_bytes()));
        assert!(matches!(refused(result), Rejection::Invalid(_)), "{body}");
    }
    assert_eq!(shop.state(&session_id), "created");
}
