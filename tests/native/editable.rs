//! Editable amounts: the payer chooses how much of a transaction to pay.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot go on has failed"
)]

use checkout_core::access::operator::ROOT;
use checkout_core::api::pay::PayForm;
use checkout_core::checkout::page::{PageView, SentForm, TransactionPage};
use checkout_core::flow::merchant::update::{Extent, UpdateInput, update};
use checkout_core::flow::operator::merchant::replace_settings;
use checkout_core::flow::payer::open_page::{Visit, open_page};
use checkout_core::rejection::Rejection;
use checkout_core::value::choice::ChoiceError;
use checkout_core::value::id::SessionId;
use checkout_core::violation::{Rule, Violation};
use checkout_tests::shop::{DEMO_SETTINGS, Shop, form, order, refused, text};
use pollster::block_on;
use serde_json::{Value, json};

/// An order over 10.000 KWD of which the payer may pay a part.
fn editable(pg_codes: &[&str]) -> Value {
    let mut body = order(pg_codes);
    body["type"] = json!("payment_request");
    body
}

fn set_editable(shop: &Shop, is_editable: bool) {
    let mut settings: Value = serde_json::from_str(DEMO_SETTINGS).unwrap();
    *settings.pointer_mut("/plugins/payment_request/is_amount_editable").unwrap() = json!(is_editable);
    block_on(replace_settings(&shop.world, &ROOT, &shop.merchant, "", settings.to_string().as_bytes()))
        .unwrap();
}

/// What is wrong with `amount`, if nothing else is wrong.
fn fault(rejection: &Rejection) -> String {
    let Rejection::Invalid(found) = rejection else { panic!("{rejection:?}") };
    let [violation] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!(violation.path, "amount");
    violation.rule.to_string()
}

fn page(shop: &Shop, session_id: &SessionId, form: Option<&PayForm>) -> TransactionPage {
    let wrong = Rejection::Invalid([Violation::new("amount", Rule::Required)].into());
    let sent = form.map(|form| SentForm { form, refusal: Some(&wrong) });
    match block_on(open_page(&shop.world, Some(session_id), Visit { sent, ..Visit::PERSON })).unwrap() {
        PageView::Transaction(page) => *page,
        PageView::NotFound { .. } => panic!("{session_id} is not found"),
    }
}

fn typed(page: &TransactionPage) -> &str {
    &page.amount_field.as_ref().unwrap().typed
}

#[test]
fn a_part_is_charged_with_its_fee_and_shown_as_settled_and_remaining() {
    let shop = Shop::open(1);
    let session_id = shop.create(&editable(&["credit-card"]));
    shop.pay_amount(&session_id, "credit-card", "4.5").unwrap();
    let attempt = shop.latest(&session_id);
    assert_eq!(attempt.principal.to_string(), "4.500");
    assert_eq!(
        (attempt.quote.fee.to_string(), attempt.quote.total.to_string()),
        ("0.090".into(), "4.590".into())
    );
    shop.bank.approve(attempt.reference.as_str());
    shop.come_back(&attempt.reference).unwrap();
    assert_eq!(shop.state(&session_id), "paid");
    let notified = shop.world.store.deliveries(&session_id).pop().unwrap().message.body;
    let notified: Value = serde_json::from_str(&notified).unwrap();
    let amounts = ["amount", "settled_amount", "remaining_amount", "paid_amount", "fee"];
    assert_eq!(
        amounts.map(|name| text(&notified, name).unwrap()),
        ["10.000", "4.500", "5.500", "4.590", "0.090"]
    );
    assert_eq!(notified["amount_details"]["amount"], "4.500");
    assert_eq!(notified["amount_details"]["total"], "4.590");
    assert!(matches!(
        refused(shop.pay_amount(&session_id, "credit-card", "5.5")),
        Rejection::NotPayable { .. }
    ));
}

#[test]
fn what_remains_is_shown_while_it_is_at_least_a_hundredth_and_only_of_an_editable_amount() {
    for (body, amount, remaining) in [
        (editable(&["cash"]), "10.000", None),
        (editable(&["cash"]), "9.991", None),
        (editable(&["cash"]), "9.990", Some("0.010")),
        (editable(&["cash"]), "0.010", Some("9.990")),
        (order(&["cash"]), "10.000", None),
    ] {
        let shop = Shop::open(2);
        let session_id = shop.create(&body);
        shop.pay_amount(&session_id, "cash", amount).unwrap();
        let notified = shop.world.store.deliveries(&session_id).pop().unwrap().message.body;
        let notified: Value = serde_json::from_str(&notified).unwrap();
        assert_eq!(
            (text(&notified, "settled_amount"), text(&notified, "remaining_amount")),
            (Some(amount), remaining)
        );
    }
}

