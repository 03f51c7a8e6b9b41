//! A time in which nothing runs: when the cron handler comes back after days, one question whose answer is lost is not the
//! last one.

use checkout_core::child::stage::OperationStage;
use checkout_core::flow::merchant::operate::{OperationInput, operate};
use checkout_core::flow::sweep::sweep;
use checkout_core::value::id::SessionId;
use checkout_tests::bank::Mood;
use checkout_tests::shop::{Shop, order};
use pollster::block_on;
use serde_json::json;

const DAYS: u64 = 4 * 86_400;

/// What was open or ended unknown is asked about after days; the first answer is lost, the second comes.
fn comes_back(shop: &Shop, session_id: &SessionId) {
    shop.wait(DAYS);
    shop.bank.on_asking(Mood::Deaf);
    let _ = block_on(sweep(&shop.world));
    assert_eq!(shop.attention(), [], "one lost answer is not three days without an answer");
    shop.bank.on_asking(Mood::Fine);
    for _ in 0..4 {
        shop.wait(86_400);
        shop.sweep();
    }
    assert_eq!(shop.attention(), []);
    let attempts = shop.world.store.attempts(session_id);
    assert!(attempts.iter().all(|attempt| attempt.inquire_at.is_none()), "{attempts:?}");
}

#[test]
fn an_unknown_payment_is_asked_about_more_than_once_after_an_outage_of_days() {
    let shop = Shop::open(1);
    let session_id = shop.create(&order(&["knet"]));
    shop.bank.on_opening(Mood::ChargesMute);
    shop.bank.on_asking(Mood::Deaf);
    let _ = shop.pay(&session_id, "knet").unwrap();
    shop.bank.on_opening(Mood::Fine);
    comes_back(&shop, &session_id);
    assert_eq!(shop.state(&session_id), "paid");
}

#[test]
fn a_payment_that_was_given_up_is_asked_about_more_than_once_after_an_outage_of_days() {
    let shop = Shop::open(2);
    let session_id = shop.create(&order(&["knet", "credit-card"]));
    shop.bank.on_opening(Mood::Deaf);
    let _ = shop.pay(&session_id, "knet").unwrap();
    shop.bank.on_opening(Mood::Fine);
    // The page of the first was given to nobody: it gives way.
    let reference = shop.pay_to_page(&session_id, "credit-card");
    shop.bank.approve(reference.as_str());
    shop.come_back(&reference).unwrap();
    comes_back(&shop, &session_id);
    assert_eq!(shop.state(&session_id), "paid");
}

#[test]
fn a_refund_is_asked_about_more_than_once_after_an_outage_of_days() {
    let shop = Shop::open(3);
    let session_id = shop.create(&order(&["credit-card"]));
    let reference = shop.pay_to_page(&session_id, "credit-card");
    shop.bank.approve(reference.as_str());
    shop.come_back(&reference).unwrap();
    shop.bank.on_operating(Mood::Mute);
    shop.bank.on_asking(Mood::Deaf);
    let body = json!({"session_id": session_id.as_str(), "operation": "refund"}).to_string();
    let input = OperationInput {
        caller: shop.private(),
        tracking_key: None,
        idempotency_key: None,
        body: body.as_bytes(),
    };
    block_on(operate(&shop.world, input)).unwrap();
    shop.bank.on_operating(Mood::Fine);
    comes_back(&shop, &session_id);
    let [refund] = &shop.world.store.children(&session_id)[..] else { panic!("one refund") };
    assert_eq!(refund.stage, OperationStage::Done);
}
