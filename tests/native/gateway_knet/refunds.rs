//! What KNET says about a refund.

use checkout_core::gateway::exchange::Incoming;
use checkout_core::gateway::operation::{OperationOutcome, OperationReport};
use checkout_core::testing::gateway::{
    OPERATION_REFERENCE, REFERENCE, answer, charge, converse, money, operation, operation_order,
};
use checkout_core::words::ChildOperation;
use proptest::prelude::*;

use super::{failed, knet, said};

fn refunded(answer: Incoming) -> OperationReport {
    let order = operation_order(charge("10.250", "KWD"), ChildOperation::Refund, "4.000");
    converse(knet().operate(&order), &[answer]).1
}

/// An answer to a refund with this result.
fn about(result: &str) -> String {
    said(result, "00").replace("<amt>10.250", "<amt>4.000")
}

fn outcome(body: &str) -> OperationOutcome {
    refunded(answer(200, body)).outcome
}

#[test]
fn only_captured_means_that_money_was_given_back() {
    for (result, expected) in [
        ("CAPTURED", OperationOutcome::Done),
        ("NOT CAPTURED", OperationOutcome::Refused),
        ("DENIED BY RISK", OperationOutcome::Refused),
        ("AUTH ERROR", OperationOutcome::Refused),
        ("NOT SUPPORTED", OperationOutcome::Refused),
        ("SUCCESS", OperationOutcome::Unknown),
        ("HOST TIMEOUT", OperationOutcome::Unknown),
        ("VOIDED", OperationOutcome::Unknown),
        ("CANCELED", OperationOutcome::Unknown),
        ("REFUNDED", OperationOutcome::Unknown),
        ("FAILURE(SUSPECT)", OperationOutcome::Unknown),
        ("", OperationOutcome::Unknown),
    ] {
        assert_eq!(outcome(&about(result)), expected, "{result}");
    }
}

#[test]
fn a_refund_is_reported_with_our_reference_and_its_amount() {
    let report = refunded(answer(200, about("CAPTURED")));
    assert_eq!(report.reference, OPERATION_REFERENCE);
    assert_eq!(report.amount, Some(money("4.000", "KWD")));
    assert_eq!(report.gateway_id.as_deref(), Some("202632500000099"));
    let param = |key: &str| report.params.get(key).map(String::as_str);
    assert_eq!((param("result"), param("track_id")), (Some("CAPTURED"), Some(REFERENCE)));
    let declined = refunded(answer(200, about("NOT CAPTURED").replace(">00<", ">51<")));
    assert_eq!(declined.params.get("decline_reason").map(String::as_str), Some("insufficient_funds"));
}

#[test]
fn another_purchase_or_amount_is_visible_and_none_is_unknown() {
    let other = refunded(answer(200, about("CAPTURED").replace("<trackid>7H3K", "<trackid>9999")));
    assert_eq!(other.reference, "99999M2P4Q5R");
    let other = refunded(answer(200, about("CAPTURED").replace("<amt>4.000", "<amt>10.250")));
    assert_eq!(other.amount, Some(money("10.250", "KWD")));
    for part in ["<trackid>7H3K9M2P4Q5R</trackid>", "<amt>4.000</amt>", "<result>CAPTURED</result>"] {
        assert_eq!(outcome(&about("CAPTURED").replace(part, "")), OperationOutcome::Unknown, "{part}");
        let refused = about("NOT CAPTURED").replace("<result>NOT CAPTURED</result>", "").replace(part, "");
        assert_eq!(outcome(&refused), OperationOutcome::Unknown, "{part}");
    }
}

#[test]
fn an_error_before_anything_is_done_refuses_and_every_other_is_unknown() {
    for code in [
        "IPAY0100008",
        "IPAY0100015",
        "IPAY0100033",
        "IPAY0100057",
        "IPAY0100062",
        "IPAY0100116",
        "IPAY0100208",
        "IPAY0100215",
        "IPAY0100263",
        "IPAY0100287",
        "IPAY0300024",
    ] {
        let report = refunded(answer(200, failed(code, "Some words.")));
        assert_eq!(report.outcome, OperationOutcome::Refused, "{code}");
        assert_eq!(report.message, Some(format!("{code}-Some words.")));
        assert_eq!(report.reference, OPERATION_REFERENCE);
    }
    // A duplicate may be the refund that was done before, and the others may come from the middle of the work.
    for code in [
        "IPAY0100114",
        "IPAY0100158",
        "IPAY0100160",
        "IPAY0100100",
        "IPAY0100038",
        "IPAY0100245",
        "IPAY0200001",
        "IPAY0100000",
        "IPAY010026",
        "GW00201",
    ] {
        assert_eq!(outcome(&failed(code, "Some words.")), OperationOutcome::Unknown, "{code}");
    }
    assert_eq!(outcome("<result>!ERROR!</result>"), OperationOutcome::Unknown);
    for (first, second) in [("IPAY0100263", "IPAY0100114"), ("IPAY0100114", "IPAY0100263")] {
        let two = failed(second, "x").replacen(second, first, 1);
        assert_eq!(outcome(&two), OperationOutcome::Unknown, "{two}");
    }
}

#[test]
fn what_is_not_an_answer_is_unknown() {
    for status in [0, 201, 204, 302, 400, 401, 403, 404, 409, 429, 500, 502, 503, 504] {
        for body in [about("CAPTURED"), about("NOT CAPTURED"), failed("IPAY0100015", "x"), String::new()] {
            assert_eq!(refunded(answer(status, body)).outcome, OperationOutcome::Unknown, "{status}");
        }
    }
    for body in ["", "<html></html>", "<result>CAPTURED", "{}", "[]", "null"] {
        assert_eq!(outcome(body), OperationOutcome::Unknown, "{body}");
    }
    let whole = about("CAPTURED");
    let complete = whole.find("</amt>").unwrap();
    for length in 0..=complete {
        assert_eq!(outcome(whole.get(..length).unwrap()), OperationOutcome::Unknown, "{length}");
    }
}

/// The track id of an inquiry is the purchase's: `CAPTURED` would say that the payer paid.
#[test]
fn nobody_is_asked_about_a_refund() {
    let order = operation_order(charge("10.250", "KWD"), ChildOperation::Refund, "4.000");
    let report = knet().inquire_operation(&operation(&order, None)).done().unwrap();
    assert_eq!(report, OperationReport::bare(OPERATION_REFERENCE, OperationOutcome::Unknown));
}

proptest! {
    #[test]
    fn bytes_that_are_no_answer_never_settle(status in 0_u16..700, body in prop::collection::vec(any::<u8>(), 0..300)) {
        prop_assert_eq!(refunded(answer(status, body)).outcome, OperationOutcome::Unknown);
    }

    #[test]
    fn only_known_errors_refuse(number in 0_u32..10_000_000) {
        let outcome = outcome(&failed(&format!("IPAY{number:07}"), "x"));
        let is_known_family = matches!(number, 100_000..=100_299 | 300_024);
        prop_assert!(outcome == OperationOutcome::Unknown || is_known_family);
        prop_assert!(matches!(outcome, OperationOutcome::Unknown | OperationOutcome::Refused));
    }
}
