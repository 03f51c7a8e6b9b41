//! A try counts when it is claimed: what ends its sender, each time again, is not tried without end.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on has failed, and a runtime dies"
)]

use std::panic::{AssertUnwindSafe, catch_unwind};

use checkout_core::flow::merchant::operate::{OperationInput, operate};
use checkout_core::flow::sweep::sweep;
use checkout_core::port::Clock;
use checkout_core::record::receiver::TryError;
use checkout_core::testing::store::DeliveryState;
use checkout_core::value::id::{DeliveryId, SessionId};
use checkout_core::webhook::delivery::LEASE;
use checkout_tests::bank::Mood;
use checkout_tests::delivery::deliver;
use checkout_tests::middle::Interrupted;
use checkout_tests::shop::{Shop, order};
use pollster::block_on;
use serde_json::json;

/// Runs what ends in the middle of its first request, as if the runtime had died; whether it sent one.
fn dies(shop: &Shop, run: impl FnOnce(&Interrupted<'_>)) -> bool {
    let world = Interrupted::after_send(&shop.world, || panic!("the runtime dies"));
    catch_unwind(AssertUnwindSafe(|| run(&world))).is_err()
}

/// A shop whose payments are compared with no list: only what the test is about asks a gateway.
fn unlisted(seed: u64) -> Shop {
    Shop::open_with(seed, |document| {
        for gateway in document["gateways"].as_array_mut().unwrap() {
            gateway["reconciled"] = json!(false);
        }
    })
}

fn notified(shop: &Shop) -> (SessionId, DeliveryId) {
    let session_id = shop.create(&order(&["knet"]));
    let reference = shop.pay_to_page(&session_id, "knet");
    shop.bank.approve(reference.as_str());
    let id = shop.come_back(&reference).unwrap().unwrap();
    (session_id, id)
}

#[test]
fn a_webhook_that_ends_its_sender_each_time_is_given_up_after_ten_tries() {
    let shop = Shop::open(1);
    let (session_id, id) = notified(&shop);
    let row = || shop.world.store.deliveries(&session_id).pop().unwrap();
    let mut sent = 0;
    for _ in 0..200 {
        sent += usize::from(dies(&shop, |world| {
            let _ = block_on(deliver(world, &id));
        }));
        shop.wait(LEASE.as_secs());
        if row().state != DeliveryState::Due {
            break;
        }
        shop.wait(3_600);
    }
    let row = row();
    assert_eq!((sent, row.state, row.failed_tries), (10, DeliveryState::GivenUp, 10));
    assert!(row.tries.iter().all(|done| done.status.is_none() && done.error == Some(TryError::Lost)));
    let reasons: Vec<&str> = shop.attention().iter().map(|id| id.reason.as_str()).collect();
    assert_eq!(reasons, ["delivery_given_up"]);
}

#[test]
fn a_lost_try_is_in_the_log_with_its_time_and_the_next_one_keeps_to_the_schedule() {
    let shop = Shop::open(2);
    let (session_id, id) = notified(&shop);
    let row = || shop.world.store.deliveries(&session_id).pop().unwrap();
    let started = shop.world.clock.now();
    assert!(dies(&shop, |world| drop(block_on(deliver(world, &id)))));
    shop.wait(LEASE.as_secs());
    assert!(dies(&shop, |world| drop(block_on(deliver(world, &id)))), "the second try is due after a minute");
    let [first] = row().tries.try_into().unwrap();
    assert_eq!((first.at, first.error, row().failed_tries), (started, Some(TryError::Lost), 1));
    shop.wait(LEASE.as_secs());
    assert!(!dies(&shop, |world| drop(block_on(deliver(world, &id)))), "the third after five minutes");
    assert_eq!(row().failed_tries, 2);
    shop.wait(240);
    shop.sweep();
    assert_eq!(row().state, DeliveryState::Delivered);
    assert_eq!(row().tries.len(), 3);
}

#[test]
fn a_try_that_was_lost_days_ago_says_nothing_of_its_receiver() {
    let shop = Shop::open(5);
    let (lost, id) = notified(&shop);
    assert!(dies(&shop, |world| drop(block_on(deliver(world, &id)))));
    // Nothing runs for five days.
    shop.wait(5 * 86_400);
    shop.receiver.answer_next(Some(500));
    assert!(shop.deliver(&id).is_some());
    shop.receiver.answer_next(Some(500));
    let (later, id) = notified(&shop);
    assert!(shop.deliver(&id).is_some());
    let state = |session_id| shop.world.store.deliveries(session_id).pop().unwrap().state;
    assert_eq!((state(&lost), state(&later)), (DeliveryState::Due, DeliveryState::Due));
    assert_eq!(shop.attention(), [], "two failures within a minute disable nobody");
}

/// Lets the cron handler run each minute and die whenever it asks; how often it asked.
fn asked_until_it_stops(shop: &Shop) -> usize {
    let _ = shop.receiver.take();
    (0..400)
        .filter(|_| {
            shop.wait(60);
            // Or it dies while it sends a webhook.
            dies(shop, |world| drop(block_on(sweep(world)))) && shop.receiver.take().is_empty()
        })
        .count()
}

fn is_on_the_list(shop: &Shop) -> bool {
    shop.attention().iter().any(|id| id.reason.as_str() == "not_processed")
}

#[test]
fn an_inquiry_that_ends_who_asks_is_made_ten_times_and_then_a_person_looks_at_it() {
    let shop = unlisted(3);
    let session_id = shop.create(&order(&["knet"]));
    shop.bank.on_opening(Mood::ChargesMute);
    shop.bank.on_asking(Mood::Deaf);
    let _ = shop.pay(&session_id, "knet").unwrap();
    let asked = asked_until_it_stops(&shop);
    assert_eq!(asked, 10);
    assert!(is_on_the_list(&shop));
    assert_eq!(
        shop.latest(&session_id).stage.as_str(),
        "unknown",
        "what may have been charged is not called failed"
    );
}

#[test]
fn an_inquiry_about_a_refund_that_ends_who_asks_is_made_ten_times() {
    let shop = unlisted(4);
    let (session_id, id) = notified(&shop);
    let _ = shop.deliver(&id);
    shop.bank.on_operating(Mood::Mute);
    shop.bank.on_asking(Mood::Deaf);
    let body =
        json!({ "operation": "refund", "session_id": session_id.as_str(), "amount": "1.000" }).to_string();
    let input = OperationInput {
        caller: shop.private(),
        tracking_key: None,
        idempotency_key: None,
        body: body.as_bytes(),
    };
    let refunded = block_on(operate(&shop.world, input)).unwrap();
    for id in &refunded.deliveries {
        let _ = shop.deliver(id);
    }
    assert_eq!(asked_until_it_stops(&shop), 10);
    assert!(is_on_the_list(&shop));
}
