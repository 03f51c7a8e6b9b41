//! Alerts: what is new on the attention list is reported to merchants and operators, once, in groups, and never in a circle.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

mod settings;

use checkout_core::access::operator::ROOT;
use checkout_core::flow::operator::attention::resolve_attention;
use checkout_core::flow::sweep::sweep;
use checkout_core::gateway::exchange::Outgoing;
use checkout_core::port::OperatorAlerts;
use checkout_core::record::outbox::MessageKind;
use checkout_core::settings::alerts::AlertSettings;
use checkout_core::testing::store::{DeliveryState, Fault};
use checkout_core::value::id::{MerchantId, ReferenceNumber, SessionId};
use checkout_tests::bank::Mood;
use checkout_tests::shop::{Shop, order};
use pollster::block_on;
use serde_json::{Value, json};

const ALERT_URL: &str = "https://ops.shop.example.com/alerts";
const HOUR: u64 = 3_600;

fn shop_with(seed: u64, alerts: Value) -> Shop {
    Shop::open_with(seed, |settings| settings["alerts"] = alerts)
}

fn shop(seed: u64) -> Shop {
    shop_with(seed, json!({"webhook_url": ALERT_URL, "emails": ["ops@example.com"]}))
}

/// A payment that is held because the bank took another amount.
fn held(shop: &Shop) -> (SessionId, ReferenceNumber) {
    let session_id = shop.create(&order(&["knet"]));
    let reference = shop.pay_to_page(&session_id, "knet");
    shop.bank.approve_another_amount(reference.as_str(), "1.000");
    shop.come_back(&reference).unwrap();
    (session_id, reference)
}

fn json_of(sent: &Outgoing) -> Value {
    serde_json::from_slice(&sent.body).unwrap()
}

/// The alerts that are sent in a run: webhooks, and e-mails that the sandbox's inbox gets.
fn reported(shop: &Shop) -> (Vec<Value>, Vec<Value>) {
    shop.sweep();
    let sent = shop.receiver.take();
    let webhooks = sent.iter().filter(|sent| sent.url == ALERT_URL).map(json_of).collect();
    let is_mail = |sent: &&Outgoing| sent.url.starts_with("https://messages.sandbox.invalid/");
    (webhooks, sent.iter().filter(is_mail).map(json_of).collect())
}

fn counts(webhooks: &[Value]) -> Vec<(String, u64)> {
    let count = |body: &Value| {
        let topic = body["data"]["topic"].as_str().unwrap().to_owned();
        (topic, body["data"]["count"].as_u64().unwrap())
    };
    webhooks.iter().map(count).collect()
}

fn dismiss(shop: &Shop) {
    for id in shop.attention() {
        let body = json!({"action": "not_charged"}).to_string();
        block_on(resolve_attention(&shop.world, &ROOT, &id, body.as_bytes())).unwrap();
    }
}

#[test]
fn a_new_entry_is_reported_at_once_by_webhook_and_e_mail_and_only_once() {
    let shop = shop(1);
    let (session_id, reference) = held(&shop);
    let (webhooks, mails) = reported(&shop);
    let wanted = json!({
        "data": {
            "count": 1,
            "entries": [{
                "detail": null,
                "reason": "amount_mismatch",
                "reference_number": reference.as_str(),
                "session_id": session_id.as_str(),
                "since": "2026-01-01T00:00:00Z",
            }],
            "merchant_id": "demo",
            "topic": "payment",
        },
        "timestamp": "2026-01-01T00:00:00Z",
        "type": "alert.raised",
    });
    assert_eq!(webhooks, [wanted]);
    let [mail] = &mails[..] else { panic!("{mails:?}") };
    assert_eq!(
        (&mail["to"], &mail["subject"]),
        (&json!("ops@example.com"), &json!("Payments need attention · demo"))
    );
    assert!(mail["text"].as_str().unwrap().contains(reference.as_str()), "{mail}");
    shop.wait(2 * HOUR);
    assert_eq!(reported(&shop), (vec![], vec![]));
    assert!(shop.world.store.alert_deliveries().iter().all(|row| row.state == DeliveryState::Delivered));
}

#[test]
fn of_a_merchant_and_a_topic_there_is_one_alert_an_hour_that_groups_the_rest() {
    let shop = shop(2);
    held(&shop);
    assert_eq!(counts(&reported(&shop).0), [("payment".into(), 1)]);
    for _ in 0..12 {
        held(&shop);
    }
    shop.wait(HOUR - 1);
    assert_eq!(counts(&reported(&shop).0), [], "not before an hour has passed");
    shop.wait(1);
    let (webhooks, mails) = reported(&shop);
    assert_eq!(counts(&webhooks), [("payment".into(), 12)]);
    assert_eq!(webhooks[0]["data"]["entries"].as_array().unwrap().len(), 10);
    assert!(mails[0]["text"].as_str().unwrap().contains("And 2 more."), "{mails:?}");
}

