//! The sandbox connector with random bytes: it never panics, and only a complete answer of the bank means
//! that money moved. Also, the examples of `docs/sandbox.md` are what it sends and reads.

#![expect(clippy::unwrap_used, reason = "what the helpers of a test cannot read fails the test")]

use checkout_core::gateway::charge::{Opened, Order, Outcome, Report};
use checkout_core::gateway::connector::Connector;
use checkout_core::gateway::exchange::Incoming;
use checkout_core::gateway::listing::{ChargePage, ListedSums, Period};
use checkout_core::gateway::sandbox::{
    API_KEY, DECLARATION, SIGNATURE_HEADER, callback_key, callback_signature,
};
use checkout_core::testing::gateway::{answer, at_charge, charge, connect, converse, order};
use checkout_core::value::money::{Currency, MAX_MINOR, Money};
use checkout_core::value::time::Timestamp;
use proptest::prelude::*;
use serde_json::Value;

const KEY: &str = "sandbox-knet-api-key";
const GUIDE: &str = include_str!("../../docs/sandbox.md");

fn bank() -> Box<dyn Connector> {
    connect(&DECLARATION, &[(API_KEY, KEY)])
}

fn open(answer: &Incoming) -> Opened {
    let (bank, order) = (bank(), order("10.250", "KWD"));
    converse(bank.open(&order), std::slice::from_ref(answer)).1
}

fn report(answer: &Incoming) -> Report {
    let (bank, charge) = (bank(), charge("10.250", "KWD"));
    converse(bank.inquire(&charge, None), std::slice::from_ref(answer)).1
}

fn listed(answer: &Incoming) -> Option<ChargePage> {
    let period = Period { from: Timestamp::from_millis(17), to: Timestamp::from_millis(23) };
    let bank = bank();
    converse(bank.list_charges(period, None).unwrap(), std::slice::from_ref(answer)).1
}

/// How the connector reads an answer to each of its requests about a charge.
fn outcomes(answer: &Incoming) -> Vec<Outcome> {
    let opened = match open(answer) {
        Opened::Reported(report) => Some(report.outcome),
        Opened::Refused { .. } => None,
    };
    opened.into_iter().chain([report(answer).outcome]).collect()
}

/// The body of the request that opens a charge.
fn sent(order: &Order) -> Value {
    let bank = bank();
    let request = bank.open(order).call().unwrap().request;
    serde_json::from_slice(&request.body).unwrap()
}

fn approved() -> String {
    example("approved charge")
}

/// The JSON block of the guide that follows the marker `<!-- name -->`.
fn example(name: &str) -> String {
    let (_, rest) = GUIDE.split_once(&format!("<!-- {name} -->\n```json\n")).unwrap();
    rest.split_once("```").unwrap().0.trim_end().to_owned()
}

fn order_of(total: Money, merchant: &str) -> Order {
    let address = |path: &str| format!("http://127.0.0.1:8787/b/gw/v1/{path}/");
    Order {
        total,
        merchant: merchant.to_owned(),
        return_url: address("return/7H3K9M2P4Q5R/0f1e2d3c4b5a69788796a5b4c3d2e1f0"),
        callback_url: address("callback/7H3K9M2P4Q5R"),
        ..order("10.250", "KWD")
    }
}

#[test]
fn the_guide_shows_the_request_that_the_connector_sends() {
    let total = Money::parse("10.250", Currency::parse("KWD").unwrap()).unwrap();
    assert_eq!(
        sent(&order_of(total, "Demo Store")),
        serde_json::from_str::<Value>(&example("open a charge")).unwrap()
    );
}

#[test]
fn the_guide_shows_charges_that_the_connector_reads() {
    assert_eq!(outcomes(&answer(200, approved())), [Outcome::Approved, Outcome::Approved]);
    let page_url = "http://127.0.0.1:8787/sandbox/bank/pay/ch_29cd3b67c7f5fdbb4ef96e418280b82c/".to_owned();
    let open = Outcome::Open { page_url };
    assert_eq!(outcomes(&answer(200, example("open charge"))), [open.clone(), open]);
}

#[test]
fn no_part_of_an_answer_says_that_money_moved() {
    let body = approved();
    for length in 0..body.len() {
        let cut = answer(200, body.as_bytes().get(..length).unwrap());
        assert_eq!(outcomes(&cut), [Outcome::Unknown, Outcome::Unknown], "{length}");
    }
}

#[test]
fn an_answer_without_one_of_the_required_members_is_unknown() {
    let charge: Value = serde_json::from_str(&approved()).unwrap();
    for member in ["id", "reference", "status", "amount", "currency", "operation"] {
        let mut without = charge.clone();
        without.as_object_mut().unwrap().remove(member);
        assert_eq!(
            outcomes(&answer(200, without.to_string())),
            [Outcome::Unknown, Outcome::Unknown],
            "{member}"
        );
    }
}

