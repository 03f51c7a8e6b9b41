//! How much one person or key may refund in a day at the merchant.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::rc::Rc;

use checkout_core::access::permission::Permission;
use checkout_core::access::user::User;
use checkout_core::access::{Caller, Rights};
use checkout_core::flow::desk;
use checkout_core::flow::merchant::approvals::reject;
use checkout_core::port::{ApprovalSearch, Approvals as _};
use checkout_core::rejection::Rejection;
use checkout_core::value::id::SessionId;
use checkout_core::words::Plugin;
use checkout_tests::bank::Mood;
use checkout_tests::shop::{Shop, order, refused};
use pollster::block_on;
use serde_json::{Value, json};

fn a_day(amount: &str) -> Value {
    json!({"a_day": {"KWD": amount}})
}

/// Another payment of 10.000.
fn paid(shop: &Shop) -> SessionId {
    let session_id = shop.create(&order(&["knet"]));
    let reference = shop.pay_to_page(&session_id, "knet");
    shop.bank.approve(reference.as_str());
    shop.come_back(&reference).unwrap();
    session_id
}

/// The status of a refund by a clerk, or what is left of the day.
fn refund(shop: &Shop, clerk: u32, session_id: &SessionId, amount: &str) -> Result<u16, String> {
    match shop.refund(&shop.world, shop.clerk(clerk), (session_id, amount), None) {
        Ok(answer) => Ok(answer.status),
        failed => {
            let refusal = refused(failed);
            assert!(matches!(refusal, Rejection::RefundLimit { .. }), "{refusal:?}");
            if let Rejection::RefundLimit { left, .. } = refusal { Err(left.to_string()) } else { Ok(0) }
        }
    }
}

fn left(amount: &str) -> Result<u16, String> {
    Err(amount.into())
}

#[test]
fn the_refunds_of_a_person_add_up_over_all_payments_to_a_limit() {
    let (shop, first) = Shop::with_policy(1, &a_day("12.000"));
    let second = paid(&shop);
    assert_eq!(refund(&shop, 1, &first, "7.000"), Ok(200));
    assert_eq!(refund(&shop, 1, &second, "5.001"), left("5.000"));
    assert_eq!(refund(&shop, 1, &second, "5.000"), Ok(200));
    assert_eq!(refund(&shop, 1, &first, "0.001"), left("0.000"));
    assert_eq!(refund(&shop, 2, &first, "3.000"), Ok(200), "another person has a day of their own");
    let by_key = shop.refund(&shop.world, shop.private(), (&second, "5.000"), None).unwrap();
    assert_eq!(by_key.status, 200, "a key is not bound");
    let refusal = refused(shop.refund(&shop.world, shop.clerk(1), (&paid(&shop), "9.000"), None));
    assert_eq!(refusal.detail(), "0.000 KWD is left today of the 12.000 KWD that you may refund in a day");
    assert_eq!(refusal.status(), 403);
}

#[test]
fn what_failed_does_not_count_and_what_is_not_known_does() {
    let (shop, first) = Shop::with_policy(2, &a_day("10.000"));
    shop.bank.on_operating(Mood::Refuses);
    for _ in 0..3 {
        let declined = refused(shop.refund(&shop.world, shop.clerk(1), (&first, "8.000"), None));
        assert!(matches!(declined, Rejection::OperationDeclined { .. }), "{declined:?}");
    }
    shop.bank.on_operating(Mood::Mute);
    let _ = shop.refund(&shop.world, shop.clerk(1), (&first, "8.000"), None);
    shop.bank.on_operating(Mood::Fine);
    assert_eq!(refund(&shop, 1, &paid(&shop), "2.001"), left("2.000"));
    assert_eq!(refund(&shop, 1, &paid(&shop), "2.000"), Ok(200));
}

