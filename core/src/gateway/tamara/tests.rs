mod notifications;
mod operations;

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::{API_TOKEN, COUNTRY, DECLARATION, NOTIFICATION_TOKEN};
use crate::gateway::charge::{ChargeOperation, ChargeRef, Opened, Order, Outcome, Report};
use crate::gateway::check::Checked;
use crate::gateway::connector::Connector;
use crate::gateway::exchange::{Incoming, Outgoing};
use crate::gateway::flexible::{HiddenReason, Offer, OfferOrder, OrderItem};
use crate::gateway::operation::{OperationOrder, OperationOutcome, OperationReport};
use crate::gateway::payer::Payer;
use crate::testing::gateway::{
    OPERATION_REFERENCE, REFERENCE, answer, assert_sent, charge, connect, converse, money, operation,
    operation_order, order,
};
use crate::words::{ChildOperation, Language};

const SECRET: &str = "notification-token-made-up";
const ORDER: &str = "1f2e3d4c-0000-4000-8000-00000000cccc";
const PAGE: &str = "https://checkout-sandbox.tamara.co/c/made-up";

fn assert_request(name: &str, request: &Outgoing) {
    assert_sent(include_str!("../../../../tests/vectors/gateways/tamara.json"), name, request);
}

fn tamara() -> Box<dyn Connector> {
    connect(&DECLARATION, &[(API_TOKEN, "token-made-up"), (NOTIFICATION_TOKEN, SECRET), (COUNTRY, "KW")])
}

fn bought() -> Order {
    let item = |name: &str, quantity, price: &str, reference: &str| OrderItem {
        name: name.into(),
        quantity,
        unit_price: money(price, "KWD"),
        reference: reference.into(),
    };
    let items = [item("Oud", 2, "5.000", "1"), item("Box \"A\"", 1, "0.250", "2")].into();
    Order { items, ..order("10.250", "KWD") }
}

fn purchase() -> ChargeRef {
    let params = [("checkout_url".to_string(), PAGE.to_string())].into();
    ChargeRef { gateway_id: Some(ORDER.into()), params, ..charge("10.250", "KWD") }
}

fn held() -> ChargeRef {
    ChargeRef { operation: ChargeOperation::Authorize, ..purchase() }
}

/// An order with this amount captured, and with captures and refunds.
fn order_with(status: &str, taken: &str, captures: &str, refunds: &str) -> String {
    format!(
        r#"{{"order_id":"{ORDER}","order_reference_id":"{REFERENCE}","order_number":"ORDER-1001","status":"{status}","consumer":{{"first_name":"Noura","phone_number":"+96550000000"}},"total_amount":{{"amount":10.25,"currency":"KWD"}},"captured_amount":{{"amount":{taken},"currency":"KWD"}},"transactions":{{"cancels":[],"captures":[{captures}],"refunds":[{refunds}]}}}}"#
    )
}

fn tamara_order(status: &str) -> String {
    order_with(status, "0.000", "", "")
}

fn capture_of(reference: &str, amount: &str) -> String {
    format!(
        r#"{{"capture_id":"c-1","total_amount":{{"amount":{amount},"currency":"KWD"}},"shipping_info":{{"shipping_company":"-","tracking_number":"{reference}"}}}}"#
    )
}

fn refund_of(reference: &str, amount: &str) -> String {
    format!(
        r#"{{"refund_id":"r-1","capture_id":"c-1","total_amount":{{"amount":{amount},"currency":"KWD"}},"merchant_refund_id":"{reference}"}}"#
    )
}

fn captured() -> String {
    order_with("fully_captured", "10.250", &capture_of(REFERENCE, "10.250"), "")
}

