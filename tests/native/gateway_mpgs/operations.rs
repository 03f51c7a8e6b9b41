//! Captures, refunds and voids.

use checkout_core::gateway::charge::{ChargeOperation, ChargeRef};
use checkout_core::gateway::exchange::Incoming;
use checkout_core::gateway::operation::{OperationOutcome, OperationReport};
use checkout_core::testing::gateway::{answer, charge, converse, money, operation, operation_order};
use checkout_core::words::ChildOperation;

use super::{bank, changed, ok, sample};

const ALL: [(ChildOperation, &str); 3] = [
    (ChildOperation::Capture, "captured"),
    (ChildOperation::Refund, "refunded"),
    (ChildOperation::Void, "voided"),
];

/// What the answer to an operation says.
fn done(kind: ChildOperation, answer: Incoming) -> OperationReport {
    let order = operation_order(charge("10.250", "KWD"), kind, "4.500");
    let before = (kind == ChildOperation::Void).then(|| ok("order captured"));
    let answers: Vec<Incoming> = before.into_iter().chain([answer]).collect();
    converse(bank().operate(&order), &answers).1
}

/// What an inquiry about an operation says.
fn asked(kind: ChildOperation, answers: &[Incoming]) -> OperationReport {
    let order = operation_order(charge("10.250", "KWD"), kind, "4.500");
    let operation = operation(&order, None);
    converse(bank().inquire_operation(&operation), answers).1
}

#[test]
fn each_operation_is_done_by_its_own_transaction_only() {
    for (kind, _) in ALL {
        for (other, name) in ALL {
            let expected = if kind == other { OperationOutcome::Done } else { OperationOutcome::Unknown };
            assert_eq!(done(kind, answer(201, sample(name))).outcome, expected, "{kind:?} {name}");
            assert_eq!(asked(kind, &[ok(name)]).outcome, expected, "{kind:?} {name}");
        }
    }
}

#[test]
fn a_report_names_what_was_moved() {
    for (kind, amount, word, name) in [
        (ChildOperation::Capture, "4.500", "CAPTURED", "captured"),
        (ChildOperation::Refund, "4.500", "REFUNDED", "refunded"),
        (ChildOperation::Void, "10.250", "VOIDED", "voided"),
    ] {
        let report = done(kind, ok(name));
        assert_eq!((report.reference.as_str(), report.amount), ("8J4L2N6P3Q7S", Some(money(amount, "KWD"))));
        assert_eq!(report.gateway_id.as_deref(), Some("8J4L2N6P3Q7S"));
        assert_eq!(report.params.get("result").map(String::as_str), Some(word));
        assert!(report.raw.is_some());
    }
    let other = done(
        ChildOperation::Refund,
        answer(200, changed("refunded", &[("\"amount\":4.500", "\"amount\":\"5\"")])),
    );
    assert_eq!((other.outcome, other.amount), (OperationOutcome::Done, Some(money("5", "KWD"))));
    let order = done(
        ChildOperation::Refund,
        answer(200, changed("refunded", &[("7H3K9M2P4Q5R\",\"status\"", "OTHER\",\"status\"")])),
    );
    assert_eq!(order.reference, "OTHER");
    let own = done(ChildOperation::Refund, answer(200, changed("refunded", &[("8J4L2N6P3Q7S", "OTHER")])));
    assert_eq!(own.reference, "OTHER");
}

#[test]
fn a_refund_that_waits_for_a_person_is_queued() {
    assert_eq!(done(ChildOperation::Refund, ok("refund requested")).outcome, OperationOutcome::Queued);
    assert_eq!(asked(ChildOperation::Refund, &[ok("refund requested")]).outcome, OperationOutcome::Queued);
    let pending = [
        ("\"result\":\"SUCCESS\"", "\"result\":\"PENDING\""),
        ("\"gatewayCode\":\"APPROVED\"", "\"gatewayCode\":\"SUBMITTED\""),
    ];
    for (kind, name) in ALL {
        assert_eq!(done(kind, answer(201, changed(name, &pending))).outcome, OperationOutcome::Queued);
    }
}

