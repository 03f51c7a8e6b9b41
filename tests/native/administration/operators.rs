//! Several operators: their keys and roles.

use checkout_core::access::operator::ROOT;
use checkout_core::flow::operator::staff::{list_operators, revoke_operator};
use checkout_core::rejection::Rejection;
use checkout_core::route::{OperatorRoute, Route};
use checkout_core::testing::world::OPERATOR_TOKEN;
use checkout_core::value::id::{OperatorId, SettingsVersion};
use checkout_core::words::role::Role;
use checkout_tests::shop::{Shop, json_of, refused};
use pollster::block_on;
use serde_json::json;

use super::{made, of_role, operator, paths};

#[test]
fn an_operator_has_a_key_that_works_until_it_is_revoked() {
    let shop = Shop::open(1);
    let (sara, key) = of_role(&shop, "سارة", "support");
    assert_eq!((sara.id, &*sara.name, sara.role), (OperatorId(1), "سارة", Role::Support));
    assert_eq!(operator(&shop, OPERATOR_TOKEN), Ok(ROOT), "the token of the Worker is still an operator's");
    let wrong = format!("{}x", key.strip_suffix(char::is_alphanumeric).unwrap());
    let merchants = shop.secret("private_key");
    for other in [wrong.as_str(), key.strip_prefix("op_").unwrap(), merchants, &format!("op_{merchants}")] {
        assert_eq!(operator(&shop, other), Err(Rejection::CredentialsInvalid), "{other}");
    }
    assert_eq!(block_on(revoke_operator(&shop.world, &ROOT, sara.id)), Ok(()));
    assert_eq!(operator(&shop, &key), Err(Rejection::CredentialsInvalid));
    for id in [sara.id, OperatorId(7)] {
        assert_eq!(refused(block_on(revoke_operator(&shop.world, &ROOT, id))), Rejection::NotFound);
    }
}

#[test]
fn an_operator_may_revoke_itself() {
    let shop = Shop::open(2);
    let (noura, key) = of_role(&shop, "Noura", "admin");
    assert_eq!(block_on(revoke_operator(&shop.world, &noura, noura.id)), Ok(()));
    assert_eq!(operator(&shop, &key), Err(Rejection::CredentialsInvalid));
}

#[test]
fn two_operators_of_one_name_have_keys_at_the_same_time() {
    let shop = Shop::open(3);
    let (first, old) = of_role(&shop, "Billing", "read");
    let (second, new) = of_role(&shop, "Billing", "read");
    assert!(operator(&shop, &old).is_ok() && operator(&shop, &new).is_ok());
    block_on(revoke_operator(&shop.world, &ROOT, first.id)).unwrap();
    assert_eq!(operator(&shop, &old), Err(Rejection::CredentialsInvalid));
    assert_eq!(operator(&shop, &new).map(|found| found.id), Ok(second.id));
}

#[test]
fn a_key_of_an_operator_expires() {
    let shop = Shop::open(4);
    let body = json!({"name": "Auditor", "role": "read", "expires_at": "2026-01-01T01:00:00Z"});
    let answer = made(&shop, &ROOT, &body).unwrap();
    let key = answer["key"].as_str().unwrap();
    shop.wait(3_599);
    assert!(operator(&shop, key).is_ok());
    shop.wait(1);
    assert_eq!(operator(&shop, key), Err(Rejection::CredentialsInvalid));
}

#[test]
fn what_is_wrong_with_a_new_operator_is_named() {
    let shop = Shop::open(5);
    for (body, wrong) in [
        (json!({}), vec!["name", "role"]),
        (json!({"name": " ", "role": "root"}), vec!["name", "role"]),
        (json!({"name": "x".repeat(65), "role": "admin"}), vec!["name"]),
        (json!({"name": "x", "role": "read", "expires_at": "2025-12-31T00:00:00Z"}), vec!["expires_at"]),
        (json!({"name": "x", "role": "read", "expires": "2030-01-01T00:00:00Z"}), vec!["expires"]),
    ] {
        assert_eq!(paths(&refused(made(&shop, &ROOT, &body))), wrong, "{body}");
    }
    assert_eq!(json_of(&block_on(list_operators(&shop.world)).unwrap()), json!([]));
}

