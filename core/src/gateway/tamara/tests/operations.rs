use super::*;

#[test]
fn an_operation_is_known_by_our_reference() {
    let taken = capture_of("ANOTHER", "6.000");
    for (kind, done, without) in [
        (
            ChildOperation::Capture,
            order_with(
                "fully_captured",
                "10.000",
                &[taken.clone(), capture_of(OPERATION_REFERENCE, "4.000")].join(","),
                "",
            ),
            order_with("partially_captured", "6.000", &taken, ""),
        ),
        (
            ChildOperation::Refund,
            order_with("partially_refunded", "6.000", &taken, &refund_of(OPERATION_REFERENCE, "4.000")),
            order_with("partially_refunded", "6.000", &taken, &refund_of("ANOTHER", "4.000")),
        ),
    ] {
        let order = operation_of(kind, "4.000");
        let (requests, report) = operates(&order, &[answer(200, "{}"), answer(200, done.clone())]);
        assert_eq!((requests.len(), report.outcome), (2, OperationOutcome::Done), "{kind:?}");
        assert_eq!(report.amount, Some(money("4.000", "KWD")));
        assert_eq!(asked(&order, &done), OperationOutcome::Done);
        assert_eq!(asked(&order, &without), OperationOutcome::Absent);
        // One that was made elsewhere may be this one.
        let unnamed = without
            .replace(r#","tracking_number":"ANOTHER""#, "")
            .replace(r#","merchant_refund_id":"ANOTHER""#, "");
        assert_eq!(asked(&order, &unnamed), OperationOutcome::Unknown);
        let of = |answers: &[Incoming]| operates(&order, answers).1.outcome;
        assert_eq!(of(&[answer(200, "{}"), answer(200, without.clone())]), OperationOutcome::Unknown);
        assert_eq!(of(&[error(400), answer(200, without.clone())]), OperationOutcome::Refused);
        assert_eq!(of(&[error(409), answer(200, done.clone())]), OperationOutcome::Done);
        assert_eq!(of(&[error(403)]), OperationOutcome::Refused);
        assert_eq!(of(&[answer(500, "")]), OperationOutcome::Unknown);
        for part in prefixes(&done) {
            assert_eq!(asked(&order, part), OperationOutcome::Unknown, "{part}");
        }
    }
}

#[test]
fn a_void_is_an_order_that_is_canceled() {
    let void = operation_of(ChildOperation::Void, "10.250");
    for (status, outcome) in [
        ("canceled", OperationOutcome::Done),
        ("authorised", OperationOutcome::Absent),
        ("fully_captured", OperationOutcome::Refused),
        ("partially_refunded", OperationOutcome::Refused),
        ("updated", OperationOutcome::Unknown),
        ("expired", OperationOutcome::Unknown),
    ] {
        assert_eq!(asked(&void, &tamara_order(status)), outcome, "{status}");
    }
    let (_, report) = operates(&void, &[answer(200, "{}"), answer(200, tamara_order("canceled"))]);
    assert_eq!((report.outcome, report.amount), (OperationOutcome::Done, Some(money("10.250", "KWD"))));
    // A charge whose id is not known is looked for first.
    let unknown = OperationOrder { charge: ChargeRef { gateway_id: None, ..held() }, ..void };
    let (requests, report) = operates(
        &unknown,
        &[answer(200, tamara_order("authorised")), answer(200, "{}"), answer(200, tamara_order("canceled"))],
    );
    assert_eq!((requests.len(), report.outcome), (3, OperationOutcome::Done));
}
