//! A gateway that cannot be reached: the next one is tried where nothing can have been charged, and one that fails is
//! skipped for a while.

use checkout_core::flow::Failure;
use checkout_core::flow::merchant::native::{PaymentInput, pay_by_wallet};
use checkout_core::rejection::Rejection;
use checkout_core::testing::store::Fault;
use checkout_core::words::Wallet;
use checkout_tests::shop::{order, refusal_of, refused, text};
use pollster::block_on;
use serde_json::{Value, json};

use super::{Line, Routed, add_accounts, findings, put};

fn cards() -> Value {
    order(&["knet", "one", "two", "three"])
}

#[test]
fn a_payment_that_does_not_reach_its_gateway_goes_to_the_next() {
    for line in [Line::Down, Line::Silent, Line::Refusing] {
        let routed = Routed::open(json!({}));
        routed.set("one", line);
        let session_id = routed.shop.create(&cards());
        let reference = routed.shop.pay_to_page(&session_id, "one");
        let first = if line == Line::Silent { "canceled" } else { "error" };
        assert_eq!(routed.tried(&session_id), [("one".into(), first), ("two".into(), "pending")], "{line:?}");
        let [before, after] = &routed.decisions(&session_id)[..] else { panic!("two decisions") };
        assert_eq!(text(after, "reference_number"), Some(reference.as_str()));
        assert_eq!(text(after, "replaces"), text(before, "reference_number"));
        assert_eq!(
            (text(before, "decided_by"), text(after, "decided_by")),
            (Some("order"), Some("fallback"))
        );
        assert_eq!(
            findings(after),
            [("one", "not_reached"), ("knet", "other_method"), ("two", "chosen"), ("three", "next")]
        );
        routed.shop.bank.approve(reference.as_str());
        let _ = routed.shop.come_back(&reference).unwrap();
        assert_eq!(routed.shop.state(&session_id), "authorized");
    }
}

#[test]
fn every_gateway_of_the_group_is_tried_once_and_no_other() {
    let routed = Routed::open(json!({}));
    for code in ["one", "two", "three"] {
        routed.set(code, Line::Down);
    }
    let session_id = routed.shop.create(&cards());
    let _ = routed.shop.pay(&session_id, "one").unwrap();
    let errors = [("one".into(), "error"), ("two".into(), "error"), ("three".into(), "error")];
    assert_eq!(routed.tried(&session_id), errors);
    assert_eq!(routed.shop.state(&session_id), "attempted");
    let reference = routed.shop.pay_to_page(&session_id, "knet");
    assert_eq!(routed.decisions(&session_id).len(), 4, "{reference}");
}

#[test]
fn a_method_without_a_group_is_never_exchanged() {
    let routed = Routed::open(json!({}));
    routed.shop.bank.on_opening(checkout_tests::bank::Mood::Down);
    let session_id = routed.shop.create(&cards());
    let _ = routed.shop.pay(&session_id, "knet").unwrap();
    assert_eq!(routed.tried(&session_id), [("knet".into(), "error")]);
    assert_eq!(text(&routed.decisions(&session_id)[0], "decided_by"), Some("payer"));
}

#[test]
fn what_would_cost_the_payer_another_total_is_not_tried() {
    let fee =
        json!([{"currency": "KWD", "fixed": "0.001", "percent": "0", "description": {"en": "f", "ar": "f"}}]);
    let routed = Routed::open_with(json!({}), |settings| {
        let gateways = settings["gateways"].as_array_mut().unwrap();
        put(gateways.iter_mut().find(|gateway| gateway["code"] == "two").unwrap(), "fees", fee);
    });
    routed.set("one", Line::Down);
    let session_id = routed.shop.create(&cards());
    let _ = routed.shop.pay(&session_id, "one").unwrap();
    assert_eq!(routed.tried(&session_id), [("one".into(), "error"), ("three".into(), "pending")]);
    assert!(findings(&routed.decisions(&session_id)[1]).contains(&("two", "other_cost")));
}

