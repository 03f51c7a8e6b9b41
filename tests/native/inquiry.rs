//! A merchant asks for the state of a payment.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod schedule;

use std::time::Duration;

use checkout_core::attempt::stage::Stage;
use checkout_core::flow::Failure;
use checkout_core::flow::ending::end;
use checkout_core::flow::merchant::inquiry::{InquiryAnswer, inquire};
use checkout_core::flow::payer::open_page::{Visit, open_page};
use checkout_core::flow::sweep::sweep;
use checkout_core::payment::ending::Ending;
use checkout_core::rejection::Rejection;
use checkout_core::route::Route;
use checkout_core::state::State;
use checkout_core::value::id::SessionId;
use checkout_core::violation::Violation;
use checkout_tests::bank::Mood;
use checkout_tests::middle::Interrupted;
use checkout_tests::shop::{Shop, WEBHOOK_URL, order, refusal_of, refused, text};
use checkout_tests::slow::Slow;
use pollster::block_on;
use serde_json::{Value, json};

const OTHER: &str = "https://books.example.com/payments";

fn ask(shop: &Shop, body: &Value) -> Result<InquiryAnswer, Failure> {
    block_on(inquire(&shop.world, &shop.private(), body.to_string().as_bytes()))
}

fn about(shop: &Shop, session_id: &SessionId) -> Value {
    body_of(&ask(shop, &json!({"session_id": session_id.as_str()})).unwrap())
}

fn body_of(answer: &InquiryAnswer) -> Value {
    serde_json::from_str(&answer.body).unwrap()
}

fn stands(body: &Value) -> (&str, &str) {
    (text(body, "result").unwrap(), text(body, "state").unwrap())
}

fn violations(shop: &Shop, body: &Value) -> Vec<String> {
    let Rejection::Invalid(found) = refused(ask(shop, body)) else { return Vec::new() };
    let line = |violation: &Violation| format!("{}: {}", violation.path, violation.rule);
    found.iter().map(line).collect()
}

/// Delivers what an answer caused; where it went, and what it said.
fn delivered(shop: &Shop, answer: &InquiryAnswer) -> Vec<(String, Value)> {
    let _ = shop.receiver.take();
    for id in &answer.deliveries {
        let _ = shop.deliver(id);
    }
    let sent = shop.receiver.take().into_iter();
    sent.map(|request| (request.url, serde_json::from_slice(&request.body).unwrap())).collect()
}

fn throttled(seed: u64) -> Shop {
    Shop::open_with(seed, |settings| {
        settings.as_object_mut().unwrap().insert("inquiry".into(), json!({"throttle": true}));
    })
}

// What is answered.

#[test]
fn a_success_that_was_never_reported_is_found_and_notified() {
    let shop = Shop::open(1);
    let session_id = shop.create(&order(&["knet"]));
    let reference = shop.pay_to_page(&session_id, "knet");
    assert_eq!(stands(&about(&shop, &session_id)), ("pending", "pending"));
    shop.bank.approve(reference.as_str());

    let answer = ask(&shop, &json!({"session_id": session_id.as_str()})).unwrap();
    let body = body_of(&answer);
    assert_eq!(stands(&body), ("success", "paid"));
    assert_eq!(text(&body, "reference_number"), Some(reference.as_str()));
    assert_eq!(text(&body, "settled_amount"), Some("10.000"));
    let sent = delivered(&shop, &answer);
    assert_eq!(sent.len(), 1, "an outcome is always reported");
    assert_eq!((sent[0].0.as_str(), stands(&sent[0].1)), (WEBHOOK_URL, ("success", "paid")));
    assert_eq!(text(&sent[0].1, "signature"), text(&body, "signature"));
}

#[test]
fn an_order_number_names_the_newest_of_its_transactions() {
    let shop = Shop::open(2);
    let older = shop.create(&order(&["knet"]));
    shop.wait(1);
    let newer = shop.create(&order(&["knet"]));
    for session_id in [&older, &newer] {
        let _ = shop.pay_to_page(session_id, "knet");
    }
    let by_order = body_of(&ask(&shop, &json!({"order_no": "A-1"})).unwrap());
    assert_eq!(text(&by_order, "session_id"), Some(newer.as_str()));
    let both = json!({"order_no": "A-1", "session_id": older.as_str()});
    assert_eq!(text(&body_of(&ask(&shop, &both).unwrap()), "session_id"), Some(older.as_str()));
}

