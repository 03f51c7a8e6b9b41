//! Messages to payers: which change is notified by which channel, to whom, and that each recipient gets each once.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use checkout_core::flow::deliver::deliver;
use checkout_core::flow::ending::end;
use checkout_core::flow::merchant::operate::{Input, operate};
use checkout_core::payment::ending::Ending;
use checkout_core::port::{Messages, SendError, SentMessage};
use checkout_core::testing::http::{empty, json};
use checkout_core::testing::store::DeliveryState;
use checkout_core::value::id::SessionId;
use checkout_core::webhook::delivery::Effect;
use checkout_core::words::message::{Fate, Occasion};
use checkout_tests::bank::Mood;
use checkout_tests::shop::{Shop, order};
use pollster::block_on;
use serde_json::{Value, json as value};

/// Every event by every channel that may have it.
fn everything() -> Value {
    let all = value!([
        "created",
        "paid",
        "canceled",
        "failed",
        "expired",
        "authorized",
        "voided",
        "refunded",
        "captured"
    ]);
    let whatsapp = value!(["created", "paid", "canceled", "failed", "expired", "authorized"]);
    value!({"email": all, "sms": all, "whatsapp": whatsapp})
}

fn body(pg_codes: &[&str], plugin: &str, notifications: &Value) -> Value {
    let mut body = order(pg_codes);
    let more = value!({
        "type": plugin, "notifications": notifications,
        "customer_email": "sara@example.com", "customer_phone": "+96550000000",
    });
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    body
}

fn sent(shop: &Shop, session_id: &SessionId) -> Vec<SentMessage> {
    block_on(shop.world.store.messages(session_id)).unwrap()
}

/// `event channel` of each message, in order.
fn notified(shop: &Shop, session_id: &SessionId) -> Vec<String> {
    sent(shop, session_id)
        .iter()
        .map(|sent| {
            let body: Value = serde_json::from_str(&sent.body).unwrap();
            format!("{} {}", body["event"].as_str().unwrap(), sent.channel.as_str())
        })
        .collect()
}

fn pay(shop: &Shop, session_id: &SessionId, code: &str) {
    let reference = shop.pay_to_page(session_id, code);
    shop.bank.approve(reference.as_str());
    shop.call_back(&reference).unwrap();
}

fn operate_on(shop: &Shop, session_id: &SessionId, operation: &str, amount: Option<&str>) {
    let mut body = value!({"session_id": session_id.as_str(), "operation": operation});
    if let Some(amount) = amount {
        body["amount"] = amount.into();
    }
    let body = body.to_string();
    let input =
        Input { caller: shop.private(), tracking_key: None, idempotency_key: None, body: body.as_bytes() };
    block_on(operate(&shop.world, input)).unwrap();
}

const ALL: [&str; 3] = ["email", "sms", "whatsapp"];

fn by(event: &str, channels: &[&str]) -> Vec<String> {
    channels.iter().map(|channel| format!("{event} {channel}")).collect()
}

#[test]
fn a_request_is_notified_when_it_is_made_and_an_order_is_not() {
    let shop = Shop::open(1);
    let request = shop.create(&body(&["knet"], "payment_request", &everything()));
    assert_eq!(notified(&shop, &request), by("created", &ALL));
    let order = shop.create(&body(&["knet"], "e_commerce", &everything()));
    assert_eq!(notified(&shop, &order), Vec::<String>::new());
    pay(&shop, &order, "knet");
    assert_eq!(notified(&shop, &order), by("paid", &ALL));
}

#[test]
fn a_refund_is_notified_by_e_mail_and_sms_and_each_refund_is_notified() {
    let shop = Shop::open(2);
    let session_id = shop.create(&body(&["knet"], "e_commerce", &everything()));
    pay(&shop, &session_id, "knet");
    operate_on(&shop, &session_id, "refund", Some("1.000"));
    operate_on(&shop, &session_id, "refund", Some("2.000"));
    let expected = [by("paid", &ALL), by("refunded", &ALL[..2]), by("refunded", &ALL[..2])].concat();
    assert_eq!(notified(&shop, &session_id), expected);
    let amounts: Vec<Value> = sent(&shop, &session_id)
        .iter()
        .map(|sent| serde_json::from_str::<Value>(&sent.body).unwrap()["amount"].clone())
        .collect();
    assert_eq!(amounts[3..], ["1.000", "1.000", "2.000", "2.000"]);
}

