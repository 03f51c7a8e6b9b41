//! The versions of settings: their history, what differs, and the return to an earlier one.

use checkout_core::access::operator::ROOT;
use checkout_core::flow::merchant::create::{CreateInput, create};
use checkout_core::flow::operator::merchant::{pause_merchant, read_merchant, replace_settings};
use checkout_core::flow::operator::version::{compare_versions, read_history, read_version, restore_version};
use checkout_core::flow::sweep::clock::move_clock;
use checkout_core::port::Registry;
use checkout_core::rejection::Rejection;
use checkout_core::value::id::{MerchantId, SettingsVersion};
use checkout_core::value::sealed::SealKeyId;
use checkout_tests::shop::{Shop, json_of, order, refused};
use pollster::block_on;
use serde_json::{Value, json};

use super::{demo, entries, of_role, paths, replace};

fn history(shop: &Shop, query: &str) -> Value {
    json_of(&block_on(read_history(&shop.world, &shop.merchant, query)).unwrap())
}

fn shown(shop: &Shop, version: u32) -> Value {
    json_of(&block_on(read_version(&shop.world, &shop.merchant, SettingsVersion(version))).unwrap())
}

fn restore(shop: &Shop, version: u32, current: i64) -> Result<Value, checkout_core::flow::Failure> {
    let body = json!({"version": current}).to_string();
    let version = SettingsVersion(version);
    block_on(restore_version(&shop.world, &ROOT, &shop.merchant, version, body.as_bytes()))
        .map(|answer| json_of(&answer))
}

fn stored(shop: &Shop) -> String {
    block_on(shop.world.store.document(&shop.merchant)).unwrap().unwrap().text
}