#[test]
fn every_attempt_that_could_have_charged_is_asked_about() {
    let shop = Shop::open(3);
    let session_id = shop.create(&order(&["knet", "credit-card"]));
    let first = shop.pay_to_page(&session_id, "knet");
    shop.bank.decline(first.as_str());
    let _ = shop.come_back(&first).unwrap();
    let second = shop.pay_to_page(&session_id, "credit-card");
    shop.bank.decline(second.as_str());
    let _ = shop.come_back(&second).unwrap();
    assert_eq!(shop.state(&session_id), "attempted");

    shop.bank.approve_after_all(first.as_str());
    let body = about(&shop, &session_id);
    assert_eq!(stands(&body), ("success", "paid"));
    assert_eq!(text(&body, "reference_number"), Some(first.as_str()), "the attempt that brought the money");
    assert_eq!(shop.results(&session_id), ["success", "failed"]);
}

#[test]
fn what_succeeded_is_answered_without_a_question() {
    for (code, stands_as) in [("knet", ("success", "paid")), ("mpgs", ("success", "authorized"))] {
        let shop = Shop::open(4);
        let session_id = shop.create(&order(&[code]));
        let reference = shop.pay_to_page(&session_id, code);
        shop.bank.approve(reference.as_str());
        let _ = shop.come_back(&reference).unwrap();
        let _ = shop.world.http.take_sent();
        assert_eq!(stands(&about(&shop, &session_id)), stands_as);
        assert_eq!(shop.world.http.count(), 0);
    }
    let shop = Shop::open(4);
    let session_id = shop.create(&order(&["cash"]));
    let _ = shop.pay(&session_id, "cash").unwrap();
    assert_eq!(stands(&about(&shop, &session_id)), ("cod", "cod"));
}

#[test]
fn a_payment_that_was_never_tried_has_nothing_to_be_asked_about() {
    let shop = Shop::open(5);
    let session_id = shop.create(&order(&["knet"]));
    let body = json!({"session_id": session_id.as_str()});
    assert_eq!(
        refusal_of(ask(&shop, &body)),
        Rejection::NotInquirable { state: State::Created }.during("inquiry")
    );
    let _ = block_on(open_page(&shop.world, Some(&session_id), Visit::PERSON));
    let (first, second) = (about(&shop, &session_id), about(&shop, &session_id));
    assert_eq!(stands(&first), ("pending", "pending"), "the payer sees the page: that is no failure");
    assert_eq!(text(&first, "reference_number"), text(&second, "reference_number"));
    shop.wait(25 * 3_600);
    assert_eq!(
        refusal_of(ask(&shop, &body)),
        Rejection::NotInquirable { state: State::Expired }.during("inquiry")
    );
}

#[test]
fn a_silent_gateway_leaves_what_is_stored_and_the_plan_of_the_inquiries() {
    for mood in [Mood::Deaf, Mood::Down, Mood::Broken] {
        let shop = Shop::open(6);
        let session_id = shop.create(&order(&["knet"]));
        shop.bank.on_opening(Mood::Deaf);
        let _ = shop.pay(&session_id, "knet").unwrap();
        shop.bank.on_asking(mood);
        let before = shop.latest(&session_id);
        assert_eq!(before.stage, Stage::Unknown);
        for _ in 0..10 {
            assert_eq!(stands(&about(&shop, &session_id)), ("pending", "pending"), "{mood:?}");
        }
        assert_eq!(shop.latest(&session_id), before);
    }
}

#[test]
fn a_page_that_waits_for_the_payer_stays_pending_and_notifies_nobody() {
    let shop = Shop::open(7);
    let session_id = shop.create(&order(&["knet"]));
    let _ = shop.pay_to_page(&session_id, "knet");
    let answer = ask(&shop, &json!({"session_id": session_id.as_str()})).unwrap();
    assert_eq!((stands(&body_of(&answer)), answer.deliveries.len()), (("pending", "pending"), 0));
    assert_eq!(shop.latest(&session_id).stage, Stage::Redirected);
}

