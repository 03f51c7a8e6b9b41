//! The connector of Mastercard Gateway: what it sends, byte for byte, and how it reads what the gateway answers.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "what the helpers of a test cannot read fails the test"
)]

mod callbacks;
mod charges;
mod failures;
mod hostile;
mod lists;
mod operations;
mod requests;
mod saving;
mod settings;

use std::collections::BTreeMap;

use checkout_core::gateway::charge::{ChargeRef, Opened, Order, Outcome, Report};
use checkout_core::gateway::connector::Connector;
use checkout_core::gateway::credentials::Credentials;
use checkout_core::gateway::exchange::{Incoming, Outgoing, Returned};
use checkout_core::gateway::instrument::{FormOfPayment, Instrument};
use checkout_core::gateway::mpgs::{
    DECLARATION, MERCHANT_ID, NOTIFICATION_SECRET, PASSWORD, REPORTING_PASSWORD,
};
use checkout_core::testing::gateway::{answer, charge, converse, order, wallet};
use checkout_core::words::Wallet;
use serde::Deserialize;
use serde_json::value::RawValue;

const HOST: &str = "https://mpgs.bank.example";
const SECRET: &str = "0123456789ABCDEF0123456789abcdef";
const SESSION: &str = "SESSION0002776555072F1187121E68";
const APPLE: &str =
    "{ \"paymentData\" : {\"data\":\"\\u0041\\/x==\", \"header\":{},\"version\":\"EC_v1\"},\t\"b\":1 }";
const GOOGLE: &str = r#"{"paymentMethodData":{"type":"CARD","tokenizationData":{"type":"PAYMENT_GATEWAY","token":"{\"signature\":\"a\\u003d\",\"protocolVersion\":\"ECv2\"}"}}}"#;
const PAGE: &str =
    "https://mpgs.bank.example/checkout/pay/SESSION0002776555072F1187121E68?checkoutVersion=1.0.0";

/// A connector with these credentials, and those that it cannot do without.
fn connect(more: &[(&'static str, &str)]) -> Box<dyn Connector> {
    let usual = [(MERCHANT_ID, "TESTSHOP01"), (PASSWORD, "api-password-1")];
    let values = usual.iter().chain(more).map(|(name, value)| (*name, (*value).to_owned())).collect();
    DECLARATION.connect.unwrap()(Credentials { endpoint: Some(HOST.into()), is_test: true, values })
}

/// A connector with every credential.
fn bank() -> Box<dyn Connector> {
    connect(&[(NOTIFICATION_SECRET, SECRET), (REPORTING_PASSWORD, "report-password-1")])
}

#[derive(Deserialize)]
struct Sample {
    body: Box<RawValue>,
}

/// A sample answer, as the gateway would write it.
fn sample(name: &str) -> String {
    let samples: BTreeMap<String, Sample> =
        serde_json::from_str(include_str!("../vectors/gateways/mpgs-answers.json")).unwrap();
    let Some(sample) = samples.get(name) else { panic!("no sample {name}") };
    sample.body.get().to_owned()
}

/// A sample answer with parts of it replaced; every part must be there.
fn changed(name: &str, changes: &[(&str, &str)]) -> String {
    changes.iter().fold(sample(name), |text, (from, to)| {
        assert!(text.contains(from), "{name} has no {from}");
        text.replace(from, to)
    })
}

/// An answer without a body that reads as one of the gateway.
fn ok(name: &str) -> Incoming {
    answer(200, sample(name))
}

/// The answer at this time by the gateway's clock.
fn at(date: &str, answer: Incoming) -> Incoming {
    Incoming { headers: vec![("date".into(), date.into())], ..answer }
}

/// A moment within the page's time, and one after it: the charge was opened at midnight.
const SOON: &str = "Sat, 21 Nov 2026 00:20:00 GMT";
const LATE: &str = "Sat, 21 Nov 2026 01:00:00 GMT";

/// A charge whose page is open.
fn on_page() -> ChargeRef {
    ChargeRef { gateway_id: Some(SESSION.into()), ..charge("10.250", "KWD") }
}

/// A charge of a wallet: it has no page.
fn at_once() -> ChargeRef {
    ChargeRef { form: FormOfPayment::ApplePay, ..charge("10.250", "KWD") }
}

/// A payment with Apple Pay.
fn apple() -> Order {
    Order { instrument: wallet(Wallet::ApplePay, APPLE), ..order("10.250", "KWD") }
}

/// How an inquiry ends whose order is answered so, with whatever it asks afterwards.
fn inquired(charge: &ChargeRef, returned: Option<&Returned>, answers: &[Incoming]) -> Report {
    converse(bank().inquire(charge, returned), answers).1
}

/// How the answer to a payment with a wallet is read.
fn paid(status: u16, body: impl Into<Vec<u8>>) -> Opened {
    converse(bank().open(&apple()), &[answer(status, body)]).1
}

fn reported(opened: Opened) -> Report {
    match opened {
        Opened::Reported(report) => report,
        Opened::Refused { message } => panic!("refused: {message:?}"),
    }
}

/// The only request of an exchange that goes on as long as it is answered like this.
fn requests<T>(step: checkout_core::gateway::step::Step<'_, T>, answers: &[Incoming]) -> Vec<Outgoing> {
    converse(step, answers).0
}

fn open_page() -> Outcome {
    Outcome::Open { page_url: PAGE.into() }
}

fn is_page(order: &Order) -> bool {
    order.instrument == Instrument::Page
}
