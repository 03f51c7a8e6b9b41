//! What a gateway offers, custom fields, units and agreements, exchange rates, wallets.

use super::*;
use checkout_core::words::agreement::{AgreementType, Frequency};

#[test]
fn every_wrong_field_of_what_a_gateway_offers_is_named() {
    let impossible = "gateways.0.operations: must hold only what can follow: refund after purchase; capture, void and \
                      refund after authorize; nothing after cash";
    let tags = format!("gateways.0.tags.1: must be one of {}", Tag::WORDS.join(", "));
    for (name, value, expected) in [
        ("default_currency", json!(1), "gateways.0.default_currency: must be a string"),
        ("default_currency", json!(""), "gateways.0.default_currency: must not be blank"),
        ("default_currency", json!("XAU"), &format!("gateways.0.default_currency: {CURRENCY}")),
        (
            "default_currency",
            json!("SAR"),
            "gateways.0.default_currency: must be one of the gateway's currencies",
        ),
        ("tags", json!("demo"), "gateways.0.tags: must be a list of strings"),
        ("tags", json!(["demo", "shop"]), &tags),
        ("tags", json!(["demo", "demo"]), "gateways.0.tags.1: must not be given twice"),
        ("operations", json!({}), "gateways.0.operations: must be a list of strings"),
        (
            "operations",
            json!(["refund", "cancel"]),
            "gateways.0.operations.1: must be one of refund, capture, void",
        ),
        ("operations", json!(["refund", "refund"]), "gateways.0.operations.1: must not be given twice"),
        ("operations", json!(["void"]), impossible),
        ("plugins", json!("e_commerce"), "gateways.0.plugins: must be a list of strings"),
        ("plugins", json!([]), "gateways.0.plugins: must have at least one item"),
        ("plugins", json!(["shop"]), "gateways.0.plugins.0: must be one of e_commerce, payment_request"),
        ("plugins", json!(["e_commerce", "e_commerce"]), "gateways.0.plugins.1: must not be given twice"),
    ] {
        let pointer = format!("/gateways/0/{name}");
        assert_eq!(wrong(&with(&pointer, value.clone())), [expected], "{pointer} {value}");
    }
    let cash = wrong(&with("/gateways/6/operations", json!(["refund"])));
    assert_eq!(cash, [impossible.replace("gateways.0", "gateways.6")]);
    let mut document = with("/gateways/0/plugins", json!(["payment_request"]));
    document["plugins"].as_object_mut().unwrap().remove("payment_request");
    assert_eq!(wrong(&document), ["gateways.0.plugins: must be a plugin that is installed at the merchant"]);
}

#[test]
fn every_wrong_host_of_payers_is_named() {
    let host = "must be a public host in lower case, such as shop.example.com or *.example.com";
    let many: Vec<String> = (0..33).map(|number| format!("shop{number}.example.com")).collect();
    for (value, expected) in [
        (json!("shop.example.com"), vec!["redirect_hosts: must be a list of strings".to_owned()]),
        (json!([]), vec!["redirect_hosts: must have at least one item".to_owned()]),
        (json!(many), vec!["redirect_hosts: must have at most 32 items".to_owned()]),
        (
            json!([
                "https://shop.example.com",
                "*.com",
                "*.example.com",
                "*.example.com",
                7,
                "a.example.com"
            ]),
            vec![
                format!("redirect_hosts.0: {host}"),
                format!("redirect_hosts.1: {host}"),
                "redirect_hosts.3: must not be given twice".to_owned(),
                "redirect_hosts.4: must be a string".to_owned(),
            ],
        ),
    ] {
        assert_eq!(wrong(&with("/redirect_hosts", value.clone())), expected, "{value}");
    }
}

