//! How many declines are let through: of one transaction, of one address, and how long a payer waits after them.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::time::Duration;

use checkout_core::flow::payer;
use checkout_core::payment::card_testing::{DeclineLimit, of_session};
use checkout_core::port::{Clock, Payers};
use checkout_core::settings::limits::DeclineLimits;
use checkout_core::settings::parse::stored;
use checkout_core::state::State;
use checkout_core::value::network::Network;
use checkout_core::violation::{Rule, Violation};
use checkout_tests::middle::Interrupted;
use checkout_tests::shop::form;
use serde_json::{Value, json};

use super::*;

/// A shop with thresholds of its own.
fn shop_with(seed: u64, limits: &Value) -> Shop {
    let shop = Shop::open_with(seed, |settings| {
        settings.as_object_mut().map(|settings| settings.insert("limits".into(), limits.clone()));
    });
    from(&shop, "192.0.2.7");
    shop
}

/// From now on, requests come from this address.
fn from(shop: &Shop, address: &str) {
    shop.world.network.set(Network::of(address));
}

/// A payment that the bank declines.
fn decline(shop: &Shop, session_id: &SessionId) {
    let reference = shop.pay_to_page(session_id, "knet");
    shop.bank.decline(reference.as_str());
    shop.come_back(&reference).unwrap();
    assert_eq!(shop.results(session_id).last(), Some(&"failed"));
}

/// A payment that succeeds.
fn pay(shop: &Shop) {
    let session_id = shop.create(&order(&["knet"]));
    let reference = shop.pay_to_page(&session_id, "knet");
    shop.bank.approve(reference.as_str());
    shop.come_back(&reference).unwrap();
    assert_eq!(shop.state(&session_id), "paid");
}

/// Another transaction that is declined once.
fn declined(shop: &Shop) -> SessionId {
    let session_id = shop.create(&order(&["knet"]));
    decline(shop, &session_id);
    session_id
}

fn wait(shop: &Shop, session_id: &SessionId) -> Rejection {
    refused(shop.pay(session_id, "knet"))
}

#[test]
fn a_transaction_that_was_declined_as_often_as_the_merchant_says_waits_until_the_first_no_longer_counts() {
    let shop = shop_with(1, &json!({"session_declines": 3, "seconds": 600}));
    let session_id = shop.create(&order(&["knet"]));
    for _ in 0..3 {
        decline(&shop, &session_id);
        shop.wait(60);
    }
    let requests = shop.world.http.count();
    assert_eq!(wait(&shop, &session_id), Rejection::TooManyDeclines { retry_after: 420 });
    assert_eq!(*shop.world.limited.borrow(), [("session_declines", 420)]);
    assert_eq!(shop.world.http.count(), requests, "no gateway was asked");
    let other = shop.create(&order(&["knet"]));
    decline(&shop, &other);
    shop.wait(419);
    assert_eq!(wait(&shop, &session_id), Rejection::TooManyDeclines { retry_after: 1 });
    shop.wait(1);
    decline(&shop, &session_id);
    assert_eq!(wait(&shop, &session_id), Rejection::TooManyDeclines { retry_after: 60 });
}

#[test]
fn a_transaction_waits_also_when_the_merchants_server_tries_it() {
    let shop = shop_with(2, &json!({"session_declines": 1}));
    shop.world.network.set(None);
    let session_id = shop.create(&order(&["knet", "credit-card"]));
    decline(&shop, &session_id);
    let refusal = Rejection::TooManyDeclines { retry_after: 3_600 };
    assert_eq!(wait(&shop, &session_id), refusal);
    assert_eq!(refusal_of(pay_by_google(&shop, &session_id)), refusal.during("payment"));
}

#[test]
fn a_try_that_was_let_through_just_before_the_last_decline_does_not_slip_past_it() {
    let shop = shop_with(12, &json!({"session_declines": 1}));
    let session_id = shop.create(&order(&["knet"]));
    // Between the question whether it may be tried and the attempt, someone else tries and is declined.
    let world = Interrupted::before_random(&shop.world, || decline(&shop, &session_id));
    let late = block_on(payer::pay::pay(&world, &form(&session_id, "knet")));
    assert_eq!(refused(late), Rejection::AttemptInProgress);
    assert_eq!(shop.results(&session_id), ["failed"]);
    assert!(matches!(wait(&shop, &session_id), Rejection::TooManyDeclines { .. }));
}

