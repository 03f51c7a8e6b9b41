//! What the operator does: merchants, settings, keys, the attention list.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

use checkout_core::access::Principal;
use checkout_core::access::header::Credential;
use checkout_core::access::operator::ROOT;
use checkout_core::flow::Failure;
use checkout_core::flow::account::Grantor;
use checkout_core::flow::account::key::{add_key, list_keys, revoke_key};
use checkout_core::flow::identify;
use checkout_core::flow::merchant::create::{Input, create};
use checkout_core::flow::operator::attention::{list_attention, resolve_attention};
use checkout_core::flow::operator::merchant::{add_merchant, read_merchant, replace_settings};
use checkout_core::port::{NewDocument, Registry};
use checkout_core::record::attention::AttentionId;
use checkout_core::record::audit::Entry;
use checkout_core::rejection::Rejection;
use checkout_core::route::{OperatorRoute, Route};
use checkout_core::settings::SEALED;
use checkout_core::testing::world::{BEGINNING, OPERATOR_TOKEN};
use checkout_core::value::id::{MerchantId, SessionId};
use checkout_tests::bank::Mood;
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
    block_on(replace_settings(&shop.world, &ROOT, &shop.merchant, ("", body.as_bytes())))
        .map(|answer| json_of(&answer))
}

fn nobody() -> MerchantId {
    MerchantId::parse("nobody").unwrap()
}