#[test]
fn what_a_gateway_offers_follows_from_its_kind_if_nothing_is_said() {
    let mut document = demo();
    for gateway in document["gateways"].as_array_mut().unwrap() {
        for name in ["default_currency", "exchanges", "tags", "operations"] {
            gateway.as_object_mut().unwrap().remove(name);
        }
    }
    document["gateways"][1]["currencies"] = json!(["SAR", "KWD"]);
    let settings = read(&document.to_string()).unwrap();
    for profile in &settings.gateways {
        let operations: Vec<_> = profile.operations.iter().copied().map(ChildOperation::as_str).collect();
        let expected: &[&str] = match profile.code.as_str() {
            "mpgs" => &["capture", "void", "refund"],
            "cash" => &[],
            _ => &["refund"],
        };
        assert_eq!(operations, expected, "{}", profile.code);
        let currency = if profile.code.as_str() == "mpgs" { "SAR" } else { "KWD" };
        assert_eq!(profile.default_currency.code(), currency);
        assert_eq!((profile.plugins.len(), profile.tags.len()), (2, 0));
    }
}

#[test]
fn a_gateway_may_do_less_than_its_kind_can() {
    let mut document = with("/gateways/1/operations", json!(["capture"]));
    document["gateways"][0]["operations"] = json!([]);
    document["gateways"][1]["default_currency"] = json!("AED");
    let settings = read(&document.to_string()).unwrap();
    let (knet, mpgs) = (settings.gateways.first().unwrap(), settings.gateways.get(1).unwrap());
    assert_eq!((knet.operations.len(), &*mpgs.operations), (0, [ChildOperation::Capture].as_slice()));
    assert_eq!(mpgs.default_currency.code(), "AED");
}

/// A custom field of the plugin `e_commerce`, and what is wrong with the document that has it.
fn wrong_field(field: &Value) -> Vec<String> {
    wrong(&with("/plugins/e_commerce/custom_fields", json!([field])))
}

#[test]
fn a_custom_field_is_read_with_its_defaults() {
    let fields = json!([
        {"key": "branch", "label": {"en": "Branch", "ar": "الفرع"}, "type": "text", "required": true, "max_length": 20,
         "options": ["a", "b"]},
        {"key": "note", "label": {"en": "Note", "ar": "ملاحظة"}, "type": "text"},
        {"key": "guests", "label": {"en": "Guests", "ar": "الضيوف"}, "type": "number", "required": null},
    ]);
    let settings = read(&with("/plugins/e_commerce/custom_fields", fields).to_string()).unwrap();
    let fields = &settings.plugin(Plugin::ECommerce).unwrap().custom_fields;
    let read: Vec<_> =
        fields.iter().map(|field| (field.key.as_str(), field.is_required, &field.kind)).collect();
    let text = |max_length, options: &[&str]| FieldKind::Text {
        max_length,
        options: options.iter().map(|option| (*option).to_owned()).collect(),
    };
    assert_eq!(
        read,
        [
            ("branch", true, &text(20, &["a", "b"])),
            ("note", false, &text(1_000, &[])),
            ("guests", false, &FieldKind::Number),
        ]
    );
    assert_eq!(fields.first().unwrap().label.ar, "الفرع");
    assert_eq!(settings.plugin(Plugin::PaymentRequest).unwrap().custom_fields, []);
}

#[test]
fn every_wrong_member_of_a_custom_field_is_named() {
    let field = json!({"key": "k", "label": {"en": "K", "ar": "ك"}, "type": "text"});
    assert_eq!(wrong_field(&field), Vec::<String>::new());
    for (member, value, expected) in [
        ("key", Value::Null, "key: is required"),
        ("key", json!("a.b"), "key: must hold only letters, digits, hyphens and underscores"),
        ("key", json!("k".repeat(65)), "key: must have at most 64 characters"),
        ("label", Value::Null, "label: is required"),
        ("label", json!({"en": "K"}), "label.ar: is required"),
        (
            "type",
            json!("list"),
            "type: must be one of text, number, boolean, date, email, description, items",
        ),
        ("required", json!("yes"), "required: must be true or false"),
        ("max_length", json!(0), "max_length: must be a whole number from 1 to 1000"),
        ("max_length", json!(1_001), "max_length: must be a whole number from 1 to 1000"),
        ("max_length", json!("5"), "max_length: must be a whole number from 1 to 1000"),
        ("options", json!([]), "options: must have at least one item"),
        ("options", json!("a"), "options: must be a list of strings"),
        ("options", json!(["a", "a"]), "options.1: must not be given twice"),
        ("options", json!(["a", ""]), "options.1: must not be blank"),
        ("options", json!([1]), "options.0: must be a string"),
        ("options", json!(["a\n"]), "options.0: must not have control characters"),
        ("options", json!(vec!["a"; 101]), "options: must have at most 100 items"),
    ] {
        let mut field = field.clone();
        field[member] = value;
        assert_eq!(wrong_field(&field), [format!("plugins.e_commerce.custom_fields.0.{expected}")]);
    }
    let twice = with("/plugins/e_commerce/custom_fields", json!([field, field]));
    assert_eq!(wrong(&twice), ["plugins.e_commerce.custom_fields.1.key: must not be given twice"]);
    let many = with("/plugins/e_commerce/custom_fields", json!(vec![json!({}); 51]));
    assert_eq!(wrong(&many), ["plugins.e_commerce.custom_fields: must have at most 50 items"]);
    assert_eq!(wrong_field(&json!("k")), ["plugins.e_commerce.custom_fields.0: must be an object"]);
}

