//! What `make bench` times of the connectors: building the request that charges a saved card, and reading an answer that
//! approves it. KNET has no saved cards: its order is encrypted for the page, and the inquiry after that is read; nor have Tabby and
//! Tamara, of which the request for the page, its answer and the inquiry are timed. Tap gives a token for a saved card first.

use std::collections::BTreeMap;
use std::hint::black_box;

use checkout_core::card::BankToken;
use checkout_core::card::usage::ChargeInitiator;
use checkout_core::gateway::charge::{CardCharge, ChargeRef, Opened, Order, Outcome, Report};
use checkout_core::gateway::connector::Connector;
use checkout_core::gateway::exchange::Incoming;
use checkout_core::gateway::step::Step;
use checkout_core::gateway::{adyen, checkout_com, knet, mpgs, sandbox, stripe, tabby, tamara, tap};
use checkout_core::testing::gateway::{answer, charge, connect, order};
use serde_json::value::RawValue;

const MPGS: &str = include_str!("../../../vectors/gateways/mpgs-answers.json");
const ADYEN: &str = include_str!("../../../vectors/gateways/adyen-answers.json");
const CHECKOUT_COM: &str = include_str!("../../../vectors/gateways/checkout_com-answers.json");
const STRIPE: &str = include_str!("../../../vectors/gateways/stripe-answers.json");
const SANDBOX: &str = r#"{"id":"ch_7","reference":"7H3K9M2P4Q5R","status":"approved","amount":"10.250",
    "currency":"KWD","operation":"purchase","page_url":null,"message":"approved","card":{"number":"************4242",
    "type":"visa","expiry_month":"12","expiry_year":"34"},"auth_code":"123456"}"#;
const KNET: &str = "<result>CAPTURED</result><auth>B24047</auth><ref>632500000042</ref><postdate>1122</postdate>\
    <tranid>202632500000099</tranid><trackid>7H3K9M2P4Q5R</trackid><payid>100202632500099</payid>\
    <udf1>7H3K9M2P4Q5R</udf1><udf5>TrackID</udf5><amt>10.250</amt><authRespCode>00</authRespCode>";

const TABBY_SESSION: &str = r#"{"id":"s-7","status":"created","payment":{"id":"p-7","order":{"reference_id":"7H3K9M2P4Q5R"}},
    "configuration":{"available_products":{"installments":[{"web_url":"https://checkout.tabby.ai/?sessionId=s-7"}]}}}"#;
const TABBY: &str = r#"{"id":"p-7","status":"CLOSED","amount":"10.250","currency":"KWD","order":{"reference_id":"7H3K9M2P4Q5R"},
    "captures":[{"id":"c-7","amount":"10.250","reference_id":"7H3K9M2P4Q5R"}],"refunds":[]}"#;
const TAMARA_SESSION: &str = r#"{"order_id":"o-7","checkout_id":"c-7","checkout_url":"https://checkout.tamara.co/c/c-7","status":"new"}"#;
const TAMARA: &str = r#"{"order_id":"o-7","order_reference_id":"7H3K9M2P4Q5R","status":"fully_captured",
    "total_amount":{"amount":10.25,"currency":"KWD"},"captured_amount":{"amount":10.25,"currency":"KWD"},
    "transactions":{"captures":[{"capture_id":"c-7","total_amount":{"amount":10.25,"currency":"KWD"},
    "shipping_info":{"tracking_number":"7H3K9M2P4Q5R"}}],"refunds":[],"cancels":[]}}"#;
const TAP_TOKEN: &str = r#"{"id":"tok_7","object":"token","used":false}"#;
const TAP: &str = r#"{"id":"chg_7","object":"charge","live_mode":false,"status":"CAPTURED","amount":10.25,"currency":"KWD",
    "metadata":{"till":"charge"},"transaction":{"authorization_id":"157811","created":"1795219200944","amount":10.25,
    "currency":"KWD"},"reference":{"track":"tck_1","payment":"4327230736106619650","gateway":"123456789",
    "transaction":"7H3K9M2P4Q5R","order":"ORDER-1001"},"response":{"code":"000","message":"Captured"},
    "customer":{"id":"cus_7","first_name":"Noura"},"source":{"object":"source","payment_method":"VISA","id":"tok_7"},
    "card":{"object":"card","first_six":"446404","scheme":"VISA","brand":"VISA","last_four":"0007"}}"#;

/// A connector with an order, and what its gateway answers to one request after the other.
struct Case {
    connector: Box<dyn Connector>,
    order: Order,
    charge: ChargeRef,
    answers: Vec<Incoming>,
}

