//! The settings of a gateway with this connector: the example of the guide, and what is refused.

use checkout_core::gateway::ConnectorKind;
use checkout_core::gateway::credentials::StoredCredential;
use checkout_core::installation::Installation;
use checkout_core::settings::{MerchantSettings, WebhookSecrets, parse};
use checkout_core::value::id::{MerchantId, PgCode};
use checkout_core::value::sealed::Sealed;
use checkout_core::value::web_address::Reach;
use checkout_core::violation::Violation;
use checkout_tests::shop::DEMO_SETTINGS;
use serde_json::{Value, json};

const GUIDE: &str = include_str!("../../../docs/gateway-mpgs.md");

/// The gateway of the guide.
fn example() -> Value {
    let (_, rest) = GUIDE.split_once("```json\n").unwrap();
    serde_json::from_str(rest.split_once("```").unwrap().0).unwrap()
}

fn read(gateway: Value) -> Result<MerchantSettings, Vec<Violation>> {
    let mut document: Value = serde_json::from_str(DEMO_SETTINGS).unwrap();
    let gateways = document.get_mut("gateways").and_then(Value::as_array_mut).unwrap();
    gateways.push(gateway);
    let secrets = WebhookSecrets {
        hmac_key: Sealed("h".into()),
        signing: vec![Sealed("s".into())],
        previous_until: None,
        next_hmac: None,
    };
    let public_url = "https://pay.example.com".into();
    let installation = Installation { public_url, reach: Reach::Public, has_sandbox: true, desk_url: None };
    parse::parse(&MerchantId::parse("demo").unwrap(), 3, &document.to_string(), secrets, Some(&installation))
}

#[test]
fn the_guide_shows_a_gateway_that_is_accepted() {
    let settings = read(example()).unwrap();
    let profile = settings.gateway(&PgCode::parse("nbk-mpgs").unwrap()).unwrap();
    assert_eq!(profile.connector, ConnectorKind::Mpgs);
    assert_eq!(profile.endpoint.as_deref(), Some("https://test-bank.example.mastercard.com"));
    assert_eq!(profile.credentials.len(), 4);
    for (name, is_secret) in
        [("merchant_id", false), ("password", true), ("notification_secret", true), ("version", false)]
    {
        let stored = profile.credentials.get(name).unwrap();
        assert_eq!(matches!(stored, StoredCredential::Secret(_)), is_secret, "{name}");
    }
}

#[test]
fn each_credential_has_its_shape() {
    for (name, wrong) in [
        ("merchant_id", json!(null)),
        ("merchant_id", json!("7".repeat(41))),
        ("password", json!(null)),
        ("password", json!("7".repeat(129))),
        ("notification_secret", json!("short")),
        ("notification_secret", json!("0123456789ABCDEF0123456789ABCDE-")),
        ("version", json!("71")),
        ("version", json!("101")),
        ("version", json!("1e2")),
        ("reporting_password", json!("")),
    ] {
        let mut gateway = example();
        gateway["credentials"][name] = wrong.clone();
        let found = read(gateway).err().unwrap_or_default();
        let paths: Vec<&str> = found.iter().map(|violation| &*violation.path).collect();
        assert!(
            paths.iter().any(|path| path.ends_with(&format!("credentials.{name}"))),
            "{name} {wrong} {paths:?}"
        );
    }
    let mut gateway = example();
    gateway["credentials"] = json!({"merchant_id": "TEST_SHOP-01", "password": "p"});
    assert!(read(gateway).is_ok(), "the others can be left out");
}
