//! Saved cards: how they are saved, what is notified about them, who sees and deletes them.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use checkout_core::flow::card::{self, DebitAnswerShape, auto_debit};
use checkout_core::flow::merchant::native::PaymentInput;
use checkout_core::rejection::Rejection;
use checkout_core::value::id::SessionId;
use checkout_tests::bank::Mood;
use checkout_tests::shop::{Shop, WEBHOOK_URL, order, refused, text};
use pollster::block_on;
use serde_json::{Value, json};

const CUSTOMER: &str = "c-1";

fn save_card(customer: &str) -> Value {
    json!({"type": "e_commerce", "payment_type": "save_card", "amount": "0.000", "currency_code": "KWD",
           "pg_codes": ["credit-card"], "customer_id": customer, "webhook_url": WEBHOOK_URL})
}

fn agreement(id: &str) -> Value {
    let mut body = order(&["credit-card"]);
    let more = json!({"payment_type": "auto_debit", "customer_id": CUSTOMER, "agreement": {
        "id": id, "amount_variability": "variable", "cycle_interval_days": 30, "expiry_date": "2030-01-01",
        "frequency": "monthly", "total_cycles": 12}});
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    body
}

/// The payer pays on the bank's page; the notification that follows.
fn paid(shop: &Shop, body: &Value) -> (SessionId, Value) {
    let session_id = shop.create(body);
    let reference = shop.pay_to_page(&session_id, "credit-card");
    shop.bank.approve(reference.as_str());
    let delivery = shop.come_back(&reference).unwrap().unwrap();
    let _ = shop.deliver(&delivery);
    (session_id, shop.receiver.take_bodies().pop().unwrap())
}

fn list(shop: &Shop, body: &Value) -> Vec<Value> {
    let answer = block_on(card::list(&shop.world, &shop.private(), body.to_string().as_bytes())).unwrap();
    serde_json::from_str(&answer).unwrap()
}

fn of(customer: &str) -> Value {
    json!({"type": "sandbox", "customer_id": customer})
}

fn delete(shop: &Shop, token: &str, customer: &str) -> Result<(), Rejection> {
    let query = format!("customer_id={customer}&type=sandbox");
    let done = block_on(card::delete(&shop.world, &shop.private(), token, &query));
    if done.is_ok() { Ok(()) } else { Err(refused(done)) }
}

#[test]
fn a_saved_card_is_in_the_notification_and_listed() {
    let shop = Shop::open(1);
    let (session_id, notified) = paid(&shop, &save_card(CUSTOMER));
    assert_eq!(shop.state(&session_id), "paid");
    let token = notified.get("token").unwrap();
    assert_eq!(text(token, "number"), Some("**** 1111"));
    assert_eq!(text(token, "auto_debit_enabled"), Some("true"));
    assert_eq!(token.get("agreements"), Some(&json!([])));
    let wanted = json!({
        "agreements": [], "auto_debit_enabled": "true", "brand": "VISA", "customer_id": CUSTOMER,
        "cvv_required": false, "expiry_month": "01", "expiry_year": "39", "is_expired": false,
        "is_preferred": true, "name_on_card": "TEST CARD", "number": "**** 1111", "pg_code": "credit-card",
        "pg_name": text(token, "pg_name").unwrap(), "token": text(token, "token").unwrap(), "will_expire_soon": false,
    });
    assert_eq!(*token, wanted);
    assert_eq!(list(&shop, &of(CUSTOMER)), [wanted]);
}

/// Changes the settings of the gateway `credit-card`.
fn with_gateway(more: &Value) -> Shop {
    Shop::open_with(1, |settings| {
        let gateways = settings.pointer_mut("/gateways").and_then(Value::as_array_mut).unwrap();
        let gateway =
            gateways.iter_mut().find(|gateway| text(gateway, "code") == Some("credit-card")).unwrap();
        gateway.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    })
}