fn error(status: u16) -> Incoming {
    answer(status, r#"{"message":"No","errors":[{"error_code":"made_up"}]}"#)
}

fn opens(first: Incoming) -> Opened {
    converse(tamara().open(&bought()), &[first]).1
}

fn inquired(charge: &ChargeRef, answers: &[Incoming]) -> (Vec<Outgoing>, Report) {
    converse(tamara().inquire(charge, None), answers)
}

fn outcome_of(charge: &ChargeRef, body: &str) -> Outcome {
    inquired(charge, &[answer(200, body)]).1.outcome
}

fn operation_of(kind: ChildOperation, amount: &str) -> OperationOrder {
    operation_order(held(), kind, amount)
}

fn operates(order: &OperationOrder, answers: &[Incoming]) -> (Vec<Outgoing>, OperationReport) {
    converse(tamara().operate(order), answers)
}

fn asked(order: &OperationOrder, body: &str) -> OperationOutcome {
    converse(tamara().inquire_operation(&operation(order, None)), &[answer(200, body)]).1.outcome
}

/// Every beginning of an answer whose rest was lost.
fn prefixes(whole: &str) -> impl Iterator<Item = &str> {
    (0..whole.len()).filter_map(|end| whole.get(..end))
}

#[test]
fn the_requests_are_those_of_the_vectors() {
    let none = [answer(500, "")];
    let tamara = tamara();
    let first = |requests: Vec<Outgoing>| requests.into_iter().next().unwrap();
    assert_request("open a page", &first(converse(tamara.open(&bought()), &none).0));
    let bare = Order { payer: Payer::default(), order_no: None, language: Language::Ar, ..bought() };
    assert_request("open a page for nobody known", &first(converse(tamara.open(&bare), &none).0));
    let inquiry = inquired(
        &purchase(),
        &[answer(200, tamara_order("approved")), answer(200, "{}"), answer(200, "{}"), answer(200, "{}")],
    )
    .0;
    for (request, name) in
        inquiry.iter().zip(["inquiry", "authorisation", "capture of a purchase", "inquiry"])
    {
        assert_request(name, request);
    }
    assert_request("capture", &first(operates(&operation_of(ChildOperation::Capture, "4.000"), &none).0));
    assert_request("refund", &first(operates(&operation_of(ChildOperation::Refund, "4.000"), &none).0));
    assert_request("void", &first(operates(&operation_of(ChildOperation::Void, "10.250"), &none).0));
    assert_request("check", &first(converse(tamara.check(), &none).0));
}

#[test]
fn a_session_sends_the_payer_to_its_page() {
    let session =
        format!(r#"{{"order_id":"{ORDER}","checkout_id":"c","checkout_url":"{PAGE}","status":"new"}}"#);
    let Opened::Reported(report) = opens(answer(200, session.clone())) else { panic!("refused") };
    assert_eq!(report.outcome, Outcome::Open { page_url: PAGE.to_string() });
    assert_eq!((report.reference.as_str(), report.gateway_id.as_deref()), (REFERENCE, Some(ORDER)));
    for part in prefixes(&session) {
        let Opened::Reported(report) = opens(answer(200, part)) else { panic!("refused") };
        assert_eq!(report.outcome, Outcome::Unknown, "{part}");
    }
}

#[test]
fn a_charge_is_refused_only_if_that_is_certain() {
    for (given, is_refused) in [
        (error(400), true),
        (error(401), true),
        (error(403), true),
        (error(422), true),
        (error(429), false),
        (error(500), false),
        (answer(400, "<html>"), false),
        (answer(403, "{}"), false),
        (answer(0, ""), false),
    ] {
        let status = given.status;
        assert_eq!(matches!(opens(given), Opened::Refused { .. }), is_refused, "{status}");
    }
}

#[test]
fn each_status_of_an_order_has_its_outcome() {
    for (status, of_purchase, of_hold) in [
        ("on_hold", Outcome::Unknown, Outcome::Unknown),
        ("declined", Outcome::Declined, Outcome::Declined),
        ("expired", Outcome::Canceled, Outcome::Canceled),
        ("canceled", Outcome::Canceled, Outcome::Canceled),
        ("updated", Outcome::Unknown, Outcome::Approved),
        ("paused", Outcome::Unknown, Outcome::Unknown),
        ("", Outcome::Unknown, Outcome::Unknown),
    ] {
        assert_eq!(outcome_of(&purchase(), &tamara_order(status)), of_purchase, "{status}");
        assert_eq!(outcome_of(&held(), &tamara_order(status)), of_hold, "{status}");
    }
    assert_eq!(outcome_of(&held(), &tamara_order("authorised")), Outcome::Approved);
    for status in ["fully_captured", "partially_captured", "fully_refunded", "partially_refunded"] {
        let body = order_with(status, "10.250", &capture_of(REFERENCE, "10.250"), "");
        assert_eq!(outcome_of(&purchase(), &body), Outcome::Approved, "{status}");
        assert_eq!(outcome_of(&held(), &body), Outcome::Approved, "{status}");
    }
    // A void of what is known to be held is no end of the charge.
    let params = inquired(&held(), &[answer(200, tamara_order("authorised"))]).1.params;
    assert_eq!(outcome_of(&ChargeRef { params, ..held() }, &tamara_order("canceled")), Outcome::Approved);
    // A part that was captured in Tamara's portal is seen as another amount.
    let part = order_with("partially_captured", "4.000", &capture_of("ANOTHER", "4.000"), "");
    assert_eq!(inquired(&purchase(), &[answer(200, part)]).1.total, Some(money("4.000", "KWD")));
}

#[test]
fn what_the_payer_has_paid_is_authorised_and_captured_once() {
    let steps = [
        answer(200, tamara_order("approved")),
        answer(200, "{}"),
        answer(200, "{}"),
        answer(200, captured()),
    ];
    let (requests, report) = inquired(&purchase(), &steps);
    assert_eq!(requests.len(), 4);
    assert_eq!((report.outcome, report.total), (Outcome::Approved, Some(money("10.250", "KWD"))));
    assert_eq!(report.params.get("transaction_id").map(String::as_str), Some("c-1"));
    // What is only held is not captured.
    let (requests, report) = inquired(
        &held(),
        &[answer(200, tamara_order("approved")), answer(200, "{}"), answer(200, tamara_order("authorised"))],
    );
    assert_eq!((requests.len(), report.outcome), (3, Outcome::Approved));
    // Another inquiry authorised it in between, and may still have to capture it.
    let (requests, report) = inquired(
        &purchase(),
        &[answer(200, tamara_order("approved")), error(409), error(409), answer(200, captured())],
    );
    assert_eq!((requests.len(), report.outcome), (4, Outcome::Approved));
    let (requests, report) = inquired(
        &purchase(),
        &[answer(200, tamara_order("authorised")), answer(500, ""), answer(200, tamara_order("authorised"))],
    );
    assert_eq!((requests.len(), report.outcome), (3, Outcome::Unknown));
}

#[test]
fn nothing_is_done_to_another_charge_or_another_amount() {
    for body in [
        tamara_order("approved").replace(REFERENCE, "ANOTHER"),
        tamara_order("approved").replace("10.25,", "11.25,"),
        order_with("authorised", "4.000", &capture_of("ANOTHER", "4.000"), ""),
    ] {
        let (requests, report) = inquired(&purchase(), &[answer(200, body)]);
        assert_eq!((requests.len(), report.outcome), (1, Outcome::Unknown));
    }
}

#[test]
fn a_page_that_nobody_has_paid_still_waits() {
    assert_eq!(outcome_of(&purchase(), &tamara_order("new")), Outcome::Open { page_url: PAGE.to_string() });
    // Nobody can pay at an address that nobody knows.
    assert_eq!(outcome_of(&charge("10.250", "KWD"), &tamara_order("new")), Outcome::Absent);
    let another = tamara_order("new").replace(REFERENCE, "ANOTHER");
    assert_eq!(outcome_of(&purchase(), &another), Outcome::Unknown);
    assert_eq!(inquired(&purchase(), &[error(404)]).1.outcome, Outcome::Absent);
    assert_eq!(inquired(&purchase(), &[answer(404, "<html>")]).1.outcome, Outcome::Unknown);
}

#[test]
fn what_cannot_be_read_of_an_order_is_unknown() {
    let whole = captured();
    for part in prefixes(&whole) {
        assert_eq!(outcome_of(&purchase(), part), Outcome::Unknown, "{part}");
    }
    for (from, to) in [("10.25,", "10.2505,"), ("10.25,", "1e1,"), ("10.25,", "null,"), ("KWD", "XXX")] {
        assert_eq!(outcome_of(&purchase(), &whole.replace(from, to)), Outcome::Unknown, "{to}");
    }
    assert_eq!(inquired(&purchase(), &[answer(500, whole)]).1.outcome, Outcome::Unknown);
}

#[test]
fn an_order_is_offered_if_tamara_takes_it_with_its_words_in_both_languages() {
    let of = |payer: Payer| OfferOrder {
        total: money("10.250", "KWD"),
        payer,
        items: bought().items,
        language: Language::En,
        country: "KW".into(),
        order_no: None,
    };
    let known = of(bought().payer);
    let offered = |answer: Incoming| converse(tamara().offers(&known), &[answer]);
    let body = r#"{"has_available_payment_options":true,"single_checkout_enabled":true,"available_payment_labels":[{"payment_type":"PAY_BY_INSTALMENTS","instalment":4,"description_en":"Pay in 4","description_ar":"\u0642\u0633\u0645\u0647\u0627 \u0639\u0644\u0649 4"},{"payment_type":"PAY_NOW","instalment":0,"description_en":"Pay now","description_ar":null}]}"#;
    let (requests, offer) = offered(answer(200, body));
    assert_request("eligibility", requests.first().unwrap());
    let Offer::Shown(labels) = offer else { panic!("{offer:?}") };
    let read: Vec<_> = labels.iter().map(|label| (label.instalment, label.description_ar.as_str())).collect();
    assert_eq!(read, [(4, "قسمها على 4"), (0, "")]);
    let none =
        body.replace("\"has_available_payment_options\":true", "\"has_available_payment_options\":false");
    assert_eq!(offered(answer(200, none)).1, Offer::Hidden(HiddenReason::NotEligible));
    for unread in [answer(200, "{}"), answer(500, ""), error(400)] {
        assert_eq!(offered(unread).1, Offer::Hidden(HiddenReason::NoAnswer));
    }
    let unknown = of(Payer { phone: None, ..bought().payer });
    assert_eq!(converse(tamara().offers(&unknown), &[]).1, Offer::Shown(Vec::new()));
}

#[test]
fn the_token_is_accepted_or_refused_only_if_tamara_says_so() {
    for (given, checked) in [
        (answer(200, "[]"), Checked::Accepted),
        (error(401), Checked::Refused(Some("No".into()))),
        (answer(401, "<html>"), Checked::Unclear),
        (error(404), Checked::Unclear),
        (answer(500, ""), Checked::Unclear),
    ] {
        assert_eq!(converse(tamara().check(), &[given]).1, checked);
    }
}

#[test]
fn nothing_about_the_payer_is_stored() {
    let raw = inquired(&purchase(), &[answer(200, captured())]).1.raw.unwrap();
    assert!(!raw.contains("Noura") && !raw.contains("50000000") && raw.contains(ORDER), "{raw}");
}
