//! What a merchant's settings add to the rules of create: custom fields of `extra`, units, agreements, and
//! wallets of several gateways.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![expect(clippy::indexing_slicing, reason = "a member that is missing fails the test")]

use checkout_core::flow::Failure;
use checkout_core::flow::merchant::update::{Extent, UpdateInput, update};
use checkout_core::rejection::Rejection;
use checkout_tests::shop::{Shop, order, refused};
use pollster::block_on;
use serde_json::{Value, json};

fn with(more: &Value) -> Value {
    let mut body = order(&["knet"]);
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    body
}

fn errors(rejection: &Rejection) -> Value {
    let body: Value = serde_json::from_str(&rejection.body("", "").unwrap()).unwrap();
    body.get("errors").cloned().unwrap_or_default()
}

/// What is wrong with `extra` of an order.
fn wrong(shop: &Shop, extra: &Value) -> Value {
    match shop.try_create(&with(&json!({"extra": extra})), None) {
        Ok(_) => json!(null),
        Err(Failure::Refused(refused)) => errors(&refused.rejection)["extra"].clone(),
        Err(failure) => json!(failure.fault().unwrap().to_string()),
    }
}

fn field(key: &str, kind: &str, more: &Value) -> Value {
    let mut field = json!({"key": key, "label": {"en": key, "ar": "حقل"}, "type": kind});
    field.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    field
}

/// A shop whose plugin `e_commerce` has a custom field of every type.
fn shop() -> Shop {
    Shop::open_with(1, |settings| {
        settings["plugins"]["e_commerce"]["custom_fields"] = json!([
            field("branch", "text", &json!({"required": true, "max_length": 5})),
            field("size", "text", &json!({"options": ["S", "M"]})),
            field("guests", "number", &json!({})),
            field("gift", "boolean", &json!({})),
            field("arrival", "date", &json!({})),
            field("contact", "email", &json!({})),
        ]);
    })
}

#[test]
fn a_custom_field_takes_what_its_type_says() {
    let shop = shop();
    for (key, good, bad, rule) in [
        ("branch", json!(["a", "ك ك ك", "12345"]), json!(["123456"]), "must have at most 5 characters"),
        ("branch", json!([]), json!([1, true, [], {}]), "must be a string"),
        ("branch", json!([]), json!(["a\nb"]), "must not have control characters"),
        (
            "size",
            json!(["S", "M", "", null]),
            json!(["s", "L"]),
            "must be one of those permitted at the merchant: S, M",
        ),
        (
            "guests",
            json!([0, -1, 2.5, "3", "-4.25", "1e3", null]),
            json!(["", "x", "1 ", "0x1", "01", "+1", "true", true, [], {}]),
            "must be a number",
        ),
        (
            "gift",
            json!([true, false, "true", "0", null]),
            json!([1, "yes", "TRUE", []]),
            "must be true or false",
        ),
        (
            "arrival",
            json!(["2030-02-28", "28/02/2030"]),
            json!(["2030-02-30", "soon"]),
            "must be a date written YYYY-MM-DD",
        ),
        ("contact", json!(["a@b.example"]), json!(["a", "a@"]), "must be an e-mail address"),
    ] {
        let extra = |value: &Value| {
            let mut extra = json!({"branch": "main"});
            extra[key] = value.clone();
            extra
        };
        for value in good.as_array().unwrap() {
            assert_eq!(wrong(&shop, &extra(value)), json!(null), "{key} {value}");
        }
        for value in bad.as_array().unwrap().iter().filter(|value| **value != json!("")) {
            assert_eq!(wrong(&shop, &extra(value)), json!({ key: [rule] }), "{key} {value}");
        }
    }
}

#[test]
fn a_required_custom_field_is_missed_also_if_there_is_no_extra() {
    let shop = shop();
    let required = json!({"branch": ["is required"]});
    for extra in [json!(null), json!(""), json!({}), json!({"branch": null}), json!({"Branch": "main"})] {
        assert_eq!(wrong(&shop, &extra), required, "{extra}");
    }
    assert_eq!(wrong(&shop, &json!({"branch": ""})), json!({"branch": ["must not be blank"]}));
    assert_eq!(wrong(&shop, &json!("text")), json!(["must be an object"]));
}

#[test]
fn every_wrong_custom_field_is_named_at_once_and_other_keys_stay_free() {
    let extra = json!({"size": "L", "gift": 1, "anything": {"a": [1]}, "guests": 2});
    let expected = json!({
        "branch": ["is required"],
        "size": ["must be one of those permitted at the merchant: S, M"],
        "gift": ["must be true or false"],
    });
    assert_eq!(wrong(&shop(), &extra), expected);
}

#[test]
fn custom_fields_belong_to_their_plugin() {
    let body = with(&json!({"type": "payment_request"}));
    assert!(shop().try_create(&body, None).is_ok());
}

#[test]
fn an_update_is_checked_for_custom_fields_too() {
    let shop = shop();
    let session_id = shop.create(&with(&json!({"extra": {"branch": "main", "size": "S"}})));
    let send = |extent, body: &Value| {
        let (body, caller) = (body.to_string(), shop.private());
        let session_id = session_id.clone();
        let input = UpdateInput {
            caller,
            session_id,
            extent,
            if_match: None,
            body: body.as_bytes(),
            file: None,
            wrong: &[],
        };
        block_on(update(&shop.world, input))
    };
    let refusal = refused(send(Extent::Partial, &json!({"extra": {"size": "S"}})));
    assert_eq!(errors(&refusal), json!({"extra": {"branch": ["is required"]}}));
    let refusal = refused(send(Extent::Full, &order(&["knet"])));
    assert_eq!(errors(&refusal), json!({"extra": {"branch": ["is required"]}}));
    assert!(send(Extent::Partial, &json!({"order_no": "B"})).is_ok(), "what was stored still fits");
}

