//! What is sent.

use std::collections::BTreeMap;

use checkout_core::card::BankToken;
use checkout_core::card::usage::ChargeInitiator;
use checkout_core::gateway::charge::{CardCharge, ChargeOperation, Opened, Order, Outcome, Report};
use checkout_core::gateway::connector::Connector;
use checkout_core::gateway::credentials::Credentials;
use checkout_core::gateway::exchange::Outgoing;
use checkout_core::gateway::knet::{
    DECLARATION, INQUIRY_ROOT, LANGUAGE_AR, LANGUAGE_EN, PASSWORD, RESOURCE_KEY, TRANPORTAL_ID,
};
use checkout_core::gateway::step::Step;
use checkout_core::testing::gateway::{REFERENCE, charge, connect, money, operation_order, order, wallet};
use checkout_core::words::{ChildOperation, Language, Wallet};
use serde::Deserialize;

use super::{CREDENTIALS, knet, with};

/// A request as it is sent; for KNET's page, where the payer's browser is sent.
#[derive(Deserialize, Debug, PartialEq)]
struct Golden {
    name: String,
    method: String,
    url: String,
    headers: BTreeMap<String, String>,
    body: String,
}

fn golden() -> Vec<Golden> {
    serde_json::from_str(include_str!("../../vectors/gateways/knet.json")).unwrap()
}

fn sent(name: &str, request: Outgoing) -> Golden {
    Golden {
        name: name.into(),
        method: request.method.as_str().into(),
        url: request.url,
        headers: request.headers.into_iter().map(|(name, value)| (name.into(), value)).collect(),
        body: String::from_utf8(request.body).unwrap(),
    }
}

fn shown(name: &str, connector: &dyn Connector, order: &Order) -> Golden {
    let Outcome::Open { page_url } = opened(connector, order).outcome else { panic!("no page") };
    Golden {
        name: name.into(),
        method: "GET".into(),
        url: page_url,
        headers: BTreeMap::new(),
        body: String::new(),
    }
}

fn opened(connector: &dyn Connector, order: &Order) -> Report {
    match connector.open(order).done() {
        Some(Opened::Reported(report)) => report,
        Some(Opened::Refused { message }) => panic!("refused: {message:?}"),
        None => panic!("a request is sent to open"),
    }
}

fn refusal(connector: &dyn Connector, order: &Order) -> String {
    match connector.open(order).done() {
        Some(Opened::Refused { message: Some(message) }) => message,
        opened => panic!("not refused: {opened:?}"),
    }
}

