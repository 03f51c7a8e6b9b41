//! Through which gateway a payment goes: rules, shares, groups, fallback, gateways that are skipped, and what the merchant
//! can read of it.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod declined;
mod doubt;
mod fallback;
mod lost;
mod next_way;
mod rules;
mod settings;
mod stays;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use checkout_core::flow::merchant::routing::read_routing;
use checkout_core::flow::payer::open_page::Viewer;
use checkout_core::flow::sdk;
use checkout_core::gateway::exchange::{Incoming, Outgoing};
use checkout_core::port::SendError;
use checkout_core::testing::http::{empty, json as answered};
use checkout_core::value::id::SessionId;
use checkout_tests::bank::Bank;
use checkout_tests::shop::{Shop, order, text};
use pollster::block_on;
use serde_json::{Value, json};

/// How one bank of the shop is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Line {
    /// It answers.
    Up,
    /// Nothing reaches it.
    Down,
    /// It may be reached, and answers nothing.
    Silent,
    /// It answers that something is wrong with the request.
    Refusing,
    /// It does what it is asked, and its answer is lost.
    Lost,
    /// It answers that the payment was canceled there.
    Canceling,
    /// It answers that the payment was declined, for this reason.
    Declining(&'static str),
}

/// A shop with three gateways for cards, `one`, `two` and `three`, that are one method for the payer, and `knet`; each at a
/// bank of its own.
struct Routed {
    shop: Shop,
    lines: Rc<RefCell<BTreeMap<&'static str, Line>>>,
}

/// The bank of a gateway.
fn endpoint(code: &str) -> String {
    format!("https://{code}.bank.example")
}

/// Three accounts for the same cards.
fn add_accounts(settings: &mut Value) {
    let gateways = settings["gateways"].as_array_mut().unwrap();
    let mpgs = gateways.iter().find(|gateway| gateway["code"] == "mpgs").unwrap().clone();
    for code in ["one", "two", "three"] {
        let mut gateway = mpgs.clone();
        put(&mut gateway, "code", json!(code));
        put(&mut gateway, "group", json!("card"));
        put(&mut gateway, "endpoint", json!(endpoint(code)));
        gateways.push(gateway);
    }
}

impl Routed {
    fn open(routing: Value) -> Self {
        Self::open_with(routing, |_| {})
    }

