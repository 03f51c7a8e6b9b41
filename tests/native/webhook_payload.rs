//! The body of the notification of every outcome, member by member against `vectors/webhook.json`, and its
//! signature computed independently of the code under test.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;

use checkout_core::answer::payload::{Additions, Cause, payload};
use checkout_core::attempt::stage::Stage;
use checkout_core::state::State;
use checkout_core::webhook::signature::verify;
use checkout_tests::bank::Mood;
use checkout_tests::shop::{Shop, order, text};
use hmac::{Hmac, Mac};
use serde::Deserialize;
use serde_json::{Value, json};
use sha2::Sha256;

#[derive(Deserialize)]
struct Vectors {
    /// What every order says beyond the required fields.
    customer: BTreeMap<String, Value>,
    /// The members that come from it in every payload, if they differ from it.
    echo: BTreeMap<String, Value>,
    /// The names of the signed fields.
    signed: Vec<String>,
    /// English and Arabic, by key of `pg_params`.
    labels: BTreeMap<String, (String, String)>,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    name: String,
    gateway: String,
    script: Vec<String>,
    /// With `SESSION` and `REFERENCE` for the ids, without `signature`, and `pg_params` without labels.
    payload: Value,
}

fn vectors() -> Vectors {
    serde_json::from_str(include_str!("../vectors/webhook.json")).unwrap()
}

/// Plays a script; the body of the notification about the attempt.
fn play(shop: &Shop, vectors: &Vectors, case: &Case) -> String {
    let mut body = order(&[case.gateway.as_str()]);
    body.as_object_mut().unwrap().extend(vectors.customer.clone());
    let session_id = shop.create(&body);
    for step in &case.script {
        let reference = || shop.latest(&session_id).reference;
        match step.as_str() {
            "down" => shop.bank.on_opening(Mood::Down),
            "mute" => shop.bank.on_opening(Mood::Mute),
            "pay" => drop(shop.pay(&session_id, &case.gateway).unwrap()),
            "approve" => shop.bank.approve(reference().as_str()),
            "decline" => shop.bank.decline(reference().as_str()),
            "give_up" => shop.bank.give_up(reference().as_str()),
            "return" => drop(shop.come_back(&reference()).unwrap()),
            "callback" => drop(shop.call_back(&reference()).unwrap()),
            other => panic!("{other}"),
        }
    }
    let mut deliveries = shop.world.store.deliveries(&session_id);
    deliveries.retain(|row| row.message.kind.channel().is_none());
    assert_eq!(deliveries.len(), 1, "{}", case.name);
    deliveries.pop().unwrap().message.body
}

/// The payload that a case expects, its placeholders filled in.
fn expected(vectors: &Vectors, case: &Case, body: &Value) -> Value {
    let ids = [("SESSION", "session_id"), ("REFERENCE", "reference_number")];
    let filled = ids.iter().fold(case.payload.to_string(), |filled, (placeholder, name)| {
        filled.replace(placeholder, text(body, name).unwrap())
    });
    let mut expected: Value = serde_json::from_str(&filled).unwrap();
    expected.as_object_mut().unwrap().extend(vectors.echo.clone());
    for (key, value) in expected.get_mut("pg_params").and_then(Value::as_object_mut).unwrap() {
        let (en, ar) = vectors.labels.get(key).unwrap();
        *value = json!({"value": value, "verbose_name_en": en, "verbose_name_ar": ar});
    }
    expected
}

/// HMAC-SHA256 over the names and values of the signed fields that are there, in the order of the names.
fn signature(vectors: &Vectors, body: &Value, key: &str) -> String {
    let mut names = vectors.signed.clone();
    names.sort();
    let mut mac = Hmac::<Sha256>::new_from_slice(key.as_bytes()).unwrap();
    for name in names {
        if let Some(value) = text(body, &name).filter(|value| !value.is_empty()) {
            mac.update(format!("{name}{value}").as_bytes());
        }
    }
    hex::encode(mac.finalize().into_bytes())
}

#[test]
fn every_outcome_is_notified_member_by_member() {
    let vectors = vectors();
    for case in &vectors.cases {
        let shop = Shop::open(1);
        let sent = play(&shop, &vectors, case);
        let mut body: Value = serde_json::from_str(&sent).unwrap();
        let signed = body.as_object_mut().unwrap().remove("signature").unwrap();
        let key = shop.secret("webhook_hmac_key");
        assert_eq!(signed, signature(&vectors, &body, key), "{}", case.name);
        assert!(verify(&sent, key) && !verify(&sent, "another key"), "{}", case.name);
        assert_eq!(body, expected(&vectors, case, &body), "{}", case.name);
    }
}

/// The body of the notification about an order with more fields, paid in cash.
fn notified(shop: &Shop, more: Value) -> String {
    let mut body = order(&["cash"]);
    let Value::Object(more) = more else { panic!("{more}") };
    body.as_object_mut().unwrap().extend(more);
    let session_id = shop.create(&body);
    shop.pay(&session_id, "cash").unwrap();
    shop.world.store.deliveries(&session_id).pop().unwrap().message.body
}

