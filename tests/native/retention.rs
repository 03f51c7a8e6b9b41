//! What identifies payers is erased by age, where the settings of the merchant say so.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use core::time::Duration;

use checkout_core::settings::parse;
use checkout_core::value::id::SessionId;
use checkout_tests::shop::{Shop, order};
use serde_json::{Value, json};

const DAY: u64 = 86_400;

fn shop_with(days: u32) -> Shop {
    Shop::open_with(1, |settings| {
        settings.as_object_mut().unwrap().insert("retention_days".into(), days.into());
    })
}

/// A payment that was completed, of a payer with a name.
fn paid(shop: &Shop) -> SessionId {
    let mut order = order(&["knet"]);
    let named = json!({"customer_id": "c-1", "customer_first_name": "Noura", "order_no": "A-1"});
    order.as_object_mut().unwrap().extend(named.as_object().unwrap().clone());
    let session_id = shop.create(&order);
    let reference = shop.pay_to_page(&session_id, "knet");
    shop.bank.approve(reference.as_str());
    let delivery = shop.come_back(&reference).unwrap();
    if let Some(id) = delivery {
        let _effect = shop.deliver(&id);
    }
    assert_eq!(shop.state(&session_id), "paid");
    session_id
}

fn name_of(shop: &Shop, session_id: &SessionId) -> Option<String> {
    shop.transaction(session_id).details.customer_first_name
}

#[test]
fn the_payer_of_a_payment_is_erased_when_nothing_happened_for_that_many_days() {
    let shop = shop_with(30);
    let session_id = paid(&shop);
    shop.wait(30 * DAY - 60);
    assert_eq!(shop.sweep().erased, 0);
    assert_eq!(name_of(&shop, &session_id).as_deref(), Some("Noura"));
    shop.wait(120);
    assert_eq!(shop.sweep().erased, 1);
    assert_eq!(name_of(&shop, &session_id), None);
    let stored = shop.transaction(&session_id);
    assert_eq!((stored.state.as_str(), stored.details.order_no.as_deref()), ("paid", Some("A-1")));
    assert_eq!(shop.sweep().erased, 0);
}

#[test]
fn nothing_is_erased_by_age_unless_the_settings_say_so() {
    let shop = Shop::open(1);
    let session_id = paid(&shop);
    shop.wait(4_000 * DAY);
    assert_eq!(shop.sweep().erased, 0);
    assert_eq!(name_of(&shop, &session_id).as_deref(), Some("Noura"));
}

#[test]
fn a_run_erases_until_nothing_is_old_enough() {
    let shop = shop_with(7);
    let all: Vec<SessionId> = (0..65).map(|_| paid(&shop)).collect();
    shop.wait(8 * DAY);
    assert_eq!([shop.sweep().erased, shop.sweep().erased], [65, 0]);
    assert!(all.iter().all(|session_id| name_of(&shop, session_id).is_none()));
}

#[test]
fn retention_is_a_whole_number_of_days_within_its_bounds() {
    let shop = Shop::open(1);
    let read = |value: Value| {
        let mut document: Value = serde_json::from_str(checkout_tests::shop::DEMO_SETTINGS).unwrap();
        document.as_object_mut().unwrap().insert("retention_days".into(), value);
        let settings = shop.settings();
        parse::stored(&settings.merchant, 1, &document.to_string(), settings.webhook.clone())
    };
    for days in [7_u32, 3660] {
        let retention = Duration::from_secs(u64::from(days) * DAY);
        assert_eq!(read(days.into()).unwrap().retention, Some(retention));
    }
    for wrong in [json!(6), json!(3661), json!("30"), json!(30.5), json!(-30), json!(true), json!([30])] {
        let found = read(wrong).unwrap_err();
        let texts: Vec<String> = found.iter().map(|one| format!("{}: {}", one.path, one.rule)).collect();
        assert_eq!(texts, ["retention_days: must be a whole number from 7 to 3660"]);
    }
}
