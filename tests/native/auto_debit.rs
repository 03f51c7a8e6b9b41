//! Charging saved cards: by the merchant under an agreement, and by the payer in a checkout SDK.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod at_once;
mod ladder;
mod repeated;

use checkout_core::flow::card::{DebitAnswerShape, auto_debit, delete_of_payer};
use checkout_core::flow::merchant::inquiry::inquire;
use checkout_core::flow::merchant::native::{NativeAnswer, PaymentInput};
use checkout_core::flow::payer::open_page::Viewer;
use checkout_core::flow::sdk::outcome::{AnswerForm, answer_about};
use checkout_core::flow::sdk::token::{Submission, submit_token};
use checkout_core::flow::{Failure, sdk};
use checkout_core::rejection::refusal::{Breach, CardRefusal};
use checkout_core::rejection::{RefusedRequest, Rejection};
use checkout_core::sdk::payment::Submitted;
use checkout_core::testing::store::Fault;
use checkout_core::value::id::SessionId;
use checkout_tests::bank::Mood;
use checkout_tests::middle::Interrupted;
use checkout_tests::shop::{Shop, order, refusal_of, refused, text};
use pollster::block_on;
use serde_json::{Value, json};

const CUSTOMER: &str = "c-1";

fn with(mut body: Value, more: &Value) -> Value {
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    body
}

fn agreement(id: &str) -> Value {
    let terms = json!({"id": id, "amount_variability": "variable", "cycle_interval_days": 30,
        "expiry_date": "2030-01-01", "frequency": "monthly", "total_cycles": 2});
    let more = json!({"payment_type": "auto_debit", "customer_id": CUSTOMER, "agreement": terms});
    with(order(&["credit-card"]), &more)
}

/// The payer pays on the bank's page; returns the token of the card.
fn paid(shop: &Shop, body: &Value) -> String {
    let session_id = shop.create(body);
    let reference = shop.pay_to_page(&session_id, "credit-card");
    shop.bank.approve(reference.as_str());
    let delivery = shop.come_back(&reference).unwrap().unwrap();
    let _ = shop.deliver(&delivery);
    let notified = shop.receiver.take_bodies().pop().unwrap();
    notified.pointer("/token/token").and_then(Value::as_str).unwrap().to_owned()
}

fn try_debit(shop: &Shop, session_id: &SessionId, token: &str) -> Result<NativeAnswer, Failure> {
    let body = json!({"session_id": session_id.as_str(), "token": token}).to_string();
    block_on(auto_debit(&shop.world, input(shop, body.as_bytes(), None), DebitAnswerShape::Native))
}

fn input<'a>(shop: &Shop, body: &'a [u8], idempotency_key: Option<&'a str>) -> PaymentInput<'a> {
    PaymentInput { caller: shop.private(), idempotency_key, body }
}

fn debit(shop: &Shop, session_id: &SessionId, token: &str) -> Value {
    serde_json::from_str(&try_debit(shop, session_id, token).unwrap().body).unwrap()
}

/// Why a charge is refused, without the operation that the answer names.
fn refusal(shop: &Shop, body: &Value, token: &str) -> Rejection {
    let session_id = shop.create(body);
    let before = shop.bank.openings().len();
    let RefusedRequest { rejection, operation, .. } = refusal_of(try_debit(shop, &session_id, token));
    assert_eq!(shop.bank.openings().len(), before, "the gateway hears nothing");
    assert!(operation.is_none_or(|operation| operation == "payment"));
    rejection
}

fn submit(shop: &Shop, session_id: &SessionId, token: &str) -> Value {
    let body = json!({"session_id": session_id.as_str(), "token": token}).to_string();
    let paid = match block_on(submit_token(&shop.world, body.as_bytes())).unwrap() {
        Submission::Paid(paid) => paid,
        Submission::Sent(directed) => return serde_json::to_value(Submitted::to(directed.url)).unwrap(),
    };
    if let Some(delivery) = &paid.awaited {
        let _ = shop.deliver(delivery);
    }
    let answer = block_on(answer_about(&shop.world, &paid.reference, AnswerForm::Callback)).unwrap();
    assert_eq!(answer.status, 200);
    serde_json::from_str(&answer.body).unwrap()
}

