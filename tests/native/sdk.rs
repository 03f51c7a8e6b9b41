//! The page's side of the API: what a checkout SDK gets, how it begins a payment, and how it cancels.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod canceling;

use std::collections::BTreeSet;

use checkout_core::attempt::stage::Stage;
use checkout_core::flow::Failure;
use checkout_core::flow::payer::open_page::Viewer;
use checkout_core::flow::sdk::outcome::{self, AnswerForm};
use checkout_core::flow::sdk::{self, CancelAnswer};
use checkout_core::rejection::Rejection;
use checkout_core::state::State;
use checkout_core::value::id::SessionId;
use checkout_core::webhook::signature::sign_json;
use checkout_tests::bank::Mood;
use checkout_tests::shop::{Shop, order, refused, text};
use pollster::block_on;
use serde_json::{Value, json};

fn init(shop: &Shop, session_id: &SessionId) -> Value {
    serde_json::from_str(&block_on(sdk::init(&shop.world, session_id, Viewer::Person)).unwrap()).unwrap()
}

fn submit(shop: &Shop, session_id: &SessionId, body: &Value) -> Result<String, Failure> {
    block_on(sdk::submit(&shop.world, session_id, body.to_string().as_bytes())).map(|directed| directed.url)
}

fn cancel(shop: &Shop, session_id: &SessionId) -> Result<CancelAnswer, Failure> {
    block_on(sdk::cancel(&shop.world, session_id, br#"{"operation":"cancel"}"#))
}

fn canceled(shop: &Shop, session_id: &SessionId) -> CancelAnswer {
    let answer = cancel(shop, session_id).unwrap();
    for delivery in &answer.deliveries {
        let _ = shop.deliver(delivery);
    }
    answer
}

fn customer(codes: &[&str]) -> Value {
    with(order(codes), json!({"customer_id": "C-1", "customer_phone": "+96550000000"}))
}

/// An order with other members.
fn with(mut order: Value, members: Value) -> Value {
    let (Value::Object(known), Value::Object(members)) = (&mut order, members) else { return order };
    known.extend(members);
    order
}

// What an SDK gets.

#[test]
fn the_object_has_every_required_member_and_says_what_can_be_paid() {
    let shop = Shop::open(1);
    let session_id = shop.create(&customer(&["knet", "cash"]));
    let notified = init(&shop, &session_id);
    for member in [
        "amount",
        "billing",
        "cancel_url",
        "cards",
        "currency_code",
        "expiration_time",
        "flex_methods",
        "is_amount_editable",
        "operation",
        "payment_methods",
        "payment_services",
        "response",
        "sdk_studio",
        "session_id",
        "state",
        "type",
    ] {
        assert!(notified.get(member).is_some(), "{member}");
    }
    assert_eq!((text(&notified, "amount"), text(&notified, "currency_code")), (Some("10.000"), Some("KWD")));
    assert_eq!((text(&notified, "language"), text(&notified, "payment_type")), (Some("en"), Some("one_off")));
    assert_eq!(notified["response"], json!({}));
    assert_eq!(notified["cards"], json!([]));
    assert_eq!(
        notified["cancel_url"],
        format!("https://pay.example.com/b/checkout/api/sdk/v1/cancel/{session_id}/")
    );
    let methods = notified["payment_methods"].as_array().unwrap();
    let codes: Vec<_> = methods.iter().map(|method| text(method, "code").unwrap()).collect();
    assert_eq!(codes, ["knet", "cash"]);
    let knet = methods.first().unwrap();
    assert_eq!((text(knet, "amount"), text(knet, "fee")), (Some("10.250"), Some("0.250")));
    assert_eq!((text(knet, "flow"), text(knet, "fee_description")), (Some("redirect"), Some("KNET fee")));
    assert_eq!(
        knet["submit_url"],
        format!("https://pay.example.com/b/checkout/api/sdk/v1/submit/{session_id}/")
    );
    assert_eq!(knet["billing"]["sub_total"]["value"], "10.000");
}

#[test]
fn knowing_the_session_id_does_not_show_who_the_customer_is() {
    let shop = Shop::open(2);
    let session_id = shop.create(&customer(&["knet"]));
    let notified = init(&shop, &session_id).to_string();
    assert!(!notified.contains("C-1") && !notified.contains("96550000000"), "{notified}");
}

#[test]
fn the_old_flags_of_wallets_are_not_sent() {
    let shop = Shop::open(3);
    let session_id = shop.create(&order(&["mpgs"]));
    let notified = init(&shop, &session_id);
    let names: BTreeSet<&str> = notified.as_object().unwrap().keys().map(String::as_str).collect();
    for old in ["apple_pay_available", "google_pay_available", "apple_pay_config", "submit_url"] {
        assert!(!names.contains(old), "{old}");
    }
}

#[test]
fn opening_an_sdk_counts_as_seeing_the_page_and_so_does_its_word_for_it() {
    let shop = Shop::open(4);
    let first = shop.create(&order(&["knet"]));
    assert_eq!((text(&init(&shop, &first), "state"), shop.state(&first)), (Some("pending"), "pending"));
    let second = shop.create(&order(&["knet"]));
    assert_eq!(
        block_on(sdk::concur(&shop.world, &second, Viewer::Person)).unwrap().state.as_str(),
        "pending"
    );
    assert_eq!(shop.state(&second), "pending");
}

#[test]
fn an_sdk_that_opens_too_late_ends_the_transaction() {
    let shop = Shop::open(5);
    let mut body = order(&["knet"]);
    body["expiration_time"] = "00:00:05".into();
    let session_id = shop.create(&body);
    shop.wait(6);
    assert_eq!(text(&init(&shop, &session_id), "state"), Some("expired"));
    assert_eq!(shop.state(&session_id), "expired");
}

#[test]
fn the_response_says_what_became_of_the_latest_attempt() {
    let shop = Shop::open(6);
    let session_id = shop.create(&order(&["knet"]));
    let reference = shop.pay_to_page(&session_id, "knet");
    assert_eq!(init(&shop, &session_id)["response"], json!({}), "its outcome is to come");
    shop.bank.decline(reference.as_str());
    shop.come_back(&reference).unwrap();
    let declined = init(&shop, &session_id)["response"].clone();
    assert_eq!(
        (text(&declined, "status"), text(&declined, "reference_number")),
        (Some("canceled"), Some(reference.as_str()))
    );
    assert_eq!(declined.get("redirect_url"), None);
    assert_eq!(declined["payment_gateway_info"], json!({"pg_code": "knet", "pg_name": "kpay"}));
    assert_eq!(text(&declined, "canceled_by"), Some("bank"));
    let reference = shop.pay_to_page(&session_id, "knet");
    shop.bank.give_up(reference.as_str());
    shop.come_back(&reference).unwrap();
    let left = init(&shop, &session_id)["response"].clone();
    assert_eq!((text(&left, "status"), text(&left, "canceled_by")), (Some("canceled"), Some("payer")));
    assert_eq!(left.get("decline"), None);
    let reference = shop.pay_to_page(&session_id, "knet");
    shop.bank.approve(reference.as_str());
    shop.come_back(&reference).unwrap();
    let paid = init(&shop, &session_id)["response"].clone();
    assert_eq!((text(&paid, "status"), text(&paid, "order_no")), (Some("success"), Some("A-1")));
    let thanks = format!(
        "https://shop.example.com/thanks?order_no=A-1&reference_number={reference}&session_id={session_id}"
    );
    assert_eq!(text(&paid, "redirect_url"), Some(thanks.as_str()));
}

// Beginning a payment.

#[test]
fn submitting_begins_a_payment_as_the_page_does() {
    let shop = Shop::open(10);
    let session_id = shop.create(&order(&["knet"]));
    let url = submit(&shop, &session_id, &json!({"pg_code": "knet", "channel": "mobile_sdk"})).unwrap();
    assert_eq!(Some(url), shop.latest(&session_id).page_url);
    assert_eq!(shop.latest(&session_id).stage, Stage::Redirected);
}

#[test]
fn what_the_gateway_refuses_at_once_is_answered_as_an_error() {
    let shop = Shop::open(14);
    let session_id = shop.create(&order(&["knet"]));
    let answered = |session_id: &SessionId| {
        let paid = block_on(outcome::refused(&shop.world, session_id)).unwrap()?;
        let answer =
            block_on(outcome::answer_about(&shop.world, &paid.reference, AnswerForm::Callback)).unwrap();
        Some((paid, answer.status, serde_json::from_str::<Value>(&answer.body).unwrap()))
    };
    submit(&shop, &session_id, &json!({"pg_code": "knet"})).unwrap();
    assert!(answered(&session_id).is_none(), "the payer goes to the page of the gateway");
    let session_id = shop.create(&order(&["knet"]));
    shop.bank.on_opening(Mood::Refuses);
    submit(&shop, &session_id, &json!({"pg_code": "knet"})).unwrap();
    let (paid, status, body) = answered(&session_id).unwrap();
    assert_eq!(paid.reference, shop.latest(&session_id).reference);
    assert_eq!((status, body["status"] == "success", body.get("redirect_url")), (200, false, None));
    assert!(text(&body, "message").is_some_and(|message| !message.is_empty()));
}

#[test]
fn every_wrong_field_of_a_submission_is_named() {
    let shop = Shop::open(11);
    let session_id = shop.create(&order(&["knet"]));
    let wrong = json!({
        "amount": "1e3", "save_card": "yes", "customer_additional_phone": "12345678901234567", "channel": "tv",
    });
    let rejection = refused(submit(&shop, &session_id, &wrong));
    let Rejection::Invalid(found) = rejection else { panic!("{rejection:?}") };
    let named: Vec<&str> = found.iter().map(|violation| violation.path.as_ref()).collect();
    assert_eq!(named, ["pg_code", "amount", "save_card", "customer_additional_phone", "channel"]);
    assert_eq!(shop.world.store.attempts(&session_id).len(), 0);
}

#[test]
fn another_amount_is_refused_if_it_is_not_editable_and_paid_if_it_is() {
    let shop = Shop::open_with(12, |settings| {
        settings["plugins"]["payment_request"]["is_amount_editable"] = true.into();
    });
    let fixed = shop.create(&order(&["knet"]));
    let part = json!({"pg_code": "knet", "amount": "4.000"});
    assert!(matches!(refused(submit(&shop, &fixed, &part)), Rejection::Invalid(_)));
    submit(&shop, &fixed, &json!({"pg_code": "knet", "amount": "10"})).unwrap();
    let mut body = order(&["knet"]);
    body["type"] = "payment_request".into();
    let editable = shop.create(&body);
    assert_eq!(init(&shop, &editable)["is_amount_editable"], true);
    submit(&shop, &editable, &part).unwrap();
    assert_eq!(shop.latest(&editable).principal.to_string(), "4.000");
}

#[test]
fn the_additional_phone_number_is_stored_with_the_transaction() {
    let shop = Shop::open(13);
    let session_id = shop.create(&order(&["knet"]));
    let body = json!({"pg_code": "knet", "customer_additional_phone": "+96551111111"});
    submit(&shop, &session_id, &body).unwrap();
    let saved = shop.transaction(&session_id).details.customer_phone_2.clone();
    assert_eq!(saved.as_deref(), Some("+96551111111"));
}

#[test]
fn a_refused_submission_changes_nothing() {
    let shop = Shop::open(15);
    let session_id = shop.create(&with(order(&["knet"]), json!({"customer_phone_2": "+96550000001"})));
    for wrong in [json!({"pg_code": "nope"}), json!({"pg_code": "knet", "amount": "1.000"})] {
        let body = with(wrong, json!({"customer_additional_phone": "+1"}));
        assert!(matches!(refused(submit(&shop, &session_id, &body)), Rejection::Invalid(_)));
    }
    let saved = shop.transaction(&session_id).details.customer_phone_2.clone();
    assert_eq!(saved.as_deref(), Some("+96550000001"));
}

#[test]
fn a_session_id_without_a_transaction_is_refused_whatever_the_body_says() {
    let shop = Shop::open(14);
    let nobody = SessionId::generate(0, [7; 19]);
    assert_eq!(refused(submit(&shop, &nobody, &json!([]))), Rejection::NotFound);
    assert_eq!(refused(block_on(sdk::cancel(&shop.world, &nobody, b"x"))), Rejection::NotFound);
    assert_eq!(refused(block_on(sdk::init(&shop.world, &nobody, Viewer::Person))), Rejection::NotFound);
    assert_eq!(refused(block_on(sdk::concur(&shop.world, &nobody, Viewer::Person))), Rejection::NotFound);
}

// Pages of others.

#[test]
fn only_the_origins_that_the_merchant_listed_may_call() {
    let shop = Shop::open_with(30, |settings| {
        settings["allowed_origins"] = json!(["https://shop.example.com", "https://app.example.com"]);
    });
    let session_id = shop.create(&order(&["knet"]));
    let may = |session_id: &SessionId, origin: &str| {
        block_on(sdk::permits_origin(&shop.world, session_id, origin)).unwrap()
    };
    assert!(may(&session_id, "https://shop.example.com"));
    assert!(may(&session_id, "https://app.example.com"));
    for other in ["https://shop.example.com.evil.example", "http://shop.example.com", "null", "*", ""] {
        assert!(!may(&session_id, other), "{other}");
    }
    assert!(!may(&SessionId::generate(0, [7; 19]), "https://shop.example.com"));
}
