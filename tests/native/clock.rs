//! The test clock of a merchant: everything of the merchant follows that clock, and nothing of other
//! merchants does.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::time::Duration;

use checkout_core::access::operator::ROOT;
use checkout_core::api::test_clock::MAX_OFFSET;
use checkout_core::flow::Failure;
use checkout_core::flow::deliver::RunReport;
use checkout_core::flow::merchant::create::{CreateInput, create};
use checkout_core::flow::operator::merchant::{add_merchant, replace_settings};
use checkout_core::flow::sweep::clock::{move_clock, moved, read_clock};
use checkout_core::flow::sweep::sweep_merchant;
use checkout_core::port::{Clock, Store};
use checkout_core::rejection::Rejection;
use checkout_core::testing::store::DeliveryState;
use checkout_core::value::id::MerchantId;
use checkout_tests::bank::Mood;
use checkout_tests::shop::{DEMO_SETTINGS, Shop, json_of, order, refused, session_of};
use pollster::block_on;
use serde_json::{Value, json};

const DAY: u64 = 86_400;

/// Moves the clock of the shop's merchant, and runs what is due at the new time.
fn advance(shop: &Shop, body: &Value) -> Result<RunReport, Failure> {
    let merchant = block_on(move_clock(&shop.world, &ROOT, &shop.merchant, body.to_string().as_bytes()))?;
    let swept = block_on(sweep_merchant(&shop.world, &merchant));
    assert_eq!(swept.failures, []);
    Ok(swept)
}

fn advance_by(shop: &Shop, seconds: u64) -> RunReport {
    advance(shop, &json!({"advance": seconds.to_string()})).unwrap()
}

fn named(rejection: &Rejection) -> Vec<String> {
    let Rejection::Invalid(found) = rejection else { return vec![rejection.code().into()] };
    found.iter().map(|one| format!("{}: {}", one.path, one.rule)).collect()
}

/// The rules that a body breaks, as `field: text`.
fn violations(shop: &Shop, body: &Value) -> Vec<String> {
    named(&refused(advance(shop, body)))
}

#[test]
fn a_clock_shows_the_real_time_until_it_is_moved() {
    let shop = Shop::open(1);
    let before = json_of(&block_on(read_clock(&shop.world, &shop.merchant)).unwrap());
    assert_eq!(before, json!({"merchant_id": "demo", "now": "2026-01-01T00:00:00Z", "advanced_seconds": 0}));
    let swept = advance(&shop, &json!({"advance": "P1DT2H"})).unwrap();
    let answer = moved(&shop.world, &shop.situation(), &swept);
    assert_eq!(answer.now.0.to_string(), "2026-01-02T02:00:00Z");
    advance(&shop, &json!({"to": "2026-01-05T00:00:00+03:00"})).unwrap();
    shop.wait(60);
    let after = json_of(&block_on(read_clock(&shop.world, &shop.merchant)).unwrap());
    let expected = json!({"merchant_id": "demo", "now": "2026-01-04T21:01:00Z", "advanced_seconds": 334_800});
    assert_eq!(after, expected);
}

#[test]
fn a_transaction_expires_when_the_clock_says_so_and_its_events_have_that_time() {
    let shop = Shop::open(2);
    let early = shop.create(&order(&["knet"]));
    assert_eq!(advance_by(&shop, DAY - 1).expired, 0);
    let late = shop.create(&order(&["knet"]));
    assert_eq!(advance_by(&shop, 1).expired, 1);
    assert_eq!((shop.state(&early), shop.state(&late)), ("expired", "created"));
    let event = shop.world.store.events(&early).pop().unwrap();
    assert_eq!(event.at, shop.situation().now);
    assert_eq!(
        shop.transaction(&late).created_at.since(shop.world.clock.now()),
        Duration::from_secs(DAY - 1)
    );
}

#[test]
fn what_cannot_be_paid_any_more_is_refused_at_once() {
    let shop = Shop::open(3);
    let session_id = shop.create(&order(&["knet"]));
    let body = json!({"advance": "1 00:00:00"}).to_string();
    block_on(move_clock(&shop.world, &ROOT, &shop.merchant, body.as_bytes())).unwrap();
    assert!(matches!(refused(shop.pay(&session_id, "knet")), Rejection::NotPayable { .. }));
}

