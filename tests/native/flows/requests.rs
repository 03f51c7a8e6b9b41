//! Who may ask, and requests that are repeated.

use super::*;
use checkout_core::access::operator::ROOT;

// Who may ask.

#[test]
fn only_the_private_key_of_the_merchant_creates_and_retrieves() {
    let shop = Shop::open(31);
    let session_id = shop.create(&order(&["knet"]));
    let public = shop.authorization("public_key");
    for (authorization, rejection) in [
        (None, Rejection::CredentialsMissing),
        (Some(""), Rejection::CredentialsInvalid),
        (Some("Basic dTpw"), Rejection::CredentialsInvalid),
        (Some("Bearer token"), Rejection::CredentialsInvalid),
        (Some("Api-Key aaaaaaaa.bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"), Rejection::CredentialsInvalid),
        (Some(public.as_str()), Rejection::PrivateKeyRequired),
    ] {
        for route in [Route::CreateTransaction, Route::RetrieveTransaction(session_id.clone())] {
            assert_eq!(shop.identify(authorization, &route), Err(rejection.clone()), "{authorization:?}");
        }
    }
}

#[test]
fn another_merchants_transaction_answers_like_none() {
    let shop = Shop::open(32);
    let session_id = shop.create(&order(&["knet"]));
    let settings: Value = serde_json::from_str(DEMO_SETTINGS).unwrap();
    let body = json!({"merchant_id": "other", "settings": settings}).to_string();
    let other =
        block_on(checkout_core::flow::operator::merchant::add_merchant(&shop.world, &ROOT, body.as_bytes()))
            .unwrap();
    let key = shop.holder(&other.private_key);
    let nobody = SessionId::generate(0, [7; 19]);
    for id in [&session_id, &nobody] {
        assert_eq!(refused(block_on(retrieve(&shop.world, &key, id))), Rejection::NotFound);
    }
}

// Idempotency.

#[test]
fn the_same_request_under_the_same_key_gets_the_same_bytes() {
    let shop = Shop::open(33);
    let first = shop.try_create(&order(&["knet"]), Some("k-1")).unwrap();
    shop.wait(3_600);
    for key in ["k-1", "\"k-1\"", " k-1 "] {
        let again = shop.try_create(&order(&["knet"]), Some(key)).unwrap();
        assert_eq!((again.status, &again.body, again.is_replayed), (201, &first.body, true), "{key}");
    }
    assert!(!first.is_replayed);
    assert_eq!(shop.world.store.transactions().len(), 1);
    assert_eq!(refused(shop.try_create(&order(&["mpgs"]), Some("k-1"))), Rejection::IdempotencyKeyReused);
    let other = shop.try_create(&order(&["knet"]), Some("k-2")).unwrap();
    assert_ne!(session_of(&other), session_of(&first));
}

#[test]
fn an_idempotency_key_is_visible_ascii_of_up_to_255_characters() {
    let shop = Shop::open(34);
    for key in ["", "\"\"", "a b", "é", &"k".repeat(256)] {
        let refusal = refused(shop.try_create(&order(&["knet"]), Some(key)));
        assert_eq!(refusal, Rejection::IdempotencyKeyMalformed, "{key:?}");
    }
    assert!(shop.try_create(&order(&["knet"]), Some(&"k".repeat(255))).is_ok());
}

#[test]
fn a_refused_request_does_not_use_its_key_up() {
    let shop = Shop::open(35);
    let mut wrong = order(&["knet"]);
    wrong["amount"] = json!("-1");
    assert!(matches!(refused(shop.try_create(&wrong, Some("k"))), Rejection::Invalid(_)));
    assert!(shop.try_create(&order(&["knet"]), Some("k")).is_ok());
}

