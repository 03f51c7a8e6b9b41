//! Saving the card with which the payer paid on the page.

use checkout_core::card::BankToken;
use checkout_core::gateway::charge::{ChargeRef, Outcome};
use checkout_core::testing::gateway::{answer, money};

use super::{at_once, changed, inquired, ok, on_page, sample};

fn saving() -> ChargeRef {
    ChargeRef { saves_card: true, ..on_page() }
}

#[test]
fn after_a_payment_the_card_is_saved() {
    let report = inquired(&saving(), None, &[ok("order captured"), ok("token")]);
    assert_eq!((report.outcome, report.gateway_id.as_deref()), (Outcome::Approved, Some("1")));
    let card = report.card.unwrap();
    assert_eq!(card.token, BankToken("5123457766550008".into()));
    assert_eq!((card.brand.as_deref(), card.holder.as_deref()), (Some("MASTERCARD"), None));
    assert_eq!(
        (card.number.as_deref(), card.expiry.month(), card.expiry.year()),
        (Some("**** 0008"), "01".into(), "39".into())
    );
    let whole = changed("token", &[("\"0139\"", "{\"month\":3,\"year\":\"38\"}")]);
    let card = inquired(&saving(), None, &[ok("order captured"), answer(201, whole)]).card.unwrap();
    assert_eq!((card.expiry.month(), card.expiry.year()), ("03".into(), "38".into()));
    let short = changed("token", &[("\"expiry\":\"0139\",", "")]);
    let card = inquired(&saving(), None, &[ok("order captured"), answer(200, short)]).card.unwrap();
    assert_eq!(card.expiry.month(), "01", "the order says it too");
}

#[test]
fn a_card_that_is_not_saved_does_not_change_the_payment() {
    for body in [
        answer(400, sample("invalid")),
        answer(500, ""),
        answer(200, "<html>"),
        answer(200, changed("token", &[("VALID", "INVALID")])),
        answer(200, changed("token", &[("\"result\":\"SUCCESS\"", "\"result\":\"FAILURE\"")])),
        answer(200, changed("token", &[("5123457766550008", "")])),
        answer(200, changed("token", &[("5123457766550008", &"7".repeat(41))])),
    ] {
        let report = inquired(&saving(), None, &[ok("order captured"), body]);
        assert_eq!(
            (report.outcome, report.total, report.card),
            (Outcome::Approved, Some(money("10.250", "KWD")), None)
        );
    }
}

#[test]
fn only_the_card_of_a_paid_page_is_saved() {
    // Each of these exchanges is over after one answer.
    let other = changed("order captured", &[("\"type\":\"CARD\"", "\"type\":\"BROWSER_PAYMENT\"")]);
    let wrong = changed("order captured", &[("\"id\":\"7H3K9M2P4Q5R\"", "\"id\":\"OTHER\"")]);
    for (charge, answer) in [
        (on_page(), ok("order captured")),
        (saving(), ok("order failed")),
        (saving(), ok("order pending")),
        (saving(), answer(200, other)),
        (saving(), answer(200, wrong)),
        (ChargeRef { gateway_id: Some("1".into()), ..saving() }, ok("order captured")),
        (ChargeRef { saves_card: true, ..at_once() }, ok("order captured")),
    ] {
        assert_eq!(inquired(&charge, None, &[answer]).card, None);
    }
}