#[test]
fn the_signature_covers_every_part_of_the_address_and_no_part_of_the_agreement() {
    let shop = Shop::open(10);
    let vectors = vectors();
    let sent = notified(&shop, serde_json::to_value(&vectors.customer).unwrap());
    let key = shop.secret("webhook_hmac_key");
    assert!(verify(&sent, key));
    let without = |path: &str, value: Value| {
        let mut body: Value = serde_json::from_str(&sent).unwrap();
        *body.pointer_mut(path).unwrap() = value;
        verify(&body.to_string(), key)
    };
    let address: Vec<_> =
        vectors.signed.iter().filter(|name| name.starts_with("customer_address_")).collect();
    assert_eq!(address.len(), 6);
    for name in address {
        for value in [json!("another"), json!(""), Value::Null] {
            assert!(!without(&format!("/{name}"), value), "{name}");
        }
    }
    for path in
        ["/agreement/id", "/agreement/max_amount_per_cycle", "/card_acceptance_criteria/min_expiry_time"]
    {
        assert!(without(path, json!("another")), "{path}");
    }
}

#[test]
fn of_an_address_only_what_was_given_goes_out_and_is_signed() {
    let shop = Shop::open(11);
    let address =
        json!({"city": "c", "country": "KW", "line1": "l", "line2": null, "postal_code": "", "state": null});
    let sent = notified(&shop, json!({ "billing_address": address }));
    let body: Value = serde_json::from_str(&sent).unwrap();
    let names: Vec<_> =
        body.as_object().unwrap().keys().filter(|name| name.starts_with("customer_")).collect();
    assert_eq!(names, ["customer_address_city", "customer_address_country", "customer_address_line1"]);
    assert!(verify(&sent, shop.secret("webhook_hmac_key")));
    assert_eq!(body["signature"], signature(&vectors(), &body, shop.secret("webhook_hmac_key")));
}

#[test]
fn the_shipping_address_is_not_shown_as_the_payers_address() {
    let shop = Shop::open(12);
    let address = json!({"city": "c", "country": "SA", "line1": "l", "email": "a@b.example", "first_name": "f",
        "last_name": "n", "phone": "1"});
    let sent = notified(&shop, json!({ "shipping_address": address }));
    assert!(!sent.contains("address") && !sent.contains("a@b.example"), "{sent}");
}

#[test]
fn of_an_agreement_and_of_criteria_only_what_was_given_goes_out() {
    let shop = Shop::open(13);
    for (given, shown_as) in [
        (json!({"id": "A", "type": "other"}), json!({"id": "A", "type": "other"})),
        (
            json!({"id": "A", "type": "unscheduled", "frequency": "irregular", "expiry_date": "29/02/2028",
                "seller": {"name": "N", "short_name": ""}, "extra_params": {"payment_processing_day": null}}),
            json!({"id": "A", "type": "unscheduled", "frequency": "irregular", "expiry_date": "2028-02-29",
                "seller": {"name": "N"}}),
        ),
    ] {
        let body = notified(&shop, json!({"agreement": given, "card_acceptance_criteria": {}}));
        let body: Value = serde_json::from_str(&body).unwrap();
        assert_eq!(body["agreement"], shown_as);
        assert_eq!(body.get("card_acceptance_criteria"), None);
    }
}

#[test]
fn the_members_are_in_the_order_of_the_alphabet_and_once_each() {
    let vectors = vectors();
    let sent = play(&Shop::open(2), &vectors, vectors.cases.first().unwrap());
    let body: Value = serde_json::from_str(&sent).unwrap();
    let names: Vec<_> = body.as_object().unwrap().keys().map(|name| format!("\"{name}\":")).collect();
    let places: Vec<_> = names.iter().map(|name| sent.find(name.as_str()).unwrap()).collect();
    assert!(names.is_sorted());
    assert_eq!(places.first(), Some(&1));
}

#[test]
fn extra_is_passed_on_as_the_merchant_wrote_it() {
    let shop = Shop::open(3);
    let written = r#"{ "b": 1.10, "n": 12345678901234567890.5, "a": "ä" }"#;
    let body = order(&["cash"]).to_string();
    let body = format!("{},\"extra\":{written}}}", body.strip_suffix('}').unwrap());
    let input = checkout_core::flow::merchant::create::CreateInput {
        caller: shop.private(),
        idempotency_key: None,
        body: body.as_bytes(),
        file: None,
        wrong: &[],
    };
    let answer =
        pollster::block_on(checkout_core::flow::merchant::create::create(&shop.world, input)).unwrap();
    let session_id = checkout_tests::shop::session_of(&answer);
    shop.pay(&session_id, "cash").unwrap();
    let sent = shop.world.store.deliveries(&session_id).pop().unwrap().message.body;
    assert!(sent.contains(&format!("\"extra\":{written}")), "{sent}");
    assert!(answer.body.contains(&format!("\"extra\":{written}")), "{}", answer.body);
}

