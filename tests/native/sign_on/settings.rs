//! The single sign-on of a settings document: every violation is named.

use std::time::Duration;

use checkout_core::settings::sign_on::{Client, SingleSignOn};
use checkout_core::settings::{MerchantSettings, WebhookSecrets, parse};
use checkout_core::testing::world::World;
use checkout_core::value::id::MerchantId;
use checkout_core::value::sealed::Sealed;
use checkout_core::value::web_address::Reach;
use checkout_core::violation::Violation;
use checkout_core::words::signing::SigningAlgorithm;
use checkout_tests::shop::DEMO_SETTINGS;
use serde_json::{Value, json};

fn document(own: &Value) -> String {
    let mut document: Value = serde_json::from_str(DEMO_SETTINGS).unwrap();
    document.as_object_mut().unwrap().insert("single_sign_on".into(), own.clone());
    document.to_string()
}

fn read_at(reach: Reach, own: &Value) -> Result<MerchantSettings, Vec<Violation>> {
    let mut installation = World::new(1).installation;
    installation.reach = reach;
    let secrets = WebhookSecrets {
        hmac_key: Sealed("h".into()),
        signing: Vec::new(),
        previous_until: None,
        next_hmac: None,
    };
    parse::parse(&MerchantId::parse("demo").unwrap(), 1, &document(own), secrets, Some(&installation))
}

fn read(own: &Value) -> Option<SingleSignOn> {
    read_at(Reach::Public, own).unwrap().single_sign_on
}

/// What is wrong, each in one line, without the beginning that all have.
fn wrong(own: &Value) -> Vec<String> {
    let found = read_at(Reach::Public, own).err().unwrap_or_default();
    found.iter().map(|violation| format!("{}: {}", violation.path, violation.rule)).collect()
}

#[test]
fn what_is_left_out_has_its_default() {
    let own = read(&json!({"issuer": "https://id.example.com", "audience": "till"})).unwrap();
    assert_eq!(
        own,
        SingleSignOn {
            issuer: "https://id.example.com".into(),
            audience: "till".into(),
            username_claim: "preferred_username".into(),
            algorithms: SigningAlgorithm::ALL.into(),
            max_life: Duration::from_hours(24),
            accepts_users_with_password: false,
            password_client: None,
            desk_client: None,
        }
    );
    assert_eq!(read(&Value::Null), None);
}

#[test]
fn every_member_is_read() {
    let own = read(&json!({
        "issuer": "https://id.example.com/realms/shop/", "audience": "https://pay.example.com", "username_claim": "email",
        "algorithms": ["ES256", "EdDSA"], "max_life_seconds": 60, "accepts_basic": true, "client_id": "till",
        "client_secret": "s3cret",
    }))
    .unwrap();
    assert_eq!(
        (own.issuer.as_str(), own.username_claim.as_str()),
        ("https://id.example.com/realms/shop/", "email")
    );
    assert_eq!(own.algorithms, [SigningAlgorithm::Es256, SigningAlgorithm::EdDsa]);
    assert_eq!(own.max_life.as_secs(), 60);
    let client = Client { id: "till".into(), secret: Some(Sealed("s3cret".into())) };
    assert_eq!((own.password_client, own.desk_client), (Some(client), None));
}

#[test]
fn one_client_is_for_passwords_for_the_desk_or_for_both() {
    let clients = |basic: bool, desk: bool| {
        let own = read(&json!({
            "issuer": "https://id.example.com", "audience": "till", "accepts_basic": basic, "accepts_desk": desk,
            "client_id": "till",
        }));
        let own = own.unwrap();
        assert_eq!(own.desk_client.as_ref().and_then(|client| client.secret.clone()), None);
        (own.password_client.is_some(), own.desk_client.is_some())
    };
    for (basic, desk) in [(false, false), (true, false), (false, true), (true, true)] {
        assert_eq!(clients(basic, desk), (basic, desk));
    }
    assert_eq!(
        wrong(&json!({"issuer": "https://id.example.com", "audience": "till", "accepts_desk": true})),
        ["single_sign_on.accepts_desk: needs client_id to be given too"]
    );
    assert_eq!(
        wrong(
            &json!({"issuer": "https://id.example.com", "audience": "till", "accepts_desk": 1, "client_id": "till"})
        ),
        ["single_sign_on.accepts_desk: must be true or false"]
    );
}

