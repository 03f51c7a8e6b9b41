use alloc::vec;
use alloc::vec::Vec;

use super::*;
use crate::value::money::Currency;

fn kwd(text: &str) -> Money {
    Money::parse(text, Currency::parse("KWD").unwrap()).unwrap()
}

fn purchase(settled: &str, total: &str) -> Worth {
    Worth { operation: Operation::Purchase, settled: kwd(settled), total: kwd(total) }
}

fn authorized(settled: &str, total: &str) -> Worth {
    Worth { operation: Operation::Authorize, settled: kwd(settled), total: kwd(total) }
}

fn part(operation: ChildOperation, stage: OperationStage, amount: &str) -> OperationAmount {
    OperationAmount { operation, stage, amount: kwd(amount) }
}

fn balance(worth: Worth, parts: &[OperationAmount]) -> Balance {
    Balance::new(worth, parts.to_vec())
}

use ChildOperation::{Capture, Refund, Void};

#[test]
fn a_purchase_is_refunded_up_to_its_principal_and_never_its_fee() {
    let worth = purchase("10.000", "30.000");
    let fresh = balance(worth, &[]);
    assert_eq!(fresh.paid(), Some(kwd("30.000")));
    assert_eq!(fresh.refunded(), None);
    assert_eq!(fresh.check(Refund, None, Divisions::ANY), Ok(kwd("10.000")));
    let once = balance(worth, &[part(Refund, OperationStage::Done, "9.000")]);
    assert_eq!(once.refunded(), Some(kwd("9.000")));
    assert_eq!(once.paid(), Some(kwd("30.000")));
    assert_eq!(
        once.check(Refund, Some(kwd("2.000")), Divisions::ANY),
        Err(Refusal::OutOfRange { available: kwd("1.000") })
    );
    assert_eq!(once.check(Refund, None, Divisions::ANY), Ok(kwd("1.000")));
    let twice = balance(
        worth,
        &[part(Refund, OperationStage::Done, "9.000"), part(Refund, OperationStage::Done, "1.000")],
    );
    assert_eq!(twice.check(Refund, None, Divisions::ANY), Err(Refusal::NothingLeft));
}

#[test]
fn held_money_is_captured_in_parts_and_only_what_was_captured_is_refunded() {
    let worth = authorized("100.000", "100.000");
    let held = balance(worth, &[]);
    assert_eq!(held.paid(), None);
    assert_eq!(held.check(Refund, None, Divisions::ANY), Err(Refusal::NothingTaken));
    assert_eq!(held.check(Capture, Some(kwd("40.000")), Divisions::ANY), Ok(kwd("40.000")));
    let partly = balance(worth, &[part(Capture, OperationStage::Done, "40.000")]);
    assert_eq!(partly.paid(), Some(kwd("40.000")));
    assert_eq!(partly.check(Void, None, Divisions::ANY), Err(Refusal::Captured));
    assert_eq!(partly.check(Capture, None, Divisions::ANY), Ok(kwd("60.000")));
    assert_eq!(partly.check(Refund, None, Divisions::ANY), Ok(kwd("40.000")));
    let whole = balance(
        worth,
        &[
            part(Capture, OperationStage::Done, "40.000"),
            part(Capture, OperationStage::Done, "60.000"),
            part(Refund, OperationStage::Done, "30.000"),
        ],
    );
    assert_eq!(whole.paid(), Some(kwd("100.000")));
    assert_eq!(whole.refunded(), Some(kwd("30.000")));
    assert_eq!(whole.check(Refund, None, Divisions::ANY), Ok(kwd("70.000")));
    assert_eq!(whole.check(Capture, None, Divisions::ANY), Err(Refusal::NothingLeft));
}

#[test]
fn a_void_releases_everything_with_the_fee_and_ends_captures() {
    let worth = authorized("50.000", "51.000");
    assert_eq!(balance(worth, &[]).check(Void, None, Divisions::ANY), Ok(kwd("51.000")));
    assert_eq!(balance(worth, &[]).check(Void, Some(kwd("1.000")), Divisions::ANY), Ok(kwd("51.000")));
    let voided = balance(worth, &[part(Void, OperationStage::Done, "51.000")]);
    assert_eq!(voided.voided(), Some(kwd("51.000")));
    assert_eq!(voided.check(Capture, None, Divisions::ANY), Err(Refusal::Voided));
    assert_eq!(voided.check(Void, None, Divisions::ANY), Err(Refusal::Voided));
    assert_eq!(voided.check(Refund, None, Divisions::ANY), Err(Refusal::NothingTaken));
}

#[test]
fn money_that_was_charged_at_once_is_neither_captured_nor_voided() {
    let charged = balance(purchase("1.000", "1.000"), &[]);
    assert_eq!(charged.check(Capture, None, Divisions::ANY), Err(Refusal::NotAuthorized));
    assert_eq!(charged.check(Void, None, Divisions::ANY), Err(Refusal::NotAuthorized));
}

#[test]
fn what_is_open_reserves_its_amount_and_what_was_refused_does_not() {
    let worth = purchase("10.000", "10.000");
    for stage in [OperationStage::Sending, OperationStage::Unknown, OperationStage::Queued] {
        let open = balance(worth, &[part(Refund, stage, "7.000")]);
        assert_eq!(open.check(Refund, None, Divisions::ANY), Ok(kwd("3.000")), "{stage}");
        assert_eq!(open.refunded(), None, "{stage}");
    }
    for stage in [OperationStage::Rejected, OperationStage::Refused] {
        let over = balance(worth, &[part(Refund, stage, "7.000")]);
        assert_eq!(over.check(Refund, None, Divisions::ANY), Ok(kwd("10.000")), "{stage}");
    }
}