#[test]
fn a_decline_that_no_longer_counts_when_a_page_is_withdrawn_stops_no_other_payment() {
    for pays_by_wallet in [true, false] {
        let shop = shop_with(13, &json!({"session_declines": 2, "seconds": 600}));
        let session_id = shop.create(&order(&["knet", "credit-card"]));
        decline(&shop, &session_id);
        shop.wait(300);
        let waiting = shop.pay_to_page(&session_id, "knet");
        shop.bank.decline(waiting.as_str());
        shop.wait(298);
        // The bank says that it declined the second one when the first one is over.
        shop.be_slow(Duration::from_secs(5));
        let paid = if pays_by_wallet {
            pay_by_google(&shop, &session_id)
        } else {
            shop.pay(&session_id, "credit-card").map(|_| ())
        };
        assert_eq!(paid, Ok(()), "by wallet: {pays_by_wallet}");
        assert_eq!(shop.results(&session_id).get(..2), Some(&["failed", "failed"][..]));
    }
}

#[test]
fn a_payment_whose_time_ends_while_a_page_is_withdrawn_does_not_begin() {
    for pays_by_wallet in [true, false] {
        let shop = Shop::open(14);
        let session_id = shop.create(&order(&["knet", "credit-card"]));
        shop.wait(86_390);
        let _waiting = shop.pay_to_page(&session_id, "knet");
        shop.wait(8);
        shop.be_slow(Duration::from_secs(5));
        let paid = if pays_by_wallet {
            pay_by_google(&shop, &session_id)
        } else {
            shop.pay(&session_id, "credit-card").map(|_| ())
        };
        let refusal = Rejection::NotPayable { state: State::Expired };
        let refusal = if pays_by_wallet { refusal.during("payment") } else { refusal.into() };
        assert_eq!(
            paid.map_err(|failure| refusal_of(Err::<(), _>(failure))),
            Err(refusal),
            "{pays_by_wallet}"
        );
        assert_eq!(shop.world.store.attempts(&session_id).len(), 1);
    }
}

#[test]
fn different_cards_are_counted_once_each() {
    let shop = shop_with(3, &json!({"session_declines": 0, "session_cards": 2}));
    let session_id = declined(&shop);
    let attempt = shop.latest(&session_id);
    let with = |card: &str| {
        let mut attempt = attempt.clone();
        attempt.params.insert("card_number".into(), card.into());
        attempt
    };
    let limits = shop.settings().limits;
    let now = attempt.opened_at;
    let same = [with("411111******1111"), with("411111******1111"), with("411111******1111")];
    assert_eq!(of_session(&same, &limits, now), None);
    let reached = of_session(&[with("411111******1111"), with("555555******4444")], &limits, now);
    assert_eq!(reached.map(|reached| reached.limit), Some(DeclineLimit::SessionCards));
}

#[test]
fn an_address_waits_after_many_declines_of_different_transactions_and_another_one_pays_meanwhile() {
    let shop = shop_with(4, &json!({"address_declines": 4, "address_sessions": 0, "seconds": 900}));
    for _ in 0..4 {
        declined(&shop);
    }
    let session_id = shop.create(&order(&["knet"]));
    assert_eq!(wait(&shop, &session_id), Rejection::TooManyDeclines { retry_after: 900 });
    assert_eq!(*shop.world.limited.borrow(), [("address_declines", 900)]);
    from(&shop, "192.0.2.8");
    pay(&shop);
    from(&shop, "192.0.2.7");
    shop.wait(900);
    decline(&shop, &session_id);
}

#[test]
fn an_ipv6_address_waits_together_with_its_neighbours() {
    let shop = shop_with(5, &json!({"address_declines": 2, "address_sessions": 0}));
    for address in ["2001:db8:1:2::1", "2001:db8:1:2:ffff::2"] {
        from(&shop, address);
        declined(&shop);
    }
    let session_id = shop.create(&order(&["knet"]));
    from(&shop, "2001:db8:1:2:1234::3");
    assert!(matches!(wait(&shop, &session_id), Rejection::TooManyDeclines { .. }));
    from(&shop, "2001:db8:1:3::1");
    decline(&shop, &session_id);
}