#[test]
fn an_entry_that_is_closed_before_it_was_reported_is_not_reported() {
    let shop = shop(3);
    held(&shop);
    reported(&shop);
    held(&shop);
    dismiss(&shop);
    shop.wait(HOUR);
    assert_eq!(counts(&reported(&shop).0), []);
}

#[test]
fn what_is_switched_off_is_not_alerted_until_it_is_switched_on() {
    for alerts in [
        json!({}),
        json!({"on": ["payment"]}),
        json!({"webhook_url": ALERT_URL, "on": ["webhook", "gateway"]}),
    ] {
        let shop = shop_with(4, alerts.clone());
        held(&shop);
        assert_eq!(reported(&shop), (vec![], vec![]), "{alerts}");
        assert_eq!(shop.attention().len(), 1);
    }
    let only_mail = shop_with(4, json!({"emails": ["a@example.com", "b@example.com"], "on": ["payment"]}));
    held(&only_mail);
    let (webhooks, mails) = reported(&only_mail);
    let to: Vec<&Value> = mails.iter().map(|mail| &mail["to"]).collect();
    assert_eq!((webhooks.len(), to.len()), (0, 2), "{to:?}");
}

#[test]
fn an_alert_that_cannot_be_delivered_is_no_reason_for_another_one() {
    let shop = shop_with(5, json!({"webhook_url": ALERT_URL}));
    held(&shop);
    for _ in 0..12 {
        shop.receiver.answer_next(Some(500));
        shop.sweep();
        shop.wait(30 * HOUR);
    }
    let alerts = shop.world.store.alert_deliveries();
    assert_eq!(
        alerts.iter().map(|row| (row.state, row.tries.len())).collect::<Vec<_>>(),
        [(DeliveryState::GivenUp, 10)]
    );
    let reasons: Vec<&str> = shop.attention().iter().map(|id| id.reason.as_str()).collect();
    assert_eq!(reasons, ["amount_mismatch"], "neither given up nor disabled");
}

#[test]
fn an_address_of_alerts_that_is_gone_is_reported_by_e_mail_and_holds_up_no_webhook_of_payments() {
    let same_host = "https://shop.example.com/alerts";
    let shop = shop_with(6, json!({"webhook_url": same_host, "emails": ["ops@example.com"]}));
    held(&shop);
    shop.receiver.answer_next(Some(410));
    shop.sweep();
    shop.wait(60);
    shop.sweep();
    let gone = shop.attention().iter().filter(|id| id.reason.as_str() == "receiver_disabled").count();
    assert_eq!(gone, 1);
    let kinds: Vec<(MessageKind, DeliveryState)> =
        shop.world.store.alert_deliveries().iter().map(|row| (row.message.kind, row.state)).collect();
    assert!(kinds.contains(&(MessageKind::AlertWebhook, DeliveryState::Held)), "{kinds:?}");
    let mails =
        kinds.iter().filter(|kind| **kind == (MessageKind::AlertEmail, DeliveryState::Delivered)).count();
    assert_eq!(mails, 2, "the payment, and the receiver: {kinds:?}");
    let session_id = shop.create(&order(&["knet"]));
    let reference = shop.pay_to_page(&session_id, "knet");
    shop.bank.approve(reference.as_str());
    shop.come_back(&reference).unwrap();
    shop.sweep();
    assert_eq!(shop.world.store.deliveries(&session_id)[0].state, DeliveryState::Delivered);
    for _ in 0..3 {
        shop.wait(2 * HOUR);
        shop.sweep();
    }
    assert_eq!(shop.world.store.alert_deliveries().len(), kinds.len(), "and there is no circle");
}

#[test]
fn a_merchant_is_reported_of_its_own_entries_only() {
    let shop = shop(7);
    held(&shop);
    let shop = shop.handed_to("other");
    held(&shop);
    let (webhooks, _) = reported(&shop);
    let merchants: Vec<&Value> = webhooks.iter().map(|body| &body["data"]["merchant_id"]).collect();
    assert_eq!(merchants, ["demo"], "the other one wants no alerts");
}

