mod operations;

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::{COUNTRY, DECLARATION, MERCHANT_CODE, SECRET_KEY, WEBHOOK_SECRET};
use crate::gateway::callback::GatewayEvent;
use crate::gateway::charge::{ChargeOperation, ChargeRef, Opened, Order, Outcome, Report};
use crate::gateway::check::Checked;
use crate::gateway::connector::Connector;
use crate::gateway::exchange::{Incoming, Outgoing};
use crate::gateway::flexible::{HiddenReason, Offer, OfferOrder, OrderItem};
use crate::gateway::operation::{OperationOrder, OperationOutcome, OperationReport};
use crate::gateway::payer::Payer;
use crate::testing::gateway::{
    OPERATION_REFERENCE, REFERENCE, answer, assert_sent, at_account, callback, charge, connect, converse,
    money, operation, operation_order, order,
};
use crate::words::{ChildOperation, Language};

const SECRET: &str = "webhook-secret-made-up";
const PAYMENT: &str = "1f2e3d4c-0000-4000-8000-00000000aaaa";
const SESSION: &str = "1f2e3d4c-0000-4000-8000-00000000bbbb";
const PAGE: &str = "https://checkout.tabby.ai/?sessionId=made-up&product=installments";

fn assert_request(name: &str, request: &Outgoing) {
    assert_sent(include_str!("../../../../tests/vectors/gateways/tabby.json"), name, request);
}

fn tabby_in(country: &str) -> Box<dyn Connector> {
    let values = [
        (SECRET_KEY, "sk_test_made_up"),
        (MERCHANT_CODE, "shop_kw"),
        (COUNTRY, country),
        (WEBHOOK_SECRET, SECRET),
    ];
    connect(&DECLARATION, &values)
}

