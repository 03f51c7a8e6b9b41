//! Every request, byte for byte (`tests/vectors/gateways/stripe.json`), which an outside test checks against the
//! specification of Stripe.

use checkout_core::gateway::charge::ChargeOperation;
use checkout_core::gateway::exchange::{Outgoing, Returned};
use checkout_core::gateway::listing::Period;
use checkout_core::testing::gateway::{answer, connect, operation, operation_order};
use checkout_core::value::time::Timestamp;
use checkout_core::words::{ChildOperation, Language};
use serde_json::json;

use super::*;

/// Every request by its name.
fn all() -> Vec<(&'static str, Outgoing)> {
    [opening(), asking(), moving(), listing()].concat()
}

fn nth<T>((requests, _): (Vec<Outgoing>, T), place: usize) -> Outgoing {
    requests.into_iter().nth(place).unwrap()
}

fn opening() -> Vec<(&'static str, Outgoing)> {
    let stripe = stripe();
    let first = |order: &Order| stripe.open(order).call().unwrap().request;
    let arabic = Order { language: Language::Ar, saves_card: true, ..kwd() };
    let with_query = Order { return_url: "https://pay.example/r/?language=ar".into(), ..order("500", "JPY") };
    let bare =
        Order { payer: checkout_core::gateway::payer::Payer::default(), order_no: None, ..authorize() };
    let google = by_google();
    let saving = Order { saves_card: true, ..by_google() };
    let absent = by_card(ChargeInitiator::Merchant);
    vec![
        ("open a page", first(&kwd())),
        ("open a page that holds the money", first(&bare)),
        ("open a page that saves the card, in Arabic", first(&arabic)),
        ("open a page in a currency without decimals", first(&with_query)),
        ("open a page that confirms a card", first(&verify())),
        ("charge a saved card of a payer who is there", first(&by_card(ChargeInitiator::Payer))),
        ("charge a saved card of a payer who is absent", first(&absent)),
        (
            "hold the money of a saved card",
            first(&Order { operation: ChargeOperation::Authorize, ..by_card(ChargeInitiator::Payer) }),
        ),
        ("make a payment method of a Google Pay token", first(&google)),
        (
            "charge a Google Pay token",
            nth(converse(stripe.open(&google), &[says("method"), says("intent paid")]), 1),
        ),
        (
            "make a customer for a card that is saved",
            nth(converse(stripe.open(&saving), &[says("method"), says("customer"), says("intent paid")]), 1),
        ),
        (
            "charge a Google Pay token and save the card",
            nth(converse(stripe.open(&saving), &[says("method"), says("customer"), says("intent paid")]), 2),
        ),
        (
            "give up what the bank wants an absent payer for",
            nth(
                converse(
                    stripe.open(&absent),
                    &[says("intent waits for the payer"), says("intent canceled")],
                ),
                1,
            ),
        ),
    ]
}

fn asking() -> Vec<(&'static str, Outgoing)> {
    let stripe = stripe();
    let (page, intent) = (known("cs_test_a1Made"), known("pi_3Made"));
    let (no_id, no_page) = (charge("10.250", "KWD"), lost());
    let waiting = [says("intent waits for the payer"), says("intent canceled")];
    vec![
        ("ask about a page", stripe.inquire(&page, None).call().unwrap().request),
        ("ask about an intent", stripe.inquire(&intent, None).call().unwrap().request),
        ("look for a page", stripe.inquire(&no_id, None).call().unwrap().request),
        (
            "look for a page on the next page of the list",
            nth(converse(stripe.inquire(&no_id, None), &[says("more sessions"), says("no sessions")]), 1),
        ),
        ("look for an intent", stripe.inquire(&no_page, None).call().unwrap().request),
        ("close a page", stripe.withdraw(&page).call().unwrap().request),
        ("cancel an intent", nth(converse(stripe.withdraw(&intent), &waiting), 1)),
        ("check the key", stripe.check().call().unwrap().request),
        ("ask about disputes", stripe.disputes("pi_3Made").call().unwrap().request),
    ]
}