#[test]
fn an_open_void_bars_captures_and_an_open_capture_bars_a_void() {
    let worth = authorized("10.000", "10.000");
    let voiding = balance(worth, &[part(Void, OperationStage::Unknown, "10.000")]);
    assert_eq!(voiding.check(Capture, None, Divisions::ANY), Err(Refusal::InProgress));
    assert_eq!(voiding.check(Void, None, Divisions::ANY), Err(Refusal::InProgress));
    let capturing = balance(worth, &[part(Capture, OperationStage::Sending, "4.000")]);
    assert_eq!(capturing.check(Void, None, Divisions::ANY), Err(Refusal::InProgress));
    assert_eq!(capturing.check(Capture, None, Divisions::ANY), Ok(kwd("6.000")));
}

#[test]
fn nothing_and_another_currency_are_no_amounts() {
    let charged = balance(purchase("10.000", "10.000"), &[]);
    let usd = Money::parse("1.00", Currency::parse("USD").unwrap()).unwrap();
    for asked in [kwd("0"), usd] {
        let refused = charged.check(Refund, Some(asked), Divisions::ANY);
        assert_eq!(refused, Err(Refusal::OutOfRange { available: kwd("10.000") }));
    }
}

/// Every order of operations that the checks permit keeps the balance balanced.
#[test]
fn no_sequence_of_permitted_operations_moves_more_than_there_is() {
    for worth in [authorized("9.000", "10.000"), purchase("9.000", "10.000")] {
        let mut frontier: Vec<Vec<OperationAmount>> = vec![Vec::new()];
        for _ in 0..5 {
            frontier = frontier.iter().flat_map(|parts| followers(worth, parts)).collect();
            for parts in &frontier {
                must_balance(worth, parts);
            }
        }
    }
}

fn followers(worth: Worth, parts: &[OperationAmount]) -> Vec<Vec<OperationAmount>> {
    let steps = [(Capture, "4.000"), (Capture, "6.000"), (Refund, "5.000"), (Void, "0.001")];
    let mut longer = Vec::new();
    for (operation, asked) in steps {
        let Ok(amount) = balance(worth, parts).check(operation, Some(kwd(asked)), Divisions::ANY) else {
            continue;
        };
        for stage in [OperationStage::Done, OperationStage::Unknown, OperationStage::Refused] {
            longer
                .push(parts.iter().copied().chain([OperationAmount { operation, stage, amount }]).collect());
        }
    }
    longer
}

/// Even if everything that is open is done in the end.
fn must_balance(worth: Worth, parts: &[OperationAmount]) {
    let done = |part: &OperationAmount| OperationAmount {
        stage: if part.stage.is_open() { OperationStage::Done } else { part.stage },
        ..*part
    };
    let books = balance(worth, &parts.iter().map(done).collect::<Vec<_>>());
    let taken = books.paid().map_or(0, |paid| paid.minor());
    assert!(taken <= worth.total.minor(), "{parts:?}");
    assert!(books.refunded().map_or(0, |sum| sum.minor()) <= taken.min(worth.settled.minor()), "{parts:?}");
    assert!(books.voided().is_none() || books.paid().is_none(), "{parts:?}");
}

#[test]
fn after_the_only_capture_that_a_gateway_permits_nothing_is_left_to_capture() {
    let worth = authorized("100.000", "100.000");
    let once = Divisions { captures_once: true, ..Divisions::ANY };
    assert_eq!(balance(worth, &[]).check(Capture, Some(kwd("40.000")), once), Ok(kwd("40.000")));
    for (stage, expected) in [
        (OperationStage::Sending, Err(Refusal::InProgress)),
        (OperationStage::Unknown, Err(Refusal::InProgress)),
        (OperationStage::Done, Err(Refusal::Released)),
        (OperationStage::Refused, Ok(kwd("100.000"))),
    ] {
        let captured = balance(worth, &[part(Capture, stage, "40.000")]);
        assert_eq!(captured.check(Capture, None, once), expected, "{stage}");
    }
    let captured = balance(worth, &[part(Capture, OperationStage::Done, "40.000")]);
    assert_eq!(captured.check(Void, None, once), Err(Refusal::Captured));
    assert_eq!(captured.check(Refund, None, once), Ok(kwd("40.000")));
    assert_eq!((captured.paid(), captured.voided()), (Some(kwd("40.000")), None));
}

#[test]
fn a_gateway_without_parts_moves_all_or_nothing() {
    let whole = Divisions { captures_parts: false, refunds_parts: false, captures_once: false };
    let held = balance(authorized("100.000", "100.000"), &[]);
    let all = Err(Refusal::Indivisible { available: kwd("100.000") });
    assert_eq!(held.check(Capture, Some(kwd("99.999")), whole), all);
    assert_eq!(held.check(Capture, Some(kwd("100.000")), whole), Ok(kwd("100.000")));
    assert_eq!(held.check(Capture, None, whole), Ok(kwd("100.000")));
    assert_eq!(held.check(Void, None, whole), Ok(kwd("100.000")));
    let taken = balance(purchase("100.000", "100.000"), &[]);
    assert_eq!(taken.check(Refund, Some(kwd("0.001")), whole), all);
    assert_eq!(
        taken.check(Refund, Some(kwd("100.001")), whole),
        Err(Refusal::OutOfRange { available: kwd("100.000") })
    );
    assert_eq!(taken.check(Refund, None, whole), Ok(kwd("100.000")));
    let with_fee = balance(purchase("100.000", "101.000"), &[]);
    assert_eq!(with_fee.check(Refund, None, whole), Err(Refusal::FeeIncluded));
    assert_eq!(with_fee.check(Refund, None, Divisions::ANY), Ok(kwd("100.000")));
}
