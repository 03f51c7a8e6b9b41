//! What the operator does: merchants, settings, keys, the attention list.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

mod attention;
mod transactions;

use checkout_core::access::Principal;
use checkout_core::access::grantor::Grantor;
use checkout_core::access::header::Credential;
use checkout_core::access::operator::ROOT;
use checkout_core::flow::Failure;
use checkout_core::flow::account::key::{add_key, list_keys, revoke_key};
use checkout_core::flow::identify;
use checkout_core::flow::merchant::create::{CreateInput, create};
use checkout_core::flow::operator::merchant::{add_merchant, read_merchant, replace_settings};
use checkout_core::port::{NewDocument, Registry};
use checkout_core::record::audit::Entry;
use checkout_core::rejection::Rejection;
use checkout_core::route::{OperatorRoute, Route};
use checkout_core::settings::SEALED;
use checkout_core::testing::world::{BEGINNING, OPERATOR_TOKEN};
use checkout_core::value::id::MerchantId;
use checkout_tests::shop::{DEMO_SETTINGS, Shop, json_of, order, refused, text};
use pollster::block_on;
use serde_json::{Value, json};

fn demo() -> Value {
    serde_json::from_str(DEMO_SETTINGS).unwrap()
}

/// The paths of the fields that are wrong.
fn paths(rejection: &Rejection) -> Vec<String> {
    let Rejection::Invalid(found) = rejection else { panic!("{rejection:?}") };
    found.iter().map(|violation| violation.path.to_string()).collect()
}

fn add(shop: &Shop, body: &Value) -> Result<Value, Failure> {
    block_on(add_merchant(&shop.world, &ROOT, body.to_string().as_bytes())).map(|answer| json_of(&answer))
}

fn replace(shop: &Shop, settings: &Value) -> Result<Value, Failure> {
    let body = settings.to_string();
    block_on(replace_settings(&shop.world, &ROOT, &shop.merchant, "", body.as_bytes()))
        .map(|answer| json_of(&answer))
}

fn nobody() -> MerchantId {
    MerchantId::parse("nobody").unwrap()
}

fn can_create(shop: &Shop, key: &str) -> bool {
    let body = order(&["knet"]).to_string();
    let action = Route::CreateTransaction.facts().action;
    let credential = Credential::offered(action, Some(&format!("Api-Key {key}")));
    let Ok(principal) = block_on(identify(&shop.world, &credential, action, None)) else { return false };
    let caller = principal.into_caller().unwrap();
    block_on(create(
        &shop.world,
        CreateInput { caller, idempotency_key: None, body: body.as_bytes(), file: None, wrong: &[] },
    ))
    .is_ok()
}

// Who is the operator.

#[test]
fn only_the_operator_may_operate_the_installation() {
    let shop = Shop::open(1);
    let call = |header: Option<&str>| shop.identify(header, &Route::Operator(OperatorRoute::ListAttention));
    assert_eq!(call(Some(&format!("Bearer {OPERATOR_TOKEN}"))), Ok(Principal::Operator(ROOT)));
    assert_eq!(call(None), Err(Rejection::CredentialsMissing));
    let key = shop.authorization("private_key");
    for value in [
        "Bearer operator",
        &format!("Bearer {OPERATOR_TOKEN}0"),
        &format!("Basic {OPERATOR_TOKEN}"),
        "Bearer",
        "Api-Key x",
        &key,
    ] {
        assert_eq!(call(Some(value)), Err(Rejection::CredentialsInvalid), "{value}");
    }
}

// Merchants and settings.

#[test]
fn a_new_merchant_gets_keys_that_work_at_once() {
    let shop = Shop::open(1);
    let made = add(&shop, &json!({"merchant_id": "new-shop", "settings": demo()})).unwrap();
    assert_eq!((text(&made, "merchant_id"), &made["version"]), (Some("new-shop"), &json!(1)));
    assert!(can_create(&shop, text(&made, "private_key").unwrap()));
    assert!(!can_create(&shop, text(&made, "public_key").unwrap()));
    let secrets = ["private_key", "public_key", "webhook_hmac_key", "webhook_signing_secret"];
    for (name, other) in secrets.into_iter().zip(secrets.map(|name| shop.secret(name))) {
        assert_ne!(text(&made, name), Some(other), "{name} is generated again");
    }
}

#[test]
fn a_merchant_id_is_taken_once() {
    let shop = Shop::open(2);
    assert_eq!(
        refused(add(&shop, &json!({"merchant_id": "demo", "settings": demo()}))),
        Rejection::MerchantExists
    );
    assert!(can_create(&shop, shop.secret("private_key")), "the merchant who has it keeps its keys");
}

