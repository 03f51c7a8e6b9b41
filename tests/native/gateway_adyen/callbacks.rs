//! What Adyen reports by itself. The signatures in the vectors were made by Adyen's own library.

use checkout_core::card::BankToken;
use checkout_core::gateway::callback::{
    Acknowledgement, Callback, CallbackContext, GatewayEvent, MAX_EVENTS, SavedReport,
};
use checkout_core::gateway::charge::{Outcome, Report};
use checkout_core::gateway::decline::REASON;
use checkout_core::gateway::exchange::Incoming;
use checkout_core::gateway::operation::{OperationOutcome, OperationReport};
use checkout_core::testing::gateway::{
    OPERATION_REFERENCE, at_account, at_charge, callback, money, reference,
};
use hmac::{Hmac, Mac};
use serde_json::{Value, json};
use sha2::Sha256;

use super::{ACCOUNT, HMAC, LINK, PAYMENT, TOKEN, shop, without_webhooks};

const WEBHOOKS: &str = include_str!("../../vectors/gateways/adyen-webhooks.json");

fn bodies() -> Vec<(String, Value)> {
    let all: Vec<Value> = serde_json::from_str(WEBHOOKS).unwrap();
    all.iter().map(|one| (one["name"].as_str().unwrap().to_string(), one["body"].clone())).collect()
}

pub(super) fn body(name: &str) -> Value {
    bodies().into_iter().find(|(known, _)| known == name).unwrap_or_else(|| panic!("no webhook {name}")).1
}

fn sent(body: &Value) -> Incoming {
    callback(&[("content-type", "application/json")], body.to_string())
}

pub(super) fn read(body: &Value) -> Option<Callback> {
    shop().read_callback(&sent(body), &at_account())
}

fn events(name: &str) -> Vec<GatewayEvent> {
    read(&body(name)).unwrap_or_else(|| panic!("{name} is not accepted")).events
}

fn charged(name: &str) -> Report {
    match events(name).pop() {
        Some(GatewayEvent::Charge(report)) => report,
        other => panic!("{name}: {other:?}"),
    }
}

fn operated(name: &str) -> OperationReport {
    match events(name).pop() {
        Some(GatewayEvent::Operation(report) | GatewayEvent::Capture(report)) => report,
        other => panic!("{name}: {other:?}"),
    }
}

pub(super) fn item(body: &mut Value) -> &mut Value {
    &mut body["notificationItems"][0]["NotificationRequestItem"]
}

/// The item signed again, by code of this test.
pub(super) fn signed(mut body: Value) -> Value {
    let item = item(&mut body);
    let text = |name: &str| item.get(name).and_then(Value::as_str).unwrap_or_default().to_string();
    let fields = [
        text("pspReference"),
        text("originalReference"),
        text("merchantAccountCode"),
        text("merchantReference"),
        item["amount"]["value"].to_string(),
        item["amount"]["currency"].as_str().unwrap_or_default().to_string(),
        text("eventCode"),
        text("success"),
    ];
    let mut mac = Hmac::<Sha256>::new_from_slice(&hex::decode(HMAC).unwrap()).unwrap();
    mac.update(fields.join(":").as_bytes());
    let signature =
        base64::Engine::encode(&base64::engine::general_purpose::STANDARD, mac.finalize().into_bytes());
    item["additionalData"]["hmacSignature"] = json!(signature);
    body
}

#[test]
fn the_documented_sample_is_accepted_with_the_documented_signature() {
    let mut sample = body("the documented sample");
    let signature = item(&mut sample)["additionalData"]["hmacSignature"].clone();
    assert_eq!(signature, "coqCmt/IZ4E3CzPvMY8zTjQVL5hYJUiBRg8UU+iCWo0=");
    // It is about another merchant account: accepted, and nothing follows.
    assert_eq!(read(&sample).unwrap().events, []);
    assert_eq!(signed(sample.clone()), sample);
}

