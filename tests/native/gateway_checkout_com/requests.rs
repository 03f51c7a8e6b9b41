//! What is sent, byte for byte.

use checkout_core::gateway::charge::{ChargeOperation, Opened};
use checkout_core::gateway::checkout_com::{CheckoutCom, METHODS};
use checkout_core::gateway::credentials::Credentials;
use checkout_core::gateway::exchange::Outgoing;
use checkout_core::gateway::listing::Period;
use checkout_core::gateway::payer::Payer;
use checkout_core::gateway::step::Step;
use checkout_core::testing::gateway::{OPENED_AT, operation, operation_order};
use checkout_core::transaction::address::Address;
use checkout_core::value::time::Timestamp;
use checkout_core::words::{ChildOperation, Language};
use serde_json::json;

use super::*;

const VECTORS: &str = include_str!("../../vectors/gateways/checkout_com.json");

fn first<T>(step: Step<'_, T>) -> (Outgoing, bool) {
    let call = step.call().unwrap();
    (call.request, call.moves_money)
}

/// The request after one that prepares it.
fn second(order: &Order, answered: &Incoming) -> (Outgoing, bool) {
    let shop = shop();
    first(shop.open(order).call().unwrap().read(answered))
}

fn pages() -> Vec<(&'static str, Order)> {
    let page = order("10.250", "KWD");
    let address = Address {
        city: "Kuwait City".into(),
        country: "KW".into(),
        line1: "Gulf Road".into(),
        line2: Some("12".into()),
        postal_code: Some("13001".into()),
        state: None,
    };
    let held = Order {
        operation: ChargeOperation::Authorize,
        language: Language::Ar,
        payer: Payer { billing: Some(Box::new(address)), ..page.payer.clone() },
        ..order("25.00", "USD")
    };
    let verified = Order { operation: ChargeOperation::Verify, saves_card: true, ..order("0.000", "KWD") };
    let saving =
        Order { saves_card: true, agreement: Some(agreement(AgreementType::Recurring)), ..page.clone() };
    let nameless = Order { payer: Payer::default(), order_no: None, merchant: String::new(), ..page.clone() };
    vec![
        ("page, purchase", page),
        ("page, hold, address, Arabic", held),
        ("page, card is only confirmed", verified),
        ("page, card is saved for a subscription", saving),
        ("page, nothing of the payer", nameless),
        ("page, pesos have two decimals at Checkout.com", order("5000", "CLP")),
    ]
}

/// Every request, by name, with whether it may move money.
fn requests() -> Vec<(&'static str, Outgoing, bool)> {
    let shop = shop();
    let mut all = Vec::new();
    let mut add = |name, (request, moves_money)| all.push((name, request, moves_money));
    for (name, page) in pages() {
        add(name, first(shop.open(&page)));
    }
    let limited = with(&[(METHODS, "card,knet,benefit"), (CHANNEL, "pc_q4dbxom5jbgudnjzjpz7j2z6uq")]);
    add("page, limited to methods", first(limited.open(&order("10.250", "KWD"))));
    let (apple, google) = (by_wallet(Wallet::ApplePay), by_wallet(Wallet::GooglePay));
    add("Apple Pay, token", first(shop.open(&apple)));
    add("Apple Pay", second(&apple, &says("token")));
    add("Google Pay, token", first(shop.open(&google)));
    let held = Order { operation: ChargeOperation::Authorize, saves_card: true, ..google.clone() };
    add("Google Pay, hold, card is saved", second(&held, &says("token")));
    add("Google Pay, authenticated", second(&google, &says("token that is authenticated")));
    for (name, initiator, kind) in [
        ("saved card, payer", ChargeInitiator::Payer, None),
        ("saved card, subscription", ChargeInitiator::Merchant, Some(AgreementType::Recurring)),
        ("saved card, installment", ChargeInitiator::Merchant, Some(AgreementType::Installment)),
        ("saved card, unscheduled", ChargeInitiator::Merchant, None),
    ] {
        add(name, first(shop.open(&by_card(initiator, kind))));
    }
    let (page, payment, lost) = (known(PAGE), known(PAYMENT), charge("10.250", "KWD"));
    add("status of a page", first(shop.inquire(&page, None)));
    add("status of a payment", first(shop.inquire(&payment, None)));
    add("by our reference", first(shop.inquire(&lost, None)));
    for (name, kind, amount) in [
        ("capture of all", ChildOperation::Capture, "10.250"),
        ("capture of a part", ChildOperation::Capture, "4.000"),
        ("refund of a part", ChildOperation::Refund, "4.000"),
        ("void", ChildOperation::Void, "10.250"),
    ] {
        add(name, first(shop.operate(&operation_order(payment.clone(), kind, amount))));
    }
    let order = operation_order(payment.clone(), ChildOperation::Refund, "4.000");
    add("actions", first(shop.inquire_operation(&operation(&order, Some(ACTION)))));
    let from = Timestamp::from_millis(OPENED_AT);
    let period = Period { from, to: from.plus(std::time::Duration::from_hours(1)) };
    add("list", first(shop.list_charges(period, None).unwrap()));
    let cursor = Some("nGd7-altGkOfSl3fJptLxA?token=MTc0MDUwMjE2MjQxOA");
    add("list, next page", first(shop.list_charges(period, cursor).unwrap()));
    add("disputes", first(shop.disputes(PAYMENT)));
    add("check", first(shop.check()));
    all
}

