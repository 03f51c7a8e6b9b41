//! Which gateway comes first.

use checkout_core::access::Caller;
use checkout_core::flow::merchant::native::{PaymentInput, pay_by_wallet};
use checkout_core::words::Wallet;
use checkout_tests::shop::{json_of, order, text};
use pollster::block_on;
use serde_json::{Value, json};

use super::{Routed, findings, put, rule};

const CODES: [&str; 4] = ["knet", "one", "two", "three"];

#[test]
fn without_rules_the_codes_of_the_transaction_decide() {
    let routed = Routed::open(json!({}));
    let session_id = routed.shop.create(&order(&["two", "knet", "one"]));
    assert_eq!(routed.listed(&session_id), ["two", "knet"], "one group is one method");
    let _ = routed.shop.pay(&session_id, "two").unwrap();
    let [decision] = &routed.decisions(&session_id)[..] else { panic!("one decision") };
    assert_eq!(text(decision, "decided_by"), Some("order"));
    assert_eq!(findings(decision), [("two", "chosen"), ("knet", "other_method"), ("one", "next")]);
    assert_eq!(decision["rule"], Value::Null);
}

#[test]
fn the_first_rule_that_applies_orders_the_gateways() {
    let rules = json!({"rules": [
        rule("dollars", &json!({"currencies": ["USD"]}), &["one"]),
        rule("saudi cards", &json!({"countries": ["SA"]}), &["one"]),
        rule("large", &json!({"amount": {"currency": "KWD", "min": "10.000", "max": "10.000"}}), &["three", "two"]),
        rule("all", &json!({}), &["one"]),
    ]});
    let routed = Routed::open(rules);
    let first = |change: Value| {
        let mut order = order(&CODES);
        order.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        let session_id = routed.shop.create(&order);
        routed.listed(&session_id).remove(0)
    };
    let address = |country: &str| json!({"billing_address": {"line1": "1", "city": "C", "country": country}});
    assert_eq!(first(json!({})), "three");
    assert_eq!(first(json!({"amount": "10.001"})), "one");
    assert_eq!(first(json!({"amount": "9.999"})), "one");
    assert_eq!(first(json!({"amount": "10.00", "currency_code": "USD"})), "one");
    assert_eq!(first(address("SA")), "one");
    assert_eq!(first(address("KW")), "three");
}

#[test]
fn shares_are_decided_by_the_transaction() {
    let shares = json!([{"code": "two", "percent": 70}, {"code": "one", "percent": 30}]);
    let routed = Routed::open(json!({"rules": [{"name": "split", "gateways": shares}]}));
    let mut first = std::collections::BTreeMap::new();
    for _ in 0..400 {
        let session_id = routed.shop.create(&order(&["knet", "one", "two"]));
        let listed = routed.listed(&session_id);
        assert_eq!(routed.listed(&session_id), listed, "a transaction has one order");
        *first.entry(listed.first().unwrap().clone()).or_insert(0_u32) += 1;
    }
    let two = first.get("two").copied().unwrap_or(0);
    assert!((240..=320).contains(&two), "70 percent of 400 are about 280: {first:?}");
    assert_eq!(two + first.get("one").copied().unwrap_or(0), 400, "{first:?}");
}

#[test]
fn the_draw_is_recorded_with_the_decision() {
    let shares = json!([{"code": "two", "percent": 99}, {"code": "one", "percent": 1}]);
    let routed = Routed::open(json!({"rules": [{"name": "split", "gateways": shares}]}));
    let session_id = routed.shop.create(&order(&["one", "two"]));
    let code = routed.listed(&session_id).remove(0);
    let _ = routed.shop.pay(&session_id, &code).unwrap();
    let [decision] = &routed.decisions(&session_id)[..] else { panic!("one decision") };
    let draw = decision["draw"].as_u64().unwrap();
    assert_eq!(code, if draw < 99 { "two" } else { "one" });
    assert_eq!((text(decision, "rule"), text(decision, "decided_by")), (Some("split"), Some("rule")));
}

/// Pays by Google Pay with a card of a network; the gateway is named or not.
fn pay_with(routed: &Routed, caller: Caller, network: &str, code: Option<&str>) -> Value {
    let session_id = routed.shop.create(&order(&["one", "two", "three"]));
    let payload = json!({"paymentMethodData": {
        "info": {"cardNetwork": network}, "tokenizationData": {"token": "{}"}}});
    let mut body = json!({"session_id": session_id.as_str(), "payload": payload});
    if let Some(code) = code {
        put(&mut body, "pg_code", json!(code));
    }
    let body = body.to_string();
    let input = PaymentInput { caller, idempotency_key: None, body: body.as_bytes() };
    let answer = block_on(pay_by_wallet(&routed.shop.world, Wallet::GooglePay, input)).unwrap();
    let _ = json_of(&answer.body);
    routed.decisions(&session_id).remove(0)
}

#[test]
fn the_brand_of_a_wallets_card_decides_unless_the_merchant_names_the_gateway() {
    let rules = json!({"rules": [rule("visa", &json!({"card_brands": ["visa"]}), &["three"])]});
    let routed = Routed::open(rules);
    let decision = pay_with(&routed, routed.shop.private(), "VISA", None);
    assert_eq!((text(&decision, "pg_code"), text(&decision, "rule")), (Some("three"), Some("visa")));
    let decision = pay_with(&routed, routed.shop.private(), "MASTERCARD", None);
    assert_eq!((text(&decision, "pg_code"), text(&decision, "decided_by")), (Some("one"), Some("order")));
    let decision = pay_with(&routed, routed.shop.private(), "VISA", Some("two"));
    assert_eq!((text(&decision, "pg_code"), text(&decision, "decided_by")), (Some("two"), Some("merchant")));
    assert_eq!(findings(&decision), [("two", "chosen"), ("three", "other_method"), ("one", "other_method")]);
}

#[test]
fn a_merchant_without_routing_has_no_decisions() {
    let shop = checkout_tests::shop::Shop::open(1);
    let session_id = shop.create(&order(&["knet", "mpgs"]));
    let _ = shop.pay(&session_id, "mpgs").unwrap();
    let body = block_on(checkout_core::flow::merchant::routing::read_routing(
        &shop.world,
        &shop.private(),
        &session_id,
    ));
    assert_eq!(body.unwrap(), r#"{"results":[]}"#);
}
