//! Bytes that are no complete answer of Stripe never settle anything, at any step.

use checkout_core::gateway::operation::OperationOutcome;
use checkout_core::gateway::step::Step;
use checkout_core::testing::gateway::{answer, operation, operation_order};
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
    let stripe = stripe();
    let orders = [
        (kwd(), vec![]),
        (authorize(), vec![]),
        (verify(), vec![]),
        (by_card(ChargeInitiator::Payer), vec![]),
        (by_card(ChargeInitiator::Merchant), vec![says("intent waits for the payer")]),
        (by_google(), vec![says("method")]),
    ];
    let opened = orders.iter().filter_map(|(order, first)| match drive(stripe.open(order), first, last) {
        Opened::Reported(report) => Some(report.outcome),
        Opened::Refused { .. } => None,
    });
    let charges = [
        (known("cs_test_a1Made"), vec![]),
        (known("pi_3Made"), vec![]),
        (held("pi_3Made"), vec![]),
        (charge("10.250", "KWD"), vec![says("sessions")]),
        (lost(), vec![says("intents")]),
    ];
    let asked = charges.iter().flat_map(|(charge, first)| {
        [drive(stripe.inquire(charge, None), first, last), drive(stripe.withdraw(charge), first, last)]
    });
    opened.chain(asked.map(|report| report.outcome)).collect()
}

fn operation_outcomes(last: &Incoming) -> Vec<OperationOutcome> {
    let stripe = stripe();
    let orders = [
        (operation_order(held("pi_3Made"), ChildOperation::Capture, "4.000"), vec![]),
        (operation_order(held("pi_3Made"), ChildOperation::Capture, "4.000"), vec![says("unexpected state")]),
        (operation_order(held("pi_3Made"), ChildOperation::Void, "10.250"), vec![]),
        (
            operation_order(held("pi_3Made"), ChildOperation::Void, "10.250"),
            vec![says("intent held and marked")],
        ),
        (operation_order(known("pi_3Made"), ChildOperation::Refund, "0.500"), vec![]),
    ];
    orders
        .iter()
        .flat_map(|(order, first)| {
            let asked = drive(stripe.inquire_operation(&operation(order, Some("re_3Made"))), &[], last);
            [drive(stripe.operate(order), first, last).outcome, asked.outcome]
        })
        .collect()
}

fn assert_settles_nothing(last: &Incoming) {
    for outcome in outcomes(last) {
        assert_eq!(outcome, Outcome::Unknown, "{} {}", last.status, String::from_utf8_lossy(&last.body));
    }
    for outcome in operation_outcomes(last) {
        assert_eq!(
            outcome,
            OperationOutcome::Unknown,
            "{} {}",
            last.status,
            String::from_utf8_lossy(&last.body)
        );
    }
}

#[test]
fn no_part_of_an_answer_settles_anything() {
    for name in ["intent paid", "session paid", "declined", "refund done", "intent voided", "session expired"]
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
    for name in ["intent paid", "session paid", "refund done", "session expired", "intent declined"] {
        for status in [0, 100, 201, 204, 301, 302, 400, 401, 402, 404, 408, 409, 429, 500, 502, 503, 504] {
            assert_settles_nothing(&Incoming { status, ..says(name) });
        }
    }
    for status in [200, 201, 402, 409, 429, 500, 503] {
        for body in [
            "",
            "{}",
            "null",
            "[]",
            "<html><body>Bad Gateway</body></html>",
            "\u{feff}{}",
            r#"{"object":"payment_intent"}"#,
        ] {
            assert_settles_nothing(&answer(status, body));
        }
    }
}

#[test]
fn deep_and_long_answers_are_read_within_limits() {
    let deep = format!(
        r#"{{"object":"payment_intent","metadata":{}{}}}"#,
        r#"{"a":"#.repeat(100_000),
        "}".repeat(100_000)
    );
    assert_settles_nothing(&answer(200, deep));
    let mut body = sample("intent paid");
    let nested: Value = (0..120).fold(Value::Null, |inner, _| serde_json::json!({ "error": inner }));
    body["error"] = nested;
    let report = asked(&known("pi_3Made"), &[answer(200, body.to_string())]);
    assert_eq!(report.outcome, Outcome::Approved);
    assert_eq!(report.raw.is_some(), body.to_string().contains("error"));
    let long = says_with("intent declined", "/last_payment_error/message", "x".repeat(40_000).into());
    let report = asked(&known("pi_3Made"), &[long]);
    assert_eq!(report.message.unwrap().chars().count(), 255);
}

#[test]
fn a_member_that_is_given_twice_settles_nothing() {
    let body = sample("intent paid").to_string();
    for member in [
        r#""status":"succeeded""#,
        r#""amount":10250"#,
        r#""currency":"kwd""#,
        r#""metadata":{"charge":"7H3K9M2P4Q5R"}"#,
    ] {
        let twice = body.replacen('{', &format!("{{{member},"), 1);
        assert_eq!(asked(&known("pi_3Made"), &[answer(200, twice)]).outcome, Outcome::Unknown, "{member}");
    }
}

#[test]
fn an_amount_that_is_no_whole_number_settles_nothing() {
    for number in ["10250.0", "1.025e4", "-10250", "\"10250\"", "99999999999999999999", "true", "{}"] {
        let body = sample("intent paid").to_string();
        let body = body.replace(r#""amount_received":10250"#, &format!(r#""amount_received":{number}"#));
        assert_eq!(asked(&known("pi_3Made"), &[answer(200, body)]).outcome, Outcome::Unknown, "{number}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn any_bytes_settle_nothing(status in 0_u16..700, body in prop::collection::vec(any::<u8>(), 0..300)) {
        assert_settles_nothing(&answer(status, body));
    }

    #[test]
    fn any_change_of_a_byte_never_makes_another_charge_of_it(place in 0_usize..10_000, byte in any::<u8>()) {
        let whole = says("intent paid");
        let mut body = whole.body.clone();
        let place = place % body.len();
        body[place] = byte;
        let report = asked(&known("pi_3Made"), &[answer(200, body)]);
        let fits = report.reference == "7H3K9M2P4Q5R" && report.total.is_some();
        prop_assert!(matches!(report.outcome, Outcome::Approved | Outcome::Unknown));
        prop_assert!(fits || report.outcome == Outcome::Unknown || report.reference != "7H3K9M2P4Q5R");
    }

    #[test]
    fn any_callback_that_is_not_signed_is_none(header in ".{0,200}", body in prop::collection::vec(any::<u8>(), 0..300)) {
        let request = checkout_core::testing::gateway::callback(&[("stripe-signature", &header)], body);
        prop_assert_eq!(stripe().read_callback(&request, &checkout_core::testing::gateway::at_account()), None);
    }
}