#[test]
fn operators_are_listed_without_their_keys() {
    let shop = Shop::open(6);
    let (sara, key) = of_role(&shop, "Sara", "support");
    block_on(revoke_operator(&shop.world, &ROOT, sara.id)).unwrap();
    let listed = json_of(&block_on(list_operators(&shop.world)).unwrap());
    let (prefix, secret) = key.strip_prefix("op_").and_then(|key| key.split_once('.')).unwrap();
    let last4 = secret.get(28..).unwrap();
    assert_eq!(
        listed,
        json!([{
            "created_at": "2026-01-01T00:00:00Z", "expires_at": null, "id": 1, "last4": last4,
            "last_used_at": "2026-01-01T00:00:00Z", "name": "Sara", "prefix": prefix,
            "revoked_at": "2026-01-01T00:00:00Z", "role": "support",
        }])
    );
}

#[test]
fn the_last_use_of_an_operators_key_is_noted_once_an_hour() {
    let shop = Shop::open(7);
    let (_, key) = of_role(&shop, "Sara", "read");
    let used = || json_of(&block_on(list_operators(&shop.world)).unwrap())[0]["last_used_at"].clone();
    for (wait, noted) in [(3_599, "00:00:00"), (1, "01:00:00"), (1, "01:00:00")] {
        shop.wait(wait);
        operator(&shop, &key).unwrap();
        assert_eq!(used(), json!(format!("2026-01-01T{noted}Z")));
    }
}

/// What a role may not do is refused with 403, and the same for every endpoint of its kind.
#[test]
fn each_role_may_call_its_endpoints_and_no_others() {
    let shop = Shop::open(8);
    let merchant = shop.merchant.clone();
    let keys = ["read", "support", "admin"].map(|role| of_role(&shop, role, role).1);
    let table = [
        (OperatorRoute::ReadMerchant(merchant.clone()), [true, true, true]),
        (OperatorRoute::ReadAudit, [true, true, true]),
        (OperatorRoute::ReadVersion(merchant.clone(), SettingsVersion(1)), [true, true, true]),
        (OperatorRoute::ListOperators, [true, true, true]),
        (OperatorRoute::PauseMerchant(merchant.clone()), [false, true, true]),
        (OperatorRoute::RevokeKey(merchant.clone(), "x".into()), [false, true, true]),
        (OperatorRoute::MoveClock(merchant.clone()), [false, true, true]),
        (OperatorRoute::ReplaceSettings(merchant.clone()), [false, false, true]),
        (OperatorRoute::AddKey(merchant.clone()), [false, false, true]),
        (OperatorRoute::AddWebhookSecret(merchant.clone()), [false, false, true]),
        (OperatorRoute::RestoreVersion(merchant, SettingsVersion(1)), [false, false, true]),
        (OperatorRoute::AddOperator, [false, false, true]),
        (OperatorRoute::RevokeOperator(OperatorId(1)), [false, false, true]),
        (OperatorRoute::AddMerchant, [false, false, true]),
    ];
    for (route, wanted) in table {
        let route = Route::Operator(route);
        for (key, is_permitted) in keys.iter().zip(wanted) {
            let found = shop.identify(Some(&format!("Bearer {key}")), &route);
            let refusal = found.err();
            assert_eq!(refusal, (!is_permitted).then_some(Rejection::PermissionMissing), "{route:?}");
        }
    }
    let own = shop.identify(Some(&format!("Bearer {}", keys[2])), &Route::CreateTransaction);
    assert_eq!(own, Err(Rejection::CredentialsInvalid), "an operator is no merchant");
}