fn written(name: &str, request: &Outgoing) -> Value {
    let headers: Vec<_> = request.headers.iter().map(|(name, value)| json!([name, value])).collect();
    let body = std::str::from_utf8(&request.body).unwrap();
    json!({ "name": name, "method": request.method.as_str(), "url": request.url, "headers": headers, "body": body })
}

#[test]
fn every_request_is_written_as_in_the_vectors() {
    let expected: Vec<Value> = serde_json::from_str(VECTORS).unwrap();
    let sent: Vec<_> = requests().iter().map(|(name, request, _)| written(name, request)).collect();
    if sent != expected {
        let lines: Vec<_> = sent.iter().map(|one| format!("  {one}")).collect();
        panic!("what is sent now:\n[\n{}\n]\n", lines.join(",\n"));
    }
}

#[test]
fn only_what_may_move_money_is_marked_so() {
    for (name, request, moves_money) in requests() {
        let is_payment = request.url.ends_with("/payments") || name.contains("apture") || name == "void";
        assert_eq!(moves_money, is_payment || name.starts_with("refund"), "{name}");
        let has_key = request.headers.iter().any(|(name, _)| *name == "cko-idempotency-key");
        assert_eq!(has_key, moves_money, "{name}");
    }
}

#[test]
fn the_token_of_a_wallet_is_sent_byte_for_byte() {
    let sent = |order: &Order| String::from_utf8(first(shop().open(order)).0.body).unwrap();
    assert!(sent(&by_wallet(Wallet::ApplePay)).contains(r#"{"version":"EC_v1", "data":"Zm9v\/bar=="}"#));
    let within = Order {
        instrument: wallet(Wallet::ApplePay, &format!(r#"{{"token":{APPLE}}}"#)),
        ..order("10.250", "KWD")
    };
    assert!(sent(&within).contains(r#""data":"Zm9v\/bar=="#));
    let google = r#"{"signature":"MEQ\u003d","protocolVersion":"ECv2"}"#;
    assert!(sent(&by_wallet(Wallet::GooglePay)).contains(google));
}

#[test]
fn what_cannot_be_requested_is_refused_without_a_request() {
    let page = order("10.250", "KWD");
    let saved = |token: &str| {
        let card = by_card(ChargeInitiator::Payer, None).card.unwrap();
        Order { card: Some(CardCharge { token: BankToken(token.into()), ..card }), ..page.clone() }
    };
    let wallet = |kind, payload| Order { instrument: wallet(kind, payload), ..page.clone() };
    for (order, part) in [
        (order("10.255", "KWD"), "this amount"),
        (order("1.0000", "CLF"), "this amount"),
        (order("10000000.00", "USD"), "this amount"),
        (saved("src_1"), "none of Checkout.com"),
        (saved("cus_1|pm_1"), "none of Checkout.com"),
        (saved("src_../1|pay_1"), "none of Checkout.com"),
        (wallet(Wallet::ApplePay, r#"{"paymentData":"x"}"#), "no token"),
        (wallet(Wallet::GooglePay, r#"{"paymentMethodData":{}}"#), "no token"),
        (Order { operation: ChargeOperation::Verify, ..by_wallet(Wallet::GooglePay) }, "on its page"),
    ] {
        let message = refused(&order, &[]).unwrap();
        assert!(message.contains(part), "{message}");
    }
    let bank_only = with(&[(METHODS, "knet")]);
    let held = Order { operation: ChargeOperation::Authorize, ..page.clone() };
    assert!(matches!(bank_only.open(&held).done(), Some(Opened::Refused { message: Some(_) })));
    let values = [(SECRET_KEY, "sk"), (PREFIX, "vkuhvk4v")];
    let without_public_key = connect(&DECLARATION, &values);
    let done = without_public_key.open(&by_wallet(Wallet::ApplePay)).done();
    assert!(
        matches!(done, Some(Opened::Refused { message: Some(message) }) if message.contains("public key"))
    );
}

#[test]
fn each_account_has_its_own_address() {
    let of = |is_test, prefix: &str, endpoint: Option<&str>| {
        let values = [(SECRET_KEY, "sk".to_string()), (PREFIX, prefix.to_string())].into_iter().collect();
        let endpoint = endpoint.map(Into::into);
        first(CheckoutCom::new(Credentials { endpoint, is_test, values }).check()).0.url
    };
    let path = "/payments?limit=1&reference=till-check";
    assert_eq!(of(true, "vkuhvk4v", None), format!("https://vkuhvk4v.api.sandbox.checkout.com{path}"));
    assert_eq!(of(false, "VKuhvk4v", None), format!("https://vkuhvk4v.api.checkout.com{path}"));
    assert_eq!(of(false, "x", Some("http://127.0.0.1:4010/")), format!("http://127.0.0.1:4010{path}"));
    let shape = DECLARATION.credentials.iter().find(|field| field.name == PREFIX).unwrap().shape;
    assert!(["evil.com", "a/b/c/d/", "a@b.c.de", "", "short"].iter().all(|text| !shape.fits(text)));
}