#[test]
fn auto_debit_is_shown_as_enabled_exactly_if_the_merchant_may_charge_the_card() {
    let cases = [
        (json!({}), "true"),
        (json!({"auto_debit": false}), "false"),
        (json!({"cvv_required": true}), "false"),
    ];
    for (settings, enabled) in cases {
        let shop = with_gateway(&settings);
        let (_, notified) = paid(&shop, &save_card(CUSTOMER));
        let token = notified.get("token").unwrap();
        assert_eq!(text(token, "auto_debit_enabled"), Some(enabled), "{settings}");
        let [listed] = list(&shop, &of(CUSTOMER)).try_into().unwrap();
        assert_eq!(listed, *token, "the list says the same");
        let mut body = order(&["credit-card"]);
        body.as_object_mut().unwrap().insert("customer_id".into(), CUSTOMER.into());
        let charge =
            json!({"session_id": shop.create(&body).as_str(), "token": text(token, "token").unwrap()});
        let charge = charge.to_string();
        let input = PaymentInput { caller: shop.private(), idempotency_key: None, body: charge.as_bytes() };
        let is_charged = block_on(auto_debit(&shop.world, input, DebitAnswerShape::Native)).is_ok();
        assert_eq!(is_charged, enabled == "true", "{settings}: what is said is what is done");
    }
    // It is valid until the end of January 2039.
    let shop = Shop::open(1);
    let _ = paid(&shop, &save_card(CUSTOMER));
    shop.wait(14 * 366 * 86_400);
    let [listed] = list(&shop, &of(CUSTOMER)).try_into().unwrap();
    assert_eq!(
        (listed.get("is_expired"), text(&listed, "auto_debit_enabled")),
        (Some(&json!(true)), Some("false"))
    );
}

#[test]
fn the_token_of_the_gateway_leaves_in_no_notification() {
    let shop = Shop::open(1);
    let session_id = shop.create(&save_card(CUSTOMER));
    let reference = shop.pay_to_page(&session_id, "credit-card");
    shop.bank.approve(reference.as_str());
    let delivery = shop.call_back(&reference).unwrap().unwrap();
    let _ = shop.deliver(&delivery);
    let notified = shop.receiver.take_bodies().pop().unwrap();
    assert!(notified.get("gateway_response").is_some());
    assert!(!notified.to_string().contains("tok_"), "{notified}");
    let response = shop.latest(&session_id).response.unwrap();
    assert!(!response.contains("tok_"));
    let sorted: Value = serde_json::from_str(&response).unwrap();
    assert_eq!(response, sorted.to_string(), "without spaces, its members in alphabetical order");
}

#[test]
fn the_same_card_saved_again_is_one_card() {
    let shop = Shop::open(1);
    let (_, first) = paid(&shop, &save_card(CUSTOMER));
    shop.wait(60);
    let (_, second) = paid(&shop, &save_card(CUSTOMER));
    assert_eq!(first.get("token"), second.get("token"));
    assert_eq!(list(&shop, &of(CUSTOMER)).len(), 1);
    let (_, other) = paid(&shop, &save_card("c-2"));
    assert_ne!(
        first.pointer("/token/token"),
        other.pointer("/token/token"),
        "another customer's is another card"
    );
}

#[test]
fn a_payment_that_is_to_save_no_card_saves_none() {
    let shop = Shop::open(1);
    let mut body = order(&["credit-card"]);
    body.as_object_mut().unwrap().insert("customer_id".into(), CUSTOMER.into());
    let (_, notified) = paid(&shop, &body);
    assert_eq!(notified.get("token"), None);
    assert_eq!(list(&shop, &of(CUSTOMER)), Vec::<Value>::new());
}

#[test]
fn a_card_that_was_declined_is_not_saved() {
    let shop = Shop::open(1);
    let session_id = shop.create(&save_card(CUSTOMER));
    let reference = shop.pay_to_page(&session_id, "credit-card");
    shop.bank.decline(reference.as_str());
    shop.come_back(&reference).unwrap();
    assert_eq!(list(&shop, &of(CUSTOMER)), Vec::<Value>::new());
}

