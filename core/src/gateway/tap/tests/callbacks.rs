use super::*;
use crate::gateway::callback::{Acknowledgement, GatewayEvent};
use crate::testing::gateway::{at_account, at_charge, callback};
use crate::webhook::signature::hmac_sha256;

fn sign(message: &str) -> String {
    hex::encode(hmac_sha256(SECRET.as_bytes(), &[message.as_bytes()]))
}

const SIGNED: &str = "x_idchg_TS01A4120261127x9K2x_amount10.250x_currencyKWDx_gateway_reference123456789x_payment_reference4327230736106619650x_statusCAPTUREDx_created1795219200944";

#[test]
fn only_a_webhook_with_our_signature_is_a_reason_to_ask() {
    let body = item("charge", "CAPTURED", "");
    let read = |signature: &str, body: &str| {
        tap().read_callback(&callback(&[("hashstring", signature)], body), &at_charge())
    };
    let callback_of = read(&sign(SIGNED), &body).unwrap();
    assert_eq!(callback_of.events, [GatewayEvent::Ask(REFERENCE.to_string())]);
    assert_eq!(callback_of.answer, Acknowledgement::Json(r#"{"received":true}"#));
    for (signature, body) in [
        (sign(SIGNED).to_ascii_uppercase(), body.clone()),
        (sign(&SIGNED.replace("10.250", "10.25")), body.clone()),
        (
            sign(SIGNED),
            body.replace(r#""amount":10.25,"currency":"KWD","meta"#, r#""amount":1,"currency":"KWD","meta"#),
        ),
        (sign(SIGNED), body.replace("CAPTURED", "DECLINED")),
        (sign(SIGNED), body.replace(CHARGE, "chg_other")),
        (sign(SIGNED), body.replace(r#"10.25,"currency":"KWD""#, r#"10.2505,"currency":"KWD""#)),
        (String::new(), body.clone()),
        (sign(SIGNED), String::new()),
    ] {
        assert_eq!(read(&signature, &body), None, "{signature} {body}");
    }
    assert_eq!(tap().read_callback(&callback(&[], body.as_str()), &at_charge()), None);
    let keyless = connect(&DECLARATION, &[]);
    let forged = hex::encode(hmac_sha256(b"", &[SIGNED.as_bytes()]));
    assert_eq!(
        keyless.read_callback(&callback(&[("hashstring", &forged)], body.as_str()), &at_charge()),
        None
    );
}

#[test]
fn an_amount_is_signed_with_all_decimals_of_its_currency_and_a_reference_that_is_missing_as_nothing() {
    let refund = r#"{"id":"re_1","object":"refund","status":"REFUNDED","amount":4,"currency":"SAR","created":1795219200944,"reference":{"merchant":"8J4L2N6P3Q7S"}}"#;
    let signed = "x_idre_1x_amount4.00x_currencySARx_gateway_referencex_payment_referencex_statusREFUNDEDx_created1795219200944";
    let read = |context| tap().read_callback(&callback(&[("hashstring", &sign(signed))], refund), &context);
    assert_eq!(read(at_charge()).unwrap().events.len(), 1);
    // Which charge it is about, only the address says.
    assert!(read(at_account()).unwrap().events.is_empty());
}
