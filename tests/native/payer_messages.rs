//! Messages to payers: which change is notified by which channel, to whom, and that each recipient gets each once.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

mod listing;
mod sending;
mod settings;

use checkout_core::flow::ending::end;
use checkout_core::flow::merchant::operate::{OperationInput, operate};
use checkout_core::payment::ending::Ending;
use checkout_core::port::{Attachments, Messages, SentMessage, World};
use checkout_core::value::id::SessionId;
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
    let input = OperationInput {
        caller: shop.private(),
        tracking_key: None,
        idempotency_key: None,
        body: body.as_bytes(),
    };
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
fn every_message_to_a_telephone_has_the_one_short_address_of_the_page() {
    let shop = Shop::open(4);
    let session_id = shop.create(&body(&["knet"], "payment_request", &everything()));
    pay(&shop, &session_id, "knet");
    operate_on(&shop, &session_id, "refund", Some("1.000"));
    let links = block_on(shop.world.store.short_links(&session_id)).unwrap();
    assert_eq!(links.len(), 1, "one address for life");
    let short = format!("{}/b/{}", shop.world.installation().public_url, links[0].code.as_str());
    let mut on_telephones = 0;
    for message in sent(&shop, &session_id) {
        let body: Value = serde_json::from_str(&message.body).unwrap();
        if message.channel.as_str() == "email" {
            assert!(body["link"].as_str().unwrap().contains("/b/checkout/redirect/start/"), "{body}");
        } else {
            assert_eq!(body["link"], short.as_str());
            on_telephones += 1;
        }
    }
    assert_eq!(on_telephones, 5, "created and paid by SMS and WhatsApp, refunded by SMS");
}

#[test]
fn who_chose_no_message_to_a_telephone_has_no_short_address_unless_asked_for() {
    let shop = Shop::open(4);
    let session_id =
        shop.create(&body(&["knet"], "payment_request", &value!({"email": ["created", "paid"]})));
    pay(&shop, &session_id, "knet");
    assert!(block_on(shop.world.store.short_links(&session_id)).unwrap().is_empty());
    let mut asked = body(&["knet"], "payment_request", &everything());
    asked["shortify_checkout_url"] = true.into();
    let session_id = shop.create(&asked);
    let links = block_on(shop.world.store.short_links(&session_id)).unwrap();
    assert_eq!(links.len(), 1, "the one that the request asked for is used");
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
    block_on(end(&shop.world, &canceled, Ending::CanceledByPayer, None)).unwrap();
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
fn every_change_is_stored_where_its_messages_are_added() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../core/src/flow");
    let mut folders = vec![folder];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if std::fs::read_to_string(&path).unwrap().contains(".ledger(change).commit(") {
                found.push(path.file_name().unwrap().to_str().unwrap().to_owned());
            }
        }
    }
    assert_eq!(found, ["commit.rs"], "flow::commit::store adds the messages to payers");
}
