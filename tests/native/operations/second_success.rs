//! What is paid in addition to a transaction is given back.

use super::*;
use checkout_core::api::list_transactions::DayZone;
use checkout_core::flow::desk::payments;
use checkout_core::flow::merchant::export::export;

#[test]
fn a_second_success_is_flagged_and_refunded_with_its_fee() {
    let shop = Shop::open(7);
    let session_id = paid_twice(&shop, "knet");
    assert_eq!(shop.results(&session_id), ["success", "success"]);
    let [child] = &shop.world.store.children(&session_id)[..] else { panic!("one operation") };
    let first = &shop.world.store.attempts(&session_id)[0];
    assert_eq!((&child.attempt, child.stage), (&first.reference, OperationStage::Done));
    assert_eq!(child.amount, first.quote.total);
    assert_eq!(shop.attention().len(), 1);
    let refunded = shop.bank.books().done(first.reference.as_str(), ChildOperation::Refund);
    assert_eq!(refunded, first.quote.total);
    // The payment that counts is not changed by it.
    assert_eq!(result_of(&try_operate(&shop, &session_id, "refund", None).unwrap()).0, "success");
}

#[test]
fn an_inquiry_is_about_the_payment_that_counts() {
    let shop = Shop::open(7);
    let session_id = paid_twice(&shop, "knet");
    let counts = &shop.world.store.attempts(&session_id)[1];
    let said = inquired(&shop, &session_id);
    assert_eq!((&said["result"], &said["state"]), (&json!("success"), &json!("paid")));
    assert_eq!(said["reference_number"], counts.reference.as_str());
}

#[test]
fn an_inquiry_about_cash_is_not_about_a_payment_that_was_given_back() {
    let shop = Shop::open(17);
    let session_id = shop.create(&order(&["knet", "cash"]));
    let first = shop.pay_to_page(&session_id, "knet");
    shop.bank.give_up(first.as_str());
    shop.come_back(&first).unwrap();
    shop.pay(&session_id, "cash").unwrap();
    let cash = shop.latest(&session_id).reference;
    shop.bank.approve_after_all(first.as_str());
    shop.call_back(&first).unwrap();
    assert_eq!(shop.results(&session_id), ["success", "cod"]);
    let said = inquired(&shop, &session_id);
    assert_eq!((&said["result"], &said["gateway_account"]), (&json!("cod"), &json!("cash")));
    assert_eq!(said["reference_number"], cash.as_str());
}

#[test]
fn a_second_authorization_is_voided() {
    let shop = Shop::open(8);
    let session_id = paid_twice(&shop, "mpgs");
    let first = &shop.world.store.attempts(&session_id)[0];
    assert!(!shop.bank.books().done(first.reference.as_str(), ChildOperation::Void).is_zero());
    assert_eq!(shop.state(&session_id), "authorized");
}

#[test]
fn a_success_after_the_cancellation_is_given_back_and_leaves_the_transaction_canceled() {
    let shop = Shop::open(9);
    let session_id = shop.create(&order(&["knet"]));
    let reference = shop.pay_to_page(&session_id, "knet");
    let body = json!({"session_id": session_id.as_str(), "operation": "cancel"}).to_string();
    let input = OperationInput {
        caller: shop.private(),
        tracking_key: None,
        idempotency_key: None,
        body: body.as_bytes(),
    };
    block_on(operate(&shop.world, input)).unwrap();
    assert_eq!(shop.state(&session_id), "canceled");
    shop.bank.approve_after_all(reference.as_str());
    shop.call_back(&reference).unwrap();
    assert_eq!((shop.state(&session_id), shop.results(&session_id)), ("canceled", vec!["success"]));
    assert_eq!(stages(&shop, &session_id), [OperationStage::Done]);
    assert_eq!(shop.attention().len(), 1);
}

#[test]
fn if_the_bank_does_not_give_back_a_second_success_a_person_is_still_notified() {
    let shop = Shop::open(10);
    shop.bank.on_operating(Mood::Refuses);
    let session_id = paid_twice(&shop, "knet");
    assert_eq!(stages(&shop, &session_id), [OperationStage::Refused]);
    assert_eq!(shop.attention().len(), 1);
}

#[test]
fn lists_and_tables_show_no_refund_of_what_was_paid_in_addition() {
    let shop = Shop::open(21);
    let session_id = paid_twice(&shop, "knet");
    assert_eq!(shop.world.store.children(&session_id).len(), 1, "it was given back");
    let listed = block_on(payments(&shop.world, &shop.private(), "")).unwrap();
    assert_eq!(listed.rows[0].refunds().count(), 0);
    let table = |shop: &Shop| {
        let mut table = block_on(export(&shop.world, &shop.private(), "", DayZone::Utc)).unwrap();
        block_on(table.part(&shop.world)).unwrap()
    };
    assert_eq!(table(&shop).trim_end().lines().count(), 2, "the names, and the payment: {}", table(&shop));
    try_operate(&shop, &session_id, "refund", Some("4.000")).unwrap();
    let listed = block_on(payments(&shop.world, &shop.private(), "")).unwrap();
    assert_eq!(listed.rows[0].refunds().count(), 1);
    assert_eq!(table(&shop).trim_end().lines().count(), 3, "{}", table(&shop));
}