fn can_create(shop: &Shop, key: &str) -> bool {
    let body = order(&["knet"]).to_string();
    let action = Route::CreateTransaction.facts().action;
    let credential = Credential::offered(action, Some(&format!("Api-Key {key}")));
    let Ok(principal) = block_on(identify(&shop.world, &credential, action)) else { return false };
    let caller = principal.into_caller().unwrap();
    block_on(create(
        &shop.world,
        Input { caller, idempotency_key: None, body: body.as_bytes(), file: None, wrong: &[] },
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
        assert_ne!(text(&made, name), Some(other), "{name} is drawn anew");
    }
}

#[test]
fn a_merchant_id_is_taken_once() {
    let shop = Shop::open(2);
    assert_eq!(
        refused(add(&shop, &json!({"merchant_id": "demo", "settings": demo()}))),
        Rejection::MerchantExists
    );
    assert!(can_create(&shop, shop.secret("private_key")), "the merchant who has it keeps his keys");
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
        assert_eq!(is_saved, profile.code.as_str() != "single", "{}", profile.code);
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
        refused(block_on(replace_settings(&shop.world, &ROOT, &nobody(), ("", body.as_bytes())))),
        Rejection::NotFound
    );
    assert_eq!(
        refused(block_on(replace_settings(&shop.world, &ROOT, &shop.merchant, ("", b"[]")))),
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

// The attention list.

/// A shop with an attempt that is held because the bank took another amount.
fn held(seed: u64) -> (Shop, SessionId, AttentionId) {
    let shop = Shop::open(seed);
    let session_id = shop.create(&order(&["knet"]));
    let reference = shop.pay_to_page(&session_id, "knet");
    shop.bank.approve_another_amount(reference.as_str(), "1.000");
    shop.come_back(&reference).unwrap();
    let id = shop.attention().pop().unwrap();
    (shop, session_id, id)
}

fn resolve(shop: &Shop, id: &AttentionId, action: &str) -> Result<Value, Failure> {
    let body = json!({"action": action}).to_string();
    block_on(resolve_attention(&shop.world, &ROOT, id, body.as_bytes())).map(|answer| json_of(&answer))
}

#[test]
fn the_attention_list_says_what_about_which_attempt() {
    let (shop, session_id, id) = held(12);
    let listed = json_of(&block_on(list_attention(&shop.world)).unwrap());
    assert_eq!(
        listed,
        json!([{
            "id": id.to_string(),
            "merchant_id": "demo",
            "session_id": session_id.as_str(),
            "reference_number": id.reference.as_str(),
            "reason": "amount_mismatch",
            "detail": "asked for 10.250 KWD, the gateway names 1.000 KWD",
            "since": "2026-01-01T00:00:00Z",
        }])
    );
    assert_eq!(AttentionId::parse(&id.to_string()), Some(id));
}

#[test]
fn the_operator_decides_what_became_of_a_held_attempt() {
    for (action, state, result) in [("approved", "paid", "success"), ("not_charged", "attempted", "failed")] {
        let (shop, session_id, id) = held(13);
        let answer = resolve(&shop, &id, action).unwrap();
        assert_eq!(answer, json!({"id": id.to_string(), "closed": true, "result": result}));
        assert_eq!((shop.state(&session_id), shop.results(&session_id)), (state, vec![result]));
        assert_eq!(shop.attention(), []);
        assert_eq!(refused(resolve(&shop, &id, action)), Rejection::NotResolvable, "it is decided once");
        shop.sweep();
        assert!(
            shop.receiver.take_bodies().iter().any(|body| text(body, "result") == Some(result)),
            "and told"
        );
    }
}

#[test]
fn what_waits_for_a_decision_cannot_be_dismissed() {
    let (shop, _, id) = held(14);
    assert_eq!(refused(resolve(&shop, &id, "dismiss")), Rejection::NotResolvable);
    assert_eq!(shop.attention(), [id]);
}

#[test]
fn asking_again_closes_the_entry_only_with_an_answer() {
    let (shop, session_id, id) = held(15);
    let answer = resolve(&shop, &id, "inquire").unwrap();
    assert_eq!((&answer["closed"], &answer["result"]), (&json!(false), &json!("pending")));
    assert_eq!(shop.state(&session_id), "pending");
    assert_eq!(shop.attention(), [id]);
}

#[test]
fn a_second_success_is_flagged_and_may_be_dismissed() {
    let shop = Shop::open(16);
    let session_id = shop.create(&order(&["knet"]));
    shop.bank.on_opening(Mood::Deaf);
    shop.pay(&session_id, "knet").unwrap();
    let first = shop.latest(&session_id).reference;
    let request = shop.world.http.take_sent().pop().unwrap();
    shop.wait(60);
    shop.sweep();
    shop.bank.on_opening(Mood::Fine);
    let second = shop.pay_to_page(&session_id, "knet");
    shop.bank.approve(second.as_str());
    shop.come_back(&second).unwrap();
    // The first request arrives after all, and its page is paid too.
    shop.bank.answer(&request).unwrap();
    shop.bank.approve(first.as_str());
    shop.call_back(&first).unwrap();
    assert_eq!((shop.state(&session_id), shop.results(&session_id)), ("paid", vec!["success", "success"]));
    let id = AttentionId::parse(&format!("{first}.second_success")).unwrap();
    assert_eq!(shop.attention(), std::slice::from_ref(&id));
    assert_eq!(resolve(&shop, &id, "dismiss").unwrap()["closed"], json!(true));
    assert_eq!(shop.attention(), []);
    assert_eq!(resolve(&shop, &id, "dismiss").unwrap()["closed"], json!(false), "once");
}

#[test]
fn an_action_is_one_of_four() {
    let (shop, _, id) = held(17);
    for body in [r"{}", r#"{"action":null}"#, r#"{"action":"refund"}"#, r#"{"action":1}"#] {
        let result = block_on(resolve_attention(&shop.world, &ROOT, &id, body.as_bytes()));
        assert_eq!(paths(&refused(result)), ["action"], "{body}");
    }
    let nobody = AttentionId::parse("NOBODY.second_success").unwrap();
    assert_eq!(refused(resolve(&shop, &nobody, "dismiss")), Rejection::NotFound);
    for text in ["", ".", "REF", "REF.", "REF.other", "ref.second_success", ".second_success"] {
        assert_eq!(AttentionId::parse(text), None, "{text}");
    }
}
