//! Who may give permissions to whom, and what is wrong with a user or a key.

use checkout_core::access::key::ApiKey;
use checkout_core::access::operator::{Operator, ROOT};
use checkout_core::flow::account::key::{add_key, list_keys, revoke_key};
use checkout_core::flow::caller::token::give;
use checkout_core::flow::operator::merchant::add_merchant;
use checkout_core::flow::operator::staff::add_operator;
use checkout_core::route::Route;
use checkout_core::value::id::OperatorId;
use checkout_core::words::role::Role;
use checkout_tests::shop::{refused, text};
use serde_json::json;

use super::*;

const MANAGER: [&str; 3] = ["Can manage access", "Can add e-commerce payments", "Can use knet"];

fn manager(shop: &Shop) -> Caller {
    added(shop, &json!({"username": "boss", "password": PASSWORD, "permissions": MANAGER}));
    sign_in(shop, "boss", PASSWORD, &Route::ListOwnUsers).unwrap()
}

fn try_key(shop: &Shop, grantor: Grantor<'_>, body: &Value) -> Result<Value, Failure> {
    let body = body.to_string();
    block_on(add_key(&shop.world, &shop.merchant, grantor, body.as_bytes())).map(|shown| json_of(&shown))
}

#[test]
fn every_wrong_field_of_a_user_is_named_with_what_is_allowed() {
    let shop = Shop::open(21);
    added(&shop, &sara(&[]));
    let cases = [
        (json!({}), vec!["username: is required"]),
        (
            json!({"username": "a b", "password": "short", "first_name": "x".repeat(33), "email": "no", "phone": 1,
                "is_superuser": "perhaps", "permissions": "all", "is_active": true, "role": "admin"}),
            vec![
                "username",
                "password: must have at least 12 characters",
                "first_name: must have at most 32 characters",
                "email",
                "phone: must be a string",
                "is_superuser: must be true or false",
                "permissions: must be a list",
                "is_active",
                "role",
            ],
        ),
        (
            json!({"username": "Noura", "password": "my-name-is-NOURA!", "permissions": ["Can fly", 1, "Can manage cards"]}),
            vec![
                "password: must not contain the user name",
                "permissions.0: must be one of Can add e-commerce payments",
                "permissions.1: must be a string",
                "permissions.2: must be a permission of users",
            ],
        ),
        (
            json!({"username": "noura", "password": "x".repeat(257)}),
            vec!["password: must have at most 256 bytes"],
        ),
        (json!({"username": "SARA"}), vec!["username: is the name of another user"]),
    ];
    for (body, wanted) in cases {
        let mut found: Vec<String> = wrong(refused(try_add(&shop, Grantor::Operator(&ROOT), &body)))
            .into_iter()
            .map(|(path, said)| format!("{path}: {said}"))
            .collect();
        for wanted in &wanted {
            let place = found.iter().position(|said| said.starts_with(wanted));
            found.remove(place.unwrap_or_else(|| panic!("{wanted} is not in {found:?}")));
        }
        assert!(found.is_empty(), "more: {found:?}");
    }
}

#[test]
fn a_user_is_shown_without_the_password() {
    let shop = Shop::open(22);
    let shown = try_add(&shop, Grantor::Operator(&ROOT), &sara(&["Can use knet", "Can use knet"])).unwrap();
    assert_eq!(shown["permissions"], json!(["Can use knet"]));
    assert_eq!((&shown["username"], &shown["has_password"]), (&json!("sara"), &json!(true)));
    assert!(!shown.to_string().contains("argon2"), "{shown}");
    let id = UserId(1);
    let changed =
        try_change(&shop, id, Grantor::Operator(&ROOT), &json!({"first_name": null, "email": "s@x.example"}));
    let changed = changed.unwrap();
    assert_eq!((&changed["first_name"], &changed["email"]), (&Value::Null, &json!("s@x.example")));
    assert_eq!(changed["permissions"], json!(["Can use knet"]), "what is not given stays");
}

#[test]
fn nobody_gives_what_they_do_not_have() {
    let shop = Shop::open(23);
    let boss = manager(&shop);
    let by = Grantor::Merchant(&boss);
    assert!(try_add(&shop, by, &sara(&["Can use knet"])).is_ok());
    let too_much =
        json!({"username": "x", "is_superuser": true, "permissions": ["Can use mpgs", "Can use knet"]});
    let found = wrong(refused(try_add(&shop, by, &too_much)));
    let paths: Vec<&str> = found.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(paths, ["is_superuser", "permissions.0"], "{found:?}");
    // A private key without a scope, and a superuser, may give everything.
    for grantor in [Grantor::Operator(&ROOT), Grantor::Merchant(&shop.private())] {
        let body = json!({"username": format!("u{}", matches!(grantor, Grantor::Operator(_))), "is_superuser": true});
        assert!(try_add(&shop, grantor, &body).is_ok());
    }
}

