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
            "/gateways/5/credentials",
            json!({"api_key": "x"}),
            "gateways.5.credentials.api_key: must not be given: the connector of the gateway has no such credential",
        ),
        (
            "/gateways/5/apple_pay",
            json!({"merchant_id": "merchant.example.shop"}),
            "gateways.5.apple_pay: must be something that the connector of the gateway can do",
        ),
        (
            "/gateways/5/wallets",
            json!(["google_pay", "apple_pay"]),
            "gateways.5.wallets.0: must be something that the connector of the gateway can do, \
             gateways.5.wallets.1: must be something that the connector of the gateway can do",
        ),
        (
            "/gateways/5/tokenization",
            json!(true),
            "gateways.5.tokenization: must be something that the connector of the gateway can do",
        ),
        (
            "/gateways/5/auto_debit",
            json!(true),
            "gateways.5.auto_debit: must be something that the connector of the gateway can do",
        ),
    ] {
        assert_eq!(wrong(&with(pointer, value.clone())).join(", "), expected, "{pointer} {value}");
    }
}