#[test]
fn a_success_after_the_cancellation_is_notified_and_flagged() {
    let shop = Shop::open(8);
    let session_id = shop.create(&order(&["knet"]));
    let reference = shop.pay_to_page(&session_id, "knet");
    shop.bank.give_up(reference.as_str());
    let _ = shop.come_back(&reference).unwrap();
    let _ = block_on(end(&shop.world, &session_id, Ending::CanceledByPayer, None)).unwrap();
    assert_eq!(stands(&about(&shop, &session_id)), ("canceled", "canceled"));
    shop.bank.approve_after_all(reference.as_str());
    assert_eq!(stands(&about(&shop, &session_id)), ("success", "canceled"));
    let flagged: Vec<_> = shop.attention().iter().map(|id| id.reason.as_str()).collect();
    assert_eq!(flagged, ["late_success"]);
}

// When the outcome became known.

/// The `timestamp_utc` of a body.
fn time_of(body: &Value) -> String {
    text(body, "timestamp_utc").unwrap().to_owned()
}

#[test]
fn an_outcome_has_one_time_in_its_notification_and_in_every_later_inquiry() {
    let shop = Shop::open(20);
    let session_id = shop.create(&order(&["knet"]));
    let reference = shop.pay_to_page(&session_id, "knet");
    shop.wait(90);
    shop.bank.decline(reference.as_str());
    let delivery = shop.come_back(&reference).unwrap().unwrap();
    let _ = shop.deliver(&delivery);
    let [declined] = shop.receiver.take_bodies().try_into().unwrap();
    assert_eq!(time_of(&declined), "2026-01-01T00:01:30Z", "not when the attempt was opened");
    for _ in 0..4 {
        // The sweep asks the gateway about what was declined, and learns nothing.
        shop.wait(600);
        shop.sweep();
        assert_eq!(time_of(&about(&shop, &session_id)), time_of(&declined));
    }
    shop.bank.approve_after_all(reference.as_str());
    let answer = ask(&shop, &json!({"session_id": session_id.as_str()})).unwrap();
    let late = "2026-01-01T00:41:30Z";
    assert_eq!(stands(&body_of(&answer)), ("success", "paid"));
    assert_eq!(time_of(&body_of(&answer)), late, "another outcome became known then");
    let sent = delivered(&shop, &answer);
    assert_eq!(sent.iter().map(|(_, body)| time_of(body)).collect::<Vec<_>>(), [late]);
    shop.wait(3_600);
    assert_eq!(time_of(&about(&shop, &session_id)), late);
}

#[test]
fn a_payment_that_is_open_was_known_to_be_so_when_it_was_opened() {
    let shop = Shop::open(21);
    let session_id = shop.create(&order(&["knet"]));
    let _ = block_on(open_page(&shop.world, Some(&session_id), Visit::PERSON));
    shop.wait(60);
    assert_eq!(time_of(&about(&shop, &session_id)), "2026-01-01T00:00:00Z", "when it was made");
    let _ = shop.pay_to_page(&session_id, "knet");
    shop.wait(60);
    assert_eq!(time_of(&about(&shop, &session_id)), "2026-01-01T00:01:00Z", "when it was opened");
}

#[test]
fn what_was_canceled_or_expired_was_so_from_that_moment() {
    let shop = Shop::open(22);
    let declined = || {
        let session_id = shop.create(&order(&["knet"]));
        let reference = shop.pay_to_page(&session_id, "knet");
        shop.bank.decline(reference.as_str());
        let _ = shop.come_back(&reference).unwrap();
        session_id
    };
    let (canceled, expired) = (declined(), declined());
    shop.wait(30);
    let ended = block_on(end(&shop.world, &canceled, Ending::CanceledByMerchant, None)).unwrap();
    let _ = shop.receiver.take();
    let _ = shop.deliver(&ended.deliveries[0]);
    let [notice] = shop.receiver.take_bodies().try_into().unwrap();
    assert_eq!(time_of(&notice), "2026-01-01T00:00:30Z");
    shop.wait(86_400 + 100);
    assert_eq!(time_of(&about(&shop, &canceled)), time_of(&notice));
    let over = "2026-01-02T00:00:00Z";
    assert_eq!(time_of(&about(&shop, &expired)), over, "before it is noted");
    shop.sweep();
    shop.wait(100);
    assert_eq!(shop.state(&expired), "expired");
    assert_eq!(time_of(&about(&shop, &expired)), over, "and after");
}

// Who is notified.

