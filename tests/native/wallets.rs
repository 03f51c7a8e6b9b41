//! Device wallets on the page's side: what a page is to offer, the sheet of Apple Pay, and payments.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod bytes;
mod sheet;

use checkout_core::flow::payer::open_page::Viewer;
use checkout_core::flow::sdk::outcome::{AnswerForm, PageAnswer, answer_about};
use checkout_core::flow::sdk::wallet::{pay, start_session};
use checkout_core::flow::{Failure, sdk};
use checkout_core::gateway::instrument::FormOfPayment;
use checkout_core::rejection::Rejection;
use checkout_core::value::id::SessionId;
use checkout_core::violation::Rule;
use checkout_core::words::Wallet;
use checkout_tests::bank::{Mood, SESSION};
use checkout_tests::middle::Interrupted;
use checkout_tests::shop::{Shop, order, refused, text};
use pollster::block_on;
use serde_json::{Value, json};

const APPLE: &str = "{ \"paymentData\" : {\"data\":\"\\u0041\\/x\", \"n\": 1.0e0},\t\"b\":1 }";
const GOOGLE: &str = r#"{"paymentMethodData":{"tokenizationData":{"token":"{\"signature\":\"a\\u003d\"}"}}}"#;

fn body(session_id: &SessionId, wallet: Wallet, more: &str) -> String {
    let (name, payload) = match wallet {
        Wallet::ApplePay => ("apple_pay_payload", APPLE),
        Wallet::GooglePay => ("google_pay_payload", GOOGLE),
    };
    format!(r#"{{"session_id":"{session_id}","{name}":{payload}{more}}}"#)
}

/// Pays as the browser does, and waits for the merchant to be shown.
fn send(shop: &Shop, wallet: Wallet, body: &str) -> Result<PageAnswer, Failure> {
    let paid = block_on(pay(&shop.world, wallet, body.as_bytes()))?;
    for delivery in paid.awaited.iter().chain(&paid.earlier) {
        let _ = shop.deliver(delivery);
    }
    block_on(answer_about(&shop.world, &paid.reference, AnswerForm::Approval))
}

fn apple(shop: &Shop, session_id: &SessionId) -> Result<PageAnswer, Failure> {
    send(shop, Wallet::ApplePay, &body(session_id, Wallet::ApplePay, r#","code":"credit-card""#))
}

fn body_of(answer: &PageAnswer) -> Value {
    serde_json::from_str(&answer.body).unwrap()
}

fn plainly<T: std::fmt::Debug>(result: Result<T, Failure>) -> Rejection {
    refused(result)
}

/// The fields that a request was refused for, with the rules.
fn wrong<T: std::fmt::Debug>(result: Result<T, Failure>) -> Vec<(String, Rule)> {
    let Rejection::Invalid(found) = plainly(result) else { return Vec::new() };
    found.into_iter().map(|violation| (violation.path.into_owned(), violation.rule)).collect()
}

fn services(shop: &Shop, session_id: &SessionId) -> Vec<Value> {
    let shown: Value =
        serde_json::from_str(&block_on(sdk::init(&shop.world, session_id, Viewer::Person)).unwrap()).unwrap();
    shown.get("payment_services").and_then(Value::as_array).unwrap().clone()
}

// What is offered.

#[test]
fn every_wallet_is_offered_once_with_every_required_member() {
    let shop = Shop::open(1);
    let session_id = shop.create(&order(&["knet", "credit-card"]));
    let [apple, google]: [Value; 2] = services(&shop, &session_id).try_into().unwrap();
    for (item, members) in [
        (&apple, &["domain", "merchant_id", "shop_name", "amount", "validation_url", "session_id"][..]),
        (
            &google,
            &["environment", "gateway", "gateway_merchant_id", "merchant_id", "merchant_name", "total_price"],
        ),
    ] {
        let common =
            ["code", "pg_code", "fee", "fee_description", "currency_code", "country_code", "payment_url"];
        for member in common.iter().chain(members) {
            assert!(text(item, member).is_some_and(|text| !text.is_empty()), "{member}: {item}");
        }
        assert_eq!(item["billing"]["amount"]["value"], "10.200");
    }
    assert_eq!((text(&apple, "flow"), text(&google, "flow")), (Some("apple_pay"), Some("google_pay")));
    assert_eq!((text(&apple, "amount"), text(&google, "total_price")), (Some("10.200"), Some("10.20")));
    assert_eq!(text(&apple, "domain"), Some("pay.example.com"));
    let address = |path| format!("https://pay.example.com/b/checkout/api/sdk/v1/{path}/");
    assert_eq!(apple["validation_url"], address("apay/validate-session"));
    assert_eq!(
        (&apple["payment_url"], &google["payment_url"]),
        (&json!(address("apay/pay")), &json!(address("gpay/pay")))
    );
    for member in ["gateway", "gateway_merchant_id", "environment"] {
        assert_eq!(apple.get(member), None, "{member}");
    }
}

#[test]
fn no_wallet_is_offered_if_none_is_set_up_nothing_can_be_paid_or_a_card_is_to_be_saved() {
    let shop = Shop::open(2);
    assert_eq!(services(&shop, &shop.create(&order(&["knet", "cash"]))), Vec::<Value>::new());
    let paid = shop.create(&order(&["credit-card"]));
    apple(&shop, &paid).unwrap();
    assert_eq!(services(&shop, &paid), Vec::<Value>::new());
    let mut saved = order(&["credit-card"]);
    saved["payment_type"] = "save_card".into();
    saved["amount"] = "0".into();
    saved["customer_id"] = "C-1".into();
    assert_eq!(services(&shop, &shop.create(&saved)), Vec::<Value>::new());
    let bare = Shop::open_with(3, |settings| {
        for gateway in settings["gateways"].as_array_mut().unwrap() {
            let gateway = gateway.as_object_mut().unwrap();
            gateway.remove("apple_pay");
            if gateway["connector"] != "cash" {
                gateway.insert("wallets".into(), json!(["apple_pay"]));
            }
        }
    });
    assert_eq!(services(&bare, &bare.create(&order(&["credit-card"]))), Vec::<Value>::new());
}

// Payments.

#[test]
fn a_wallet_pays_and_the_payer_is_sent_on_once_the_merchant_took_the_notification() {
    for (wallet, name, payload, form) in [
        (Wallet::ApplePay, "apple_pay", APPLE, FormOfPayment::ApplePay),
        (Wallet::GooglePay, "google_pay", GOOGLE, FormOfPayment::GooglePay),
    ] {
        let shop = Shop::open(4);
        let session_id = shop.create(&order(&["knet", "credit-card"]));
        let answer =
            send(&shop, wallet, &body(&session_id, wallet, r#","code":"credit-card","amount":"10.200""#))
                .unwrap();
        let shown = body_of(&answer);
        assert_eq!((answer.status, &shown["approved"]), (200, &json!(true)));
        let callback = &shown["callback_payload"];
        assert_eq!(
            (text(callback, "status"), text(callback, "form_of_payment")),
            (Some("success"), Some(name))
        );
        let url = text(&shown, "redirect_url").unwrap();
        assert!(url.starts_with("https://shop.example.com/"), "{url}");
        assert_eq!(callback["redirect_url"], url);
        assert_eq!(shop.latest(&session_id).form_of_payment, form);
        let sent = String::from_utf8(shop.bank.bodies().pop().unwrap()).unwrap();
        assert!(sent.contains(payload), "the bytes of the payload are as they came: {sent}");
        assert_eq!(shop.bank.approved(), 1);
    }
}

#[test]
fn a_payer_whose_merchant_did_not_answer_200_stays_with_the_payment() {
    for status in [Some(201), Some(500), None] {
        let shop = Shop::open(5);
        let session_id = shop.create(&order(&["credit-card"]));
        shop.receiver.answer_next(status);
        let shown = body_of(&apple(&shop, &session_id).unwrap());
        let page = format!("https://pay.example.com/b/checkout/redirect/start/?session_id={session_id}");
        assert_eq!((&shown["approved"], &shown["redirect_url"]), (&json!(true), &json!(page)), "{status:?}");
        assert_eq!(shown["callback_payload"]["redirect_url"], page);
    }
}

#[test]
fn a_declined_payment_is_canceled_to_an_sdk_and_can_be_tried_again() {
    let shop = Shop::open(6);
    let session_id = shop.create(&order(&["credit-card"]));
    shop.bank.on_wallet("mastercard-decline");
    let answer = apple(&shop, &session_id).unwrap();
    let shown = body_of(&answer);
    assert_eq!((answer.status, &shown["approved"]), (400, &json!(false)));
    assert_eq!(text(&shown["callback_payload"], "status"), Some("canceled"));
    assert_eq!((text(&shown, "message"), shown.get("redirect_url")), (Some("insufficient funds"), None));
    shop.bank.on_wallet("visa-approve");
    assert_eq!(apple(&shop, &session_id).unwrap().status, 200);
}

#[test]
fn what_surely_never_reached_the_gateway_is_an_error() {
    let shop = Shop::open(7);
    let session_id = shop.create(&order(&["credit-card"]));
    shop.bank.on_opening(Mood::Down);
    let answer = apple(&shop, &session_id).unwrap();
    assert_eq!(answer.status, 400);
    assert_eq!(text(&body_of(&answer)["callback_payload"], "status"), Some("error"));
}

#[test]
fn what_may_have_been_charged_is_never_called_failed() {
    for mood in [Mood::Mute, Mood::Deaf, Mood::ChargesMute, Mood::Broken] {
        let shop = Shop::open(8);
        let session_id = shop.create(&order(&["credit-card"]));
        shop.bank.on_opening(mood);
        let answer = apple(&shop, &session_id).unwrap();
        let shown = body_of(&answer);
        assert_eq!((answer.status, text(&shown, "status")), (200, Some("pending")), "{mood:?}");
        assert_eq!(shown.get("approved"), None);
        let reference = shop.latest(&session_id).reference;
        let url = shop.return_url(&reference);
        assert_eq!(text(&shown, "redirect_url"), Some(url.as_str()));
        assert_eq!(
            ["status", "result", "redirect_url"].map(|name| text(&shown["callback_payload"], name)),
            ["3DS", "pending", url.as_str()].map(Some)
        );
        assert_eq!(plainly(apple(&shop, &session_id)), Rejection::AttemptInProgress);
        assert_eq!(shop.bank.openings().len(), 1);
    }
}

#[test]
fn a_question_of_the_bank_is_answered_with_where_the_payer_confirms() {
    let shop = Shop::open(9);
    let session_id = shop.create(&order(&["credit-card"]));
    shop.bank.on_wallet("visa-3ds");
    let answer = apple(&shop, &session_id).unwrap();
    let shown = body_of(&answer);
    assert_eq!(
        (answer.status, text(&shown, "status"), text(&shown, "method")),
        (200, Some("3DS"), Some("redirect"))
    );
    assert_eq!(text(&shown, "form_of_payment"), Some("apple_pay"));
    assert_eq!(shop.latest(&session_id).page_url.as_deref(), text(&shown, "redirect_url"));
}

#[test]
fn a_page_that_waits_is_withdrawn_before_a_wallet_pays() {
    let shop = Shop::open(10);
    let session_id = shop.create(&order(&["knet", "credit-card"]));
    shop.pay(&session_id, "knet").unwrap();
    let first = shop.latest(&session_id).reference;
    assert_eq!(apple(&shop, &session_id).unwrap().status, 200);
    assert_eq!(shop.bank.statuses().get(first.as_str()), Some(&"canceled"));
    assert_eq!(shop.bank.approved(), 1);
}

#[test]
fn a_paid_transaction_is_not_paid_again() {
    let shop = Shop::open(11);
    let session_id = shop.create(&order(&["credit-card"]));
    apple(&shop, &session_id).unwrap();
    assert!(matches!(plainly(apple(&shop, &session_id)), Rejection::NotPayable { .. }));
    assert_eq!(shop.bank.openings().len(), 1);
}

#[test]
fn the_amount_if_it_is_sent_is_what_the_payment_costs() {
    let shop = Shop::open(12);
    let session_id = shop.create(&order(&["credit-card"]));
    let pay = |amount: &str| {
        let more = format!(r#","pg_code":"credit-card","amount":{amount}"#);
        send(&shop, Wallet::ApplePay, &body(&session_id, Wallet::ApplePay, &more))
    };
    for amount in [r#""10.000""#, r#""10.201""#, "0", r#""10.2001""#] {
        let [(field, rule)]: [_; 1] = wrong(pay(amount)).try_into().unwrap();
        assert_eq!(field, "amount");
        assert!(rule.to_string().contains("10.200"), "{rule}");
    }
    assert!(shop.bank.openings().is_empty());
    assert_eq!(pay("10.2").unwrap().status, 200);
}

#[test]
fn a_payer_who_may_choose_the_amount_pays_what_they_chose() {
    let shop = Shop::open(13);
    let mut editable = order(&["credit-card"]);
    editable["type"] = "payment_request".into();
    let session_id = shop.create(&editable);
    let pay = |amount: &str| {
        let more = format!(r#","code":"credit-card","amount":"{amount}""#);
        send(&shop, Wallet::GooglePay, &body(&session_id, Wallet::GooglePay, &more))
    };
    assert_eq!(wrong(pay("10.001")).len(), 1);
    assert_eq!(pay("2.500").unwrap().status, 200);
    let attempt = shop.latest(&session_id);
    assert_eq!(
        (attempt.principal.to_string(), attempt.quote.total.to_string()),
        ("2.500".into(), "2.550".into())
    );
}

#[test]
fn every_wrong_field_is_named_at_once() {
    let shop = Shop::open(14);
    let send = |body: &str| block_on(pay(&shop.world, Wallet::ApplePay, body.as_bytes()));
    let names = |body: &str| wrong(send(body)).into_iter().map(|(field, _)| field).collect::<Vec<_>>();
    assert_eq!(names("{}"), ["session_id", "code", "apple_pay_payload"]);
    assert_eq!(
        names(r#"{"session_id":1,"code":[],"amount":{},"apple_pay_payload":"x"}"#),
        ["session_id", "code", "amount", "apple_pay_payload"]
    );
    assert_eq!(
        names(r#"{"session_id":"x","pg_code":7,"apple_pay_payload":{"paymentData":"x"}}"#),
        ["pg_code", "apple_pay_payload.paymentData"]
    );
    for body in ["", "[]", "null", "{", "{}{}"] {
        assert_eq!(plainly(send(body)), Rejection::MalformedBody, "{body:?}");
    }
    let session_id = shop.create(&order(&["knet", "credit-card"]));
    let code = |code: &str| {
        let more = format!(r#","code":"{code}""#);
        send(&body(&session_id, Wallet::ApplePay, &more))
    };
    assert_eq!(wrong(code("mpgs")), [("code".into(), Rule::GatewayNotOffered)]);
    assert_eq!(plainly(code("knet")), Rejection::InstrumentNotOffered);
    let strange = r#"{"session_id":"0000000000000000000000000000000000000000","code":"x","apple_pay_payload":{"paymentData":{}}}"#;
    assert_eq!(plainly(send(strange)), Rejection::NotFound);
}

#[test]
fn what_is_said_of_a_payment_is_what_became_of_the_transaction_if_another_one_paid_it_meanwhile() {
    for (seed, card) in [(61, "mastercard-decline"), (62, "visa-approve"), (63, "visa-3ds")] {
        let shop = Shop::open(seed);
        let session_id = shop.create(&order(&["knet", "credit-card"]));
        let first = shop.pay_to_page(&session_id, "knet");
        shop.bank.give_up(first.as_str());
        shop.come_back(&first).unwrap();
        shop.bank.on_wallet(card);
        let world = Interrupted::after_send(&shop.world, || {
            shop.bank.approve_after_all(first.as_str());
            let delivery = shop.call_back(&first).unwrap().unwrap();
            let _ = shop.deliver(&delivery);
        });
        let sent = body(&session_id, Wallet::ApplePay, r#","code":"credit-card""#);
        let paid = block_on(pay(&world, Wallet::ApplePay, sent.as_bytes())).unwrap();
        let answer = block_on(answer_about(&shop.world, &paid.reference, AnswerForm::Approval)).unwrap();
        let said = body_of(&answer);
        assert_eq!((answer.status, &said["approved"]), (200, &json!(true)), "{card}: {said}");
        assert_eq!(said["callback_payload"]["reference_number"], first.as_str(), "{card}");
        assert!(said["redirect_url"].as_str().unwrap().contains(first.as_str()), "{card}: {said}");
    }
}
