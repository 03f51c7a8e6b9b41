use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Deserialize;

use super::*;
use crate::gateway::callback::GatewayEvent;
use crate::testing::gateway::{OPENED_AT, at_account, at_charge, callback};
use crate::webhook::signature::hmac_sha256;

fn token(header: &str, claims: &str, secret: &str) -> String {
    let signed = [header, claims].map(|part| URL_SAFE_NO_PAD.encode(part)).join(".");
    let signature = hmac_sha256(secret.as_bytes(), &[signed.as_bytes()]);
    format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature))
}

const HS256: &str = r#"{"typ":"JWT","alg":"HS256"}"#;

fn claims(seconds: i64) -> String {
    let now = OPENED_AT / 1_000;
    format!(r#"{{"exp":{},"iat":{now},"iss":"Tamara"}}"#, now.saturating_add(seconds))
}

#[test]
fn only_a_notification_with_a_valid_token_is_believed_and_is_only_a_reason_to_ask() {
    let body = format!(
        r#"{{"order_id":"{ORDER}","order_reference_id":"{REFERENCE}","event_type":"order_approved","data":[]}}"#
    );
    let with = |token: &str| callback(&[("authorization", &format!("Bearer {token}"))], body.as_str());
    let read = |token: &str| tamara().read_callback(&with(token), &at_account());
    let valid = token(HS256, &claims(900), SECRET);
    assert_eq!(read(&valid).unwrap().events, [GatewayEvent::Ask(REFERENCE.to_string())]);
    let in_address = Incoming { query: format!("tamaraToken={valid}"), ..callback(&[], body.as_str()) };
    assert_eq!(tamara().read_callback(&in_address, &at_account()), read(&valid));
    // At the address of a charge, what the notification names does not matter.
    let another =
        callback(&[("authorization", &format!("Bearer {valid}"))], body.replace(REFERENCE, "ANOTHER"));
    let events = tamara().read_callback(&another, &at_charge()).unwrap().events;
    assert_eq!(events, [GatewayEvent::Ask(REFERENCE.to_string())]);
    for forged in [
        token(HS256, &claims(900), "another"),
        token(HS256, &claims(-120), SECRET),
        token(r#"{"typ":"JWT","alg":"none"}"#, &claims(900), SECRET),
        token(HS256, "{}", SECRET),
        valid.replace('.', ""),
        valid.get(..valid.len().saturating_sub(2)).unwrap().to_string(),
        format!("{}.", valid.rsplit_once('.').unwrap().0),
        String::new(),
    ] {
        assert_eq!(read(&forged), None, "{forged}");
    }
    assert_eq!(tamara().read_callback(&callback(&[], body.as_str()), &at_account()), None);
    let without = connect(&DECLARATION, &[(API_TOKEN, "token-made-up")]);
    assert_eq!(without.read_callback(&with(&token(HS256, &claims(900), "")), &at_account()), None);
}

/// Tokens that other libraries made.
#[derive(Deserialize)]
struct TamaraTokens {
    secret: String,
    rows: Vec<TamaraTokenRow>,
}

#[derive(Deserialize)]
struct TamaraTokenRow {
    token: String,
    is_valid: bool,
    source: String,
}

#[test]
fn tokens_of_three_other_libraries_are_read_as_they_mean_them() {
    let tokens: TamaraTokens =
        serde_json::from_str(include_str!("../../../../../tests/vectors/gateways/tamara-tokens.json"))
            .unwrap();
    assert_eq!(tokens.secret, SECRET);
    for TamaraTokenRow { token, is_valid, source } in tokens.rows {
        let given = callback(&[("authorization", &format!("Bearer {token}"))], "{}");
        assert_eq!(tamara().read_callback(&given, &at_charge()).is_some(), is_valid, "{source}");
    }
}