#[test]
fn the_day_is_that_of_the_merchant() {
    // The shop is in Kuwait, three hours ahead.
    let (shop, first) = Shop::with_policy(3, &a_day("6.000"));
    let millis = shop.situation().now.millis();
    let until_midnight = 86_400 - (millis / 1_000 + 3 * 3_600) % 86_400;
    assert_eq!(refund(&shop, 1, &first, "6.000"), Ok(200));
    shop.wait(u64::try_from(until_midnight).unwrap() - 1);
    assert_eq!(refund(&shop, 1, &first, "1.000"), left("0.000"));
    shop.wait(1);
    assert_eq!(refund(&shop, 1, &first, "1.000"), Ok(200));
}

#[test]
fn nothing_is_left_in_a_currency_that_is_not_named() {
    let (shop, first) = Shop::with_policy(4, &json!({"a_day": {"USD": "500"}}));
    assert_eq!(refund(&shop, 1, &first, "0.001"), left("0.000"));
}

#[test]
fn above_the_limit_another_person_approves_where_refunds_are_approved() {
    let policy = json!({"operations": ["refund"], "above": {"KWD": "100"}, "a_day": {"KWD": "12.000"}});
    let (shop, first) = Shop::with_policy(5, &policy);
    let (second, third) = (paid(&shop), paid(&shop));
    assert_eq!(refund(&shop, 1, &first, "8.000"), Ok(200));
    assert_eq!(refund(&shop, 1, &second, "5.000"), Ok(202), "above the day");
    assert_eq!(refund(&shop, 1, &third, "1.000"), Ok(202), "what waits counts");
    let search = ApprovalSearch {
        merchant: shop.merchant.clone(),
        session_id: Some(second),
        state: None,
        after: None,
        limit: 9,
    };
    let asked = block_on(shop.world.store.find_approvals(&search)).unwrap();
    let id = &asked.first().unwrap().id;
    block_on(reject(&shop.world, &shop.clerk(2), id, br#"{"note":"no"}"#)).unwrap();
    assert_eq!(refund(&shop, 1, &first, "2.000"), Ok(200), "what was refused does not");
}

#[test]
fn keys_have_the_limit_where_the_settings_bind_keys() {
    let (shop, first) = Shop::with_policy(6, &json!({"a_day": {"KWD": "3.000"}, "keys": true}));
    let by_key = |amount| shop.refund(&shop.world, shop.private(), (&first, amount), None);
    assert_eq!(by_key("3.000").unwrap().status, 200);
    assert!(matches!(refused(by_key("0.001")), Rejection::RefundLimit { .. }));
    assert_eq!(refund(&shop, 1, &first, "3.000"), Ok(200), "and people theirs");
}

#[test]
fn a_repeated_request_counts_once() {
    let (shop, first) = Shop::with_policy(7, &a_day("4.000"));
    let once = || shop.refund(&shop.world, shop.clerk(1), (&first, "4.000"), Some("k1")).unwrap();
    assert_eq!((once().is_replayed, once().is_replayed), (false, true));
    assert_eq!(refund(&shop, 1, &first, "0.001"), left("0.000"));
}

/// A clerk who may see payments.
fn viewer(shop: &Shop, number: u32) -> Caller {
    let caller = shop.clerk(number);
    let user = caller.user().unwrap().clone();
    let permissions = user.permissions.iter().cloned().chain([Permission::View(Plugin::ECommerce)]);
    let user = User { permissions: permissions.collect::<Vec<_>>().into(), ..user };
    Caller { rights: Rights::User(Rc::new(user)), ..caller }
}

#[test]
fn the_desk_says_what_is_left_of_the_day() {
    let (shop, first) = Shop::with_policy(8, &a_day("12.000"));
    assert_eq!(refund(&shop, 1, &first, "7.000"), Ok(200));
    let shown =
        |clerk| block_on(desk::payment(&shop.world, &viewer(&shop, clerk), &first)).unwrap().allowance;
    let amounts = |clerk| shown(clerk).map(|day| (day.limit.to_string(), day.left.to_string(), day.may_ask));
    assert_eq!(amounts(1), Some(("12.000".into(), "5.000".into(), false)));
    assert_eq!(amounts(2), Some(("12.000".into(), "12.000".into(), false)));
}