#[test]
fn a_card_is_saved_if_the_outcome_is_learned_late() {
    let shop = Shop::open(1);
    let session_id = shop.create(&save_card(CUSTOMER));
    shop.bank.on_opening(Mood::ChargesMute);
    shop.pay(&session_id, "credit-card").unwrap();
    assert_eq!(list(&shop, &of(CUSTOMER)), Vec::<Value>::new());
    shop.wait(120);
    shop.sweep();
    assert_eq!(shop.state(&session_id), "paid");
    assert_eq!(list(&shop, &of(CUSTOMER)).len(), 1);
}

#[test]
fn cards_are_listed_by_customer_environment_gateway_and_agreement() {
    let shop = Shop::open(1);
    paid(&shop, &save_card(CUSTOMER));
    let with = |more: Value| {
        let mut body = of(CUSTOMER);
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        list(&shop, &body).len()
    };
    assert_eq!(with(json!({})), 1);
    assert_eq!(with(json!({"pg_codes": ["credit-card"]})), 1);
    assert_eq!(with(json!({"pg_codes": [], "agreement_id": null})), 1);
    assert_eq!(with(json!({"pg_codes": ["mpgs"]})), 0);
    assert_eq!(with(json!({"agreement_id": "a"})), 0);
    assert_eq!(with(json!({"type": "production"})), 0);
    assert_eq!(with(json!({"customer_id": "c-2"})), 0);
}

#[test]
fn every_wrong_field_of_a_list_of_cards_is_named_at_once() {
    let shop = Shop::open(1);
    let body = br#"{"type":"test","customer_id":7,"pg_codes":["a b",{}],"agreement_id":[]}"#;
    let Rejection::Invalid(found) = refused(block_on(card::list(&shop.world, &shop.private(), body))) else {
        panic!("the fields are refused");
    };
    let paths: Vec<&str> = found.iter().map(|violation| violation.path.as_ref()).collect();
    assert_eq!(paths, ["type", "customer_id", "pg_codes.0", "pg_codes.1", "agreement_id"]);
}

#[test]
fn a_card_is_deleted_by_its_customer_only_and_once() {
    let shop = Shop::open(1);
    let (_, notified) = paid(&shop, &save_card(CUSTOMER));
    let token = notified.pointer("/token/token").and_then(Value::as_str).unwrap();
    assert_eq!(delete(&shop, token, "c-2"), Err(Rejection::NotFound));
    assert_eq!(delete(&shop, "4111111111111111", CUSTOMER), Err(Rejection::NotFound));
    assert_eq!(delete(&shop, token, CUSTOMER), Ok(()));
    assert_eq!(delete(&shop, token, CUSTOMER), Err(Rejection::NotFound));
    assert_eq!(list(&shop, &of(CUSTOMER)), Vec::<Value>::new());
}

#[test]
fn a_deletion_names_what_its_query_lacks() {
    let shop = Shop::open(1);
    let done = block_on(card::delete(&shop.world, &shop.private(), "card_1", "type=live"));
    let Rejection::Invalid(found) = refused(done) else { panic!("the query is refused") };
    let paths: Vec<&str> = found.iter().map(|violation| violation.path.as_ref()).collect();
    assert_eq!(paths, ["customer_id", "type"]);
}

#[test]
fn the_card_of_an_agreement_is_locked() {
    let shop = Shop::open(1);
    let (_, notified) = paid(&shop, &agreement("a-1"));
    let token = notified.get("token").unwrap();
    assert_eq!(token.get("agreements"), Some(&json!(["a-1"])));
    assert_eq!(text(token, "auto_debit_enabled"), Some("true"));
    let name = text(token, "token").unwrap();
    assert_eq!(delete(&shop, name, CUSTOMER), Err(Rejection::CardLocked));
    let mut wanted = of(CUSTOMER);
    wanted.as_object_mut().unwrap().insert("agreement_id".into(), "a-1".into());
    assert_eq!(list(&shop, &wanted).len(), 1);
}