#[test]
fn every_notification_that_is_asked_for_is_a_new_one_with_the_bytes_of_the_answer() {
    let shop = Shop::open(9);
    let session_id = shop.create(&order(&["knet"]));
    let reference = shop.pay_to_page(&session_id, "knet");
    shop.bank.approve(reference.as_str());
    let own = shop.come_back(&reference).unwrap().unwrap();
    let _ = shop.deliver(&own);
    for (asked, url) in [
        (json!({"notify_webhook_url": true}), WEBHOOK_URL),
        (json!({"notify_webhook_url": "true"}), WEBHOOK_URL),
        (json!({"webhook_url": OTHER}), OTHER),
        (json!({"webhook_url": OTHER, "notify_webhook_url": false}), OTHER),
    ] {
        let mut body = asked.clone();
        body.as_object_mut().unwrap().insert("session_id".into(), session_id.as_str().into());
        let answer = ask(&shop, &body).unwrap();
        assert_eq!(delivered(&shop, &answer), [(url.to_string(), body_of(&answer))], "{asked}");
        assert!(!answer.deliveries.contains(&own));
    }
    let deliveries = shop.world.store.deliveries(&session_id);
    assert_eq!(deliveries.len(), 5);
}

#[test]
fn a_receiver_that_learns_the_outcome_anyway_is_notified_once() {
    let shop = Shop::open(10);
    let session_id = shop.create(&order(&["knet"]));
    let reference = shop.pay_to_page(&session_id, "knet");
    shop.bank.approve(reference.as_str());
    let body = json!({"session_id": session_id.as_str(), "notify_webhook_url": true});
    let answer = ask(&shop, &body).unwrap();
    assert_eq!(delivered(&shop, &answer).len(), 1);
}

#[test]
fn a_notification_that_was_asked_for_survives_a_race() {
    let shop = Shop::open(11);
    let session_id = shop.create(&order(&["knet"]));
    let reference = shop.pay_to_page(&session_id, "knet");
    let world = Interrupted::after_send(&shop.world, || {
        shop.bank.decline(reference.as_str());
        let _ = shop.call_back(&reference).unwrap();
    });
    let body = json!({"session_id": session_id.as_str(), "webhook_url": OTHER}).to_string();
    let answer = block_on(inquire(&world, &shop.private(), body.as_bytes())).unwrap();
    assert_eq!(stands(&body_of(&answer)), ("failed", "attempted"));
    assert_eq!(delivered(&shop, &answer).len(), 1);
}

// Who may ask, and for what.

#[test]
fn every_wrong_field_is_named_and_an_unknown_transaction_is_not_found() {
    let shop = Shop::open(12);
    assert_eq!(
        violations(&shop, &json!({})),
        ["order_no: must be given, or session_id", "session_id: must be given, or order_no"]
    );
    assert_eq!(
        violations(
            &shop,
            &json!({"session_id": 1, "notify_webhook_url": "perhaps", "webhook_url": "http://10.0.0.1/"})
        )
        .iter()
        .map(|line| line.split(':').next().unwrap())
        .collect::<Vec<_>>(),
        ["session_id", "notify_webhook_url", "webhook_url"]
    );
    for url in ["https://pay.example.com/b/operator/v1/attention/", "ftp://shop.example.com", "x"] {
        assert_eq!(violations(&shop, &json!({"session_id": "a", "webhook_url": url})).len(), 1, "{url}");
    }
    let long = |chars: usize| format!("https://shop.example.com/{}", "a".repeat(chars - 25));
    assert_eq!(
        violations(&shop, &json!({"session_id": "a", "webhook_url": long(201)})),
        ["webhook_url: must have at most 200 characters"]
    );
    for body in [
        json!({"session_id": "0".repeat(40)}),
        json!({"session_id": "no id"}),
        json!({"order_no": "unknown"}),
        json!({"session_id": "0".repeat(40), "webhook_url": long(200)}),
    ] {
        assert_eq!(refused(ask(&shop, &body)), Rejection::NotFound);
    }
    assert_eq!(refused(block_on(inquire(&shop.world, &shop.private(), b"[]"))), Rejection::MalformedBody);
}

#[test]
fn only_a_private_key_may_inquire() {
    let shop = Shop::open(13);
    let public = shop.authorization("public_key");
    assert_eq!(shop.identify(Some(&public), &Route::Inquire), Err(Rejection::PrivateKeyRequired));
}
