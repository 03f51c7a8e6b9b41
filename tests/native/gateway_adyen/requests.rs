//! What is sent, byte for byte.

use checkout_core::card::BankToken;
use checkout_core::card::usage::ChargeInitiator;
use checkout_core::gateway::adyen::{API_KEY, Adyen, DECLARATION, HMAC_KEY, LIVE_PREFIX, MERCHANT_ACCOUNT};
use checkout_core::gateway::charge::{CardCharge, ChargeOperation, ChargeRef, Opened, Order, Outcome};
use checkout_core::gateway::check::Checked;
use checkout_core::gateway::connector::Connector;
use checkout_core::gateway::credentials::Credentials;
use checkout_core::gateway::exchange::{Outgoing, Returned};
use checkout_core::gateway::operation::OperationOutcome;
use checkout_core::gateway::payer::Payer;
use checkout_core::gateway::step::Step;
use checkout_core::gateway::wallet::SessionOrder;
use checkout_core::testing::gateway::{converse, money, operation_order, order, wallet};
use checkout_core::transaction::address::Address;
use checkout_core::transaction::agreement::Agreement;
use checkout_core::words::agreement::AgreementType;
use checkout_core::words::{ChildOperation, Language, Wallet};
use serde_json::{Value, json};

use super::{ACCOUNT, HMAC, KEY, TOKEN, answered, link_charge, returned, shop, wallet_charge};

const VECTORS: &str = include_str!("../../vectors/gateways/adyen.json");
const APPLE: &str =
    r#"{"paymentData":{"version":"EC_v1", "data":"Zm9v\/bar=="},"transactionIdentifier":"6f"}"#;
const GOOGLE: &str = r#"{"paymentMethodData":{"type":"CARD","tokenizationData":{"type":"PAYMENT_GATEWAY","token":"{\"signature\":\"MEQ\\u003d\",\"protocolVersion\":\"ECv2\"}"}}}"#;

