//! Rotating the secret that signs the headers of webhooks, and the key that signs their bodies.

use checkout_core::access::grantor::Grantor;
use checkout_core::access::operator::ROOT;
use checkout_core::flow::account::webhook_secret::{
    add_webhook_secret, drop_webhook_secret, replace_signature_key,
};
use checkout_core::rejection::Rejection;
use checkout_core::value::id::MerchantId;
use checkout_core::value::time::Timestamp;
use checkout_core::webhook::signature::verify;
use checkout_core::webhook::standard::{SigningSecret, headers};
use checkout_tests::shop::{Shop, json_of, order, refused};
use pollster::block_on;
use serde_json::json;

use super::{entries, paths};

/// The signatures of the next webhook, and those that these secrets make of it.
fn signed(shop: &Shop, secrets: &[&str]) -> (Vec<String>, Vec<String>) {
    let session_id = shop.create(&order(&["cash"]));
    shop.pay(&session_id, "cash").unwrap();
    shop.sweep();
    let request = shop.receiver.take().pop().unwrap();
    let header = |name: &str| {
        let found = request.headers.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| value.clone()).unwrap()
    };
    let seconds: i64 = header("webhook-timestamp").parse().unwrap();
    let at = Timestamp::from_millis(seconds.saturating_mul(1_000));
    let secrets: Vec<_> = secrets.iter().map(|text| SigningSecret::parse(text).unwrap()).collect();
    let [_, _, (_, wanted)] = headers(&header("webhook-id"), at, &request.body, &secrets);
    let split = |text: &str| text.split(' ').map(String::from).collect();
    let sent = header("webhook-signature");
    let (symmetric, asymmetric) = sent.split_once(" v1a,").unwrap();
    assert!(!asymmetric.contains(' '), "one signature of the merchant's key comes last: {sent}");
    (split(symmetric), split(&wanted))
}

#[test]
fn the_secret_before_the_newest_signs_too_for_a_day() {
    let shop = Shop::open(1);
    let old = shop.secret("webhook_signing_secret").to_string();
    let made = add_webhook_secret(&shop.world, &shop.merchant, Grantor::Operator(&ROOT));
    let made = json_of(&block_on(made).unwrap());
    assert_eq!(made["previous_until"], json!("2026-01-02T00:00:00Z"));
    let new = made["webhook_signing_secret"].as_str().unwrap();
    assert_ne!(new, old);
    let (sent, wanted) = signed(&shop, &[new, &old]);
    assert_eq!(sent, wanted);
    shop.wait(86_400);
    let (sent, wanted) = signed(&shop, &[new]);
    assert_eq!(sent, wanted, "after a day the new one signs alone");
    let entry = &entries(&shop, "limit=1")[0];
    assert_eq!(
        (&entry["action"], &entry["before"], &entry["after"]),
        (&json!("add_webhook_secret"), &json!(["[sealed]"]), &json!(["[sealed]", "[sealed]"]))
    );
}

#[test]
fn the_secret_before_the_newest_is_dropped_at_once() {
    let shop = Shop::open(2);
    let private = shop.private();
    let by = Grantor::Merchant(&private);
    assert_eq!(refused(block_on(drop_webhook_secret(&shop.world, &shop.merchant, by))), Rejection::NotFound);
    let made = json_of(&block_on(add_webhook_secret(&shop.world, &shop.merchant, by)).unwrap());
    assert_eq!(block_on(drop_webhook_secret(&shop.world, &shop.merchant, by)), Ok(()));
    let (sent, wanted) = signed(&shop, &[made["webhook_signing_secret"].as_str().unwrap()]);
    assert_eq!(sent, wanted);
    assert_eq!(refused(block_on(drop_webhook_secret(&shop.world, &shop.merchant, by))), Rejection::NotFound);
    let actions: Vec<_> = entries(&shop, "limit=2").iter().map(|entry| entry["action"].clone()).collect();
    assert_eq!(actions, [json!("drop_own_webhook_secret"), json!("add_own_webhook_secret")]);
}

#[test]
fn of_three_secrets_the_two_newest_sign() {
    let shop = Shop::open(3);
    let by = Grantor::Operator(&ROOT);
    let next = || json_of(&block_on(add_webhook_secret(&shop.world, &shop.merchant, by)).unwrap());
    let (second, third) = (next(), next());
    let text = |made: &serde_json::Value| made["webhook_signing_secret"].as_str().unwrap().to_string();
    let (sent, wanted) = signed(&shop, &[&text(&third), &text(&second)]);
    assert_eq!(sent, wanted);
    let nobody = MerchantId::parse("nobody").unwrap();
    assert_eq!(
        refused(block_on(add_webhook_secret(&shop.world, &nobody, by)).map(|_| ())),
        Rejection::NotFound
    );
}

/// The body of the next webhook.
fn body(shop: &Shop) -> String {
    let session_id = shop.create(&order(&["cash"]));
    shop.pay(&session_id, "cash").unwrap();
    shop.sweep();
    String::from_utf8(shop.receiver.take().pop().unwrap().body).unwrap()
}

#[test]
fn a_new_key_of_signatures_begins_a_day_after_it_was_shown() {
    let shop = Shop::open(4);
    let old = shop.secret("webhook_hmac_key").to_string();
    let replace = |body: &[u8]| {
        let replaced = replace_signature_key(&shop.world, &shop.merchant, Grantor::Operator(&ROOT), body);
        block_on(replaced).map(|answer| json_of(&answer))
    };
    let dropped = replace(b"{}").unwrap();
    shop.wait(60);
    let made = replace(br#"{"at_once":false}"#).unwrap();
    assert_eq!(made["begins_at"], json!("2026-01-02T00:01:00Z"));
    let new = made["webhook_hmac_key"].as_str().unwrap();
    shop.wait(86_399);
    let early = body(&shop);
    assert!(verify(&early, &old) && !verify(&early, new));
    shop.wait(1);
    let sent = body(&shop);
    assert!(verify(&sent, new) && !verify(&sent, &old));
    assert!(
        !verify(&sent, dropped["webhook_hmac_key"].as_str().unwrap()),
        "one that had not begun is dropped"
    );
    // The one that began stays until the next begins.
    replace(b"{}").unwrap();
    assert!(verify(&body(&shop), new));
    let entry = &entries(&shop, "limit=1")[0];
    assert_eq!(
        (&entry["action"], &entry["after"]["key"]),
        (&json!("replace_signature_key"), &json!("[sealed]"))
    );
    assert!(!json!(entries(&shop, "")).to_string().contains(new));
    for wrong in [br#"{"at_once":"now"}"#.as_slice(), br#"{"once":true}"#] {
        assert_eq!(paths(&refused(replace(wrong))).len(), 1);
    }
}

#[test]
fn a_key_of_signatures_that_someone_else_knows_ends_at_once() {
    let shop = Shop::open(5);
    let private = shop.private();
    let by = Grantor::Merchant(&private);
    let replaced = replace_signature_key(&shop.world, &shop.merchant, by, br#"{"at_once":true}"#);
    let made = json_of(&block_on(replaced).unwrap());
    assert_eq!(made["begins_at"], json!("2026-01-01T00:00:00Z"));
    let sent = body(&shop);
    assert!(verify(&sent, made["webhook_hmac_key"].as_str().unwrap()));
    assert!(!verify(&sent, shop.secret("webhook_hmac_key")));
    assert_eq!(entries(&shop, "limit=1")[0]["action"], json!("replace_own_signature_key"));
}