#[test]
fn every_webhook_is_answered_as_adyen_wants() {
    for (name, body) in bodies() {
        let callback = read(&body).unwrap_or_else(|| panic!("{name}"));
        assert_eq!(callback.answer, Acknowledgement::Text("[accepted]".to_string()));
    }
}

#[test]
fn an_authorisation_is_an_approval_with_the_id_of_the_payment() {
    let report = charged("authorised on a link");
    assert_eq!(report.outcome, Outcome::Approved);
    assert_eq!((report.reference.as_str(), report.total), ("7H3K9M2P4Q5R", Some(money("10.250", "KWD"))));
    assert_eq!((report.gateway_id.as_deref(), report.message), (Some(PAYMENT), None));
    let card = report.card.unwrap();
    assert_eq!((card.token.0.as_str(), card.expiry.year()), (TOKEN, "30".into()));
    assert_eq!(report.params.get("post_date").map(String::as_str), Some("2026-11-22"));
    let raw = report.raw.unwrap();
    for secret in
        [TOKEN, "NOURA", "noura@", "203.0.113.7", "hmacSignature", "411111", "033899:1111", "customer-7"]
    {
        assert!(!raw.contains(secret), "{secret} in {raw}");
    }
    assert!(raw.contains(LINK) && raw.contains("AUTHORISATION"), "{raw}");
    let confirmed = charged("confirmed without an amount");
    assert_eq!((confirmed.outcome, confirmed.total), (Outcome::Approved, Some(money("0.000", "KWD"))));
}

#[test]
fn the_reason_of_an_authorisation_has_the_code_and_the_card() {
    let params = charged("authorised, the card only in the reason").params;
    let param = |name: &str| params.get(name).map(String::as_str);
    assert_eq!((param("auth_code"), param("card_number")), (Some("033899"), Some("************1111")));
    assert_eq!((param("full_card_expiry"), param("card_type")), (Some("03/30"), Some("visa")));
    assert_eq!(param("pg_message"), None);
}

#[test]
fn a_refusal_is_final_only_without_a_page() {
    let report = charged("refused, direct");
    assert_eq!(report.outcome, Outcome::Declined);
    assert_eq!(report.message.as_deref(), Some("Not enough balance"));
    assert_eq!(report.params.get(REASON).map(String::as_str), Some("insufficient_funds"));
    assert_eq!(charged("refused, direct, metadata as an object").outcome, Outcome::Declined);
    assert_eq!(charged("closed, direct").outcome, Outcome::Canceled);
    for name in ["refused on a link", "refused, without a mark", "closed on a link"] {
        assert_eq!(events(name), [GatewayEvent::Ask("7H3K9M2P4Q5R".to_string())], "{name}");
    }
}

#[test]
fn each_event_of_an_operation_has_its_outcome() {
    for (name, outcome, amount) in [
        ("captured", OperationOutcome::Done, "10.250"),
        ("capture refused", OperationOutcome::Refused, "10.250"),
        ("capture failed", OperationOutcome::Refused, "10.250"),
        ("refunded in part", OperationOutcome::Done, "4.000"),
        ("refund refused", OperationOutcome::Refused, "10.250"),
        ("refund failed", OperationOutcome::Refused, "10.250"),
        ("refund came back", OperationOutcome::Refused, "10.250"),
        ("refund postponed", OperationOutcome::Queued, "10.250"),
        ("canceled", OperationOutcome::Done, "10.250"),
        ("cancellation refused", OperationOutcome::Refused, "10.250"),
        ("canceled or refunded", OperationOutcome::Done, "10.250"),
        ("canceled by reference", OperationOutcome::Done, "10.250"),
        ("pending refund voided", OperationOutcome::Done, "10.250"),
    ] {
        let report = operated(name);
        assert_eq!((report.outcome, report.amount), (outcome, Some(money(amount, "KWD"))), "{name}");
        assert_eq!(report.reference, OPERATION_REFERENCE, "{name}");
        assert_eq!(report.gateway_id.as_deref(), Some("V4HZ4RBFJGXXGN82"), "{name}");
    }
    assert_eq!(operated("capture refused").message.as_deref(), Some("Insufficient balance on payment"));
}