fn agreement(kind: &str) -> Box<Agreement> {
    Box::new(Agreement {
        id: Some("AGR-1".into()),
        kind: AgreementType::parse(kind).unwrap(),
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

fn charged(initiator: ChargeInitiator, agreement: Option<Box<Agreement>>) -> Order {
    Order {
        card: Some(CardCharge { token: BankToken(TOKEN.into()), initiator, agreement }),
        ..order("10.250", "KWD")
    }
}

fn first<T>(step: Step<'_, T>) -> (Outgoing, bool) {
    let call = step.call().unwrap();
    (call.request, call.moves_money)
}

/// Every request, by name, with whether it may move money.
#[expect(clippy::too_many_lines, reason = "a table")]
fn requests() -> Vec<(&'static str, Outgoing, bool)> {
    let shop = shop();
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
        ..order("25.00", "EUR")
    };
    let saving = Order { saves_card: true, agreement: Some(agreement("recurring")), ..page.clone() };
    let verified = Order {
        operation: ChargeOperation::Verify,
        saves_card: true,
        agreement: Some(agreement("unscheduled")),
        ..order("0.000", "KWD")
    };
    let apple = Order { instrument: wallet(Wallet::ApplePay, APPLE), ..page.clone() };
    let google = Order {
        instrument: wallet(Wallet::GooglePay, GOOGLE),
        operation: ChargeOperation::Authorize,
        saves_card: true,
        ..page.clone()
    };
    let nameless = Order { payer: Payer::default(), order_no: None, ..page.clone() };
    let debited = charged(ChargeInitiator::Merchant, Some(agreement("recurring")));
    let topped_up = charged(ChargeInitiator::Merchant, None);
    let opened = [
        ("page, purchase", page),
        ("page, hold, address, Arabic", held),
        ("page, card is saved", saving),
        ("page, card is only confirmed", verified),
        ("page, nothing of the payer", nameless),
        ("Apple Pay", apple),
        ("Google Pay, hold, card is saved", google),
        ("saved card, payer", charged(ChargeInitiator::Payer, None)),
        ("saved card, subscription", debited),
        ("saved card, unscheduled", topped_up),
        ("krona have two decimals at Adyen", order("489", "ISK")),
        ("rupiah have none", order("25000.00", "IDR")),
    ];
    let mut all: Vec<_> = opened
        .iter()
        .map(|(name, order)| {
            let (request, moves_money) = first(shop.open(order));
            (*name, request, moves_money)
        })
        .collect();
    let mut add = |name, (request, moves_money)| all.push((name, request, moves_money));
    add("status of a link", first(shop.inquire(&link_charge(), None)));
    add("link expires", first(shop.withdraw(&link_charge())));
    add("back from the bank", first(shop.inquire(&wallet_charge(), Some(&returned("eyJ0cmFucw==")))));
    let answered =
        Returned { fields: [("PaRes", "eJzV"), ("MD", "abc")].map(|(n, v)| (n.into(), v.into())).into() };
    add("back from a bank that was given a form", first(shop.inquire(&wallet_charge(), Some(&answered))));
    let modified = |operation, amount| operation_order(wallet_charge(), operation, amount);
    add("capture", first(shop.operate(&modified(ChildOperation::Capture, "10.250"))));
    add("refund of a part", first(shop.operate(&modified(ChildOperation::Refund, "4.000"))));
    add("cancellation", first(shop.operate(&modified(ChildOperation::Void, "10.250"))));
    add("session of Apple Pay", first(shop.start_session(&session())));
    add("check", first(shop.check()));
    all
}

fn session() -> SessionOrder {
    SessionOrder {
        merchant_id: "merchant.example.shop".into(),
        shop_name: "Shop".into(),
        domain: "pay.example".into(),
        validation_url: Some("https://apple-pay-gateway.apple.com/paymentservices/startSession".into()),
    }
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
        let may_move = request.url.contains("/payments");
        assert_eq!(moves_money, may_move, "{name}");
    }
}

#[test]
fn the_token_of_a_wallet_is_sent_byte_for_byte() {
    let sent = |instrument| {
        let order = Order { instrument, ..order("10.250", "KWD") };
        String::from_utf8(first(shop().open(&order)).0.body).unwrap()
    };
    // The spaces and escapes of what was signed stay as they are.
    let data = r#"{"version":"EC_v1", "data":"Zm9v\/bar=="}"#;
    let in_base64 = base64::Engine::encode(&base64::engine::general_purpose::STANDARD, data);
    assert!(sent(wallet(Wallet::ApplePay, APPLE)).contains(&format!(r#""applePayToken":"{in_base64}""#)));
    let within = format!(r#"{{"token":{APPLE}}}"#);
    assert!(sent(wallet(Wallet::ApplePay, &within)).contains(&in_base64));
    let token = r#""googlePayToken":"{\"signature\":\"MEQ\\u003d\",\"protocolVersion\":\"ECv2\"}""#;
    assert!(sent(wallet(Wallet::GooglePay, GOOGLE)).contains(token));
}

#[test]
fn what_cannot_be_requested_is_refused_without_a_request() {
    let page = order("10.250", "KWD");
    let payer = |id: Option<&str>| Payer { id: id.map(Into::into), ..page.payer.clone() };
    let verify = Order { operation: ChargeOperation::Verify, payer: payer(None), ..page.clone() };
    let saved = charged(ChargeInitiator::Payer, None);
    let long =
        format!(r#"{{"paymentMethodData":{{"tokenizationData":{{"token":"{}"}}}}}}"#, "a".repeat(10_000));
    for (order, part) in [
        (order("0.50", "IDR"), "cannot express"),
        (order("10.05", "CVE"), "cannot express"),
        (verify, "customer id"),
        (Order { payer: payer(None), ..saved }, "customer id"),
        (Order { instrument: wallet(Wallet::ApplePay, r#"{"data":1}"#), ..page.clone() }, "no token"),
        (
            Order { instrument: wallet(Wallet::ApplePay, r#"{"paymentData":"x"}"#), ..page.clone() },
            "no token",
        ),
        (
            Order { instrument: wallet(Wallet::GooglePay, r#"{"paymentMethodData":{}}"#), ..page.clone() },
            "no token",
        ),
        (Order { instrument: wallet(Wallet::GooglePay, &long), ..page.clone() }, "no token"),
    ] {
        let Some(Opened::Refused { message: Some(message) }) = shop().open(&order).done() else {
            panic!("it was requested")
        };
        assert!(message.contains(part), "{message}");
    }
}

#[test]
fn a_payment_is_made_even_if_nobody_knows_whose_card_would_be_saved() {
    let page = Order { saves_card: true, payer: Payer::default(), ..order("10.250", "KWD") };
    let apple = Order { instrument: wallet(Wallet::ApplePay, APPLE), ..page.clone() };
    for order in [page, apple] {
        let body = String::from_utf8(first(shop().open(&order)).0.body).unwrap();
        assert!(!body.contains("storePaymentMethod") && !body.contains("shopperReference"), "{body}");
    }
}

fn live(prefix: Option<&str>) -> Adyen {
    let values = [
        (API_KEY, Some(KEY)),
        (MERCHANT_ACCOUNT, Some(ACCOUNT)),
        (HMAC_KEY, Some(HMAC)),
        (LIVE_PREFIX, prefix),
    ];
    let values = values.into_iter().filter_map(|(name, value)| Some((name, value?.to_string()))).collect();
    Adyen::new(Credentials { endpoint: None, is_test: false, values })
}

#[test]
fn the_live_address_begins_with_the_prefix_of_the_merchant() {
    let url = first(live(Some("1797a841fbb37ca7-Shop")).check()).0.url;
    assert_eq!(
        url,
        "https://1797a841fbb37ca7-Shop-checkout-live.adyenpayments.com/checkout/v72/paymentMethods"
    );
}

#[test]
fn without_a_prefix_nothing_is_sent_live() {
    for prefix in [None, Some("evil.example/"), Some("a b"), Some("a@b")] {
        let live = live(prefix);
        assert!(matches!(
            live.open(&order("1.000", "KWD")).done(),
            Some(Opened::Refused { message: Some(_) })
        ));
        assert!(matches!(live.check().done(), Some(Checked::Refused(Some(_)))));
        assert!(live.inquire(&link_charge(), None).done().is_some());
        let refund = operation_order(wallet_charge(), ChildOperation::Refund, "1.000");
        assert_eq!(live.operate(&refund).done().unwrap().outcome, OperationOutcome::Refused);
    }
}

#[test]
fn the_settings_may_name_another_address() {
    let values = [(API_KEY, KEY.to_string())].into_iter().collect();
    let endpoint = Some("http://127.0.0.1:4010/".to_string());
    let adyen = Adyen::new(Credentials { endpoint, is_test: false, values });
    assert_eq!(first(adyen.check()).0.url, "http://127.0.0.1:4010/paymentMethods");
}

#[test]
fn an_operation_needs_the_id_of_the_payment() {
    for gateway_id in [None, link_charge().gateway_id, Some("../cancels".to_string()), Some(String::new())] {
        let charge = ChargeRef { gateway_id, ..wallet_charge() };
        let refund = operation_order(charge, ChildOperation::Refund, "1.000");
        assert_eq!(shop().operate(&refund).done().unwrap().outcome, OperationOutcome::Refused);
    }
}

#[test]
fn a_repeated_request_has_the_same_key() {
    let key = |result: &str| {
        let (request, _) = first(shop().inquire(&wallet_charge(), Some(&returned(result))));
        request.headers.into_iter().find(|(name, _)| *name == "idempotency-key").unwrap().1
    };
    assert_eq!(key("eyJ0cmFucw=="), key("eyJ0cmFucw=="));
    assert_ne!(key("eyJ0cmFucw=="), key("eyJ0cmFucx=="));
    assert!(key("x").len() <= 64);
}

#[test]
fn the_declared_fields_are_what_the_connector_reads() {
    let names: Vec<_> = DECLARATION.credentials.iter().map(|field| (field.name, field.is_required)).collect();
    let expected = [
        ("api_key", true),
        ("merchant_account", true),
        ("hmac_key", false),
        ("other_hmac_key", false),
        ("live_prefix", false),
    ];
    assert_eq!(names, expected);
    assert!(DECLARATION.credentials.iter().all(|field| field.is_secret == field.name.ends_with("key")));
}

#[test]
fn a_link_that_cannot_expire_any_more_says_how_it_is() {
    let withdrawn = |answers: &[_]| {
        let charge = link_charge();
        let shop = shop();
        let (requests, report) = converse(shop.withdraw(&charge), answers);
        (requests.len(), report.outcome, report.total)
    };
    let total = Some(money("10.250", "KWD"));
    let expected = |count, outcome| (count, outcome, total);
    assert_eq!(withdrawn(&[answered("link expired")]), expected(1, Outcome::Canceled));
    let refused = answered("error validation");
    assert_eq!(withdrawn(&[refused.clone(), answered("link completed")]), expected(2, Outcome::Unknown));
    assert_eq!(withdrawn(&[refused, answered("link expired")]), expected(2, Outcome::Canceled));
    assert_eq!(withdrawn(&[answered("error internal")]), (1, Outcome::Unknown, None));
}
