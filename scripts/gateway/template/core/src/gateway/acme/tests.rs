use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::Deserialize;

use super::{API_KEY, DECLARATION, SIGNING_SECRET};
use crate::gateway::callback::GatewayEvent;
use crate::gateway::charge::{Opened, Outcome};
use crate::gateway::check::Checked;
use crate::gateway::connector::Connector;
use crate::gateway::exchange::Outgoing;
use crate::gateway::operation::{OperationOrder, OperationOutcome};
use crate::testing::gateway::{
    OPERATION_REFERENCE, REFERENCE, answer, at_charge, callback, charge, connect, converse, money, operation,
    operation_order, order,
};
use crate::webhook::signature::hmac_sha256;
use crate::words::ChildOperation;

const SECRET: &str = "signing-secret-made-up";

/// A request as it must be, byte for byte.
#[derive(Deserialize)]
struct Vector {
    name: String,
    method: String,
    url: String,
    headers: Vec<(String, String)>,
    body: String,
}

fn assert_request(name: &str, requests: &[Outgoing]) {
    let vectors: Vec<Vector> =
        serde_json::from_str(include_str!("../../../../tests/vectors/gateways/acme.json")).unwrap();
    let vector = vectors.into_iter().find(|vector| vector.name == name).unwrap();
    let [request] = requests else { panic!("{} requests", requests.len()) };
    let headers: Vec<_> =
        request.headers.iter().map(|(name, value)| ((*name).to_string(), value.clone())).collect();
    assert_eq!((request.method.as_str(), &request.url), (vector.method.as_str(), &vector.url));
    assert_eq!(headers, vector.headers);
    assert_eq!(core::str::from_utf8(&request.body).unwrap(), vector.body);
}

fn acme() -> Box<dyn Connector> {
    connect(&DECLARATION, &[(API_KEY, "key-made-up"), (SIGNING_SECRET, SECRET)])
}

fn payment(status: &str, amount: &str) -> String {
    format!(
        r#"{{"object":"payment","id":"pay_1","reference":"{REFERENCE}","status":"{status}","amount":"{amount}","currency":"KWD","page_url":"https://pay.gateway.example/pay_1"}}"#
    )
}

fn refund(status: &str) -> String {
    format!(
        r#"{{"object":"refund","id":"ref_1","reference":"{OPERATION_REFERENCE}","status":"{status}","amount":"4.000","currency":"KWD"}}"#
    )
}

fn refund_order() -> OperationOrder {
    operation_order(charge("10.250", "KWD"), ChildOperation::Refund, "4.000")
}

fn outcome_of(status: u16, body: &str) -> Outcome {
    converse(acme().inquire(&charge("10.250", "KWD"), None), &[answer(status, body)]).1.outcome
}

fn refund_outcome_of(status: u16, body: &str) -> OperationOutcome {
    converse(acme().operate(&refund_order()), &[answer(status, body)]).1.outcome
}

/// Every beginning of an answer whose rest was lost.
fn prefixes(whole: &str) -> impl Iterator<Item = &str> {
    (0..whole.len()).filter_map(|end| whole.get(..end))
}

#[test]
fn the_requests_are_those_of_the_vectors() {
    let (acme, order, charge, refund_order) =
        (acme(), order("10.250", "KWD"), charge("10.250", "KWD"), refund_order());
    let none = [answer(500, "")];
    assert_request("open a page", &converse(acme.open(&order), &none).0);
    assert_request("inquiry", &converse(acme.inquire(&charge, None), &none).0);
    assert_request("refund", &converse(acme.operate(&refund_order), &none).0);
    let refund = operation(&refund_order, None);
    assert_request("inquiry about a refund", &converse(acme.inquire_operation(&refund), &none).0);
    assert_request("check", &converse(acme.check(), &none).0);
}

#[test]
fn a_payment_that_is_open_sends_the_payer_to_its_page() {
    let order = order("10.250", "KWD");
    let acme = acme();
    let (_, opened) = converse(acme.open(&order), &[answer(201, payment("open", "10.250"))]);
    let Opened::Reported(report) = opened else { panic!("{opened:?}") };
    assert_eq!(report.outcome, Outcome::Open { page_url: "https://pay.gateway.example/pay_1".to_string() });
    assert_eq!((report.reference.as_str(), report.total), (REFERENCE, Some(money("10.250", "KWD"))));
    assert_eq!(report.gateway_id.as_deref(), Some("pay_1"));
}

