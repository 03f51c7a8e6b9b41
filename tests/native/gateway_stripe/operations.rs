//! Captures, refunds and voids.

use checkout_core::gateway::operation::{OperationOrder, OperationOutcome, OperationReport};
use checkout_core::testing::gateway::{
    OPERATION_REFERENCE, REFERENCE, answer, money, operation, operation_order,
};
use checkout_core::words::ChildOperation;
use serde_json::json;

use super::*;

fn capture() -> OperationOrder {
    operation_order(held("pi_3Made"), ChildOperation::Capture, "4.000")
}

fn void() -> OperationOrder {
    operation_order(held("pi_3Made"), ChildOperation::Void, "10.250")
}

fn refund() -> OperationOrder {
    operation_order(known("pi_3Made"), ChildOperation::Refund, "0.500")
}

fn done(order: &OperationOrder, answers: &[Incoming]) -> OperationReport {
    let report = converse(stripe().operate(order), answers).1;
    let text = format!("{:?}", report.raw);
    assert!(!text.contains("_secret_") && !text.contains("noura@") && !text.contains("pm_1Made"));
    report
}

fn asked_about(order: &OperationOrder, gateway_id: Option<&str>, answers: &[Incoming]) -> OperationReport {
    converse(stripe().inquire_operation(&operation(order, gateway_id)), answers).1
}

#[test]
fn a_capture_is_done_if_the_intent_carries_its_mark() {
    let report = done(&capture(), &[says("intent captured")]);
    assert_eq!(report.outcome, OperationOutcome::Done);
    assert_eq!(
        (report.reference.as_str(), report.amount),
        (OPERATION_REFERENCE, Some(money("4.000", "KWD")))
    );
    let other = done(&capture(), &[says_with("intent captured", "/metadata/capture", json!("OTHER"))]);
    assert_eq!(other.reference, "OTHER");
    let less = done(&capture(), &[says_with("intent captured", "/amount_received", json!(3_990))]);
    assert_eq!(less.amount, Some(money("3.990", "KWD")));
    for (place, value) in [
        ("/metadata/capture", Value::Null),
        ("/metadata/charge", json!("OTHER")),
        ("/status", json!("processing")),
        ("/status", json!("requires_capture")),
        ("/amount_received", Value::Null),
        ("/currency", json!("xxx")),
    ] {
        let report = done(&capture(), &[says_with("intent captured", place, value)]);
        assert_eq!(report.outcome, OperationOutcome::Unknown, "{place}");
    }
}

#[test]
fn a_capture_that_the_state_forbids_may_have_been_done_before() {
    let forbidden = || says("unexpected state");
    assert_eq!(done(&capture(), &[forbidden(), says("intent captured")]).outcome, OperationOutcome::Done);
    for state in ["intent held", "intent lapsed", "intent paid"] {
        let report = done(&capture(), &[forbidden(), says(state)]);
        assert_eq!(report.outcome, OperationOutcome::Refused, "{state}");
    }
    assert_eq!(done(&capture(), &[forbidden(), says("broken")]).outcome, OperationOutcome::Unknown);
}

#[test]
fn a_void_marks_the_intent_first() {
    let report = done(&void(), &[says("intent held and marked"), says("intent voided")]);
    assert_eq!(report.outcome, OperationOutcome::Done);
    assert_eq!(
        (report.reference.as_str(), report.amount),
        (OPERATION_REFERENCE, Some(money("10.250", "KWD")))
    );
    // Nothing is sent after these.
    assert_eq!(done(&void(), &[says("intent captured")]).outcome, OperationOutcome::Refused);
    assert_eq!(done(&void(), &[says("missing")]).outcome, OperationOutcome::Refused);
    assert_eq!(done(&void(), &[says("broken")]).outcome, OperationOutcome::Unknown);
    let marked = || says("intent held and marked");
    assert_eq!(done(&void(), &[marked(), says("broken")]).outcome, OperationOutcome::Unknown);
    assert_eq!(
        done(&void(), &[marked(), says("unexpected state"), says("intent voided")]).outcome,
        OperationOutcome::Done
    );
    let captured = done(&void(), &[marked(), says("unexpected state"), says("intent captured")]);
    assert_eq!(captured.outcome, OperationOutcome::Refused);
}