#[test]
fn who_opens_many_pages_first_is_declined_no_more_often() {
    let shop = shop_with(14, &json!({"address_declines": 10, "address_sessions": 0}));
    let mut opened = Vec::new();
    for _ in 0..40 {
        let session_id = shop.create(&order(&["knet"]));
        match shop.pay(&session_id, "knet") {
            Ok(_) => opened.push(shop.latest(&session_id).reference),
            Err(failure) => {
                assert!(matches!(refused(Err::<(), _>(failure)), Rejection::TooManyDeclines { .. }));
            }
        }
    }
    for reference in &opened {
        shop.bank.decline(reference.as_str());
        shop.come_back(reference).unwrap();
    }
    assert_eq!(opened.len(), 10);
    // Who changes the method of a page that waits replaces it.
    let shop = shop_with(15, &json!({"address_declines": 1, "address_sessions": 1}));
    let session_id = shop.create(&order(&["knet", "credit-card"]));
    let first = shop.pay_to_page(&session_id, "knet");
    assert_ne!(shop.pay_to_page(&session_id, "credit-card"), first);
}

#[test]
fn an_address_whose_payers_pay_is_never_limited() {
    let shop = shop_with(6, &json!({"address_declines": 4, "address_sessions": 4}));
    for _ in 0..20 {
        pay(&shop);
        declined(&shop);
    }
    pay(&shop);
}

#[test]
fn transactions_that_were_declined_from_one_address_are_counted_once_each() {
    let shop = shop_with(7, &json!({"session_declines": 0, "address_declines": 0, "address_sessions": 3}));
    let first = declined(&shop);
    for _ in 0..5 {
        decline(&shop, &first);
        shop.wait(1);
    }
    declined(&shop);
    declined(&shop);
    // The first transaction counts until its last decline, a second ago, no longer does.
    assert_eq!(wait(&shop, &first), Rejection::TooManyDeclines { retry_after: 3_599 });
    assert_eq!(*shop.world.limited.borrow(), [("address_sessions", 3_599)]);
}

#[test]
fn another_merchants_declines_do_not_count() {
    let shop = shop_with(8, &json!({"address_declines": 1}));
    declined(&shop);
    let shop = shop.handed_to("other");
    let session_id = shop.create(&order(&["knet"]));
    decline(&shop, &session_id);
}

#[test]
fn what_waits_is_still_resumed_asked_about_and_shown() {
    let shop = shop_with(9, &json!({"address_declines": 3, "session_declines": 1}));
    let waiting = shop.create(&order(&["knet"]));
    let reference = shop.pay_to_page(&waiting, "knet");
    for _ in 0..2 {
        declined(&shop);
    }
    let _resumed = shop.pay_to_page(&waiting, "knet");
    shop.bank.approve(reference.as_str());
    shop.call_back(&reference).unwrap();
    assert_eq!(shop.state(&waiting), "paid");
}

/// Opens the page of each of the payments while the one before is between its check and its batch.
fn open_within(shop: &Shop, sessions: &[SessionId], answers: &mut Vec<Result<(), Rejection>>) {
    let Some((session_id, others)) = sessions.split_first() else { return };
    let mut inner = Vec::new();
    let world = Interrupted::before_random(&shop.world, || open_within(shop, others, &mut inner));
    let paid = block_on(payer::pay::pay(&world, &form(session_id, "knet")));
    drop(world);
    answers.push(paid.map(|_| ()).map_err(|failure| refused(Err::<(), _>(failure))));
    answers.extend(inner);
}

#[test]
fn payments_that_are_begun_at_the_same_moment_pass_no_limit_of_an_address() {
    // Forty payments within each other need a large stack.
    let all = std::thread::Builder::new().stack_size(512 << 20).spawn(|| {
        for limits in
            [json!({"address_declines": 10}), json!({"address_declines": 0, "address_sessions": 10})]
        {
            let shop = shop_with(12, &limits);
            let sessions: Vec<SessionId> = (0..40).map(|_| shop.create(&order(&["knet"]))).collect();
            let requests = shop.world.http.count();
            let mut answers = Vec::new();
            open_within(&shop, &sessions, &mut answers);
            let opened = answers.iter().filter(|answer| answer.is_ok()).count();
            assert_eq!((answers.len(), opened), (40, 10), "{limits}");
            assert_eq!(shop.world.http.count() - requests, 10, "no other gateway was asked");
            let refusal = Err(Rejection::TooManyDeclines { retry_after: 3_600 });
            assert_eq!(answers.iter().filter(|answer| **answer == refusal).count(), 30, "{answers:?}");
            from(&shop, "198.51.100.9");
            pay(&shop);
        }
    });
    all.unwrap().join().unwrap();
}

