//! One sample of every webhook, recorded from whole payments, and the number by which a receiver orders them.
//! `TILL_RECORD=1` writes the samples to `tests/vectors/webhooks/`; otherwise they must be what is sent.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::{env, fs};

use checkout_core::access::operator::ROOT;
use checkout_core::answer::operation::{ReportSource, body};
use checkout_core::flow::merchant::inquiry::inquire;
use checkout_core::flow::merchant::operate::{OperationInput, operate};
use checkout_core::flow::operator::merchant::replace_settings;
use checkout_core::flow::payer::open_page::{Visit, open_page};
use checkout_core::flow::report::gateway::{ReportAddress, call_back};
use checkout_core::gateway::exchange::Outgoing;
use checkout_core::value::id::SessionId;
use checkout_core::webhook::signature::verify;
use checkout_tests::bank::{Mood, received};
use checkout_tests::shop::{DEMO_SETTINGS, Shop, WEBHOOK_URL, order};
use pollster::block_on;
use serde_json::{Map, Value, json};

/// A sample: its file, which webhook of the description it is, what happened, and what was sent.
struct Sample {
    name: &'static str,
    webhook: &'static str,
    about: &'static str,
    shop: Shop,
    sent: Outgoing,
}

/// A shop that is notified of every end.
fn shop() -> Shop {
    Shop::open_with(14, |settings| {
        settings["notify"] = json!({"expired": true, "invalided": true});
    })
}

/// An order of which the merchant says much.
fn full_order(code: &str) -> Value {
    let mut body = order(&[code]);
    let more = json!({
        "customer_first_name": "محمد", "customer_last_name": "O'Neil", "customer_email": "payer@example.com",
        "customer_phone": "+96512345678", "customer_id": "customer-9", "extra": {"cart": ["tea", "cups"]},
        "billing_address": {"city": "Kuwait", "country": "KW", "line1": "Street 1", "postal_code": "13001"},
    });
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    body
}

/// The webhook that is sent last, once all that is due is sent.
fn last(shop: &Shop) -> Outgoing {
    shop.sweep();
    shop.receiver.take().pop().unwrap()
}

/// A payment whose payer comes back from the bank's page after the bank did something.
fn returned(shop: &Shop, body: &Value, at_bank: fn(&Shop, &str)) -> SessionId {
    let session_id = shop.create(body);
    let code = body["pg_codes"][0].as_str().unwrap();
    let reference = shop.pay_to_page(&session_id, code);
    at_bank(shop, reference.as_str());
    shop.come_back(&reference).unwrap();
    session_id
}

fn approve(shop: &Shop, reference: &str) {
    shop.bank.approve(reference);
}

fn do_operation(shop: &Shop, session_id: &SessionId, operation: &str, amount: Option<&str>) {
    let mut body = json!({"session_id": session_id.as_str(), "operation": operation});
    if let Some(amount) = amount {
        body["amount"] = json!(amount);
    }
    let body = body.to_string();
    let input = OperationInput {
        caller: shop.private(),
        tracking_key: None,
        idempotency_key: None,
        body: body.as_bytes(),
    };
    block_on(operate(&shop.world, input)).unwrap();
}

/// The bank does what it had queued, and reports it.
fn finish_at_bank(shop: &Shop, session_id: &SessionId) {
    let _ = shop.receiver.take();
    shop.wait(3_600);
    let child = shop.world.store.children(session_id).pop().unwrap();
    for callback in shop.bank.books().finish_operations() {
        let body = received(callback);
        block_on(call_back(&shop.world, ReportAddress::Subject(child.reference.clone()), &body)).unwrap();
    }
}

/// What happens to a payment before a sample of it is sent.
type Story = fn(&Shop);

