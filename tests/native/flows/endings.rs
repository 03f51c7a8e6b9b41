//! Transactions that expire, and those that become unpayable.

use super::*;
use checkout_core::access::operator::ROOT;

// Expiry.

#[test]
fn a_transaction_expires_at_its_moment_seen_at_once_and_stored_by_the_sweep() {
    let shop = Shop::open(24);
    let mut body = order(&["knet"]);
    body["expiration_time"] = json!("00:00:05");
    let session_id = shop.create(&body);
    shop.wait(4);
    assert_eq!(shop.sweep().expired, 0);
    assert_eq!(text(&retrieved(&shop, &session_id), "state"), Some("created"));
    shop.wait(1);
    assert_eq!(text(&retrieved(&shop, &session_id), "state"), Some("expired"));
    assert_eq!(
        refused(shop.pay(&session_id, "knet")),
        Rejection::NotPayable { state: checkout_core::state::State::Expired }
    );
    assert_eq!(shop.state(&session_id), "created");
    assert_eq!((shop.sweep().expired, shop.state(&session_id)), (1, "expired"));
    assert_eq!(open(&shop, &session_id), PageStatus::Expired);
}

#[test]
fn opening_the_page_of_an_expired_transaction_ends_it() {
    let shop = Shop::open(25);
    let session_id = shop.create(&order(&["knet"]));
    shop.wait(86_400);
    assert_eq!((open(&shop, &session_id), shop.state(&session_id)), (PageStatus::Expired, "expired"));
}

#[test]
fn a_page_that_still_waits_at_the_end_is_withdrawn_and_then_the_transaction_expires() {
    let shop = Shop::open(26);
    let session_id = shop.create(&order(&["knet"]));
    let reference = shop.pay_to_page(&session_id, "knet");
    shop.wait(86_400);
    assert_eq!(text(&retrieved(&shop, &session_id), "state"), Some("pending"));
    let swept = shop.sweep();
    assert_eq!((swept.inquired, swept.expired), (1, 1));
    assert_eq!(shop.bank.statuses().get(reference.as_str()), Some(&"canceled"));
    assert_eq!((shop.state(&session_id), shop.results(&session_id)), ("expired", vec!["canceled"]));
}

#[test]
fn a_payer_who_paid_in_the_last_second_has_paid() {
    let shop = Shop::open(27);
    let session_id = shop.create(&order(&["knet"]));
    let reference = shop.pay_to_page(&session_id, "knet");
    shop.wait(86_400);
    shop.bank.approve(reference.as_str());
    shop.sweep();
    assert_eq!((shop.state(&session_id), shop.results(&session_id)), ("paid", vec!["success"]));
}

#[test]
fn an_unknown_outcome_holds_the_expiry_back_until_it_is_known() {
    let shop = Shop::open(28);
    let session_id = shop.create(&order(&["knet"]));
    shop.bank.on_opening(Mood::Mute);
    shop.bank.on_asking(Mood::Broken);
    shop.pay(&session_id, "knet").unwrap();
    shop.wait(86_400);
    shop.sweep();
    assert_eq!(shop.state(&session_id), "pending");
    shop.bank.on_asking(Mood::Fine);
    // The charge turns out to be open; its page is withdrawn, and only after that the transaction expires.
    for _ in 0..3 {
        shop.wait(600);
        shop.sweep();
    }
    assert_eq!((shop.state(&session_id), shop.bank.approved()), ("expired", 0));
}

#[test]
fn a_success_after_expiry_still_pays() {
    let shop = Shop::open(29);
    let session_id = shop.create(&order(&["knet"]));
    shop.bank.on_opening(Mood::Deaf);
    shop.pay(&session_id, "knet").unwrap();
    shop.wait(86_400);
    shop.sweep();
    assert_eq!((shop.state(&session_id), shop.results(&session_id)), ("expired", vec!["error"]));
    // The request was still being sent.
    let reference = shop.latest(&session_id).reference;
    shop.bank.on_opening(Mood::Fine);
    let request =
        shop.world.http.take_sent().into_iter().find(|sent| sent.url.ends_with("/v1/charges")).unwrap();
    shop.bank.answer(&request).unwrap();
    shop.bank.approve(reference.as_str());
    shop.call_back(&reference).unwrap();
    assert_eq!((shop.state(&session_id), shop.results(&session_id)), ("paid", vec!["success"]));
}

