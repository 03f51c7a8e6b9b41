//! What the protocol or the account of a gateway cannot do is refused before the gateway is asked.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

use checkout_core::checkout::page::PageView;
use checkout_core::flow::merchant::operate::{OperationInput, operate};
use checkout_core::flow::payer::open_page::{Viewer, Visit, open_page};
use checkout_core::flow::payer::pay::pay;
use checkout_core::flow::sdk;
use checkout_core::rejection::Rejection;
use checkout_core::strings::screen::Aftermath;
use checkout_core::value::id::SessionId;
use checkout_core::violation::CardRule;
use checkout_core::words::payment_type::PaymentType;
use checkout_tests::bank::Mood;
use checkout_tests::shop::{Shop, form, order, refused};
use pollster::block_on;
use serde_json::{Value, json};

/// A shop whose accounts for cards have these restrictions.
fn shop(restrictions: &[&str]) -> Shop {
    Shop::open_with(1, |settings| {
        for place in 0..3 {
            settings["gateways"][place]["restrictions"] = json!(restrictions);
        }
        settings["gateways"][2]["fees"] = json!([]);
    })
}

fn paid(shop: &Shop, code: &str) -> SessionId {
    let session_id = shop.create(&order(&[code]));
    let reference = shop.pay_to_page(&session_id, code);
    shop.bank.approve(reference.as_str());
    shop.come_back(&reference).unwrap();
    session_id
}

/// Asks for an operation: its result, or the code and the detail of the refusal.
fn ask(shop: &Shop, session_id: &SessionId, operation: &str, amount: Option<&str>) -> (String, String) {
    let body = json!({"session_id": session_id.as_str(), "operation": operation, "amount": amount});
    let body = body.to_string();
    let input = OperationInput {
        caller: shop.private(),
        tracking_key: None,
        idempotency_key: None,
        body: body.as_bytes(),
    };
    let asked = block_on(operate(&shop.world, input));
    let (body, name) = match &asked {
        Ok(answer) => (answer.body.clone(), "result"),
        Err(_) => (refused(asked).body("https://pay.example.com", "r-1").unwrap(), "code"),
    };
    let body: Value = serde_json::from_str(&body).unwrap();
    let text = |name: &str| body[name].as_str().unwrap_or_default().to_owned();
    (text(name), text("detail"))
}

fn result(shop: &Shop, session_id: &SessionId, operation: &str, amount: Option<&str>) -> String {
    ask(shop, session_id, operation, amount).0
}

fn aftermath(shop: &Shop, session_id: &SessionId) -> Option<Aftermath> {
    match block_on(open_page(&shop.world, Some(session_id), Visit::PERSON)).unwrap() {
        PageView::Transaction(page) => page.aftermath.map(|(aftermath, _)| aftermath),
        PageView::NotFound { .. } => panic!("no page"),
    }
}

/// How many operations the bank was asked for.
fn asked_of_bank(shop: &Shop) -> usize {
    let is_operation = |url: &String| url.contains("/operations") || url.ends_with("/capture");
    shop.world.http.take_sent().iter().map(|request| request.url.clone()).filter(is_operation).count()
}

#[test]
fn after_the_only_capture_the_rest_is_released_and_no_second_capture_is_requested() {
    let shop = shop(&["single_capture"]);
    let session_id = paid(&shop, "mpgs");
    assert_eq!(result(&shop, &session_id, "capture", Some("4.000")), "success");
    assert!(asked_of_bank(&shop) > 0, "the first capture is requested");
    let (code, detail) = ask(&shop, &session_id, "capture", Some("1.000"));
    assert_eq!((code.as_str(), asked_of_bank(&shop)), ("operation_refused", 0), "{detail}");
    assert!(detail.contains("captures once"), "{detail}");
    assert_eq!(aftermath(&shop, &session_id), Some(Aftermath::RestReleased));
    assert_eq!(result(&shop, &session_id, "void", None), "operation_refused");
    assert_eq!(result(&shop, &session_id, "refund", Some("4.001")), "operation_amount");
    assert_eq!(result(&shop, &session_id, "refund", Some("4.000")), "success");
}