#[test]
fn two_requests_under_one_key_at_the_same_time_get_the_same_bytes() {
    let shop = Shop::open(36);
    let winner = std::cell::RefCell::new(None);
    let world = Interrupted::before_random(&shop.world, || {
        *winner.borrow_mut() = Some(shop.try_create(&order(&["knet"]), Some("k")).unwrap());
    });
    let body = order(&["knet"]).to_string();
    let input = CreateInput {
        caller: shop.private(),
        idempotency_key: Some("k"),
        body: body.as_bytes(),
        file: None,
        wrong: &[],
    };
    let loser = block_on(create(&world, input)).unwrap();
    assert_eq!(Some(loser.body), winner.borrow().as_ref().map(|answer| answer.body.clone()));
    assert!(loser.is_replayed);
    assert_eq!(shop.world.store.transactions().len(), 1);
}

#[test]
fn a_key_is_deleted_after_four_days_and_not_before() {
    let shop = Shop::open(37);
    let first = shop.try_create(&order(&["knet"]), Some("k")).unwrap();
    shop.wait(96 * 3_600);
    shop.sweep();
    assert_eq!(shop.try_create(&order(&["knet"]), Some("k")).unwrap().body, first.body);
    shop.wait(1);
    shop.sweep();
    let later = shop.try_create(&order(&["knet"]), Some("k")).unwrap();
    assert!(!later.is_replayed && session_of(&later) != session_of(&first));
}

#[test]
fn the_payers_language_goes_to_the_bank_and_comes_back_with_the_payer() {
    let shop = Shop::open(1);
    let session_id = shop.create(&order(&["knet"]));
    let in_arabic = PayForm { language: Some(Language::Ar), ..form(&session_id, "knet") };
    block_on(pay(&shop.world, &in_arabic)).unwrap();
    let sent = shop.world.http.take_sent();
    let opening = sent.iter().find(|request| request.url.ends_with("/v1/charges")).unwrap();
    let opening: Value = serde_json::from_slice(&opening.body).unwrap();
    let reference = shop.latest(&session_id).reference;
    assert_eq!(opening["language"], "ar");
    assert_eq!(
        text(&opening, "return_url"),
        Some(format!("{}?language=ar", shop.return_url(&reference)).as_str())
    );
    let page = block_on(destination(&shop.world, &reference, Some(Language::Ar))).unwrap();
    assert!(page.ends_with(&format!("?session_id={session_id}&language=ar")), "{page}");
}

#[test]
fn one_transaction_may_offer_gateways_that_purchase_and_gateways_that_authorize() {
    for (codes, first) in [(["knet", "mpgs"], "purchase"), (["mpgs", "knet"], "authorize")] {
        for (paid, operation, state) in [("knet", "purchase", "paid"), ("mpgs", "authorize", "authorized")] {
            let shop = Shop::open(60);
            let answer = shop.try_create(&order(&codes), None).unwrap();
            let created: Value = serde_json::from_str(&answer.body).unwrap();
            assert_eq!(text(&created, "operation"), Some(first), "that of the first code");
            let methods = created.get("payment_methods").and_then(Value::as_array).unwrap();
            let said = methods.iter().map(|method| (text(method, "code"), text(method, "operation")));
            let kind = |code| if code == "knet" { "purchase" } else { "authorize" };
            assert!(said.eq(codes.map(|code| (Some(code), Some(kind(code))))), "each says its own");

            let session_id = session_of(&answer);
            let reference = shop.pay_to_page(&session_id, paid);
            shop.bank.approve(reference.as_str());
            let delivery = shop.come_back(&reference).unwrap().unwrap();
            let _ = shop.deliver(&delivery);
            let [notified] = shop.receiver.take_bodies().try_into().unwrap();
            let indicator = if operation == "purchase" { "payment" } else { "authorization" };
            assert_eq!(
                (text(&notified, "state"), text(&notified, "operation")),
                (Some(state), Some(indicator))
            );
            assert_eq!(
                shop.transaction(&session_id).operation.as_str(),
                operation,
                "that of the settled attempt"
            );
        }
    }
}
