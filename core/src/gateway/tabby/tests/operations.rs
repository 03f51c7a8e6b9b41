use super::*;

#[test]
fn a_capture_of_a_part_closes_the_payment() {
    let part = operation_of(ChildOperation::Capture, "4.000");
    let open = payment_with("AUTHORIZED", &movement(OPERATION_REFERENCE, "4.000"), "");
    let closed = payment_with("CLOSED", &movement(OPERATION_REFERENCE, "4.000"), "");
    let (requests, report) = operates(&part, &[answer(200, open.clone()), answer(200, closed.clone())]);
    assert_eq!(requests.last().unwrap().url, format!("https://api.tabby.ai/api/v2/payments/{PAYMENT}/close"));
    assert_eq!((report.outcome, report.amount), (OperationOutcome::Done, Some(money("4.000", "KWD"))));
    // The answer to the second request is lost: the inquiry closes, or sees that it is closed.
    assert_eq!(
        operates(&part, &[answer(200, open.clone()), answer(500, "")]).1.outcome,
        OperationOutcome::Unknown
    );
    assert_eq!(
        asked(&part, &[answer(200, open), answer(200, closed.clone())]).outcome,
        OperationOutcome::Done
    );
    assert_eq!(asked(&part, &[answer(200, closed)]).outcome, OperationOutcome::Done);
    assert_eq!(asked(&part, &[answer(200, payment("AUTHORIZED"))]).outcome, OperationOutcome::Absent);
}

#[test]
fn a_refund_is_known_by_our_reference() {
    let refund = operation_of(ChildOperation::Refund, "4.000");
    let taken = movement("CAPTURE", "10.250");
    let given = payment_with("CLOSED", &taken, &movement(OPERATION_REFERENCE, "4.000"));
    let (_, report) = operates(&refund, &[answer(200, given.clone())]);
    assert_eq!((report.outcome, report.amount), (OperationOutcome::Done, Some(money("4.000", "KWD"))));
    assert_eq!(report.gateway_id.as_deref(), Some("c-1"));
    let another = payment_with("CLOSED", &taken, &movement("ANOTHER", "4.000"));
    assert_eq!(asked(&refund, &[answer(200, another.clone())]).outcome, OperationOutcome::Absent);
    // What is refused because it was done before is done.
    assert_eq!(
        operates(&refund, &[error(409, "conflict"), answer(200, given.clone())]).1.outcome,
        OperationOutcome::Done
    );
    assert_eq!(
        operates(&refund, &[error(409, "conflict"), answer(200, another)]).1.outcome,
        OperationOutcome::Refused
    );
    assert_eq!(operates(&refund, &[error(403, "no_permission")]).1.outcome, OperationOutcome::Refused);
    assert_eq!(operates(&refund, &[answer(500, "")]).1.outcome, OperationOutcome::Unknown);
    for part in prefixes(&given) {
        assert_eq!(operates(&refund, &[answer(200, part)]).1.outcome, OperationOutcome::Unknown, "{part}");
    }
}

#[test]
fn a_void_is_a_payment_that_is_closed_with_nothing_captured() {
    let void = operation_of(ChildOperation::Void, "10.250");
    for (body, outcome) in [
        (payment("CLOSED"), OperationOutcome::Done),
        (payment("AUTHORIZED"), OperationOutcome::Absent),
        (payment_with("CLOSED", &movement("ANOTHER", "10.250"), ""), OperationOutcome::Refused),
        (payment("EXPIRED"), OperationOutcome::Unknown),
        (payment("CLOSED").replace(REFERENCE, "ANOTHER"), OperationOutcome::Unknown),
    ] {
        assert_eq!(asked(&void, &[answer(200, body.clone())]).outcome, outcome, "{body}");
    }
    assert_eq!(operates(&void, &[answer(200, payment("CLOSED"))]).1.outcome, OperationOutcome::Done);
}
