//! Every request, byte for byte, as `tests/vectors/gateways/mpgs.json` has it.

use checkout_core::card::BankToken;
use checkout_core::card::usage::ChargeInitiator;
use checkout_core::gateway::charge::{CardCharge, ChargeOperation, ChargeRef, Opened, Order};
use checkout_core::gateway::exchange::Outgoing;
use checkout_core::gateway::listing::Period;
use checkout_core::gateway::mpgs::{REPORTING_PASSWORD, VERSION};
use checkout_core::gateway::payer::Payer;
use checkout_core::testing::gateway::{
    OPENED_AT, answer, charge, money, operation, operation_order, order, wallet,
};
use checkout_core::transaction::address::Address;
use checkout_core::transaction::agreement::{Agreement, MostPerCycle, Seller};
use checkout_core::value::time::Timestamp;
use checkout_core::value::time::date::Date;
use checkout_core::words::agreement::{AgreementType, Frequency, Variability};
use checkout_core::words::{ChildOperation, Language, Wallet};
use serde_json::{Value, json};

use super::{APPLE, GOOGLE, bank, connect, is_page, ok, on_page, requests};

/// The request as the vectors have it: the body is a text, so that every byte counts.
fn written(name: &str, request: &Outgoing) -> Value {
    let headers: serde_json::Map<String, Value> =
        request.headers.iter().map(|(name, value)| ((*name).to_owned(), json!(value))).collect();
    let body = String::from_utf8(request.body.clone()).unwrap();
    json!({"name": name, "method": request.method.as_str(), "url": request.url, "headers": headers, "body": body})
}

fn opened(order: &Order) -> Outgoing {
    let answered = if is_page(order) { ok("session") } else { ok("pay approved") };
    requests(bank().open(order), &[answered]).remove(0)
}

fn agreement() -> Box<Agreement> {
    Box::new(Agreement {
        id: Some("agreement-7".into()),
        kind: AgreementType::Installment,
        amount_variability: Some(Variability::Fixed),
        cycle_interval_days: Some(28),
        expiry_date: Date::parse("2028-12-31"),
        start_date: Date::parse("2026-12-01"),
        frequency: Some(Frequency::Monthly),
        max_amount_per_cycle: MostPerCycle::parse("12.5"),
        total_cycles: Some(24),
        seller: Some(Seller {
            name: Some("Retailer".into()),
            short_name: Some("Retailer of Kuwait".into()),
            category_code: Some("5732".into()),
        }),
        extra_params: None,
    })
}

fn saved(initiator: ChargeInitiator, agreement: Option<Box<Agreement>>) -> Order {
    let card = CardCharge { token: BankToken("5123457766550008".into()), initiator, agreement };
    Order { card: Some(card), ..order("10.250", "KWD") }
}

/// A payer with an address, whose state and postal code are short enough, or too long.
fn living(line1: &str, short: bool) -> Payer {
    let (state, postal_code) =
        if short { ("Hawalli", "13001") } else { ("The Governorate of Hawalli", "13001-10000") };
    let address = Address {
        city: "Kuwait City".into(),
        country: "KW".into(),
        line1: line1.into(),
        line2: short.then(|| "Block 2".into()),
        postal_code: Some(postal_code.into()),
        state: Some(state.into()),
    };
    Payer { billing: Some(Box::new(address)), ..order("1", "KWD").payer }
}

fn openings() -> Vec<(&'static str, Outgoing)> {
    let page = || order("10.250", "KWD");
    let nobody = Order {
        language: Language::Ar,
        merchant: "متجر \"ت\"".into(),
        payer: Payer::default(),
        order_no: None,
        ..page()
    };
    let authorize = Order { operation: ChargeOperation::Authorize, ..order("15", "JPY") };
    let verify = Order {
        operation: ChargeOperation::Verify,
        saves_card: true,
        agreement: Some(agreement()),
        total: money("0", "KWD"),
        ..page()
    };
    let hold = Order { operation: ChargeOperation::Authorize, ..saved(ChargeInitiator::Payer, None) };
    let google = Order { instrument: wallet(Wallet::GooglePay, GOOGLE), ..page() };
    vec![
        ("open a page", opened(&page())),
        ("open a page for nobody in particular", opened(&nobody)),
        ("open a page to authorize", opened(&authorize)),
        ("open a page to save a card under an agreement", opened(&verify)),
        (
            "charge a saved card, the payer is there",
            opened(&saved(ChargeInitiator::Payer, Some(agreement()))),
        ),
        ("authorize with a saved card", opened(&hold)),
        (
            "charge a saved card without the payer",
            opened(&saved(ChargeInitiator::Merchant, Some(agreement()))),
        ),
        (
            "check a saved card",
            opened(&Order {
                operation: ChargeOperation::Verify,
                total: money("0", "KWD"),
                ..saved(ChargeInitiator::Payer, None)
            }),
        ),
        ("pay with Apple Pay", opened(&Order { instrument: wallet(Wallet::ApplePay, APPLE), ..page() })),
        ("pay with Google Pay", opened(&google)),
        ("open a page with a billing address", opened(&Order { payer: living("Gulf Road", true), ..page() })),
        (
            "charge a saved card with a billing address that is too long",
            opened(&Order {
                payer: living(&"Gulf ".repeat(25), false),
                ..saved(ChargeInitiator::Payer, None)
            }),
        ),
    ]
}

