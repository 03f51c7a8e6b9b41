//! Orders, answers and conversations for tests of connectors.
//!
//! ```
//! use checkout_core::gateway::sandbox::{API_KEY, DECLARATION};
//! use checkout_core::testing::gateway::{answer, charge, connect, converse};
//!
//! let bank = connect(&DECLARATION, &[(API_KEY, "key-1")]);
//! let charge = charge("10.250", "KWD");
//! let (requests, report) = converse(bank.inquire(&charge, None), &[answer(404, "{}")]);
//! assert_eq!(requests[0].url, "https://bank.sandbox.invalid/v1/charges/7H3K9M2P4Q5R");
//! assert_eq!(report.reference, "7H3K9M2P4Q5R");
//! ```

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::Deserialize;

use crate::gateway::callback::CallbackContext;
use crate::gateway::charge::{ChargeOperation, ChargeRef, Order, OrderItem, PgParams};
use crate::gateway::connector::{Connector, Declaration};
use crate::gateway::credentials::Credentials;
use crate::gateway::exchange::{Incoming, Outgoing};
use crate::gateway::instrument::{FormOfPayment, Instrument};
use crate::gateway::operation::{OperationOrder, OperationRef};
use crate::gateway::payer::Payer;
use crate::gateway::step::Step;
use crate::value::id::ReferenceNumber;
use crate::value::money::{Currency, Money};
use crate::value::time::Timestamp;
use crate::words::{ChildOperation, Language, Wallet};

/// The reference of every charge here.
pub const REFERENCE: &str = "7H3K9M2P4Q5R";
/// The reference of every operation here.
pub const OPERATION_REFERENCE: &str = "8J4L2N6P3Q7S";
/// When every charge here was opened.
pub const OPENED_AT: i64 = 1_795_219_200_000;

/// A reference.
///
/// # Panics
/// If the text is none.
#[must_use]
#[expect(clippy::unwrap_used, reason = "a test that names no reference fails")]
pub fn reference(text: &str) -> ReferenceNumber {
    ReferenceNumber::parse(text).unwrap()
}

/// An amount.
///
/// # Panics
/// If the text is none of the currency.
#[must_use]
#[expect(clippy::unwrap_used, reason = "a test that names no amount fails")]
pub fn money(amount: &str, currency: &str) -> Money {
    Money::parse(amount, Currency::parse(currency).unwrap()).unwrap()
}