#[test]
fn units_and_agreements_are_read_and_every_wrong_one_is_named() {
    let plain = read(DEMO_SETTINGS).unwrap();
    assert_eq!(plain.units, Vec::<String>::new());
    assert_eq!(plain.agreements.types, Vec::<AgreementType>::new());
    assert_eq!(plain.agreements.unscheduled_ids, Vec::<String>::new());
    assert_eq!(plain.agreements.unscheduled_frequencies, [Frequency::Irregular]);
    let agreements =
        json!({"types": ["unscheduled"], "unscheduled": {"ids": ["A"], "frequencies": ["daily", "other"]}});
    let read_agreements =
        |value: &Value| read(&with("/agreements", value.clone()).to_string()).unwrap().agreements;
    let read = read_agreements(&agreements);
    assert_eq!((read.types, read.unscheduled_ids), (vec![AgreementType::Unscheduled], vec!["A".to_owned()]));
    assert_eq!(read.unscheduled_frequencies, [Frequency::Daily, Frequency::Other]);
    let nulls = json!({"types": null, "unscheduled": {"ids": null, "frequencies": null}});
    assert_eq!(read_agreements(&nulls), plain.agreements);
    for (pointer, value, expected) in [
        ("/units", json!("a"), "units: must be a list of strings"),
        ("/units", json!([]), "units: must have at least one item"),
        ("/units", json!(["a b"]), "units.0: must hold only letters, digits, hyphens and underscores"),
        ("/units", json!(["a", "a"]), "units.1: must not be given twice"),
        ("/units", json!(["a".repeat(65)]), "units.0: must have at most 64 characters"),
        ("/agreements", json!([]), "agreements: must be an object"),
        ("/agreements", json!({"types": []}), "agreements.types: must have at least one item"),
        (
            "/agreements",
            json!({"types": ["weekly"]}),
            "agreements.types.0: must be one of event_based, installment, recurring, unscheduled, other",
        ),
        ("/agreements", json!({"unscheduled": "any"}), "agreements.unscheduled: must be an object"),
        (
            "/agreements",
            json!({"unscheduled": {"ids": []}}),
            "agreements.unscheduled.ids: must have at least one item",
        ),
        (
            "/agreements",
            json!({"unscheduled": {"ids": ["a".repeat(129)]}}),
            "agreements.unscheduled.ids.0: must have at most 128 characters",
        ),
        (
            "/agreements",
            json!({"unscheduled": {"frequencies": []}}),
            "agreements.unscheduled.frequencies: must have at least one item",
        ),
        (
            "/agreements",
            json!({"unscheduled": {"frequencies": ["daily", "daily"]}}),
            "agreements.unscheduled.frequencies.1: must not be given twice",
        ),
    ] {
        assert_eq!(wrong(&with(pointer, value)), [expected]);
    }
}