#[test]
fn visits_and_payments_that_were_given_up_do_not_count() {
    let shop = shop_with(10, &json!({"session_declines": 1, "address_declines": 1}));
    for _ in 0..5 {
        let session_id = shop.create(&order(&["knet"]));
        let reference = shop.pay_to_page(&session_id, "knet");
        shop.bank.give_up(reference.as_str());
        shop.come_back(&reference).unwrap();
    }
    pay(&shop);
}

#[test]
fn the_sweep_deletes_who_tried_what_no_longer_counts() {
    let shop = shop_with(11, &json!({"address_declines": 1, "seconds": 86_400}));
    declined(&shop);
    let settings = shop.settings();
    let payer = || {
        let network = Network::of("192.0.2.7").unwrap().to_string();
        let name = checkout_core::value::digest::digest(&["payer", settings.merchant.as_str(), &network]);
        let since = shop.world.clock.now().minus(core::time::Duration::from_hours(48));
        block_on(shop.world.store.tried_by(&settings.merchant, &name, since, 9)).unwrap().len()
    };
    shop.wait(86_400);
    let _ = shop.sweep();
    assert_eq!(payer(), 1);
    shop.wait(1);
    let _ = shop.sweep();
    assert_eq!(payer(), 0);
}

fn read(limits: &Value) -> Result<DeclineLimits, Vec<Violation>> {
    let mut document: Value = serde_json::from_str(checkout_tests::shop::DEMO_SETTINGS).unwrap();
    document.as_object_mut().unwrap().insert("limits".into(), limits.clone());
    let shop = Shop::open(1);
    let settings = shop.settings();
    stored(&settings.merchant, 1, &document.to_string(), settings.webhook.clone()).map(|read| read.limits)
}

#[test]
fn the_limits_of_a_document_are_read_and_what_is_left_out_is_usual() {
    assert_eq!(Shop::open(1).settings().limits, DeclineLimits::USUAL);
    assert_eq!(read(&json!({})).unwrap(), DeclineLimits::USUAL);
    let given = json!({
        "session_declines": 1, "session_cards": 2, "address_declines": 0, "address_sessions": 100, "seconds": 60,
    });
    let wanted = DeclineLimits {
        session_declines: 1,
        session_cards: 2,
        address_declines: 0,
        address_sessions: 100,
        window: core::time::Duration::from_mins(1),
    };
    assert_eq!(read(&given).unwrap(), wanted);
}

#[test]
fn every_limit_that_is_wrong_is_named() {
    let given = json!({
        "session_declines": -1, "session_cards": "2", "address_declines": 101, "address_sessions": 1.5, "seconds": 59,
        "declines": 3,
    });
    let count = Rule::NotInteger { min: 0, max: 100 };
    let wanted = vec![
        Violation::new("limits.declines", Rule::NotKnown),
        Violation::new("limits.session_declines", count.clone()),
        Violation::new("limits.session_cards", count.clone()),
        Violation::new("limits.address_declines", count.clone()),
        Violation::new("limits.address_sessions", count),
        Violation::new("limits.seconds", Rule::NotInteger { min: 60, max: 86_400 }),
    ];
    assert_eq!(read(&given).unwrap_err(), wanted);
    assert_eq!(read(&json!([])).unwrap_err(), [Violation::new("limits", Rule::NotObject)]);
    assert!(read(&json!({"seconds": 86_401})).is_err());
}

#[test]
fn a_decline_that_is_learned_when_a_page_is_given_up_counts() {
    let shop = shop_with(30, &json!({"session_declines": 1}));
    let session_id = shop.create(&order(&["knet", "credit-card"]));
    let reference = shop.pay_to_page(&session_id, "knet");
    shop.bank.decline(reference.as_str());
    // The payer comes back without the bank's page, and chooses another gateway.
    let refusal = refused(shop.pay(&session_id, "credit-card"));
    assert!(matches!(refusal, Rejection::TooManyDeclines { .. }), "{refusal:?}");
    assert_eq!(shop.results(&session_id), ["failed"]);
}
