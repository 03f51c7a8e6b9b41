//! The payment methods listing: every filter alone and together, every wrong field by name, and the shape of
//! the answer.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![expect(clippy::indexing_slicing, reason = "a member that is missing fails the test")]

mod customers;

use checkout_core::access::operator::ROOT;
use checkout_core::flow::Failure;
use checkout_core::flow::merchant::payment_methods::list;
use checkout_core::flow::operator::merchant::{add_merchant, replace_settings};
use checkout_core::gateway::tag::Tag;
use checkout_core::rejection::Rejection;
use checkout_core::route::Route;
use checkout_tests::shop::{DEMO_SETTINGS, Shop, order, refused};
use pollster::block_on;
use serde_json::{Value, json};

fn ask(shop: &Shop, filters: &Value) -> Result<Value, Failure> {
    let body = filters.to_string();
    let text = block_on(list(&shop.world, &shop.private(), body.as_bytes()))?;
    Ok(serde_json::from_str(&text).unwrap())
}

/// The filters in addition to the plugin.
fn with_plugin(mut filters: Value) -> Value {
    if let Some(object) = filters.as_object_mut() {
        object.entry("plugin").or_insert_with(|| json!("e_commerce"));
    }
    filters
}

/// The codes that are listed; they are in the answer twice.
fn codes(shop: &Shop, filters: &Value) -> Vec<String> {
    let answer = ask(shop, &with_plugin(filters.clone())).unwrap();
    let listed: Vec<Value> =
        answer["payment_methods"].as_array().unwrap().iter().map(|method| method["code"].clone()).collect();
    assert_eq!(answer["pg_codes"], json!(listed), "{filters}");
    assert_eq!(answer["customer_payment_methods"], json!([]), "{filters}");
    listed.iter().map(|code| code.as_str().unwrap().to_string()).collect()
}

/// What is wrong, each in one line.
fn wrong(shop: &Shop, filters: &Value) -> Vec<String> {
    let Rejection::Invalid(found) = refused(ask(shop, filters)) else { return Vec::new() };
    found.iter().map(|violation| format!("{}: {}", violation.path, violation.rule)).collect()
}

const ALL: [&str; 7] = ["knet", "mpgs", "credit-card", "queued", "single", "later", "cash"];

/// The demo shop after its settings were changed.
fn shop_with(change: impl FnOnce(&mut Value)) -> Shop {
    let shop = Shop::open(1);
    let mut settings: Value = serde_json::from_str(DEMO_SETTINGS).unwrap();
    change(&mut settings);
    block_on(replace_settings(&shop.world, &ROOT, &shop.merchant, "", settings.to_string().as_bytes()))
        .unwrap();
    shop
}

#[test]
fn without_filters_every_gateway_is_listed_in_the_order_of_the_settings() {
    assert_eq!(codes(&Shop::open(1), &json!({})), ALL);
}

#[test]
fn an_entry_says_everything_about_its_gateway() {
    let answer = ask(&Shop::open(1), &json!({"plugin": "e_commerce", "operation": "authorize"})).unwrap();
    let members: Vec<&String> = answer.as_object().unwrap().keys().collect();
    assert_eq!(members, ["customer_payment_methods", "payment_methods", "pg_codes"]);
    let icon = answer["payment_methods"][0]["logo"].as_str().unwrap();
    assert!(icon.ends_with("/icons/card.svg"), "{icon}");
    assert_eq!(
        answer["payment_methods"],
        json!([{
            "code": "mpgs", "name": "Card, charged later", "pg": "mpgs", "is_sandbox": true, "logo": icon,
            "wallets": ["ApplePay", "GooglePay"],
            "payment_services": [
                {"code": "apple_pay", "name": "Apple Pay", "name_ar": "أبل باي"},
                {"code": "google_pay", "name": "Google Pay", "name_ar": "جوجل باي"},
            ],
            "default_currency": "KWD", "accepted_currencies": ["KWD", "SAR", "AED", "USD"],
            "operation": "authorize", "operations": ["capture", "void", "refund"],
            "is_tokenizable": true, "auto_debit_enabled": true, "tags": ["e_commerce", "subscriptions", "demo"],
        }])
    );
}

