//! Random bytes, cut answers, and what must never be stored or printed.

use checkout_core::card::BankToken;
use checkout_core::card::usage::ChargeInitiator;
use checkout_core::gateway::charge::{CardCharge, ChargeRef, Opened, Order, Outcome, Report};
use checkout_core::gateway::exchange::{Incoming, Returned};
use checkout_core::gateway::operation::OperationOutcome;
use checkout_core::gateway::step::Step;
use checkout_core::testing::gateway::{
    answer, at_account, callback, charge, operation, operation_order, order,
};
use checkout_core::words::ChildOperation;
use proptest::prelude::*;

use super::{LATE, SECRET, apple, at, at_once, bank, changed, inquired, ok, on_page, paid, reported, sample};

/// The result of an exchange all of whose requests are answered like this.
fn always<T>(mut step: Step<'_, T>, answer: &Incoming) -> T {
    for _ in 0..6 {
        match step {
            Step::Done(result) => return result,
            Step::Ask(call) => step = call.read(answer),
        }
    }
    panic!("the exchange never ends")
}

/// Whether an answer settles anything, wherever it comes.
fn settles(answer: &Incoming) -> bool {
    let charges = [on_page(), at_once(), ChargeRef { saves_card: true, ..on_page() }];
    let returned = Returned::default();
    let is_settled = |outcome: &Outcome| !matches!(outcome, Outcome::Unknown | Outcome::Open { .. });
    let opened = match always(bank().open(&apple()), answer) {
        Opened::Reported(report) => is_settled(&report.outcome),
        Opened::Refused { .. } => true,
    };
    let asked = charges.iter().any(|charge| {
        [None, Some(&returned)]
            .into_iter()
            .any(|back| is_settled(&always(bank().inquire(charge, back), answer).outcome))
    });
    let operated =
        [ChildOperation::Capture, ChildOperation::Refund, ChildOperation::Void].into_iter().any(|kind| {
            let order = operation_order(charge("10.250", "KWD"), kind, "4.500");
            let inquired = operation(&order, None);
            always(bank().operate(&order), answer).outcome != OperationOutcome::Unknown
                || always(bank().inquire_operation(&inquired), answer).outcome != OperationOutcome::Unknown
        });
    opened || asked || operated
}

const NAMES: [&str; 10] = [
    "pay approved",
    "pay declined",
    "order captured",
    "order failed",
    "order voided",
    "captured",
    "refunded",
    "voided",
    "invalid",
    "no order",
];

#[test]
fn no_part_of_an_answer_settles_anything() {
    for name in NAMES {
        let whole = sample(name);
        let status = if name == "invalid" || name == "no order" { 400 } else { 200 };
        assert!(settles(&at(LATE, answer(status, whole.clone()))), "{name}");
        for end in 0..whole.len() {
            let cut = answer(status, whole.as_bytes().get(..end).unwrap());
            assert!(!settles(&at(LATE, cut)), "{name} {end}");
        }
    }
}

proptest! {
    #[test]
    fn random_bytes_settle_nothing(status in 0_u16..700, body in prop::collection::vec(any::<u8>(), 0..300)) {
        prop_assert!(!settles(&answer(status, body.clone())));
        let order = order("10.250", "KWD");
        let is_refused = matches!(always(bank().open(&order), &answer(status, body.clone())), Opened::Refused { .. });
        prop_assert!(is_refused, "a session that nobody knows is not paid");
        let _ = always(bank().check(), &answer(status, body.clone()));
        let read = bank().read_callback(&callback(&[("x-notification-secret", SECRET)], body), &at_account());
        prop_assert!(read.is_some_and(|read| read.events.is_empty()));
    }

    #[test]
    fn an_answer_settles_only_under_the_statuses_that_carry_one(status in 0_u16..700, name in prop::sample::select(&NAMES[..8])) {
        prop_assert_eq!(settles(&at(LATE, answer(status, sample(name)))), matches!(status, 200 | 201));
    }

    #[test]
    fn words_of_the_bank_are_one_bounded_line(words in any::<String>()) {
        let words = serde_json::to_string(&words).unwrap();
        let body = changed("pay approved", &[("\"acquirerMessage\":\"Approved\"", &format!("\"acquirerMessage\":{words}"))]);
        let report = reported(paid(201, body));
        prop_assert_eq!(&report.outcome, &Outcome::Approved);
        for text in report.message.iter().chain(report.params.values()) {
            prop_assert!((1..=255).contains(&text.chars().count()));
            prop_assert!(!text.contains(char::is_control));
        }
    }
}