#[test]
fn nobody_changes_someone_who_may_do_more() {
    let shop = Shop::open(24);
    let boss = manager(&shop);
    let super_user = added(&shop, &json!({"username": "root", "is_superuser": true}));
    let other = added(&shop, &sara(&["Can use mpgs"]));
    let own = added(&shop, &json!({"username": "clerk", "permissions": ["Can use knet"]}));
    for (id, is_allowed) in [(super_user, false), (other, false), (own, true)] {
        let changed =
            try_change(&shop, id, Grantor::Merchant(&boss), &json!({"password": "a new long password"}));
        assert_eq!(changed.is_ok(), is_allowed, "{changed:?}");
        if let Err(failure) = changed {
            assert_eq!(failure, Rejection::PermissionMissing.into());
        }
    }
    let foreign = UserId(99);
    let missing = try_change(&shop, foreign, Grantor::Operator(&ROOT), &json!({"phone": "1"}));
    assert_eq!(refused(missing), Rejection::NotFound);
}

#[test]
fn a_key_with_a_scope_may_do_what_it_names() {
    let shop = Shop::open(25);
    let permissions = ["Can add e-commerce payments", "Can use knet", "payment.refund"];
    let body = json!({"kind": "private", "name": "till 3", "permissions": permissions});
    let made = try_key(&shop, Grantor::Operator(&ROOT), &body).unwrap();
    assert_eq!(made["permissions"], json!(permissions));
    let key = format!("Api-Key {}", text(&made, "key").unwrap());
    for (route, is_allowed) in [
        (Route::CreateTransaction, true),
        (Route::Operate, true),
        (Route::ListTransactions, false),
        (Route::ListCards, false),
        (Route::AddOwnKey, false),
    ] {
        let found = shop.identify(Some(&key), &route);
        assert_eq!(found.is_ok(), is_allowed, "{route:?}");
        if let Err(rejection) = found {
            assert_eq!(rejection, Rejection::PermissionMissing);
        }
    }
    let listed = block_on(list_keys(&shop.world, &shop.merchant)).unwrap();
    let listed = json_of(&listed);
    let ours = listed.as_array().unwrap().iter().find(|key| key["name"] == "till 3").unwrap();
    assert_eq!(ours["permissions"], json!(permissions));
    assert!(ours["last_used_at"].is_string(), "{ours}");
}

#[test]
fn the_last_use_of_a_key_is_noted_once_an_hour() {
    let shop = Shop::open(26);
    let key = shop.authorization("private_key");
    let used = || {
        let listed = json_of(&block_on(list_keys(&shop.world, &shop.merchant)).unwrap());
        let private = listed.as_array().unwrap().iter().find(|key| key["kind"] == "private").unwrap().clone();
        private["last_used_at"].as_str().map(String::from)
    };
    let mut seen = Vec::new();
    for _ in 0..5 {
        shop.identify(Some(&key), &Route::ListMethods).unwrap();
        seen.push(used());
        shop.wait(1_900);
    }
    seen.dedup();
    assert_eq!(seen.len(), 3, "{seen:?}");
}

#[test]
fn a_public_key_can_be_limited_to_gateways_only() {
    let shop = Shop::open(27);
    let body = json!({"kind": "public", "permissions": ["Can use mpgs", "payment.refund"]});
    let found = wrong(refused(try_key(&shop, Grantor::Operator(&ROOT), &body)));
    assert_eq!(found[0].0, "permissions.1");
    let made =
        try_key(&shop, Grantor::Operator(&ROOT), &json!({"kind": "public", "permissions": ["Can use mpgs"]}));
    assert!(ApiKey::parse(text(&made.unwrap(), "key").unwrap()).is_some());
}

