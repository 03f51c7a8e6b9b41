//! The connector of Adyen: its requests byte for byte, every outcome, its webhooks, and hostile input. What it sends and
//! reads here is compared with Adyen's own description and library in `tests/gateways/adyen.test.mjs`.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot go on has failed"
)]

mod advice;
mod callbacks;
mod disputes;
mod hostile;
mod operations;
mod outcomes;
mod requests;

use checkout_core::gateway::adyen::{API_KEY, DECLARATION, HMAC_KEY, MERCHANT_ACCOUNT, OTHER_HMAC_KEY};
use checkout_core::gateway::charge::{ChargeRef, Opened, Report};
use checkout_core::gateway::connector::Connector;
use checkout_core::gateway::exchange::{Incoming, Returned};
use checkout_core::gateway::instrument::FormOfPayment;
use checkout_core::testing::gateway::{answer, charge, connect};
use serde_json::Value;

const KEY: &str = "AQE-api-key-of-the-shop";
const HMAC: &str = "44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056";
const OTHER_HMAC: &str = "0F1E2D3C4B5A69788796A5B4C3D2E1F00F1E2D3C4B5A69788796A5B4C3D2E1F0";
const ACCOUNT: &str = "ShopECOM";
const PAYMENT: &str = "NC6HT9CRT65ZGN82";
const LINK: &str = "PLE83C39B0A0DE0C1E";
const TOKEN: &str = "M5N7TQ4TG5PFWR50";
const ANSWERS: &str = include_str!("../vectors/gateways/adyen-answers.json");

fn shop() -> Box<dyn Connector> {
    connect(
        &DECLARATION,
        &[(API_KEY, KEY), (MERCHANT_ACCOUNT, ACCOUNT), (HMAC_KEY, HMAC), (OTHER_HMAC_KEY, OTHER_HMAC)],
    )
}

/// A shop that has no key for webhooks.
fn without_webhooks() -> Box<dyn Connector> {
    connect(&DECLARATION, &[(API_KEY, KEY), (MERCHANT_ACCOUNT, ACCOUNT)])
}

/// A sample answer: its status and body.
fn sample(name: &str) -> (u16, Value) {
    let samples: Vec<Value> = serde_json::from_str(ANSWERS).unwrap();
    let found = samples.iter().find(|sample| sample["name"] == name);
    let found = found.unwrap_or_else(|| panic!("no sample {name}"));
    (u16::try_from(found["status"].as_u64().unwrap()).unwrap(), found["body"].clone())
}

fn answered(name: &str) -> Incoming {
    let (status, body) = sample(name);
    answer(status, body.to_string())
}

/// A sample answer with other members; `null` removes one.
fn changed(name: &str, members: &[(&str, Value)]) -> Incoming {
    let (status, mut body) = sample(name);
    let object = body.as_object_mut().unwrap();
    for (member, value) in members {
        if value.is_null() {
            object.remove(*member);
        } else {
            object.insert((*member).to_string(), value.clone());
        }
    }
    answer(status, body.to_string())
}

fn link_charge() -> ChargeRef {
    ChargeRef { gateway_id: Some(LINK.to_string()), ..charge("10.250", "KWD") }
}

fn wallet_charge() -> ChargeRef {
    ChargeRef {
        form: FormOfPayment::ApplePay,
        gateway_id: Some(PAYMENT.to_string()),
        ..charge("10.250", "KWD")
    }
}

fn returned(result: &str) -> Returned {
    Returned { fields: vec![("redirectResult".to_string(), result.to_string())] }
}

fn reported(opened: Opened) -> Report {
    match opened {
        Opened::Reported(report) => report,
        Opened::Refused { message } => panic!("refused: {message:?}"),
    }
}