#[test]
fn an_order_that_says_nothing_more_has_no_member_for_it() {
    let shop = Shop::open(4);
    let mut body = order(&["cash"]);
    body["order_no"] = Value::Null;
    let session_id = shop.create(&body);
    shop.pay(&session_id, "cash").unwrap();
    let sent = shop.world.store.deliveries(&session_id).pop().unwrap().message.body;
    let sent: Value = serde_json::from_str(&sent).unwrap();
    let names: Vec<_> = sent.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            "amount",
            "amount_details",
            "currency_code",
            "gateway_account",
            "gateway_name",
            "is_sandbox",
            "operation",
            "payment_type",
            "pg_params",
            "reference_number",
            "result",
            "sequence",
            "session_id",
            "settled_amount",
            "signature",
            "state",
            "timestamp_utc",
        ]
    );
}

#[test]
fn settled_amount_is_there_for_paid_authorized_and_cod_and_for_no_other_state() {
    let shop = Shop::open(5);
    let session_id = shop.create(&order(&["knet"]));
    let reference = shop.pay_to_page(&session_id, "knet");
    shop.bank.approve(reference.as_str());
    shop.come_back(&reference).unwrap();
    let attempt = shop.latest(&session_id);
    for state in State::ALL {
        let transaction = checkout_core::transaction::Transaction { state, ..shop.transaction(&session_id) };
        let sent = payload(&transaction, &attempt, Additions::of(Cause::Other), "key").unwrap();
        let is_success = matches!(state, State::Paid | State::Authorized | State::Cod);
        assert_eq!(sent.contains("\"settled_amount\":\"10.000\""), is_success, "{state}");
        assert_eq!(sent.contains("\"settled_amount\""), is_success, "{state}");
    }
}

#[test]
fn only_a_result_without_success_has_a_message() {
    let shop = Shop::open(6);
    let session_id = shop.create(&order(&["knet"]));
    let _waiting = shop.pay_to_page(&session_id, "knet");
    let transaction = shop.transaction(&session_id);
    for stage in Stage::ALL {
        let mut attempt = shop.latest(&session_id);
        (attempt.stage, attempt.message) = (stage, Some("words".into()));
        let sent = payload(&transaction, &attempt, Additions::of(Cause::Other), "key").unwrap();
        let is_success = matches!(stage, Stage::Success | Stage::Cod);
        assert_eq!(sent.contains("\"message\":\"words\""), !is_success, "{stage}");
        assert!(sent.contains(&format!("\"result\":\"{}\"", stage.result())), "{stage}");
    }
}

#[test]
fn only_a_simulated_gateway_is_marked_so() {
    let shop = Shop::open(9);
    let session_id = shop.create(&order(&["knet"]));
    let _waiting = shop.pay_to_page(&session_id, "knet");
    for is_sandbox in [true, false] {
        let mut attempt = shop.latest(&session_id);
        attempt.is_sandbox = is_sandbox;
        let sent =
            payload(&shop.transaction(&session_id), &attempt, Additions::of(Cause::Other), "key").unwrap();
        assert_eq!(sent.contains("is_sandbox"), is_sandbox, "absent, not false");
    }
}

#[test]
fn raw_words_of_the_gateway_go_out_only_as_an_object_and_only_after_its_callback() {
    let shop = Shop::open(7);
    let session_id = shop.create(&order(&["knet"]));
    let _waiting = shop.pay_to_page(&session_id, "knet");
    let transaction = shop.transaction(&session_id);
    for (cause, raw, is_sent) in [
        (Cause::Callback, Some(r#"{"a":1}"#), true),
        (Cause::Other, Some(r#"{"a":1}"#), false),
        (Cause::Callback, Some("[1]"), false),
        (Cause::Callback, Some("not JSON"), false),
        (Cause::Callback, None, false),
    ] {
        let mut attempt = shop.latest(&session_id);
        attempt.response = raw.map(Into::into);
        let sent = payload(&transaction, &attempt, Additions::of(cause), "key").unwrap();
        assert_eq!(sent.contains("\"gateway_response\":{\"a\":1}"), is_sent, "{raw:?}");
        assert_eq!(sent.contains("gateway_response"), is_sent, "{raw:?}");
    }
}

#[test]
fn a_key_of_the_gateway_that_has_no_label_is_not_sent() {
    let shop = Shop::open(8);
    let session_id = shop.create(&order(&["knet"]));
    let _waiting = shop.pay_to_page(&session_id, "knet");
    let mut attempt = shop.latest(&session_id);
    attempt.params.insert("cvv".into(), "123".into());
    let sent = payload(&shop.transaction(&session_id), &attempt, Additions::of(Cause::Other), "key").unwrap();
    assert!(!sent.contains("cvv") && sent.contains("track_id"), "{sent}");
}
