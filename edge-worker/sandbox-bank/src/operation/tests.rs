use alloc::vec;

use checkout_core::value::money::Currency;
use checkout_core::words::Language;

use super::*;
use crate::card::TestCard;

fn kwd(minor: i64) -> Money {
    Money::new(minor, Currency::parse("KWD").unwrap()).unwrap()
}

fn terms(operation: ChildOperation, minor: i64) -> OperationTerms {
    OperationTerms {
        reference: "R1".into(),
        operation,
        amount: kwd(minor),
        callback_url: "https://pay.example/callback/".into(),
    }
}

fn charge(operation: ChargeOperation) -> Charge {
    let at = Timestamp::from_millis(0);
    Charge {
        id: "ch_1".into(),
        account: "account".into(),
        terms: charge::ChargeTerms {
            reference: "C1".into(),
            amount: kwd(10_000),
            operation,
            saves_card: false,
            language: Language::En,
            merchant: "Demo Store".into(),
            return_url: "https://pay.example/return/".into(),
            callback_url: "https://pay.example/callback/".into(),
        },
        status: charge::ChargeStatus::Approved,
        card: TestCard::find("visa-approve"),
        silent_inquiries: 0,
        failing_inquiries: 0,
        due_at: None,
        opened_at: at,
        ended_at: Some(at),
    }
}

fn operation(operation: ChildOperation, minor: i64, status: OperationStatus) -> Operation {
    Operation {
        id: "op_1".into(),
        account: "account".into(),
        charge: "C1".into(),
        terms: terms(operation, minor),
        status,
        ends_as: OperationStatus::Done,
        due_at: (status == OperationStatus::Queued).then_some(Timestamp::from_millis(20_000)),
        made_at: Timestamp::from_millis(0),
        ended_at: None,
    }
}

#[test]
fn the_last_two_digits_of_the_amount_choose_what_the_bank_does() {
    let of = |operation, minor, queues_refunds| Plan::of(&terms(operation, minor), queues_refunds);
    assert_eq!(of(ChildOperation::Refund, 10_000, false).status, OperationStatus::Done);
    assert_eq!(of(ChildOperation::Refund, 10_000, true).status, OperationStatus::Queued);
    assert_eq!(of(ChildOperation::Capture, 10_000, true).status, OperationStatus::Done);
    assert_eq!(of(ChildOperation::Refund, 10_011, false).manner, Manner::Refused);
    assert_eq!(of(ChildOperation::Refund, 10_013, false).ends_as, OperationStatus::Refused);
    assert_eq!(of(ChildOperation::Capture, 10_013, false).status, OperationStatus::Done);
    assert_eq!(of(ChildOperation::Refund, 10_015, false).status, OperationStatus::Queued);
    assert_eq!(of(ChildOperation::Void, 10_017, false).manner, Manner::Silent);
    assert_eq!(of(ChildOperation::Void, 10_019, false).manner, Manner::Failing);
    assert_eq!(of(ChildOperation::Capture, 10_023, false).manner, Manner::Lost);
}

#[test]
fn no_more_is_moved_than_there_is() {
    use ChildOperation::{Capture, Refund, Void};
    let (purchase, hold) = (charge(ChargeOperation::Purchase), charge(ChargeOperation::Authorize));
    let done = |kind, minor| operation(kind, minor, OperationStatus::Done);
    for (charge, before, kind, minor, is_permitted) in [
        (&purchase, vec![], Refund, 10_000, true),
        (&purchase, vec![], Refund, 10_001, false),
        (&purchase, vec![done(Refund, 6_000)], Refund, 4_001, false),
        (&purchase, vec![operation(Refund, 6_000, OperationStatus::Queued)], Refund, 4_001, false),
        (&purchase, vec![operation(Refund, 6_000, OperationStatus::Refused)], Refund, 10_000, true),
        (&purchase, vec![], Capture, 1, false),
        (&purchase, vec![], Void, 10_000, false),
        (&hold, vec![], Capture, 10_000, true),
        (&hold, vec![done(Capture, 4_000)], Capture, 6_001, false),
        (&hold, vec![], Refund, 1, false),
        (&hold, vec![done(Capture, 4_000)], Refund, 4_000, true),
        (&hold, vec![], Void, 10_000, true),
        (&hold, vec![], Void, 9_999, false),
        (&hold, vec![done(Capture, 1)], Void, 10_000, false),
        (&hold, vec![done(Void, 10_000)], Capture, 1, false),
        (&hold, vec![done(Void, 10_000)], Void, 10_000, false),
    ] {
        assert_eq!(
            permits(charge, &before, &terms(kind, minor)),
            is_permitted,
            "{kind:?} {minor} after {before:?}"
        );
    }
}

#[test]
fn only_an_approved_charge_permits_anything_and_only_in_its_currency() {
    let approved = charge(ChargeOperation::Purchase);
    let declined = Charge { status: charge::ChargeStatus::Declined, ..approved.clone() };
    assert!(!permits(&declined, &[], &terms(ChildOperation::Refund, 1)));
    let dollars = Money::new(1, Currency::parse("USD").unwrap()).unwrap();
    let foreign = OperationTerms { amount: dollars, ..terms(ChildOperation::Refund, 1) };
    assert!(!permits(&approved, &[], &foreign));
}

#[test]
fn what_is_queued_is_done_at_its_time_and_once() {
    let queued = operation(ChildOperation::Refund, 1_000, OperationStatus::Queued);
    assert_eq!(queued.finish(Timestamp::from_millis(19_999)), None);
    let finished = queued.finish(Timestamp::from_millis(20_000)).unwrap();
    assert_eq!((finished.status, finished.due_at), (OperationStatus::Done, None));
    assert_eq!(finished.finish(Timestamp::from_millis(40_000)), None);
    let refused = Operation { ends_as: OperationStatus::Refused, ..queued };
    assert_eq!(refused.finish(Timestamp::from_millis(20_000)).unwrap().status, OperationStatus::Refused);
}