fn later() -> Vec<(&'static str, Outgoing)> {
    let saving = ChargeRef { saves_card: true, ..on_page() };
    let saved = requests(bank().inquire(&saving, None), &[ok("order captured"), ok("token")]);
    let paid = || charge("10.250", "KWD");
    let one = |kind, amount| operation_order(paid(), kind, amount);
    let capture = one(ChildOperation::Capture, "4.500");
    let refund = one(ChildOperation::Refund, "4.5");
    let void = one(ChildOperation::Void, "10.250");
    let voided = requests(bank().operate(&void), &[ok("order captured"), ok("voided")]);
    let asked = operation(&refund, None);
    let asked =
        requests(bank().inquire_operation(&asked), &[answer(404, super::sample("no order")), ok("options")]);
    let period =
        Period { from: Timestamp::from_millis(OPENED_AT), to: Timestamp::from_millis(OPENED_AT + 3_600_500) };
    let listed = bank();
    let listed = requests(listed.list_charges(period, None).unwrap(), &[answer(500, "")]);
    let all = |name, requests: &[Outgoing], place: usize| (name, requests.get(place).unwrap().clone());
    vec![
        all("ask about an order", &saved, 0),
        all("save the card", &saved, 1),
        all("capture", &requests(bank().operate(&capture), &[ok("captured")]), 0),
        all("refund", &requests(bank().operate(&refund), &[ok("refunded")]), 0),
        all("void", &voided, 1),
        all("ask about an operation", &asked, 0),
        all("ask about the account", &asked, 1),
        all("list", &listed, 0),
    ]
}

#[test]
fn every_request_is_written_as_its_vector() {
    let written: Vec<Value> =
        openings().into_iter().chain(later()).map(|(name, request)| written(name, &request)).collect();
    let vectors: Vec<Value> =
        serde_json::from_str(include_str!("../../vectors/gateways/mpgs.json")).unwrap_or_default();
    for (written, vector) in written.iter().zip(&vectors) {
        assert_eq!(written, vector);
    }
    assert_eq!(written.len(), vectors.len(), "{}", serde_json::to_string_pretty(&written).unwrap());
}

#[test]
fn a_wallet_token_passes_byte_for_byte() {
    for (kind, payload, token) in [
        (Wallet::ApplePay, APPLE, "{\"data\":\"\\u0041\\/x==\", \"header\":{},\"version\":\"EC_v1\"}"),
        (Wallet::GooglePay, GOOGLE, "{\"signature\":\"a\\u003d\",\"protocolVersion\":\"ECv2\"}"),
    ] {
        let request = opened(&Order { instrument: wallet(kind, payload), ..order("10.250", "KWD") });
        let body: Value = serde_json::from_slice(&request.body).unwrap();
        let sent = body.pointer("/sourceOfFunds/provided/card/devicePayment/paymentToken").unwrap();
        assert_eq!(sent, token);
    }
}

