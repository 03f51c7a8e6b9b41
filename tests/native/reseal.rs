//! Secrets are sealed again under another key while payments go on.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use checkout_core::access::operator::ROOT;
use checkout_core::answer::operator::{Resealed, SealingShown};
use checkout_core::flow::card::{DebitAnswerShape, auto_debit};
use checkout_core::flow::merchant::native::PaymentInput;
use checkout_core::flow::operator::merchant::{add_merchant, replace_settings};
use checkout_core::flow::operator::reseal::{read_sealing, reseal};
use checkout_core::port::{Clock, Journal, MerchantSecrets, Registry, SealedSecrets};
use checkout_core::record::audit::{Entry, Search};
use checkout_core::settings::{NextKey, WebhookSecrets};
use checkout_core::value::sealed::{SealKeyId, Sealed};
use checkout_tests::shop::{DEMO_SETTINGS, Shop, json_of, order, text};
use pollster::block_on;
use serde_json::{Value, json};

/// What one merchant of the demo settings has sealed: two webhook secrets, and the credentials of its gateways.
fn sealed_by_demo() -> u64 {
    let settings: Value = serde_json::from_str(DEMO_SETTINGS).unwrap();
    let gateways = settings.get("gateways").and_then(Value::as_array).unwrap().iter();
    let credentials = gateways.filter_map(|gateway| gateway.get("credentials")?.as_object());
    let count: usize = credentials.map(serde_json::Map::len).sum();
    u64::try_from(count.saturating_add(2)).unwrap()
}

fn key(number: u8) -> SealKeyId {
    SealKeyId::of(&[number; 32])
}

fn sealing(shop: &Shop) -> SealingShown {
    block_on(read_sealing(&shop.world)).unwrap()
}

/// One call, as `[resealed, left, unreadable]`.
fn turn(shop: &Shop) -> [u64; 3] {
    let Resealed { resealed, left, unreadable, .. } = block_on(reseal(&shop.world, &ROOT)).unwrap();
    [resealed, left, unreadable]
}

/// How many values a key has sealed, by its number; `None` for what was sealed before keys had ids.
fn values(shop: &Shop, number: Option<u8>) -> u64 {
    let id = number.map(|number| key(number).as_str().to_owned());
    sealing(shop).keys.iter().filter(|one| one.key_id == id).map(|one| one.values).sum()
}

/// Whether secrets could be replaced.
fn replaced(shop: &Shop, next: &MerchantSecrets) -> bool {
    let entry = Entry::of(ROOT.actor(), "reseal", shop.world.clock.now()).about(&next.merchant);
    block_on(shop.world.store.replace_sealed(next, &entry.making(next.version.saturating_add(1)))).unwrap()
}

/// A payment at the bank, whose opening needs a credential and whose end a webhook secret.
fn pay(shop: &Shop) {
    let session_id = shop.create(&order(&["knet"]));
    let reference = shop.pay_to_page(&session_id, "knet");
    shop.bank.approve(reference.as_str());
    let delivery = shop.come_back(&reference).unwrap().unwrap();
    let _ = shop.deliver(&delivery);
    assert_eq!(shop.state(&session_id), "paid");
    assert_eq!(shop.receiver.take().len(), 1);
}

/// What an order under an agreement has in addition to the usual.
fn under_agreement() -> Value {
    let terms = json!({"id": "RENT", "amount_variability": "variable", "cycle_interval_days": 30,
        "expiry_date": "2030-01-01", "frequency": "monthly", "total_cycles": 9});
    let mut body = order(&["credit-card"]);
    let more = json!({"payment_type": "auto_debit", "customer_id": "c-1", "agreement": terms});
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    body
}

