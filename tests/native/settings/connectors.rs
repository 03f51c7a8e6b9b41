//! What connectors have and do not have.

use super::*;

#[test]
fn what_the_connector_of_a_gateway_does_not_have_is_refused() {
    for (pointer, value, expected) in [
        ("/gateways/0/credentials", Value::Null, "gateways.0.credentials: is required"),
        ("/gateways/0/credentials/api_key", json!(""), "gateways.0.credentials.api_key: must not be blank"),
        (
            "/gateways/0/credentials/api_key",
            json!("k".repeat(513)),
            "gateways.0.credentials.api_key: must have at most 512 characters",
        ),
        (
            "/gateways/0/credentials/apikey",
            json!("a secret under a wrong name"),
            "gateways.0.credentials.apikey: must not be given: the connector of the gateway has no such credential",
        ),
        (
            "/gateways/6/credentials",
            json!({"api_key": "x"}),
            "gateways.6.credentials.api_key: must not be given: the connector of the gateway has no such credential",
        ),
        (
            "/gateways/6/apple_pay",
            json!({"merchant_id": "merchant.example.shop"}),
            "gateways.6.apple_pay: must be something that the connector of the gateway can do",
        ),
        (
            "/gateways/6/wallets",
            json!(["google_pay", "apple_pay"]),
            "gateways.6.wallets.0: must be something that the connector of the gateway can do, \
             gateways.6.wallets.1: must be something that the connector of the gateway can do",
        ),
    ] {
        assert_eq!(wrong(&with(pointer, value.clone())).join(", "), expected, "{pointer} {value}");
    }
}

#[test]
fn what_an_account_cannot_do_is_a_list_of_known_words() {
    let document = with("/gateways/1/restrictions", json!(["single_capture", "full_refund"]));
    let settings = read(&document.to_string()).unwrap();
    let found: Vec<_> = settings.gateways[1].restrictions.iter().map(|one| one.as_str()).collect();
    assert_eq!(found, ["single_capture", "full_refund"]);
    assert!(settings.gateways[0].restrictions.is_empty());
    let wrong = wrong(&with("/gateways/1/restrictions", json!(["no_refunds", "full_refund", "full_refund"])));
    let words = "single_capture, full_capture, full_refund, no_verification, no_saved_card_payment";
    assert_eq!(
        wrong,
        [
            format!("gateways.1.restrictions.0: must be one of {words}"),
            "gateways.1.restrictions.2: must not be given twice".to_string()
        ]
    );
}

#[test]
fn a_stored_gateway_has_of_its_operations_what_its_connector_can_do() {
    let mut gateway = json!({
        "code": "knet", "name": {"en": "KNET", "ar": "كي نت"}, "connector": "knet", "pg_name": "kpay",
        "operation": "authorize", "currencies": ["KWD"], "operations": ["capture", "refund"],
        "credentials": {"tranportal_id": "900100200", "password": "p", "resource_key": "k"}
    });
    let document = with("/gateways/0", gateway.clone());
    assert!(wrong(&document).iter().any(|line| line.starts_with("gateways.0.operations: ")));
    let merchant = MerchantId::parse("demo").unwrap();
    let stored = parse::stored(&merchant, 1, &document.to_string(), secrets()).unwrap();
    assert_eq!(stored.gateways[0].operations, [ChildOperation::Refund]);
    gateway["operations"] = json!(["charge"]);
    let broken = with("/gateways/0", gateway).to_string();
    assert!(parse::stored(&merchant, 1, &broken, secrets()).is_err(), "an unknown word is corrupt");
}
