//! `session_id` and `order_no` together name one transaction, and an agreement is charged whole.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot go on has failed"
)]

use checkout_core::flow::Failure;
use checkout_core::flow::merchant::inquiry::inquire;
use checkout_core::flow::merchant::operate::{OperationInput, operate};
use checkout_core::flow::merchant::remind::remind;
use checkout_core::payment::principal::choice;
use checkout_core::rejection::Rejection;
use checkout_core::value::id::SessionId;
use checkout_tests::shop::{Shop, order, refused};
use pollster::block_on;
use serde_json::{Value, json};

fn numbered(order_no: &str) -> Value {
    let mut body = order(&["knet"]);
    body["order_no"] = json!(order_no);
    body
}

/// A paid transaction, and another one with another order number.
fn shop() -> (Shop, SessionId) {
    let shop = Shop::open(1);
    let session_id = shop.create(&numbered("A-1"));
    let reference = shop.pay_to_page(&session_id, "knet");
    shop.bank.approve(reference.as_str());
    shop.come_back(&reference).unwrap();
    let _ = shop.create(&numbered("B-2"));
    (shop, session_id)
}

fn named(session_id: &SessionId, order_no: &str, more: &Value) -> String {
    let mut body = json!({"session_id": session_id.as_str(), "order_no": order_no});
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    body.to_string()
}

fn refund(shop: &Shop, body: &str) -> Result<(), Failure> {
    let input = OperationInput {
        caller: shop.private(),
        tracking_key: None,
        idempotency_key: None,
        body: body.as_bytes(),
    };
    block_on(operate(&shop.world, input)).map(drop)
}

fn wrong_fields(failure: Result<(), Failure>) -> Vec<String> {
    let rejection = refused(failure);
    let Rejection::Invalid(found) = rejection else { panic!("{rejection:?}") };
    found.iter().map(|violation| violation.path.to_string()).collect()
}

#[test]
fn money_moves_only_where_two_names_agree() {
    let (shop, session_id) = shop();
    let body = |order_no| named(&session_id, order_no, &json!({"operation": "refund", "amount": "1.000"}));
    for other in ["B-2", "C-3"] {
        assert_eq!(wrong_fields(refund(&shop, &body(other))), ["order_no"], "{other}");
    }
    assert_eq!(shop.world.store.children(&session_id), []);
    refund(&shop, &body("A-1")).unwrap();
    assert_eq!(shop.world.store.children(&session_id).len(), 1);
}

#[test]
fn news_is_sent_only_where_two_names_agree() {
    let (shop, session_id) = shop();
    let remind = |order_no| {
        let body = named(&session_id, order_no, &json!({"channels": ["email"]}));
        block_on(remind(&shop.world, &shop.private(), body.as_bytes())).map(drop)
    };
    assert_eq!(wrong_fields(remind("B-2")), ["order_no"]);
    let inquire = |order_no, more: Value| {
        let body = named(&session_id, order_no, &more);
        block_on(inquire(&shop.world, &shop.private(), body.as_bytes())).map(drop)
    };
    for more in [json!({"notify_webhook_url": true}), json!({"webhook_url": "https://shop.example.com/news"})]
    {
        assert_eq!(wrong_fields(inquire("B-2", more.clone())), ["order_no"]);
        inquire("A-1", more).unwrap();
    }
    inquire("B-2", json!({})).unwrap();
}

#[test]
fn the_payer_chooses_no_part_of_an_agreement() {
    let shop = Shop::open(2);
    let mut body = order(&["credit-card"]);
    body["type"] = json!("payment_request");
    let one_off = shop.create(&body);
    assert!(choice(&shop.transaction(&one_off)).is_some());
    body["payment_type"] = json!("auto_debit");
    body["customer_id"] = json!("c-1");
    body["agreement"] = json!({"id": "a-1", "type": "other", "amount_variability": "fixed"});
    let session_id = shop.create(&body);
    assert_eq!(choice(&shop.transaction(&session_id)), None);
    let Rejection::Invalid(found) = refused(shop.pay_amount(&session_id, "credit-card", "1.000")) else {
        panic!("a part is refused");
    };
    assert_eq!(found.iter().map(|violation| violation.path.as_ref()).collect::<Vec<_>>(), ["amount"]);
}