#[test]
fn the_currencies_that_a_gateway_exchanges_are_accepted_and_its_default_is_the_one_it_charges() {
    let answer = ask(&Shop::open(1), &json!({"plugin": "e_commerce", "pg_names": ["kpay"]})).unwrap();
    let entry = &answer["payment_methods"][0];
    assert_eq!(
        (&entry["code"], &entry["default_currency"], &entry["accepted_currencies"]),
        (&json!("knet"), &json!("KWD"), &json!(["KWD", "USD", "SAR"]))
    );
}

#[test]
fn what_is_not_configured_is_an_empty_list_and_the_default() {
    let shop = shop_with(|settings| {
        for gateway in settings["gateways"].as_array_mut().unwrap() {
            for name in ["default_currency", "exchanges", "tags", "operations"] {
                gateway.as_object_mut().unwrap().remove(name);
            }
        }
    });
    let answer = ask(&shop, &json!({"plugin": "payment_request"})).unwrap();
    let found: Vec<Value> = answer["payment_methods"]
        .as_array()
        .unwrap()
        .iter()
        .map(|m| json!([m["code"], m["default_currency"], m["operations"], m["tags"]]))
        .collect();
    assert_eq!(
        json!(found),
        json!([
            ["knet", "KWD", ["refund"], []],
            ["mpgs", "KWD", ["capture", "void", "refund"], []],
            ["credit-card", "KWD", ["refund"], []],
            ["queued", "KWD", ["refund"], []],
            ["single", "KWD", ["refund"], []],
            ["later", "KWD", ["refund"], []],
            ["cash", "KWD", [], []],
        ])
    );
}

#[test]
fn each_filter_lists_the_gateways_that_fit_it() {
    let shop = shop_with(|settings| settings["gateways"][4]["sandbox"] = json!(false));
    let cases: [(Value, &[&str]); 21] = [
        (json!({"currencies": ["AED"]}), &["mpgs", "cash"]),
        (json!({"currencies": ["SAR", "AED"]}), &["knet", "mpgs", "credit-card", "cash"]),
        (json!({"currencies": ["JPY"]}), &[]),
        (json!({"operation": "purchase"}), &["knet", "credit-card", "queued", "single", "later", "cash"]),
        (json!({"operation": "authorize"}), &["mpgs"]),
        (json!({"tokenizable": true}), &["mpgs", "credit-card"]),
        (json!({"tokenizable": "true"}), &["mpgs", "credit-card"]),
        (json!({"tokenizable": false}), &["knet", "queued", "single", "later", "cash"]),
        (json!({"auto_debit": true}), &["mpgs", "credit-card"]),
        (json!({"auto_debit": "false"}), &["knet", "queued", "single", "later", "cash"]),
        (json!({"pg_names": ["kpay"]}), &["knet", "single"]),
        (json!({"pg_names": ["tabby", "cod", "geidea"]}), &["queued", "cash"]),
        (json!({"pg_names": ["KPAY"]}), &[]),
        (json!({"type": "production"}), &["single"]),
        (json!({"type": "sandbox"}), &["knet", "mpgs", "credit-card", "queued", "later", "cash"]),
        (json!({"tags": ["subscriptions"]}), &["mpgs", "credit-card"]),
        (json!({"tags": ["logistics", "test"]}), &["queued", "single", "cash"]),
        (json!({"tags": ["pos"]}), &[]),
        (json!({"payment_services": ["apple_pay"]}), &["mpgs", "credit-card"]),
        (json!({"payment_services": ["wallet", "google_pay"]}), &["mpgs", "credit-card"]),
        (json!({"payment_services": ["samsung_pay", "wallet"]}), &[]),
    ];
    for (filters, expected) in cases {
        assert_eq!(codes(&shop, &filters), expected, "{filters}");
    }
}

#[test]
fn auto_debit_and_tokenization_are_asked_for_apart() {
    let shop = shop_with(|settings| settings["gateways"][1]["auto_debit"] = json!(false));
    assert_eq!(codes(&shop, &json!({"tokenizable": true, "auto_debit": false})), ["mpgs"]);
    assert_eq!(codes(&shop, &json!({"tokenizable": true, "auto_debit": true})), ["credit-card"]);
}