#[test]
fn every_state_of_a_refund_has_its_outcome() {
    for (name, outcome) in [
        ("refund done", OperationOutcome::Done),
        ("refund pending", OperationOutcome::Queued),
        ("refund failed", OperationOutcome::Refused),
        ("refund canceled", OperationOutcome::Refused),
        ("invalid", OperationOutcome::Refused),
        ("already refunded", OperationOutcome::Refused),
        ("missing", OperationOutcome::Refused),
        ("no permission", OperationOutcome::Refused),
        ("key reused", OperationOutcome::Unknown),
        ("busy", OperationOutcome::Unknown),
        ("key in use", OperationOutcome::Unknown),
        ("broken", OperationOutcome::Unknown),
    ] {
        assert_eq!(done(&refund(), &[says(name)]).outcome, outcome, "{name}");
        let asked = asked_about(&refund(), Some("re_3Made"), &[says(name)]);
        let expected = if name.starts_with("refund") { outcome } else { OperationOutcome::Unknown };
        assert_eq!(asked.outcome, expected, "{name}");
    }
    let report = done(&refund(), &[says("refund done with a number")]);
    assert_eq!(
        (report.reference.as_str(), report.amount),
        (OPERATION_REFERENCE, Some(money("0.500", "KWD")))
    );
    assert_eq!(report.gateway_id.as_deref(), Some("re_3Made"));
    assert_eq!(report.params.get("rrn").map(String::as_str), Some("74028161234567890123456"));
    assert_eq!(report.params.get("result").map(String::as_str), Some("REFUNDED"));
    for (place, value) in [
        ("/status", json!("new")),
        ("/status", Value::Null),
        ("/metadata", json!({})),
        ("/currency", json!("xxx")),
        ("/amount", Value::Null),
    ] {
        assert_eq!(
            done(&refund(), &[says_with("refund done", place, value)]).outcome,
            OperationOutcome::Unknown
        );
    }
    let other = done(&refund(), &[says_with("refund done", "/amount", json!(490))]);
    assert_eq!(other.amount, Some(money("0.490", "KWD")));
}

#[test]
fn an_operation_whose_answer_was_lost_is_found() {
    let find = |order: &OperationOrder, answers: &[Incoming]| asked_about(order, None, answers).outcome;
    assert_eq!(find(&refund(), &[says("refunds")]), OperationOutcome::Done);
    assert_eq!(find(&refund(), &[says("no refunds")]), OperationOutcome::Absent);
    assert_eq!(find(&refund(), &[says("broken")]), OperationOutcome::Unknown);
    let more = || says_with("no refunds", "/has_more", json!(true));
    assert_eq!(find(&refund(), &[more()]), OperationOutcome::Unknown);
    assert_eq!(find(&capture(), &[says("intent captured")]), OperationOutcome::Done);
    assert_eq!(find(&capture(), &[says("intent held")]), OperationOutcome::Absent);
    let marked =
        says_with("intent held", "/metadata", json!({"charge": REFERENCE, "capture": OPERATION_REFERENCE}));
    assert_eq!(find(&capture(), &[marked]), OperationOutcome::Absent);
    assert_eq!(find(&capture(), &[says("intent lapsed")]), OperationOutcome::Refused);
    assert_eq!(
        find(&capture(), &[says_with("intent captured", "/metadata/capture", json!("OTHER"))]),
        OperationOutcome::Absent
    );
    assert_eq!(find(&void(), &[says("intent voided")]), OperationOutcome::Done);
    assert_eq!(find(&void(), &[says("intent held and marked")]), OperationOutcome::Absent);
    assert_eq!(find(&void(), &[says("intent captured")]), OperationOutcome::Refused);
    assert_eq!(find(&void(), &[says("intent lapsed")]), OperationOutcome::Absent);
    for order in [capture(), void(), refund()] {
        for lost in [says("missing"), says("broken"), answer(200, "{}"), answer(200, "")] {
            assert_eq!(find(&order, &[lost]), OperationOutcome::Unknown);
        }
    }
    let other = says_with("intent captured", "/metadata/charge", json!("OTHER"));
    assert_eq!(find(&capture(), &[other]), OperationOutcome::Unknown);
}

/// One void of a charge is in progress at a time, so that the mark of another one is that of a request that arrived late.
#[test]
fn a_void_whose_mark_a_late_request_overwrote_is_done() {
    let overwritten = || says_with("intent voided", "/metadata/void", json!("9K5M3P7Q4R8T"));
    let asked = asked_about(&void(), None, &[overwritten()]);
    let answered = done(&void(), &[says("intent held and marked"), overwritten()]);
    for report in [asked, answered] {
        assert_eq!(
            (report.outcome, report.reference.as_str()),
            (OperationOutcome::Done, OPERATION_REFERENCE)
        );
    }
}

#[test]
fn an_operation_on_a_page_reads_its_intent_first() {
    let page = operation_order(known("cs_test_a1Made"), ChildOperation::Refund, "0.500");
    let (requests, report) = converse(stripe().operate(&page), &[says("session paid"), says("refund done")]);
    assert!(requests[1].body.starts_with(b"payment_intent=pi_3Made&"));
    assert_eq!(report.outcome, OperationOutcome::Done);
    assert_eq!(done(&page, &[says("session open")]).outcome, OperationOutcome::Unknown);
    assert_eq!(done(&page, &[says("broken")]).outcome, OperationOutcome::Unknown);
    let unknown = operation_order(charge("10.250", "KWD"), ChildOperation::Refund, "0.500");
    assert_eq!(done(&unknown, &[]).outcome, OperationOutcome::Unknown);
    let odd = operation_order(known("pi_3Made"), ChildOperation::Refund, "0.501");
    assert_eq!(done(&odd, &[]).outcome, OperationOutcome::Refused);
}