#[test]
fn the_merchant_charges_the_card_of_an_agreement() {
    let shop = Shop::open(1);
    let token = paid(&shop, &agreement("a-1"));
    let session_id = shop.create(&agreement("a-1"));
    let notified = debit(&shop, &session_id, &token);
    assert_eq!(
        [text(&notified, "result"), text(&notified, "state"), text(&notified, "paid_amount")],
        [Some("success"), Some("paid"), Some("10.200")]
    );
    assert_eq!(notified.pointer("/token/token"), Some(&json!(token)));
    assert_eq!(notified.pointer("/token/agreements"), Some(&json!(["a-1"])));
    let asked = shop.bank.asked(shop.latest(&session_id).reference.as_str());
    assert_eq!(asked.pointer("/card/initiator"), Some(&json!("merchant")));
    assert_eq!(asked.pointer("/card/agreement/id"), Some(&json!("a-1")));
    assert!(asked.pointer("/card/token").is_some_and(|token| token.as_str().unwrap().starts_with("tok_")));
}

#[test]
fn a_charge_that_is_declined_is_an_answer() {
    let shop = Shop::open(1);
    let token = paid(&shop, &agreement("a-1"));
    shop.bank.decline_cards();
    let session_id = shop.create(&agreement("a-1"));
    let notified = debit(&shop, &session_id, &token);
    assert_eq!([text(&notified, "result"), text(&notified, "state")], [Some("failed"), Some("attempted")]);
    assert_eq!(notified.pointer("/token/token"), Some(&json!(token)));
}

#[test]
fn a_charge_of_unknown_outcome_is_pending_and_excludes_another_until_it_is_known() {
    let shop = Shop::open(1);
    let token = paid(&shop, &agreement("a-1"));
    shop.bank.on_opening(Mood::ChargesMute);
    let session_id = shop.create(&agreement("a-1"));
    let notified = debit(&shop, &session_id, &token);
    assert_eq!([text(&notified, "result"), text(&notified, "state")], [Some("pending"), Some("pending")]);
    let again = refused(try_debit(&shop, &session_id, &token));
    assert_eq!(again.code(), "attempt_in_progress");
    shop.bank.on_opening(Mood::Fine);
    shop.wait(120);
    shop.sweep();
    assert_eq!(shop.state(&session_id), "paid");
    assert_eq!(refused(try_debit(&shop, &session_id, &token)).code(), "not_payable");
    assert_eq!(shop.bank.approved(), 2, "one payment of the payer, one of the merchant");
}

#[test]
fn what_is_wrong_is_refused_in_the_order_of_the_specification() {
    let shop = Shop::open_with(1, |settings| {
        for gateway in settings.get_mut("gateways").and_then(Value::as_array_mut).unwrap() {
            if text(gateway, "code") == Some("cash") {
                gateway.as_object_mut().unwrap().insert("auto_debit".into(), true.into());
            }
        }
    });
    let token = paid(&shop, &agreement("a-1"));
    let body = json!({"session_id": "00", "token": "x", "cvv": "123"}).to_string();
    let unknown = refused(block_on(auto_debit(
        &shop.world,
        input(&shop, body.as_bytes(), None),
        DebitAnswerShape::Native,
    )));
    assert_eq!(unknown.code(), "invalid_fields");
    assert_eq!(refusal(&shop, &order(&["knet"]), "nonsense"), Rejection::AutoDebitUnsupported);
    assert_eq!(refusal(&shop, &order(&["cash"]), "nonsense"), Rejection::AutoDebitNotImplemented);
    let one_off = |customer: &str| with(order(&["credit-card"]), &json!({"customer_id": customer}));
    let unknown = Rejection::CardRefused(CardRefusal::Unknown);
    assert_eq!(refusal(&shop, &one_off(CUSTOMER), "nonsense"), unknown);
    assert_eq!(refusal(&shop, &one_off("c-2"), &token), unknown, "another customer's");
    assert_eq!(refusal(&shop, &order(&["credit-card"]), &token), unknown, "nobody's");
    let elsewhere = with(order(&["mpgs"]), &json!({"customer_id": CUSTOMER}));
    assert_eq!(refusal(&shop, &elsewhere, &token), unknown, "another gateway's");
    let other = agreement("a-2");
    assert_eq!(refusal(&shop, &other, &token), Rejection::CardRefused(CardRefusal::NotOfAgreement));
    let session_id = shop.create(&one_off(CUSTOMER));
    assert_eq!(text(&debit(&shop, &session_id, &token), "result"), Some("success"));
}