#[test]
fn every_wrong_exchange_rate_is_named_with_what_is_allowed() {
    let rate = "exchange_rates.0.rate: must be a decimal number above zero with at most 18 digits and 24 characters, \
                such as \"0.3075\"";
    let missing = "gateways.0.exchanges.0: needs exchange_rates to have a rate from USD to KWD";
    for (pointer, value, expected) in [
        ("/exchange_rates", json!({}), vec!["exchange_rates: must be a list of strings"]),
        ("/exchange_rates", json!(vec![1; 501]), vec!["exchange_rates: must have at most 500 items"]),
        ("/exchange_rates/0", json!("0.3075"), vec!["exchange_rates.0: must be an object"]),
        ("/exchange_rates/0/source", Value::Null, vec!["exchange_rates.0.source: is required"]),
        ("/exchange_rates/0/target", json!(1), vec!["exchange_rates.0.target: must be a string"]),
        (
            "/exchange_rates/0/target",
            json!("USD"),
            vec!["exchange_rates.0.target: must be another currency than source"],
        ),
        ("/exchange_rates/1/source", json!("USD"), vec!["exchange_rates.1: must not be given twice"]),
        ("/exchange_rates/0/rate", Value::Null, vec!["exchange_rates.0.rate: is required"]),
        ("/exchange_rates/0/rate", json!(0.3075), vec!["exchange_rates.0.rate: must be a string"]),
        ("/exchange_rates/0/rate", json!("0.000"), vec![rate]),
        ("/exchange_rates/0/rate", json!("1e3"), vec![rate]),
        ("/exchange_rates/0/rate", json!("-1"), vec![rate]),
        ("/exchange_rates/0/rate", json!("1234567890123456789"), vec![rate]),
        ("/exchange_rates/0/rate", json!("0.00000000000000000000003"), vec![rate]),
    ] {
        let found = wrong(&with(pointer, value.clone()));
        // If the pair itself cannot be read or is another one, the gateway lacks it too.
        let is_own = |line: &&String| !line.starts_with("gateways.0.exchanges.");
        assert_eq!(found.iter().filter(is_own).collect::<Vec<_>>(), expected, "{pointer} {value}");
        assert_eq!(found.len() > expected.len(), !pointer.ends_with("rate"), "{found:?}");
    }
    let code = format!("exchange_rates.0.source: {CURRENCY}");
    assert_eq!(wrong(&with("/exchange_rates/0/source", json!("XAU"))), [code.as_str(), missing]);
}

#[test]
fn every_wrong_exchange_of_a_gateway_is_named_with_what_is_allowed() {
    for (name, value, expected) in [
        ("exchanges", json!("USD"), "gateways.0.exchanges: must be a list of strings"),
        ("exchanges", json!(["XAU"]), &format!("gateways.0.exchanges.0: {CURRENCY}")),
        ("exchanges", json!([1]), &format!("gateways.0.exchanges.0: {CURRENCY}")),
        ("exchanges", json!(["KWD"]), "gateways.0.exchanges.0: must not be one of the gateway's currencies"),
        ("exchanges", json!(["USD", "SAR", "USD"]), "gateways.0.exchanges.2: must not be given twice"),
        (
            "exchanges",
            json!(["USD", "EUR"]),
            "gateways.0.exchanges.1: needs exchange_rates to have a rate from EUR to KWD",
        ),
        ("default_currency", Value::Null, "gateways.0.exchanges: needs default_currency to be given too"),
        (
            "default_currency",
            json!("SAR"),
            "gateways.0.default_currency: must be one of the gateway's currencies",
        ),
        ("charge_default_currency", json!("no"), "gateways.0.charge_default_currency: must be true or false"),
    ] {
        let pointer = format!("/gateways/0/{name}");
        assert_eq!(wrong(&with(&pointer, value.clone())), [expected], "{pointer} {value}");
    }
}

#[test]
fn an_exchange_has_the_rate_into_the_default_currency_of_its_gateway() {
    let mut document = with("/gateways/0/currencies", json!(["AED", "KWD"]));
    document["exchange_rates"].as_array_mut().unwrap().extend([
        json!({"source": "USD", "target": "AED", "rate": "3.6725"}),
        json!({"source": "SAR", "target": "AED", "rate": "0.98"}),
    ]);
    for (default, rates) in [("KWD", ["0.3075", "0.082"]), ("AED", ["3.6725", "0.98"])] {
        document["gateways"][0]["default_currency"] = json!(default);
        let settings = read(&document.to_string()).unwrap();
        let profile = settings.gateways.first().unwrap();
        let found: Vec<_> = profile.exchanges.iter().map(|exchange| exchange.rate.to_string()).collect();
        assert_eq!(found, rates, "{default}");
        assert_eq!(
            profile.accepted().map(|currency| currency.code()).collect::<Vec<_>>(),
            ["AED", "KWD", "USD", "SAR"]
        );
    }
}