#[test]
fn operators_are_reported_of_every_merchant_through_the_account_of_one() {
    let mut shop = Shop::open(8);
    let to = AlertSettings { emails: vec!["root@example.com".into()], ..AlertSettings::default() };
    shop.world.operator_alerts = Some(OperatorAlerts { carrier: MerchantId::parse("demo").unwrap(), to });
    held(&shop);
    let shop = shop.handed_to("other");
    held(&shop);
    let (webhooks, mails) = reported(&shop);
    let mut subjects: Vec<&str> = mails.iter().map(|mail| mail["subject"].as_str().unwrap()).collect();
    subjects.sort_unstable();
    assert_eq!(subjects, ["Payments need attention · demo", "Payments need attention · other"]);
    assert_eq!(webhooks.len(), 0);
    let carriers: Vec<String> =
        shop.world.store.alert_deliveries().iter().map(|row| row.message.merchant.to_string()).collect();
    assert_eq!(carriers, ["demo", "demo"], "both are in the log of the carrier");
    shop.wait(HOUR);
    assert_eq!(reported(&shop), (vec![], vec![]));
}

#[test]
fn what_fails_for_one_merchant_holds_up_no_other() {
    let mut shop = Shop::open(12);
    let to = AlertSettings { emails: vec!["root@example.com".into()], ..AlertSettings::default() };
    shop.world.operator_alerts = Some(OperatorAlerts { carrier: MerchantId::parse("demo").unwrap(), to });
    held(&shop);
    let shop = shop.handed_to("other");
    held(&shop);
    shop.world.store.fail_commit(1, Fault::BeforeStoring);
    let swept = block_on(sweep(&shop.world));
    assert_eq!((swept.alerts, swept.failures.len()), (1, 1), "{:?}", swept.failures);
    assert_eq!(block_on(sweep(&shop.world)).alerts, 1, "the one that failed is raised by the next run");
}

#[test]
fn merchants_and_operators_are_reported_independently() {
    let mut shop = shop(9);
    held(&shop);
    assert_eq!(reported(&shop).1.len(), 1);
    let to = AlertSettings { emails: vec!["root@example.com".into()], ..AlertSettings::default() };
    shop.world.operator_alerts = Some(OperatorAlerts { carrier: shop.merchant.clone(), to });
    let (_, mails) = reported(&shop);
    assert_eq!(mails.iter().map(|mail| mail["to"].clone()).collect::<Vec<_>>(), ["root@example.com"]);
}

/// The store fails before it stored the alert, or after it, as if the Worker ended there.
#[test]
fn a_run_that_ends_between_the_store_and_the_send_loses_nothing_and_reports_nothing_twice() {
    for fault in [Fault::BeforeStoring, Fault::AfterStoring] {
        let shop = shop(10);
        held(&shop);
        shop.world.store.fail_commit(1, fault);
        let failures = block_on(sweep(&shop.world)).failures;
        assert_eq!(failures.len(), 1, "{failures:?}");
        shop.wait(60);
        shop.sweep();
        let alerts: Vec<Value> =
            shop.receiver.take().iter().filter(|sent| sent.url == ALERT_URL).map(json_of).collect();
        assert_eq!(counts(&alerts), [("payment".into(), 1)], "{fault:?}");
    }
}

#[test]
fn an_alert_is_signed_like_every_webhook_under_an_id_of_its_own() {
    let shop = shop_with(11, json!({"webhook_url": ALERT_URL}));
    held(&shop);
    shop.receiver.answer_next(Some(503));
    shop.sweep();
    shop.wait(90);
    shop.sweep();
    let sent: Vec<Outgoing> = shop.receiver.take().into_iter().filter(|sent| sent.url == ALERT_URL).collect();
    let ids: Vec<&str> = sent.iter().map(|sent| header(sent, "webhook-id")).collect();
    assert_eq!(ids.len(), 2, "it is tried again");
    assert!(ids[0] == ids[1] && ids[0].starts_with("alert_00") && ids[0].len() == 48, "{ids:?}");
    assert!(header(&sent[0], "webhook-signature").starts_with("v1,"));
}

fn header<'a>(sent: &'a Outgoing, name: &str) -> &'a str {
    sent.headers.iter().find(|(known, _)| *known == name).map(|(_, value)| value.as_str()).unwrap()
}

/// A shop whose gateways are skipped once they failed twice in a row.
fn routed(seed: u64) -> Shop {
    Shop::open_with(seed, |settings| {
        settings["alerts"] = json!({"webhook_url": ALERT_URL, "on": ["gateway"]});
        settings["routing"] = json!({"skip_after": 2});
    })
}

fn fail(shop: &Shop) {
    shop.bank.on_opening(Mood::Down);
    let session_id = shop.create(&order(&["knet"]));
    shop.pay(&session_id, "knet").unwrap();
}

fn recover(shop: &Shop) {
    shop.bank.on_opening(Mood::Fine);
    let session_id = shop.create(&order(&["knet"]));
    let reference = shop.pay_to_page(&session_id, "knet");
    shop.bank.approve(reference.as_str());
    shop.come_back(&reference).unwrap();
}