#[test]
fn without_the_restriction_the_rest_stays_held() {
    let shop = shop(&[]);
    let session_id = paid(&shop, "mpgs");
    assert_eq!(result(&shop, &session_id, "capture", Some("4.000")), "success");
    assert_eq!(aftermath(&shop, &session_id), Some(Aftermath::PartlyCaptured));
    assert_eq!(result(&shop, &session_id, "capture", None), "success");
    assert_eq!(aftermath(&shop, &session_id), Some(Aftermath::Captured));
}

#[test]
fn a_second_capture_waits_for_the_outcome_of_the_only_one() {
    let shop = shop(&["single_capture"]);
    let session_id = paid(&shop, "mpgs");
    shop.bank.on_operating(Mood::Mute);
    shop.bank.on_asking(Mood::Broken);
    assert_eq!(result(&shop, &session_id, "capture", Some("4.000")), "queued");
    assert_eq!(result(&shop, &session_id, "capture", Some("1.000")), "operation_in_progress");
}

#[test]
fn an_account_without_parts_captures_and_refunds_all_or_nothing() {
    let shop = shop(&["full_capture", "full_refund"]);
    let held = paid(&shop, "mpgs");
    let whole = "the amount must be 10.000 KWD: the gateway moves only all that is left";
    let _ = shop.world.http.take_sent();
    assert_eq!(ask(&shop, &held, "capture", Some("9.999")), ("operation_amount".into(), whole.into()));
    let taken = paid(&shop, "credit-card");
    let _ = shop.world.http.take_sent();
    assert_eq!(ask(&shop, &taken, "refund", Some("9.999")), ("operation_amount".into(), whole.into()));
    assert_eq!(asked_of_bank(&shop), 0);
    for (session_id, operation) in [(&held, "capture"), (&taken, "refund")] {
        assert_eq!(result(&shop, session_id, operation, Some("10.000")), "success", "{operation}");
    }
    let with_fee = paid(&shop, "knet");
    let (code, detail) = ask(&shop, &with_fee, "refund", None);
    assert_eq!(code, "operation_refused");
    assert!(detail.contains("with the fee"), "{detail}");
}

#[test]
fn a_card_is_confirmed_only_where_the_account_confirms_cards() {
    let shop = shop(&["no_verification"]);
    let mut body = order(&["mpgs"]);
    for (name, value) in [("payment_type", "save_card"), ("amount", "0"), ("customer_id", "C-1")] {
        body[name] = value.into();
    }
    let refusal = refused(shop.try_create(&body, None));
    let Rejection::Invalid(violations) = &refusal else { panic!("{refusal:?}") };
    let rule = CardRule::VerifiesNoCards(PaymentType::SaveCard).to_string();
    let found: Vec<_> = violations.iter().map(|one| (one.path.as_ref(), one.rule.to_string())).collect();
    assert_eq!(found, [("pg_codes.0", rule)]);
    body["payment_type"] = "one_off".into();
    body["amount"] = "10.000".into();
    assert_eq!(shop.state(&shop.create(&body)), "created", "it is paid as before");
}

#[test]
fn a_saved_card_is_neither_offered_nor_charged_where_the_account_charges_none_with_the_payer() {
    for (restrictions, is_charged) in [(vec!["no_saved_card_payment"], false), (vec![], true)] {
        let shop = shop(&restrictions);
        let mut body = order(&["credit-card"]);
        body["customer_id"] = "C-1".into();
        let first = shop.create(&body);
        let choice = json!({"pg_code": "credit-card", "save_card": true}).to_string();
        block_on(sdk::submit(&shop.world, &first, choice.as_bytes())).unwrap();
        let reference = shop.latest(&first).reference;
        shop.bank.approve(reference.as_str());
        let delivery = shop.come_back(&reference).unwrap().unwrap();
        let _ = shop.deliver(&delivery);
        let token = shop.receiver.take_bodies().pop().unwrap()["token"]["token"].as_str().unwrap().to_owned();
        let next = shop.create(&body);
        let shown: Value =
            serde_json::from_str(&block_on(sdk::init(&shop.world, &next, Viewer::Person)).unwrap()).unwrap();
        assert_eq!(shown["cards"].as_array().unwrap().len(), usize::from(is_charged));
        let pressed = block_on(pay(&shop.world, &form(&next, &token)));
        if is_charged {
            pressed.unwrap();
            assert_eq!(shop.state(&next), "paid");
        } else {
            assert_eq!(refused(pressed), Rejection::InstrumentNotOffered);
            assert!(shop.world.store.attempts(&next).is_empty());
        }
    }
}