#[test]
fn held_money_is_notified_when_it_is_held_taken_and_released() {
    let shop = Shop::open(3);
    let captured = shop.create(&body(&["mpgs"], "e_commerce", &everything()));
    pay(&shop, &captured, "mpgs");
    operate_on(&shop, &captured, "capture", Some("1.000"));
    assert_eq!(notified(&shop, &captured), [by("authorized", &ALL), by("captured", &ALL[..2])].concat());
    let voided = shop.create(&body(&["mpgs"], "e_commerce", &everything()));
    pay(&shop, &voided, "mpgs");
    operate_on(&shop, &voided, "void", None);
    assert_eq!(notified(&shop, &voided), [by("authorized", &ALL), by("voided", &ALL[..2])].concat());
}

#[test]
fn the_end_without_a_payment_is_notified() {
    let shop = Shop::open(4);
    let canceled = shop.create(&body(&["knet"], "e_commerce", &everything()));
    block_on(end(&shop.world, &canceled, Ending::CanceledByPayer)).unwrap();
    assert_eq!(notified(&shop, &canceled), by("canceled", &ALL));
    let expired = shop.create(&body(&["knet"], "e_commerce", &everything()));
    shop.wait(25 * 3_600);
    shop.sweep();
    assert_eq!(notified(&shop, &expired), by("expired", &ALL));
}

#[test]
fn a_decline_is_notified_if_it_is_final_and_an_error_always() {
    let shop = Shop::open(5);
    let again = shop.create(&body(&["knet"], "e_commerce", &everything()));
    let reference = shop.pay_to_page(&again, "knet");
    shop.bank.decline(reference.as_str());
    shop.call_back(&reference).unwrap();
    assert_eq!(notified(&shop, &again), Vec::<String>::new(), "the payer may try again");
    let single = shop.create(&body(&["single"], "e_commerce", &everything()));
    let reference = shop.pay_to_page(&single, "single");
    shop.bank.decline(reference.as_str());
    shop.call_back(&reference).unwrap();
    assert_eq!(notified(&shop, &single), by("failed", &ALL));
    let erred = shop.create(&body(&["knet"], "e_commerce", &everything()));
    shop.bank.on_opening(Mood::Down);
    let _ = shop.pay(&erred, "knet");
    assert_eq!(shop.state(&erred), "attempted");
    assert_eq!(notified(&shop, &erred), by("failed", &ALL));
}

#[test]
fn nothing_is_notified_that_was_not_chosen() {
    let shop = Shop::open(6);
    let chosen = value!({"sms": ["paid"]});
    let session_id = shop.create(&body(&["knet"], "payment_request", &chosen));
    pay(&shop, &session_id, "knet");
    operate_on(&shop, &session_id, "refund", None);
    assert_eq!(notified(&shop, &session_id), by("paid", &["sms"]));
}

#[test]
fn every_recipient_gets_a_copy_of_an_e_mail_and_each_gets_it_once() {
    let shop = Shop::open(7);
    let mut request = body(&["knet"], "payment_request", &value!({"email": ["created"]}));
    let copies: Vec<String> = (0..31).map(|place| format!("copy-{place}@example.com")).collect();
    let mut recipients = copies.clone();
    recipients.push("SARA@example.com".into());
    request["email_recipients"] = value!(recipients);
    let session_id = shop.create(&request);
    let to: Vec<Value> = sent(&shop, &session_id)
        .iter()
        .map(|sent| serde_json::from_str::<Value>(&sent.body).unwrap()["to"].clone())
        .collect();
    assert_eq!(to.len(), 32);
    assert_eq!(to[0], "sara@example.com");
    assert_eq!(to[1..], copies[..]);
}