/// The payer saves a card; its token.
fn save_card(shop: &Shop) -> String {
    let session_id = shop.create(&under_agreement());
    let reference = shop.pay_to_page(&session_id, "credit-card");
    shop.bank.approve(reference.as_str());
    let delivery = shop.come_back(&reference).unwrap().unwrap();
    let _ = shop.deliver(&delivery);
    let notified = shop.receiver.take_bodies().pop().unwrap();
    notified.pointer("/token/token").and_then(Value::as_str).unwrap().to_owned()
}

fn debit(shop: &Shop, token: &str) -> Value {
    let session_id = shop.create(&under_agreement());
    let body = json!({"session_id": session_id.as_str(), "token": token}).to_string();
    let input = PaymentInput { caller: shop.private(), idempotency_key: None, body: body.as_bytes() };
    let answer = block_on(auto_debit(&shop.world, input, DebitAnswerShape::Native)).unwrap();
    serde_json::from_str(&answer.body).unwrap()
}

#[test]
fn payments_webhooks_and_saved_cards_go_on_while_the_key_is_replaced() {
    let shop = Shop::open(1);
    let card = save_card(&shop);
    let all = sealed_by_demo() + 1;
    shop.world.vault.set_keys([key(0)]);
    assert_eq!([values(&shop, Some(0)), values(&shop, Some(1))], [all, 0]);
    for (keys, wanted) in [
        // The new key opens everywhere before anything is sealed under it.
        (vec![key(0), key(1)], [0, 0, 0]),
        (vec![key(1), key(0)], [all, 0, 0]),
        (vec![key(1)], [0, 0, 0]),
    ] {
        shop.world.vault.set_keys(keys);
        pay(&shop);
        assert_eq!(debit(&shop, &card)["result"], "success");
        assert_eq!(turn(&shop), wanted);
        pay(&shop);
        assert_eq!(debit(&shop, &card)["result"], "success");
    }
    assert_eq!([values(&shop, Some(0)), values(&shop, Some(1))], [0, all]);
}

#[test]
fn a_key_that_has_sealed_something_and_is_missing_is_shown_as_such() {
    let shop = Shop::open(2);
    shop.world.vault.set_keys([key(1)]);
    let shown = sealing(&shop);
    let of = |number: u8| {
        let found = shown.keys.iter().find(|one| one.key_id.as_deref() == Some(key(number).as_str()));
        found.map(|one| (one.is_configured, one.seals))
    };
    assert_eq!([of(0), of(1)], [Some((false, false)), Some((true, true))]);
    assert_eq!(shown.left, sealed_by_demo());
    assert_eq!(turn(&shop), [0, sealed_by_demo(), sealed_by_demo()]);
    let version = block_on(shop.world.store.document(&shop.merchant)).unwrap().unwrap().version;
    assert_eq!(version, 1, "what cannot be opened stays as it is");
    shop.world.vault.set_keys([key(1), key(0)]);
    assert_eq!(turn(&shop), [sealed_by_demo(), 0, 0]);
}

#[test]
fn what_opens_is_sealed_again_once_although_something_else_does_not_open() {
    let shop = Shop::open(3);
    let [stored] = &block_on(shop.world.store.merchant_secrets(None, 10)).unwrap()[..] else { panic!() };
    let lost = Sealed::under(&key(9), &"a".repeat(40));
    let signing = vec![lost, stored.webhook.signing[0].clone()];
    let webhook = WebhookSecrets { signing, ..stored.webhook.clone() };
    assert!(replaced(&shop, &MerchantSecrets { webhook, ..stored.clone() }));
    shop.world.vault.set_keys([key(1), key(0)]);
    assert_eq!(turn(&shop), [sealed_by_demo(), 1, 1]);
    let version = || block_on(shop.world.store.document(&shop.merchant)).unwrap().unwrap().version;
    let before = version();
    assert_eq!(turn(&shop), [0, 1, 1]);
    assert_eq!(version(), before);
}