#[test]
fn of_an_attempt_without_success_everything_remains() {
    let shop = Shop::open(3);
    let session_id = shop.create(&editable(&["knet"]));
    shop.pay_amount(&session_id, "knet", "4.000").unwrap();
    let reference = shop.latest(&session_id).reference;
    shop.bank.decline(reference.as_str());
    shop.come_back(&reference).unwrap();
    let notified = shop.world.store.deliveries(&session_id).pop().unwrap().message.body;
    let notified: Value = serde_json::from_str(&notified).unwrap();
    assert_eq!(
        (text(&notified, "settled_amount"), text(&notified, "remaining_amount")),
        (None, Some("10.000"))
    );
}

#[test]
fn an_amount_beyond_the_limits_is_refused_by_name_and_nothing_is_stored() {
    let shop = Shop::open(4);
    let session_id = shop.create(&editable(&["knet"]));
    for (amount, expected) in [
        ("0", "must be from 0.010 to 10.000"),
        ("0.009", "must be from 0.010 to 10.000"),
        ("10.001", "must be from 0.010 to 10.000"),
        ("1.0001", "must have at most 3 decimal places for KWD"),
        ("", "must be digits with at most one decimal point, without sign, exponent or blank"),
        ("-1", "must be digits with at most one decimal point, without sign, exponent or blank"),
        ("٤", "must be digits with at most one decimal point, without sign, exponent or blank"),
        ("1e1", "must be digits with at most one decimal point, without sign, exponent or blank"),
        ("1111111111111111111111111", "must be at most 24 characters"),
        ("999999999999999999999999", "must be at most 9007199254740991 minor units of its currency"),
    ] {
        assert_eq!(fault(&refused(shop.pay_amount(&session_id, "knet", amount))), expected, "{amount:?}");
    }
    assert!(shop.world.store.attempts(&session_id).is_empty());
    assert!(shop.bank.openings().is_empty());
}

#[test]
fn only_the_page_understands_arabic_digits() {
    let shop = Shop::open(5);
    let session_id = shop.create(&editable(&["knet"]));
    let sent = format!("session_id={session_id}&pg_code=knet&amount=%D9%A4%D9%AB%D9%A5");
    let form = PayForm::parse(sent.as_bytes());
    assert_eq!(form.amount.as_deref(), Some("4.5"));
    block_on(checkout_core::flow::payer::pay::pay(&shop.world, &form)).unwrap();
    assert_eq!(shop.latest(&session_id).principal.to_string(), "4.500");
    let error = shop.try_create(
        &{
            let mut body = editable(&["knet"]);
            body["amount"] = json!("٤");
            body
        },
        None,
    );
    assert!(matches!(refused(error), Rejection::Invalid(_)));
}

#[test]
fn another_amount_is_refused_if_the_payer_may_not_choose() {
    let shop = Shop::open(6);
    let session_id = shop.create(&order(&["knet"]));
    for amount in ["9.999", "10.001", "0", "", "ten"] {
        let said = fault(&refused(shop.pay_amount(&session_id, "knet", amount)));
        assert_eq!(said, "must be 10.000, the amount of the transaction, or be left out", "{amount:?}");
    }
    assert!(shop.world.store.attempts(&session_id).is_empty());
    shop.pay_amount(&session_id, "knet", "10").unwrap();
    assert_eq!(shop.latest(&session_id).principal.to_string(), "10.000");
    assert!(page(&shop, &session_id, None).amount_field.is_none());
}

#[test]
fn a_changed_setting_does_not_change_what_was_made_before() {
    let shop = Shop::open(7);
    let before = shop.create(&editable(&["cash"]));
    set_editable(&shop, false);
    let after = shop.create(&editable(&["cash"]));
    assert!(page(&shop, &before, None).amount_field.is_some());
    assert!(page(&shop, &after, None).amount_field.is_none());
    assert!(fault(&refused(shop.pay_amount(&after, "cash", "1"))).contains("left out"));
    for extent in [Extent::Full, Extent::Partial] {
        let body = editable(&["cash"]).to_string();
        let input = UpdateInput {
            caller: shop.private(),
            session_id: before.clone(),
            extent,
            if_match: None,
            body: body.as_bytes(),
            file: None,
            wrong: &[],
        };
        let answer = block_on(update(&shop.world, input)).unwrap();
        assert!(!answer.body.contains("editable"), "{}", answer.body);
    }
    shop.pay_amount(&before, "cash", "1").unwrap();
    let notified = shop.world.store.deliveries(&before).pop().unwrap().message.body;
    assert!(notified.contains("\"remaining_amount\":\"9.000\""), "{notified}");
}