#[test]
fn a_card_must_be_valid_for_as_long_as_the_merchant_asks() {
    let shop = Shop::open(1);
    let token = paid(&shop, &agreement("a-1"));
    let days = 13 * 365 + 3;
    shop.wait(days * 86_400);
    let soon = json!({"customer_id": CUSTOMER, "card_acceptance_criteria": {"min_expiry_time": 365}});
    let refused = refusal(&shop, &with(order(&["credit-card"]), &soon), &token);
    assert_eq!(refused, Rejection::CardRefused(CardRefusal::ExpiresSoon { days: 365 }));
    // What would be refused is not offered.
    let offered = |members: &Value| {
        let session_id = shop.create(&with(order(&["credit-card"]), members));
        let shown = block_on(sdk::init(&shop.world, &session_id, Viewer::Person)).unwrap();
        let shown: Value = serde_json::from_str(&shown).unwrap();
        shown.get("cards").and_then(Value::as_array).map(Vec::len)
    };
    assert_eq!(offered(&soon), Some(0));
    assert_eq!(offered(&json!({"customer_id": CUSTOMER})), Some(1));
    shop.wait(400 * 86_400);
    let over = with(order(&["credit-card"]), &json!({"customer_id": CUSTOMER}));
    assert_eq!(refusal(&shop, &over, &token), Rejection::CardRefused(CardRefusal::Expired));
}

#[test]
fn terms_are_enforced_only_if_the_settings_say_so() {
    let lax = Shop::open(1);
    let token = paid(&lax, &agreement("a-1"));
    for _ in 0..3 {
        let session_id = lax.create(&agreement("a-1"));
        assert_eq!(text(&debit(&lax, &session_id, &token), "result"), Some("success"));
    }
    let strict = Shop::open_with(1, |settings| {
        settings.as_object_mut().unwrap().insert("agreements".into(), json!({"enforce": true}));
    });
    let mut first = agreement("a-1");
    let more = json!({"max_amount_per_cycle": "10.000", "amount_variability": "fixed"});
    let terms = first.get_mut("agreement").unwrap();
    *terms = with(terms.clone(), &more);
    let token = paid(&strict, &first);
    let broken = |body: &Value| refusal(&strict, body, &token);
    let month = 30 * 86_400;
    assert_eq!(broken(&first), Rejection::AgreementBroken(Breach::TooEarly));
    strict.wait(month);
    let amount = |amount: &str| with(agreement("a-1"), &json!({"amount": amount}));
    assert_eq!(broken(&amount("10.001")), Rejection::AgreementBroken(Breach::AboveMaximum));
    assert_eq!(
        broken(&amount("9.000")),
        Rejection::AgreementBroken(Breach::OtherAmount),
        "the first terms hold"
    );
    for _ in 0..2 {
        let session_id = strict.create(&first);
        assert_eq!(text(&debit(&strict, &session_id, &token), "result"), Some("success"));
        strict.wait(month);
    }
    assert_eq!(broken(&first), Rejection::AgreementBroken(Breach::CyclesDone));
    strict.wait(48 * month);
    assert_eq!(broken(&first), Rejection::AgreementBroken(Breach::Over));
}

#[test]
fn a_card_that_needs_the_security_code_is_paid_on_the_page_of_its_gateway() {
    let shop = Shop::open_with(1, |settings| {
        for gateway in settings.get_mut("gateways").and_then(Value::as_array_mut).unwrap() {
            gateway.as_object_mut().unwrap().insert("cvv_required".into(), true.into());
        }
    });
    let token = paid(&shop, &agreement("a-1"));
    let refused = refusal(&shop, &agreement("a-1"), &token);
    assert_eq!(refused, Rejection::CardRefused(CardRefusal::NeedsPayer));
    let session_id = shop.create(&agreement("a-1"));
    let notified = submit(&shop, &session_id, &token);
    assert_eq!(text(&notified, "status"), Some("success"));
    assert_eq!(text(&notified, "redirect_url"), shop.latest(&session_id).page_url.as_deref());
}