#[test]
fn how_a_wallet_is_offered_is_read_with_its_limits_and_every_wrong_member_is_named() {
    let settings = read(DEMO_SETTINGS).unwrap();
    let profile = settings.gateways.iter().find(|profile| profile.code.as_str() == "credit-card").unwrap();
    let apple_pay = profile.apple_pay.as_ref().unwrap();
    assert_eq!(
        (apple_pay.merchant_id.as_str(), apple_pay.domain.as_deref()),
        ("merchant.invalid.sandbox.till", None)
    );
    assert_eq!(profile.google_pay.as_ref().unwrap().environment.as_str(), "TEST");
    let knet = settings.gateways.first().unwrap();
    assert_eq!((&knet.apple_pay, &knet.google_pay), (&None, &None));
    for (pointer, value, expected) in [
        ("2/apple_pay", json!("yes"), vec!["apple_pay: must be an object"]),
        ("2/apple_pay", json!({}), vec!["apple_pay.merchant_id: is required"]),
        (
            "2/apple_pay",
            json!({"merchant_id": "x".repeat(101), "shop_name": 7, "domain": "https://shop.example.com"}),
            vec![
                "apple_pay.merchant_id: must have at most 100 characters",
                "apple_pay.shop_name: must be a string",
                "apple_pay.domain: must have a public host name",
            ],
        ),
        (
            "2/google_pay",
            json!({"environment": "test", "merchant_name": "x".repeat(26), "gateway": "x".repeat(25)}),
            vec![
                "google_pay.environment: must be one of TEST, PRODUCTION",
                "google_pay.gateway: must have at most 24 characters",
                "google_pay.gateway_merchant_id: is required",
                "google_pay.merchant_id: is required",
                "google_pay.merchant_name: must have at most 25 characters",
            ],
        ),
    ] {
        let place = pointer.split('/').next().unwrap();
        let expected: Vec<String> = expected.iter().map(|line| format!("gateways.{place}.{line}")).collect();
        assert_eq!(wrong(&with(&format!("/gateways/{pointer}"), value)), expected);
    }
}

/// A gateway of Mastercard, which has no usual address.
fn of_a_bank() -> Value {
    json!({
        "code": "of-a-bank", "name": {"en": "Card", "ar": "بطاقة"}, "connector": "mpgs", "pg_name": "mpgs",
        "operation": "purchase", "currencies": ["KWD"],
        "credentials": {"merchant_id": "TESTSHOP01", "password": "0123456789abcdef"},
    })
}

#[test]
fn a_gateway_whose_address_each_bank_has_of_its_own_needs_one_when_it_comes_in() {
    let expected =
        ["gateways.2.endpoint: must be the https address of the bank's gateway: each bank has its own"];
    for nothing in [None, Some(Value::Null)] {
        let mut gateway = of_a_bank();
        if let Some(nothing) = nothing {
            gateway["endpoint"] = nothing;
        }
        assert_eq!(wrong(&with("/gateways/2", gateway)), expected);
    }
    let mut gateway = of_a_bank();
    gateway["endpoint"] = json!("http://bank.example.com");
    assert_eq!(
        wrong(&with("/gateways/2", gateway.clone())).len(),
        1,
        "an address that is not https is refused too"
    );
    gateway["endpoint"] = json!("https://bank.example.com");
    let settings = read(&with("/gateways/2", gateway).to_string()).unwrap();
    let endpoint = settings.gateways.get(2).and_then(|profile| profile.endpoint.as_deref());
    assert_eq!(endpoint, Some("https://bank.example.com"));
}

#[test]
fn a_stored_gateway_without_the_address_that_it_needs_stays_readable() {
    let document = with("/gateways/2", of_a_bank()).to_string();
    let merchant = MerchantId::parse("demo").unwrap();
    let settings = parse::parse(&merchant, 3, &document, secrets(), None).unwrap();
    assert_eq!(settings.gateways.get(2).map(|profile| profile.endpoint.clone()), Some(None));
}