#[test]
fn every_version_is_listed_with_who_made_it_and_when() {
    let shop = Shop::open(1);
    let (sara, _) = of_role(&shop, "Sara", "admin");
    shop.wait(60);
    replace(&shop, &sara, &demo()).unwrap();
    block_on(move_clock(&shop.world, &ROOT, &shop.merchant, br#"{"advance":"P1D"}"#)).unwrap();
    replace(&shop, &ROOT, &demo()).unwrap();
    let all = history(&shop, "");
    let lines: Vec<_> = all["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["version"].clone(), one["actor"]["name"].clone(), one["action"].clone()))
        .collect();
    assert_eq!(
        lines,
        [
            (json!(4), json!("root"), json!("replace_settings")),
            (json!(2), json!("Sara"), json!("replace_settings")),
            (json!(1), json!("root"), json!("add_merchant")),
        ],
        "moving the clock made version 3, and changed no document"
    );
    assert_eq!(all["results"][1]["at"], json!("2026-01-01T00:01:00Z"));
    assert_eq!(all["next"], Value::Null);
    let first = history(&shop, "limit=2");
    assert_eq!((first["results"].as_array().unwrap().len(), &first["next"]), (2, &json!(2)));
    let rest = history(&shop, "limit=2&before=2");
    assert_eq!((rest["results"][0]["version"].clone(), &rest["next"]), (json!(1), &Value::Null));
    let nobody = MerchantId::parse("nobody").unwrap();
    assert_eq!(refused(block_on(read_history(&shop.world, &nobody, ""))), Rejection::NotFound);
}

#[test]
fn a_version_is_shown_without_credentials() {
    let shop = Shop::open(2);
    let mut settings = demo();
    settings["country"] = json!("SA");
    replace(&shop, &ROOT, &settings).unwrap();
    let (first, second) = (shown(&shop, 1), shown(&shop, 2));
    assert_eq!((&first["settings"]["country"], &second["settings"]["country"]), (&json!("KW"), &json!("SA")));
    assert_eq!(first["settings"]["gateways"][0]["credentials"]["api_key"], json!("[sealed]"));
    let current = json_of(&block_on(read_merchant(&shop.world, &shop.merchant)).unwrap());
    assert_eq!(second["settings"], current["settings"]);
    for (merchant, version) in [("demo", 3), ("nobody", 1)] {
        let merchant = MerchantId::parse(merchant).unwrap();
        let found = block_on(read_version(&shop.world, &merchant, SettingsVersion(version)));
        assert_eq!(refused(found), Rejection::NotFound);
    }
}

#[test]
fn what_differs_between_two_versions_is_a_patch_that_says_of_secrets_only_that_they_changed() {
    let shop = Shop::open(3);
    let mut settings = demo();
    settings["country"] = json!("SA");
    settings["gateways"][0]["credentials"]["api_key"] = json!("another secret");
    settings["units"] = json!(["north"]);
    settings["gateways"][1]["credentials"]["api_key"] = json!("[sealed]");
    replace(&shop, &ROOT, &settings).unwrap();
    let compare = |version, query: &str| {
        block_on(compare_versions(&shop.world, &shop.merchant, SettingsVersion(version), query))
            .map(|answer| json_of(&answer))
    };
    let changes = compare(1, "").unwrap();
    assert_eq!((&changes["from"], &changes["to"]), (&json!(1), &json!(2)));
    let steps = changes["changes"].as_array().unwrap();
    assert!(steps.contains(&json!({"op": "replace", "path": "/country", "before": "KW", "value": "SA"})));
    assert!(steps.contains(&json!({"op": "add", "path": "/units", "value": ["north"]})));
    let secret = json!({"op": "replace", "path": "/gateways/0/credentials/api_key", "before": "[sealed]", "value": "[sealed]"});
    assert!(steps.contains(&secret), "{steps:?}");
    assert!(
        !steps.iter().any(|step| step["path"] == "/gateways/1/credentials/api_key"),
        "one that was kept did not change"
    );
    assert_eq!(compare(2, "with=1").unwrap()["changes"].as_array().unwrap().len(), steps.len());
    assert_eq!(compare(1, "with=1").unwrap()["changes"], json!([]));
    assert_eq!(refused(compare(1, "with=3")), Rejection::NotFound);
    assert_eq!(refused(compare(3, "")), Rejection::NotFound);
    assert_eq!(paths(&refused(compare(1, "with=latest"))), ["with"]);
}

#[test]
fn an_earlier_version_returns_with_its_credentials_as_a_new_one() {
    let shop = Shop::open(4);
    let first = stored(&shop);
    let mut settings = demo();
    settings["gateways"][0]["credentials"]["api_key"] = json!("another secret");
    settings["country"] = json!("SA");
    replace(&shop, &ROOT, &settings).unwrap();
    assert_eq!(restore(&shop, 1, 2).unwrap(), json!({"merchant_id": "demo", "version": 3}));
    assert_eq!(stored(&shop), first, "the document of version 1, with the secrets that were sealed in it");
    assert_eq!((shop.settings().country.as_str(), shop.settings().version), ("KW", 3));
    let entry = &entries(&shop, "limit=1")[0];
    assert_eq!((&entry["action"], &entry["after"]["country"]), (&json!("restore_version"), &json!("KW")));
    assert_eq!(history(&shop, "")["results"][0]["action"], json!("restore_version"));
}

#[test]
fn a_return_from_another_version_than_the_current_one_is_a_conflict_and_leaves_no_trace() {
    let shop = Shop::open(5);
    replace(&shop, &ROOT, &demo()).unwrap();
    let before = entries(&shop, "").len();
    for current in [1, 3] {
        assert_eq!(refused(restore(&shop, 1, current)), Rejection::Conflict);
    }
    assert_eq!(refused(restore(&shop, 9, 2)), Rejection::NotFound);
    let body = block_on(restore_version(&shop.world, &ROOT, &shop.merchant, SettingsVersion(1), b"{}"));
    assert_eq!(paths(&refused(body)), ["version"]);
    assert_eq!((shop.settings().version, entries(&shop, "").len()), (2, before));
}

#[test]
fn new_settings_may_say_which_version_they_replace() {
    let shop = Shop::open(6);
    let body = demo().to_string();
    let put = |query: &str| {
        let replaced = replace_settings(&shop.world, &ROOT, &shop.merchant, query, body.as_bytes());
        block_on(replaced).map(|answer| answer.version)
    };
    assert_eq!(put("version=1"), Ok(2));
    assert_eq!(refused(put("version=1")), Rejection::Conflict);
    assert_eq!(put(""), Ok(3));
    assert_eq!(paths(&refused(put("version=0"))), ["version"]);
}

/// A document that was right when it was stored: then the installation stopped reaching the address in it.
#[test]
fn an_earlier_document_that_is_no_longer_right_is_refused_with_the_fields_named() {
    let mut shop = Shop::open(7);
    replace(&shop, &ROOT, &demo()).unwrap();
    shop.world.installation.has_sandbox = false;
    let rejection = refused(restore(&shop, 1, 2));
    let Rejection::Invalid(found) = &rejection else { panic!("{rejection:?}") };
    assert!(found.iter().any(|violation| violation.path.starts_with("gateways.0.")), "{found:?}");
    assert_eq!(shop.settings().version, 2);
}

/// The key that sealed the secrets of a version may be gone.
#[test]
fn an_earlier_version_whose_secrets_cannot_be_opened_does_not_return() {
    let shop = Shop::open(9);
    let [old, new] = [0, 1].map(|number| SealKeyId::of(&[number; 32]));
    shop.world.vault.set_keys([new.clone()]);
    replace(&shop, &ROOT, &demo()).unwrap();
    let found = paths(&refused(restore(&shop, 1, 2)));
    assert!(found.contains(&"gateways.0.credentials.api_key".to_string()), "{found:?}");
    assert_eq!(shop.settings().version, 2);
    shop.world.vault.set_keys([new, old]);
    assert!(restore(&shop, 1, 2).is_ok());
}

#[test]
fn support_stops_payments_without_changing_anything_else_of_the_settings() {
    let mut shop = Shop::open(8);
    // The document would not be accepted as a new one any more.
    shop.world.installation.has_sandbox = false;
    let before = shown(&shop, 1)["settings"].clone();
    let (sara, _) = of_role(&shop, "Sara", "support");
    let pause = |is_paused: bool| {
        let body = json!({"is_paused": is_paused}).to_string();
        block_on(pause_merchant(&shop.world, &sara, &shop.merchant, body.as_bytes())).unwrap().version
    };
    let pay = || {
        let body = order(&["knet"]).to_string();
        let caller = shop.private();
        block_on(create(
            &shop.world,
            CreateInput { caller, idempotency_key: None, body: body.as_bytes(), file: None, wrong: &[] },
        ))
    };
    assert_eq!(pause(true), 2);
    assert_eq!(refused(pay()), Rejection::Paused);
    let entry = &entries(&shop, "limit=1")[0];
    assert_eq!(
        (&entry["action"], &entry["after"], &entry["actor"]["name"]),
        (&json!("pause_merchant"), &json!({"is_paused": true}), &json!("Sara"))
    );
    assert_eq!(pause(false), 3);
    assert!(pay().is_ok());
    let mut after = shown(&shop, 3)["settings"].clone();
    assert_eq!(after.as_object_mut().unwrap().remove("is_paused"), Some(json!(false)));
    let mut expected = before;
    expected.as_object_mut().unwrap().remove("is_paused");
    assert_eq!(after, expected);
}