#[test]
fn the_payer_pays_with_a_card_that_the_sdk_offers_and_may_delete_it_only_unlocked() {
    let shop = Shop::open(1);
    let token = paid(&shop, &agreement("a-1"));
    let session_id = shop.create(&with(order(&["credit-card", "knet"]), &json!({"customer_id": CUSTOMER})));
    let offered = |session_id| -> Value {
        serde_json::from_str(&block_on(sdk::init(&shop.world, session_id, Viewer::Person)).unwrap()).unwrap()
    };
    let card = offered(&session_id).pointer("/cards/0").cloned().unwrap();
    assert_eq!(text(&card, "token"), Some(token.as_str()));
    let submit_url = "https://pay.example.com/b/checkout/api/sdk/v1/submit-token/";
    assert_eq!(text(&card, "submit_url"), Some(submit_url));
    let delete_url = format!("https://pay.example.com/b/checkout/api/sdk/v1/card/{session_id}/{token}/");
    assert_eq!(text(&card, "delete_url"), Some(delete_url.as_str()));
    assert_eq!(text(&card, "customer_id"), Some(""), "a payer does not learn who the customer is");
    let locked = refused(block_on(delete_of_payer(&shop.world, &session_id, &token)));
    assert_eq!(locked, Rejection::CardLocked);
    let notified = submit(&shop, &session_id, &token);
    assert_eq!(
        [text(&notified, "status"), text(&notified, "form_of_payment")],
        [Some("success"), Some("token_pay")]
    );
    assert_eq!(shop.state(&session_id), "paid");
    let asked = shop.bank.asked(shop.latest(&session_id).reference.as_str());
    assert_eq!(asked.pointer("/card/initiator"), Some(&json!("payer")));
    let stranger = shop.create(&with(order(&["credit-card"]), &json!({"customer_id": "c-2"})));
    assert_eq!(offered(&stranger).get("cards"), Some(&json!([])));
    assert_eq!(refused(block_on(delete_of_payer(&shop.world, &stranger, &token))), Rejection::NotFound);
}

#[test]
fn a_security_code_is_refused_by_name() {
    let shop = Shop::open(1);
    let body = json!({"session_id": "00", "token": "x", "cvv": "123"}).to_string();
    let Rejection::Invalid(found) = refused(block_on(submit_token(&shop.world, body.as_bytes()))) else {
        return assert!(body.is_empty(), "the field is refused");
    };
    let notified: Vec<String> = found.iter().map(|v| format!("{} {}", v.path, v.rule)).collect();
    assert_eq!(notified, ["cvv must not be sent: card data is taken on the page of the gateway only"]);
}

#[test]
fn a_page_that_waits_is_withdrawn_before_a_saved_card_pays_in_an_sdk() {
    let shop = Shop::open(1);
    let token = paid(&shop, &agreement("a-1"));
    let session_id = shop.create(&with(order(&["credit-card", "knet"]), &json!({"customer_id": CUSTOMER})));
    let first = shop.pay_to_page(&session_id, "knet");
    assert_eq!(text(&submit(&shop, &session_id, &token), "status"), Some("success"));
    assert_eq!(shop.bank.statuses().get(first.as_str()), Some(&"canceled"));
}

#[test]
fn the_payer_is_sent_to_the_merchant_only_if_the_receiver_answered_200() {
    let shop = Shop::open(1);
    let token = paid(&shop, &agreement("a-1"));
    for (status, is_sent) in [(Some(200), true), (Some(201), false), (Some(500), false)] {
        let session_id = shop.create(&with(order(&["credit-card"]), &json!({"customer_id": CUSTOMER})));
        shop.receiver.answer_next(status);
        let notified = submit(&shop, &session_id, &token);
        let url = text(&notified, "redirect_url").unwrap();
        assert_eq!(url.starts_with("https://shop.example.com/"), is_sent, "{status:?} {url}");
        assert_eq!(url.contains("/b/checkout/redirect/start/"), !is_sent);
    }
}

#[test]
fn a_saved_card_whose_charge_nobody_confirms_takes_an_sdk_to_the_page_where_the_payer_waits() {
    let shop = Shop::open(1);
    let token = paid(&shop, &agreement("a-1"));
    let session_id = shop.create(&with(order(&["credit-card"]), &json!({"customer_id": CUSTOMER})));
    shop.bank.on_opening(Mood::ChargesMute);
    let notified = submit(&shop, &session_id, &token);
    assert_eq!(
        ["status", "method", "result", "form_of_payment"].map(|name| text(&notified, name)),
        ["3DS", "redirect", "pending", "token_pay"].map(Some)
    );
    assert_eq!(notified["challenge_occurred"], true);
    assert!(text(&notified, "redirect_url").unwrap().contains("/b/gw/v1/return/"));
}