#[test]
fn a_gateway_that_can_neither_save_nor_debit_cards_is_not_shown_as_if_it_could() {
    let shop = shop_with(|settings| {
        for name in ["tokenization", "auto_debit"] {
            settings["gateways"][5][name] = json!(true);
        }
    });
    for name in ["tokenizable", "auto_debit"] {
        assert_eq!(codes(&shop, &json!({(name): true, "pg_names": ["cod"]})), [""; 0], "{name}");
        assert_eq!(codes(&shop, &json!({(name): false, "pg_names": ["cod"]})), ["cash"], "{name}");
    }
    let cash = ask(&shop, &with_plugin(json!({"pg_names": ["cod"]}))).unwrap()["payment_methods"][0].clone();
    assert_eq!((&cash["is_tokenizable"], &cash["auto_debit_enabled"]), (&json!(false), &json!(false)));
}

#[test]
fn a_gateway_must_fit_all_filters_together() {
    let shop = Shop::open(1);
    let mut filters = json!({
        "currencies": ["SAR"], "operation": "purchase", "tokenizable": true, "auto_debit": "true",
        "pg_names": ["mpgs", "cod"], "type": "sandbox", "tags": ["retail"], "payment_services": ["google_pay"],
    });
    assert_eq!(codes(&shop, &filters), ["credit-card"]);
    for (name, value) in [
        ("currencies", json!(["AED"])),
        ("operation", json!("authorize")),
        ("tokenizable", json!(false)),
        ("auto_debit", json!(false)),
        ("pg_names", json!(["cod"])),
        ("type", json!("production")),
        ("tags", json!(["logistics"])),
        ("payment_services", json!(["samsung_pay"])),
    ] {
        let before = std::mem::replace(&mut filters[name], value);
        assert_eq!(codes(&shop, &filters), [""; 0], "{filters}");
        filters[name] = before;
    }
}

#[test]
fn what_is_null_blank_empty_or_unknown_filters_nothing() {
    let shop = Shop::open(1);
    for name in [
        "currencies",
        "customer_id",
        "operation",
        "tokenizable",
        "auto_debit",
        "pg_names",
        "type",
        "tags",
        "payment_services",
    ] {
        assert_eq!(codes(&shop, &json!({name: null})), ALL, "{name}");
        assert_eq!(codes(&shop, &json!({name: ""})), ALL, "{name}");
    }
    for name in ["currencies", "pg_names", "tags", "payment_services"] {
        assert_eq!(codes(&shop, &json!({name: []})), ALL, "{name}");
    }
    assert_eq!(codes(&shop, &json!({"color": "red", "amount": {"x": [1]}})), ALL);
}

#[test]
fn a_plugin_sees_the_gateways_that_it_may_use() {
    let shop = shop_with(|settings| {
        settings["gateways"][0]["plugins"] = json!(["payment_request"]);
        settings["gateways"][1]["plugins"] = json!(["e_commerce", "payment_request"]);
        settings["gateways"][2]["plugins"] = json!(["e_commerce"]);
    });
    assert_eq!(codes(&shop, &json!({})), ["mpgs", "credit-card", "queued", "single", "later", "cash"]);
    let requests = json!({"plugin": "payment_request"});
    assert_eq!(codes(&shop, &requests), ["knet", "mpgs", "queued", "single", "later", "cash"]);
}

#[test]
fn a_gateway_of_another_plugin_cannot_be_named_at_create() {
    let shop = shop_with(|settings| settings["gateways"][0]["plugins"] = json!(["payment_request"]));
    let mut request = order(&["cash", "knet"]);
    let Rejection::Invalid(found) = refused(shop.try_create(&request, None)) else { panic!("no violations") };
    let lines: Vec<String> = found.iter().map(|v| format!("{}: {}", v.path, v.rule)).collect();
    assert_eq!(
        lines,
        ["pg_codes.1: must be the code of a gateway that is usable by the type of the transaction"]
    );
    request["type"] = json!("payment_request");
    assert_eq!(shop.try_create(&request, None).unwrap().status, 201);
}

