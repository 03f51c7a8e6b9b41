//! Receipts: one for each final outcome, always the same, and with nothing about the payer.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use checkout_core::api::sdk::Cancel;
use checkout_core::flow::merchant::retrieve::retrieve;
use checkout_core::flow::payer::receipt::{public_keys, receipt};
use checkout_core::flow::sdk::cancel;
use checkout_core::rejection::Rejection;
use checkout_core::testing::signer::PUBLIC_KEY;
use checkout_core::value::id::SessionId;
use checkout_tests::shop::{Shop, order, refused, text};
use pollster::block_on;
use serde_json::{Value, json};
use sha2::{Digest, Sha512};

fn bytes(part: &str) -> Vec<u8> {
    URL_SAFE_NO_PAD.decode(part).unwrap()
}

/// Header and payload of a receipt whose signature is that of the signer.
fn open(compact: &str) -> (Value, Value) {
    let (input, signature) = compact.rsplit_once('.').unwrap();
    assert_eq!(bytes(signature), Sha512::digest(input).to_vec());
    let (header, payload) = input.split_once('.').unwrap();
    let payload = String::from_utf8(bytes(payload)).unwrap();
    let claims: Value = serde_json::from_str(&payload).unwrap();
    assert_eq!(payload, claims.to_string(), "without spaces, its members in alphabetical order");
    (serde_json::from_slice(&bytes(header)).unwrap(), claims)
}

fn receipt_of(shop: &Shop, session_id: &SessionId) -> String {
    block_on(receipt(&shop.world, session_id)).unwrap()
}

fn retrieved(shop: &Shop, session_id: &SessionId) -> Value {
    let answer = block_on(retrieve(&shop.world, &shop.private(), session_id)).unwrap();
    serde_json::from_str(&answer.body).unwrap()
}

/// A shop with a transaction that was paid through a gateway.
fn paid(seed: u64, code: &str) -> (Shop, SessionId, String) {
    let shop = Shop::open(seed);
    let session_id = shop.create(&order(&[code]));
    let reference = shop.pay_to_page(&session_id, code);
    shop.bank.approve(reference.as_str());
    shop.come_back(&reference).unwrap();
    (shop, session_id, reference.to_string())
}

#[test]
fn the_receipt_of_a_payment_says_what_was_paid_by_which_attempt() {
    let (shop, session_id, reference) = paid(1, "knet");
    let (header, payload) = open(&receipt_of(&shop, &session_id));
    let kid = "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k";
    assert_eq!(header, json!({"alg": "EdDSA", "kid": kid, "typ": "receipt+jws"}));
    assert_eq!(
        payload,
        json!({
            "iss": "https://pay.example.com",
            "iat": 1_767_225_600,
            "merchant_id": "demo",
            "merchant_name": shop.settings().name.en,
            "session_id": session_id.as_str(),
            "order_no": "A-1",
            "operation": "purchase",
            "state": "paid",
            "result": "success",
            "amount": "10.000",
            "currency_code": "KWD",
            "amount_details": {"amount": "10.000", "currency_code": "KWD", "fee": "0.250", "total": "10.250"},
            "settled_amount": "10.000",
            "reference_number": reference,
            "pg_code": "knet",
            "is_sandbox": true,
        })
    );
}

#[test]
fn retrieving_and_downloading_give_the_same_receipt_however_late() {
    let (shop, session_id, _) = paid(2, "knet");
    let first = receipt_of(&shop, &session_id);
    shop.wait(86_400);
    shop.sweep();
    assert_eq!(text(&retrieved(&shop, &session_id), "receipt"), Some(first.as_str()));
    assert_eq!(receipt_of(&shop, &session_id), first);
}

#[test]
fn there_is_no_receipt_before_the_end() {
    let shop = Shop::open(3);
    let session_id = shop.create(&order(&["knet"]));
    let reference = shop.pay_to_page(&session_id, "knet");
    let has_none = || {
        assert_eq!(retrieved(&shop, &session_id).get("receipt"), None);
        assert_eq!(refused(block_on(receipt(&shop.world, &session_id))), Rejection::NotFound);
    };
    has_none();
    shop.bank.decline(reference.as_str());
    shop.come_back(&reference).unwrap();
    has_none();
    assert_eq!(shop.state(&session_id), "attempted");
    let unknown = SessionId::generate(0, [1; 19]);
    assert_eq!(refused(block_on(receipt(&shop.world, &unknown))), Rejection::NotFound);
}