/// How many entries say that a gateway fails.
fn failing(shop: &Shop) -> usize {
    shop.attention().iter().filter(|id| id.reason.as_str() == "gateway_failing").count()
}

#[test]
fn a_gateway_that_fails_in_a_row_is_reported_once_and_its_entry_is_closed_when_it_answers() {
    let shop = routed(12);
    fail(&shop);
    assert_eq!(counts(&reported(&shop).0), [], "once is not in a row");
    fail(&shop);
    let (webhooks, _) = reported(&shop);
    assert_eq!(counts(&webhooks), [("gateway".into(), 1)]);
    assert_eq!(webhooks[0]["data"]["entries"][0]["detail"], json!("knet failed 2 times in a row"));
    fail(&shop);
    shop.wait(2 * HOUR);
    assert_eq!((counts(&reported(&shop).0), failing(&shop)), (vec![], 1), "it is one entry while it fails");
    recover(&shop);
    assert_eq!((counts(&reported(&shop).0), failing(&shop)), (vec![], 0));
}

#[test]
fn a_gateway_that_fails_again_after_it_answered_is_reported_again() {
    let shop = routed(13);
    for _ in 0..2 {
        fail(&shop);
        fail(&shop);
        assert_eq!(counts(&reported(&shop).0), [("gateway".into(), 1)]);
        assert_eq!(failing(&shop), 1);
        recover(&shop);
        assert_eq!((counts(&reported(&shop).0), failing(&shop)), (vec![], 0));
        shop.wait(2 * HOUR);
    }
}

/// A payment whose webhook its receiver refuses, tried so often.
fn refused_webhook(shop: &Shop, tries: usize) -> SessionId {
    let mut order = order(&["knet"]);
    order["order_no"] = json!("A-77");
    let session_id = shop.create(&order);
    let reference = shop.pay_to_page(&session_id, "knet");
    shop.bank.approve(reference.as_str());
    let id = shop.come_back(&reference).unwrap().unwrap();
    // A little more than the schedule, so that the next try is due.
    let waits = [90, 400, 2_200, 8_700, 22_000, 44_000, 61_000, 87_000, 104_000];
    for wait in waits.into_iter().take(tries) {
        shop.receiver.answer_next(Some(500));
        let _failed = shop.deliver(&id);
        shop.wait(wait);
    }
    let _ = shop.receiver.take();
    session_id
}

#[test]
fn a_merchant_hears_of_a_webhook_that_fails_after_the_try_that_its_settings_name() {
    for (setting, tries) in [(json!(null), 3), (json!(3), 3), (json!("3"), 3), (json!(1), 1)] {
        let mut alerts = json!({"emails": ["ops@example.com"]});
        if !setting.is_null() {
            alerts["webhook_tries"] = setting.clone();
        }
        let shop = shop_with(31, alerts);
        let _ = refused_webhook(&shop, tries - 1);
        let quiet = shop_of_attention(&shop);
        assert!(quiet.is_empty(), "{setting}: {quiet:?}");
        let shop = shop_with(32, json!({"emails": ["ops@example.com"], "webhook_tries": setting}));
        let _ = refused_webhook(&shop, tries);
        assert_eq!(shop_of_attention(&shop), ["webhook_failing"], "{setting}");
        let (_, mails) = reported(&shop);
        let text = mails[0].to_string();
        assert!(text.contains("about order A-77") && text.contains("https://shop.example.com/"), "{text}");
        let (_, again) = reported(&shop);
        assert!(again.is_empty(), "it is written once");
    }
}

fn shop_of_attention(shop: &Shop) -> Vec<String> {
    shop.attention().iter().map(|id| id.reason.as_str().to_owned()).collect()
}

#[test]
fn what_failed_and_arrives_is_no_reason_to_look_and_the_last_try_is_one_in_any_case() {
    let shop = shop_with(33, json!({"emails": ["ops@example.com"], "webhook_tries": 1}));
    let _ = refused_webhook(&shop, 1);
    assert_eq!(shop_of_attention(&shop), ["webhook_failing"]);
    shop.sweep();
    assert!(shop_of_attention(&shop).is_empty(), "it was accepted");
    let shop = shop_with(34, json!({"emails": ["ops@example.com"], "webhook_tries": "last"}));
    let _ = refused_webhook(&shop, 9);
    assert!(shop_of_attention(&shop).is_empty());
    shop.receiver.answer_next(Some(500));
    shop.sweep();
    assert_eq!(shop_of_attention(&shop), ["delivery_given_up"]);
}
