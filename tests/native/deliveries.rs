//! Notifications of merchants: what their answers do, when they are sent again, and that two senders never
//! send the same one at once.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use checkout_core::flow::payer::come_back::destination;
use checkout_core::flow::payer::open_page::status;
use checkout_core::gateway::exchange::Outgoing;
use checkout_core::port::{Clock, Store};
use checkout_core::testing::http::empty;
use checkout_core::testing::store::{DeliveryState, StoredDelivery};
use checkout_core::value::id::{DeliveryId, ReferenceNumber, SessionId};
use checkout_core::webhook::delivery::{AnswerEffect, LEASE};
use checkout_tests::delivery::deliver;
use checkout_tests::middle::Interrupted;
use checkout_tests::shop::{Shop, WEBHOOK_URL, order};
use pollster::block_on;
use serde_json::{Value, json};

/// The seconds between the tries before jitter: 1, 5, 30 minutes, 2, 5, 10, 14, 20, 24 hours.
const SCHEDULE: [u64; 9] = [60, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

/// A shop with one outcome that the merchant has not been notified of yet.
struct Notified {
    shop: Shop,
    session_id: SessionId,
    reference: ReferenceNumber,
    id: DeliveryId,
}

impl Notified {
    fn new(seed: u64) -> Self {
        let shop = Shop::open(seed);
        let session_id = shop.create(&order(&["knet"]));
        let reference = shop.pay_to_page(&session_id, "knet");
        shop.bank.approve(reference.as_str());
        let id = shop.come_back(&reference).unwrap().unwrap();
        Self { shop, session_id, reference, id }
    }

    fn row(&self) -> StoredDelivery {
        self.shop.world.store.deliveries(&self.session_id).pop().unwrap()
    }

    fn reasons(&self) -> Vec<String> {
        self.shop.attention().iter().map(|id| id.reason.as_str().to_owned()).collect()
    }
}

fn header<'r>(request: &'r Outgoing, name: &str) -> &'r str {
    request.headers.iter().find(|(known, _)| *known == name).map(|(_, value)| value.as_str()).unwrap()
}

#[test]
fn only_200_sends_the_payer_on_and_only_200_and_201_are_delivered() {
    for (status, effect, state) in [
        (Some(200), AnswerEffect::Redirect, DeliveryState::Delivered),
        (Some(201), AnswerEffect::Stay, DeliveryState::Delivered),
        (Some(410), AnswerEffect::Gone, DeliveryState::Held),
        (Some(202), AnswerEffect::Retry, DeliveryState::Due),
        (Some(204), AnswerEffect::Retry, DeliveryState::Due),
        (Some(301), AnswerEffect::Retry, DeliveryState::Due),
        (Some(404), AnswerEffect::Retry, DeliveryState::Due),
        (Some(500), AnswerEffect::Retry, DeliveryState::Due),
        (None, AnswerEffect::Retry, DeliveryState::Due),
    ] {
        let notified = Notified::new(1);
        notified.shop.receiver.answer_next(status);
        assert_eq!(notified.shop.deliver(&notified.id), Some(effect), "{status:?}");
        let row = notified.row();
        assert_eq!((row.state, row.last_status, row.tries.len()), (state, status, 1), "{status:?}");
        let landed = block_on(destination(&notified.shop.world, &notified.reference, None)).unwrap();
        assert_eq!(landed.starts_with("https://shop.example.com/thanks?"), status == Some(200), "{status:?}");
        let is_gone = status == Some(410);
        assert_eq!(notified.reasons(), if is_gone { vec!["receiver_disabled"] } else { vec![] });
    }
}

#[test]
fn a_receiver_that_never_accepts_is_tried_ten_times_on_the_schedule_and_then_given_up() {
    for seed in 0..8 {
        let notified = Notified::new(seed);
        (0..20).for_each(|_| notified.shop.receiver.answer_next(Some(500)));
        assert_eq!(notified.shop.deliver(&notified.id), Some(AnswerEffect::Retry));
        for scheduled in SCHEDULE {
            let row = notified.row();
            let tried = row.tries.last().unwrap().at;
            let wait = row.message.due_at.since(tried).as_millis();
            let scheduled = u128::from(scheduled);
            assert!((scheduled * 800..=scheduled * 1_200).contains(&wait), "{scheduled} s: {wait} ms");
            notified
                .shop
                .world
                .clock
                .advance_to(row.message.due_at.minus(std::time::Duration::from_millis(1)));
            assert_eq!(notified.shop.sweep().delivered, 0, "not before it is due");
            notified.shop.world.clock.advance_to(row.message.due_at);
            assert_eq!(notified.shop.sweep().delivered, 1);
        }
        assert_eq!((notified.row().state, notified.row().tries.len()), (DeliveryState::GivenUp, 10));
        assert_eq!(notified.reasons(), ["delivery_given_up"]);
        notified.shop.wait(10 * 86_400);
        assert_eq!((notified.shop.sweep().delivered, notified.shop.receiver.take().len()), (0, 10));
        assert_eq!(notified.shop.state(&notified.session_id), "paid", "the payment does not depend on it");
    }
}

#[test]
fn every_try_has_the_same_id_and_body_and_a_time_and_signature_of_its_own() {
    let notified = Notified::new(2);
    notified.shop.receiver.answer_next(Some(500));
    let _failed = notified.shop.deliver(&notified.id);
    notified.shop.wait(120);
    notified.shop.sweep();
    let received = notified.shop.receiver.take();
    let [first, second] = received.as_slice() else { return assert_eq!(received.len(), 2) };
    assert_eq!((&first.url, &first.body), (&second.url, &second.body));
    assert_eq!(first.url, WEBHOOK_URL);
    for (request, second_of) in [(first, 0), (second, 120)] {
        assert_eq!(header(request, "webhook-id"), notified.id.as_str());
        let at: i64 = header(request, "webhook-timestamp").parse().unwrap();
        assert_eq!(at, checkout_core::testing::world::BEGINNING.seconds() + second_of);
        let signatures = header(request, "webhook-signature").split_once(" v1a,").unwrap();
        assert_eq!(signatures.0, signature(&notified.shop, request));
        assert_eq!(header(request, "content-type"), "application/json");
        assert!(header(request, "user-agent").starts_with("Till/"));
    }
}