fn tabby() -> Box<dyn Connector> {
    tabby_in("KW")
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

fn opened(operation: ChargeOperation) -> ChargeRef {
    ChargeRef { gateway_id: Some(format!("{PAYMENT}.{SESSION}")), operation, ..charge("10.250", "KWD") }
}

fn purchase() -> ChargeRef {
    opened(ChargeOperation::Purchase)
}

fn held() -> ChargeRef {
    opened(ChargeOperation::Authorize)
}

fn movement(reference: &str, amount: &str) -> String {
    format!(
        r#"{{"id":"c-1","amount":"{amount}","reference_id":"{reference}","created_at":"2026-11-27T10:00:00Z"}}"#
    )
}

/// A payment with captures and refunds.
fn payment_with(status: &str, captures: &str, refunds: &str) -> String {
    format!(
        r#"{{"id":"{PAYMENT}","status":"{status}","is_test":true,"amount":"10.250","currency":"KWD","buyer":{{"name":"Noura","phone":"+96550000000"}},"order":{{"reference_id":"{REFERENCE}","items":[]}},"captures":[{captures}],"refunds":[{refunds}]}}"#
    )
}

fn payment(status: &str) -> String {
    payment_with(status, "", "")
}

fn captured() -> String {
    payment_with("CLOSED", &movement(REFERENCE, "10.25"), "")
}

fn session(status: &str, rejection: &str) -> String {
    let page = if status == "created" {
        format!(r#"[{{"web_url":"{PAGE}","qr_code":null}}]"#)
    } else {
        "null".into()
    };
    format!(
        r#"{{"id":"{SESSION}","status":"{status}","token":null,"payment":{{"id":"{PAYMENT}","status":"CREATED","amount":"10.25","currency":"KWD","order":{{"reference_id":"{REFERENCE}","items":[]}}}},"configuration":{{"available_products":{{"installments":{page}}},"products":{{"installments":{{"type":"installments","is_available":true,"rejection_reason":{rejection}}}}}}}}}"#
    )
}

fn error(status: u16, kind: &str) -> Incoming {
    answer(status, format!(r#"{{"status":"error","errorType":"{kind}","error":"No"}}"#))
}

fn opens(first: Incoming) -> Opened {
    converse(tabby().open(&bought()), &[first]).1
}

fn inquired(charge: &ChargeRef, answers: &[Incoming]) -> (Vec<Outgoing>, Report) {
    converse(tabby().inquire(charge, None), answers)
}

fn outcome_of(charge: &ChargeRef, body: &str) -> Outcome {
    inquired(charge, &[answer(200, body)]).1.outcome
}

fn operation_of(kind: ChildOperation, amount: &str) -> OperationOrder {
    operation_order(held(), kind, amount)
}

fn operates(order: &OperationOrder, answers: &[Incoming]) -> (Vec<Outgoing>, OperationReport) {
    converse(tabby().operate(order), answers)
}

fn asked(order: &OperationOrder, answers: &[Incoming]) -> OperationReport {
    converse(tabby().inquire_operation(&operation(order, None)), answers).1
}

/// Every beginning of an answer whose rest was lost.
fn prefixes(whole: &str) -> impl Iterator<Item = &str> {
    (0..whole.len()).filter_map(|end| whole.get(..end))
}

#[test]
fn the_requests_are_those_of_the_vectors() {
    let none = [answer(500, "")];
    let tabby = tabby();
    let first = |requests: Vec<Outgoing>| requests.into_iter().next().unwrap();
    assert_request("open a page", &first(converse(tabby.open(&bought()), &none).0));
    let bare = Order { payer: Payer::default(), order_no: None, language: Language::Ar, ..bought() };
    let saudi = tabby_in("SA");
    assert_request(
        "open a page in Saudi Arabia, for nobody known",
        &first(converse(saudi.open(&bare), &none).0),
    );
    assert_request("inquiry", &first(inquired(&purchase(), &none).0));
    assert_request("inquiry without an id", &first(inquired(&charge("10.250", "KWD"), &none).0));
    let [_, capture] =
        inquired(&purchase(), &[answer(200, payment("AUTHORIZED")), answer(500, "")]).0.try_into().unwrap();
    assert_request("capture of a purchase", &capture);
    let [_, page] =
        inquired(&purchase(), &[answer(200, payment("CREATED")), answer(500, "")]).0.try_into().unwrap();
    assert_request("the page of a session", &page);
    assert_request("capture", &first(operates(&operation_of(ChildOperation::Capture, "4.000"), &none).0));
    assert_request("refund", &first(operates(&operation_of(ChildOperation::Refund, "4.000"), &none).0));
    assert_request("void", &first(operates(&operation_of(ChildOperation::Void, "10.250"), &none).0));
    assert_request("check", &first(converse(tabby.check(), &none).0));
}

#[test]
fn a_session_that_is_created_sends_the_payer_to_its_page() {
    let Opened::Reported(report) = opens(answer(200, session("created", "null"))) else { panic!("refused") };
    assert_eq!(report.outcome, Outcome::Open { page_url: PAGE.to_string() });
    assert_eq!(report.reference, REFERENCE);
    assert_eq!(report.gateway_id, Some(format!("{PAYMENT}.{SESSION}")));
}

#[test]
fn a_session_that_is_rejected_is_a_decline_with_its_reason() {
    for (code, reason) in [
        ("order_amount_too_high", "limit_exceeded"),
        ("order_amount_too_low", "not_permitted"),
        ("not_available", "other"),
    ] {
        let Opened::Reported(report) = opens(answer(200, session("rejected", &format!("\"{code}\"")))) else {
            panic!("refused")
        };
        assert_eq!(report.outcome, Outcome::Declined, "{code}");
        assert_eq!(report.params.get("decline_reason").map(String::as_str), Some(reason));
        assert_eq!(report.params.get("decline_code").map(String::as_str), Some(code));
    }
}

#[test]
fn a_charge_is_refused_only_if_that_is_certain() {
    for (given, is_refused) in [
        (error(400, "bad_data"), true),
        (error(401, "not_authorized"), true),
        (error(403, "no_permission"), true),
        (error(404, "not_found"), true),
        (error(429, "too_many"), false),
        (error(500, "internal"), false),
        (answer(400, "<html>"), false),
        (answer(403, "{}"), false),
        (answer(0, ""), false),
    ] {
        let status = given.status;
        assert_eq!(matches!(opens(given), Opened::Refused { .. }), is_refused, "{status}");
    }
    for part in prefixes(&session("created", "null")) {
        let Opened::Reported(report) = opens(answer(200, part)) else { panic!("refused") };
        assert_eq!(report.outcome, Outcome::Unknown, "{part}");
    }
}

#[test]
fn each_status_of_a_payment_has_its_outcome() {
    for (body, of_purchase, of_hold) in [
        (payment("REJECTED"), Outcome::Declined, Outcome::Declined),
        (payment("EXPIRED"), Outcome::Canceled, Outcome::Canceled),
        (payment("CLOSED"), Outcome::Canceled, Outcome::Canceled),
        (captured(), Outcome::Approved, Outcome::Approved),
        (payment("PAUSED"), Outcome::Unknown, Outcome::Unknown),
        (payment(""), Outcome::Unknown, Outcome::Unknown),
    ] {
        assert_eq!(outcome_of(&purchase(), &body), of_purchase, "{body}");
        assert_eq!(outcome_of(&held(), &body), of_hold, "{body}");
    }
    assert_eq!(outcome_of(&held(), &payment("AUTHORIZED")), Outcome::Approved);
    // A void of what is known to be held is no end of the charge.
    let params = inquired(&held(), &[answer(200, payment("AUTHORIZED"))]).1.params;
    assert_eq!(outcome_of(&ChargeRef { params, ..held() }, &payment("CLOSED")), Outcome::Approved);
    let half = payment_with("AUTHORIZED", &movement("ANOTHER", "4.000"), "");
    assert_eq!(outcome_of(&purchase(), &half), Outcome::Unknown, "a capture that is not ours");
}

#[test]
fn a_purchase_is_captured_by_the_inquiry_that_finds_it_held() {
    let (requests, report) =
        inquired(&purchase(), &[answer(200, payment("AUTHORIZED")), answer(200, captured())]);
    assert_eq!(requests.len(), 2);
    assert_eq!((report.outcome, report.total), (Outcome::Approved, Some(money("10.250", "KWD"))));
    assert_eq!(report.gateway_id.as_deref(), Some(PAYMENT));
    assert_eq!(report.params.get("result").map(String::as_str), Some("CAPTURED"));
    for second in [error(400, "bad_data"), answer(500, ""), answer(200, payment("AUTHORIZED"))] {
        let (_, report) = inquired(&purchase(), &[answer(200, payment("AUTHORIZED")), second]);
        assert_eq!(report.outcome, Outcome::Unknown);
    }
}

#[test]
fn nothing_is_captured_of_another_charge_or_another_amount() {
    let another = payment("AUTHORIZED").replace(REFERENCE, "ANOTHER");
    let (requests, report) = inquired(&purchase(), &[answer(200, another)]);
    assert_eq!((requests.len(), report.outcome), (1, Outcome::Unknown));
    let larger = payment("AUTHORIZED").replace("10.250", "11.000");
    let (requests, report) = inquired(&purchase(), &[answer(200, larger)]);
    assert_eq!((requests.len(), report.outcome), (1, Outcome::Unknown));
    // A part that was captured in Tabby's portal is seen as another amount.
    let part = payment_with("CLOSED", &movement("ANOTHER", "4.000"), "");
    assert_eq!(inquired(&purchase(), &[answer(200, part)]).1.total, Some(money("4.000", "KWD")));
}

#[test]
fn a_page_that_nobody_has_paid_still_waits() {
    let created = answer(200, payment("CREATED"));
    let (_, report) = inquired(&purchase(), &[created.clone(), answer(200, session("created", "null"))]);
    assert_eq!(report.outcome, Outcome::Open { page_url: PAGE.to_string() });
    for second in [answer(200, session("expired", "null")), answer(404, ""), answer(200, "{}")] {
        assert_eq!(inquired(&purchase(), &[created.clone(), second]).1.outcome, Outcome::Unknown);
    }
    let closed = ChargeRef { gateway_id: Some(PAYMENT.into()), ..purchase() };
    assert_eq!(inquired(&closed, &[created]).1.outcome, Outcome::Unknown);
}

#[test]
fn what_cannot_be_read_of_a_payment_is_unknown() {
    let whole = captured();
    for part in prefixes(&whole) {
        assert_eq!(outcome_of(&purchase(), part), Outcome::Unknown, "{part}");
    }
    for (from, to) in [("10.250", "10.2505"), ("10.250", "1e3"), ("KWD", "XXX"), ("\"10.25\"", "10.25")] {
        assert_eq!(outcome_of(&purchase(), &whole.replace(from, to)), Outcome::Unknown, "{to}");
    }
    assert_eq!(inquired(&purchase(), &[answer(500, whole)]).1.outcome, Outcome::Unknown);
    assert_eq!(inquired(&purchase(), &[error(404, "not_found")]).1.outcome, Outcome::Unknown);
}

/// A page of the list with so many payments that are not ours.
fn page(others: usize, own: bool) -> Incoming {
    let mut payments: Vec<String> =
        (0..others).map(|_| payment("CLOSED").replace(REFERENCE, "ANOTHER")).collect();
    payments.extend(own.then(|| payment("CLOSED")));
    answer(
        200,
        format!(r#"{{"payments":[{}],"pagination":{{"limit":20,"total_count":77}}}}"#, payments.join(",")),
    )
}

#[test]
fn a_charge_whose_answer_was_lost_is_looked_for_in_the_list() {
    let lost = charge("10.250", "KWD");
    let (requests, report) = inquired(&lost, &[page(20, false), page(3, true), answer(200, captured())]);
    assert_eq!((requests.len(), report.outcome), (3, Outcome::Approved));
    for (answers, outcome) in [
        (Vec::from([page(3, false)]), Outcome::Absent),
        (Vec::from([answer(200, r#"{"payments":null,"pagination":{}}"#)]), Outcome::Absent),
        (Vec::from([answer(200, "{}")]), Outcome::Unknown),
        (Vec::from([answer(500, "")]), Outcome::Unknown),
        ((0..4).map(|_| page(20, false)).collect(), Outcome::Absent),
        ((0..3).map(|_| page(20, false)).chain([answer(500, "")]).collect(), Outcome::Unknown),
    ] {
        assert_eq!(inquired(&lost, &answers).1.outcome, outcome);
    }
}

#[test]
fn only_a_webhook_with_the_value_is_believed_and_is_only_a_reason_to_ask() {
    let body = payment_with("closed", &movement("CAPTURE", "1"), &movement("REFUND", "1"));
    let read =
        |headers: &[(&str, &str)], body: &str| tabby().read_callback(&callback(headers, body), &at_account());
    let asks = |named: &[&str]| -> Vec<GatewayEvent> {
        named.iter().map(|reference| GatewayEvent::Ask((*reference).to_string())).collect()
    };
    let own = [("x-webhook-secret", SECRET)];
    assert_eq!(read(&own, &body).unwrap().events, asks(&[REFERENCE, "CAPTURE", "REFUND"]));
    assert_eq!(read(&own, &payment("authorized")).unwrap().events, asks(&[REFERENCE]));
    assert_eq!(read(&own, "not JSON").unwrap().events, asks(&[]));
    for headers in [
        &[][..],
        &[("x-webhook-secret", "another")],
        &[("x-webhook-secret", "")],
        &[("authorization", SECRET)],
    ] {
        assert_eq!(read(headers, &body), None, "{headers:?}");
    }
    let without = connect(&DECLARATION, &[(SECRET_KEY, "sk_test_made_up")]);
    assert_eq!(without.read_callback(&callback(&[("x-webhook-secret", "")], body), &at_account()), None);
}

#[test]
fn an_order_is_offered_if_tabby_takes_it() {
    let of = |payer: Payer| OfferOrder {
        total: money("10.250", "KWD"),
        payer,
        items: bought().items,
        language: Language::En,
        country: "KW".into(),
        order_no: Some("ORDER-1001".into()),
    };
    let known = of(bought().payer);
    let offered = |answer: Incoming| converse(tabby().offers(&known), &[answer]);
    let (requests, offer) = offered(answer(200, session("created", "null")));
    assert_request("eligibility", requests.first().unwrap());
    assert!(matches!(&offer, Offer::Shown(labels) if labels.len() == 1), "{offer:?}");
    for (code, reason) in [
        ("\"order_amount_too_high\"", HiddenReason::TooLarge),
        ("\"order_amount_too_low\"", HiddenReason::TooSmall),
        ("\"not_available\"", HiddenReason::NotEligible),
        ("null", HiddenReason::NotEligible),
    ] {
        assert_eq!(offered(answer(200, session("rejected", code))).1, Offer::Hidden(reason), "{code}");
    }
    for unread in
        [answer(200, "{}"), answer(500, ""), error(400, "bad_data"), answer(200, session("expired", "null"))]
    {
        assert_eq!(offered(unread).1, Offer::Hidden(HiddenReason::NoAnswer));
    }
    // Without a phone there is nothing to ask.
    let unknown = of(Payer { phone: None, ..bought().payer });
    assert!(matches!(converse(tabby().offers(&unknown), &[]).1, Offer::Shown(_)));
}

#[test]
fn the_key_is_accepted_or_refused_only_if_tabby_says_so() {
    for (given, checked) in [
        (answer(200, "[]"), Checked::Accepted),
        (error(401, "not_authorized"), Checked::Refused(Some("No".into()))),
        (error(404, "not_found"), Checked::Refused(Some("No".into()))),
        (answer(401, "<html>"), Checked::Unclear),
        (answer(500, ""), Checked::Unclear),
    ] {
        assert_eq!(converse(tabby().check(), &[given]).1, checked);
    }
    let misplaced =
        connect(&DECLARATION, &[(SECRET_KEY, "sk_made_up"), (MERCHANT_CODE, "shop"), (COUNTRY, "AE")]);
    assert!(matches!(misplaced.check().done(), Some(Checked::Refused(Some(_)))));
}

#[test]
fn nothing_about_the_payer_is_stored() {
    let raw = inquired(&purchase(), &[answer(200, captured())]).1.raw.unwrap();
    assert!(!raw.contains("Noura") && !raw.contains("50000000") && raw.contains(PAYMENT), "{raw}");
}
