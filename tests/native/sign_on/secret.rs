//! The secret of this service at a provider: sealed when it is stored, hidden when it is shown, and never sent to another
//! provider than the one for which it was given.

use checkout_core::access::operator::ROOT;
use checkout_core::flow::Failure;
use checkout_core::flow::operator::audit::read_audit;
use checkout_core::flow::operator::merchant::{add_merchant, read_merchant, replace_settings};
use checkout_core::flow::operator::version::{compare_versions, read_version, restore_version};
use checkout_core::port::{Registry, World as _};
use checkout_core::rejection::{RefusedRequest, Rejection};
use checkout_core::settings::SEALED;
use checkout_core::testing::world::World;
use checkout_core::value::id::{MerchantId, SettingsVersion};
use checkout_tests::shop::{DEMO_SETTINGS, json_of};
use pollster::block_on;
use serde_json::{Value, json};

fn merchant() -> MerchantId {
    MerchantId::parse("one").unwrap()
}

fn document(own: &Value) -> Value {
    let mut document: Value = serde_json::from_str(DEMO_SETTINGS).unwrap();
    document.as_object_mut().unwrap().insert("single_sign_on".into(), own.clone());
    document
}

fn own(issuer: &str, client: &str, secret: &str) -> Value {
    json!({"issuer": issuer, "audience": "till", "accepts_basic": true, "client_id": client, "client_secret": secret})
}

const ISSUER: &str = "https://id.example.com";

fn world() -> World {
    let world = World::new(1);
    let body =
        json!({"merchant_id": "one", "settings": document(&own(ISSUER, "till", "s3cret"))}).to_string();
    block_on(add_merchant(&world, &ROOT, body.as_bytes())).unwrap();
    world
}

/// Replaces the single sign-on; the shown secret goes back with the gateways as it is.
fn replace(world: &World, own: &Value) -> Result<(), Failure> {
    let mut shown = json_of(&block_on(read_merchant(world, &merchant())).unwrap());
    let mut settings = shown.pointer_mut("/settings").unwrap().take();
    settings.as_object_mut().unwrap().insert("single_sign_on".into(), own.clone());
    block_on(replace_settings(world, &ROOT, &merchant(), "", settings.to_string().as_bytes())).map(|_| ())
}

/// The secret that is stored.
fn stored(world: &World) -> String {
    let settings = block_on(world.directory().merchant(&merchant())).unwrap().unwrap().settings;
    let client = settings.single_sign_on.clone().unwrap().password_client.unwrap();
    client.secret.unwrap().0
}

#[test]
fn the_secret_is_sealed_when_it_is_stored_and_hidden_when_it_is_shown() {
    let world = world();
    assert_ne!(stored(&world), "s3cret");
    let shown = json_of(&block_on(read_merchant(&world, &merchant())).unwrap());
    assert_eq!(shown.pointer("/settings/single_sign_on/client_secret"), Some(&json!(SEALED)));
    assert_eq!(shown.pointer("/settings/single_sign_on/client_id"), Some(&json!("till")));
    assert!(!shown.to_string().contains("s3cret"));
}

#[test]
fn a_hidden_secret_that_is_sent_back_stays_and_another_one_replaces_it() {
    let world = world();
    let before = stored(&world);
    replace(&world, &own(ISSUER, "till", SEALED)).unwrap();
    assert_eq!(stored(&world), before);
    replace(&world, &own(ISSUER, "till", "another")).unwrap();
    assert_ne!(stored(&world), before);
}

#[test]
fn a_hidden_secret_is_not_for_another_provider_or_client() {
    for changed in [own("https://evil.example", "till", SEALED), own(ISSUER, "other", SEALED)] {
        let world = world();
        let before = stored(&world);
        let Err(Failure::Refused(RefusedRequest { rejection: Rejection::Invalid(found), .. })) =
            replace(&world, &changed)
        else {
            panic!("{changed} is stored")
        };
        let paths: Vec<&str> = found.iter().map(|violation| &*violation.path).collect();
        assert_eq!(paths, ["single_sign_on.client_secret"]);
        assert_eq!(stored(&world), before);
    }
}

#[test]
fn a_merchant_can_be_without_a_secret() {
    let world = world();
    replace(&world, &json!({"issuer": ISSUER, "audience": "till", "client_secret": null})).unwrap();
    let settings = block_on(world.directory().merchant(&merchant())).unwrap().unwrap().settings;
    assert_eq!(settings.single_sign_on.clone().unwrap().password_client, None);
    replace(&world, &Value::Null).unwrap();
    let settings = block_on(world.directory().merchant(&merchant())).unwrap().unwrap().settings;
    assert_eq!(settings.single_sign_on, None);
}

#[test]
fn the_secret_is_in_no_entry_of_the_audit_and_hidden_in_every_version() {
    let world = world();
    let sealed = stored(&world);
    replace(&world, &own(ISSUER, "till", "another")).unwrap();
    let audit = json_of(&block_on(read_audit(&world, "")).unwrap());
    let changed = audit.pointer("/results/0/after/single_sign_on/client_secret");
    assert_eq!(changed, Some(&json!(SEALED)), "that it changed is recorded");
    let version = json_of(&block_on(read_version(&world, &merchant(), SettingsVersion(1))).unwrap());
    assert_eq!(version.pointer("/settings/single_sign_on/client_secret"), Some(&json!(SEALED)));
    let compared = json_of(&block_on(compare_versions(&world, &merchant(), SettingsVersion(1), "")).unwrap());
    assert_eq!(
        compared["changes"],
        json!([{"op": "replace", "path": "/single_sign_on/client_secret", "before": SEALED, "value": SEALED}])
    );
    for text in [audit.to_string(), version.to_string(), compared.to_string()] {
        for secret in ["s3cret", "another", &sealed, &stored(&world)] {
            assert!(!text.contains(secret), "{text}");
        }
    }
    let body = json!({"version": 2}).to_string();
    block_on(restore_version(&world, &ROOT, &merchant(), SettingsVersion(1), body.as_bytes())).unwrap();
    assert_eq!(stored(&world), sealed, "it returns with its version");
}