#[test]
fn what_concerns_no_payment_is_acknowledged_without_events() {
    let others: Vec<_> = bodies().into_iter().filter(|(name, _)| name.starts_with("no payment")).collect();
    assert_eq!(others.len(), 12);
    for (name, body) in others {
        assert_eq!(read(&body).unwrap().events, [], "{name}");
    }
    assert_eq!(events("another merchant account"), []);
}

#[test]
fn several_items_are_several_events_and_a_repeated_webhook_is_the_same_again() {
    let found = events("several items");
    assert!(
        matches!(&found[..], [GatewayEvent::Charge(_), GatewayEvent::Capture(_), GatewayEvent::Dispute(_)]),
        "{found:?}"
    );
    assert_eq!(found, events("several items"));
}

#[test]
fn at_the_address_of_a_charge_only_that_charge_is_meant() {
    let at = |context: &CallbackContext| {
        shop().read_callback(&sent(&body("several items")), context).unwrap().events
    };
    assert!(matches!(&at(&at_charge())[..], [GatewayEvent::Charge(_), GatewayEvent::Dispute(_)]));
    let operation = CallbackContext { subject: Some(reference(OPERATION_REFERENCE)), ..at_account() };
    assert!(matches!(&at(&operation)[..], [GatewayEvent::Capture(_)]));
}

#[test]
fn another_amount_shows_in_the_report() {
    assert_eq!(charged("another amount").total, Some(money("0.01", "EUR")));
}

#[test]
fn each_signed_field_is_checked() {
    let original = body("canceled");
    for (field, value) in [
        ("pspReference", json!("V4HZ4RBFJGXXGN83")),
        ("originalReference", json!("NC6HT9CRT65ZGN83")),
        ("merchantAccountCode", json!("ShopECON")),
        ("merchantReference", json!("8J4L2N6P3Q7T")),
        ("amount", json!({ "currency": "KWD", "value": 10251 })),
        ("amount", json!({ "currency": "KWE", "value": 10250 })),
        ("eventCode", json!("CAPTURE")),
        ("success", json!("false")),
    ] {
        let mut forged = original.clone();
        item(&mut forged)[field] = value;
        assert_eq!(read(&forged), None, "{field}");
        assert!(read(&signed(forged)).is_some(), "{field}");
    }
}

#[test]
fn an_item_without_a_valid_signature_makes_the_whole_webhook_invalid() {
    for signature in [
        json!(""),
        json!(null),
        json!("AAAA"),
        json!(1),
        json!("coqCmt/IZ4E3CzPvMY8zTjQVL5hYJUiBRg8UU+iCWo0="),
    ] {
        let mut forged = body("several items");
        forged["notificationItems"][1]["NotificationRequestItem"]["additionalData"]["hmacSignature"] =
            signature;
        assert_eq!(read(&forged), None);
    }
    assert_eq!(without_webhooks().read_callback(&sent(&body("captured")), &at_account()), None);
    let empty = checkout_core::testing::gateway::connect(
        &checkout_core::gateway::adyen::DECLARATION,
        &[("api_key", "k"), ("merchant_account", ACCOUNT), ("hmac_key", "")],
    );
    assert_eq!(empty.read_callback(&sent(&body("captured")), &at_account()), None);
}

#[test]
fn either_key_is_accepted() {
    assert_eq!(charged("signed with the other key").outcome, Outcome::Approved);
    let values = [("api_key", "k"), ("merchant_account", ACCOUNT), ("hmac_key", HMAC)];
    let single =
        checkout_core::testing::gateway::connect(&checkout_core::gateway::adyen::DECLARATION, &values);
    let signed = sent(&body("signed with the other key"));
    assert_eq!(single.read_callback(&signed, &at_account()), None);
}

