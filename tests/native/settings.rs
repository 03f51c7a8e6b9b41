//! Settings documents: every wrong field is named, and what is left out has its default.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod connectors;
mod faults;
mod installations;
mod sections;

use checkout_core::gateway::ConnectorKind;
use checkout_core::gateway::tag::Tag;
use checkout_core::installation::Installation;
use checkout_core::settings::custom_field::FieldKind;
use checkout_core::settings::{MerchantSettings, WebhookSecrets, parse};
use checkout_core::value::id::MerchantId;
use checkout_core::value::money::Currency;
use checkout_core::value::sealed::Sealed;
use checkout_core::value::web_address::Reach;
use checkout_core::violation::Violation;
use checkout_core::words::{ChildOperation, Plugin};
use checkout_tests::shop::DEMO_SETTINGS;
use serde_json::{Value, json};

/// The text about a currency that does not exist.
const CURRENCY: &str =
    "must be a three-letter ISO 4217 code of a currency with a minor unit, such as \"KWD\"";

fn demo() -> Value {
    serde_json::from_str(DEMO_SETTINGS).unwrap()
}

fn secrets() -> WebhookSecrets {
    WebhookSecrets {
        hmac_key: Sealed("h".into()),
        signing: vec![Sealed("s".into())],
        previous_until: None,
        next_hmac: None,
    }
}

fn installation() -> Installation {
    Installation {
        public_url: "https://pay.example.com".into(),
        reach: Reach::Public,
        has_sandbox: true,
        desk_url: None,
    }
}

fn read_at(installation: &Installation, document: &str) -> Result<MerchantSettings, Vec<Violation>> {
    parse::parse(&MerchantId::parse("demo").unwrap(), 3, document, secrets(), Some(installation))
}

fn read(document: &str) -> Result<MerchantSettings, Vec<Violation>> {
    read_at(&installation(), document)
}

/// The paths and texts of what is wrong, each in one line.
fn wrong(document: &Value) -> Vec<String> {
    wrong_at(&installation(), document)
}

fn wrong_at(installation: &Installation, document: &Value) -> Vec<String> {
    let found = read_at(installation, &document.to_string()).err().unwrap_or_default();
    found.iter().map(|violation| format!("{}: {}", violation.path, violation.rule)).collect()
}

/// The demo document with another value at a pointer.
fn with(pointer: &str, value: Value) -> Value {
    let mut document = demo();
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    let slot = document.pointer_mut(parent).unwrap();
    match name.parse::<usize>() {
        Ok(place) => *slot.get_mut(place).unwrap() = value,
        Err(_) => drop(slot.as_object_mut().unwrap().insert(name.into(), value)),
    }
    document
}

#[test]
fn a_merchant_has_the_time_zone_that_it_names_or_that_of_its_country() {
    let zone = |document: &Value| read(&document.to_string()).unwrap().time_zone;
    assert_eq!(zone(&demo()).as_deref(), Some("Asia/Kuwait"));
    assert_eq!(zone(&with("/country", json!("GB"))).as_deref(), Some("Europe/London"));
    assert_eq!(zone(&with("/country", json!("US"))), None);
    assert_eq!(zone(&with("/time_zone", json!("Europe/London"))).as_deref(), Some("Europe/London"));
    for value in [json!(""), json!("+03:00"), json!(3), json!("Asia/Kuwait "), json!(["UTC"])] {
        assert_eq!(
            wrong(&with("/time_zone", value)),
            ["time_zone: must be the name of a time zone of the IANA database, such as \"Asia/Kuwait\""]
        );
    }
}