#[test]
fn an_unknown_outcome_is_chased_by_the_clock_up_to_72_hours_and_then_left_to_a_person() {
    let shop = Shop::open(4);
    let session_id = shop.create(&order(&["knet"]));
    let reference = shop.pay_to_page(&session_id, "knet");
    shop.bank.on_asking(Mood::Broken);
    shop.come_back(&reference).unwrap();
    assert_eq!(shop.results(&session_id), ["pending"]);
    assert_eq!(advance_by(&shop, 60).inquired, 1);
    assert_eq!(advance_by(&shop, 30).inquired, 0);
    assert_eq!(shop.attention(), []);
    // The question that comes three days late is not the last one.
    assert_eq!(advance_by(&shop, 3 * DAY).inquired, 1);
    assert_eq!(shop.attention(), []);
    advance_by(&shop, 600);
    let reasons: Vec<&str> = shop.attention().iter().map(|id| id.reason.as_str()).collect();
    assert_eq!(reasons, ["outcome_unknown"]);
    assert_eq!(shop.results(&session_id), ["pending"], "unknown is not failed");
}

#[test]
fn a_notification_is_tried_ten_times_by_the_clock_and_then_given_up() {
    let shop = Shop::open(5);
    let session_id = shop.create(&order(&["knet"]));
    let reference = shop.pay_to_page(&session_id, "knet");
    shop.bank.approve(reference.as_str());
    let id = shop.come_back(&reference).unwrap().unwrap();
    for _ in 0..10 {
        shop.receiver.answer_next(Some(500));
    }
    let _ = shop.deliver(&id);
    let row = || shop.world.store.deliveries(&session_id).pop().unwrap();
    for tried in 2..=10 {
        assert_eq!(advance_by(&shop, 30).delivered, 0, "too early for try {tried}");
        let due = row().message.due_at.since(shop.situation().now);
        assert_eq!(advance_by(&shop, due.as_secs() + 1).delivered, 1);
        assert_eq!(row().tries.len(), tried);
    }
    assert_eq!(row().state, DeliveryState::GivenUp);
    let sent = shop.receiver.take();
    let stamp =
        |name: &str| sent.last().unwrap().headers.iter().find(|(known, _)| *known == name).unwrap().1.clone();
    let real = shop.world.clock.now().seconds().to_string();
    assert_eq!(stamp("webhook-timestamp"), real, "receivers check it by the real time");
}

#[test]
fn the_time_of_one_merchant_is_no_matter_to_another() {
    let shop = Shop::open(6);
    let body =
        json!({"merchant_id": "other", "settings": serde_json::from_str::<Value>(DEMO_SETTINGS).unwrap()});
    let made = block_on(add_merchant(&shop.world, &ROOT, body.to_string().as_bytes())).unwrap();
    let text = order(&["knet"]).to_string();
    let input = CreateInput {
        caller: shop.holder(&made.private_key),
        idempotency_key: None,
        body: text.as_bytes(),
        file: None,
        wrong: &[],
    };
    let theirs = session_of(&block_on(create(&shop.world, input)).unwrap());
    let mine = shop.create(&order(&["knet"]));
    assert_eq!(advance_by(&shop, 2 * DAY).expired, 1);
    shop.sweep();
    assert_eq!((shop.state(&mine), shop.state(&theirs)), ("expired", "created"));
    shop.wait(DAY);
    let again = shop.create(&order(&["knet"]));
    assert_eq!(shop.sweep().expired, 1);
    assert_eq!((shop.state(&again), shop.state(&theirs)), ("created", "expired"));
}

#[test]
fn the_cron_treats_each_merchant_by_its_own_time() {
    let shop = Shop::open(7);
    let mut body = order(&["knet"]);
    body.as_object_mut().unwrap().insert("expiration_time".into(), json!("3 00:00:00"));
    let session_id = shop.create(&body);
    advance_by(&shop, 2 * DAY);
    assert_eq!(shop.sweep().expired, 0);
    shop.wait(DAY);
    assert_eq!(shop.sweep().expired, 1, "a day later by the real clock too");
    assert_eq!(shop.state(&session_id), "expired");
}