#[test]
fn a_gateway_that_must_know_who_pays_is_tried_only_if_that_is_known() {
    let routed = Routed::open_with(json!({}), |settings| {
        let gateways = settings["gateways"].as_array_mut().unwrap();
        put(gateways.iter_mut().find(|gateway| gateway["code"] == "two").unwrap(), "flexible", json!(true));
    });
    routed.set("one", Line::Down);
    let unknown = routed.shop.create(&cards());
    let _ = routed.shop.pay(&unknown, "one").unwrap();
    assert_eq!(routed.tried(&unknown), [("one".into(), "error"), ("three".into(), "pending")]);
    assert!(findings(&routed.decisions(&unknown)[1]).contains(&("two", "payer_not_known")));
    let mut order = cards();
    put(&mut order, "customer_phone", json!("+96550001234"));
    let known = routed.shop.create(&order);
    let _ = routed.shop.pay(&known, "one").unwrap();
    assert_eq!(routed.tried(&known), [("one".into(), "error"), ("two".into(), "pending")]);
}

#[test]
fn without_fallback_only_the_chosen_gateway_is_tried() {
    let routed = Routed::open(json!({"fallback": false}));
    routed.set("one", Line::Down);
    let session_id = routed.shop.create(&cards());
    let _ = routed.shop.pay(&session_id, "one").unwrap();
    assert_eq!(routed.tried(&session_id), [("one".into(), "error")]);
}

/// Pays by Google Pay from the merchant's server.
pub(super) fn wallet(routed: &Routed, session_id: &str, key: Option<&str>) -> Value {
    let payload = json!({"paymentMethodData": {"tokenizationData": {"token": "{}"}}});
    let body = json!({"session_id": session_id, "payload": payload}).to_string();
    let input = PaymentInput { caller: routed.shop.private(), idempotency_key: key, body: body.as_bytes() };
    let answer = block_on(pay_by_wallet(&routed.shop.world, Wallet::GooglePay, input)).unwrap();
    serde_json::from_str(&answer.body).unwrap()
}

#[test]
fn a_wallets_payment_falls_back_to_the_account_for_which_its_token_is() {
    let routed = Routed::open_with(json!({}), |settings| {
        let gateways = settings["gateways"].as_array_mut().unwrap();
        let two = gateways.iter_mut().find(|gateway| gateway["code"] == "two").unwrap();
        put(two.get_mut("google_pay").unwrap(), "gateway_merchant_id", json!("another"));
    });
    routed.set("one", Line::Down);
    let session_id = routed.shop.create(&order(&["one", "two", "three"]));
    let answer = wallet(&routed, session_id.as_str(), Some("key-1"));
    assert_eq!(text(&answer, "result"), Some("success"), "{answer}");
    assert_eq!(routed.tried(&session_id), [("one".into(), "error"), ("three".into(), "success")]);
    let decisions = routed.decisions(&session_id);
    assert!(findings(&decisions[0]).contains(&("two", "other_wallet_account")), "{decisions:?}");
    assert_eq!(wallet(&routed, session_id.as_str(), Some("key-1")), answer, "the same request again");
    assert_eq!(routed.tried(&session_id).len(), 2);
}

#[test]
fn the_same_request_is_answered_with_the_gateway_that_was_paid_although_there_is_no_routing_any_more() {
    let routed = Routed::open(json!({}));
    routed.set("one", Line::Down);
    let session_id = routed.shop.create(&order(&["one", "two"]));
    let answer = wallet(&routed, session_id.as_str(), Some("key-1"));
    assert_eq!(text(&answer, "result"), Some("success"));
    routed.shop.configure(add_accounts);
    assert_eq!(wallet(&routed, session_id.as_str(), Some("key-1")), answer);
}

#[test]
fn what_a_wallet_may_have_paid_is_never_tried_again() {
    let routed = Routed::open(json!({}));
    routed.set("one", Line::Silent);
    let session_id = routed.shop.create(&order(&["one", "two", "three"]));
    let answer = wallet(&routed, session_id.as_str(), None);
    assert_eq!(text(&answer, "result"), Some("pending"), "{answer}");
    assert_eq!(routed.tried(&session_id), [("one".into(), "pending")]);
}

