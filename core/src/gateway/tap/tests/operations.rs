use super::*;
use crate::gateway::operation::{OperationOrder, OperationOutcome, OperationReport};
use crate::testing::gateway::{OPERATION_REFERENCE, operation, operation_order};
use crate::words::ChildOperation;

fn of(charge: ChargeRef, kind: ChildOperation) -> OperationOrder {
    operation_order(charge, kind, "4.000")
}

fn refund(status: &str) -> String {
    format!(
        r#"{{"id":"re_TS02A22","object":"refund","status":"{status}","amount":4,"currency":"KWD","charge_id":"{CHARGE}","created":1795219200944,"reference":{{"merchant":"{OPERATION_REFERENCE}"}},"response":{{"code":"100","message":"Pending"}}}}"#
    )
}

fn capture(status: &str) -> String {
    item("charge", status, "")
        .replace(REFERENCE, OPERATION_REFERENCE)
        .replace("src_kw.knet", AUTHORIZATION)
        .replace("10.25", "4.0")
        .replace(r#""till":"charge""#, r#""till":"capture""#)
}

fn list(name: &str, items: &[String]) -> String {
    format!(r#"{{"has_more":false,"{name}":[{}]}}"#, items.join(","))
}

fn operate(order: &OperationOrder, answers: &[(u16, String)]) -> (Vec<Outgoing>, OperationReport) {
    let answers: Vec<_> = answers.iter().map(|(status, body)| answer(*status, body.clone())).collect();
    converse(tap().operate(order), &answers)
}

fn inquire(
    order: &OperationOrder,
    id: Option<&str>,
    answers: &[(u16, String)],
) -> (Vec<Outgoing>, OperationReport) {
    let answers: Vec<_> = answers.iter().map(|(status, body)| answer(*status, body.clone())).collect();
    converse(tap().inquire_operation(&operation(order, id)), &answers)
}

#[test]
fn a_refund_of_a_charge_is_requested_and_asked_for() {
    let order = of(purchase(), ChildOperation::Refund);
    for (status, outcome) in [
        ("REFUNDED", OperationOutcome::Done),
        ("PENDING", OperationOutcome::Queued),
        ("ACCEPTED", OperationOutcome::Queued),
        ("IN_PROGRESS", OperationOutcome::Queued),
        ("DECLINED", OperationOutcome::Refused),
        ("FAILED", OperationOutcome::Refused),
        ("RESTRICTED", OperationOutcome::Refused),
        ("CANCELLED", OperationOutcome::Refused),
        ("TIMED_OUT", OperationOutcome::Unknown),
        ("UNKNOWN", OperationOutcome::Unknown),
    ] {
        let (requests, report) = operate(&order, &[(200, refund(status))]);
        assert_request("refund", &requests[0]);
        assert_eq!(report.outcome, outcome, "{status}");
        assert_eq!(
            (report.reference.as_str(), report.amount),
            (OPERATION_REFERENCE, Some(money("4.000", "KWD")))
        );
        let (requests, report) = inquire(&order, Some("re_TS02A22"), &[(200, refund(status))]);
        assert_request("inquiry about a refund", &requests[0]);
        assert_eq!(report.outcome, outcome, "{status}");
    }
    let whole = refund("REFUNDED");
    for end in 0..whole.len() {
        let part = whole.get(..end).unwrap().to_string();
        assert_eq!(operate(&order, &[(200, part)]).1.outcome, OperationOutcome::Unknown);
    }
    for (status, body, outcome) in [
        (400, REFUSED, OperationOutcome::Refused),
        (400, "", OperationOutcome::Unknown),
        (409, REFUSED, OperationOutcome::Unknown),
        (500, REFUSED, OperationOutcome::Unknown),
    ] {
        assert_eq!(operate(&order, &[(status, body.to_string())]).1.outcome, outcome, "{status}");
    }
}

#[test]
fn a_refund_whose_answer_was_lost_is_found_among_those_of_its_charge() {
    let order = of(purchase(), ChildOperation::Refund);
    let other = refund("REFUNDED").replace(OPERATION_REFERENCE, "OTHERREFEREN");
    let page = list("refunds", &[other.clone(), refund("PENDING")]);
    let (requests, report) = inquire(&order, None, &[(200, page)]);
    assert_request("search for a refund", &requests[0]);
    assert_eq!(report.outcome, OperationOutcome::Queued);
    assert_eq!(
        inquire(&order, None, &[(200, list("refunds", &[other]))]).1.outcome,
        OperationOutcome::Absent
    );
    let none = NOTHING.replace("Charges", "Refunds");
    assert_eq!(inquire(&order, None, &[(400, none)]).1.outcome, OperationOutcome::Absent);
    for body in ["", "{}", REFUSED] {
        assert_eq!(inquire(&order, None, &[(400, body.to_string())]).1.outcome, OperationOutcome::Unknown);
    }
}

#[test]
fn a_refund_of_what_was_held_is_one_of_its_capture() {
    let order = of(held(), ChildOperation::Refund);
    let captures = list("charges", &[capture("DECLINED"), capture("CAPTURED")]);
    let (requests, report) = operate(&order, &[(200, captures.clone()), (200, refund("REFUNDED"))]);
    assert_request("search for a capture", &requests[0]);
    assert_request("refund", &requests[1]);
    assert_eq!(report.outcome, OperationOutcome::Done);
    // A charge with another source is no capture of it.
    let foreign = list("charges", &[capture("CAPTURED").replace(AUTHORIZATION, "auth_other")]);
    assert_eq!(operate(&order, &[(200, foreign)]).1.outcome, OperationOutcome::Refused);
    assert_eq!(operate(&order, &[(500, String::new())]).1.outcome, OperationOutcome::Unknown);
    let (_, report) =
        inquire(&order, None, &[(200, captures), (200, list("refunds", &[refund("REFUNDED")]))]);
    assert_eq!(report.outcome, OperationOutcome::Done);
    assert_eq!(inquire(&order, None, &[(400, NOTHING.into())]).1.outcome, OperationOutcome::Absent);
}

#[test]
fn a_capture_is_a_charge_of_the_authorisation() {
    let order = of(held(), ChildOperation::Capture);
    let authorized = (200, item("authorize", "AUTHORIZED", ""));
    for (status, outcome) in [
        ("CAPTURED", OperationOutcome::Done),
        ("INITIATED", OperationOutcome::Queued),
        ("IN_PROGRESS", OperationOutcome::Queued),
        ("DECLINED", OperationOutcome::Refused),
        ("FAILED", OperationOutcome::Refused),
        ("RESTRICTED", OperationOutcome::Refused),
        ("TIMEDOUT", OperationOutcome::Unknown),
        ("UNKNOWN", OperationOutcome::Unknown),
    ] {
        let (requests, report) = operate(&order, &[authorized.clone(), (200, capture(status))]);
        assert_request("inquiry about an authorisation", &requests[0]);
        assert_request("capture", &requests[1]);
        assert_eq!(report.outcome, outcome, "{status}");
        assert_eq!(report.reference, OPERATION_REFERENCE);
        let (_, report) = inquire(&order, Some(CHARGE), &[(200, capture(status))]);
        assert_eq!(report.outcome, outcome, "{status}");
        let (_, report) = inquire(&order, None, &[(200, list("charges", &[capture(status)]))]);
        assert_eq!(report.outcome, outcome, "{status}");
    }
    assert_eq!(inquire(&order, None, &[(400, NOTHING.into())]).1.outcome, OperationOutcome::Absent);
    assert_eq!(operate(&order, &[authorized, (400, REFUSED.into())]).1.outcome, OperationOutcome::Refused);
    for status in ["CAPTURED", "VOID", "DECLINED"] {
        let (requests, report) = operate(&order, &[(200, item("authorize", status, ""))]);
        assert_eq!((requests.len(), report.outcome), (1, OperationOutcome::Refused), "{status}");
    }
    assert_eq!(operate(&order, &[(500, String::new())]).1.outcome, OperationOutcome::Unknown);
}

#[test]
fn a_void_releases_the_authorisation_and_its_state_decides() {
    let order = of(held(), ChildOperation::Void);
    let state = |status| (200, item("authorize", status, ""));
    let (requests, report) = operate(&order, &[state("VOID")]);
    assert_request("void", &requests[0]);
    assert_eq!((report.outcome, report.reference.as_str()), (OperationOutcome::Done, OPERATION_REFERENCE));
    assert_eq!(operate(&order, &[state("AUTHORIZED")]).1.outcome, OperationOutcome::Unknown);
    assert_eq!(operate(&order, &[(500, String::new())]).1.outcome, OperationOutcome::Unknown);
    for (status, outcome) in [
        ("VOID", OperationOutcome::Done),
        ("CAPTURED", OperationOutcome::Refused),
        ("AUTHORIZED", OperationOutcome::Refused),
        ("UNKNOWN", OperationOutcome::Unknown),
    ] {
        let (_, report) = operate(&order, &[(400, REFUSED.into()), state(status)]);
        assert_eq!(report.outcome, outcome, "{status}");
    }
    for (status, outcome) in [
        ("VOID", OperationOutcome::Done),
        ("AUTHORIZED", OperationOutcome::Absent),
        ("CAPTURED", OperationOutcome::Refused),
        ("TIMEDOUT", OperationOutcome::Unknown),
    ] {
        assert_eq!(inquire(&order, None, &[state(status)]).1.outcome, outcome, "{status}");
    }
}

#[test]
fn without_the_id_of_the_payment_nothing_is_sent() {
    for kind in [ChildOperation::Capture, ChildOperation::Refund, ChildOperation::Void] {
        for id in [None, Some("re_1"), Some("chg_1/../2")] {
            let charge = ChargeRef { gateway_id: id.map(ToString::to_string), ..held() };
            assert_eq!(operate(&of(charge.clone(), kind), &[]).1.outcome, OperationOutcome::Refused);
            assert_eq!(inquire(&of(charge, kind), None, &[]).1.outcome, OperationOutcome::Unknown);
        }
    }
    assert_eq!(operate(&of(purchase(), ChildOperation::Capture), &[]).1.outcome, OperationOutcome::Refused);
}