#[test]
fn a_clock_goes_forward_only_and_no_further_than_366_days() {
    let shop = Shop::open(8);
    advance_by(&shop, DAY);
    let far = "must keep the clock within 366 days of the real time";
    for (body, expected) in [
        (json!({}), "advance: must be given, or to"),
        (json!({"advance": null, "to": null}), "advance: must be given, or to"),
        (json!({"advance": "60", "to": "2026-02-01T00:00:00Z"}), "to: must not be given with advance"),
        (json!({"advance": 60}), "advance: must be a string"),
        (
            json!({"advance": "-60"}),
            "advance: must be a period written \"DD HH:MM:SS\", such as \"1 00:00:00\"",
        ),
        (json!({"advance": "0"}), "advance: must be from 1 second to 366 days"),
        (json!({"advance": "P367D"}), "advance: must be from 1 second to 366 days"),
        (json!({"advance": "P366D"}), &format!("advance: {far}")),
        (json!({"to": ["now"]}), "to: must be a string"),
        (
            json!({"to": "tomorrow"}),
            "to: must be a date and time of RFC 3339, such as \"2030-01-31T12:00:00Z\"",
        ),
        (json!({"to": "2026-01-01T12:00:00Z"}), "to: must not be before the time of the merchant"),
        (json!({"to": "2999-01-01T00:00:00Z"}), &format!("to: {far}")),
    ] {
        assert_eq!(violations(&shop, &body), [expected], "{body}");
    }
    for body in ["", "[]", "null", "{", "\u{0}"] {
        let result = block_on(move_clock(&shop.world, &ROOT, &shop.merchant, body.as_bytes()));
        assert_eq!(refused(result), Rejection::MalformedBody, "{body:?}");
    }
    assert_eq!(shop.situation().ahead(), Duration::from_secs(DAY), "nothing was moved");
    advance(&shop, &json!({"advance": "P365D"})).unwrap();
    assert_eq!(shop.situation().ahead(), MAX_OFFSET);
}

#[test]
fn a_merchant_with_a_real_gateway_lives_in_real_time() {
    let shop = Shop::open_with(9, |settings| {
        *settings.pointer_mut("/gateways/1/sandbox").unwrap() = Value::Bool(false);
    });
    assert_eq!(refused(advance(&shop, &json!({"advance": "60"}))), Rejection::ClockNotMovable);
    let nobody = MerchantId::parse("nobody").unwrap();
    assert_eq!(refused(block_on(move_clock(&shop.world, &ROOT, &nobody, b"{}"))), Rejection::NotFound);
    assert_eq!(refused(block_on(read_clock(&shop.world, &nobody))), Rejection::NotFound);
}

#[test]
fn a_merchant_whose_clock_was_moved_gets_no_real_gateway() {
    let shop = Shop::open(10);
    advance_by(&shop, 60);
    let mut settings: Value = serde_json::from_str(DEMO_SETTINGS).unwrap();
    *settings.pointer_mut("/gateways/1/sandbox").unwrap() = Value::Bool(false);
    let replaced =
        block_on(replace_settings(&shop.world, &ROOT, &shop.merchant, "", settings.to_string().as_bytes()));
    let found = named(&refused(replaced));
    assert_eq!(found, ["gateways.1.sandbox: must be true: the test clock of the merchant was moved"]);
    let simulated =
        block_on(replace_settings(&shop.world, &ROOT, &shop.merchant, "", DEMO_SETTINGS.as_bytes()));
    simulated.unwrap();
    assert_eq!(shop.situation().ahead(), Duration::from_mins(1), "new settings leave the clock");
}

#[test]
fn an_idempotency_key_lives_in_real_time() {
    let shop = Shop::open(11);
    let first = shop.try_create(&order(&["knet"]), Some("once")).unwrap();
    advance_by(&shop, 300 * DAY);
    shop.sweep();
    let again = shop.try_create(&order(&["knet"]), Some("once")).unwrap();
    assert!(again.is_replayed);
    assert_eq!(again.body, first.body);
    let late = shop.try_create(&order(&["knet"]), Some("later")).unwrap();
    assert!(!late.is_replayed);
    shop.wait(5 * DAY);
    shop.sweep();
    assert!(!shop.try_create(&order(&["knet"]), Some("later")).unwrap().is_replayed, "it is deleted");
    assert!(block_on(shop.world.store.load(&session_of(&late))).unwrap().is_some());
}