#[test]
fn a_decline_is_an_answer() {
    let routed = Routed::open(json!({}));
    routed.shop.bank.on_wallet("mastercard-decline");
    let session_id = routed.shop.create(&order(&["one", "two"]));
    let answer = wallet(&routed, session_id.as_str(), None);
    assert_eq!(text(&answer, "result"), Some("failed"), "{answer}");
    assert_eq!(routed.tried(&session_id), [("one".into(), "failed")]);
}

/// Lets payments through `one` fail.
fn fail(routed: &Routed, times: usize) {
    for _ in 0..times {
        let session_id = routed.shop.create(&cards());
        let _ = routed.shop.pay(&session_id, "one").unwrap();
        assert_eq!(routed.tried(&session_id).first(), Some(&("one".into(), "error")));
    }
}

#[test]
fn a_gateway_that_fails_in_a_row_is_skipped_for_a_while() {
    let routed = Routed::open(json!({"skip_after": 2, "skip_seconds": 30}));
    routed.set("one", Line::Down);
    fail(&routed, 2);
    let session_id = routed.shop.create(&cards());
    assert_eq!(routed.listed(&session_id), ["knet", "two"], "the page offers another one of the group");
    // A page that was opened before still names it.
    let _ = routed.shop.pay(&session_id, "one").unwrap();
    assert_eq!(routed.tried(&session_id), [("two".into(), "pending")]);
    let [decision] = &routed.decisions(&session_id)[..] else { panic!("one decision") };
    assert!(findings(decision).contains(&("one", "skipped")), "{decision}");
    // After the while it is tried again, and what answers is no longer skipped.
    routed.shop.wait(31);
    routed.set("one", Line::Up);
    let session_id = routed.shop.create(&cards());
    assert_eq!(routed.listed(&session_id), ["knet", "one"]);
    let _ = routed.shop.pay_to_page(&session_id, "one");
    routed.set("one", Line::Down);
    fail(&routed, 1);
    let session_id = routed.shop.create(&cards());
    assert_eq!(routed.listed(&session_id), ["knet", "one"], "one failure alone is not enough");
}

#[test]
fn a_gateway_that_is_skipped_and_the_only_one_is_still_tried() {
    let routed = Routed::open(json!({"skip_after": 1}));
    routed.set("one", Line::Down);
    fail(&routed, 1);
    routed.set("one", Line::Up);
    let session_id = routed.shop.create(&order(&["one"]));
    assert_eq!(routed.listed(&session_id), ["one"]);
    let _ = routed.shop.pay_to_page(&session_id, "one");
    assert_eq!(routed.tried(&session_id), [("one".into(), "pending")]);
}

#[test]
fn an_order_that_a_gateway_refuses_does_not_make_it_skipped() {
    let routed = Routed::open(json!({"skip_after": 1}));
    routed.set("one", Line::Refusing);
    fail(&routed, 1);
    let session_id = routed.shop.create(&cards());
    assert_eq!(routed.listed(&session_id), ["knet", "one"]);
}

#[test]
fn a_refusal_of_the_next_attempt_leaves_the_first_one() {
    let routed = Routed::open_with(json!({}), |settings| {
        let gateways = settings["gateways"].as_array_mut().unwrap();
        put(
            gateways.iter_mut().find(|gateway| gateway["code"] == "one").unwrap(),
            "multiple_attempts",
            json!(false),
        );
    });
    routed.set("one", Line::Down);
    let session_id = routed.shop.create(&cards());
    let _ = routed.shop.pay(&session_id, "one").unwrap();
    assert_eq!(routed.tried(&session_id), [("one".into(), "error")]);
    assert_eq!(routed.shop.state(&session_id), "failed");
    let again = refused(routed.shop.pay(&session_id, "two"));
    assert!(matches!(again, checkout_core::rejection::Rejection::NotPayable { .. }), "{again:?}");
}