#[test]
fn a_wallet_without_a_token_and_a_debit_without_an_agreement_are_refused_unsent() {
    let nothing = |order: &Order| {
        let bank = bank();
        let opened = bank.open(order).done();
        matches!(opened, Some(Opened::Refused { message: Some(_) }))
    };
    for payload in
        [r#"{"paymentData":7}"#, "{}", r#"{"paymentMethodData":{"tokenizationData":{"token":"x"}}}"#]
    {
        for kind in [Wallet::ApplePay, Wallet::GooglePay] {
            assert!(nothing(&Order { instrument: wallet(kind, payload), ..order("1", "KWD") }), "{payload}");
        }
    }
    assert!(nothing(&saved(ChargeInitiator::Merchant, None)));
}

#[test]
fn an_agreement_with_a_long_id_has_one_of_its_own_that_the_gateway_takes() {
    let sent = |initiator, id: &str| {
        let agreement = Agreement { id: Some(id.into()), ..*agreement() };
        let request = opened(&saved(initiator, Some(Box::new(agreement))));
        let body: Value = serde_json::from_slice(&request.body).unwrap();
        body.pointer("/agreement/id").and_then(Value::as_str).unwrap().to_owned()
    };
    let [long, other] = ["7".repeat(128), "7".repeat(127)];
    assert_eq!(sent(ChargeInitiator::Payer, &long).len(), 64);
    assert_eq!(sent(ChargeInitiator::Payer, &long), sent(ChargeInitiator::Merchant, &long));
    assert_ne!(sent(ChargeInitiator::Merchant, &long), sent(ChargeInitiator::Merchant, &other));
    assert_eq!(sent(ChargeInitiator::Merchant, &"7".repeat(100)), "7".repeat(100));
}

#[test]
fn only_what_may_charge_is_marked_so() {
    let moves = |order: &Order| bank().open(order).call().unwrap().moves_money;
    assert!(!moves(&order("1", "KWD")));
    assert!(moves(&saved(ChargeInitiator::Payer, None)));
    assert!(moves(&super::apple()));
    let operation_moves = |kind| {
        let order = operation_order(charge("10.250", "KWD"), kind, "10.250");
        bank().operate(&order).call().unwrap().moves_money
    };
    assert!(operation_moves(ChildOperation::Capture) && operation_moves(ChildOperation::Refund));
    assert!(!operation_moves(ChildOperation::Void), "the order is asked for first");
}

#[test]
fn settings_decide_the_address_and_the_notification() {
    let bank = connect(&[(VERSION, "78")]);
    let request = requests(bank.open(&order("1", "KWD")), &[ok("session")]).remove(0);
    assert_eq!(request.url, "https://mpgs.bank.example/api/rest/version/78/merchant/TESTSHOP01/session");
    assert!(!String::from_utf8(request.body).unwrap().contains("notificationUrl"));
    let period = Period { from: Timestamp::from_millis(0), to: Timestamp::from_millis(1) };
    assert!(bank.list_charges(period, None).is_none());
    assert!(connect(&[(REPORTING_PASSWORD, "p")]).list_charges(period, None).is_some());
    let plain = Order {
        callback_url: "http://127.0.0.1:8787/b/gw/v1/callback/7H3K9M2P4Q5R/".into(),
        ..order("1", "KWD")
    };
    assert!(!String::from_utf8(opened(&plain).body).unwrap().contains("notificationUrl"));
}

#[test]
fn the_words_of_an_agreement_are_the_gateways() {
    let sent = |change: &dyn Fn(&mut Agreement)| {
        let mut terms = agreement();
        change(&mut terms);
        let request = opened(&Order { agreement: Some(terms), ..order("10.250", "KWD") });
        let body: Value = serde_json::from_slice(&request.body).unwrap();
        body.get("agreement").cloned().unwrap_or_default()
    };
    for (word, expected) in [
        ("recurring", "RECURRING"),
        ("installment", "INSTALLMENT"),
        ("unscheduled", "UNSCHEDULED"),
        ("event_based", "OTHER"),
        ("other", "OTHER"),
    ] {
        assert_eq!(sent(&|terms| terms.kind = AgreementType::parse(word).unwrap())["type"], expected);
    }
    for (word, expected) in [
        ("irregular", "AD_HOC"),
        ("daily", "DAILY"),
        ("weekly", "WEEKLY"),
        ("semi_monthly", "FORTNIGHTLY"),
        ("monthly", "MONTHLY"),
        ("quarterly", "QUARTERLY"),
        ("semi_annually", "TWICE_YEARLY"),
        ("yearly", "YEARLY"),
        ("other", "OTHER"),
    ] {
        assert_eq!(sent(&|terms| terms.frequency = Frequency::parse(word))["paymentFrequency"], expected);
    }
    assert_eq!(
        sent(&|terms| terms.amount_variability = Some(Variability::Variable))["amountVariability"],
        "VARIABLE"
    );
    assert_eq!(sent(&|terms| terms.start_date = Date::parse("2026-11-21"))["startDate"], "2026-11-21");
    assert_eq!(sent(&|terms| terms.start_date = Date::parse("2026-11-20"))["startDate"], Value::Null);
    assert_eq!(sent(&|terms| terms.id = None), Value::Null);
}