#[test]
fn a_message_is_sent_again_under_the_same_id_until_the_provider_takes_it_and_never_after() {
    let shop = Shop::open(8);
    let session_id = shop.create(&body(&["knet"], "payment_request", &value!({"email": ["created"]})));
    let id = sent(&shop, &session_id)[0].id.clone();
    let _ = shop.world.http.take_sent();
    for answer in [Ok(empty(503)), Err(SendError::Unknown), Ok(json(202, "{\"id\":\"m-1\"}"))] {
        shop.world.http.answer_next(answer);
        let effect = block_on(deliver(&shop.world, &id)).unwrap();
        let note = sent(&shop, &session_id)[0].note.clone().unwrap();
        match effect {
            Some(Effect::Retry) => assert_eq!(note.fate, Fate::Waiting),
            other => {
                assert_eq!(other, Some(Effect::Stay));
                assert_eq!((note.fate, note.provider_id.as_deref()), (Fate::Accepted, Some("m-1")));
            }
        }
        shop.wait(3 * 3_600);
    }
    assert_eq!(block_on(deliver(&shop.world, &id)).unwrap(), None);
    let bodies: Vec<Value> =
        shop.world.http.take_sent().iter().map(|sent| serde_json::from_slice(&sent.body).unwrap()).collect();
    assert_eq!(bodies.len(), 3);
    assert!(bodies.iter().all(|body| body["id"] == id.as_str() && *body == bodies[0]));
    assert_eq!(shop.world.store.deliveries(&session_id)[0].state, DeliveryState::Delivered);
}

#[test]
fn a_message_that_comes_too_late_or_has_no_number_is_given_up_without_being_sent() {
    let shop = Shop::open(9);
    let mut request = body(&["knet"], "payment_request", &value!({"email": ["created"], "sms": ["created"]}));
    request["customer_phone"] = "ask me".into();
    request["expiration_time"] = "01:00:00".into();
    let session_id = shop.create(&request);
    let [email, sms] = sent(&shop, &session_id).try_into().unwrap();
    let _ = shop.world.http.take_sent();
    assert_eq!(block_on(deliver(&shop.world, &sms.id)).unwrap(), Some(Effect::Gone));
    shop.wait(3_601);
    assert_eq!(block_on(deliver(&shop.world, &email.id)).unwrap(), Some(Effect::Gone));
    assert_eq!(shop.world.http.count(), 0);
    let details: Vec<_> =
        sent(&shop, &session_id).into_iter().map(|sent| sent.note.unwrap().detail.unwrap()).collect();
    assert_eq!(
        details,
        ["the time to pay was over", "customer_phone is not a telephone number with its country"]
    );
    assert!(shop.attention().is_empty());
}

/// Delivers the message of a transaction and says why it was not sent.
fn refused_with(shop: &Shop, session_id: &SessionId) -> String {
    let message = sent(shop, session_id).swap_remove(0);
    let _ = shop.world.http.take_sent();
    assert_eq!(block_on(deliver(&shop.world, &message.id)).unwrap(), Some(Effect::Gone));
    assert_eq!(shop.world.http.count(), 0);
    sent(shop, session_id)[0].note.clone().unwrap().detail.unwrap()
}

#[test]
fn nobody_is_asked_to_pay_what_was_paid_meanwhile() {
    let shop = Shop::open(30);
    let session_id = shop.create(&body(&["knet"], "payment_request", &value!({"email": ["created"]})));
    pay(&shop, &session_id, "knet");
    assert_eq!(refused_with(&shop, &session_id), "what it says is no longer so");
}

#[test]
fn no_attempt_is_called_failed_after_which_another_one_began() {
    let shop = Shop::open(31);
    let session_id =
        shop.create(&body(&["knet", "credit-card"], "e_commerce", &value!({"email": ["failed"]})));
    shop.bank.on_opening(checkout_tests::bank::Mood::Down);
    let _page = shop.pay(&session_id, "knet");
    assert_eq!(notified(&shop, &session_id), by("failed", &ALL[..1]));
    shop.bank.on_opening(checkout_tests::bank::Mood::Fine);
    let _page = shop.pay_to_page(&session_id, "credit-card");
    assert_eq!(refused_with(&shop, &session_id), "what it says is no longer so");
}

#[test]
fn the_inbox_that_anyone_may_read_gets_no_message_of_a_merchant_with_a_real_gateway() {
    let shop = Shop::open_with(32, |settings| settings["gateways"][0]["sandbox"] = false.into());
    let session_id = shop.create(&body(&["credit-card"], "payment_request", &value!({"email": ["created"]})));
    assert_eq!(refused_with(&shop, &session_id), "the settings have no provider for this channel");
}