#[test]
fn a_request_that_comes_again_between_two_gateways_is_in_progress() {
    let routed = Routed::open(json!({}));
    routed.set("one", Line::Down);
    let session_id = routed.shop.create(&order(&["one", "two"]));
    let payload = json!({"paymentMethodData": {"tokenizationData": {"token": "{}"}}});
    let body = json!({"session_id": session_id.as_str(), "payload": payload}).to_string();
    let pay = || {
        let input =
            PaymentInput { caller: routed.shop.private(), idempotency_key: Some("k"), body: body.as_bytes() };
        block_on(pay_by_wallet(&routed.shop.world, Wallet::GooglePay, input))
    };
    // The attempt at the first gateway is stored with its result, and the Worker dies before the second.
    routed.shop.world.store.fail_commit(3, Fault::BeforeStoring);
    assert!(matches!(pay(), Err(Failure::World(_))));
    assert_eq!(routed.tried(&session_id), [("one".into(), "error")]);
    assert_eq!(refusal_of(pay()), Rejection::AttemptInProgress.during("payment"));
    routed.shop.wait(6);
    let answer: Value = serde_json::from_str(&pay().unwrap().body).unwrap();
    assert_eq!(text(&answer, "result"), Some("error"), "nobody goes on with it any more");
}

#[test]
fn a_payer_who_goes_back_and_presses_again_resumes_the_page_of_the_other_gateway() {
    let routed = Routed::open(json!({}));
    routed.set("one", Line::Down);
    let session_id = routed.shop.create(&cards());
    let reference = routed.shop.pay_to_page(&session_id, "one");
    assert_eq!(routed.listed(&session_id), ["knet", "two"]);
    assert_eq!(routed.shop.pay_to_page(&session_id, "one"), reference);
    assert_eq!(routed.tried(&session_id), [("one".into(), "error"), ("two".into(), "pending")]);
}

#[test]
fn a_gateway_that_only_holds_the_money_does_not_take_the_place_of_one_that_takes_it() {
    let routed = Routed::open_with(json!({}), |settings| {
        let gateways = settings["gateways"].as_array_mut().unwrap();
        let two = gateways.iter_mut().find(|gateway| gateway["code"] == "two").unwrap();
        put(two, "operation", json!("purchase"));
        put(two, "operations", json!(["refund"]));
    });
    routed.set("one", Line::Down);
    let session_id = routed.shop.create(&order(&["one", "two"]));
    let _ = routed.shop.pay(&session_id, "one").unwrap();
    assert_eq!(routed.tried(&session_id), [("one".into(), "error")]);
    assert_eq!(findings(&routed.decisions(&session_id)[0]), [("one", "chosen"), ("two", "other_operation")]);
}

#[test]
fn no_gateway_is_tried_after_the_end_of_the_time_to_pay() {
    let routed = Routed::open(json!({}));
    let mut order = cards();
    put(&mut order, "expiration_time", json!("0 00:10:00"));
    let session_id = routed.shop.create(&order);
    let (clock, lines) = (routed.shop.world.clock.clone(), std::rc::Rc::clone(&routed.lines));
    routed.set("one", Line::Down);
    routed.shop.world.http.answer_by(move |_| {
        assert_eq!(lines.borrow().get("one"), Some(&Line::Down));
        clock.advance(std::time::Duration::from_secs(700));
        Err(checkout_core::port::SendError::NotSent)
    });
    let _ = routed.shop.pay(&session_id, "one").unwrap();
    assert_eq!(routed.tried(&session_id), [("one".into(), "error")]);
}

#[test]
fn an_answer_ends_the_count_wherever_the_payment_comes_from() {
    let routed = Routed::open(json!({"skip_after": 2}));
    routed.set("one", Line::Down);
    fail(&routed, 1);
    routed.set("one", Line::Up);
    let create = json!({
        "type": "e_commerce", "amount": "10.000", "currency_code": "KWD", "pg_codes": ["one"],
        "payment_instrument": {"instrument_type": "google_pay", "payload": {"paymentMethodData": {"tokenizationData": {"token": "{}"}}}},
    });
    let paid = routed.shop.try_create(&create, None);
    assert!(paid.is_ok(), "{paid:?}");
    routed.set("one", Line::Down);
    fail(&routed, 1);
    let session_id = routed.shop.create(&cards());
    assert_eq!(routed.listed(&session_id), ["knet", "one"], "the answer in between ended the count");
}