#[test]
fn settings_that_are_replaced_meanwhile_are_not_lost() {
    let shop = Shop::open(4);
    let stored = block_on(shop.world.store.merchant_secrets(None, 10)).unwrap().remove(0);
    shop.world.vault.set_keys([key(1), key(0)]);
    let mut settings: Value = serde_json::from_str(DEMO_SETTINGS).unwrap();
    settings["name"]["en"] = json!("Renamed Store");
    let body = settings.to_string();
    block_on(replace_settings(&shop.world, &ROOT, &shop.merchant, "", body.as_bytes())).unwrap();
    assert!(!replaced(&shop, &stored));
    // What the operator has just written is under the new key already.
    assert_eq!(turn(&shop), [2, 0, 0]);
    assert_eq!(shop.settings().name.en, "Renamed Store");
    pay(&shop);
}

#[test]
fn what_was_sealed_before_keys_had_ids_gets_one() {
    let shop = Shop::open(5);
    let stored = block_on(shop.world.store.merchant_secrets(None, 10)).unwrap().remove(0);
    let without = |sealed: &Sealed| Sealed(format!("v1.{}", sealed.parts().unwrap().1));
    let prefix = format!("v2.{}.", key(0).as_str());
    let WebhookSecrets { hmac_key, signing, .. } = &stored.webhook;
    let webhook = WebhookSecrets {
        hmac_key: without(hmac_key),
        signing: signing.iter().map(without).collect(),
        ..stored.webhook.clone()
    };
    let document = stored.document.replace(&prefix, "v1.");
    assert!(replaced(&shop, &MerchantSecrets { document, webhook, ..stored }));
    assert_eq!([values(&shop, None), values(&shop, Some(0))], [sealed_by_demo(), 0]);
    pay(&shop);
    assert_eq!(turn(&shop), [sealed_by_demo(), 0, 0]);
    assert_eq!([values(&shop, None), values(&shop, Some(0))], [0, sealed_by_demo()]);
    pay(&shop);
}

#[test]
fn one_call_seals_a_bounded_number_and_the_next_one_goes_on() {
    let shop = Shop::open(6);
    let settings: Value = serde_json::from_str(DEMO_SETTINGS).unwrap();
    for number in 0..119 {
        let body = json!({"merchant_id": format!("shop-{number}"), "settings": settings}).to_string();
        let added = json_of(&block_on(add_merchant(&shop.world, &ROOT, body.as_bytes())).unwrap());
        assert_eq!(text(&added, "merchant_id").unwrap(), format!("shop-{number}"));
    }
    shop.world.vault.set_keys([key(1), key(0)]);
    let one = sealed_by_demo();
    assert_eq!(turn(&shop), [100 * one, 20 * one, 0]);
    assert_eq!(turn(&shop), [20 * one, 0, 0]);
    assert_eq!(turn(&shop), [0, 0, 0]);
}

#[test]
fn a_key_of_signatures_that_is_to_come_is_sealed_again_and_the_audit_says_who_did_it() {
    let shop = Shop::open(7);
    let stored = block_on(shop.world.store.merchant_secrets(None, 10)).unwrap().remove(0);
    let key_to_come = NextKey { key: stored.webhook.hmac_key.clone(), from: shop.world.clock.now() };
    let webhook = WebhookSecrets { next_hmac: Some(key_to_come), ..stored.webhook.clone() };
    assert!(replaced(&shop, &MerchantSecrets { webhook, ..stored }));
    shop.world.vault.set_keys([key(1), key(0)]);
    assert_eq!(turn(&shop), [sealed_by_demo() + 1, 0, 0]);
    shop.world.vault.set_keys([key(1)]);
    pay(&shop);
    let search = Search { merchant: Some(shop.merchant.clone()), limit: 1, ..Search::default() };
    let [newest] = &block_on(shop.world.store.recorded(&search)).unwrap()[..] else { panic!() };
    assert_eq!((newest.action.as_str(), newest.actor.as_ref()), ("reseal", Some(&ROOT.actor())));
    assert_eq!(newest.after, Some(json!({"key_id": key(1).as_str()}).to_string()));
}
