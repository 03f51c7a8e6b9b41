//! What the settings of routing may be.

use checkout_core::access::operator::ROOT;
use checkout_core::flow::operator::merchant::add_merchant;
use checkout_core::rejection::Rejection;
use checkout_core::testing::world::World;
use checkout_tests::shop::{DEMO_SETTINGS, refused};
use pollster::block_on;
use serde_json::{Value, json};

use super::put;

/// The fields that are refused, each with what is allowed.
fn wrong(routing: Value) -> Vec<String> {
    let mut settings: Value = serde_json::from_str(DEMO_SETTINGS).unwrap();
    put(&mut settings, "routing", routing);
    let body = json!({"merchant_id": "demo", "settings": settings}).to_string();
    let Err(failure) = block_on(add_merchant(&World::new(1), &ROOT, body.as_bytes())) else {
        return Vec::new();
    };
    let refusal = refused(Err::<(), _>(failure));
    let Rejection::Invalid(found) = &refusal else { return [format!("{refusal:?}")].into() };
    found.iter().map(|violation| format!("{}: {}", violation.path, violation.rule)).collect()
}

fn rule(when: &Value, gateways: &Value) -> Value {
    json!({"rules": [{"name": "r", "when": when, "gateways": gateways}]})
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn every_wrong_field_is_named_with_what_is_allowed() {
    let one = json!([{"code": "knet"}]);
    for (routing, path) in [
        (json!([]), "settings.routing: must be an object"),
        (json!({"fallback": 1}), "settings.routing.fallback: must be true or false"),
        (json!({"skip_after": 0}), "settings.routing.skip_after: must be a whole number from 1 to 100"),
        (
            json!({"skip_seconds": "60"}),
            "settings.routing.skip_seconds: must be a whole number from 1 to 3600",
        ),
        (json!({"rules": {}}), "settings.routing.rules: must be a list"),
        (json!({"rules": [1]}), "settings.routing.rules.0: must be an object"),
        (json!({"rules": [{"gateways": one}]}), "settings.routing.rules.0.name: is required"),
        (json!({"rules": [{"name": "r"}]}), "settings.routing.rules.0.gateways: must have at least one item"),
        (
            rule(&json!({}), &json!([{"code": "none"}])),
            "settings.routing.rules.0.gateways.0.code: must be the code of a gateway",
        ),
        (
            rule(&json!({}), &json!([{"code": "knet"}, {"code": "knet"}])),
            "settings.routing.rules.0.gateways.1.code: must not be given twice",
        ),
        (
            rule(&json!({}), &json!([{"code": "knet", "percent": 0}])),
            "settings.routing.rules.0.gateways.0.percent: must be a whole number from 1 to 100",
        ),
        (
            rule(&json!({}), &json!([{"code": "knet", "percent": 50}, {"code": "mpgs"}])),
            "settings.routing.rules.0.gateways: must be a whole percentage",
        ),
        (
            rule(&json!({}), &json!([{"code": "knet", "percent": 50}, {"code": "mpgs", "percent": 49}])),
            "settings.routing.rules.0.gateways: must be a whole percentage",
        ),
        (rule(&json!({"countries": ["Kuwait"]}), &one), "settings.routing.rules.0.when.countries.0: must be"),
        (rule(&json!({"currencies": ["XXX"]}), &one), "settings.routing.rules.0.when.currencies.0: must be"),
        (
            rule(&json!({"card_brands": ["Visa"]}), &one),
            "settings.routing.rules.0.when.card_brands.0: must be one of",
        ),
        (
            rule(&json!({"amount": {"min": "1"}}), &one),
            "settings.routing.rules.0.when.amount.currency: is required",
        ),
        (
            rule(&json!({"amount": {"currency": "KWD"}}), &one),
            "settings.routing.rules.0.when.amount.min: must be given, or max",
        ),
        (
            rule(&json!({"amount": {"currency": "KWD", "min": "2", "max": "1"}}), &one),
            "settings.routing.rules.0.when.amount.max: must not be less than min",
        ),
        (
            rule(&json!({"amount": {"currency": "KWD", "min": "1.0001"}}), &one),
            "settings.routing.rules.0.when.amount.min: ",
        ),
    ] {
        let found = wrong(routing.clone());
        assert!(found.len() == 1 && found[0].starts_with(path), "{routing}: {found:?}");
    }
    let many: Vec<Value> = (0..51).map(|n| json!({"name": n.to_string(), "gateways": one})).collect();
    assert_eq!(wrong(json!({"rules": many})), ["settings.routing.rules: must have at most 50 items"]);
    let twice = json!({"rules": [{"name": "r", "gateways": one}, {"name": "r", "gateways": one}]});
    assert_eq!(wrong(twice), ["settings.routing.rules.1.name: must not be given twice"]);
}

#[test]
fn what_is_whole_is_accepted() {
    let shares = json!([{"code": "knet", "percent": 1}, {"code": "mpgs", "percent": 99}]);
    let when = json!({"currencies": ["KWD"], "countries": ["KW", "SA"], "card_brands": ["mada"],
        "amount": {"currency": "KWD", "max": "5.000"}});
    assert_eq!(wrong(rule(&when, &shares)), Vec::<String>::new());
    assert_eq!(wrong(json!({})), Vec::<String>::new());
}