#[test]
fn every_wrong_member_is_named() {
    assert_eq!(wrong(&json!(7)), ["single_sign_on: must be an object"]);
    assert_eq!(
        wrong(&json!({
            "audience": "a\nb", "username_claim": "", "algorithms": ["RS256", "none", "HS256", "RS256"],
            "max_life_seconds": 59, "accepts_basic": "yes", "client_secret": 7, "client_secrets": "typo",
        })),
        [
            "single_sign_on.client_secrets: is not supported and must be left out",
            "single_sign_on.issuer: is required",
            "single_sign_on.audience: must not have control characters",
            "single_sign_on.username_claim: must not be blank",
            "single_sign_on.algorithms.1: must be one of RS256, PS256, ES256, ES384, EdDSA",
            "single_sign_on.algorithms.2: must be one of RS256, PS256, ES256, ES384, EdDSA",
            "single_sign_on.algorithms.3: must not be given twice",
            "single_sign_on.max_life_seconds: must be a whole number from 60 to 604800",
            "single_sign_on.accepts_basic: must be true or false",
            "single_sign_on.client_secret: must be a string",
            "single_sign_on.client_secret: needs client_id to be given too",
        ]
    );
}

#[test]
fn passwords_need_a_client() {
    let own = |more: Value| {
        let mut own = json!({"issuer": "https://id.example.com", "audience": "till"});
        own.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        own
    };
    assert_eq!(
        wrong(&own(json!({"accepts_basic": true}))),
        ["single_sign_on.accepts_basic: needs client_id to be given too"]
    );
    assert_eq!(
        wrong(&own(json!({"algorithms": []}))),
        ["single_sign_on.algorithms: must have at least one item"]
    );
    assert_eq!(
        wrong(&own(json!({"algorithms": "RS256"}))),
        ["single_sign_on.algorithms: must be a list of strings"]
    );
    for life in [json!(604_801), json!(-1), json!("60"), json!(u64::MAX), json!(true)] {
        let found = wrong(&own(json!({"max_life_seconds": life})));
        assert_eq!(
            found,
            ["single_sign_on.max_life_seconds: must be a whole number from 60 to 604800"],
            "{life}"
        );
    }
    assert_eq!(
        wrong(&own(json!({"max_life_seconds": 604_800, "client_id": "till", "client_secret": "s"}))),
        [""; 0]
    );
}

#[test]
fn an_issuer_is_a_public_address_written_as_tokens_have_it() {
    let found = |issuer: &str| wrong(&json!({"issuer": issuer, "audience": "till"}));
    for issuer in ["https://id.example.com", "https://id.example.com/", "https://id.example.com/realms/a"] {
        assert_eq!(found(issuer), [""; 0], "{issuer}");
    }
    for (issuer, rule) in [
        ("http://id.example.com", "must start with https://"),
        ("http://127.0.0.1:8080", "must start with https://"),
        ("https://127.0.0.1", "must name its host, not give an ip address"),
        ("https://localhost", "must have a public host name"),
        ("https://id.example.com:8443", "must use port 443"),
        ("https://me@id.example.com", "must not contain a user name or password"),
        ("https://pay.example.com", "must not be an address of this service, except a sandbox inbox"),
    ] {
        assert_eq!(found(issuer), [format!("single_sign_on.issuer: {rule}")], "{issuer}");
    }
    for issuer in [
        "https://ID.example.com",
        "https://id.example.com/a?b",
        "https://id.example.com/#a",
        "https://id.example.com/a/../b",
        "https://id.example.com:443",
    ] {
        let [one] = found(issuer).try_into().unwrap();
        assert!(one.starts_with("single_sign_on.issuer: must be the issuer exactly"), "{issuer}: {one}");
    }
    let local = json!({"issuer": "http://127.0.0.1:8080/realm", "audience": "till"});
    let read = read_at(Reach::Development, &local).unwrap().single_sign_on.unwrap();
    assert_eq!(read.issuer, "http://127.0.0.1:8080/realm");
}
