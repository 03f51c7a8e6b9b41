//! Operations on charges.

use super::*;
use crate::words::ChildOperation;

fn order() -> OperationOrder {
    OperationOrder {
        reference: ReferenceNumber::parse("R1").unwrap(),
        charge: charge_ref(),
        operation: ChildOperation::Refund,
        amount: kwd("4.500"),
        callback_url: "https://pay.example/b/gw/v1/callback/R1/".into(),
    }
}

fn operation(status: &str, amount: &str) -> String {
    format!(
        r#"{{"id":"op_1","reference":"R1","charge":"7H3K9M2P4Q5R","operation":"refund","status":"{status}","amount":"{amount}","currency":"KWD","message":"m","rrn":"123456789012"}}"#
    )
}

fn outcome(status: u16, body: &str) -> OperationOutcome {
    read_operate(&order().reference, &answer(status, body)).outcome
}

#[test]
fn an_operation_is_asked_for_under_the_charge_that_it_moves() {
    let (bank, order) = (bank(), order());
    let request = super::request(bank.operate(&order));
    assert_eq!(request.url, "https://bank.sandbox.invalid/v1/charges/7H3K9M2P4Q5R/operations");
    assert_eq!(
        String::from_utf8(request.body).unwrap(),
        r#"{"reference":"R1","operation":"refund","amount":"4.500","currency":"KWD","callback_url":"https://pay.example/b/gw/v1/callback/R1/"}"#
    );
    let operation = OperationRef {
        reference: order.reference.clone(),
        charge: charge_ref(),
        operation: order.operation,
        amount: order.amount,
        gateway_id: None,
        opened_at: Timestamp::from_millis(0),
    };
    let question = super::request(bank.inquire_operation(&operation));
    assert_eq!(question.url, "https://bank.sandbox.invalid/v1/charges/7H3K9M2P4Q5R/operations/R1");
    assert_eq!(question.method, HttpMethod::Get);
}

#[test]
fn only_a_complete_operation_says_that_money_moved() {
    assert_eq!(outcome(201, &operation("done", "4.500")), OperationOutcome::Done);
    assert_eq!(outcome(200, &operation("queued", "4.500")), OperationOutcome::Queued);
    assert_eq!(outcome(200, &operation("refused", "4.500")), OperationOutcome::Refused);
    for body in ["", "{}", "[]", &operation("finished", "4.500"), &operation("done", "4.5001")] {
        assert_eq!(outcome(200, body), OperationOutcome::Unknown, "{body}");
    }
    let read = read_operate(&order().reference, &answer(201, &operation("done", "4.500")));
    assert_eq!((read.reference.as_str(), read.amount), ("R1", Some(kwd("4.500"))));
    assert_eq!(read.params.get("result").map(String::as_str), Some("REFUNDED"));
}

#[test]
fn a_refusal_moved_nothing_and_silence_may_have() {
    for status in [400, 401, 403, 404, 422] {
        assert_eq!(outcome(status, r#"{"message":"too much"}"#), OperationOutcome::Refused, "{status}");
    }
    for status in [0, 301, 408, 409, 425, 429, 500, 502, 503] {
        assert_eq!(outcome(status, "{}"), OperationOutcome::Unknown, "{status}");
    }
    let read = read_operate(&order().reference, &answer(422, r#"{"message":"too much"}"#));
    assert_eq!(read.message.as_deref(), Some("too much"));
}

#[test]
fn an_inquiry_distinguishes_an_operation_that_never_arrived_from_one_that_nobody_knows_of() {
    let asked = |status, body: &str| read_known_operation(&order().reference, &answer(status, body)).outcome;
    assert_eq!(asked(200, &operation("done", "4.500")), OperationOutcome::Done);
    assert_eq!(asked(404, ""), OperationOutcome::Absent);
    for status in [401, 409, 429, 500] {
        assert_eq!(asked(status, &operation("done", "4.500")), OperationOutcome::Unknown, "{status}");
    }
}

#[test]
fn a_report_about_an_operation_must_be_signed() {
    let body = operation("done", "4.500");
    let signed = |key: &str| Incoming {
        status: 0,
        query: String::new(),
        headers: vec![(
            SIGNATURE_HEADER.to_string(),
            callback_signature(&callback_key(key), body.as_bytes()),
        )],
        body: body.as_bytes().to_vec(),
    };
    let context = CallbackContext {
        now: Timestamp::from_millis(0),
        subject: Some(order().reference),
        return_url: None,
    };
    let read = |key| bank().read_callback(&signed(key), &context);
    let events = read(KEY).unwrap().events;
    let [GatewayEvent::Operation(report)] = events.as_slice() else { panic!("{events:?}") };
    assert_eq!((report.outcome, report.amount), (OperationOutcome::Done, Some(kwd("4.500"))));
    assert_eq!(read("another"), None);
}

#[test]
fn words_about_an_operation_with_a_card_number_are_not_stored() {
    let body = operation("done", "4.500").replace(r#""message":"m""#, r#""message":"4111111111111111""#);
    let read = read_operate(&order().reference, &answer(201, &body));
    assert_eq!(read.outcome, OperationOutcome::Done);
    assert_eq!((read.message, read.params.get("pg_message"), read.raw), (None, None, None));
}