/// Every sample: its file, its webhook, what happened in words, and what happens.
const STORIES: [(&str, &str, &str, Story); 20] = [
    ("payment-paid", "payment", "The payer paid on the page of the gateway.", |shop| {
        returned(shop, &full_order("knet"), approve);
    }),
    ("payment-paid-by-callback", "payment", "The gateway reported the payment by itself.", |shop| {
        let session_id = shop.create(&order(&["knet"]));
        let reference = shop.pay_to_page(&session_id, "knet");
        shop.bank.approve(reference.as_str());
        shop.call_back(&reference).unwrap();
    }),
    ("payment-authorized", "payment", "The amount is held on the card, to be captured.", |shop| {
        returned(shop, &order(&["mpgs"]), approve);
    }),
    ("payment-attempted", "payment", "The bank declined; the payer may try again.", |shop| {
        returned(shop, &order(&["knet"]), |shop, reference| shop.bank.decline(reference));
    }),
    ("payment-failed", "payment", "The bank declined the only attempt.", |shop| {
        returned(shop, &order(&["single"]), |shop, reference| shop.bank.decline(reference));
    }),
    ("payment-error", "payment", "The gateway could not be reached; the payer may try again.", |shop| {
        shop.bank.on_opening(Mood::Down);
        let session_id = shop.create(&order(&["knet"]));
        shop.pay(&session_id, "knet").unwrap();
    }),
    ("payment-pending", "payment", "The gateway did not say what became of the payment.", |shop| {
        shop.bank.on_opening(Mood::Mute);
        let session_id = shop.create(&order(&["knet"]));
        shop.pay(&session_id, "knet").unwrap();
    }),
    ("payment-canceled", "payment", "The merchant canceled before anyone tried to pay.", |shop| {
        let session_id = shop.create(&order(&["knet"]));
        do_operation(shop, &session_id, "cancel", None);
    }),
    ("payment-expired", "payment", "The time to pay is over (`notify.expired`).", |shop| {
        drop(shop.create(&order(&["knet"])));
        shop.wait(86_460);
    }),
    ("payment-invalided", "payment", "The settings no longer permit it (`notify.invalided`).", |shop| {
        let session_id = shop.create(&order(&["knet"]));
        let mut settings: Value = serde_json::from_str(DEMO_SETTINGS).unwrap();
        settings["notify"] = json!({"invalided": true});
        settings["gateways"].as_array_mut().unwrap().remove(0);
        let body = settings.to_string();
        block_on(replace_settings(&shop.world, &ROOT, &shop.merchant, "", body.as_bytes())).unwrap();
        let _ = block_on(open_page(&shop.world, Some(&session_id), Visit::PERSON)).unwrap();
    }),
    ("payment-cod", "payment", "The payer pays in cash on delivery.", |shop| {
        let session_id = shop.create(&order(&["cash"]));
        shop.pay(&session_id, "cash").unwrap();
    }),
    ("card-saved", "card", "The payer saved a card without paying.", |shop| {
        let body = json!({"type": "e_commerce", "payment_type": "save_card", "amount": "0.000",
            "currency_code": "KWD", "pg_codes": ["credit-card"], "customer_id": "customer-9",
            "webhook_url": WEBHOOK_URL});
        returned(shop, &body, approve);
    }),
    ("operation-capture", "operation", "A part of an authorized amount was captured.", |shop| {
        let session_id = returned(shop, &order(&["mpgs"]), approve);
        do_operation(shop, &session_id, "capture", Some("4.000"));
    }),
    ("operation-void", "operation", "An authorized amount was released.", |shop| {
        let session_id = returned(shop, &order(&["mpgs"]), approve);
        do_operation(shop, &session_id, "void", None);
    }),
    ("operation-refund", "operation", "A part of a payment was given back.", |shop| {
        let session_id = returned(shop, &order(&["knet"]), approve);
        do_operation(shop, &session_id, "refund", Some("3.000"));
    }),
    ("operation-refund-queued", "operation", "The bank queued a refund; another webhook follows.", |shop| {
        let session_id = returned(shop, &order(&["knet"]), approve);
        do_operation(shop, &session_id, "refund", Some("2.015"));
    }),
    ("operation-refund-done", "operation", "The bank has done a refund that it had queued.", |shop| {
        let session_id = returned(shop, &order(&["knet"]), approve);
        do_operation(shop, &session_id, "refund", Some("2.015"));
        finish_at_bank(shop, &session_id);
    }),
    ("operation-refund-rejected", "operation", "The bank rejected a refund that it had queued.", |shop| {
        let session_id = returned(shop, &order(&["knet"]), approve);
        do_operation(shop, &session_id, "refund", Some("2.013"));
        finish_at_bank(shop, &session_id);
    }),
    ("requested-captured", "requested", "The merchant's inquiry asked for it, after a capture.", |shop| {
        let session_id = returned(shop, &order(&["mpgs"]), approve);
        do_operation(shop, &session_id, "capture", Some("4.000"));
        let body = json!({"session_id": session_id.as_str(), "notify_webhook_url": true}).to_string();
        block_on(inquire(&shop.world, &shop.private(), body.as_bytes())).unwrap();
    }),
    ("alert-raised", "alert", "A payment is held: the gateway took another amount.", |shop| {
        returned(shop, &order(&["knet"]), |shop, reference| {
            shop.bank.approve_another_amount(reference, "1.000");
        });
        shop.sweep();
        let mut settings: Value = serde_json::from_str(DEMO_SETTINGS).unwrap();
        settings["alerts"] = json!({"webhook_url": "https://shop.example.com/alerts"});
        let body = settings.to_string();
        block_on(replace_settings(&shop.world, &ROOT, &shop.merchant, "", body.as_bytes())).unwrap();
    }),
];

