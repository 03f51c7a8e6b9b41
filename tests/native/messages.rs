//! The outbox: which kind each message has, to whom it goes, and what a person reads if it is given up.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use checkout_core::access::operator::ROOT;
use checkout_core::flow::ending::end;
use checkout_core::flow::merchant::inquiry::inquire;
use checkout_core::flow::merchant::operate::{OperationInput, operate};
use checkout_core::payment::ending::Ending;
use checkout_core::port::{Clock, Receivers, Store};
use checkout_core::record::audit::Entry;
use checkout_core::record::outbox::{Message, MessageKind};
use checkout_core::strings::facts::say;
use checkout_core::testing::store::DeliveryState;
use checkout_core::value::id::SessionId;
use checkout_core::words::Language;
use checkout_tests::shop::{Shop, WEBHOOK_URL, order};
use pollster::block_on;
use serde_json::{Value, json};

/// The messages about a transaction, in order.
fn messages(shop: &Shop, session_id: &SessionId) -> Vec<Message> {
    shop.world.store.deliveries(session_id).into_iter().map(|row| row.message).collect()
}

fn kinds(shop: &Shop, session_id: &SessionId) -> Vec<MessageKind> {
    messages(shop, session_id).iter().map(|message| message.kind).collect()
}

/// A payment of the body that succeeds, and was reported by the bank.
fn paid(shop: &Shop, body: &Value, code: &str) -> SessionId {
    let session_id = shop.create(body);
    let reference = shop.pay_to_page(&session_id, code);
    shop.bank.approve(reference.as_str());
    shop.call_back(&reference).unwrap();
    session_id
}

fn refund(shop: &Shop, session_id: &SessionId) {
    let body = json!({"session_id": session_id.as_str(), "operation": "refund"}).to_string();
    let input = OperationInput {
        caller: shop.private(),
        tracking_key: None,
        idempotency_key: None,
        body: body.as_bytes(),
    };
    block_on(operate(&shop.world, input)).unwrap();
}

fn ask_for_a_webhook(shop: &Shop, session_id: &SessionId) {
    let body = json!({"session_id": session_id.as_str(), "notify_webhook_url": true}).to_string();
    block_on(inquire(&shop.world, &shop.private(), body.as_bytes())).unwrap();
}

#[test]
fn what_happens_to_a_payment_is_a_message_of_its_own_kind() {
    let shop = Shop::open(1);
    let session_id = paid(&shop, &order(&["knet"]), "knet");
    refund(&shop, &session_id);
    ask_for_a_webhook(&shop, &session_id);
    let sent = messages(&shop, &session_id);
    let kinds: Vec<MessageKind> = sent.iter().map(|message| message.kind).collect();
    assert_eq!(
        kinds,
        [MessageKind::PaymentWebhook, MessageKind::OperationWebhook, MessageKind::RequestedWebhook]
    );
    assert!(sent.iter().all(|message| message.recipient.address() == WEBHOOK_URL));
    let attempt = shop.latest(&session_id).reference;
    let child = shop.world.store.children(&session_id).pop().unwrap().reference;
    let subjects: Vec<_> = sent.into_iter().map(|message| message.subject.reference).collect();
    assert_eq!(subjects, [attempt.clone(), child, attempt]);
}

#[test]
fn a_webhook_that_shows_a_saved_card_is_a_card_webhook() {
    let shop = Shop::open(2);
    let mut body = order(&["credit-card"]);
    let more = json!({"payment_type": "save_card", "amount": "0.000", "customer_id": "c-1"});
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let session_id = paid(&shop, &body, "credit-card");
    let sent = messages(&shop, &session_id).pop().unwrap();
    assert_eq!(sent.kind, MessageKind::CardWebhook);
    let body: Value = serde_json::from_str(&sent.body).unwrap();
    assert!(body["token"].is_object());
}

#[test]
fn the_end_of_a_transaction_is_a_payment_webhook() {
    let shop = Shop::open(3);
    let session_id = shop.create(&order(&["knet"]));
    block_on(end(&shop.world, &session_id, Ending::CanceledByPayer, None)).unwrap();
    assert_eq!(kinds(&shop, &session_id), [MessageKind::PaymentWebhook]);
}

#[test]
fn every_receiver_gets_a_message_of_its_own_with_its_own_id_and_the_same_bytes() {
    let shop = Shop::open_with(4, |settings| {
        settings["operations_webhook_url"] = "https://books.example.com/operations".into();
        settings["plugins"]["e_commerce"]["webhook_url"] = "https://plugin.example.com/hook".into();
    });
    let mut body = order(&["knet"]);
    body["webhook_url"] = Value::Null;
    let session_id = paid(&shop, &body, "knet");
    refund(&shop, &session_id);
    let mut sent = messages(&shop, &session_id);
    sent.retain(|message| message.kind == MessageKind::OperationWebhook);
    let [first, second] = sent.try_into().unwrap();
    assert_eq!(second.id.as_str(), format!("{}b", first.id));
    assert_eq!((&first.body, &first.subject), (&second.body, &second.subject));
    assert_ne!(first.recipient, second.recipient);
}

#[test]
fn every_kind_is_sent_with_the_same_id_at_each_try_and_held_when_its_receiver_is_gone() {
    let shop = Shop::open(5);
    let paid_id = paid(&shop, &order(&["knet"]), "knet");
    refund(&shop, &paid_id);
    for gone in messages(&shop, &paid_id) {
        for status in [500, 410] {
            shop.receiver.answer_next(Some(status));
            let _effect = shop.deliver(&gone.id);
            shop.wait(120);
        }
        let tried = shop.receiver.take();
        assert_eq!(tried.len(), 2, "{}", gone.kind);
        for request in tried {
            let id = request.headers.iter().find(|(name, _)| *name == "webhook-id");
            assert_eq!(id.map(|(_, id)| id.as_str()), Some(gone.id.as_str()));
        }
        let entries = block_on(shop.world.store.attention(10)).unwrap();
        let details: Vec<String> = entries.iter().map(|entry| say(Language::En, &entry.detail)).collect();
        let address = gone.recipient.address();
        assert!(details.contains(&format!("{address} answered 410: it is disabled")), "{details:?}");
        let rows = shop.world.store.deliveries(&paid_id);
        let held = rows.iter().filter(|row| row.message.recipient == gone.recipient);
        assert!(held.clone().count() > 0 && held.clone().all(|row| row.state == DeliveryState::Held));
        let now = shop.world.clock.now();
        let entry = Entry::of(ROOT.actor(), "enable_receiver", now).about(&gone.merchant).on(address);
        let enabled = shop.world.store.enable_receiver(&gone.merchant, address, now, &entry);
        let released = block_on(enabled).unwrap().map(|released| released.count);
        assert_eq!(released, Some(u32::try_from(held.count()).unwrap()));
    }
}
