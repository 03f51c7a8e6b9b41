//! Bytes that are no complete answer of Checkout.com never settle anything, at any step.

use checkout_core::gateway::charge::Outcome;
use checkout_core::gateway::operation::OperationOutcome;
use checkout_core::gateway::step::Step;
use checkout_core::testing::gateway::{at_account, callback, operation, operation_order};
use checkout_core::words::ChildOperation;
use proptest::prelude::*;

use super::*;

/// Carries out an exchange whose last answers are all the same one.
fn drive<T>(mut step: Step<'_, T>, first: &[Incoming], last: &Incoming) -> T {
    let mut answers = first.iter().chain(std::iter::repeat_n(last, 5));
    loop {
        match step {
            Step::Done(result) => return result,
            Step::Ask(call) => step = call.read(answers.next().unwrap()),
        }
    }
}

/// What every question makes of the same answer, after the answers that lead to it.
fn outcomes(last: &Incoming) -> Vec<Outcome> {
    let shop = shop();
    let orders = [
        (order("10.250", "KWD"), vec![]),
        (by_card(ChargeInitiator::Merchant, None), vec![]),
        (by_wallet(Wallet::GooglePay), vec![says("token")]),
    ];
    let opened = orders.iter().filter_map(|(order, first)| match drive(shop.open(order), first, last) {
        Opened::Reported(report) => Some(report.outcome),
        Opened::Refused { .. } => None,
    });
    let charges = [
        (known(PAGE), vec![]),
        (known(PAGE), vec![says("page paid")]),
        (known(PAYMENT), vec![]),
        (charge("10.250", "KWD"), vec![]),
    ];
    let asked = charges.iter().map(|(charge, first)| drive(shop.inquire(charge, None), first, last).outcome);
    opened.chain(asked).collect()
}

fn operation_outcomes(last: &Incoming) -> Vec<OperationOutcome> {
    let order = operation_order(known(PAYMENT), ChildOperation::Refund, "4.000");
    let shop = shop();
    let asked = drive(shop.inquire_operation(&operation(&order, Some(ACTION))), &[], last);
    let operated = drive(shop.operate(&order), &[], last);
    let refused = operated.outcome == OperationOutcome::Refused && matches!(last.status, 401 | 403 | 404);
    [asked.outcome, operated.outcome].into_iter().take(if refused { 1 } else { 2 }).collect()
}

fn assert_settles_nothing(last: &Incoming) {
    let text = format!("{} {}", last.status, String::from_utf8_lossy(&last.body));
    assert!(outcomes(last).iter().all(|outcome| *outcome == Outcome::Unknown), "{text}");
    let operations = operation_outcomes(last);
    assert!(operations.iter().all(|outcome| *outcome == OperationOutcome::Unknown), "{text}");
}

#[test]
fn no_part_of_an_answer_settles_anything() {
    for name in
        ["paid", "asked: captured", "page paid", "page expired", "list", "accepted", "actions: Refund done"]
    {
        let whole = says(name);
        for length in (0..whole.body.len()).step_by(7).chain([whole.body.len() - 1]) {
            assert_settles_nothing(&Incoming { body: whole.body[..length].to_vec(), ..whole.clone() });
        }
        let doubled = [whole.body.as_slice(), whole.body.as_slice()].concat();
        assert_settles_nothing(&Incoming { body: doubled, ..whole });
    }
}

#[test]
fn an_answer_under_another_status_settles_nothing() {
    for name in ["paid", "asked: captured", "page paid", "page expired", "list", "accepted"] {
        for status in [0, 100, 204, 301, 400, 401, 403, 404, 408, 409, 422, 429, 500, 502, 503, 504] {
            assert_settles_nothing(&Incoming { status, ..says(name) });
        }
    }
    for status in [200, 201, 202, 409, 422, 429, 500] {
        for body in
            ["", "{}", "null", "[1]", "<html>Bad Gateway</html>", "\u{feff}{}", r#"{"status":"Captured"}"#]
        {
            assert_settles_nothing(&answer(status, body));
        }
    }
}

#[test]
fn a_member_that_is_given_twice_settles_nothing() {
    let body = sample("asked: captured").to_string();
    for member in [
        r#""status":"Captured""#,
        r#""amount":10250"#,
        r#""currency":"KWD""#,
        r#""reference":"7H3K9M2P4Q5R""#,
    ] {
        let twice = body.replacen('{', &format!("{{{member},"), 1);
        assert_eq!(asked(&known(PAYMENT), &[answer(200, twice)]).outcome, Outcome::Unknown, "{member}");
    }
}

#[test]
fn an_amount_that_is_no_whole_number_settles_nothing() {
    for number in ["10250.0", "1.025e4", "-10250", "\"10250\"", "99999999999999999999", "true", "{}"] {
        let body = sample("asked: captured").to_string();
        let body = body.replace(r#""amount":10250"#, &format!(r#""amount":{number}"#));
        assert_eq!(asked(&known(PAYMENT), &[answer(200, body)]).outcome, Outcome::Unknown, "{number}");
    }
}

#[test]
fn a_card_number_in_a_text_is_neither_stored_nor_shown() {
    let number = "4242 4242 4242 4242";
    for place in ["/response_summary", "/auth_code", "/source/scheme", "/source/name", "/status"] {
        let report =
            opened(&by_card(ChargeInitiator::Payer, None), &[says_with("declined", place, number.into())]);
        assert!(!format!("{report:?}").contains(number), "{place}: {report:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn any_bytes_settle_nothing(status in 200_u16..400, body in prop::collection::vec(any::<u8>(), 0..300)) {
        assert_settles_nothing(&answer(status, body));
    }

    #[test]
    fn any_change_of_a_byte_never_makes_another_charge_of_it(place in 0_usize..10_000, byte in any::<u8>()) {
        let whole = says("asked: captured");
        let mut body = whole.body.clone();
        let place = place.checked_rem(body.len()).unwrap();
        body[place] = byte;
        let report = asked(&known(PAYMENT), &[answer(200, body)]);
        prop_assert!(matches!(report.outcome, Outcome::Approved | Outcome::Unknown));
        let fits = report.total.is_some() && !report.reference.is_empty();
        prop_assert!(fits || report.outcome == Outcome::Unknown);
    }

    #[test]
    fn any_callback_that_is_not_signed_is_none(header in ".{0,200}", body in prop::collection::vec(any::<u8>(), 0..300)) {
        let request = callback(&[("cko-signature", &header)], body);
        prop_assert_eq!(shop().read_callback(&request, &at_account()), None);
    }
}