#[test]
fn the_same_amount_resumes_the_page_that_waits_and_another_replaces_it() {
    let shop = Shop::open(8);
    let session_id = shop.create(&editable(&["knet"]));
    shop.pay_amount(&session_id, "knet", "4").unwrap();
    let first = shop.latest(&session_id).reference;
    shop.pay_amount(&session_id, "knet", "4.000").unwrap();
    assert_eq!((shop.latest(&session_id).reference, shop.bank.openings().len()), (first.clone(), 1));
    let directed = shop.pay_amount(&session_id, "knet", "5").unwrap();
    assert!(!directed.deliveries.is_empty(), "the merchant hears of the withdrawn attempt");
    assert_eq!(shop.bank.statuses().get(first.as_str()), Some(&"canceled"));
    assert_eq!(shop.results(&session_id), ["canceled", "pending"]);
    assert_eq!(shop.latest(&session_id).principal.to_string(), "5.000");
    // Without an amount the payer pays the whole.
    shop.pay(&session_id, "knet").unwrap();
    assert_eq!(shop.latest(&session_id).principal.to_string(), "10.000");
}

#[test]
fn a_payer_who_paid_a_part_meanwhile_is_not_charged_again() {
    let shop = Shop::open(9);
    let session_id = shop.create(&editable(&["knet"]));
    shop.pay_amount(&session_id, "knet", "4").unwrap();
    shop.bank.approve(shop.latest(&session_id).reference.as_str());
    shop.pay_amount(&session_id, "knet", "5").unwrap();
    assert_eq!((shop.state(&session_id), shop.bank.approved(), shop.bank.openings().len()), ("paid", 1, 1));
    assert_eq!(shop.transaction(&session_id).settlement.unwrap().settled.to_string(), "4.000");
}

#[test]
fn a_gateway_that_permits_one_attempt_has_its_amount_fixed() {
    let shop = Shop::open(10);
    let session_id = shop.create(&editable(&["single"]));
    shop.pay_amount(&session_id, "single", "4").unwrap();
    assert_eq!(refused(shop.pay_amount(&session_id, "single", "5")), Rejection::AttemptInProgress);
    shop.pay_amount(&session_id, "single", "4").unwrap();
    assert_eq!(shop.results(&session_id), ["pending"]);
    assert_eq!(page(&shop, &session_id, None).methods.len(), 1);
}

#[test]
fn an_answer_about_the_whole_amount_is_held_if_a_part_was_asked_for() {
    let shop = Shop::open(11);
    let session_id = shop.create(&editable(&["queued"]));
    shop.pay_amount(&session_id, "queued", "4").unwrap();
    let reference = shop.latest(&session_id).reference;
    shop.bank.approve_another_amount(reference.as_str(), "10.000");
    shop.come_back(&reference).unwrap();
    assert_eq!((shop.state(&session_id), shop.attention().len()), ("pending", 1));
}

#[test]
fn the_field_shows_what_was_typed_last_and_the_costs_follow_it() {
    let shop = Shop::open(12);
    let session_id = shop.create(&editable(&["credit-card", "knet"]));
    let fresh = page(&shop, &session_id, None);
    assert_eq!(
        (typed(&fresh), fresh.methods.first().unwrap().quote.total.to_string()),
        ("10.000", "10.200".into())
    );

    let wrong = PayForm { amount: Some("11".into()), ..form(&session_id, "knet") };
    let again = page(&shop, &session_id, Some(&wrong));
    assert_eq!(typed(&again), "11");
    assert_eq!(again.amount_field.as_ref().unwrap().fault, Some(ChoiceError::OutOfRange));
    let chosen: Vec<_> = again.methods.iter().filter(|method| method.is_chosen).collect();
    assert_eq!(chosen.iter().map(|method| method.code.as_str()).collect::<Vec<_>>(), ["knet"]);

    shop.pay_amount(&session_id, "credit-card", "4").unwrap();
    let waiting = page(&shop, &session_id, None);
    let first = waiting.methods.first().unwrap();
    assert_eq!(
        (typed(&waiting), first.quote.total.to_string(), first.is_waiting),
        ("4.000", "4.080".into(), true)
    );
    let reference = shop.latest(&session_id).reference;
    shop.bank.give_up(reference.as_str());
    shop.come_back(&reference).unwrap();
    assert_eq!(typed(&page(&shop, &session_id, None)), "4.000");

    // The merchant lowers the amount below what was typed.
    shop.patch(&session_id, &json!({"amount": "3.000"})).unwrap();
    assert_eq!(typed(&page(&shop, &session_id, None)), "3.000");
}