fn samples() -> impl Iterator<Item = Sample> {
    STORIES.into_iter().map(|(name, webhook, about, story)| {
        let shop = shop();
        story(&shop);
        let sent = last(&shop);
        Sample { name, webhook, about, shop, sent }
    })
}

fn file(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "vectors", "webhooks", &format!("{name}.json")].iter().collect()
}

/// The headers that a receiver verifies. Of the signatures only those for which it has the secret.
fn headers(sent: &Outgoing) -> Map<String, Value> {
    let names = ["content-type", "webhook-id", "webhook-timestamp", "webhook-signature"];
    let found = sent.headers.iter().filter(|(name, _)| names.contains(name));
    let symmetric = |value: &str| -> String {
        value.split(' ').filter(|entry| !entry.starts_with("v1a,")).collect::<Vec<_>>().join(" ")
    };
    found.map(|(name, value)| ((*name).into(), symmetric(value).into())).collect()
}

#[test]
fn the_samples_are_what_whole_payments_send() {
    for Sample { name, webhook, about, shop, sent } in samples() {
        let body = String::from_utf8(sent.body.clone()).unwrap();
        let (hmac_key, signing_secret) =
            (shop.secret("webhook_hmac_key"), shop.secret("webhook_signing_secret"));
        assert_eq!(
            verify(&body, hmac_key),
            webhook != "alert",
            "{name}: an alert is signed by its headers only"
        );
        let sample = json!({
            "about": about, "webhook": webhook, "hmac_key": hmac_key, "signing_secret": signing_secret,
            "headers": headers(&sent), "body": body,
        });
        let text = serde_json::to_string_pretty(&sample).unwrap() + "\n";
        if env::var_os("TILL_RECORD").is_some() {
            fs::create_dir_all(file(name).parent().unwrap()).unwrap();
            fs::write(file(name), &text).unwrap();
        }
        let recorded = fs::read_to_string(file(name)).unwrap_or_default();
        assert_eq!(recorded, text, "{name}: call make record");
    }
}

#[test]
fn every_state_that_is_notified_and_every_outcome_of_an_operation_has_a_sample() {
    let mut found: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for sample in samples() {
        let body: Value = serde_json::from_slice(&sample.sent.body).unwrap();
        let of = |name: &str| body[name].as_str().unwrap_or_default().to_owned();
        if sample.webhook == "alert" {
            assert_eq!(body["type"], "alert.raised");
        } else if sample.webhook == "operation" {
            found.entry("operations").or_default().push(format!("{} {}", of("operation"), of("result")));
        } else {
            found.entry("states").or_default().push(of("state"));
            found.entry("results").or_default().push(of("result"));
        }
    }
    let has = |what: &str, words: &[&str]| {
        for word in words {
            assert!(found[what].iter().any(|known| known == word), "{what}: {word} of {:?}", found[what]);
        }
    };
    let states =
        ["paid", "authorized", "failed", "canceled", "expired", "invalided", "cod", "pending", "attempted"];
    has("states", &states);
    has("results", &["success", "failed", "canceled", "error", "pending", "cod"]);
    let operations =
        ["capture success", "void success", "refund success", "refund queued", "refund rejected"];
    has("operations", &operations);
}