#[test]
fn a_manager_makes_keys_within_its_own_limits_and_revokes_only_those() {
    let shop = Shop::open(28);
    let boss = manager(&shop);
    let by = Grantor::Merchant(&boss);
    let unlimited = wrong(refused(try_key(&shop, by, &json!({"kind": "private"}))));
    assert_eq!(unlimited, [("permissions".to_string(), "is required".to_string())]);
    let own = try_key(&shop, by, &json!({"kind": "private", "permissions": ["Can use knet"]})).unwrap();
    let revoke = |prefix: &str| block_on(revoke_key(&shop.world, &shop.merchant, by, prefix));
    let root = shop.secret("private_key").split_once('.').unwrap().0.to_string();
    assert_eq!(refused(revoke(&root)), Rejection::PermissionMissing);
    assert_eq!(revoke(text(&own, "prefix").unwrap()), Ok(()));
    assert_eq!(refused(revoke("nosuchkey")), Rejection::NotFound);
}

#[test]
fn a_key_that_ends_makes_none_that_outlives_it() {
    let shop = Shop::open(23);
    let key = |grantor: Grantor<'_>, expires_at: &Value| {
        try_key(&shop, grantor, &json!({"kind": "private", "expires_at": expires_at}))
    };
    let end = json!("2026-06-01T00:00:00Z");
    let made = key(Grantor::Operator(&ROOT), &end).unwrap();
    let caller = shop.holder(text(&made, "key").unwrap());
    let own = Grantor::Merchant(&caller);
    for later in [Value::Null, json!("2026-06-01T00:00:01Z")] {
        let found = wrong(refused(key(own, &later)));
        assert_eq!(
            found,
            [("expires_at".into(), "must not be more than the caller may do".into())],
            "{later}"
        );
    }
    let paths: Vec<_> = wrong(refused(key(own, &json!("soon")))).into_iter().map(|(path, _)| path).collect();
    assert_eq!(paths, ["expires_at"], "what cannot be read is named once");
    assert!(key(own, &end).is_ok());
    // A token of the key ends with it, and gives no more than it.
    let (client_id, client_secret) = text(&made, "key").unwrap().split_once('.').unwrap();
    let asked = format!("grant_type=client_credentials&client_id={client_id}&client_secret={client_secret}");
    let token = block_on(give(&shop.world, asked.as_bytes(), None)).unwrap().access_token;
    let by_token =
        shop.identify(Some(&format!("Bearer {token}")), &Route::AddOwnKey).unwrap().into_caller().unwrap();
    assert_eq!(wrong(refused(key(Grantor::Merchant(&by_token), &Value::Null))).len(), 1);
    let endless = shop.private();
    assert!(key(Grantor::Merchant(&endless), &Value::Null).is_ok());
}

#[test]
fn who_ends_makes_and_changes_no_user() {
    let shop = Shop::open(29);
    let end = json!("2026-06-01T00:00:00Z");
    let made =
        try_key(&shop, Grantor::Operator(&ROOT), &json!({"kind": "private", "expires_at": end})).unwrap();
    let caller = shop.holder(text(&made, "key").unwrap());
    let temporary = operator(&shop, &end);
    let id = added(&shop, &sara(&["Can use knet"]));
    for grantor in [Grantor::Merchant(&caller), Grantor::Operator(&temporary)] {
        for body in [json!({"username": "x", "is_superuser": true}), json!({"username": "x"})] {
            assert_eq!(refused(try_add(&shop, grantor, &body)), Rejection::PermissionMissing, "{body}");
        }
        for body in [
            json!({"password": "a new long password"}),
            json!({"is_superuser": true}),
            json!({"permissions": ["Can use mpgs"]}),
            json!({"username": "another"}),
            json!({"is_active": true}),
        ] {
            assert_eq!(
                refused(try_change(&shop, id, grantor, &body)),
                Rejection::PermissionMissing,
                "{body}"
            );
        }
    }
    assert!(
        try_change(&shop, id, Grantor::Merchant(&shop.private()), &json!({"is_superuser": true})).is_ok()
    );
}

fn operator(shop: &Shop, end: &Value) -> Operator {
    let body = json!({"name": "for a while", "role": "admin", "expires_at": end}).to_string();
    let made = block_on(add_operator(&shop.world, &ROOT, body.as_bytes())).unwrap();
    Operator { id: OperatorId(made.id), name: made.name.into(), role: Role::Admin }
}

