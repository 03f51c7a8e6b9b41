//! The connector of Stripe: its requests byte for byte, what it makes of every answer, signed events, and that bytes that
//! are no complete answer never settle a charge.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::arithmetic_side_effects,
    reason = "a test that cannot go on has failed"
)]

mod callbacks;
mod declines;
mod disputes;
mod hostile;
mod lists;
mod operations;
mod outcomes;
mod requests;

use std::sync::LazyLock;

use checkout_core::card::BankToken;
use checkout_core::card::usage::ChargeInitiator;
use checkout_core::gateway::charge::{
    CardCharge, ChargeOperation, ChargeRef, Opened, Order, Outcome, Report,
};
use checkout_core::gateway::connector::Connector;
use checkout_core::gateway::exchange::Incoming;
use checkout_core::gateway::instrument::FormOfPayment;
use checkout_core::gateway::stripe::{DECLARATION, SECRET_KEY, WEBHOOK_SECRET, WEBHOOK_SECRET_NEXT};
use checkout_core::testing::gateway::{answer, charge, connect, converse, order, wallet};
use checkout_core::words::Wallet;
use serde_json::Value;

const KEY: &str = "sk_test_made_up";
const SECRET: &str = "whsec_made_up_1";
const NEXT_SECRET: &str = "whsec_made_up_2";
const TOKEN: &str = "cus_Made|pm_1Made";
const GOOGLE: &str = r#"{"apiVersion":2,"apiVersionMinor":0,"paymentMethodData":{"type":"CARD","tokenizationData":{"type":"PAYMENT_GATEWAY","token":"{\n  \"id\": \"tok_1Made\",\n  \"object\": \"token\"\n}"}}}"#;

static ANSWERS: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(include_str!("../vectors/gateways/stripe-answers.json")).unwrap());

fn stripe() -> Box<dyn Connector> {
    let values = [(SECRET_KEY, KEY), (WEBHOOK_SECRET, SECRET), (WEBHOOK_SECRET_NEXT, NEXT_SECRET)];
    connect(&DECLARATION, &values)
}

/// The JSON of a sample answer.
fn sample(name: &str) -> Value {
    ANSWERS.get(name).unwrap_or_else(|| panic!("no sample {name}"))["body"].clone()
}

/// A sample answer, with its status.
fn says(name: &str) -> Incoming {
    let status = u16::try_from(ANSWERS[name]["status"].as_u64().unwrap()).unwrap();
    answer(status, sample(name).to_string())
}

/// A sample answer with another value at a place such as `/metadata/charge`.
fn says_with(name: &str, place: &str, value: Value) -> Incoming {
    let mut body = sample(name);
    *body.pointer_mut(place).unwrap_or_else(|| panic!("{name} has no {place}")) = value;
    Incoming { body: body.to_string().into_bytes(), ..says(name) }
}

fn kwd() -> Order {
    order("10.250", "KWD")
}

fn authorize() -> Order {
    Order { operation: ChargeOperation::Authorize, ..kwd() }
}

fn verify() -> Order {
    Order { operation: ChargeOperation::Verify, saves_card: true, ..kwd() }
}

fn by_card(initiator: ChargeInitiator) -> Order {
    let card = CardCharge { token: BankToken(TOKEN.into()), initiator, agreement: None };
    Order { card: Some(card), ..kwd() }
}

fn by_google() -> Order {
    Order { instrument: wallet(Wallet::GooglePay, GOOGLE), ..kwd() }
}

fn known(gateway_id: &str) -> ChargeRef {
    ChargeRef { gateway_id: Some(gateway_id.into()), ..charge("10.250", "KWD") }
}

fn held(gateway_id: &str) -> ChargeRef {
    ChargeRef { operation: ChargeOperation::Authorize, ..known(gateway_id) }
}

/// A charge without a page whose id is not known.
fn lost() -> ChargeRef {
    ChargeRef { form: FormOfPayment::TokenPay, ..charge("10.250", "KWD") }
}

fn opened(order: &Order, answers: &[Incoming]) -> Opened {
    converse(stripe().open(order), answers).1
}

fn reported(order: &Order, answers: &[Incoming]) -> Report {
    match opened(order, answers) {
        Opened::Reported(report) => report,
        Opened::Refused { message } => panic!("refused: {message:?}"),
    }
}

fn asked(charge: &ChargeRef, answers: &[Incoming]) -> Report {
    converse(stripe().inquire(charge, None), answers).1
}

/// What is stored or shown of a report has nothing that is secret or about the payer, except for the name on the card.
fn assert_harmless(report: &Report) {
    let params: String = report.params.values().map(String::as_str).collect::<Vec<_>>().join(" ");
    let texts = [report.raw.clone().unwrap_or_default(), report.message.clone().unwrap_or_default(), params];
    for text in texts {
        for secret in [
            "pm_1Made",
            "cus_Made",
            "tok_",
            "sk_test",
            "rk_test",
            "whsec",
            "_secret_",
            "noura@",
            "96550000000",
            "Street 1",
            "AOB934RVNwzk6xtn",
            "4242 4242",
            "secret-receipt",
            "12345\"",
        ] {
            assert!(!text.contains(secret), "{secret} in {text}");
        }
    }
    assert!(!report.raw.as_deref().unwrap_or_default().contains("NOURA"));
    assert!(!format!("{report:?}").contains("pm_1Made"));
}

fn is_open(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Open { .. })
}
