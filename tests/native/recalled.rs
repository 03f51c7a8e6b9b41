//! Callers who are remembered: they are proved with what is stored, and before anything leaves.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::cell::Cell;

use checkout_core::access::grantor::Grantor;
use checkout_core::access::header::Credential;
use checkout_core::access::operator::ROOT;
use checkout_core::flow::account::key::revoke_key;
use checkout_core::flow::merchant::create::{CreateAnswer, CreateInput, create};
use checkout_core::flow::operator::merchant::replace_settings;
use checkout_core::flow::{Failure, answer_proved, identify};
use checkout_core::rejection::Rejection;
use checkout_core::route::Action;
use checkout_tests::shop::{DEMO_SETTINGS, Shop, refused};
use pollster::block_on;
use serde_json::{Value, json};

/// Creates as the Worker does; what it is answered, and how often the flow ran.
fn call(shop: &Shop, body: &Value, idempotency_key: Option<&str>) -> (Result<CreateAnswer, Failure>, u8) {
    let credential = Credential::offered(Action::Create, Some(&shop.authorization("private_key")));
    let (body, runs) = (body.to_string(), Cell::new(0_u8));
    let answer = async || {
        runs.set(runs.get().saturating_add(1));
        let caller = identify(&shop.world, &credential, Action::Create, None).await?.into_caller()?;
        let input = CreateInput { caller, idempotency_key, body: body.as_bytes(), file: None, wrong: &[] };
        create(&shop.world, input).await
    };
    (block_on(answer_proved(&shop.world, answer)), runs.get())
}

fn order() -> Value {
    json!({"type": "e_commerce", "amount": "1.250", "currency_code": "KWD", "pg_codes": ["knet"]})
}

fn remembered(seed: u64) -> Shop {
    let shop = Shop::open(seed);
    for _ in 0..3 {
        assert!(matches!(call(&shop, &order(), None), (Ok(_), 1)));
    }
    shop
}

fn revoke(shop: &Shop) {
    let prefix = shop.secret("private_key").split('.').next().unwrap();
    block_on(revoke_key(&shop.world, &shop.merchant, Grantor::Operator(&ROOT), prefix)).unwrap();
}

#[test]
fn a_revoked_key_stops_at_the_next_request() {
    let shop = remembered(901);
    let stored = shop.world.store.transactions().len();
    revoke(&shop);
    for nth in 0..1_000 {
        let (answer, runs) = call(&shop, &order(), Some("k-1").filter(|_| nth % 2 == 0));
        assert_eq!(refused(answer), Rejection::CredentialsInvalid);
        assert_eq!(runs, if nth == 0 { 2 } else { 1 });
    }
    assert_eq!(shop.world.store.transactions().len(), stored);
}

#[test]
fn a_revoked_key_hears_nothing_of_what_is_wrong_with_a_body() {
    for body in [json!({}), json!({"type": "e_commerce", "amount": "-1"})] {
        let shop = remembered(902);
        assert!(matches!(refused(call(&shop, &body, None).0), Rejection::Invalid(_)));
        revoke(&shop);
        assert_eq!(refused(call(&shop, &body, None).0), Rejection::CredentialsInvalid);
    }
}

#[test]
fn a_revoked_key_does_not_get_what_it_was_answered_before() {
    let shop = remembered(903);
    assert!(call(&shop, &order(), Some("k-1")).0.is_ok());
    assert!(call(&shop, &order(), Some("k-1")).0.unwrap().is_replayed);
    revoke(&shop);
    assert_eq!(refused(call(&shop, &order(), Some("k-1")).0), Rejection::CredentialsInvalid);
}

#[test]
fn other_settings_count_at_the_next_request() {
    let shop = remembered(904);
    let replace = |change: fn(&mut Value)| {
        let mut settings: Value = serde_json::from_str(DEMO_SETTINGS).unwrap();
        change(&mut settings);
        let body = settings.to_string();
        block_on(replace_settings(&shop.world, &ROOT, &shop.merchant, "", body.as_bytes())).unwrap();
    };
    replace(|settings| settings["is_paused"] = json!(true));
    let (answer, runs) = call(&shop, &order(), None);
    assert_eq!((refused(answer), runs), (Rejection::Paused, 2));
    assert_eq!(call(&shop, &order(), None).1, 1, "it is remembered so");
    replace(|_| {});
    let (answer, runs) = call(&shop, &order(), None);
    assert!(answer.is_ok() && runs == 2);
}