#[test]
fn an_operator_who_ends_makes_nothing_that_does_not() {
    let shop = Shop::open(30);
    let end = json!("2026-06-01T00:00:00Z");
    let temporary = operator(&shop, &end);
    let by = Grantor::Operator(&temporary);
    for (later, is_fit) in [(Value::Null, false), (json!("2026-06-01T00:00:01Z"), false), (end.clone(), true)]
    {
        let body = json!({"name": "another", "role": "admin", "expires_at": later}).to_string();
        let made = block_on(add_operator(&shop.world, &temporary, body.as_bytes()));
        assert_eq!(made.is_ok(), is_fit, "{later}");
        let made = try_key(&shop, by, &json!({"kind": "private", "expires_at": later}));
        assert_eq!(made.is_ok(), is_fit, "{later}");
        if let Err(failure) = made {
            assert_eq!(wrong(refused(Err::<(), _>(failure)))[0].0, "expires_at");
        }
    }
    let merchant = block_on(add_merchant(&shop.world, &temporary, b"{}"));
    assert_eq!(refused(merchant.map(|_| ())), Rejection::PermissionMissing);
}

#[test]
fn a_superuser_makes_no_key_with_what_users_cannot_have() {
    let shop = Shop::open(31);
    added(&shop, &json!({"username": "root", "password": PASSWORD, "is_superuser": true}));
    let root = sign_in(&shop, "root", PASSWORD, &Route::AddOwnKey).unwrap();
    let by = Grantor::Merchant(&root);
    let whole = wrong(refused(try_key(&shop, by, &json!({"kind": "private"}))));
    assert_eq!(whole, [("permissions".to_string(), "is required".to_string())]);
    let permissions = ["Can manage cards", "Can acknowledge cash", "payment.refund"];
    let found = wrong(refused(try_key(&shop, by, &json!({"kind": "private", "permissions": permissions}))));
    let paths: Vec<&str> = found.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(paths, ["permissions.0", "permissions.1"]);
    assert!(try_key(&shop, by, &json!({"kind": "private", "permissions": ["payment.refund"]})).is_ok());
    assert!(try_key(&shop, by, &json!({"kind": "public"})).is_ok(), "a public key lists no cards");
}

#[test]
fn a_role_fills_the_permissions_in_and_more_are_added() {
    let shop = Shop::open(27);
    let more = json!({"username": "noura", "role": "cashier", "permissions": ["Can view e-commerce payments", "payment.refund"]});
    let made = try_add(&shop, Grantor::Operator(&ROOT), &more).unwrap();
    let names =
        |shown: &Value| -> Vec<String> { serde_json::from_value(shown["permissions"].clone()).unwrap() };
    let has = |shown: &Value, name: &str| names(shown).iter().filter(|own| *own == name).count();
    for name in ["Can view e-commerce payments", "Can add payment requests", "Can use knet", "payment.refund"]
    {
        assert_eq!(has(&made, name), 1, "{name}: {made}");
    }
    assert_eq!((has(&made, "Can see personal data"), &made["is_superuser"]), (0, &json!(false)));
    let id = UserId(u32::try_from(made["id"].as_u64().unwrap()).unwrap());
    let owner = try_change(&shop, id, Grantor::Merchant(&shop.private()), &json!({"role": "owner"})).unwrap();
    assert_eq!((&owner["is_superuser"], names(&owner).len()), (&json!(true), 0));
    let viewer = try_change(&shop, id, Grantor::Operator(&ROOT), &json!({"role": "viewer"})).unwrap();
    assert_eq!(viewer["is_superuser"], json!(false));
    assert_eq!(names(&viewer), ["Can view e-commerce payments", "Can view payment requests"]);
    let edited =
        try_change(&shop, id, Grantor::Operator(&ROOT), &json!({"permissions": ["payment.void"]})).unwrap();
    assert_eq!(names(&edited), ["payment.void"], "what a role filled in stays editable");
}

#[test]
fn nobody_gives_a_role_that_has_more_than_they_have() {
    let shop = Shop::open(28);
    let boss = manager(&shop);
    for role in ["viewer", "cashier", "support", "finance", "developer", "owner", "admin", ""] {
        let body = json!({"username": format!("u-{role}"), "role": role});
        let found = wrong(refused(try_add(&shop, Grantor::Merchant(&boss), &body)));
        assert_eq!(found.len(), 1, "{role}: {found:?}");
        assert_eq!(found[0].0, "role", "{role}");
    }
    let shown = checkout_core::flow::account::user::roles(&boss);
    assert_eq!(shown.len(), 6);
    for role in shown {
        let body = json!({"username": format!("o-{}", role.role.as_str()), "role": role.role.as_str()});
        let made = try_add(&shop, Grantor::Operator(&ROOT), &body).unwrap();
        assert_eq!(
            (&made["permissions"], &made["is_superuser"]),
            (&json!(role.permissions), &json!(role.is_superuser))
        );
    }
}
