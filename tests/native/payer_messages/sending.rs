//! How a message is sent, once, and what its provider says about it.

use checkout_core::access::operator::ROOT;
use checkout_core::flow::operator::merchant::replace_settings;
use checkout_core::messenger::MessageReport;
use checkout_core::messenger::provider::Provider;
use checkout_core::port::{Messages, SendError};
use checkout_core::testing::http::{empty, json};
use checkout_core::testing::store::DeliveryState;
use checkout_core::value::id::SessionId;
use checkout_core::webhook::delivery::AnswerEffect;
use checkout_core::words::message::{Fate, MessageOccasion};
use checkout_tests::delivery::deliver;
use checkout_tests::shop::{DEMO_SETTINGS, Shop};
use pollster::block_on;
use serde_json::{Value, json as value};

use super::{ALL, body, by, everything, notified, pay, sent};

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
            Some(AnswerEffect::Retry) => assert_eq!(note.fate, Fate::Waiting),
            other => {
                assert_eq!(other, Some(AnswerEffect::Stay));
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
    request["customer_phone"] = "50001234".into();
    request["expiration_time"] = "01:00:00".into();
    let session_id = shop.create(&request);
    // The merchant moves to a country whose numbers are longer.
    let mut settings: Value = serde_json::from_str(DEMO_SETTINGS).unwrap();
    settings["country"] = "SA".into();
    let body = settings.to_string();
    block_on(replace_settings(&shop.world, &ROOT, &shop.merchant, "", body.as_bytes())).unwrap();
    let [email, sms] = sent(&shop, &session_id).try_into().unwrap();
    let _ = shop.world.http.take_sent();
    assert_eq!(block_on(deliver(&shop.world, &sms.id)).unwrap(), Some(AnswerEffect::Gone));
    shop.wait(3_601);
    assert_eq!(block_on(deliver(&shop.world, &email.id)).unwrap(), Some(AnswerEffect::Gone));
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
    assert_eq!(block_on(deliver(&shop.world, &message.id)).unwrap(), Some(AnswerEffect::Gone));
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
    assert_eq!(block_on(deliver(&shop.world, &id)).unwrap(), Some(AnswerEffect::Stay));
    assert_eq!(shop.world.http.count(), 0);
    assert_eq!(sent(&shop, &session_id)[0].note, Some(note));
    assert_eq!(shop.world.store.deliveries(&session_id)[0].state, DeliveryState::Delivered);
}

#[test]
fn every_occasion_can_be_read_back_from_a_stored_body() {
    let shop = Shop::open(10);
    let session_id = shop.create(&body(&["knet"], "payment_request", &everything()));
    for sent in sent(&shop, &session_id) {
        let notified = checkout_core::message::facts::MessageFacts::read(&sent.body).unwrap();
        assert_eq!((notified.occasion, notified.body()), (MessageOccasion::Created, sent.body));
    }
    assert_eq!(checkout_core::message::facts::MessageFacts::read(""), None);
    assert_eq!(checkout_core::message::facts::MessageFacts::read("{}"), None);
}

/// A shop whose messages go by Twilio and Resend.
pub(super) fn connected(seed: u64) -> Shop {
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
    assert_eq!(
        block_on(deliver(&shop.world, &id)).unwrap(),
        Some(AnswerEffect::Retry),
        "it was surely not sent"
    );
    shop.wait(3 * 3_600);
    shop.world.http.answer_next(Err(SendError::Unknown));
    assert_eq!(block_on(deliver(&shop.world, &id)).unwrap(), Some(AnswerEffect::Gone));
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
    assert_eq!(block_on(deliver(&shop.world, &id)).unwrap(), Some(AnswerEffect::Gone));
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
    assert_eq!(
        block_on(deliver(&shop.world, &sent(&shop, &english)[0].id)).unwrap(),
        Some(AnswerEffect::Stay)
    );
    assert_eq!(
        block_on(deliver(&shop.world, &sent(&shop, &arabic)[0].id)).unwrap(),
        Some(AnswerEffect::Gone)
    );
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
        let report = MessageReport { id: None, provider_id: "m-1".into(), fate, detail: None };
        block_on(shop.world.store.report_message(&merchant, provider, &report, at)).unwrap()
    };
    assert!(!report("another", Fate::Failed));
    assert!(report("demo", Fate::Failed));
    assert!(!report("demo", Fate::Delivered));
    assert!(!report("demo", Fate::Failed), "it says nothing new");
    assert_eq!(sent(&shop, &session_id)[0].note.clone().unwrap().fate, Fate::Failed);
}

#[test]
fn a_report_that_comes_before_the_answer_of_its_provider_is_not_lost() {
    let shop = connected(25);
    let chosen = value!({"email": ["created"], "sms": ["created"]});
    let session_id = shop.create(&body(&["knet"], "payment_request", &chosen));
    let at = shop.transaction(&session_id).created_at;
    for (place, provider, answer) in [
        (0, Provider::Resend, json(200, r#"{"id":"m-0"}"#)),
        (1, Provider::Twilio, json(201, r#"{"sid":"m-1"}"#)),
    ] {
        let id = sent(&shop, &session_id)[place].id.clone();
        let provider_id = format!("m-{place}");
        let report = MessageReport {
            id: Some(id.clone()),
            provider_id: provider_id.clone(),
            fate: Fate::Delivered,
            detail: None,
        };
        assert!(block_on(shop.world.store.report_message(&shop.merchant, provider, &report, at)).unwrap());
        shop.world.http.answer_next(Ok(answer));
        block_on(deliver(&shop.world, &id)).unwrap();
        let note = sent(&shop, &session_id)[place].note.clone().unwrap();
        assert_eq!((note.fate, note.provider_id), (Fate::Delivered, Some(provider_id)));
    }
}

#[test]
fn an_address_that_providers_do_not_take_is_no_reason_to_refuse_the_payment_and_gets_no_message() {
    let shop = Shop::open(31);
    for (email, is_sent) in [
        ("\"sara ali\"@example.com", false),
        ("\"a,b\"@example.com", false),
        ("sara@[127.0.0.1]", false),
        ("sara+tag@example.com", true),
        ("سارة@example.com", true),
    ] {
        let mut request = body(&["knet"], "payment_request", &value!({"email": ["created"]}));
        request["customer_email"] = email.into();
        let session_id = shop.create(&request);
        let message = sent(&shop, &session_id).swap_remove(0);
        let _ = shop.world.http.take_sent();
        shop.world.http.answer_next(Ok(json(202, "{\"id\":\"m-1\"}")));
        block_on(deliver(&shop.world, &message.id)).unwrap();
        assert_eq!(!shop.world.http.take_sent().is_empty(), is_sent, "{email}");
        let note = sent(&shop, &session_id)[0].note.clone().unwrap();
        assert_eq!(note.detail.is_some(), !is_sent, "{email}");
    }
}