#[test]
fn what_the_provider_took_stays_so_if_the_sender_stops_before_the_try_is_recorded() {
    use checkout_core::port::MessageNote;
    let shop = connected(33);
    let session_id = shop.create(&body(&["knet"], "payment_request", &value!({"sms": ["created"]})));
    let id = sent(&shop, &session_id)[0].id.clone();
    let provider = checkout_core::messenger::provider::Provider::Twilio;
    let at = shop.transaction(&session_id).created_at;
    assert!(block_on(shop.world.store.begin_message(&id, provider, at)).unwrap());
    let provider_id = Some("SM1".to_owned());
    let note = MessageNote { id: id.clone(), provider, provider_id, fate: Fate::Accepted, detail: None, at };
    block_on(shop.world.store.note_message(&note)).unwrap();
    let _ = shop.world.http.take_sent();
    assert_eq!(block_on(deliver(&shop.world, &id)).unwrap(), Some(Effect::Stay));
    assert_eq!(shop.world.http.count(), 0);
    assert_eq!(sent(&shop, &session_id)[0].note, Some(note));
    assert_eq!(shop.world.store.deliveries(&session_id)[0].state, DeliveryState::Delivered);
}

#[test]
fn every_occasion_can_be_read_back_from_a_stored_body() {
    let shop = Shop::open(10);
    let session_id = shop.create(&body(&["knet"], "payment_request", &everything()));
    for sent in sent(&shop, &session_id) {
        let notified = checkout_core::message::facts::Facts::read(&sent.body).unwrap();
        assert_eq!((notified.occasion, notified.body()), (Occasion::Created, sent.body));
    }
    assert_eq!(checkout_core::message::facts::Facts::read(""), None);
    assert_eq!(checkout_core::message::facts::Facts::read("{}"), None);
}

/// A shop whose messages go by Twilio and Resend.
fn connected(seed: u64) -> Shop {
    Shop::open_with(seed, |settings| {
        settings["messages"] = value!({
            "email": {"provider": "resend", "from": "pay@shop.example", "credentials": {"api_key": "re_1"}},
            "sms": {"provider": "twilio", "from": "+15005550006", "credentials": {"account_sid": "AC00000000000000000000000000000000", "auth_token": "t"}},
            "whatsapp": {"provider": "meta", "from": "106540352242922", "credentials": {"access_token": "t"}, "templates": {"created": {"en": "till_created"}}},
        });
    })
}

#[test]
fn a_provider_that_knows_no_repeated_id_is_asked_once_if_its_answer_is_lost() {
    let shop = connected(20);
    let session_id = shop.create(&body(&["knet"], "payment_request", &value!({"sms": ["created"]})));
    let id = sent(&shop, &session_id)[0].id.clone();
    let _ = shop.world.http.take_sent();
    shop.world.http.answer_next(Ok(empty(429)));
    assert_eq!(block_on(deliver(&shop.world, &id)).unwrap(), Some(Effect::Retry), "it was surely not sent");
    shop.wait(3 * 3_600);
    shop.world.http.answer_next(Err(SendError::Unknown));
    assert_eq!(block_on(deliver(&shop.world, &id)).unwrap(), Some(Effect::Gone));
    assert_eq!(sent(&shop, &session_id)[0].note.clone().unwrap().fate, Fate::Unknown);
    shop.wait(3 * 3_600);
    assert_eq!(block_on(deliver(&shop.world, &id)).unwrap(), None);
    assert_eq!(shop.world.http.count(), 2);
}

#[test]
fn a_sender_that_stopped_in_the_middle_is_not_followed_by_another_try_that_could_arrive_twice() {
    let shop = connected(21);
    let session_id = shop.create(&body(&["knet"], "payment_request", &value!({"sms": ["created"]})));
    let id = sent(&shop, &session_id)[0].id.clone();
    let provider = checkout_core::messenger::provider::Provider::Twilio;
    assert!(
        block_on(shop.world.store.begin_message(&id, provider, shop.transaction(&session_id).created_at))
            .unwrap()
    );
    let _ = shop.world.http.take_sent();
    assert_eq!(block_on(deliver(&shop.world, &id)).unwrap(), Some(Effect::Gone));
    assert_eq!(shop.world.http.count(), 0);
}