#[test]
fn a_transaction_that_no_gateway_offers_any_more_is_invalided_when_it_is_opened() {
    let shop = Shop::open(30);
    let session_id = shop.create(&order(&["knet"]));
    let mut settings: Value = serde_json::from_str(DEMO_SETTINGS).unwrap();
    settings["gateways"].as_array_mut().unwrap().retain(|gateway| gateway["code"] != "knet");
    let body = settings.to_string();
    block_on(checkout_core::flow::operator::merchant::replace_settings(
        &shop.world,
        &ROOT,
        &shop.merchant,
        "",
        body.as_bytes(),
    ))
    .unwrap();
    assert_eq!((open(&shop, &session_id), shop.state(&session_id)), (PageStatus::Invalid, "invalided"));
}

// Ends that no one asked for.

/// A shop that wants to be notified of `ends`, with a transaction whose time is over or whose gateway was
/// removed.
fn announcing(ends: &Value) -> Shop {
    Shop::open_with(70, |settings| {
        settings.as_object_mut().unwrap().insert("notify".into(), ends.clone());
    })
}

fn deliver_all(shop: &Shop) -> Vec<Value> {
    let _ = shop.receiver.take();
    for _ in 0..2 {
        shop.sweep();
    }
    shop.receiver.take_bodies()
}

#[test]
fn expiry_is_notified_if_the_merchant_wants_it_and_the_default_is_off() {
    for (ends, is_shown) in
        [(json!({}), false), (json!({"invalided": true}), false), (json!({"expired": true}), true)]
    {
        for noted_by in ["sweep", "page", "operation"] {
            let shop = announcing(&ends);
            let session_id = shop.create(&order(&["knet"]));
            if noted_by == "operation" {
                shop.wait(60);
                let _ = block_on(end(&shop.world, &session_id, Ending::Expired, None)).unwrap();
            } else {
                shop.wait(86_400 + 60);
            }
            if noted_by == "page" {
                let _ = block_on(open_page(&shop.world, Some(&session_id), Visit::PERSON)).unwrap();
            }
            let notified = deliver_all(&shop);
            let states: Vec<_> =
                notified.iter().map(|body| (text(body, "state"), text(body, "result"))).collect();
            let wanted = if is_shown { vec![(Some("expired"), Some("canceled"))] } else { vec![] };
            assert_eq!(states, wanted, "{ends} {noted_by}");
            assert_eq!(shop.state(&session_id), "expired");
            let at = if noted_by == "operation" { "2026-01-01T00:01:00Z" } else { "2026-01-02T00:00:00Z" };
            assert!(
                notified.iter().all(|body| text(body, "timestamp_utc") == Some(at)),
                "{noted_by}: {notified:?}"
            );
        }
    }
}

#[test]
fn what_became_unpayable_is_notified_if_the_merchant_wants_it() {
    for (ends, count) in [(json!({}), 0), (json!({"expired": true}), 0), (json!({"invalided": true}), 1)] {
        let shop = announcing(&ends);
        let session_id = shop.create(&order(&["knet"]));
        let mut settings: Value = serde_json::from_str(DEMO_SETTINGS).unwrap();
        settings.as_object_mut().unwrap().insert("notify".into(), ends.clone());
        settings["gateways"].as_array_mut().unwrap().remove(0);
        let body = settings.to_string();
        let replaced = block_on(replace_settings(&shop.world, &ROOT, &shop.merchant, "", body.as_bytes()));
        assert!(replaced.is_ok(), "{replaced:?}");
        let _ = block_on(open_page(&shop.world, Some(&session_id), Visit::PERSON)).unwrap();
        assert_eq!(shop.state(&session_id), "invalided");
        let notified = deliver_all(&shop);
        assert_eq!(notified.len(), count, "{ends}");
        assert!(notified.iter().all(|body| text(body, "state") == Some("invalided")));
    }
}