#[test]
fn every_wrong_field_of_a_new_merchant_is_named() {
    let shop = Shop::open(3);
    let mut settings = demo();
    settings["country"] = json!("kw");
    settings["gateways"][0]["credentials"]["api_key"] = json!("");
    for (id, path) in [(json!("-x"), "merchant_id"), (json!(1), "merchant_id"), (Value::Null, "merchant_id")]
    {
        let rejection = refused(add(&shop, &json!({"merchant_id": id, "settings": settings})));
        assert_eq!(paths(&rejection), [path, "settings.country", "settings.gateways.0.credentials.api_key"]);
    }
    assert_eq!(paths(&refused(add(&shop, &json!({})))), ["merchant_id", "settings"]);
    let half_a_character = r#"{"merchant_id": "shop", "settings": {"country": "\ud800"}}"#;
    for body in ["", "[]", "null", "{", half_a_character] {
        assert_eq!(
            refused(block_on(add_merchant(&shop.world, &ROOT, body.as_bytes()))),
            Rejection::MalformedBody
        );
    }
}

#[test]
fn settings_are_shown_without_credentials() {
    let shop = Shop::open(4);
    let shown = json_of(&block_on(read_merchant(&shop.world, &shop.merchant)).unwrap());
    let keys: Vec<_> =
        (0..5).map(|place| shown["settings"]["gateways"][place]["credentials"]["api_key"].clone()).collect();
    assert!(keys.iter().all(|key| key == SEALED), "{keys:?}");
    let document = shown.to_string();
    assert!(!document.contains("sandbox-knet-api-key"), "{document}");
    assert_eq!(refused(block_on(read_merchant(&shop.world, &nobody()))), Rejection::NotFound);
}

#[test]
fn credentials_are_stored_sealed() {
    let shop = Shop::open(5);
    let document = block_on(shop.world.store.document(&shop.merchant)).unwrap().unwrap().text;
    assert!(
        document.contains("\"api_key\":\"v2.") && !document.contains("sandbox-knet-api-key"),
        "{document}"
    );
}

#[test]
fn what_is_shown_can_be_sent_back_and_its_credentials_stay() {
    let shop = Shop::open(6);
    let shown = json_of(&block_on(read_merchant(&shop.world, &shop.merchant)).unwrap());
    let mut settings = shown["settings"].clone();
    settings["gateways"].as_array_mut().unwrap().reverse();
    settings["gateways"][1]["credentials"]["api_key"] = json!("another-key");
    let before = shop.settings();
    assert_eq!(replace(&shop, &settings).unwrap(), json!({"merchant_id": "demo", "version": 2}));
    let after = shop.settings();
    for profile in &after.gateways {
        let is_saved = before.gateway(&profile.code).unwrap().credentials == profile.credentials;
        assert_eq!(is_saved, profile.code.as_str() != "later", "{}", profile.code);
    }
    assert_eq!((&after.webhook, after.version), (&before.webhook, 2));
}

#[test]
fn a_credential_that_stays_must_exist() {
    let shop = Shop::open(7);
    let mut settings = demo();
    settings["gateways"][0]["code"] = json!("renamed");
    settings["gateways"][0]["credentials"]["api_key"] = json!(SEALED);
    settings["gateways"][1]["credentials"]["api_key"] = json!(SEALED);
    assert_eq!(paths(&refused(replace(&shop, &settings))), ["gateways.0.credentials.api_key"]);
    let new = json!({"merchant_id": "new", "settings": settings});
    assert_eq!(
        paths(&refused(add(&shop, &new))),
        ["settings.gateways.0.credentials.api_key", "settings.gateways.1.credentials.api_key"]
    );
}

#[test]
fn settings_that_are_wrong_or_of_nobody_change_nothing() {
    let shop = Shop::open(8);
    let mut settings = demo();
    settings["name"]["ar"] = json!("");
    settings["currencies"] = json!(["KWD", "XXX"]);
    assert_eq!(paths(&refused(replace(&shop, &settings))), ["name.ar", "currencies.1"]);
    assert_eq!(shop.settings().version, 1);
    let body = demo().to_string();
    assert_eq!(
        refused(block_on(replace_settings(&shop.world, &ROOT, &nobody(), "", body.as_bytes()))),
        Rejection::NotFound
    );
    assert_eq!(
        refused(block_on(replace_settings(&shop.world, &ROOT, &shop.merchant, "", b"[]"))),
        Rejection::MalformedBody
    );
}

#[test]
fn of_two_operators_at_once_one_is_answered_with_a_conflict() {
    let shop = Shop::open(9);
    let settings = demo();
    let stored = block_on(shop.world.store.document(&shop.merchant)).unwrap().unwrap();
    replace(&shop, &settings).unwrap();
    let (merchant, document) = (&shop.merchant, stored.text.as_str());
    let new = NewDocument { merchant, version: stored.version, document };
    let entry = Entry::of(ROOT.actor(), "replace_settings", BEGINNING).about(merchant);
    let is_replaced = block_on(shop.world.store.replace_document(&new, &entry));
    assert_eq!((is_replaced, shop.settings().version), (Ok(false), 2));
}