#[test]
fn only_the_configured_units_are_taken() {
    let shop = Shop::open_with(1, |settings| settings["units"] = json!(["salmiya", "hawalli"]));
    assert!(shop.try_create(&with(&json!({"unit_code": "hawalli"})), None).is_ok());
    assert!(shop.try_create(&with(&json!({})), None).is_ok());
    let refusal = refused(shop.try_create(&with(&json!({"unit_code": "fahaheel"})), None));
    let permitted = "must be one of those permitted at the merchant: salmiya, hawalli";
    assert_eq!(errors(&refusal), json!({"unit_code": [permitted]}));
}

#[test]
fn payers_are_sent_back_to_the_configured_hosts_only() {
    let shop = Shop::open_with(1, |settings| {
        settings["redirect_hosts"] = json!(["shop.example.com", "*.example.org"]);
    });
    let at = |url: &str| with(&json!({"redirect_url": url}));
    for url in ["https://shop.example.com/thanks?a=1", "https://SHOP.example.com", "https://a.b.example.org/"]
    {
        assert!(shop.try_create(&at(url), None).is_ok(), "{url}");
    }
    let permitted =
        "must be one of those permitted at the merchant: https://shop.example.com/…, https://*.example.org/…";
    for url in [
        "https://example.org/",
        "https://www.shop.example.com/",
        "https://shop.example.com.attacker.example/",
        "https://attacker.example/shop.example.com",
    ] {
        let refusal = refused(shop.try_create(&at(url), None));
        assert_eq!(errors(&refusal), json!({"redirect_url": [permitted]}), "{url}");
    }
    assert!(Shop::open(2).try_create(&at("https://attacker.example/"), None).is_ok(), "none is configured");
}

#[test]
fn what_unscheduled_agreements_may_say_is_configured() {
    let shop = Shop::open_with(1, |settings| {
        settings["agreements"] = json!({
            "types": ["unscheduled", "recurring"],
            "unscheduled": {"ids": ["TOPUP", "FINES"], "frequencies": ["irregular", "other"]},
        });
    });
    let refusal = |agreement: Value| match shop.try_create(&with(&json!({"agreement": agreement})), None) {
        Ok(_) => json!(null),
        Err(_) => {
            errors(&refused(shop.try_create(&with(&json!({"agreement": agreement})), None)))["agreement"]
                .clone()
        }
    };
    let unscheduled = |id, frequency| json!({"type": "unscheduled", "id": id, "frequency": frequency});
    assert_eq!(refusal(unscheduled("TOPUP", "irregular")), json!(null));
    assert_eq!(refusal(unscheduled("FINES", "other")), json!(null));
    assert_eq!(
        refusal(unscheduled("RENT", "monthly")),
        json!({
            "id": ["must be one of those permitted at the merchant: TOPUP, FINES"],
            "frequency": ["must be one of those permitted at the merchant: irregular, other"],
        })
    );
    let types = json!({"type": ["must be one of those permitted at the merchant: unscheduled, recurring"]});
    assert_eq!(refusal(json!({"type": "other", "id": "X"})), types);
    let recurring = json!({"id": "RENT", "amount_variability": "fixed", "cycle_interval_days": 30,
        "expiry_date": "2030-12-31", "frequency": "monthly", "total_cycles": 12});
    assert_eq!(refusal(recurring), json!(null), "the lists are for unscheduled agreements only");
}

#[test]
fn a_type_that_is_left_out_is_recurring_and_must_be_permitted_too() {
    let shop = Shop::open_with(1, |settings| settings["agreements"] = json!({"types": ["other"]}));
    let recurring = json!({"id": "RENT", "amount_variability": "fixed", "cycle_interval_days": 30,
        "expiry_date": "2030-12-31", "frequency": "monthly", "total_cycles": 12});
    let refusal = refused(shop.try_create(&with(&json!({"agreement": recurring})), None));
    let permitted = "must be one of those permitted at the merchant: other";
    assert_eq!(errors(&refusal), json!({"agreement": {"type": [permitted]}}));
}

#[test]
fn one_wallet_at_several_gateways_is_taken_and_offered_once() {
    let shop = Shop::open_with(1, |settings| {
        settings["gateways"][0]["wallets"] = json!(["apple_pay"]);
        settings["gateways"][3]["wallets"] = json!(["google_pay"]);
    });
    for codes in [json!(["knet", "credit-card"]), json!(["queued", "credit-card", "knet"])] {
        let body = with(&json!({"pg_codes": codes, "include_sdk_setup_preload": true}));
        let answer: Value = serde_json::from_str(&shop.try_create(&body, None).unwrap().body).unwrap();
        let services = answer["sdk_setup_preload_payload"]["payment_services"].as_array().unwrap();
        let mut flows: Vec<_> = services.iter().map(|service| service["flow"].clone()).collect();
        flows.sort_by_key(ToString::to_string);
        assert_eq!(flows, [json!("apple_pay"), json!("google_pay")], "each wallet once");
    }
}
