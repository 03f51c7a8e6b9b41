//! How often the gateways are asked, by merchants and by the sweep.

use super::*;

// How often the gateways are asked.

#[test]
fn a_throttled_merchant_is_answered_what_is_stored_and_outcomes_are_chased_all_the_same() {
    let shop = throttled(14);
    let session_id = shop.create(&order(&["knet"]));
    let reference = shop.pay_to_page(&session_id, "knet");
    let mut asked = Vec::new();
    for minute in 0..100 {
        let _ = shop.world.http.take_sent();
        assert_eq!(stands(&about(&shop, &session_id)), ("pending", "pending"));
        if shop.world.http.count() > 0 {
            asked.push(minute);
        }
        shop.wait(60);
    }
    assert_eq!(asked, [10, 40, 70]);
    shop.bank.approve(reference.as_str());
    assert_eq!(stands(&about(&shop, &session_id)), ("pending", "pending"), "not before another day");
    let _ = shop.sweep();
    assert_eq!(stands(&about(&shop, &session_id)), ("success", "paid"), "the chase is not throttled");
}

#[test]
fn a_throttled_merchant_reaches_the_gateways_thirty_times_a_minute_about_all_transactions() {
    let shop = throttled(15);
    let sessions: Vec<SessionId> = (0..32).map(|_| shop.create(&order(&["knet"]))).collect();
    for session_id in &sessions {
        let _ = shop.pay_to_page(session_id, "knet");
    }
    shop.wait(600);
    let _ = shop.world.http.take_sent();
    for session_id in &sessions {
        assert_eq!(stands(&about(&shop, session_id)), ("pending", "pending"));
    }
    assert_eq!(shop.world.http.count(), 30);
    shop.wait(61);
    let _ = shop.world.http.take_sent();
    for session_id in &sessions {
        let _ = about(&shop, session_id);
    }
    assert_eq!(shop.world.http.count(), 2, "those that were not asked about before");
}

// What the sweep asks by itself.

#[test]
fn the_sweep_finds_a_success_after_an_attempt_failed_and_asks_three_times_at_most() {
    let shop = Shop::open(15);
    let session_id = shop.create(&order(&["knet"]));
    let reference = shop.pay_to_page(&session_id, "knet");
    shop.bank.decline(reference.as_str());
    let _ = shop.come_back(&reference).unwrap();
    let _ = shop.world.http.take_sent();
    let mut asked = Vec::new();
    for minute in 1..60 {
        shop.wait(60);
        let swept = shop.sweep();
        if swept.inquired > 0 {
            asked.push(minute);
        }
    }
    assert_eq!(asked, [8, 16, 24], "every eight minutes, as the profile says");
    let events = shop.world.store.events(&session_id).len();

    let session_id = shop.create(&order(&["knet"]));
    let reference = shop.pay_to_page(&session_id, "knet");
    shop.bank.decline(reference.as_str());
    let _ = shop.come_back(&reference).unwrap();
    shop.bank.approve_after_all(reference.as_str());
    shop.wait(8 * 60);
    assert_eq!(shop.sweep().inquired, 1);
    assert_eq!((shop.state(&session_id), events), ("paid", events));
}

#[test]
fn an_unknown_outcome_is_asked_about_by_the_schedule_and_then_is_on_the_attention_list() {
    let shop = Shop::open(16);
    let session_id = shop.create(&order(&["knet"]));
    shop.bank.on_opening(Mood::Mute);
    shop.bank.on_asking(Mood::Deaf);
    let _ = shop.pay(&session_id, "knet").unwrap();
    let mut asked = Vec::new();
    for minute in 0..73 * 60 {
        if shop.sweep().inquired > 0 {
            asked.push(minute);
        }
        shop.wait(60);
    }
    assert_eq!(asked[..10], [0, 1, 2, 3, 4, 5, 10, 20, 30, 40]);
    assert!(asked[7..].windows(2).all(|pair| pair[1] - pair[0] == 10));
    assert_eq!(*asked.last().unwrap(), 72 * 60);
    let flagged: Vec<_> = shop.attention().iter().map(|id| id.reason.as_str()).collect();
    assert_eq!((flagged, shop.results(&session_id)), (vec!["outcome_unknown"], vec!["pending"]));
}

#[test]
fn a_silent_gateway_does_not_prevent_asking_the_others() {
    let shop = Shop::open(17);
    let silent: Vec<_> = (0..45).map(|_| shop.create(&order(&["knet"]))).collect();
    for session_id in &silent {
        let _ = shop.pay_to_page(session_id, "knet");
    }
    shop.wait(1);
    let session_id = shop.create(&order(&["credit-card"]));
    let reference = shop.pay_to_page(&session_id, "credit-card");
    shop.bank.approve(reference.as_str());
    shop.wait(12 * 60);
    let silent: Vec<String> = silent.iter().map(|id| shop.latest(id).reference.to_string()).collect();
    let world = Slow::new(&shop.world, |request| {
        let is_silent = silent.iter().any(|reference| request.url.ends_with(reference));
        Duration::from_secs(if is_silent { 15 } else { 0 })
    });
    let mut runs = 0;
    while shop.state(&session_id) == "pending" {
        let swept = world.run(sweep(&world));
        assert_eq!(swept.failures, []);
        runs += 1;
        assert!(runs <= 3, "the one that answers waits behind those that do not");
        shop.wait(60);
    }
    assert_eq!(shop.state(&session_id), "paid");
}