#[test]
fn every_wrong_field_is_named_with_what_is_allowed() {
    let shop =
        shop_with(|settings| drop(settings["plugins"].as_object_mut().unwrap().remove("payment_request")));
    let currency = "must be a three-letter ISO 4217 code of a currency with a minor unit, such as \"KWD\"";
    for (filters, expected) in [
        (json!({}), "plugin: is required".into()),
        (json!({"plugin": null}), "plugin: is required".into()),
        (json!({"plugin": ""}), "plugin: must not be blank".into()),
        (json!({"plugin": 1}), "plugin: must be a string".into()),
        (json!({"plugin": "invoicing"}), "plugin: must be one of e_commerce, payment_request".into()),
        (
            json!({"plugin": "payment_request"}),
            "plugin: must be a plugin that is installed at the merchant".into(),
        ),
        (json!({"currencies": "KWD"}), "currencies: must be a list of strings".into()),
        (json!({"currencies": ["KWD", "XAU"]}), format!("currencies.1: {currency}")),
        (json!({"currencies": [1]}), "currencies.0: must be a string".into()),
        (json!({"currencies": vec!["KWD"; 201]}), "currencies: must have at most 200 items".into()),
        (json!({"customer_id": 1}), "customer_id: must be a string".into()),
        (json!({"customer_id": "x".repeat(65)}), "customer_id: must have at most 64 characters".into()),
        (json!({"operation": "capture"}), "operation: must be one of purchase, authorize".into()),
        (json!({"tokenizable": "yes"}), "tokenizable: must be true or false".into()),
        (json!({"tokenizable": 1}), "tokenizable: must be true or false".into()),
        (json!({"auto_debit": "TRUE"}), "auto_debit: must be true or false".into()),
        (json!({"auto_debit": [true]}), "auto_debit: must be true or false".into()),
        (json!({"pg_names": {"0": "kpay"}}), "pg_names: must be a list of strings".into()),
        (json!({"pg_names": ["x".repeat(65)]}), "pg_names.0: must have at most 64 characters".into()),
        (json!({"type": "e_commerce"}), "type: must be one of sandbox, production".into()),
        (json!({"tags": ["demo", "shop"]}), format!("tags.1: must be one of {}", Tag::WORDS.join(", "))),
        (
            json!({"payment_services": ["paypal"]}),
            "payment_services.0: must be one of apple_pay, google_pay, samsung_pay, wallet".into(),
        ),
    ] {
        let filters = if expected.starts_with("plugin") { filters } else { with_plugin(filters) };
        assert_eq!(wrong(&shop, &filters), [expected], "{filters}");
    }
}

#[test]
fn all_wrong_fields_are_named_at_once_in_order() {
    let found = wrong(
        &Shop::open(1),
        &json!({
            "payment_services": [1], "tags": "demo", "type": 1, "pg_names": [null], "auto_debit": 0, "tokenizable": {},
            "operation": [], "customer_id": false, "currencies": ["kwd", "KWD", "?"], "plugin": "x",
        }),
    );
    let paths: Vec<_> = found.iter().map(|line| line.split(':').next().unwrap()).collect();
    assert_eq!(
        paths,
        [
            "plugin",
            "currencies.0",
            "currencies.2",
            "customer_id",
            "operation",
            "tokenizable",
            "auto_debit",
            "pg_names.0",
            "type",
            "tags",
            "payment_services.0",
        ]
    );
}

#[test]
fn there_are_the_21_tags_of_the_contract() {
    assert_eq!(Tag::WORDS.len(), 21);
    let shop = shop_with(|settings| settings["gateways"][0]["tags"] = json!(Tag::WORDS));
    for word in Tag::WORDS {
        assert!(codes(&shop, &json!({"tags": [word]})).contains(&"knet".into()), "{word}");
    }
}

#[test]
fn what_is_no_object_is_no_body() {
    let shop = Shop::open(1);
    for body in ["", "null", "[]", "\"e_commerce\"", "{", "{\"plugin\":\"e_commerce\"} x"] {
        let answer = block_on(list(&shop.world, &shop.private(), body.as_bytes()));
        assert_eq!(refused(answer), Rejection::MalformedBody, "{body}");
    }
}

#[test]
fn a_caller_is_refused_before_the_body_is_judged() {
    let shop = Shop::open(1);
    let public = format!("Api-Key {}", shop.secret("public_key"));
    for (header, expected) in [
        (public.as_str(), Rejection::PrivateKeyRequired),
        ("Api-Key nonsense", Rejection::CredentialsInvalid),
        ("Basic dTpw", Rejection::CredentialsInvalid),
    ] {
        assert_eq!(shop.identify(Some(header), &Route::ListMethods), Err(expected), "{header}");
    }
}
