//! What a ledger permits, and what it notes.

use super::*;

fn approved(operation: ChargeOperation) -> (Ledger, Charge) {
    let ledger = Ledger::new(&ManualClock::at(Timestamp::from_millis(0)), "cards");
    let asked = Money::new(1_000, currency("kwd").unwrap()).unwrap();
    let (card, memo) = (Value::Null, Value::Null);
    let opening =
        Opening { reference: "A".into(), asked, operation, page: None, saves_card: false, card, memo };
    ledger.open(opening);
    let charge = ledger.end("A", ChargeStatus::Approved, None).unwrap();
    (ledger, charge)
}

#[test]
fn no_more_is_given_back_than_was_taken() {
    let (ledger, charge) = approved(ChargeOperation::Purchase);
    let refund = |name: &str, amount| ledger.operate(ChildOperation::Refund, &charge, name, amount).is_some();
    assert_eq!(
        [refund("R1", 600), refund("R2", 401), refund("R3", 400), refund("R4", 1)],
        [true, false, true, false]
    );
    assert_eq!(ledger.sum("A", ChildOperation::Refund), 1_000);
    assert!(ledger.operate(ChildOperation::Capture, &charge, "C", 1).is_none(), "nothing is held");
}

#[test]
fn what_is_held_is_captured_or_released_and_only_what_was_captured_is_given_back() {
    let (ledger, charge) = approved(ChargeOperation::Authorize);
    let operate = |kind, name: &str, amount| ledger.operate(kind, &charge, name, amount).is_some();
    assert!(!operate(ChildOperation::Refund, "R1", 1), "nothing was taken");
    assert!(operate(ChildOperation::Capture, "C1", 700) && !operate(ChildOperation::Capture, "C2", 301));
    assert!(!operate(ChildOperation::Void, "V1", 1_000), "something was taken");
    assert!(operate(ChildOperation::Refund, "R2", 700) && !operate(ChildOperation::Refund, "R3", 1));
    let (ledger, charge) = approved(ChargeOperation::Authorize);
    assert!(ledger.operate(ChildOperation::Void, &charge, "V", 1_000).is_some());
    assert!(ledger.operate(ChildOperation::Capture, &charge, "C", 1).is_none(), "nothing is held");
}

#[test]
fn a_second_charge_and_a_second_operation_of_a_reference_are_noted() {
    let (ledger, charge) = approved(ChargeOperation::Purchase);
    let _ = ledger.operate(ChildOperation::Refund, &charge, "R", 1);
    let _ = ledger.operate(ChildOperation::Refund, &charge, "R", 1);
    let Charge { reference, asked, operation, card, memo, .. } = charge;
    ledger.open(Opening { reference, asked, operation, page: None, saves_card: false, card, memo });
    assert_eq!(ledger.take_problems(), ["R is done twice", "A is opened twice"]);
}
