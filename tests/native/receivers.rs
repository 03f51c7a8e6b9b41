//! The life of receivers: one that fails for five days is disabled, what is for it is held, and comes when it is enabled again.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use checkout_core::access::operator::ROOT;
use checkout_core::flow::operator::merchant::replace_settings;
use checkout_core::port::{Clock, Receivers, Store};
use checkout_core::record::audit::Entry;
use checkout_core::record::receiver::{Disabling, Receiver, origin};
use checkout_core::testing::store::DeliveryState;
use checkout_core::value::id::{DeliveryId, SessionId};
use checkout_tests::shop::{DEMO_SETTINGS, Shop, WEBHOOK_URL, order};
use pollster::block_on;
use serde_json::json;

const DAY: u64 = 86_400;

/// A payment whose webhook waits.
fn paid(shop: &Shop) -> (SessionId, DeliveryId) {
    let session_id = shop.create(&order(&["knet"]));
    let reference = shop.pay_to_page(&session_id, "knet");
    shop.bank.approve(reference.as_str());
    let id = shop.come_back(&reference).unwrap().unwrap();
    (session_id, id)
}

fn state(shop: &Shop, session_id: &SessionId) -> DeliveryState {
    shop.world.store.deliveries(session_id).pop().unwrap().state
}

fn receivers(shop: &Shop) -> Vec<Receiver> {
    block_on(shop.world.store.receivers(&shop.settings().merchant, 10)).unwrap()
}

fn reasons(shop: &Shop) -> Vec<&'static str> {
    shop.attention().iter().map(|id| id.reason.as_str()).collect()
}

/// A try that the receiver answers with this status.
fn tried(shop: &Shop, id: &DeliveryId, status: u16) {
    shop.receiver.answer_next(Some(status));
    assert!(shop.deliver(id).is_some());
}

#[test]
fn a_receiver_that_failed_for_five_days_is_disabled_and_what_is_for_it_is_held_and_not_lost() {
    let shop = Shop::open(1);
    let (first, id) = paid(&shop);
    tried(&shop, &id, 500);
    shop.wait(5 * DAY - 1);
    let (second, id) = paid(&shop);
    tried(&shop, &id, 500);
    assert_eq!((state(&shop, &second), reasons(&shop)), (DeliveryState::Due, vec![]), "not a second before");
    shop.wait(1);
    let (third, id) = paid(&shop);
    tried(&shop, &id, 500);
    let (fourth, id) = paid(&shop);
    assert_eq!(shop.deliver(&id), None, "nothing is sent");
    let sessions = [&first, &second, &third, &fourth];
    assert!(sessions.iter().all(|id| state(&shop, id) == DeliveryState::Held));
    assert_eq!(reasons(&shop), ["receiver_disabled"]);
    let sent = shop.receiver.take().len();
    shop.wait(30 * DAY);
    assert_eq!((shop.sweep().delivered, sent), (0, 3), "and nothing is tried later");
    let [disabled] = &receivers(&shop)[..] else { panic!("one receiver") };
    assert_eq!((disabled.address.as_str(), disabled.held), (origin(WEBHOOK_URL), 4));
    assert_eq!(disabled.disabled.map(|(_, why)| why), Some(Disabling::Failing));

    let now = shop.world.clock.now();
    let merchant = shop.settings().merchant.clone();
    let entry = Entry::of(ROOT.actor(), "enable_receiver", now).about(&merchant).on(WEBHOOK_URL);
    let address = origin(WEBHOOK_URL);
    let enabled = shop.world.store.enable_receiver(&merchant, address, now, &entry);
    assert_eq!(block_on(enabled).unwrap().map(|released| released.count), Some(4));
    assert_eq!(shop.sweep().delivered, 4);
    assert!(sessions.iter().all(|id| state(&shop, id) == DeliveryState::Delivered));
    assert_eq!(receivers(&shop), []);
}

#[test]
fn one_success_within_the_five_days_begins_them_again() {
    let shop = Shop::open(2);
    let (_, failing) = paid(&shop);
    tried(&shop, &failing, 500);
    shop.wait(4 * DAY);
    let (_, works) = paid(&shop);
    tried(&shop, &works, 201);
    assert_eq!(receivers(&shop), []);
    shop.wait(2 * DAY);
    let (session_id, later) = paid(&shop);
    tried(&shop, &later, 500);
    assert_eq!((state(&shop, &session_id), reasons(&shop)), (DeliveryState::Due, vec![]));
}

#[test]
fn what_is_delivered_while_its_receiver_is_disabled_stays_delivered() {
    let shop = Shop::open(3);
    let (session_id, slow) = paid(&shop);
    let now = shop.world.clock.now();
    let lease = now.plus(std::time::Duration::from_mins(1));
    assert!(block_on(shop.world.store.claim(&slow, now, lease)).unwrap().is_some(), "it is on its way");
    let (_, gone) = paid(&shop);
    tried(&shop, &gone, 410);
    assert_eq!(state(&shop, &session_id), DeliveryState::Held);
    let done = checkout_core::port::Try {
        at: now,
        status: Some(200),
        error: None,
        excerpt: None,
        took_ms: 1,
        next: checkout_core::port::Next::Delivered,
        receiver: checkout_core::record::receiver::ReceiverEffect::Nothing,
    };
    block_on(shop.world.store.finish_try(&slow, &done, None)).unwrap();
    assert_eq!(state(&shop, &session_id), DeliveryState::Delivered);
}

/// A shop whose plugin for shops has these `webhooks` in its settings.
fn filtered(seed: u64, webhooks: &serde_json::Value) -> Shop {
    let shop = Shop::open(seed);
    let mut document: serde_json::Value = serde_json::from_str(DEMO_SETTINGS).unwrap();
    let plugin = document.pointer_mut("/plugins/e_commerce").and_then(serde_json::Value::as_object_mut);
    plugin.unwrap().insert("webhooks".into(), webhooks.clone());
    let merchant = shop.settings().merchant.clone();
    let body = document.to_string();
    block_on(replace_settings(&shop.world, &ROOT, &merchant, "", body.as_bytes())).unwrap();
    shop
}

#[test]
fn the_settings_of_a_plugin_decide_which_payments_are_notified() {
    for (webhooks, sent) in [
        (json!({}), 1),
        (json!({ "enabled": false }), 0),
        (json!({ "of_api": false }), 0),
        (json!({ "states": ["paid"] }), 1),
        (json!({ "states": ["failed", "canceled"] }), 0),
        (json!({ "events": ["payment"] }), 1),
        (json!({ "events": ["card", "operation"] }), 0),
    ] {
        let shop = filtered(4, &webhooks);
        let session_id = shop.create(&order(&["knet"]));
        let reference = shop.pay_to_page(&session_id, "knet");
        shop.bank.approve(reference.as_str());
        let id = shop.come_back(&reference).unwrap();
        assert_eq!(usize::from(id.is_some()), sent, "{webhooks}");
        assert_eq!(shop.world.store.deliveries(&session_id).len(), sent, "{webhooks}");
        assert_eq!(shop.state(&session_id), "paid", "the payment does not depend on it");
    }
}