#[test]
fn bodies_that_are_no_webhook_are_not_accepted() {
    let many: Vec<_> = vec![body("captured")["notificationItems"][0].clone(); MAX_EVENTS + 1];
    for body in [
        String::new(),
        "{}".into(),
        "[]".into(),
        r#"{"notificationItems":[]}"#.into(),
        r#"{"notificationItems":[{}]}"#.into(),
        r#"{"notificationItems":{}}"#.into(),
        json!({ "notificationItems": many }).to_string(),
    ] {
        assert_eq!(shop().read_callback(&callback(&[], body.clone()), &at_account()), None, "{body}");
    }
}

#[test]
fn an_event_without_a_readable_amount_or_id_is_no_approval() {
    for (field, value) in [
        ("amount", json!({ "currency": "XAU", "value": 10250 })),
        ("amount", json!({ "currency": "KWD", "value": "10250" })),
        ("pspReference", json!("../evil")),
    ] {
        let mut odd = body("authorised on a link");
        item(&mut odd)[field] = value.clone();
        let odd = if value["value"].is_string() { odd } else { signed(odd) };
        let found = read(&odd).map(|callback| callback.events);
        match found.as_deref() {
            Some([GatewayEvent::Charge(report)]) => assert_eq!(report.outcome, Outcome::Unknown, "{value}"),
            None => assert!(value["value"].is_string(), "{value}"),
            other => panic!("{value}: {other:?}"),
        }
    }
}

/// The events of a webhook about a token with a signature; `None` if it is refused.
fn of_token(signature: &str, body: &str) -> Option<Vec<GatewayEvent>> {
    let request = callback(&[("hmacsignature", signature)], body);
    let read = shop().read_callback(&request, &at_account())?;
    assert_eq!(read.answer, Acknowledgement::Text("[accepted]".into()));
    Some(read.events)
}

#[test]
fn a_webhook_about_a_token_names_the_payment_that_saved_the_card_if_its_header_signs_it() {
    let saved = GatewayEvent::Saved(SavedReport {
        charge_id: PAYMENT.into(),
        customer_id: "customer-7".into(),
        token: BankToken(TOKEN.into()),
    });
    let all: Vec<Value> =
        serde_json::from_str(include_str!("../../vectors/gateways/adyen-tokens.json")).unwrap();
    for vector in &all {
        let text = |name: &str| vector[name].as_str().unwrap();
        let expected =
            if matches!(text("name"), "created" | "existing") { vec![saved.clone()] } else { vec![] };
        assert_eq!(of_token(text("signature"), text("body")), Some(expected), "{}", text("name"));
        assert_eq!(of_token(text("signature"), &format!("{} ", text("body"))), None, "{}", text("name"));
        assert_eq!(of_token("", text("body")), None, "{}", text("name"));
    }
    assert_eq!(all.len(), 5);
}

#[test]
fn a_webhook_about_a_token_that_is_not_whole_saves_nothing() {
    let mac = |body: &str| {
        let mut mac = Hmac::<Sha256>::new_from_slice(&hex::decode(HMAC).unwrap()).unwrap();
        mac.update(body.as_bytes());
        base64::Engine::encode(&base64::engine::general_purpose::STANDARD, mac.finalize().into_bytes())
    };
    let whole = json!({
        "type": "recurring.token.created", "eventId": PAYMENT,
        "data": {"merchantAccount": ACCOUNT, "shopperReference": "customer-7", "storedPaymentMethodId": TOKEN}
    });
    let read = |body: &Value| {
        let body = body.to_string();
        of_token(&mac(&body), &body).unwrap().len()
    };
    assert_eq!(read(&whole), 1);
    for (pointer, value) in [
        ("/eventId", json!("../payments")),
        ("/eventId", Value::Null),
        ("/data/storedPaymentMethodId", json!("a b")),
        ("/data/shopperReference", json!("")),
        ("/data/merchantAccount", json!(7)),
        ("/data", json!([])),
    ] {
        let mut odd = whole.clone();
        *odd.pointer_mut(pointer).unwrap() = value;
        assert_eq!(read(&odd), 0, "{pointer}");
    }
    assert_eq!(read(&json!([])), 0);
}