/// The signature of a request by Standard Webhooks, computed independently of the code under test.
fn signature(shop: &Shop, request: &Outgoing) -> String {
    use base64::{Engine, engine::general_purpose::STANDARD};
    use hmac::{Hmac, Mac};
    let secret = shop.secret("webhook_signing_secret").strip_prefix("whsec_").unwrap();
    let mut mac = Hmac::<sha2::Sha256>::new_from_slice(&STANDARD.decode(secret).unwrap()).unwrap();
    let head = format!("{}.{}.", header(request, "webhook-id"), header(request, "webhook-timestamp"));
    mac.update(head.as_bytes());
    mac.update(&request.body);
    format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()))
}

#[test]
fn a_receiver_may_ask_for_a_longer_wait_and_not_for_a_shorter_one() {
    for (status, asked, at_least, at_most) in [
        (503, "3600", 3_600, 3_600),
        (429, "3600", 3_600, 3_600),
        (429, "1", 48, 72),
        (503, "999999", 86_400, 86_400),
        (503, "soon", 48, 72),
    ] {
        let notified = Notified::new(3);
        let mut answer = empty(status);
        answer.headers.push(("retry-after".into(), asked.into()));
        notified.shop.world.http.answer_next(Ok(answer));
        let _failed = notified.shop.deliver(&notified.id);
        let row = notified.row();
        let wait = row.message.due_at.since(row.tries.last().unwrap().at).as_secs();
        assert!((at_least..=at_most).contains(&wait), "{status}, {asked}: {wait}");
    }
}

#[test]
fn no_receiver_is_notified_by_two_at_once() {
    let notified = Notified::new(4);
    let world = Interrupted::after_send(&notified.shop.world, || {
        assert_eq!(notified.shop.deliver(&notified.id), None, "someone else is sending it");
        assert_eq!(notified.shop.sweep().delivered, 0);
    });
    assert_eq!(block_on(deliver(&world, &notified.id)), Ok(Some(AnswerEffect::Redirect)));
    assert_eq!(notified.shop.deliver(&notified.id), None, "it is delivered");
    assert_eq!(notified.shop.receiver.take().len(), 1);
}

#[test]
fn what_a_dead_sender_held_is_sent_when_its_lease_has_ended() {
    let notified = Notified::new(5);
    let now = notified.shop.world.clock.now();
    let claim = block_on(notified.shop.world.store.claim(&notified.id, now, now.plus(LEASE))).unwrap();
    assert!(claim.is_some());
    notified.shop.wait(LEASE.as_secs() - 1);
    assert_eq!(notified.shop.sweep().delivered, 0);
    notified.shop.wait(1);
    assert_eq!((notified.shop.sweep().delivered, notified.row().state), (1, DeliveryState::Delivered));
}

#[test]
fn a_payer_whose_merchant_answers_late_is_sent_on_by_polling() {
    let notified = Notified::new(6);
    notified.shop.receiver.answer_next(Some(500));
    let _failed = notified.shop.deliver(&notified.id);
    assert_eq!(block_on(status(&notified.shop.world, &notified.session_id)).unwrap().redirect_url, None);
    notified.shop.wait(120);
    notified.shop.sweep();
    let url = block_on(status(&notified.shop.world, &notified.session_id)).unwrap().redirect_url.unwrap();
    assert!(url.starts_with("https://shop.example.com/thanks?"), "{url}");
}

#[test]
fn one_run_notifies_one_receiver_of_everything_that_is_due() {
    let shop = Shop::open(7);
    for _ in 0..12 {
        let session_id = shop.create(&order(&["knet"]));
        let reference = shop.pay_to_page(&session_id, "knet");
        shop.bank.approve(reference.as_str());
        shop.come_back(&reference).unwrap();
    }
    assert_eq!((shop.sweep().delivered, shop.receiver.take().len()), (12, 12));
}

#[test]
fn the_address_of_the_transaction_goes_before_that_of_the_plugin() {
    let shop = Shop::open(8);
    shop.configure(|settings| {
        settings["plugins"]["e_commerce"]["webhook_url"] = json!("https://plugin.example.com/hook");
    });
    for (own, expected) in
        [(json!(WEBHOOK_URL), WEBHOOK_URL), (Value::Null, "https://plugin.example.com/hook")]
    {
        let mut body = order(&["cash"]);
        body["webhook_url"] = own;
        let session_id = shop.create(&body);
        shop.pay(&session_id, "cash").unwrap();
        let urls: Vec<_> = shop
            .world
            .store
            .deliveries(&session_id)
            .into_iter()
            .map(|row| row.message.recipient.address().to_owned())
            .collect();
        assert_eq!(urls, [expected]);
    }
}

#[test]
fn without_an_address_nobody_is_notified_and_the_payer_continues() {
    let shop = Shop::open(9);
    let mut body = order(&["cash"]);
    body["webhook_url"] = Value::Null;
    let session_id = shop.create(&body);
    shop.pay(&session_id, "cash").unwrap();
    assert!(shop.world.store.deliveries(&session_id).is_empty());
    let landed = block_on(destination(&shop.world, &shop.latest(&session_id).reference, None)).unwrap();
    assert!(landed.starts_with("https://shop.example.com/thanks?"), "{landed}");
}