#[test]
fn the_demo_document_is_right_and_read_whole() {
    let settings = read(DEMO_SETTINGS).unwrap();
    assert_eq!((settings.version, settings.merchant.as_str(), settings.country.as_str()), (3, "demo", "KW"));
    assert_eq!(settings.name.en, "Demo Store");
    assert_eq!(
        settings.currencies.iter().map(Currency::code).collect::<Vec<_>>(),
        ["KWD", "SAR", "AED", "USD"]
    );
    let codes: Vec<_> = settings.gateways.iter().map(|profile| profile.code.as_str()).collect();
    assert_eq!(codes, ["knet", "mpgs", "credit-card", "queued", "single", "later", "cash"]);
    let knet = settings.gateways.first().unwrap();
    assert_eq!((knet.pg_name.as_str(), knet.inquiry_after.as_secs()), ("kpay", 480));
    assert_eq!(knet.fees.first().unwrap().fixed.to_string(), "0.250");
    assert!(settings.gateways.last().unwrap().credentials.is_empty());
    assert_eq!(settings.webhook, secrets());
}

#[test]
fn the_picture_of_a_gateway_is_the_one_that_is_set_otherwise_that_of_its_family() {
    let own = |path: &str| format!("https://pay.example.com/icons/{path}.svg");
    let icons = |document: &Value| {
        let settings = read(&document.to_string()).unwrap();
        settings
            .gateways
            .iter()
            .map(|profile| profile.icon_address("https://pay.example.com"))
            .collect::<Vec<_>>()
    };
    let families = ["bank", "card", "card", "card", "bank", "card", "cash"].map(own);
    assert_eq!(icons(&demo()), families);
    for (value, expected) in [
        (json!("wallet"), own("wallet")),
        (Value::Null, own("bank")),
        (json!("https://cdn.example.com/a.png?v=2"), "https://cdn.example.com/a.png?v=2".to_owned()),
    ] {
        let document = with("/gateways/0/icon", value);
        assert_eq!(icons(&document).first(), Some(&expected));
        let settings = read(&document.to_string()).unwrap();
        let is_own = settings.gateways.first().unwrap().own_icon().as_str();
        assert!(["bank", "wallet"].contains(&is_own), "the page draws pictures of ours only");
    }
    for (family, expected) in
        [("KNET", "bank"), ("stc_pay", "wallet"), ("Cash", "cash"), ("unheard-of", "card")]
    {
        assert_eq!(
            icons(&with("/gateways/0/pg_name", json!(family))).first(),
            Some(&own(expected)),
            "{family}"
        );
    }
}

#[test]
fn what_is_left_out_has_its_default() {
    let document = json!({
        "name": {"en": "Shop", "ar": "متجر"}, "country": "KW", "currencies": ["KWD"], "plugins": {"e_commerce": {}},
        "gateways": [{"code": "g", "name": {"en": "G", "ar": "ج"}, "connector": "cash", "pg_name": "cod",
                      "operation": "purchase", "currencies": ["KWD"]}],
    });
    let settings = read(&document.to_string()).unwrap();
    let plugin = settings.plugins.first().unwrap();
    assert_eq!((plugin.expiration.as_secs(), &plugin.webhook_url), (86_400, &None));
    assert_eq!((settings.plugins.len(), settings.reference_prefix.as_str()), (1, ""));
    let profile = settings.gateways.first().unwrap();
    assert!(!profile.sandbox && profile.multiple_attempts && !profile.tokenization && !profile.auto_debit);
    assert_eq!((profile.inquiry_after.as_secs(), profile.fees.len(), profile.wallets.len()), (600, 0, 0));
    assert_eq!(profile.endpoint, None);
    assert!(profile.credentials.is_empty());
    assert_eq!((profile.exchanges.len(), profile.charge_default_currency), (0, true));
}

#[test]
fn unknown_members_are_ignored_and_an_endpoint_loses_its_last_slash() {
    let mut document = with("/gateways/0/endpoint", json!("https://bank.example.com/api/"));
    document["theme"] = json!({"color": "red"});
    let settings = read(&document.to_string()).unwrap();
    assert_eq!(settings.gateways.first().unwrap().endpoint.as_deref(), Some("https://bank.example.com/api"));
}