    /// A shop whose settings differ further.
    fn open_with(routing: Value, change: impl FnOnce(&mut Value)) -> Self {
        let shop = Shop::open_with(1, |settings| {
            add_accounts(settings);
            put(settings, "routing", routing);
            change(settings);
        });
        let lines: Rc<RefCell<BTreeMap<&'static str, Line>>> = Rc::default();
        let (bank, known) = (shop.bank.clone(), Rc::clone(&lines));
        shop.world.http.answer_by(move |request| {
            let code =
                ["one", "two", "three"].into_iter().find(|code| request.url.starts_with(&endpoint(code)));
            let Some(code) = code else {
                return if request.url.starts_with(Bank::ORIGIN) {
                    bank.answer(request)
                } else {
                    Ok(empty(200))
                };
            };
            match known.borrow().get(code).copied().unwrap_or(Line::Up) {
                Line::Down => Err(SendError::NotSent),
                Line::Silent => Err(SendError::Unknown),
                Line::Refusing => Ok(answered(422, r#"{"message":"not like this"}"#)),
                line @ (Line::Up | Line::Lost | Line::Canceling | Line::Declining(_)) => {
                    let url = request.url.replacen(&endpoint(code), Bank::ORIGIN, 1);
                    let answer = bank.answer(&Outgoing { url, ..request.clone() });
                    match line {
                        Line::Lost => Err(SendError::Unknown),
                        Line::Canceling => answer.map(canceled),
                        Line::Declining(reason) => answer.map(|answer| declined(answer, reason)),
                        Line::Up | Line::Down | Line::Silent | Line::Refusing => answer,
                    }
                }
            }
        });
        Self { shop, lines }
    }

    /// The token of a card that the customer of [`of_customer`] saved at the gateway `one`.
    fn saved_card(&self) -> String {
        let session_id = self.shop.create(&of_customer(&["one"]));
        let body = json!({"pg_code": "one", "save_card": true}).to_string();
        block_on(sdk::submit(&self.shop.world, &session_id, body.as_bytes())).unwrap();
        let reference = self.shop.latest(&session_id).reference;
        self.shop.bank.approve(reference.as_str());
        let _ = self.shop.come_back(&reference).unwrap();
        let deliveries = self.shop.world.store.deliveries(&session_id);
        let notified: Value = serde_json::from_str(&deliveries.last().unwrap().message.body).unwrap();
        text(notified.get("token").unwrap(), "token").unwrap().to_owned()
    }

    fn set(&self, code: &'static str, line: Line) {
        self.lines.borrow_mut().insert(code, line);
    }

    /// The codes that the payer's page lists, in order.
    fn listed(&self, session_id: &SessionId) -> Vec<String> {
        let shown = self.init(session_id);
        let methods = shown.get("payment_methods").and_then(Value::as_array).unwrap();
        methods.iter().map(|method| text(method, "code").unwrap().to_string()).collect()
    }

    fn init(&self, session_id: &SessionId) -> Value {
        let shown = block_on(sdk::init(&self.shop.world, session_id, Viewer::Person)).unwrap();
        serde_json::from_str(&shown).unwrap()
    }

    /// The decisions that the merchant reads.
    fn decisions(&self, session_id: &SessionId) -> Vec<Value> {
        let body = block_on(read_routing(&self.shop.world, &self.shop.private(), session_id)).unwrap();
        let body: Value = serde_json::from_str(&body).unwrap();
        body.get("results").and_then(Value::as_array).unwrap().clone()
    }

    /// The gateways of the attempts, in order.
    fn tried(&self, session_id: &SessionId) -> Vec<(String, &'static str)> {
        let attempts = self.shop.world.store.attempts(session_id);
        attempts.iter().map(|attempt| (attempt.pg_code.to_string(), attempt.stage.result())).collect()
    }
}

/// The answer about a charge, as if the bank had ended it.
fn canceled(answer: Incoming) -> Incoming {
    let mut charge: Value = serde_json::from_slice(&answer.body).unwrap();
    put(&mut charge, "status", json!("canceled"));
    Incoming { body: charge.to_string().into_bytes(), ..answer }
}

/// The answer about a charge, as if the bank had declined it.
fn declined(answer: Incoming, reason: &str) -> Incoming {
    let mut charge: Value = serde_json::from_slice(&answer.body).unwrap();
    put(&mut charge, "status", json!("declined"));
    put(&mut charge, "decline_code", json!(reason));
    Incoming { body: charge.to_string().into_bytes(), ..answer }
}

/// What was found about the gateways of a decision.
fn findings(decision: &Value) -> Vec<(&str, &str)> {
    let gateways = decision.get("gateways").and_then(Value::as_array).unwrap();
    gateways.iter().map(|one| (text(one, "pg_code").unwrap(), text(one, "finding").unwrap())).collect()
}

/// A rule that puts gateways first.
fn rule(name: &str, when: &Value, codes: &[&str]) -> Value {
    let gateways: Vec<Value> = codes.iter().map(|code| json!({"code": code})).collect();
    json!({"name": name, "when": when, "gateways": gateways})
}

/// An order of a customer, whose cards can be saved.
fn of_customer(codes: &[&str]) -> Value {
    let mut order = order(codes);
    put(&mut order, "customer_id", json!("C-1"));
    order
}

/// Sets a member of an object.
fn put(object: &mut Value, name: &str, value: Value) {
    object.as_object_mut().unwrap().insert(name.into(), value);
}
