//! Gateways that fail, and gateways that report by themselves.

use super::*;

// Gateways in trouble.

#[test]
fn a_gateway_that_cannot_be_reached_charged_nothing() {
    for (mood, message) in
        [(Mood::Down, "the gateway did not take the payment"), (Mood::Refuses, "the account is closed")]
    {
        let shop = Shop::open(15);
        let session_id = shop.create(&order(&["knet"]));
        shop.bank.on_opening(mood);
        shop.pay(&session_id, "knet").unwrap();
        assert_eq!((shop.state(&session_id), shop.results(&session_id)), ("attempted", vec!["error"]));
        assert_eq!(shop.latest(&session_id).message.as_deref(), Some(message));
        shop.bank.on_opening(Mood::Fine);
        let reference = shop.pay_to_page(&session_id, "knet");
        approve(&shop, &reference);
        assert_eq!((shop.state(&session_id), shop.bank.approved()), ("paid", 1));
    }
}

#[test]
fn a_charge_whose_answer_was_lost_is_found_by_the_sweep() {
    let shop = Shop::open(16);
    let session_id = shop.create(&order(&["knet"]));
    shop.bank.on_opening(Mood::ChargesMute);
    shop.pay(&session_id, "knet").unwrap();
    assert_eq!((shop.state(&session_id), shop.results(&session_id)), ("pending", vec!["pending"]));
    let swept = shop.sweep();
    assert_eq!((swept.inquired, shop.state(&session_id), shop.bank.approved()), (1, "paid", 1));
    let notified: Vec<_> =
        shop.receiver.take_bodies().iter().map(|body| text(body, "result").unwrap().to_owned()).collect();
    assert!(notified.contains(&"success".to_owned()) || shop.sweep().delivered > 0, "{notified:?}");
}

#[test]
fn a_request_that_never_arrived_is_an_error_after_the_grace_and_not_before() {
    for mood in [Mood::Deaf, Mood::Broken] {
        let shop = Shop::open(17);
        let session_id = shop.create(&order(&["knet"]));
        shop.bank.on_opening(mood);
        shop.pay(&session_id, "knet").unwrap();
        shop.sweep();
        assert_eq!(shop.state(&session_id), "pending");
        shop.wait(60);
        shop.sweep();
        assert_eq!((shop.state(&session_id), shop.results(&session_id)), ("attempted", vec!["error"]));
    }
}

#[test]
fn a_gateway_that_never_answers_is_asked_for_three_days_and_then_the_attempt_is_on_the_attention_list() {
    let shop = Shop::open(18);
    let session_id = shop.create(&order(&["knet"]));
    shop.bank.on_opening(Mood::ChargesMute);
    shop.bank.on_asking(Mood::Deaf);
    shop.pay(&session_id, "knet").unwrap();
    let mut inquiries = 0_usize;
    for _minute in 0..=72 * 60 + 11 {
        inquiries = inquiries.checked_add(shop.sweep().inquired).unwrap();
        shop.wait(60);
    }
    assert!((430..450).contains(&inquiries), "{inquiries}");
    assert_eq!(shop.state(&session_id), "pending", "never failed, never expired");
    let reference = shop.latest(&session_id).reference;
    assert_eq!(
        shop.attention().iter().map(ToString::to_string).collect::<Vec<_>>(),
        [format!("{reference}.outcome_unknown")]
    );
    shop.bank.on_asking(Mood::Fine);
    shop.call_back(&reference).unwrap();
    assert_eq!(shop.state(&session_id), "paid");
}

#[test]
fn a_payer_who_never_comes_back_is_found_out_by_the_sweep() {
    let shop = Shop::open(19);
    let session_id = shop.create(&order(&["knet"]));
    let reference = shop.pay_to_page(&session_id, "knet");
    shop.bank.approve(reference.as_str());
    shop.wait(8 * 60 - 1);
    assert_eq!(shop.sweep().inquired, 0);
    shop.wait(1);
    assert_eq!((shop.sweep().inquired, shop.state(&session_id)), (1, "paid"));
}

#[test]
fn another_amount_is_held_until_the_operator_decides() {
    let shop = Shop::open(20);
    let session_id = shop.create(&order(&["knet"]));
    let reference = shop.pay_to_page(&session_id, "knet");
    shop.bank.approve_another_amount(reference.as_str(), "1.000");
    shop.come_back(&reference).unwrap();
    assert_eq!((shop.state(&session_id), shop.results(&session_id)), ("pending", vec!["pending"]));
    assert_eq!(
        shop.attention().iter().map(ToString::to_string).collect::<Vec<_>>(),
        [format!("{reference}.amount_mismatch")]
    );
    shop.wait(86_400);
    shop.sweep();
    assert_eq!(shop.state(&session_id), "pending", "nothing ends under a held attempt");
}

// Callbacks.

#[test]
fn a_callback_settles_without_the_payer_and_a_duplicate_teaches_nothing() {
    let shop = Shop::open(21);
    let session_id = shop.create(&order(&["knet"]));
    let reference = shop.pay_to_page(&session_id, "knet");
    shop.bank.approve(reference.as_str());
    let delivery = shop.call_back(&reference).unwrap();
    assert!(delivery.is_some());
    let version = shop.transaction(&session_id).version;
    for _ in 0..3 {
        assert_eq!(shop.call_back(&reference).unwrap(), None);
    }
    assert_eq!(shop.transaction(&session_id).version, version);
    // The payer comes back after it and finds the same notification waiting.
    assert_eq!(shop.come_back(&reference).unwrap(), delivery);
    assert_eq!(shop.world.store.deliveries(&session_id).len(), 1);
}

#[test]
fn a_callback_that_is_not_signed_by_the_gateway_is_refused() {
    let shop = Shop::open(22);
    let session_id = shop.create(&order(&["knet"]));
    let reference = shop.pay_to_page(&session_id, "knet");
    shop.bank.approve(reference.as_str());
    let mut forged = shop.bank.callback(reference.as_str());
    forged.body.push(b' ');
    assert_eq!(
        refused(block_on(call_back(&shop.world, ReportAddress::Subject(reference.clone()), &forged))),
        Rejection::SignatureInvalid
    );
    forged.headers.clear();
    assert_eq!(
        refused(block_on(call_back(&shop.world, ReportAddress::Subject(reference.clone()), &forged))),
        Rejection::SignatureInvalid
    );
    let nobody = ReferenceNumber::parse("NOBODY").unwrap();
    assert_eq!(
        refused(block_on(call_back(&shop.world, ReportAddress::Subject(nobody.clone()), &forged))),
        Rejection::NotFound
    );
    assert_eq!(shop.state(&session_id), "pending");
}

#[test]
fn a_callback_that_overtakes_the_answer_to_the_opening_is_not_lost() {
    let shop = Shop::open(23);
    let session_id = shop.create(&order(&["knet"]));
    let world = Interrupted::after_send(&shop.world, || {
        let reference = shop.latest(&session_id).reference;
        shop.bank.approve(reference.as_str());
        assert!(shop.call_back(&reference).unwrap().is_some());
    });
    let directed =
        block_on(checkout_core::flow::payer::pay::pay(&world, &form(&session_id, "knet"))).unwrap();
    assert!(directed.url.contains("/b/gw/v1/return/"), "{}", directed.url);
    assert_eq!((shop.state(&session_id), shop.results(&session_id)), ("paid", vec!["success"]));
    assert_eq!(shop.world.store.deliveries(&session_id).len(), 1, "one outcome, one notification");
}