#[test]
fn every_final_outcome_has_a_receipt() {
    let mut seen = Vec::new();
    for (code, result) in [("knet", "paid"), ("mpgs", "authorized")] {
        let (shop, session_id, _) = paid(4, code);
        let (_, payload) = open(&receipt_of(&shop, &session_id));
        assert_eq!(text(&payload, "state"), Some(result));
        seen.push(result);
    }
    let shop = Shop::open(5);
    let cash = shop.create(&order(&["cash"]));
    shop.pay(&cash, "cash").unwrap();
    let failed = shop.create(&order(&["single"]));
    let reference = shop.pay_to_page(&failed, "single");
    shop.bank.decline(reference.as_str());
    shop.come_back(&reference).unwrap();
    let canceled = shop.create(&order(&["knet"]));
    let body = br#"{"operation":"cancel"}"#;
    assert!(Cancel::check(body).is_ok());
    block_on(cancel(&shop.world, &canceled, body)).unwrap();
    for (session_id, state, result) in
        [(cash, "cod", Some("cod")), (failed, "failed", Some("failed")), (canceled, "canceled", None)]
    {
        let (_, payload) = open(&receipt_of(&shop, &session_id));
        assert_eq!((text(&payload, "state"), text(&payload, "result")), (Some(state), result));
        let is_settled = payload.get("settled_amount").is_some();
        assert_eq!(is_settled, state == "cod", "{state}");
        seen.push(state);
    }
    assert_eq!(seen, ["paid", "authorized", "cod", "failed", "canceled"]);
}

#[test]
fn what_has_expired_has_the_same_receipt_before_and_after_it_is_noted() {
    let shop = Shop::open(6);
    let session_id = shop.create(&order(&["knet"]));
    shop.wait(86_400 + 3_600);
    let before = receipt_of(&shop, &session_id);
    assert_eq!(shop.state(&session_id), "created", "not noted yet");
    shop.sweep();
    assert_eq!(shop.state(&session_id), "expired");
    assert_eq!(receipt_of(&shop, &session_id), before);
    let (_, payload) = open(&before);
    assert_eq!(payload.get("iat"), Some(&json!(1_767_225_600 + 86_400)));
}

#[test]
fn nothing_of_the_payer_is_in_a_receipt() {
    let shop = Shop::open(8);
    let mut body = order(&["cash"]);
    for (name, value) in [
        ("customer_first_name", "Canary-First"),
        ("customer_last_name", "Canary-Last"),
        ("customer_email", "canary@example.com"),
        ("customer_phone", "+96550000001"),
        ("customer_id", "canary-id"),
        ("vendor_name", "Canary-Vendor"),
    ] {
        body.as_object_mut().unwrap().insert(name.into(), json!(value));
    }
    let session_id = shop.create(&body);
    shop.pay(&session_id, "cash").unwrap();
    let payload = open(&receipt_of(&shop, &session_id)).1.to_string();
    assert!(!payload.to_lowercase().contains("canary") && !payload.contains("96550000001"), "{payload}");
    assert!(!payload.contains("shop.example.com"), "{payload}");
}

#[test]
fn the_key_set_names_the_key_of_every_receipt() {
    let (shop, session_id, _) = paid(9, "knet");
    let keys: Value = serde_json::from_str(&block_on(public_keys(&shop.world, "")).unwrap()).unwrap();
    let kid = open(&receipt_of(&shop, &session_id)).0.get("kid").cloned().unwrap();
    let key =
        json!({"kty": "OKP", "crv": "Ed25519", "x": PUBLIC_KEY, "kid": kid, "alg": "EdDSA", "use": "sig"});
    assert_eq!(keys, json!({"keys": [key]}));
}
