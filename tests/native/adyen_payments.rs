//! Payments through Adyen, of which nobody can ask what became of a payment without a page.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot go on has failed"
)]

use std::rc::Rc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use checkout_core::attempt::stage::Stage;
use checkout_core::card::Holder;
use checkout_core::flow::Failure;
use checkout_core::flow::report::gateway::{CalledBack, ReportAddress, call_back};
use checkout_core::flow::sdk::{self, wallet};
use checkout_core::gateway::exchange::Incoming;
use checkout_core::port::{Cards, Store};
use checkout_core::record::attention::{AttentionId, Reason};
use checkout_core::rejection::Rejection;
use checkout_core::testing::clock::ManualClock;
use checkout_core::testing::gateway::callback;
use checkout_core::testing::http::empty;
use checkout_core::value::id::{PgCode, ReferenceNumber, SessionId};
use checkout_core::value::time::Timestamp;
use checkout_core::words::Wallet;
use checkout_tests::bank::Bank;
use checkout_tests::gateway::Gateway;
use checkout_tests::gateway::adyen::Adyen;
use checkout_tests::shop::{Shop, order, refused};
use hmac::{Hmac, Mac};
use pollster::block_on;
use serde_json::{Value, json};
use sha2::Sha256;

/// The method of the shop whose gateway is Adyen.
const CODE: &str = "credit-card";

/// A shop whose cards are taken by Adyen.
fn shop(seed: u64) -> (Shop, Rc<Adyen>) {
    let adyen_at = |clock: &ManualClock| Adyen::new(clock, "shop");
    let shop = Shop::open_with(seed, |settings| {
        let own = adyen_at(&ManualClock::at(Timestamp::from_millis(0))).settings();
        let gateway = settings.pointer_mut("/gateways/2").and_then(Value::as_object_mut).unwrap();
        gateway.extend(own.as_object().unwrap().clone());
        gateway.remove("google_pay");
    });
    let adyen = Rc::new(adyen_at(&shop.world.clock));
    let (gateway, bank) = (Rc::clone(&adyen), shop.bank.clone());
    shop.world.http.answer_by(move |request| {
        if request.url.starts_with(gateway.origin()) {
            return Ok(gateway.answer(request));
        }
        if request.url.starts_with(Bank::ORIGIN) { bank.answer(request) } else { Ok(empty(200)) }
    });
    (shop, adyen)
}

/// A payment by wallet that ends at once in this stage.
fn ended(shop: &Shop, stage: Stage) -> ReferenceNumber {
    for _ in 0..64 {
        let session_id = shop.create(&order(&[CODE]));
        let payload = json!({"paymentData": {"data": "x"}});
        let body = json!({"session_id": session_id, "code": CODE, "apple_pay_payload": payload});
        block_on(wallet::pay(&shop.world, Wallet::ApplePay, body.to_string().as_bytes())).unwrap();
        let attempt = shop.latest(&session_id);
        if attempt.stage == stage {
            return attempt.reference;
        }
    }
    panic!("no payment ends as {stage}")
}

/// What a person is to look at after more than three days about a payment.
fn flagged_later(shop: &Shop, reference: &ReferenceNumber) -> Vec<AttentionId> {
    for _ in 0..80 * 4 {
        shop.wait(15 * 60);
        shop.sweep();
    }
    shop.attention().into_iter().filter(|id| id.reference == *reference).collect()
}

#[test]
fn a_decline_by_adyen_itself_is_for_nobody_to_look_at() {
    let (shop, _) = shop(1);
    let reference = ended(&shop, Stage::Failed);
    assert_eq!(flagged_later(&shop, &reference), []);
}

#[test]
fn what_adyen_refused_to_take_is_for_nobody_to_look_at() {
    let (shop, adyen) = shop(2);
    shop.world.http.answer_by(move |request| {
        Ok(if request.url.starts_with(adyen.origin()) { adyen.refusal() } else { empty(200) })
    });
    let reference = ended(&shop, Stage::Error);
    assert_eq!(flagged_later(&shop, &reference), []);
}

#[test]
fn what_adyen_never_decided_is_for_a_person() {
    let (shop, _) = shop(3);
    let reference = ended(&shop, Stage::Unknown);
    let [id] = &flagged_later(&shop, &reference)[..] else { panic!("no entry") };
    assert_eq!(id.reason, Reason::OutcomeUnknown);
}

/// The id of a payment at Adyen.
const PAYMENT: &str = "NC6HT9CRT65ZGN82";
const OTHER: &str = "NC6HT9CRT65ZGN83";
const CUSTOMER: &str = "customer-7";

fn signature(adyen: &Adyen, bytes: &[u8]) -> String {
    let settings = adyen.settings();
    let key = settings.pointer("/credentials/hmac_key").and_then(Value::as_str).unwrap();
    let mut mac = Hmac::<Sha256>::new_from_slice(&hex::decode(key).unwrap()).unwrap();
    mac.update(bytes);
    STANDARD.encode(mac.finalize().into_bytes())
}

fn account(adyen: &Adyen) -> String {
    let settings = adyen.settings();
    settings.pointer("/credentials/merchant_account").and_then(Value::as_str).unwrap().to_owned()
}

fn send(shop: &Shop, request: &Incoming) -> Result<CalledBack, Failure> {
    let address = ReportAddress::Account(shop.merchant.clone(), PgCode::parse(CODE).unwrap());
    block_on(call_back(&shop.world, address, request))
}

