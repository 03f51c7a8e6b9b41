//! Races, and a store that fails before or after it stored: nothing is lost and no one pays twice.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use checkout_core::attempt::stage::Stage;
use checkout_core::flow::payer::open_page::{Visit, open_page};
use checkout_core::flow::payer::pay::{Directed, pay};
use checkout_core::rejection::Rejection;
use checkout_core::testing::store::{DeliveryState, Fault};
use checkout_core::value::id::SessionId;
use checkout_tests::bank::Mood;
use checkout_tests::middle::Interrupted;
use checkout_tests::shop::{Shop, form, order, session_of};
use pollster::block_on;
use serde_json::json;

/// More commits than a payment without faults has.
const COMMITS: u32 = 9;

/// A payer and a merchant that do not give up: each repeats what failed, until the payment has ended.
fn carry_through(shop: &Shop, outcome: fn(&Shop, &str)) -> SessionId {
    let created = (0..3).find_map(|_| shop.try_create(&order(&["knet"]), Some("key")).ok()).unwrap();
    let session_id = session_of(&created);
    for _round in 0..12 {
        let _ = block_on(open_page(&shop.world, Some(&session_id), Visit::PERSON));
        if let Ok(Directed { url, .. }) = shop.pay(&session_id, "knet") {
            let attempt = shop.latest(&session_id);
            if attempt.page_url.as_ref() == Some(&url) {
                if shop.bank.statuses().get(attempt.reference.as_str()) == Some(&"open") {
                    outcome(shop, attempt.reference.as_str());
                }
                let _ = shop.come_back(&attempt.reference);
                let _ = shop.call_back(&attempt.reference);
            }
        }
        shop.wait(70);
        // What fails in one run is left for the next.
        let _ = block_on(checkout_core::flow::sweep::sweep(&shop.world));
    }
    session_id
}