/// The connector of a folder, with these credentials, in its test environment.
///
/// # Panics
/// If there is no gateway to call.
#[must_use]
#[expect(clippy::unwrap_used, reason = "a test of a connector that does not exist fails")]
pub fn connect(declaration: &Declaration, values: &[(&'static str, &str)]) -> Box<dyn Connector> {
    let values = values.iter().map(|(name, value)| (*name, (*value).to_string())).collect();
    declaration.connect.unwrap()(Credentials { endpoint: None, is_test: true, values })
}

/// An order for a payment on the gateway's page.
#[must_use]
pub fn order(amount: &str, currency: &str) -> Order {
    Order {
        reference: reference(REFERENCE),
        total: money(amount, currency),
        operation: ChargeOperation::Purchase,
        card: None,
        saves_card: false,
        instrument: Instrument::Page,
        language: Language::En,
        merchant: "Shop".to_string(),
        order_no: Some("ORDER-1001".to_string()),
        payer: Payer {
            id: Some("customer-7".to_string()),
            first_name: Some("Noura".to_string()),
            last_name: Some("Al-Sabah".to_string()),
            email: Some("noura@example.com".to_string()),
            phone: Some("+96550000000".to_string()),
            ..Payer::default()
        },
        items: Vec::from([OrderItem {
            name: "Order ORDER-1001".to_string(),
            quantity: 1,
            unit_price: money(amount, currency),
            reference: "1".to_string(),
        }]),
        country: "KW".to_string(),
        agreement: None,
        opened_at: Timestamp::from_millis(OPENED_AT),
        return_url: "https://pay.example/b/gw/v1/return/7H3K9M2P4Q5R/token/".to_string(),
        callback_url: "https://pay.example/b/gw/v1/callback/7H3K9M2P4Q5R/".to_string(),
    }
}

/// An instrument of a device wallet: one JSON object, byte for byte.
///
/// # Panics
/// If the payload is not JSON.
#[must_use]
#[expect(clippy::unwrap_used, reason = "a test whose payload is not JSON fails")]
pub fn wallet(wallet: Wallet, payload: &str) -> Instrument {
    let raw: &serde_json::value::RawValue = serde_json::from_str(payload).unwrap();
    Instrument::Wallet(wallet, crate::gateway::instrument::WalletPayload::verbatim(raw))
}

/// The charge of [`order`], opened before.
#[must_use]
pub fn charge(amount: &str, currency: &str) -> ChargeRef {
    ChargeRef {
        reference: reference(REFERENCE),
        gateway_id: None,
        total: money(amount, currency),
        operation: ChargeOperation::Purchase,
        form: FormOfPayment::Redirect,
        saves_card: false,
        params: PgParams::new(),
        opened_at: Timestamp::from_millis(OPENED_AT),
    }
}

/// An order for an operation on a charge.
#[must_use]
pub fn operation_order(charge: ChargeRef, operation: ChildOperation, amount: &str) -> OperationOrder {
    OperationOrder {
        reference: reference(OPERATION_REFERENCE),
        amount: money(amount, charge.total.currency().code()),
        charge,
        operation,
        callback_url: "https://pay.example/b/gw/v1/callback/8J4L2N6P3Q7S/".to_string(),
    }
}

/// The operation of an order, requested before.
#[must_use]
pub fn operation(order: &OperationOrder, gateway_id: Option<&str>) -> OperationRef {
    OperationRef {
        reference: order.reference.clone(),
        charge: order.charge.clone(),
        operation: order.operation,
        amount: order.amount,
        gateway_id: gateway_id.map(ToString::to_string),
        opened_at: Timestamp::from_millis(OPENED_AT),
    }
}

/// An answer without headers.
#[must_use]
pub fn answer(status: u16, body: impl Into<Vec<u8>>) -> Incoming {
    Incoming { status, query: String::new(), headers: Vec::new(), body: body.into() }
}

/// A callback with these headers.
#[must_use]
pub fn callback(headers: &[(&str, &str)], body: impl Into<Vec<u8>>) -> Incoming {
    let headers = headers.iter().map(|(name, value)| ((*name).to_string(), (*value).to_string())).collect();
    Incoming { status: 0, query: String::new(), headers, body: body.into() }
}

/// A callback at the address of the charge of [`order`], when it was opened.
#[must_use]
pub fn at_charge() -> CallbackContext {
    CallbackContext {
        now: Timestamp::from_millis(OPENED_AT),
        subject: Some(reference(REFERENCE)),
        return_url: Some("https://pay.example/b/gw/v1/return/7H3K9M2P4Q5R/token/".to_string()),
    }
}

/// A callback at the address of an account, when the charge of [`order`] was opened.
#[must_use]
pub fn at_account() -> CallbackContext {
    CallbackContext { now: Timestamp::from_millis(OPENED_AT), subject: None, return_url: None }
}

/// A request as it must be, byte for byte.
#[derive(Deserialize)]
struct RequestVector {
    name: String,
    method: String,
    url: String,
    headers: Vec<(String, String)>,
    body: String,
}

/// Asserts that a request is the one of this name among the vectors of a file.
///
/// # Panics
/// If it is another one, or there is none of the name.
#[expect(clippy::panic, clippy::unwrap_used, reason = "a test whose request is another one fails")]
pub fn assert_sent(vectors: &str, name: &str, request: &Outgoing) {
    let vectors: Vec<RequestVector> = serde_json::from_str(vectors).unwrap();
    let vector = vectors.into_iter().find(|vector| vector.name == name);
    let body = core::str::from_utf8(&request.body).unwrap();
    let vector =
        vector.unwrap_or_else(|| panic!("{name}: {} {} {body}", request.method.as_str(), request.url));
    let headers: Vec<_> =
        request.headers.iter().map(|(name, value)| ((*name).to_string(), value.clone())).collect();
    assert_eq!((request.method.as_str(), &request.url), (vector.method.as_str(), &vector.url), "{name}");
    assert_eq!(headers, vector.headers, "{name}");
    assert_eq!(body, vector.body, "{name}");
}

/// Carries out an exchange with these answers: the requests, and the result.
///
/// # Panics
/// If it needs more answers, or fewer.
#[must_use]
#[expect(clippy::panic, reason = "a test whose exchange has other requests fails")]
pub fn converse<T>(first: Step<'_, T>, answers: &[Incoming]) -> (Vec<Outgoing>, T) {
    let mut step = first;
    let mut requests = Vec::new();
    let mut answers = answers.iter();
    loop {
        match step {
            Step::Done(result) => {
                assert!(answers.next().is_none(), "the exchange is over after {} requests", requests.len());
                return (requests, result);
            }
            Step::Ask(call) => {
                let Some(answer) = answers.next() else { panic!("no answer to {}", call.request.url) };
                requests.push(call.request.clone());
                step = call.read(answer);
            }
        }
    }
}