impl Case {
    /// The case of a number: sandbox, KNET, Mastercard Gateway, Adyen, Stripe, Tabby, Tamara,
    /// Checkout.com, Tap.
    fn of(number: u32) -> Option<Self> {
        let (declaration, values, token, answer) = match number {
            0 => (&sandbox::DECLARATION, &[("api_key", "key-1")][..], "tok_1", answer(201, SANDBOX)),
            1 => (&knet::DECLARATION, &TERMINAL[..], "", answer(200, KNET)),
            2 => (&mpgs::DECLARATION, &MERCHANT[..], "5123457766550008", named(MPGS, "pay approved", 201)?),
            3 => (&adyen::DECLARATION, &ACCOUNT[..], "M5N7TQ4TG5PFWR50", listed(ADYEN, "authorised")?),
            4 => (&stripe::DECLARATION, &KEY[..], "cus_Made|pm_1Made", named(STRIPE, "intent paid", 200)?),
            5 => (&tabby::DECLARATION, &STORE[..], "", answer(200, TABBY)),
            6 => (&tamara::DECLARATION, &SELLER[..], "", answer(200, TAMARA)),
            7 => {
                (&checkout_com::DECLARATION, &CHECKOUT[..], "src_1|pay_1", named(CHECKOUT_COM, "paid", 201)?)
            }
            8 => (&tap::DECLARATION, &ACQUIRER[..], "cus_7|card_7|", answer(200, TAP)),
            _ => return None,
        };
        let (first, known) = match number {
            5 => (Some(TABBY_SESSION), Some("p-7.s-7")),
            6 => (Some(TAMARA_SESSION), Some("o-7")),
            8 => (Some(TAP_TOKEN), None),
            _ => (None, None),
        };
        let card =
            CardCharge { token: BankToken(token.into()), initiator: ChargeInitiator::Payer, agreement: None };
        let card = Some(card).filter(|card| !card.token.0.is_empty());
        let order = Order { card, ..order("10.250", "KWD") };
        let charge = ChargeRef { gateway_id: known.map(Into::into), ..charge("10.250", "KWD") };
        let first = first.map(|text| checkout_core::testing::gateway::answer(200, text));
        let answers = first.into_iter().chain([answer]).collect();
        Some(Self { connector: connect(declaration, values), order, charge, answers })
    }

    fn is_approved(&self) -> bool {
        let mut answers = self.answers.iter();
        let mut step = black_box(&self.connector).open(black_box(&self.order));
        loop {
            match step {
                Step::Ask(call) => {
                    black_box(&call.request);
                    let Some(answer) = answers.next() else { return false };
                    step = call.read(answer);
                }
                Step::Done(Opened::Reported(Report { outcome: Outcome::Open { page_url }, .. })) => {
                    black_box(page_url);
                    return answers.next().is_some_and(|answer| self.is_found(answer));
                }
                Step::Done(Opened::Reported(report)) => return report.outcome == Outcome::Approved,
                Step::Done(_) => return false,
            }
        }
    }

    /// Whether an inquiry finds that it is paid.
    fn is_found(&self, answer: &Incoming) -> bool {
        let Step::Ask(call) = self.connector.inquire(&self.charge, None) else { return false };
        black_box(&call.request);
        call.read(answer).done().is_some_and(|report| report.outcome == Outcome::Approved)
    }
}

const TERMINAL: [(&str, &str); 3] =
    [("tranportal_id", "900100200"), ("password", "Exm9pl"), ("resource_key", "Q7w2Er9TyU4iOp1Z")];
const MERCHANT: [(&str, &str); 2] = [("merchant_id", "TESTSHOP01"), ("password", "api-password-1")];
const ACCOUNT: [(&str, &str); 2] = [("api_key", "AQE-api-key"), ("merchant_account", "ShopECOM")];
const CHECKOUT: [(&str, &str); 2] = [("secret_key", "sk_sbox_made_up"), ("prefix", "vkuhvk4v")];
const ACQUIRER: [(&str, &str); 1] = [("secret_key", "sk_test_made_up")];
const KEY: [(&str, &str); 1] = [("secret_key", "rk_test_made_up")];
const STORE: [(&str, &str); 3] =
    [("secret_key", "sk_test_made_up"), ("merchant_code", "shop_kw"), ("country", "KW")];
const SELLER: [(&str, &str); 2] = [("api_token", "token-made-up"), ("country", "KW")];

/// The body of an answer in an object of answers.
fn named(text: &str, name: &str, status: u16) -> Option<Incoming> {
    let answers: BTreeMap<&str, &RawValue> = serde_json::from_str(text).ok()?;
    let found: BTreeMap<&str, &RawValue> = serde_json::from_str(answers.get(name)?.get()).ok()?;
    Some(answer(status, found.get("body")?.get()))
}

/// The body of an answer in a list of answers.
fn listed(text: &str, name: &str) -> Option<Incoming> {
    let answers: Vec<BTreeMap<&str, &RawValue>> = serde_json::from_str(text).ok()?;
    let is_it = |found: &&BTreeMap<&str, &RawValue>| {
        found.get("name").is_some_and(|known| known.get().trim_matches('"') == name)
    };
    Some(answer(200, answers.iter().find(is_it)?.get("body")?.get()))
}

/// Builds and reads `times` times with the connector of a number. Returns how often the answer was read as approved, which
/// is `times` unless the connector or the answer has changed.
#[must_use]
pub fn build_and_read(number: u32, times: u32) -> u32 {
    let Some(case) = Case::of(number) else { return 0 };
    (0..times).map(|_| u32::from(case.is_approved())).sum()
}

/// [`build_and_read`] for a host of the wasm module.
#[expect(unsafe_code, reason = "the host finds the function by its plain name")]
#[unsafe(no_mangle)]
pub extern "C" fn run(number: u32, times: u32) -> u32 {
    build_and_read(number, times)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_measured_answers_are_read_as_approved() {
        let approved: Vec<u32> = (0..10).map(|number| build_and_read(number, 3)).collect();
        assert_eq!(approved, [3, 3, 3, 3, 3, 3, 3, 3, 3, 0]);
    }
}