fn check_paid_once(shop: &Shop, session_id: &SessionId, case: &str) {
    assert_eq!((shop.state(session_id), shop.bank.approved()), ("paid", 1), "{case}");
    assert_eq!(shop.world.store.transactions().len(), 1, "{case}");
    let attempts = shop.world.store.attempts(session_id);
    let successes = attempts.iter().filter(|attempt| attempt.stage == Stage::Success).count();
    assert_eq!(successes, 1, "{case}");
    assert!(attempts.iter().all(|attempt| !attempt.stage.is_open()), "{case}");
    let events = shop.world.store.events(session_id);
    let numbers: Vec<_> = events.iter().map(|event| event.number).collect();
    assert_eq!(numbers, (1..).take(events.len()).collect::<Vec<i64>>(), "{case}");
    let deliveries = shop.world.store.deliveries(session_id);
    let about_success = |body: &str| body.contains(r#""result":"success""#);
    assert_eq!(deliveries.iter().filter(|row| about_success(&row.message.body)).count(), 1, "{case}");
    assert!(deliveries.iter().all(|row| row.state == DeliveryState::Delivered), "{case}");
    assert_eq!(shop.attention(), [], "{case}");
}

#[test]
fn a_store_that_fails_at_any_commit_loses_nothing_and_charges_nobody_twice() {
    for fault in [Fault::BeforeStoring, Fault::AfterStoring] {
        for nth in 1..=COMMITS {
            let shop = Shop::open(u64::from(nth));
            shop.world.store.fail_commit(nth, fault);
            let session_id = carry_through(&shop, |shop, reference| shop.bank.approve(reference));
            check_paid_once(&shop, &session_id, &format!("{fault:?} at commit {nth}"));
        }
    }
}

#[test]
fn a_store_that_fails_while_the_gateway_loses_answers_charges_nobody_twice() {
    for mood in [Mood::Mute, Mood::ChargesMute, Mood::Deaf, Mood::Broken] {
        for fault in [Fault::BeforeStoring, Fault::AfterStoring] {
            for nth in 1..=COMMITS {
                let shop = Shop::open(u64::from(nth));
                shop.world.store.fail_commit(nth, fault);
                shop.bank.on_opening(mood);
                let created =
                    (0..3).find_map(|_| shop.try_create(&order(&["knet"]), Some("key")).ok()).unwrap();
                let _ = shop.pay(&session_of(&created), "knet");
                shop.bank.on_opening(Mood::Fine);
                let session_id = carry_through(&shop, |shop, reference| shop.bank.approve(reference));
                check_paid_once(&shop, &session_id, &format!("{mood:?}, {fault:?} at commit {nth}"));
            }
        }
    }
}

#[test]
fn a_store_that_fails_while_the_payer_is_declined_permits_another_try() {
    for fault in [Fault::BeforeStoring, Fault::AfterStoring] {
        for nth in 1..=COMMITS {
            let shop = Shop::open(u64::from(nth));
            shop.world.store.fail_commit(nth, fault);
            let session_id = carry_through(&shop, |shop, reference| {
                if shop.bank.statuses().len() < 3 {
                    shop.bank.decline(reference);
                } else {
                    shop.bank.approve(reference);
                }
            });
            check_paid_once(&shop, &session_id, &format!("{fault:?} at commit {nth}"));
        }
    }
}

#[test]
fn of_two_payers_at_once_one_opens_an_attempt_and_the_other_is_answered_so() {
    for (first, second) in [("knet", "knet"), ("knet", "credit-card"), ("credit-card", "cash")] {
        let shop = Shop::open(1);
        let session_id = shop.create(&order(&["knet", "credit-card", "cash"]));
        let world = Interrupted::before_random(&shop.world, || {
            shop.pay(&session_id, second).unwrap();
        });
        let lost = block_on(pay(&world, &form(&session_id, first)));
        assert_eq!(lost, Err(Rejection::AttemptInProgress.into()), "{first} {second}");
        assert_eq!(shop.world.store.attempts(&session_id).len(), 1);
        assert!(shop.bank.openings().len() <= 1, "the gateway hears of one");
    }
}

#[test]
fn a_payer_whose_page_is_opened_meanwhile_pays() {
    let shop = Shop::open(1);
    let session_id = shop.create(&order(&["knet"]));
    let world = Interrupted::before_random(&shop.world, || {
        block_on(open_page(&shop.world, Some(&session_id), Visit::PERSON)).unwrap();
    });
    block_on(pay(&world, &form(&session_id, "knet"))).unwrap();
    assert_eq!((shop.results(&session_id), shop.bank.openings().len()), (vec!["pending"], 1));
}

#[test]
fn nothing_is_opened_on_what_the_merchant_changes_meanwhile() {
    for change in [
        json!({"pg_codes": ["cash"]}),
        json!({"amount": "11.000"}),
        json!({"customer_id": "another"}),
        json!({"order_no": "another"}),
    ] {
        let shop = Shop::open(1);
        let session_id = shop.create(&order(&["knet", "cash"]));
        let world = Interrupted::before_random(&shop.world, || {
            shop.patch(&session_id, &change).unwrap();
        });
        assert!(block_on(pay(&world, &form(&session_id, "knet"))).is_err(), "{change}");
        assert_eq!((shop.results(&session_id), shop.bank.openings().len()), (vec![], 0), "{change}");
    }
}

#[test]
fn the_sweep_that_runs_while_the_gateway_answers_does_not_disturb() {
    let shop = Shop::open(2);
    let session_id = shop.create(&order(&["knet"]));
    let world = Interrupted::after_send(&shop.world, || {
        // The gateway was slow, and the sweep has asked meanwhile.
        shop.wait(61);
        assert_eq!(shop.sweep().inquired, 1);
        assert_eq!(shop.latest(&session_id).stage, Stage::Redirected);
    });
    let directed = block_on(pay(&world, &form(&session_id, "knet"))).unwrap();
    assert_eq!(Some(directed.url), shop.latest(&session_id).page_url);
    assert_eq!((shop.bank.openings().len(), shop.results(&session_id)), (1, vec!["pending"]));
}

#[test]
fn a_return_and_a_callback_at_once_are_one_outcome() {
    let shop = Shop::open(3);
    let session_id = shop.create(&order(&["knet"]));
    let reference = shop.pay_to_page(&session_id, "knet");
    shop.bank.approve(reference.as_str());
    let world = Interrupted::after_send(&shop.world, || {
        assert!(shop.call_back(&reference).unwrap().is_some());
    });
    let delivery = block_on(checkout_core::flow::payer::come_back::come_back(
        &world,
        &reference,
        Some(&shop.token(&reference)),
        &checkout_core::gateway::exchange::Returned::default(),
    ))
    .unwrap();
    let stored = shop.world.store.deliveries(&session_id);
    let ids: Vec<_> = stored.iter().map(|row| Some(row.message.id.clone())).collect();
    assert_eq!(ids, [delivery.map(|awaited| awaited.id)]);
    assert_eq!((shop.state(&session_id), shop.results(&session_id)), ("paid", vec!["success"]));
}

#[test]
fn a_payer_who_switches_while_paying_is_charged_once() {
    let shop = Shop::open(4);
    let session_id = shop.create(&order(&["knet", "credit-card"]));
    let first = shop.pay_to_page(&session_id, "knet");
    // The payer pays in one tab while the other tab withdraws the charge: the bank handles the withdrawal
    // first.
    let world = Interrupted::after_send(&shop.world, || {
        assert_eq!(shop.bank.statuses().get(first.as_str()), Some(&"canceled"));
        shop.come_back(&first).unwrap();
    });
    block_on(pay(&world, &form(&session_id, "credit-card"))).unwrap();
    assert_eq!(shop.results(&session_id), ["canceled", "pending"]);
    assert_eq!(shop.world.store.deliveries(&session_id).len(), 1, "the withdrawal is reported once");
}

#[test]
fn a_page_that_nobody_was_given_is_withdrawn_once_its_bank_answers() {
    let shop = Shop::open(31);
    let session_id = shop.create(&order(&["knet", "credit-card"]));
    // The bank opens the page, and neither that answer nor the one to the withdrawal arrives.
    shop.bank.on_opening(Mood::Mute);
    shop.bank.on_asking(Mood::Deaf);
    let _ = shop.pay(&session_id, "knet").unwrap();
    let lost = shop.latest(&session_id).reference;
    shop.bank.on_opening(Mood::Fine);
    let _ = shop.pay_to_page(&session_id, "credit-card");
    assert_eq!(shop.world.store.attempts(&session_id)[0].stage, Stage::Canceled);
    assert_eq!(shop.bank.statuses()[lost.as_str()], "open", "its page can still be paid");
    shop.bank.on_asking(Mood::Fine);
    for _ in 0..3 {
        shop.wait(600);
        shop.sweep();
    }
    assert_eq!(shop.bank.statuses()[lost.as_str()], "canceled");
}