#[test]
fn a_message_of_whatsapp_needs_a_template_of_its_event_and_language() {
    let shop = connected(22);
    let mut request = body(&["knet"], "payment_request", &value!({"whatsapp": ["created"]}));
    let english = shop.create(&request);
    request["language"] = "ar".into();
    let arabic = shop.create(&request);
    let _ = shop.world.http.take_sent();
    shop.world.http.answer_next(Ok(json(200, r#"{"messages":[{"id":"wamid.1"}]}"#)));
    assert_eq!(block_on(deliver(&shop.world, &sent(&shop, &english)[0].id)).unwrap(), Some(Effect::Stay));
    assert_eq!(block_on(deliver(&shop.world, &sent(&shop, &arabic)[0].id)).unwrap(), Some(Effect::Gone));
    let requests = shop.world.http.take_sent();
    assert_eq!(requests.len(), 1);
    assert_eq!(requests[0].url, "https://graph.facebook.com/v23.0/106540352242922/messages");
}

#[test]
fn a_report_changes_what_is_known_of_the_merchants_own_message_and_never_takes_back_what_says_more() {
    let shop = connected(23);
    let session_id = shop.create(&body(&["knet"], "payment_request", &value!({"email": ["created"]})));
    let id = sent(&shop, &session_id)[0].id.clone();
    shop.world.http.answer_next(Ok(json(200, r#"{"id":"m-1"}"#)));
    block_on(deliver(&shop.world, &id)).unwrap();
    let provider = checkout_core::messenger::provider::Provider::Resend;
    let at = shop.transaction(&session_id).created_at;
    let report = |merchant: &str, fate| {
        let merchant = checkout_core::value::id::MerchantId::parse(merchant).unwrap();
        let report = checkout_core::messenger::Report { provider_id: "m-1".into(), fate, detail: None };
        block_on(shop.world.store.report_message(&merchant, provider, &report, at)).unwrap()
    };
    assert!(!report("another", Fate::Failed));
    assert!(report("demo", Fate::Failed));
    assert!(!report("demo", Fate::Delivered));
    assert!(!report("demo", Fate::Failed), "it says nothing new");
    assert_eq!(sent(&shop, &session_id)[0].note.clone().unwrap().fate, Fate::Failed);
}

#[test]
fn every_change_is_stored_where_its_messages_are_added() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../core/src/flow");
    let mut folders = vec![folder];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if std::fs::read_to_string(&path).unwrap().contains("store().commit(") {
                found.push(path.file_name().unwrap().to_str().unwrap().to_owned());
            }
        }
    }
    assert_eq!(found, ["commit.rs"], "flow::commit::store adds the messages to payers");
}

mod settings {
    use super::{Shop, value};
    use checkout_core::access::operator::ROOT;
    use checkout_core::flow::operator::merchant::{add_merchant, read_merchant};
    use checkout_core::rejection::Rejection;
    use checkout_core::testing::world::World;
    use checkout_tests::shop::{DEMO_SETTINGS, refused};
    use pollster::block_on;
    use serde_json::Value;

    fn violations(messages: Value) -> Vec<String> {
        let mut settings: Value = serde_json::from_str(DEMO_SETTINGS).unwrap();
        settings["messages"] = messages;
        let body = value!({"merchant_id": "other", "settings": settings}).to_string();
        let refused = refused(block_on(add_merchant(&World::new(1), &ROOT, body.as_bytes())));
        let Rejection::Invalid(found) = &refused else { return vec![refused.code().into()] };
        found.iter().map(|violation| violation.path.trim_start_matches("settings.").to_owned()).collect()
    }

    #[test]
    fn every_wrong_field_of_a_provider_is_named() {
        assert_eq!(violations(value!({"fax": {}})), ["messages.fax"]);
        assert_eq!(violations(value!({"email": {"provider": "pigeon"}})), ["messages.email.provider"]);
        assert_eq!(
            violations(value!({"email": {"provider": "twilio", "from": "a"}})),
            ["messages.email.provider"]
        );
        assert_eq!(
            violations(
                value!({"email": {"provider": "resend", "from": "Shop", "credentials": {"key": "x"}}})
            ),
            ["messages.email.from", "messages.email.credentials.key", "messages.email.credentials.api_key"]
        );
        let whatsapp = value!({"provider": "meta", "from": "1", "credentials": {"access_token": "t"},
            "templates": {"refunded": {"en": "x"}, "paid": {"en": ""}}});
        assert_eq!(
            violations(value!({"whatsapp": whatsapp})),
            ["messages.whatsapp.templates.paid.en", "messages.whatsapp.templates.refunded"]
        );
    }

    #[test]
    fn secrets_of_providers_are_sealed_and_never_shown() {
        let shop = super::connected(24);
        let shown =
            checkout_tests::shop::json_of(&block_on(read_merchant(&shop.world, &shop.merchant)).unwrap())
                .to_string();
        assert!(!shown.contains("re_1"), "{shown}");
        assert!(shown.contains("[sealed]"));
        let _: &Shop = &shop;
    }
}