#[test]
fn a_payment_is_refused_only_if_that_is_certain() {
    let order = order("10.250", "KWD");
    for (status, is_refused) in [
        (400, true),
        (401, true),
        (422, true),
        (408, false),
        (409, false),
        (429, false),
        (500, false),
        (0, false),
    ] {
        let acme = acme();
        let (_, opened) = converse(acme.open(&order), &[answer(status, r#"{"message":"No"}"#)]);
        assert_eq!(matches!(opened, Opened::Refused { .. }), is_refused, "{status}");
        assert_eq!(refund_outcome_of(status, "{}") == OperationOutcome::Refused, is_refused, "{status}");
    }
}

#[test]
fn each_status_of_a_payment_has_its_outcome() {
    for (status, outcome) in [
        ("paid", Outcome::Approved),
        ("declined", Outcome::Declined),
        ("canceled", Outcome::Canceled),
        ("processing", Outcome::Unknown),
        ("", Outcome::Unknown),
    ] {
        assert_eq!(outcome_of(200, &payment(status, "10.250")), outcome, "{status}");
    }
    assert_eq!(outcome_of(404, "{}"), Outcome::Absent);
}

#[test]
fn what_cannot_be_read_of_a_payment_is_unknown() {
    let whole = payment("paid", "10.250");
    for part in prefixes(&whole) {
        assert_eq!(outcome_of(200, part), Outcome::Unknown, "{part}");
    }
    for amount in ["", "10.2505", "-1.000", "1e3"] {
        assert_eq!(outcome_of(200, &payment("paid", amount)), Outcome::Unknown, "{amount}");
    }
    assert_eq!(outcome_of(500, &whole), Outcome::Unknown);
    assert_eq!(outcome_of(200, &refund("done")), Outcome::Unknown);
}

#[test]
fn each_status_of_a_refund_has_its_outcome() {
    for (status, outcome) in [
        ("done", OperationOutcome::Done),
        ("queued", OperationOutcome::Queued),
        ("refused", OperationOutcome::Refused),
        ("processing", OperationOutcome::Unknown),
    ] {
        assert_eq!(refund_outcome_of(201, &refund(status)), outcome, "{status}");
    }
    let whole = refund("done");
    for part in prefixes(&whole) {
        assert_eq!(refund_outcome_of(201, part), OperationOutcome::Unknown, "{part}");
    }
    let known = operation(&refund_order(), None);
    let acme = acme();
    assert_eq!(
        converse(acme.inquire_operation(&known), &[answer(404, "{}")]).1.outcome,
        OperationOutcome::Absent
    );
}

#[test]
fn only_a_callback_with_our_signature_is_believed() {
    let body = payment("paid", "10.250");
    let signed = |secret: &str, body: &str| hex::encode(hmac_sha256(secret.as_bytes(), &[body.as_bytes()]));
    let read = |signature: &str, body: &str| {
        acme().read_callback(&callback(&[("x-signature", signature)], body), &at_charge())
    };
    let events = read(&signed(SECRET, &body), &body).unwrap().events;
    let [GatewayEvent::Charge(report)] = events.as_slice() else { panic!("{events:?}") };
    assert_eq!(report.outcome, Outcome::Approved);
    for (signature, body) in [
        (signed("another", &body), body.clone()),
        (signed(SECRET, &body), body.replace("10.250", "1.000")),
        (String::new(), body.clone()),
        (signed("", &body), body.clone()),
    ] {
        assert_eq!(read(&signature, &body), None, "{signature}");
    }
    assert_eq!(acme().read_callback(&callback(&[], body.as_str()), &at_charge()), None);
    let without_secret = connect(&DECLARATION, &[(API_KEY, "key-made-up")]);
    let forged = callback(&[("x-signature", &signed("", &body))], body.as_str());
    assert_eq!(without_secret.read_callback(&forged, &at_charge()), None);
}

#[test]
fn a_signed_callback_about_a_refund_or_about_something_else_is_read_too() {
    let event = |body: &str| {
        let signature = hex::encode(hmac_sha256(SECRET.as_bytes(), &[body.as_bytes()]));
        let read = acme().read_callback(&callback(&[("x-signature", &signature)], body), &at_charge());
        read.unwrap().events.pop().unwrap()
    };
    let GatewayEvent::Operation(report) = event(&refund("done")) else { panic!("no operation") };
    assert_eq!((report.reference.as_str(), report.outcome), (OPERATION_REFERENCE, OperationOutcome::Done));
    assert_eq!(event("{}"), GatewayEvent::Ask(REFERENCE.to_string()));
}

#[test]
fn the_key_is_accepted_or_refused_only_if_the_gateway_says_so() {
    for (status, checked) in [
        (200, Checked::Accepted),
        (401, Checked::Refused(Some("No such key".to_string()))),
        (500, Checked::Unclear),
        (404, Checked::Unclear),
    ] {
        assert_eq!(converse(acme().check(), &[answer(status, r#"{"message":"No such key"}"#)]).1, checked);
    }
}
