//! `include_sdk_setup_preload`: what a checkout SDK needs, in the answers to create and update.

use checkout_core::flow::merchant::retrieve::retrieve;
use checkout_core::rejection::Rejection;
use checkout_tests::shop::{Shop, order, refused, session_of, text};
use pollster::block_on;
use serde_json::{Value, json};

const PAYLOAD: &str = "sdk_setup_preload_payload";

fn with(mut order: Value, members: Value) -> Value {
    let (Value::Object(known), Value::Object(members)) = (&mut order, members) else { return order };
    known.extend(members);
    order
}

#[test]
fn the_payload_comes_only_with_the_answer_that_asked_for_it() {
    let shop = Shop::open(1);
    let asking = with(order(&["knet"]), json!({"include_sdk_setup_preload": true}));
    let created = shop.try_create(&asking, None).unwrap();
    let view: Value = serde_json::from_str(&created.body).unwrap();
    let payload = view.get(PAYLOAD).unwrap();
    assert_eq!((text(payload, "amount"), text(payload, "state")), (Some("10.000"), Some("created")));
    let session_id = session_of(&created);
    let later = block_on(retrieve(&shop.world, &shop.private(), &session_id)).unwrap().body;
    assert!(!later.contains(PAYLOAD));
    assert_eq!(payload.get("payment_services"), Some(&json!([])), "no gateway of it takes a wallet");
    let wallets = json!({"pg_codes": ["credit-card"]});
    let created = shop.try_create(&with(asking.clone(), wallets), None).unwrap();
    let offering: Value = serde_json::from_str(&created.body).unwrap();
    assert_eq!(
        offering.pointer("/sdk_setup_preload_payload/payment_services/0/flow"),
        Some(&json!("apple_pay"))
    );
    let silent = shop.patch(&session_id, &json!({"amount": "12.000"})).unwrap();
    assert_eq!(silent.get(PAYLOAD), None);
    let asked = json!({"amount": "14.000", "include_sdk_setup_preload": "1"});
    let updated = shop.patch(&session_id, &asked).unwrap();
    let payload = updated.get(PAYLOAD).unwrap();
    assert_eq!(text(payload, "amount"), Some("14.000"), "as it is after the update");
    let method = payload.get("payment_methods").and_then(|methods| methods.get(0)).unwrap();
    assert_eq!(text(method, "amount"), Some("14.250"));
}

#[test]
fn a_replayed_create_has_its_payload_again() {
    let shop = Shop::open(2);
    let asking = with(order(&["knet"]), json!({"include_sdk_setup_preload": true}));
    let first = shop.try_create(&asking, Some("key-1")).unwrap();
    let second = shop.try_create(&asking, Some("key-1")).unwrap();
    assert!(second.is_replayed && second.body == first.body && first.body.contains(PAYLOAD));
}

#[test]
fn the_merchants_server_is_shown_who_the_customer_is() {
    let shop = Shop::open(3);
    let members = json!({
        "include_sdk_setup_preload": true, "customer_id": "C-1", "customer_phone": "+96550000000",
    });
    let view: Value =
        serde_json::from_str(&shop.try_create(&with(order(&["knet"]), members), None).unwrap().body).unwrap();
    let payload = view.get(PAYLOAD).unwrap();
    assert_eq!(
        (text(payload, "customer_id"), text(payload, "customer_phone")),
        (Some("C-1"), Some("+96550000000"))
    );
}

#[test]
fn a_flag_that_is_none_is_named() {
    let shop = Shop::open(4);
    let wrong = with(order(&["knet"]), json!({"include_sdk_setup_preload": "maybe"}));
    let rejection = refused(shop.try_create(&wrong, None));
    let Rejection::Invalid(found) = rejection else { return assert_eq!(rejection, Rejection::NotFound) };
    assert_eq!(found.first().map(|violation| violation.path.as_ref()), Some("include_sdk_setup_preload"));
}