/// Adyen says something about a charge or an operation.
fn say(shop: &Shop, adyen: &Adyen, said: (&str, bool), subject: &ReferenceNumber) {
    say_of(shop, adyen, said, subject, PAYMENT);
}

/// The same of the payment with this id.
fn say_of(shop: &Shop, adyen: &Adyen, said: (&str, bool), subject: &ReferenceNumber, payment: &str) {
    let (event, is_success) = said;
    let total =
        block_on(shop.world.store.load_attempt(subject)).unwrap().unwrap().attempt.unwrap().quote.total;
    let (value, code) = (total.minor(), total.currency().code());
    let (account, success) = (account(adyen), is_success.to_string());
    let signed =
        [payment, "", &account, subject.as_str(), &value.to_string(), code, event, &success].join(":");
    let item = json!({
        "pspReference": payment, "merchantAccountCode": account, "merchantReference": subject.as_str(),
        "amount": {"currency": code, "value": value}, "eventCode": event, "success": success, "reason": "",
        "additionalData": {
            "hmacSignature": signature(adyen, signed.as_bytes()), "expiryDate": "3/2035", "cardSummary": "1111",
        },
    });
    let body = json!({"live": "false", "notificationItems": [{"NotificationRequestItem": item}]});
    send(shop, &callback(&[], body.to_string())).unwrap();
}

/// Adyen says that it saved the card of a payment.
fn say_saved(shop: &Shop, adyen: &Adyen, payment: &str) -> Result<CalledBack, Failure> {
    let body = json!({
        "type": "recurring.token.created", "eventId": payment,
        "data": {
            "merchantAccount": account(adyen), "shopperReference": CUSTOMER, "storedPaymentMethodId": "M5N7TQ4TG5PFWR50",
        },
    })
    .to_string();
    send(shop, &callback(&[("hmacsignature", &signature(adyen, body.as_bytes()))], body))
}

/// The payer is on the page of Adyen, which saves the card or not.
fn on_page(shop: &Shop, saves_card: bool) -> (SessionId, ReferenceNumber) {
    let mut body = order(&[CODE, "mpgs"]);
    body["customer_id"] = CUSTOMER.into();
    let session_id = shop.create(&body);
    let chosen = json!({"pg_code": CODE, "save_card": saves_card}).to_string();
    block_on(sdk::submit(&shop.world, &session_id, chosen.as_bytes())).unwrap();
    let reference = shop.latest(&session_id).reference;
    (session_id, reference)
}

/// How many cards are saved.
fn saved(shop: &Shop) -> usize {
    let holder = Holder { merchant: shop.merchant.clone(), customer_id: CUSTOMER.into(), is_sandbox: true };
    block_on(shop.world.store.cards(&holder, 9)).unwrap().len()
}

#[test]
fn a_card_is_saved_only_with_the_payment_that_counts() {
    for counts in [true, false] {
        let (shop, adyen) = shop(4);
        let (session_id, reference) = on_page(&shop, true);
        if !counts {
            let other = shop.pay_to_page(&session_id, "mpgs");
            shop.bank.approve(other.as_str());
            shop.come_back(&other).unwrap();
        }
        say(&shop, &adyen, ("AUTHORISATION", true), &reference);
        let flagged = shop.attention().iter().any(|id| id.reason == Reason::SecondSuccess);
        assert_eq!((flagged, saved(&shop)), (!counts, 0));
        say_saved(&shop, &adyen, PAYMENT).unwrap();
        assert_eq!(saved(&shop), usize::from(counts));
    }
}

#[test]
fn a_card_is_reported_again_only_if_its_payment_may_still_come() {
    let (shop, adyen) = shop(5);
    for (saves_card, cards) in [(false, 0), (true, 1)] {
        let (_, reference) = on_page(&shop, saves_card);
        if saves_card {
            let early = refused(say_saved(&shop, &adyen, OTHER));
            assert_eq!(early, Rejection::AttemptInProgress, "the payment is not known yet");
        }
        let payment = if saves_card { OTHER } else { PAYMENT };
        say_of(&shop, &adyen, ("AUTHORISATION", true), &reference, payment);
        // Another payment of the same customer waits for its card.
        on_page(&shop, true);
        for _ in 0..2 {
            say_saved(&shop, &adyen, payment).unwrap();
            assert_eq!(saved(&shop), cards);
        }
    }
    let unknown = refused(say_saved(&shop, &adyen, "ZZZZZZZZZZZZZZZZ"));
    assert_eq!(unknown, Rejection::AttemptInProgress);
}

#[test]
fn only_a_failed_capture_takes_the_money_of_a_payment_back() {
    for (said, is_taken_back) in [
        (("REFUND", false), false),
        (("CANCELLATION", false), false),
        (("CANCEL_OR_REFUND", false), false),
        (("REFUND_FAILED", true), false),
        (("REFUNDED_REVERSED", true), false),
        (("CAPTURE", true), false),
        (("CAPTURE", false), true),
        (("CAPTURE_FAILED", true), true),
    ] {
        let (shop, adyen) = shop(6);
        let (session_id, reference) = on_page(&shop, false);
        say(&shop, &adyen, ("AUTHORISATION", true), &reference);
        say(&shop, &adyen, said, &reference);
        let expected = is_taken_back.then_some(AttentionId { reference, reason: Reason::TakenBack });
        assert_eq!(shop.attention(), expected.into_iter().collect::<Vec<_>>(), "{said:?}");
        assert_eq!(shop.state(&session_id), "paid");
    }
}
