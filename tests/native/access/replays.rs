//! Idempotency keys belong to their caller.

use checkout_core::flow::merchant::create::{self, create};
use checkout_core::flow::merchant::native::{NativeAnswer, PaymentInput, pay_by_wallet};
use checkout_core::value::id::SessionId;
use checkout_core::words::Wallet;
use checkout_tests::shop::{order, refused};
use serde_json::json;

use super::*;

const BUYER: [&str; 2] = ["Can add e-commerce payments", "Can use knet"];

fn buyer(shop: &Shop) -> Caller {
    added(shop, &json!({"username": "buyer", "password": PASSWORD, "permissions": BUYER}));
    sign_in(shop, "buyer", PASSWORD, &Route::CreateTransaction).unwrap()
}

fn created(shop: &Shop, caller: Caller, codes: &[&str]) -> Result<create::CreateAnswer, Failure> {
    let body = order(codes).to_string();
    let input = create::CreateInput {
        caller,
        idempotency_key: Some("key-1"),
        body: body.as_bytes(),
        file: None,
        wrong: &[],
    };
    block_on(create(&shop.world, input))
}

fn paid(shop: &Shop, caller: Caller, session_id: &SessionId) -> Result<NativeAnswer, Failure> {
    let body = format!(r#"{{"session_id":"{session_id}","payload":{{"paymentData":{{}}}}}}"#);
    let input = PaymentInput { caller, idempotency_key: Some("key-1"), body: body.as_bytes() };
    block_on(pay_by_wallet(&shop.world, Wallet::ApplePay, input))
}

#[test]
fn a_public_key_has_idempotency_keys_of_its_own() {
    let shop = Shop::open(61);
    let session_id = shop.create(&order(&["credit-card"]));
    let first = paid(&shop, shop.private(), &session_id).unwrap();
    assert!(paid(&shop, shop.private(), &session_id).unwrap().is_replayed);
    // Who reads a public key in a page and guesses the key of the merchant's server learns nothing.
    let public = || shop.holder(shop.secret("public_key"));
    let rejection = refused(paid(&shop, public(), &session_id));
    assert_eq!(rejection.code(), "not_payable");
    let other = shop.create(&order(&["credit-card"]));
    let own = paid(&shop, public(), &other).unwrap();
    assert!(!own.is_replayed && own.body != first.body);
    assert!(paid(&shop, public(), &other).unwrap().is_replayed);
    // Nor is the key of the server taken by it.
    let third = shop.create(&order(&["credit-card"]));
    assert_eq!(refused(paid(&shop, shop.private(), &third)).code(), "idempotency_key_reused");
}

#[test]
fn a_creation_is_repeated_only_for_who_may_create_it() {
    let shop = Shop::open(62);
    let first = created(&shop, shop.private(), &["knet", "credit-card"]).unwrap();
    let buyer = buyer(&shop);
    let rejection = refused(created(&shop, buyer.clone(), &["knet", "credit-card"]));
    assert_eq!(rejection.code(), "permission_missing");
    let again = created(&shop, shop.private(), &["knet", "credit-card"]).unwrap();
    assert!(again.is_replayed && again.body == first.body);
    let shop = Shop::open(63);
    let _ = created(&shop, shop.private(), &["knet"]).unwrap();
    let buyer = self::buyer(&shop);
    assert!(
        created(&shop, buyer, &["knet"]).unwrap().is_replayed,
        "the users of a merchant share their keys"
    );
}

#[test]
fn a_payment_is_repeated_only_for_who_may_pay_by_its_gateway() {
    let shop = Shop::open(64);
    let session_id = shop.create(&order(&["credit-card"]));
    assert!(!paid(&shop, shop.private(), &session_id).unwrap().is_replayed);
    let buyer = buyer(&shop);
    let rejection = refused(paid(&shop, buyer, &session_id));
    assert_eq!(rejection.code(), "permission_missing", "{rejection:?}");
}