fn at(endpoint: Option<&str>, is_test: bool, more: &[(&'static str, &str)]) -> Box<dyn Connector> {
    let values = CREDENTIALS.iter().chain(more).map(|(name, value)| (*name, (*value).to_string())).collect();
    let connect = DECLARATION.connect.unwrap();
    connect(Credentials { endpoint: endpoint.map(Into::into), is_test, values })
}

fn asked<T>(step: Step<'_, T>) -> (Outgoing, bool) {
    let call = step.call().unwrap();
    (call.request, call.moves_money)
}

#[test]
fn every_request_has_the_bytes_of_the_vectors() {
    let english = order("10.250", "KWD");
    let arabic = Order { language: Language::Ar, ..english.clone() };
    let query = |url: &str| format!("{url}?language=ar");
    let chosen = Order {
        return_url: query(&arabic.return_url),
        callback_url: query(&arabic.callback_url),
        total: money("0.001", "KWD"),
        ..arabic.clone()
    };
    let live = at(None, false, &[]);
    let other = at(Some("https://www.kpay.com.kw/"), true, &[(LANGUAGE_EN, "USA")]);
    let rooted = with(&[(INQUIRY_ROOT, "request")]);
    let odd = with(&[(PASSWORD, "p<&>\"'w")]);
    let charge = charge("10.250", "KWD");
    let refund = |amount| operation_order(charge.clone(), ChildOperation::Refund, amount);
    let (part, all) = (refund("4.000"), refund("10.250"));
    let inquiry = |connector: &dyn Connector| asked(connector.inquire(&charge, None)).0;
    let arabic_words = with(&[(LANGUAGE_AR, "ARA"), (INQUIRY_ROOT, "none")]);
    let made = [
        shown("page in English", knet().as_ref(), &english),
        shown("page in Arabic", knet().as_ref(), &arabic),
        shown("page in Arabic with the words of the terminal", arabic_words.as_ref(), &chosen),
        shown("live page", live.as_ref(), &english),
        shown("page at another address", other.as_ref(), &english),
        sent("inquiry", inquiry(knet().as_ref())),
        sent("live inquiry", inquiry(live.as_ref())),
        sent("inquiry with a root", inquiry(rooted.as_ref())),
        sent("inquiry with a password that XML would read", inquiry(odd.as_ref())),
        sent("refund of a part", asked(knet().operate(&part)).0),
        sent("refund of all with a root", asked(rooted.operate(&all)).0),
        sent("check", asked(knet().check()).0),
    ];
    let golden = golden();
    assert_eq!(made.len(), golden.len());
    for (made, golden) in made.iter().zip(&golden) {
        assert_eq!(made, golden);
    }
}

#[test]
fn only_a_refund_moves_money() {
    let charge = charge("10.250", "KWD");
    let refund = operation_order(charge.clone(), ChildOperation::Refund, "1.000");
    let connector = knet();
    assert!(asked(connector.operate(&refund)).1);
    assert!(!asked(connector.inquire(&charge, None)).1);
    assert!(!asked(connector.withdraw(&charge)).1);
    assert!(!asked(connector.check()).1);
    assert_eq!(asked(connector.withdraw(&charge)).0, asked(connector.inquire(&charge, None)).0);
}

#[test]
fn an_open_page_has_the_reference_and_the_total() {
    let report = opened(knet().as_ref(), &order("10.250", "KWD"));
    assert_eq!((report.reference.as_str(), report.total), (REFERENCE, Some(money("10.250", "KWD"))));
    assert_eq!((report.raw, report.gateway_id), (None, None));
}

#[test]
fn what_the_page_cannot_do_is_refused_without_a_page() {
    let plain = order("10.250", "KWD");
    let card =
        CardCharge { token: BankToken("t".into()), initiator: ChargeInitiator::Payer, agreement: None };
    for (order, says) in [
        (order("10.25", "USD"), "KWD"),
        (order("0", "KWD"), "zero"),
        (Order { operation: ChargeOperation::Authorize, ..plain.clone() }, "at once"),
        (Order { operation: ChargeOperation::Verify, ..plain.clone() }, "at once"),
        (Order { saves_card: true, ..plain.clone() }, "own page"),
        (Order { card: Some(card), ..plain.clone() }, "own page"),
        (Order { instrument: wallet(Wallet::ApplePay, "{}"), ..plain.clone() }, "own page"),
        (Order { return_url: "http://pay.example/r/".into(), ..plain.clone() }, "https"),
        (Order { callback_url: "https://pay.example/a&amt=0.001".into(), ..plain.clone() }, "special"),
        (Order { callback_url: "https://pay.example/a%26b".into(), ..plain.clone() }, "special"),
        (Order { callback_url: String::new(), ..plain.clone() }, "https"),
        (Order { callback_url: format!("https://pay.example/{}", "a".repeat(236)), ..plain.clone() }, "255"),
    ] {
        let message = refusal(knet().as_ref(), &order);
        assert!(message.contains(says), "{message}");
    }
    for (name, value, says) in [
        (PASSWORD, "a&amt=0.001", "credential"),
        (PASSWORD, "a b", "credential"),
        (PASSWORD, "", "credential"),
        (TRANPORTAL_ID, "", "credential"),
        (RESOURCE_KEY, "short", "resource key"),
    ] {
        let message = refusal(with(&[(name, value)]).as_ref(), &plain);
        assert!(message.contains(says), "{message}");
        assert!(value.is_empty() || !message.contains(value), "{message}");
    }
}

#[test]
fn the_longest_addresses_still_fit_or_are_refused_as_too_long() {
    let address =
        |chars: usize| format!("https://pay.example/{}", "a".repeat(chars.checked_sub(20).unwrap()));
    let plain = order("10.250", "KWD");
    let with_addresses =
        |chars| Order { return_url: address(chars), callback_url: address(chars), ..plain.clone() };
    let Outcome::Open { page_url } = opened(knet().as_ref(), &with_addresses(255)).outcome else { panic!() };
    assert!((1_900..=2_000).contains(&page_url.len()), "{}", page_url.len());
    let long = with(&[(PASSWORD, &"p".repeat(64))]);
    let message = refusal(long.as_ref(), &with_addresses(255));
    assert!(message.contains("too long"), "{message}");
    let usual = with_addresses(150);
    assert!(matches!(opened(long.as_ref(), &usual).outcome, Outcome::Open { .. }));
}

#[test]
fn what_knet_does_not_have_is_declared_and_refused() {
    use checkout_core::gateway::operation::OperationOutcome;

    let able = DECLARATION.capabilities;
    assert_eq!(able.operations, [ChildOperation::Refund]);
    assert!(able.usual_operations.is_empty(), "banks enable refunds one by one");
    assert!(able.refunds_parts && !able.withdraws && !able.lists_charges && !able.saves_cards);
    assert_eq!((able.currencies, able.wallets), (&["KWD"][..], &[][..]));
    for operation in [ChildOperation::Capture, ChildOperation::Void] {
        let order = operation_order(charge("10.250", "KWD"), operation, "1.000");
        assert_eq!(knet().operate(&order).done().unwrap().outcome, OperationOutcome::Refused);
    }
    let dollars = operation_order(charge("10.25", "USD"), ChildOperation::Refund, "1.00");
    assert_eq!(knet().operate(&dollars).done().unwrap().outcome, OperationOutcome::Refused);
}

#[test]
fn credentials_have_their_shapes() {
    let shape = |name: &str| DECLARATION.credentials.iter().find(|field| field.name == name).unwrap();
    for (name, is_required, is_secret, fitting, other) in [
        (TRANPORTAL_ID, true, false, "900100200", "9001-00"),
        (PASSWORD, true, true, "Exm9pl", ""),
        (RESOURCE_KEY, true, true, super::KEY, "Q7w2Er9TyU4iOp1"),
        (LANGUAGE_EN, false, false, "USA", "ENGL"),
        (LANGUAGE_AR, false, false, "ARA", "A&"),
        (INQUIRY_ROOT, false, false, "request", "Request"),
    ] {
        let field = shape(name);
        assert_eq!((field.is_required, field.is_secret), (is_required, is_secret), "{name}");
        assert!(field.shape.fits(fitting) && !field.shape.fits(other), "{name}");
    }
    assert!(connect(&DECLARATION, &[]).open(&order("1.000", "KWD")).done().is_some());
}

#[test]
fn the_guide_names_every_credential_with_a_value_that_fits() {
    let guide = include_str!("../../../docs/gateway-knet.md");
    let (_, rest) = guide.split_once("<!-- gateway -->\n```json\n").unwrap();
    let gateway: serde_json::Value = serde_json::from_str(rest.split_once("```").unwrap().0).unwrap();
    assert_eq!(gateway.get("connector").unwrap(), "knet");
    let given = gateway.get("credentials").unwrap().as_object().unwrap();
    assert_eq!(given.len(), DECLARATION.credentials.len());
    for field in DECLARATION.credentials {
        assert!(field.shape.fits(given.get(field.name).unwrap().as_str().unwrap()), "{}", field.name);
    }
}
