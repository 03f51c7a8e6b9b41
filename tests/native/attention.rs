//! The attention list of a merchant.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use checkout_core::access::Caller;
use checkout_core::flow::Failure;
use checkout_core::flow::ending::end;
use checkout_core::flow::merchant::attention::{list_own_attention, resolve_own_attention};
use checkout_core::flow::merchant::inquiry::inquire;
use checkout_core::payment::ending::Ending;
use checkout_core::record::attention::AttentionId;
use checkout_core::rejection::Rejection;
use checkout_core::value::id::SessionId;
use checkout_tests::shop::{Shop, json_of, order, refused};
use pollster::block_on;
use serde_json::{Value, json};

/// A shop with a payment that is held because the bank took another amount.
fn held(seed: u64) -> (Shop, AttentionId) {
    let shop = Shop::open(seed);
    let session_id = shop.create(&order(&["knet"]));
    let reference = shop.pay_to_page(&session_id, "knet");
    shop.bank.approve_another_amount(reference.as_str(), "1.000");
    shop.come_back(&reference).unwrap();
    let id = shop.attention().pop().unwrap();
    (shop, id)
}

/// A shop with a payment that succeeded after it was canceled.
fn paid_late(seed: u64) -> (Shop, SessionId) {
    let shop = Shop::open(seed);
    let session_id = shop.create(&order(&["knet"]));
    let reference = shop.pay_to_page(&session_id, "knet");
    shop.bank.give_up(reference.as_str());
    let _ = shop.come_back(&reference).unwrap();
    let _ = block_on(end(&shop.world, &session_id, Ending::CanceledByPayer, None)).unwrap();
    shop.bank.approve_after_all(reference.as_str());
    let body = json!({"session_id": session_id.as_str()}).to_string();
    let _ = block_on(inquire(&shop.world, &shop.private(), body.as_bytes())).unwrap();
    (shop, session_id)
}

fn resolve(shop: &Shop, caller: &Caller, id: &AttentionId, body: &Value) -> Result<Value, Failure> {
    let body = body.to_string();
    block_on(resolve_own_attention(&shop.world, caller, id, body.as_bytes())).map(|closed| json_of(&closed))
}

fn list(shop: &Shop, caller: &Caller, query: &str) -> Value {
    json_of(&block_on(list_own_attention(&shop.world, caller, query)).unwrap())
}

#[test]
fn a_merchant_sees_its_own_entries_and_what_to_do() {
    let (shop, id) = held(1);
    let listed = list(&shop, &shop.private(), "");
    let [entry] = listed["results"].as_array().unwrap().as_slice() else { panic!("{listed}") };
    assert_eq!((&entry["id"], &entry["state"]), (&json!(id.to_string()), &json!("open")));
    assert_eq!((&entry["reason"], &entry["topic"]), (&json!("amount_mismatch"), &json!("payment")));
    assert!(entry["advice"].as_str().unwrap().starts_with("Inquire."), "{entry}");
    assert_eq!(list(&shop, &shop.private(), "state=resolved")["results"], json!([]));
    let wrong = block_on(list_own_attention(&shop.world, &shop.private(), "state=lost&more=1"));
    assert!(matches!(refused(wrong), Rejection::Invalid(found) if found.len() == 2));
    let shop = shop.handed_to("other");
    assert_eq!(list(&shop, &shop.private(), "")["results"], json!([]));
    assert_eq!(refused(resolve(&shop, &shop.private(), &id, &json!({"note": "x"}))), Rejection::NotFound);
}

#[test]
fn what_waits_for_an_outcome_is_not_resolved_by_its_merchant() {
    let (shop, id) = held(2);
    let refusal = refused(resolve(&shop, &shop.private(), &id, &json!({"note": "x"})));
    assert_eq!(refusal, Rejection::NotResolvable);
    assert_eq!(shop.attention(), [id]);
}

#[test]
fn an_entry_is_resolved_once_with_a_note_that_is_read_afterwards() {
    let (shop, session_id) = paid_late(3);
    let id = shop.attention().pop().unwrap();
    for body in [json!({}), json!({"note": ""}), json!({"note": "x", "action": "dismiss"})] {
        let refusal = refused(resolve(&shop, &shop.private(), &id, &body));
        assert!(matches!(refusal, Rejection::Invalid(_)), "{body}");
    }
    let closed = resolve(&shop, &shop.private(), &id, &json!({"note": "given back"})).unwrap();
    assert_eq!(closed, json!({"id": id.to_string(), "state": "resolved"}));
    let again = resolve(&shop, &shop.private(), &id, &json!({"note": "again"}));
    assert_eq!(refused(again), Rejection::AlreadyResolved);
    assert_eq!(list(&shop, &shop.private(), "")["results"], json!([]));
    let resolved = list(&shop, &shop.private(), "state=resolved");
    let entry = &resolved["results"][0];
    assert_eq!((&entry["note"], &entry["session_id"]), (&json!("given back"), &json!(session_id.as_str())));
}