#[test]
fn a_refusal_moved_nothing_and_silence_may_have() {
    for (kind, name) in ALL {
        let failed = |code: &str| {
            let code = format!("\"gatewayCode\":\"{code}\"");
            let changes = [
                ("\"result\":\"SUCCESS\"", "\"result\":\"FAILURE\""),
                ("\"gatewayCode\":\"APPROVED\"", code.as_str()),
            ];
            done(kind, answer(201, changed(name, &changes))).outcome
        };
        assert_eq!(failed("DECLINED"), OperationOutcome::Refused);
        for code in [
            "TIMED_OUT",
            "ACQUIRER_SYSTEM_ERROR",
            "SYSTEM_ERROR",
            "LOCK_FAILURE",
            "UNSPECIFIED_FAILURE",
            "NEW",
        ] {
            assert_eq!(failed(code), OperationOutcome::Unknown, "{kind:?} {code}");
        }
        let refused = done(kind, answer(400, sample("no void")));
        assert_eq!(
            (refused.outcome, refused.message.as_deref()),
            (OperationOutcome::Refused, Some("INVALID_REQUEST: apiOperation"))
        );
        assert_eq!(done(kind, answer(401, sample("rejected"))).outcome, OperationOutcome::Refused);
        for unclear in [
            answer(500, sample("failed")),
            answer(400, sample("busy")),
            answer(503, ""),
            answer(200, "<html>"),
            answer(0, ""),
            answer(409, sample("invalid")),
            answer(429, sample("invalid")),
        ] {
            assert_eq!(done(kind, unclear).outcome, OperationOutcome::Unknown);
        }
        let partly =
            changed(name, &[("\"gatewayCode\":\"APPROVED\"", "\"gatewayCode\":\"PARTIALLY_APPROVED\"")]);
        assert_eq!(done(kind, answer(201, partly)).outcome, OperationOutcome::Unknown);
        let amount = if kind == ChildOperation::Void { "\"amount\":10.250," } else { "\"amount\":4.500," };
        assert_eq!(
            done(kind, answer(201, changed(name, &[(amount, "")]))).outcome,
            OperationOutcome::Unknown
        );
    }
}

#[test]
fn a_void_names_the_payment_that_it_undoes() {
    let target = |operation, name: &str, before: &str| {
        let charge = ChargeRef { operation, ..charge("10.250", "KWD") };
        let order = operation_order(charge, ChildOperation::Void, "10.250");
        let (requests, _) = converse(bank().operate(&order), &[answer(200, before.to_owned()), ok(name)]);
        let body = String::from_utf8(requests.get(1).unwrap().body.clone()).unwrap();
        let (_, rest) = body.split_once("\"targetTransactionId\":\"").unwrap();
        rest.split_once('"').unwrap().0.to_owned()
    };
    assert_eq!(target(ChargeOperation::Purchase, "voided", &sample("order captured")), "1");
    assert_eq!(target(ChargeOperation::Purchase, "voided", &sample("order captured after a retry")), "2");
    assert_eq!(target(ChargeOperation::Authorize, "voided", &sample("order authorized")), "1");
}

#[test]
fn a_void_of_nothing_is_refused_without_a_second_request() {
    let order = operation_order(charge("10.250", "KWD"), ChildOperation::Void, "10.250");
    let once = |answer: Incoming| converse(bank().operate(&order), &[answer]).1;
    assert_eq!(once(ok("order failed")).outcome, OperationOutcome::Refused);
    assert_eq!(once(answer(404, sample("no order"))).outcome, OperationOutcome::Refused);
    assert_eq!(once(answer(500, "")).outcome, OperationOutcome::Unknown);
    assert_eq!(
        once(answer(200, changed("order captured", &[("\"id\":\"7H3K9M2P4Q5R\"", "\"id\":\"OTHER\"")])))
            .outcome,
        OperationOutcome::Unknown
    );
    // It was done before, and its answer was lost.
    let again = once(answer(200, changed("order voided", &[("\"id\":\"2\"", "\"id\":\"8J4L2N6P3Q7S\"")])));
    assert_eq!((again.outcome, again.reference.as_str()), (OperationOutcome::Done, "8J4L2N6P3Q7S"));
}

#[test]
fn an_operation_that_never_arrived_is_absent_if_the_account_is_right() {
    for status in [400, 404] {
        let absent = || answer(status, sample("no order"));
        assert_eq!(
            asked(ChildOperation::Refund, &[absent(), ok("options")]).outcome,
            OperationOutcome::Absent
        );
        assert_eq!(
            asked(ChildOperation::Refund, &[absent(), answer(401, sample("rejected"))]).outcome,
            OperationOutcome::Unknown
        );
    }
    for other in [answer(401, sample("rejected")), answer(500, ""), answer(404, "gone"), answer(200, "{}")] {
        assert_eq!(asked(ChildOperation::Refund, &[other]).outcome, OperationOutcome::Unknown);
    }
}
