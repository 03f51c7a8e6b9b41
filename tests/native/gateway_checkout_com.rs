//! The connector of Checkout.com: its requests byte for byte, every outcome, its webhooks, its lists, and hostile input. Its
//! answers are recorded ones of a public library, and others that are written after the public reference.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot go on has failed"
)]

mod callbacks;
mod disputes;
mod hostile;
mod lists;
mod operations;
mod outcomes;
mod requests;

use std::sync::LazyLock;

use checkout_core::card::BankToken;
use checkout_core::card::usage::ChargeInitiator;
use checkout_core::gateway::charge::{CardCharge, ChargeRef, Opened, Order, Report};
use checkout_core::gateway::checkout_com::{
    CHANNEL, DECLARATION, PREFIX, PUBLIC_KEY, SECRET_KEY, WEBHOOK_SECRET, WEBHOOK_SECRET_NEXT,
};
use checkout_core::gateway::connector::Connector;
use checkout_core::gateway::exchange::Incoming;
use checkout_core::gateway::instrument::FormOfPayment;
use checkout_core::testing::gateway::{answer, charge, connect, converse, order, wallet};
use checkout_core::transaction::agreement::Agreement;
use checkout_core::words::Wallet;
use checkout_core::words::agreement::AgreementType;
use serde_json::Value;

const SECRET: &str = "signature-key-of-the-shop";
const NEXT_SECRET: &str = "another-signature-key";
const PAYMENT: &str = "pay_mbabizu24mvu3mela5njyhpit4";
const PAGE: &str = "hpp_xGQBg0AXl3cM";
const ACTION: &str = "act_t6ksnbs3tguu7iblmk22jjimca";
const TOKEN: &str = "src_nwd3m4in3hkuddfpjsaevunhdy|pay_mbabizu24mvu3mela5njyhpit4";
const APPLE: &str =
    r#"{"paymentData":{"version":"EC_v1", "data":"Zm9v\/bar=="},"transactionIdentifier":"6f"}"#;
const GOOGLE: &str = r#"{"paymentMethodData":{"type":"CARD","tokenizationData":{"type":"PAYMENT_GATEWAY","token":"{\"signature\":\"MEQ\\u003d\",\"protocolVersion\":\"ECv2\"}"}}}"#;

static ANSWERS: LazyLock<Value> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../vectors/gateways/checkout_com-answers.json")).unwrap()
});

fn with(others: &[(&'static str, &str)]) -> Box<dyn Connector> {
    let values = [
        (SECRET_KEY, "sk_sbox_made_up"),
        (PREFIX, "vkuhvk4v"),
        (PUBLIC_KEY, "pk_sbox_made_up"),
        (WEBHOOK_SECRET, SECRET),
        (WEBHOOK_SECRET_NEXT, NEXT_SECRET),
    ];
    connect(&DECLARATION, &[&values, others].concat())
}

fn shop() -> Box<dyn Connector> {
    with(&[])
}

/// The JSON of a sample answer.
fn sample(name: &str) -> Value {
    ANSWERS.get(name).unwrap_or_else(|| panic!("no sample {name}"))["body"].clone()
}

/// A sample answer, with its status.
fn says(name: &str) -> Incoming {
    let body = sample(name);
    answer(u16::try_from(ANSWERS[name]["status"].as_u64().unwrap()).unwrap(), body.to_string())
}

/// A sample answer with another value in one place; `null` removes it.
fn says_with(name: &str, place: &str, value: Value) -> Incoming {
    let mut body = sample(name);
    let (parent, member) = place.rsplit_once('/').unwrap();
    let parent = body.pointer_mut(parent).and_then(Value::as_object_mut).unwrap();
    if value.is_null() {
        parent.remove(member);
    } else {
        parent.insert(member.into(), value);
    }
    Incoming { body: body.to_string().into_bytes(), ..says(name) }
}

fn known(id: &str) -> ChargeRef {
    let form = if id.starts_with("hpp_") { FormOfPayment::Redirect } else { FormOfPayment::GooglePay };
    ChargeRef { gateway_id: Some(id.into()), form, ..charge("10.250", "KWD") }
}

fn agreement(kind: AgreementType) -> Box<Agreement> {
    Box::new(Agreement {
        id: Some("AGR-1".into()),
        kind,
        amount_variability: None,
        cycle_interval_days: None,
        expiry_date: None,
        start_date: None,
        frequency: None,
        max_amount_per_cycle: None,
        total_cycles: None,
        seller: None,
        extra_params: None,
    })
}

fn by_card(initiator: ChargeInitiator, kind: Option<AgreementType>) -> Order {
    let agreement = kind.map(agreement);
    Order {
        card: Some(CardCharge { token: BankToken(TOKEN.into()), initiator, agreement }),
        ..order("10.250", "KWD")
    }
}

fn by_wallet(kind: Wallet) -> Order {
    let payload = if kind == Wallet::ApplePay { APPLE } else { GOOGLE };
    Order { instrument: wallet(kind, payload), ..order("10.250", "KWD") }
}

fn opened(order: &Order, answers: &[Incoming]) -> Report {
    match converse(shop().open(order), answers).1 {
        Opened::Reported(report) => report,
        Opened::Refused { message } => panic!("refused: {message:?}"),
    }
}

fn refused(order: &Order, answers: &[Incoming]) -> Option<String> {
    match converse(shop().open(order), answers).1 {
        Opened::Refused { message } => message,
        Opened::Reported(report) => panic!("reported: {report:?}"),
    }
}

fn asked(charge: &ChargeRef, answers: &[Incoming]) -> Report {
    converse(shop().inquire(charge, None), answers).1
}