fn moving() -> Vec<(&'static str, Outgoing)> {
    let stripe = stripe();
    let capture = operation_order(held("pi_3Made"), ChildOperation::Capture, "4.000");
    let void = operation_order(held("pi_3Made"), ChildOperation::Void, "10.250");
    let refund = operation_order(known("pi_3Made"), ChildOperation::Refund, "0.500");
    let marked = [says("intent held and marked"), says("intent voided")];
    vec![
        ("capture a part", stripe.operate(&capture).call().unwrap().request),
        ("mark an intent that is voided", stripe.operate(&void).call().unwrap().request),
        ("void", nth(converse(stripe.operate(&void), &marked), 1)),
        ("refund a part", stripe.operate(&refund).call().unwrap().request),
        (
            "ask about a refund",
            stripe.inquire_operation(&operation(&refund, Some("re_3Made"))).call().unwrap().request,
        ),
        ("look for a refund", stripe.inquire_operation(&operation(&refund, None)).call().unwrap().request),
    ]
}

fn listing() -> Vec<(&'static str, Outgoing)> {
    let stripe = stripe();
    let day = Period {
        from: Timestamp::from_millis(1_795_219_200_000),
        to: Timestamp::from_millis(1_795_305_600_500),
    };
    let page = |cursor| stripe.list_charges(day, cursor).unwrap().call().unwrap().request;
    vec![
        ("list the charges of a period", page(None)),
        ("list more of the charges of a period", page(Some("pi_3Last"))),
        ("list the charges of refunds in a period", page(Some("refunds"))),
        ("list more of the charges of refunds in a period", page(Some("re_3Last"))),
    ]
}

#[test]
fn every_request_is_written_byte_for_byte() {
    let written: Vec<Value> = all()
        .into_iter()
        .map(|(name, request)| {
            let headers: serde_json::Map<String, Value> =
                request.headers.into_iter().map(|(name, value)| (name.to_owned(), value.into())).collect();
            let body = String::from_utf8(request.body).unwrap();
            json!({"name": name, "method": request.method.as_str(), "url": request.url, "headers": headers, "body": body})
        })
        .collect();
    let expected: Vec<Value> =
        serde_json::from_str(include_str!("../../vectors/gateways/stripe.json")).unwrap();
    if let Ok(path) = std::env::var("STRIPE_REQUESTS") {
        std::fs::write(path, serde_json::to_string_pretty(&written).unwrap() + "\n").unwrap();
    }
    for (written, expected) in written.iter().zip(&expected) {
        assert_eq!(written, expected);
    }
    assert_eq!(written.len(), expected.len());
}

#[test]
fn a_repeated_order_is_the_same_request_with_the_same_key() {
    let stripe = stripe();
    for order in
        [kwd(), verify(), by_card(ChargeInitiator::Payer), by_card(ChargeInitiator::Merchant), by_google()]
    {
        let request = || stripe.open(&order).call().unwrap().request;
        assert_eq!(request(), request());
        assert!(request().headers.iter().any(|(name, _)| *name == "idempotency-key"));
    }
}

#[test]
fn only_what_can_move_money_is_marked_so() {
    let stripe = stripe();
    let capture = operation_order(held("pi_3Made"), ChildOperation::Capture, "4.000");
    let refund = operation_order(known("pi_3Made"), ChildOperation::Refund, "0.500");
    let void = operation_order(held("pi_3Made"), ChildOperation::Void, "10.250");
    assert!(stripe.open(&kwd()).call().unwrap().moves_money);
    assert!(stripe.open(&by_card(ChargeInitiator::Merchant)).call().unwrap().moves_money);
    assert!(!stripe.open(&by_google()).call().unwrap().moves_money);
    assert!(stripe.open(&by_google()).call().unwrap().read(&says("method")).call().unwrap().moves_money);
    assert!(stripe.operate(&capture).call().unwrap().moves_money);
    assert!(stripe.operate(&refund).call().unwrap().moves_money);
    assert!(!stripe.operate(&void).call().unwrap().moves_money);
    let second = stripe.operate(&void).call().unwrap().read(&says("intent held and marked"));
    assert!(second.call().unwrap().moves_money);
    for charge in [known("cs_test_a1Made"), known("pi_3Made"), lost()] {
        assert!(!stripe.inquire(&charge, None).call().unwrap().moves_money);
        assert!(!stripe.withdraw(&charge).call().unwrap().moves_money);
    }
}

