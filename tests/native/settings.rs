//! Settings documents: every wrong field is named, and what is left out has its default.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod connectors;
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
#[expect(clippy::too_many_lines, reason = "a table")]
fn every_wrong_field_is_named_with_what_is_allowed() {
    for (pointer, value, expected) in [
        ("/is_paused", json!("yes"), "is_paused: must be true or false"),
        ("/gateways/0/icon", json!(1), "gateways.0.icon: must be a string"),
        ("/gateways/0/icon", json!(""), "gateways.0.icon: must not be blank"),
        ("/gateways/0/icon", json!("knet"), "gateways.0.icon: must be one of card, bank, wallet, cash"),
        ("/gateways/0/icon", json!("../till"), "gateways.0.icon: must be one of card, bank, wallet, cash"),
        (
            "/gateways/0/icon",
            json!("http://cdn.example.com/a.svg"),
            "gateways.0.icon: must start with https://",
        ),
        ("/gateways/0/icon", json!("data:image/svg+xml,x"), "gateways.0.icon: must start with https://"),
        ("/gateways/0/icon", json!("javascript:alert(1)"), "gateways.0.icon: must start with https://"),
        ("/name", Value::Null, "name: is required"),
        ("/name", json!("Demo"), "name: must be an object"),
        ("/name/en", Value::Null, "name.en: is required"),
        ("/name/en", json!(""), "name.en: must not be blank"),
        ("/name/ar", json!(1), "name.ar: must be a string"),
        ("/name/ar", json!("م".repeat(65)), "name.ar: must have at most 64 characters"),
        ("/name/en", json!("a\nb"), "name.en: must not have control characters"),
        ("/country", Value::Null, "country: is required"),
        ("/country", json!("kw"), "country: must be a two-letter ISO 3166-1 country code, such as \"KW\""),
        (
            "/reference_prefix",
            json!("ABCDEFGHI"),
            "reference_prefix: must be at most 8 upper-case letters and digits",
        ),
        (
            "/reference_prefix",
            json!("a"),
            "reference_prefix: must be at most 8 upper-case letters and digits",
        ),
        ("/reference_prefix", json!(1), "reference_prefix: must be at most 8 upper-case letters and digits"),
        ("/currencies", Value::Null, "currencies: must have at least one item"),
        ("/currencies", json!([]), "currencies: must have at least one item"),
        ("/currencies", json!("KWD"), "currencies: must be a list of strings"),
        ("/currencies/1", json!("KWD"), "currencies.1: must not be given twice"),
        ("/currencies/1", json!("XAU"), &format!("currencies.1: {CURRENCY}")),
        ("/currencies/1", json!(1), &format!("currencies.1: {CURRENCY}")),
        ("/plugins", Value::Null, "plugins: is required"),
        ("/plugins", json!({}), "plugins: is required"),
        ("/plugins/other", json!({}), "plugins.other: must be one of e_commerce, payment_request"),
        ("/plugins/e_commerce", json!(1), "plugins.e_commerce: must be an object"),
        (
            "/plugins/payment_request/is_amount_editable",
            json!("yes"),
            "plugins.payment_request.is_amount_editable: must be true or false",
        ),
        (
            "/plugins/e_commerce/webhook_url",
            json!("http://shop.example.com"),
            "plugins.e_commerce.webhook_url: must start with https://",
        ),
        ("/plugins/e_commerce/webhook_url", json!(""), "plugins.e_commerce.webhook_url: must not be blank"),
        (
            "/plugins/e_commerce/webhook_url",
            json!("https://pay.example.com/healthz"),
            "plugins.e_commerce.webhook_url: must not be an address of this service, except a sandbox inbox",
        ),
        ("/plugins/e_commerce/webhooks", json!(true), "plugins.e_commerce.webhooks: must be an object"),
        (
            "/plugins/e_commerce/webhooks",
            json!({ "enabled": 1 }),
            "plugins.e_commerce.webhooks.enabled: must be true or false",
        ),
        (
            "/plugins/e_commerce/webhooks",
            json!({ "urls": [] }),
            "plugins.e_commerce.webhooks.urls: is not supported and must be left out",
        ),
        (
            "/plugins/e_commerce/webhooks",
            json!({ "events": [] }),
            "plugins.e_commerce.webhooks.events: must have at least one item",
        ),
        (
            "/plugins/e_commerce/webhooks",
            json!({ "events": ["payment", "mail"] }),
            "plugins.e_commerce.webhooks.events.1: must be one of payment, card, operation",
        ),
        (
            "/plugins/e_commerce/webhooks",
            json!({ "states": ["paid", "paid"] }),
            "plugins.e_commerce.webhooks.states.1: must not be given twice",
        ),
        (
            "/plugins/e_commerce/expiration_time",
            json!("soon"),
            "plugins.e_commerce.expiration_time: must be a period written \"DD HH:MM:SS\", such as \"1 00:00:00\"",
        ),
        (
            "/plugins/e_commerce/expiration_time",
            json!("00:00:00"),
            "plugins.e_commerce.expiration_time: must be from 1 second to 366 days",
        ),
    ] {
        assert_eq!(wrong(&with(pointer, value.clone())), [expected], "{pointer} {value}");
    }
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn every_wrong_field_of_a_gateway_is_named_with_what_is_allowed() {
    for (pointer, value, expected) in [
        ("/gateways", json!({}), "gateways: must be a list of strings"),
        ("/gateways", json!(vec![json!({}); 101]), "gateways: must have at most 100 items"),
        ("/gateways/0", json!("knet"), "gateways.0: must be an object"),
        ("/gateways/0/code", json!("mpgs"), "gateways.1.code: must not be given twice"),
        (
            "/gateways/0/code",
            json!("a b"),
            "gateways.0.code: must be a gateway code: 1 to 50 letters, digits, hyphens and underscores",
        ),
        ("/gateways/0/code", json!("a".repeat(17)), "gateways.0.code: must have at most 16 characters"),
        ("/gateways/0/code", Value::Null, "gateways.0.code: is required"),
        ("/gateways/0/name", Value::Null, "gateways.0.name: is required"),
        (
            "/gateways/0/connector",
            json!("other"),
            &format!("gateways.0.connector: must be one of {}", ConnectorKind::WORDS.join(", ")),
        ),
        ("/gateways/0/pg_name", json!(""), "gateways.0.pg_name: must not be blank"),
        (
            "/gateways/0/operation",
            json!("capture"),
            "gateways.0.operation: must be one of purchase, authorize",
        ),
        ("/gateways/0/currencies", json!([]), "gateways.0.currencies: must have at least one item"),
        (
            "/gateways/0/card_brands",
            json!(["visa", "diners"]),
            "gateways.0.card_brands.1: must be one of amex, discover, jcb, mada, maestro, mastercard, unionpay, visa",
        ),
        (
            "/gateways/0/card_brands",
            json!(["visa", "visa"]),
            "gateways.0.card_brands.1: must not be given twice",
        ),
        ("/gateways/0/sandbox", json!("yes"), "gateways.0.sandbox: must be true or false"),
        ("/gateways/0/multiple_attempts", json!(1), "gateways.0.multiple_attempts: must be true or false"),
        ("/gateways/0/tokenization", json!("true"), "gateways.0.tokenization: must be true or false"),
        ("/gateways/0/reconciled", json!(0), "gateways.0.reconciled: must be true or false"),
        ("/auto_debit", json!(true), "auto_debit: must be an object"),
        ("/auto_debit", json!({"notify": "no"}), "auto_debit.notify: must be true or false"),
        ("/notify", json!("all"), "notify: must be an object"),
        ("/notify", json!({"expired": "yes"}), "notify.expired: must be true or false"),
        ("/notify", json!({"invalided": 1}), "notify.invalided: must be true or false"),
        ("/inquiry", json!([]), "inquiry: must be an object"),
        ("/inquiry", json!({"throttle": 1}), "inquiry.throttle: must be true or false"),
        ("/gateways/0/auto_debit", json!([]), "gateways.0.auto_debit: must be true or false"),
        (
            "/gateways/0/inquiry_after_minutes",
            json!(0),
            "gateways.0.inquiry_after_minutes: must be a whole number from 1 to 1440",
        ),
        (
            "/gateways/0/inquiry_after_minutes",
            json!(1441),
            "gateways.0.inquiry_after_minutes: must be a whole number from 1 to 1440",
        ),
        (
            "/gateways/0/inquiry_after_minutes",
            json!("8"),
            "gateways.0.inquiry_after_minutes: must be a whole number from 1 to 1440",
        ),
        (
            "/gateways/0/wallets",
            json!(["apple_pay", "other"]),
            "gateways.0.wallets.1: must be one of apple_pay, google_pay",
        ),
        (
            "/gateways/0/endpoint",
            json!("bank"),
            "gateways.0.endpoint: must be an absolute address such as https://shop.example.com/thanks, its host in ASCII (a name in another script in its xn-- form)",
        ),
        ("/gateways/0/fees", json!(1), "gateways.0.fees: must be a list of strings"),
        ("/gateways/0/fees/0", json!(1), "gateways.0.fees.0: must be an object"),
        ("/gateways/0/fees/0/currency", json!("XXX"), &format!("gateways.0.fees.0.currency: {CURRENCY}")),
        (
            "/gateways/0/fees/0/fixed",
            json!("0.2501"),
            "gateways.0.fees.0.fixed: must have at most 3 decimal places for KWD",
        ),
        ("/gateways/0/fees/0/fixed", json!(0.25), "gateways.0.fees.0.fixed: must be a string"),
        (
            "/gateways/0/fees/0/percent",
            json!("-1"),
            "gateways.0.fees.0.percent: must be a decimal number without a sign, such as \"2.5\"",
        ),
        ("/gateways/0/fees/0/description", Value::Null, "gateways.0.fees.0.description: is required"),
        ("/gateways/2/fees/1/currency", json!("KWD"), "gateways.2.fees.1.currency: must not be given twice"),
    ] {
        assert_eq!(wrong(&with(pointer, value.clone())).join(", "), expected, "{pointer} {value}");
    }
}

#[test]
fn all_wrong_fields_are_named_at_once_in_the_order_of_the_document() {
    let mut document = demo();
    document["name"]["en"] = json!("");
    document["country"] = json!(1);
    document["currencies"] = json!(["KWD", "nope"]);
    document["plugins"]["payment_request"]["expiration_time"] = json!("x");
    document["gateways"][1]["operation"] = json!("x");
    document["gateways"][1]["sandbox"] = json!("x");
    document["gateways"][3]["code"] = json!("");
    let found = wrong(&document);
    let paths: Vec<_> = found.iter().map(|line| line.split(':').next().unwrap()).collect();
    assert_eq!(
        paths,
        [
            "name.en",
            "country",
            "currencies.1",
            "plugins.payment_request.expiration_time",
            "gateways.1.operation",
            "gateways.1.sandbox",
            "gateways.3.code",
        ]
    );
}

#[test]
fn what_is_no_object_is_no_document() {
    for document in ["", "null", "[]", "1", "\"x\"", "{", "{\"name\":}"] {
        let found = read(document).unwrap_err();
        assert_eq!(
            found.iter().map(|violation| &*violation.path).collect::<Vec<_>>(),
            ["settings"],
            "{document}"
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