// Keys.

#[test]
fn keys_are_added_listed_and_revoked() {
    let shop = Shop::open(10);
    shop.wait(1);
    let made = json_of(
        &block_on(add_key(&shop.world, &shop.merchant, Grantor::Operator(&ROOT), br#"{"kind":"private"}"#))
            .unwrap(),
    );
    let key = text(&made, "key").unwrap();
    assert!(can_create(&shop, key));
    let listed = json_of(&block_on(list_keys(&shop.world, &shop.merchant)).unwrap());
    let shown = listed.as_array().unwrap();
    assert_eq!(shown.len(), 3);
    assert_eq!(shown[0]["prefix"], made["prefix"], "the newest first");
    assert_eq!((&shown[0]["kind"], &shown[0]["revoked_at"]), (&json!("private"), &Value::Null));
    assert_eq!((&shown[0]["name"], &shown[0]["expires_at"]), (&Value::Null, &Value::Null));
    assert!(key.ends_with(text(&shown[0], "last4").unwrap()) && !listed.to_string().contains(key));

    let prefix = text(&made, "prefix").unwrap();
    assert_eq!(block_on(revoke_key(&shop.world, &shop.merchant, Grantor::Operator(&ROOT), prefix)), Ok(()));
    assert!(!can_create(&shop, key), "revoked at once");
    assert!(can_create(&shop, shop.secret("private_key")), "the others work on");
    for (merchant, prefix) in [(&shop.merchant, prefix), (&shop.merchant, "nothing0"), (&nobody(), prefix)] {
        assert_eq!(
            refused(block_on(revoke_key(&shop.world, merchant, Grantor::Operator(&ROOT), prefix))),
            Rejection::NotFound
        );
    }
    let listed = json_of(&block_on(list_keys(&shop.world, &shop.merchant)).unwrap());
    assert!(listed[0]["revoked_at"].is_string());
}

#[test]
fn a_key_is_nobodys_from_the_moment_that_it_expires() {
    let shop = Shop::open(12);
    let body = br#"{"kind":"private","name":"Web shop","expires_at":"2026-01-01T00:01:00Z"}"#;
    let made =
        json_of(&block_on(add_key(&shop.world, &shop.merchant, Grantor::Operator(&ROOT), body)).unwrap());
    let key = text(&made, "key").unwrap();
    assert_eq!((&made["name"], &made["expires_at"]), (&json!("Web shop"), &json!("2026-01-01T00:01:00Z")));
    shop.wait(59);
    assert!(can_create(&shop, key));
    shop.wait(1);
    assert!(!can_create(&shop, key));
    let listed = json_of(&block_on(list_keys(&shop.world, &shop.merchant)).unwrap());
    let shown = listed.as_array().unwrap().iter().find(|shown| shown["prefix"] == made["prefix"]).unwrap();
    assert_eq!((&shown["name"], &shown["expires_at"]), (&made["name"], &made["expires_at"]));
    let past = br#"{"kind":"private","expires_at":"2026-01-01T00:01:00Z"}"#;
    assert_eq!(
        paths(&refused(block_on(add_key(&shop.world, &shop.merchant, Grantor::Operator(&ROOT), past)))),
        ["expires_at"],
        "now is past"
    );
}

#[test]
fn what_is_said_of_a_key_and_not_known_is_refused_by_name() {
    let shop = Shop::open(13);
    let body = br#"{"kind":"all","name":7,"expires_at":"","scope":"read","permissions":null}"#;
    let rejection = refused(block_on(add_key(&shop.world, &shop.merchant, Grantor::Operator(&ROOT), body)));
    assert_eq!(paths(&rejection), ["kind", "name", "expires_at", "permissions", "scope"]);
    assert_eq!(block_on(list_keys(&shop.world, &shop.merchant)).unwrap().len(), 2);
}

#[test]
fn the_kind_of_a_new_key_is_private_or_public() {
    let shop = Shop::open(11);
    for body in [r"{}", r#"{"kind":null}"#, r#"{"kind":"secret"}"#, r#"{"kind":1}"#] {
        assert_eq!(
            paths(&refused(block_on(add_key(
                &shop.world,
                &shop.merchant,
                Grantor::Operator(&ROOT),
                body.as_bytes()
            )))),
            ["kind"]
        );
    }
    let public = json_of(
        &block_on(add_key(&shop.world, &shop.merchant, Grantor::Operator(&ROOT), br#"{"kind":"public"}"#))
            .unwrap(),
    );
    assert!(!can_create(&shop, text(&public, "key").unwrap()));
    let added = block_on(add_key(&shop.world, &nobody(), Grantor::Operator(&ROOT), br#"{"kind":"public"}"#));
    assert_eq!(refused(added), Rejection::NotFound);
    assert_eq!(refused(block_on(list_keys(&shop.world, &nobody()))), Rejection::NotFound);
}