proptest! {
    #[test]
    fn bytes_that_are_no_charge_never_settle(status in 0_u16..700, body in prop::collection::vec(any::<u8>(), 0..300)) {
        for outcome in outcomes(&answer(status, body)) {
            prop_assert!(matches!(outcome, Outcome::Unknown | Outcome::Absent));
        }
    }

    #[test]
    fn an_answer_settles_only_under_the_statuses_that_carry_a_charge(status in 0_u16..700) {
        let body = approved();
        let opened = open(&answer(status, body.clone()));
        let is_opened = matches!(opened, Opened::Reported(report) if report.outcome == Outcome::Approved);
        prop_assert_eq!(is_opened, matches!(status, 200 | 201));
        let reported = report(&answer(status, body)).outcome;
        prop_assert_eq!(reported == Outcome::Approved, matches!(status, 200 | 409));
    }

    #[test]
    fn one_changed_byte_breaks_the_signature_of_a_callback(place in 0_usize..10_000, change in 1_u8..=255) {
        let mut body = approved().into_bytes();
        let signature = callback_signature(&callback_key(KEY), &body);
        let headers = vec![(SIGNATURE_HEADER.to_owned(), signature)];
        let intact = Incoming { query: String::new(), status: 0, headers: headers.clone(), body: body.clone() };
        prop_assert!(bank().read_callback(&intact, &at_charge()).is_some());
        let place = place.checked_rem(body.len()).unwrap();
        *body.get_mut(place).unwrap() ^= change;
        let changed = Incoming { query: String::new(), status: 0, headers, body };
        prop_assert!(bank().read_callback(&changed, &at_charge()).is_none());
    }

    #[test]
    fn the_amount_that_is_sent_is_the_amount_of_the_order(
        minor in 1..=MAX_MINOR,
        code in prop::sample::select(vec!["JPY", "USD", "KWD", "UYW"]),
        merchant in any::<String>(),
    ) {
        let total = Money::new(minor, Currency::parse(code).unwrap()).unwrap();
        let sent = sent(&order_of(total, &merchant));
        let text = |name: &str| sent.get(name).and_then(Value::as_str).unwrap().to_owned();
        prop_assert_eq!(Money::parse(&text("amount"), Currency::parse(&text("currency")).unwrap()), Ok(total));
        prop_assert_eq!(text("merchant"), merchant);
    }

    #[test]
    fn texts_of_the_bank_are_stored_as_one_bounded_line(message in any::<String>()) {
        let mut charge: Value = serde_json::from_str(&approved()).unwrap();
        charge.as_object_mut().unwrap().insert("message".into(), message.into());
        let report = report(&answer(200, charge.to_string()));
        prop_assert_eq!(report.outcome, Outcome::Approved);
        for text in report.message.iter().chain(report.params.values()) {
            prop_assert!((1..=255).contains(&text.chars().count()));
            prop_assert!(!text.contains(char::is_control));
        }
    }
}

/// A page of the list with this charge and this next cursor.
fn page(charge: &str, next: &str) -> Incoming {
    answer(200, format!(r#"{{"charges":[{charge}],"next":{next}}}"#))
}

#[test]
fn a_list_asks_for_a_period_and_continues_from_where_the_page_before_said() {
    let period = Period { from: Timestamp::from_millis(17), to: Timestamp::from_millis(23) };
    let url = |cursor| bank().list_charges(period, cursor).unwrap().call().unwrap().request.url;
    assert_eq!(url(None), "https://bank.sandbox.invalid/v1/charges?from=17&to=23");
    let read = listed(&page(&approved(), r#""19.ch_7""#)).unwrap();
    assert_eq!(
        url(read.next.as_deref()),
        "https://bank.sandbox.invalid/v1/charges?from=17&to=23&cursor=19.ch_7"
    );
}

#[test]
fn a_charge_of_the_list_shows_what_was_done_to_it_if_the_bank_says_so() {
    let with_sums = approved().replacen('{', r#"{"captured":"1.000","refunded":"0","#, 1);
    let kwd = |minor| Some(Money::new(minor, Currency::parse("KWD").unwrap()).unwrap());
    let read = listed(&page(&with_sums, "null")).unwrap();
    assert_eq!(read.next, None);
    let charge = read.charges.first().unwrap();
    assert_eq!(charge.report.outcome, Outcome::Approved);
    assert_eq!(charge.sums, ListedSums { captured: kwd(1_000), refunded: kwd(0), voided: None });
}

#[test]
fn a_page_of_which_anything_cannot_be_read_is_no_page() {
    let refunded = |text: &str| approved().replacen('{', &format!(r#"{{"refunded":{text},"#), 1);
    for body in [
        page(&refunded(r#""1.0001""#), "null"),
        page(&refunded(r#""-1""#), "null"),
        page(&refunded("1"), "null"),
        page("{}", "null"),
        page("7", "null"),
        page(&approved(), r#""""#),
        page(&approved(), r#""a b""#),
        page(&approved(), r#""a&b=c""#),
        page(&approved(), &format!(r#""{}""#, "7".repeat(129))),
        page(&approved(), "7"),
        answer(200, "[]"),
        answer(200, "{}"),
        answer(200, ""),
        answer(200, vec![0xff]),
        Incoming { status: 404, ..page(&approved(), "null") },
        Incoming { status: 500, ..page(&approved(), "null") },
    ] {
        assert_eq!(listed(&body), None, "{} {:?}", body.status, String::from_utf8_lossy(&body.body));
    }
}
