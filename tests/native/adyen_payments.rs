//! Payments through Adyen, of which nobody can ask what became of a payment without a page.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

use std::rc::Rc;

use checkout_core::attempt::stage::Stage;
use checkout_core::flow::sdk::wallet;
use checkout_core::record::attention::{AttentionId, Reason};
use checkout_core::testing::clock::ManualClock;
use checkout_core::testing::http::empty;
use checkout_core::value::id::ReferenceNumber;
use checkout_core::value::time::Timestamp;
use checkout_core::words::Wallet;
use checkout_tests::bank::Bank;
use checkout_tests::gateway::Gateway;
use checkout_tests::gateway::adyen::Adyen;
use checkout_tests::shop::{Shop, order};
use pollster::block_on;
use serde_json::{Value, json};

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
