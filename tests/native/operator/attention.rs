//! The attention list: what it says, and what a decision about an entry does.

use checkout_core::access::operator::ROOT;
use checkout_core::flow::Failure;
use checkout_core::flow::operator::attention::{list_attention, resolve_attention};
use checkout_core::record::attention::AttentionId;
use checkout_core::rejection::Rejection;
use checkout_core::value::id::SessionId;
use checkout_tests::bank::Mood;
use checkout_tests::shop::{Shop, json_of, order, refused, text};
use pollster::block_on;
use serde_json::{Value, json};

use super::paths;

/// A shop with an attempt that is held because the bank took another amount.
fn held(seed: u64) -> (Shop, SessionId, AttentionId) {
    let shop = Shop::open(seed);
    let session_id = shop.create(&order(&["knet"]));
    let reference = shop.pay_to_page(&session_id, "knet");
    shop.bank.approve_another_amount(reference.as_str(), "1.000");
    shop.come_back(&reference).unwrap();
    let id = shop.attention().pop().unwrap();
    (shop, session_id, id)
}

fn resolve(shop: &Shop, id: &AttentionId, action: &str) -> Result<Value, Failure> {
    let body = json!({"action": action}).to_string();
    block_on(resolve_attention(&shop.world, &ROOT, id, body.as_bytes())).map(|answer| json_of(&answer))
}

#[test]
fn the_attention_list_says_what_about_which_attempt() {
    let (shop, session_id, id) = held(12);
    let listed = json_of(&block_on(list_attention(&shop.world)).unwrap());
    assert_eq!(
        listed,
        json!([{
            "id": id.to_string(),
            "merchant_id": "demo",
            "session_id": session_id.as_str(),
            "reference_number": id.reference.as_str(),
            "reason": "amount_mismatch",
            "detail": "asked for 10.250 KWD, the gateway names 1.000 KWD",
            "since": "2026-01-01T00:00:00Z",
        }])
    );
    assert_eq!(AttentionId::parse(&id.to_string()), Some(id));
}

#[test]
fn the_operator_decides_what_became_of_a_held_attempt() {
    for (action, state, result) in [("approved", "paid", "success"), ("not_charged", "attempted", "failed")] {
        let (shop, session_id, id) = held(13);
        let answer = resolve(&shop, &id, action).unwrap();
        assert_eq!(answer, json!({"id": id.to_string(), "closed": true, "result": result}));
        assert_eq!((shop.state(&session_id), shop.results(&session_id)), (state, vec![result]));
        assert_eq!(shop.attention(), []);
        assert_eq!(refused(resolve(&shop, &id, action)), Rejection::NotResolvable, "it is decided once");
        shop.sweep();
        assert!(
            shop.receiver.take_bodies().iter().any(|body| text(body, "result") == Some(result)),
            "and reported"
        );
    }
}

#[test]
fn what_waits_for_a_decision_cannot_be_dismissed() {
    let (shop, _, id) = held(14);
    assert_eq!(refused(resolve(&shop, &id, "dismiss")), Rejection::NotResolvable);
    assert_eq!(shop.attention(), [id]);
}

#[test]
fn asking_again_closes_the_entry_only_with_an_answer() {
    let (shop, session_id, id) = held(15);
    let answer = resolve(&shop, &id, "inquire").unwrap();
    assert_eq!((&answer["closed"], &answer["result"]), (&json!(false), &json!("pending")));
    assert_eq!(shop.state(&session_id), "pending");
    assert_eq!(shop.attention(), [id]);
}

#[test]
fn a_second_success_is_flagged_and_may_be_dismissed() {
    let shop = Shop::open(16);
    let session_id = shop.create(&order(&["knet"]));
    shop.bank.on_opening(Mood::Deaf);
    shop.pay(&session_id, "knet").unwrap();
    let first = shop.latest(&session_id).reference;
    let request = shop.world.http.take_sent().pop().unwrap();
    shop.wait(60);
    shop.sweep();
    shop.bank.on_opening(Mood::Fine);
    let second = shop.pay_to_page(&session_id, "knet");
    shop.bank.approve(second.as_str());
    shop.come_back(&second).unwrap();
    // The first request arrives after all, and its page is paid too.
    shop.bank.answer(&request).unwrap();
    shop.bank.approve(first.as_str());
    shop.call_back(&first).unwrap();
    assert_eq!((shop.state(&session_id), shop.results(&session_id)), ("paid", vec!["success", "success"]));
    let id = AttentionId::parse(&format!("{first}.second_success")).unwrap();
    assert_eq!(shop.attention(), std::slice::from_ref(&id));
    assert_eq!(resolve(&shop, &id, "dismiss").unwrap()["closed"], json!(true));
    assert_eq!(shop.attention(), []);
    assert_eq!(resolve(&shop, &id, "dismiss").unwrap()["closed"], json!(false), "once");
}

#[test]
fn an_action_is_one_of_four() {
    let (shop, _, id) = held(17);
    for body in [r"{}", r#"{"action":null}"#, r#"{"action":"refund"}"#, r#"{"action":1}"#] {
        let result = block_on(resolve_attention(&shop.world, &ROOT, &id, body.as_bytes()));
        assert_eq!(paths(&refused(result)), ["action"], "{body}");
    }
    let nobody = AttentionId::parse("NOBODY.second_success").unwrap();
    assert_eq!(refused(resolve(&shop, &nobody, "dismiss")), Rejection::NotFound);
    for text in ["", ".", "REF", "REF.", "REF.other", "ref.second_success", ".second_success"] {
        assert_eq!(AttentionId::parse(text), None, "{text}");
    }
}