fn inquired_with(body: &[u8]) -> Report {
    inquired(&on_page(), None, &[answer(200, body.to_vec())])
}

#[test]
fn deep_and_long_answers_are_no_answers() {
    let deep = changed(
        "order captured",
        &[("\"status\"", &format!("\"x\":{}{},\"status\"", "[".repeat(30_000), "]".repeat(30_000)))],
    );
    // It says what the charge is, but is not stored.
    let report = inquired_with(deep.as_bytes());
    assert_eq!(report.raw, None);
    let start = sample("order captured");
    let (before, _) = start.split_once("\"transaction\":[").unwrap();
    let many = format!("{before}\"transaction\":[{}{{}}]}}", "{},".repeat(200));
    assert_eq!(inquired_with(many.as_bytes()).outcome, Outcome::Unknown);
}

/// Everything that is stored or shown of a report.
fn texts(report: &Report) -> String {
    format!("{:?} {:?} {:?} {:?}", report.message, report.params, report.raw, report.gateway_id)
}

const PRIVATE: [&str; 12] = [
    "noura",
    "NOURA",
    "Al-Sabah",
    "96550000000",
    "Street 7",
    "Kuwait",
    "192.0.2.7",
    "2a14c0ffee2a14c0",
    "5123457766550008",
    "5123450000000008",
    "api-password-1",
    SECRET,
];

#[test]
fn nothing_private_is_stored() {
    let number = [("512345xxxxxx0008", "5123450000000008"), ("Approved", "card 5123450000000008 approved")];
    let saving = ChargeRef { saves_card: true, ..on_page() };
    let reports = [
        reported(paid(201, sample("pay approved"))),
        reported(paid(201, sample("pay declined"))),
        reported(paid(201, changed("pay approved", &number))),
        inquired(&saving, None, &[ok("order captured"), ok("token")]),
        inquired(&on_page(), None, &[answer(200, changed("order captured", &number))]),
        inquired(&at_once(), None, &[ok("order failed")]),
    ];
    for report in &reports {
        let texts = texts(report);
        for private in PRIVATE {
            assert!(!texts.contains(private), "{private} in {texts}");
        }
        let raw = report.raw.as_deref().unwrap();
        for stored in ["\"gatewayCode\":", "\"7H3K9M2P4Q5R\"", "\"currency\":\"KWD\"", "512345", "10.250"] {
            assert!(raw.contains(stored), "{stored} in {raw}");
        }
    }
    let refund = operation_order(charge("10.250", "KWD"), ChildOperation::Refund, "4.500");
    let refunded = always(bank().operate(&refund), &ok("refunded"));
    let printed = format!("{refunded:?}");
    assert!(PRIVATE.iter().all(|private| !printed.contains(private)), "{printed}");
    let Opened::Refused { message } = paid(400, sample("invalid")) else { panic!("not refused") };
    assert_eq!(message.as_deref(), Some("INVALID_REQUEST: order.amount"));
}

#[test]
fn secrets_are_never_printed() {
    let bank = bank();
    let card = CardCharge {
        token: BankToken("5123457766550008".into()),
        initiator: ChargeInitiator::Payer,
        agreement: None,
    };
    let saved = Order { card: Some(card), ..order("10.250", "KWD") };
    let period = checkout_core::gateway::listing::Period {
        from: checkout_core::value::time::Timestamp::from_millis(0),
        to: checkout_core::value::time::Timestamp::from_millis(1),
    };
    let saving = ChargeRef { saves_card: true, ..on_page() };
    let report = inquired(&saving, None, &[ok("order captured"), ok("token")]);
    let wallet = apple();
    for printed in [
        format!("{:?}", bank.open(&saved)),
        format!("{:?}", bank.open(&wallet)),
        format!("{:?}", bank.check()),
        format!("{:?}", bank.list_charges(period, None)),
        format!("{report:?}"),
    ] {
        for secret in
            ["api-password-1", "report-password-1", "YXBpLXBhc3N3b3Jk", SECRET, "5123457766550008", "EC_v1"]
        {
            assert!(!printed.contains(secret), "{secret} in {printed}");
        }
    }
}