#[test]
fn what_cannot_be_charged_is_refused_before_anything_is_sent() {
    let refused = |stripe: &dyn Connector, order: &Order| match stripe.open(order).done() {
        Some(Opened::Refused { message }) => message.unwrap(),
        other => panic!("{other:?}"),
    };
    let stripe = stripe();
    assert!(refused(&*stripe, &order("10.251", "KWD")).contains("third decimal"));
    assert!(refused(&*stripe, &order("10.000", "IQD")).contains("currency"));
    assert!(
        refused(&*stripe, &Order { instrument: wallet(Wallet::ApplePay, "{}"), ..kwd() })
            .contains("Apple Pay")
    );
    for payload in [
        "{}",
        r#"{"paymentMethodData":{"tokenizationData":{"token":"{\"id\":\"pi_1\"}"}}}"#,
        r#"{"paymentMethodData":{"tokenizationData":{"token":"{\"signature\":\"a\"}"}}}"#,
    ] {
        let order = Order { instrument: wallet(Wallet::GooglePay, payload), ..kwd() };
        assert!(refused(&*stripe, &order).contains("Google Pay"), "{payload}");
    }
    for token in ["", "pm_1Made", "cus_Made", "cus_Made|card_1", "cus_M/ade|pm_1", "cus_|pm_", "pm_1|cus_1"] {
        let card =
            CardCharge { token: BankToken(token.into()), initiator: ChargeInitiator::Payer, agreement: None };
        assert!(refused(&*stripe, &Order { card: Some(card), ..kwd() }).contains("saved card"), "{token}");
    }
    assert!(refused(&*stripe, &Order { operation: ChargeOperation::Verify, ..by_google() }).contains("page"));
    let live = connect(&DECLARATION, &[(SECRET_KEY, "rk_live_made_up")]);
    assert!(refused(&*live, &kwd()).contains("real payments"));
}

#[test]
fn a_key_is_checked_by_a_request_that_moves_nothing() {
    use checkout_core::gateway::check::Checked;
    let check = |answer: &Incoming| converse(stripe().check(), std::slice::from_ref(answer)).1;
    assert_eq!(check(&says("no intents")), Checked::Accepted);
    assert!(matches!(check(&says("no key")), Checked::Refused(Some(message)) if !message.contains("sk_")));
    assert!(
        matches!(check(&says("no permission")), Checked::Refused(Some(message)) if !message.contains("rk_"))
    );
    for unclear in [answer(200, "<html>"), answer(200, "{}"), says("busy"), says("broken"), says("missing")] {
        assert_eq!(check(&unclear), Checked::Unclear);
    }
    let live = connect(&DECLARATION, &[(SECRET_KEY, "sk_live_made_up")]);
    assert!(matches!(live.check().done(), Some(Checked::Refused(Some(_)))));
}

#[test]
fn a_return_from_the_page_by_its_way_back_closes_the_page() {
    let stripe = stripe();
    let page = known("cs_test_a1Made");
    let back = Returned { fields: vec![("stripe".into(), "canceled".into())] };
    let (requests, report) = converse(stripe.inquire(&page, Some(&back)), &[says("session expired")]);
    assert!(requests[0].url.ends_with("/expire"));
    assert_eq!(report.outcome, Outcome::Canceled);
    let (requests, report) =
        converse(stripe.inquire(&page, Some(&back)), &[says("session not open"), says("session paid")]);
    assert_eq!(requests.len(), 2);
    assert_eq!(report.outcome, Outcome::Approved);
    let other = Returned { fields: vec![("stripe".into(), "paid".into())] };
    assert!(!stripe.inquire(&page, Some(&other)).call().unwrap().request.url.ends_with("/expire"));
}

#[test]
fn no_secret_is_in_the_text_of_a_request() {
    for (name, request) in all() {
        let text = format!("{request:?}");
        for secret in [KEY, "pm_1Made", "tok_1Made", "noura"] {
            assert!(!text.contains(secret), "{name}");
        }
    }
    assert!(!format!("{:?}", stripe().open(&by_google())).contains("tok_1Made"));
}