/// The sequence numbers of everything that was recorded to be sent about a transaction, with its events' numbers.
fn sequences(shop: &Shop, session_id: &SessionId) -> Vec<(i64, String)> {
    let deliveries = shop.world.store.deliveries(session_id);
    let of = |body: &str| serde_json::from_str::<Value>(body).unwrap()["sequence"].as_i64().unwrap();
    deliveries
        .iter()
        .map(|stored| (of(&stored.message.body), stored.message.id.as_str().to_owned()))
        .collect()
}

#[test]
fn a_webhook_has_the_number_of_the_event_that_caused_it_and_the_newest_has_the_largest() {
    let shop = shop();
    let session_id = returned(&shop, &order(&["mpgs"]), approve);
    assert_eq!(shop.transaction(&session_id).version, 4, "created, opened, redirected, approved");
    let mut wanted = vec![4];
    for (operation, amount) in [("capture", "4.000"), ("capture", "6.000"), ("refund", "1.000")] {
        do_operation(&shop, &session_id, operation, Some(amount));
        wanted.push(shop.transaction(&session_id).version);
    }
    let found = sequences(&shop, &session_id);
    assert_eq!(found.iter().map(|(number, _)| *number).collect::<Vec<_>>(), wanted);
    assert!(wanted.is_sorted_by(|one, next| one < next), "{wanted:?}");
}

#[test]
fn the_number_of_a_webhook_is_the_same_at_every_try() {
    let shop = shop();
    let session_id = returned(&shop, &order(&["knet"]), approve);
    shop.receiver.answer_next(Some(500));
    let first = last(&shop);
    do_operation(&shop, &session_id, "refund", Some("1.000"));
    shop.wait(120);
    shop.sweep();
    let again: Vec<Outgoing> = shop.receiver.take();
    let first_body = first.body;
    assert!(again.iter().any(|sent| sent.body == first_body), "sent again with the same bytes");
}

/// The end of the time is answered before it is stored. Should the payment succeed after all, that event gets the
/// next number, and a receiver must not take it for older than the answer.
#[test]
fn an_end_that_is_not_stored_yet_does_not_take_the_number_of_the_next_event() {
    let shop = shop();
    let session_id = returned(&shop, &order(&["knet"]), |shop, reference| shop.bank.decline(reference));
    shop.wait(86_460);
    let body = json!({"session_id": session_id.as_str(), "notify_webhook_url": true}).to_string();
    let answer = block_on(inquire(&shop.world, &shop.private(), body.as_bytes())).unwrap();
    let answer: Value = serde_json::from_str(&answer.body).unwrap();
    let before = answer["sequence"].as_i64().unwrap();
    assert_eq!(answer["state"], json!("expired"));
    shop.sweep();
    let found = sequences(&shop, &session_id);
    let later: Vec<i64> = found.iter().map(|(number, _)| *number).filter(|number| *number > before).collect();
    assert_eq!((before, later.len()), (4, 1), "{found:?}");
}

/// A gateway may answer an operation with any text; the receiver is promised an object.
#[test]
fn the_answer_of_the_gateway_to_an_operation_is_an_object_whatever_it_was() {
    let shop = shop();
    let session_id = returned(&shop, &order(&["knet"]), approve);
    do_operation(&shop, &session_id, "refund", Some("1.000"));
    let transaction = shop.transaction(&session_id);
    let mut child = shop.world.store.children(&session_id).pop().unwrap();
    for (given, shown) in [
        (Some(r#"{"a":1}"#), json!({"a": 1})),
        (Some("[1]"), json!({})),
        (Some("\"text\""), json!({})),
        (Some("null"), json!({})),
        (Some("not JSON"), json!({})),
        (None, json!({})),
    ] {
        child.response = given.map(Into::into);
        let sent = body(&transaction, &child, ReportSource::Gateway, "key").unwrap();
        let sent: Value = serde_json::from_str(&sent).unwrap();
        assert_eq!(sent["pg_response"], shown, "{given:?}");
    }
}
