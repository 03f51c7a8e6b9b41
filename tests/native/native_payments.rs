//! Native payments: by device wallet and in cash, without the hosted page.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use checkout_core::flow::Failure;
use checkout_core::flow::merchant::native::{NativeAnswer, PaymentInput, pay_by_wallet, pay_in_cash};
use checkout_core::flow::merchant::update::{self, Extent};
use checkout_core::gateway::instrument::FormOfPayment;
use checkout_core::rejection::Rejection;
use checkout_core::route::Route;
use checkout_core::value::id::SessionId;
use checkout_core::violation::{Rule, Violation};
use checkout_core::webhook::signature::verify;
use checkout_core::words::Wallet;
use checkout_tests::bank::Mood;
use checkout_tests::middle::Interrupted;
use checkout_tests::shop::{Shop, order, refusal_of, refused, text};
use pollster::block_on;
use serde_json::{Value, json};

const APPLE: &str = r#"{"paymentData": {"data":"x"}}"#;
const GOOGLE: &str = r#"{"paymentMethodData": {"tokenizationData":{"token":"x"}}}"#;

fn body(session_id: &SessionId, payload: &str) -> String {
    format!(r#"{{"session_id":"{session_id}","payload":{payload}}}"#)
}

fn send(shop: &Shop, wallet: Wallet, body: &str, key: Option<&str>) -> Result<NativeAnswer, Failure> {
    let input = PaymentInput { caller: shop.private(), idempotency_key: key, body: body.as_bytes() };
    block_on(pay_by_wallet(&shop.world, wallet, input))
}

fn apple(shop: &Shop, session_id: &SessionId) -> Result<NativeAnswer, Failure> {
    send(shop, Wallet::ApplePay, &body(session_id, APPLE), None)
}

fn cash(shop: &Shop, session_id: &SessionId) -> Result<NativeAnswer, Failure> {
    let body = json!({"session_id": session_id.as_str()}).to_string();
    let input = PaymentInput { caller: shop.private(), idempotency_key: None, body: body.as_bytes() };
    block_on(pay_in_cash(&shop.world, input))
}

fn body_of(answer: &NativeAnswer) -> Value {
    serde_json::from_str(&answer.body).unwrap()
}

/// Why a flow refused, without the operation that the answer names.
fn plainly<T: std::fmt::Debug>(result: Result<T, Failure>) -> Rejection {
    let refused = refusal_of(result);
    assert_eq!(refused.operation, Some("payment"));
    refused.rejection
}

fn violation(field: &'static str, rule: Rule) -> Rejection {
    Rejection::Invalid(vec![Violation::new(field, rule)])
}

/// Changes the amount of a transaction.
fn change_amount(shop: &Shop, session_id: &SessionId, amount: &str) {
    let body = json!({"amount": amount}).to_string();
    let input = update::UpdateInput {
        caller: shop.private(),
        session_id: session_id.clone(),
        extent: Extent::Partial,
        if_match: None,
        body: body.as_bytes(),
        file: None,
        wrong: &[],
    };
    block_on(update::update(&shop.world, input)).unwrap();
}

#[test]
fn an_amount_that_changes_while_a_page_is_withdrawn_is_never_charged_as_it_was() {
    let shop = Shop::open(40);
    let session_id = shop.create(&order(&["knet", "credit-card"]));
    let page = shop.pay_to_page(&session_id, "knet");
    let world = Interrupted::after_send(&shop.world, || {
        // The bank has canceled the page; the payer is back first, and then the merchant changes the amount.
        shop.come_back(&page).unwrap();
        change_amount(&shop, &session_id, "99.000");
    });
    let text = body(&session_id, APPLE);
    let input = PaymentInput { caller: shop.private(), idempotency_key: None, body: text.as_bytes() };
    let refused = plainly(block_on(pay_by_wallet(&world, Wallet::ApplePay, input)));
    assert_eq!(refused, Rejection::Conflict);
    assert_eq!((shop.results(&session_id), shop.bank.approved()), (vec!["canceled"], 0));
    assert!(apple(&shop, &session_id).is_ok());
    assert_eq!(shop.latest(&session_id).principal.to_string(), "99.000");
}

#[test]
fn a_wallet_pays_in_one_call_and_the_merchant_is_notified_after_it() {
    let shop = Shop::open(1);
    let session_id = shop.create(&order(&["knet", "credit-card"]));
    let answer = apple(&shop, &session_id).unwrap();
    let shown = body_of(&answer);
    assert_eq!((text(&shown, "result"), text(&shown, "state")), (Some("success"), Some("paid")));
    assert_eq!(shop.latest(&session_id).form_of_payment, FormOfPayment::ApplePay);
    assert_eq!(text(&shown, "reference_number"), Some(shop.latest(&session_id).reference.as_str()));
    assert!(verify(&answer.body, shop.secret("webhook_hmac_key")));
    let [delivery]: [_; 1] = answer.deliveries.clone().try_into().unwrap();
    let _ = shop.deliver(&delivery);
    let [notified] = shop.receiver.take_bodies().try_into().unwrap();
    assert_eq!(text(&notified, "result"), Some("success"));
    assert_eq!(shop.bank.approved(), 1);
}

#[test]
fn the_answer_has_every_required_member_in_its_type() {
    let shop = Shop::open(2);
    let session_id = shop.create(&order(&["credit-card"]));
    let answer = apple(&shop, &session_id).unwrap();
    let shown = body_of(&answer);
    for member in [
        "amount",
        "currency_code",
        "customer_address_country",
        "fee",
        "gateway_account",
        "gateway_name",
        "message",
        "paid_amount",
        "reference_number",
        "result",
        "signature",
        "state",
        "timestamp_utc",
    ] {
        assert!(text(&shown, member).is_some_and(|text| !text.is_empty()), "{member}");
    }
    assert_eq!((text(&shown, "fee"), text(&shown, "paid_amount")), (Some("0.200"), Some("10.200")));
    assert_eq!(text(&shown, "customer_address_country"), Some("KW"));
    assert!(answer.body.contains(r#""settled_amount":10.000"#), "{}", answer.body);
    assert!(answer.body.contains(r#""remaining_amount":0.000"#), "{}", answer.body);
    for member in ["agreement", "amount_details", "card_acceptance_criteria", "operation", "pg_params"] {
        assert_eq!(shown.get(member), None, "{member}");
    }
}

#[test]
fn a_decline_is_an_answer_with_the_required_members_and_amounts_of_zero() {
    let shop = Shop::open(3);
    let session_id = shop.create(&order(&["credit-card"]));
    shop.bank.on_wallet("mastercard-decline");
    let answer = apple(&shop, &session_id).unwrap();
    let shown = body_of(&answer);
    assert_eq!((text(&shown, "result"), text(&shown, "state")), (Some("failed"), Some("attempted")));
    assert_eq!(text(&shown, "paid_amount"), Some("0.000"));
    assert!(answer.body.contains(r#""settled_amount":0.000"#));
    assert!(answer.body.contains(r#""remaining_amount":10.000"#), "{}", answer.body);
    assert_eq!(text(&shown, "message"), Some("insufficient funds"));
}

#[test]
fn a_blank_gateway_code_is_a_violation_and_charges_nothing() {
    let shop = Shop::open(30);
    let session_id = shop.create(&order(&["credit-card"]));
    let body = format!(r#"{{"session_id":"{session_id}","pg_code":"","payload":{APPLE}}}"#);
    assert_eq!(plainly(send(&shop, Wallet::ApplePay, &body, None)), violation("pg_code", Rule::Blank));
    assert_eq!(shop.bank.openings().len(), 0);
}

#[test]
fn what_may_have_been_charged_is_pending_and_excludes_another_payment() {
    for mood in [Mood::ChargesMute, Mood::Mute, Mood::Deaf, Mood::Broken] {
        let shop = Shop::open(4);
        let session_id = shop.create(&order(&["credit-card"]));
        shop.bank.on_opening(mood);
        let shown = body_of(&apple(&shop, &session_id).unwrap());
        assert_eq!((text(&shown, "result"), text(&shown, "state")), (Some("pending"), Some("pending")));
        assert_eq!(plainly(apple(&shop, &session_id)), Rejection::AttemptInProgress);
        assert_eq!(shop.bank.openings().len(), 1);
    }
}

#[test]
fn what_surely_was_not_sent_is_an_error_and_may_be_tried_again() {
    let shop = Shop::open(5);
    let session_id = shop.create(&order(&["credit-card"]));
    shop.bank.on_opening(Mood::Down);
    let first = body_of(&apple(&shop, &session_id).unwrap());
    assert_eq!(text(&first, "result"), Some("error"));
    shop.bank.on_opening(Mood::Fine);
    assert_eq!(text(&body_of(&apple(&shop, &session_id).unwrap()), "result"), Some("success"));
}

#[test]
fn a_payer_who_has_to_confirm_is_sent_to_the_bank_and_the_payment_ends_as_ever() {
    let shop = Shop::open(6);
    let session_id = shop.create(&order(&["credit-card"]));
    shop.bank.on_wallet("visa-3ds");
    let shown = body_of(&send(&shop, Wallet::GooglePay, &body(&session_id, GOOGLE), None).unwrap());
    let attempt = shop.latest(&session_id);
    assert_eq!(
        shown,
        json!({
            "status": "3DS", "challenge_occurred": true, "method": "redirect", "form_of_payment": "google_pay",
            "order_no": "A-1", "session_id": session_id.as_str(), "reference_number": attempt.reference.as_str(),
            "redirect_url": attempt.page_url,
        })
    );
    shop.bank.approve(attempt.reference.as_str());
    shop.come_back(&attempt.reference).unwrap();
    assert_eq!(shop.state(&session_id), "paid");
}

#[test]
fn a_repeated_payment_leads_nobody_to_pay_what_another_attempt_has_paid() {
    let shop = Shop::open(41);
    let session_id = shop.create(&order(&["knet", "credit-card"]));
    let first = shop.pay_to_page(&session_id, "knet");
    shop.bank.on_wallet("visa-3ds");
    let request = body(&session_id, APPLE);
    let pay = || body_of(&send(&shop, Wallet::ApplePay, &request, Some("k-1")).unwrap());
    let challenge = pay();
    assert_eq!(text(&challenge, "status"), Some("3DS"));
    assert_eq!(pay(), challenge);
    shop.bank.approve_after_all(first.as_str());
    shop.call_back(&first).unwrap();
    let shown = pay();
    assert_eq!((text(&shown, "result"), text(&shown, "state")), (Some("pending"), Some("paid")));
    assert_eq!(text(&shown, "reference_number"), text(&challenge, "reference_number"));
    assert_eq!(shown.get("redirect_url"), None);
}

#[test]
fn the_bytes_of_a_wallet_reach_the_bank_as_they_came() {
    let shop = Shop::open(7);
    let payload = "{ \"b\":1.50e0,\t\"paymentData\" : {\"é\\u0041\\/\":\"\\\"x\"} ,\n\"b\": [ ] }";
    for (wallet, payload) in [
        (Wallet::ApplePay, payload.to_owned()),
        (Wallet::GooglePay, payload.replace("paymentData", "paymentMethodData")),
    ] {
        for nested in [false, true] {
            let session_id = shop.create(&order(&["credit-card"]));
            let flat = body(&session_id, &payload);
            let body = if nested { format!("{{ \"payload\": {flat} }}") } else { flat };
            send(&shop, wallet, &body, None).unwrap();
            let sent = String::from_utf8(shop.bank.bodies().pop().unwrap()).unwrap();
            assert!(sent.contains(&format!(r#""payload":{payload}}}"#)), "{sent}");
        }
    }
}

#[test]
fn one_idempotency_key_is_one_charge() {
    let shop = Shop::open(8);
    let session_id = shop.create(&order(&["credit-card"]));
    let request = body(&session_id, APPLE);
    let first = send(&shop, Wallet::ApplePay, &request, Some("k-1")).unwrap();
    let second = send(&shop, Wallet::ApplePay, &request, Some("\"k-1\"")).unwrap();
    assert_eq!((first.body, first.is_replayed), (second.body.clone(), false));
    assert!(second.is_replayed && second.deliveries.is_empty());
    assert_eq!(shop.bank.openings().len(), 1);
    let other = send(&shop, Wallet::ApplePay, &format!("{request} "), Some("k-1"));
    assert_eq!(refused(other), Rejection::IdempotencyKeyReused);
}

#[test]
fn a_repeated_request_learns_what_became_of_a_payment_that_was_pending() {
    let shop = Shop::open(9);
    let session_id = shop.create(&order(&["credit-card"]));
    let request = body(&session_id, APPLE);
    shop.bank.on_opening(Mood::ChargesMute);
    let first = body_of(&send(&shop, Wallet::ApplePay, &request, Some("k-1")).unwrap());
    assert_eq!(text(&first, "result"), Some("pending"));
    shop.wait(120);
    shop.sweep();
    let second = body_of(&send(&shop, Wallet::ApplePay, &request, Some("k-1")).unwrap());
    assert_eq!(text(&second, "result"), Some("success"));
    assert_eq!(shop.bank.openings().len(), 1);
}

#[test]
fn the_gateway_is_the_one_that_takes_the_wallet() {
    let shop = Shop::open(10);
    let one = shop.create(&order(&["knet", "credit-card"]));
    apple(&shop, &one).unwrap();
    assert_eq!(shop.latest(&one).pg_code.as_str(), "credit-card");
    let none = shop.create(&order(&["knet"]));
    assert_eq!(plainly(apple(&shop, &none)), Rejection::InstrumentNotOffered);
    let named = |code: &str| {
        let body = format!(r#"{{"session_id":"{none}","pg_code":"{code}","payload":{APPLE}}}"#);
        plainly(send(&shop, Wallet::ApplePay, &body, None))
    };
    assert_eq!(named("knet"), Rejection::InstrumentNotOffered);
    assert_eq!(named("credit-card"), violation("pg_code", Rule::GatewayNotOffered));
    let null = format!(
        r#"{{"session_id":"{}","pg_code":null,"payload":{APPLE}}}"#,
        shop.create(&order(&["credit-card"]))
    );
    assert!(send(&shop, Wallet::ApplePay, &null, None).is_ok());
}

#[test]
fn a_merchant_without_the_wallet_is_answered_so() {
    let shop = Shop::open_with(11, |settings| {
        for gateway in settings["gateways"].as_array_mut().unwrap() {
            gateway["wallets"] = json!([]);
        }
    });
    let session_id = shop.create(&order(&["credit-card"]));
    let refused = plainly(apple(&shop, &session_id));
    assert_eq!((refused.clone(), refused.status()), (Rejection::WalletNotConfigured, 503));
}

#[test]
fn every_wrong_field_is_named() {
    let shop = Shop::open(12);
    let field = |body: &str| plainly(send(&shop, Wallet::ApplePay, body, None));
    let session_id = shop.create(&order(&["credit-card"]));
    assert_eq!(
        field(r#"{"session_id": 1, "pg_code": [], "payload": "x"}"#),
        Rejection::Invalid(vec![
            Violation::new("session_id", Rule::NotText),
            Violation::new("pg_code", Rule::NotText),
            Violation::new("payload", Rule::NotObject),
        ])
    );
    assert_eq!(field(&body(&session_id, "{}")), violation("payload.paymentData", Rule::Required));
    assert_eq!(
        field(&body(&session_id, r#"{"paymentData":[]}"#)),
        violation("payload.paymentData", Rule::NotObject)
    );
    assert_eq!(field("[]"), Rejection::MalformedBody);
    for unknown in ["a", "00abababababababababababababababababababab", "' OR 1=1"] {
        let body = format!(r#"{{"session_id":"{unknown}","payload":{APPLE}}}"#);
        assert_eq!(field(&body), violation("session_id", Rule::UnknownTransaction));
    }
    assert_eq!(shop.bank.openings(), [""; 0]);
}

#[test]
fn a_public_key_pays_by_wallet_and_nothing_else() {
    let shop = Shop::open(13);
    let session_id = shop.create(&order(&["credit-card", "cash"]));
    let public = shop.authorization("public_key");
    assert_eq!(shop.identify(Some(&public), &Route::PayInCash), Err(Rejection::PrivateKeyRequired));
    let caller = shop.identify(Some(&public), &Route::PayByApplePay).unwrap().into_caller().unwrap();
    let wallet = body(&session_id, APPLE);
    let input = PaymentInput { caller, idempotency_key: None, body: wallet.as_bytes() };
    assert!(block_on(pay_by_wallet(&shop.world, Wallet::ApplePay, input)).is_ok());
}

#[test]
fn a_payer_who_left_the_page_pays_by_wallet_and_one_whose_page_was_paid_pays_once() {
    let shop = Shop::open(14);
    let left = shop.create(&order(&["knet", "credit-card"]));
    let _ = shop.pay_to_page(&left, "knet");
    assert_eq!(text(&body_of(&apple(&shop, &left).unwrap()), "result"), Some("success"));
    assert_eq!(shop.results(&left), ["canceled", "success"]);
    let paid = shop.create(&order(&["knet", "credit-card"]));
    let reference = shop.pay_to_page(&paid, "knet");
    shop.bank.approve(reference.as_str());
    assert!(matches!(plainly(apple(&shop, &paid)), Rejection::NotPayable { .. }));
    assert_eq!(shop.results(&paid), ["success"]);
}

#[test]
fn cash_is_acknowledged_and_can_be_canceled_afterwards() {
    let shop = Shop::open(15);
    let session_id = shop.create(&order(&["knet", "cash"]));
    let answer = cash(&shop, &session_id).unwrap();
    let shown = body_of(&answer);
    assert_eq!((text(&shown, "result"), text(&shown, "state")), (Some("cod"), Some("cod")));
    assert_eq!(answer.deliveries.len(), 1);
    assert!(matches!(plainly(cash(&shop, &session_id)), Rejection::NotPayable { .. }));
    let without = shop.create(&order(&["knet"]));
    assert_eq!(plainly(cash(&shop, &without)), Rejection::InstrumentNotOffered);
    assert_eq!(shop.bank.openings(), [""; 0]);
}

#[test]
fn a_repeated_wallet_payment_that_finds_the_payment_made_by_its_twin_answers_about_it() {
    let shop = Shop::open(16);
    let session_id = shop.create(&order(&["credit-card"]));
    let _ = shop.pay_to_page(&session_id, "credit-card");
    let body = body(&session_id, APPLE);
    // While the page is withdrawn for one, the other is paid.
    let world = Interrupted::after_send(&shop.world, || {
        assert!(!send(&shop, Wallet::ApplePay, &body, Some("w-1")).unwrap().is_replayed);
    });
    let input = PaymentInput { caller: shop.private(), idempotency_key: Some("w-1"), body: body.as_bytes() };
    let twin = block_on(pay_by_wallet(&world, Wallet::ApplePay, input)).unwrap();
    assert!(twin.is_replayed);
    assert_eq!(text(&body_of(&twin), "result"), Some("success"));
    assert_eq!(shop.results(&session_id), ["canceled", "success"]);
}

#[test]
fn one_wallet_at_several_gateways_goes_through_the_first_of_them_or_the_one_that_is_named() {
    let both = order(&["knet", "mpgs", "credit-card"]);
    for (named, settles) in [
        (None, ("mpgs", "authorized")),
        (Some("credit-card"), ("credit-card", "paid")),
        (Some("mpgs"), ("mpgs", "authorized")),
    ] {
        let shop = Shop::open(40);
        let session_id = shop.create(&both);
        let code = named.map(|code| format!(r#""pg_code":"{code}","#)).unwrap_or_default();
        let body = format!(r#"{{"session_id":"{session_id}",{code}"payload":{APPLE}}}"#);
        let shown = body_of(&send(&shop, Wallet::ApplePay, &body, None).unwrap());
        assert_eq!(
            (text(&shown, "gateway_account"), text(&shown, "state")),
            (Some(settles.0), Some(settles.1))
        );
    }
}

#[test]
fn a_repeated_payment_that_was_given_back_settled_nothing() {
    let shop = Shop::open(63);
    let session_id = shop.create(&order(&["credit-card"]));
    shop.bank.on_wallet("mastercard-decline");
    let sent = body(&session_id, APPLE);
    let declined = body_of(&send(&shop, Wallet::ApplePay, &sent, Some("k-63")).unwrap());
    assert_eq!(text(&declined, "result"), Some("failed"));
    let first = shop.latest(&session_id).reference;
    let second = shop.pay_to_page(&session_id, "credit-card");
    shop.bank.approve(second.as_str());
    shop.come_back(&second).unwrap();
    shop.bank.approve_after_all(first.as_str());
    shop.call_back(&first).unwrap();
    let answer = send(&shop, Wallet::ApplePay, &sent, Some("k-63")).unwrap();
    assert!(answer.body.contains(r#""settled_amount":0.000"#), "{}", answer.body);
    let repeated = body_of(&answer);
    assert_eq!(text(&repeated, "reference_number"), Some(first.as_str()));
    assert_eq!((text(&repeated, "result"), text(&repeated, "paid_amount")), (Some("success"), Some("0.000")));
}
