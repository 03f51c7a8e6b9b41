//! What each answer about a charge means.

use checkout_core::gateway::charge::{ChargeOperation, Outcome};
use checkout_core::gateway::check::Checked;
use checkout_core::testing::gateway::{REFERENCE, money};
use serde_json::json;

use super::*;

fn open_at(address: &str) -> Outcome {
    Outcome::Open { page_url: address.into() }
}

const PAGE_URL: &str = "https://pay.sandbox.checkout.com/page/hpp_xGQBg0AXl3cM";

#[test]
fn a_page_waits_for_the_payer() {
    let report = opened(&order("10.250", "KWD"), &[says("page")]);
    assert_eq!(report.outcome, open_at(PAGE_URL));
    assert_eq!((report.reference.as_str(), report.gateway_id.as_deref()), (REFERENCE, Some(PAGE)));
    for (place, value) in [
        ("/id", json!("xyz")),
        ("/id", json!("hpp_../x")),
        ("/reference", Value::Null),
        ("/_links/redirect", Value::Null),
        ("/_links/redirect/href", json!("javascript:alert(1)")),
    ] {
        let report = opened(&order("10.250", "KWD"), &[says_with("page", place, value)]);
        assert_eq!(report.outcome, Outcome::Unknown, "{place}");
    }
}

#[test]
fn a_page_says_how_it_is_and_its_payment_says_more() {
    for (answers, outcome, id) in [
        (&["page open"][..], open_at(PAGE_URL), PAGE),
        (&["page expired"], Outcome::Canceled, PAGE),
        (&["page paid", "asked: captured"], Outcome::Approved, PAYMENT),
        (&["page paid", "asked: authorized"], Outcome::Approved, PAYMENT),
        (&["page tried", "asked: authorized"], Outcome::Approved, PAYMENT),
        (&["page tried", "asked: declined", "actions: payment declined"], open_at(PAGE_URL), PAGE),
        (&["page tried", "asked: pending"], open_at(PAGE_URL), PAGE),
        (&["page tried", "asked: canceled"], open_at(PAGE_URL), PAGE),
        (
            &["page expired after a try", "asked: declined", "actions: payment declined"],
            Outcome::Declined,
            PAYMENT,
        ),
        (&["page expired after a try", "asked: pending"], Outcome::Unknown, PAYMENT),
        (&["page expired after a try", "asked: captured"], Outcome::Approved, PAYMENT),
    ] {
        let answered: Vec<_> = answers.iter().map(|name| says(name)).collect();
        let report = asked(&known(PAGE), &answered);
        assert_eq!(report.outcome, outcome, "{answers:?}");
        assert_eq!(
            (report.reference.as_str(), report.gateway_id.as_deref()),
            (REFERENCE, Some(id)),
            "{answers:?}"
        );
        assert_eq!(report.total, Some(money("10.250", "KWD")), "{answers:?}");
    }
    for (name, value) in [("/status", json!("Active")), ("/payment_id", Value::Null)] {
        let report = asked(&known(PAGE), &[says_with("page paid", name, value)]);
        assert_eq!(report.outcome, Outcome::Unknown, "{name}");
    }
}

#[test]
fn each_status_of_a_payment_has_its_outcome() {
    for (name, outcome) in [
        ("asked: authorized", Outcome::Approved),
        ("asked: captured", Outcome::Approved),
        ("asked: partially captured", Outcome::Approved),
        ("asked: refunded", Outcome::Approved),
        ("asked: partially refunded", Outcome::Approved),
        ("asked: card verified", Outcome::Approved),
        ("asked: voided", Outcome::Canceled),
        ("asked: canceled", Outcome::Canceled),
        ("asked: expired", Outcome::Canceled),
        ("asked: pending", Outcome::Unknown),
    ] {
        assert_eq!(asked(&known(PAYMENT), &[says(name)]).outcome, outcome, "{name}");
    }
    for word in ["Paid", "Retry Scheduled", "Authorised", ""] {
        let answered = says_with("asked: authorized", "/status", json!(word));
        assert_eq!(asked(&known(PAYMENT), &[answered]).outcome, Outcome::Unknown, "{word}");
    }
    let refuted = says_with("asked: captured", "/approved", json!(false));
    assert_eq!(asked(&known(PAYMENT), &[refuted]).outcome, Outcome::Unknown);
}

#[test]
fn an_outcome_without_id_reference_or_amount_is_unknown() {
    for name in ["asked: captured", "asked: canceled"] {
        for (place, value) in [
            ("/id", Value::Null),
            ("/id", json!("pay_a/b")),
            ("/reference", Value::Null),
            ("/amount", Value::Null),
            ("/currency", json!("XXX")),
            ("/status", Value::Null),
        ] {
            let report = asked(&known(PAYMENT), &[says_with(name, place, value)]);
            assert_eq!(report.outcome, Outcome::Unknown, "{name} {place}");
        }
    }
}

#[test]
fn a_payment_by_a_wallet_or_a_saved_card_says_what_became_of_it() {
    let google = by_wallet(Wallet::GooglePay);
    let paid = opened(&google, &[says("token"), says("paid")]);
    assert_eq!(paid.outcome, Outcome::Approved);
    assert_eq!((paid.total, paid.card), (Some(money("10.250", "KWD")), None));
    for (name, value) in [
        ("auth_code", "643381"),
        ("card_number", "424242******4242"),
        ("card_type", "Visa"),
        ("full_card_expiry", "06/30"),
        ("payment_id", PAYMENT),
        ("post_date", "2026-11-21"),
        ("rrn", "909913440644"),
        ("track_id", REFERENCE),
    ] {
        assert_eq!(paid.params.get(name).map(String::as_str), Some(value), "{name}");
    }
    let text = format!("{:?}{:?}", paid.raw, paid.params);
    assert!(!text.contains("src_") && !text.contains("noura@") && !text.contains("cus_"), "{text}");
    let declined = opened(&by_card(ChargeInitiator::Payer, None), &[says("declined")]);
    assert_eq!(declined.outcome, Outcome::Declined);
    assert_eq!(declined.message.as_deref(), Some("Insufficient Funds"));
    assert_eq!(declined.params["decline_reason"], "insufficient_funds");
    assert_eq!(declined.params["decline_code"], "20051");
    let bank =
        "https://vkuhvk4v.api.sandbox.checkout.com/sessions-interceptor/sid_ubfj2q76miwundwlk72vxt2i7q";
    let waits = opened(&by_card(ChargeInitiator::Payer, None), &[says("bank waits for the payer")]);
    assert_eq!((waits.outcome, waits.gateway_id.as_deref()), (open_at(bank), Some(PAYMENT)));
    let absent = opened(&by_card(ChargeInitiator::Merchant, None), &[says("bank waits for the payer")]);
    assert_eq!((absent.outcome, absent.gateway_id.as_deref()), (Outcome::Unknown, Some(PAYMENT)));
}

#[test]
fn a_decline_is_explained_by_the_actions_of_the_payment() {
    let declined = |actions| asked(&known(PAYMENT), &[says("asked: declined"), actions]);
    let explained = declined(says("actions: payment declined"));
    assert_eq!(explained.params["decline_reason"], "insufficient_funds");
    assert_eq!(explained.message.as_deref(), Some("Insufficient Funds"));
    for unreadable in [says("actions: none"), answer(500, ""), answer(200, "{}"), answer(404, "")] {
        let report = declined(unreadable);
        assert_eq!((report.outcome, report.params["decline_reason"].as_str()), (Outcome::Declined, "other"));
    }
}

#[test]
fn a_card_is_saved_with_the_payment_to_which_later_ones_refer() {
    let saving = Order { saves_card: true, ..by_wallet(Wallet::GooglePay) };
    let card = opened(&saving, &[says("token"), says("paid")]).card.unwrap();
    assert_eq!((card.token.0.as_str(), card.brand.as_deref()), (TOKEN, Some("Visa")));
    assert_eq!((card.number.as_deref(), card.expiry.month().as_str()), (Some("**** 4242"), "06"));
    let page = ChargeRef { saves_card: true, ..known(PAGE) };
    assert!(asked(&page, &[says("page paid"), says("asked: captured")]).card.is_some());
    let verified = ChargeRef { operation: ChargeOperation::Verify, ..known(PAGE) };
    assert!(asked(&verified, &[says("page paid"), says("asked: card verified")]).card.is_some());
    for place in ["/source/id", "/source/expiry_year", "/source"] {
        let answered = says_with("asked: captured", place, Value::Null);
        assert_eq!(asked(&page, &[says("page paid"), answered]).card, None, "{place}");
    }
}

#[test]
fn a_charge_whose_answer_was_lost_is_found_by_its_reference() {
    let lost = charge("10.250", "KWD");
    assert_eq!(asked(&lost, &[says("list")]).outcome, Outcome::Approved);
    assert_eq!(asked(&lost, &[says("list of declines")]).outcome, Outcome::Declined);
    assert_eq!(asked(&lost, &[says("list: empty")]).outcome, Outcome::Absent);
    let more = says_with("list: empty", "/total_count", json!(1));
    assert_eq!(asked(&lost, &[more]).outcome, Outcome::Unknown);
    for other in [
        answer(404, ""),
        answer(200, "{}"),
        answer(500, "{}"),
        answer(200, r#"{"data":[],"total_count":"0"}"#),
    ] {
        assert_eq!(asked(&lost, &[other]).outcome, Outcome::Unknown);
    }
    let mut foreign = sample("list");
    for payment in foreign["data"].as_array_mut().unwrap() {
        payment["reference"] = json!("OTHER");
    }
    let report = asked(&lost, &[answer(200, foreign.to_string())]);
    assert_eq!((report.outcome, report.reference.as_str()), (Outcome::Absent, REFERENCE));
}

#[test]
fn what_is_refused_was_not_charged_and_nothing_else_is_refused() {
    for order in [by_card(ChargeInitiator::Payer, None), order("10.250", "KWD")] {
        let message = refused(&order, &[says("invalid")]);
        assert_eq!(message.as_deref(), Some("request_invalid: token_required, currency_required"));
        assert_eq!(
            refused(&order, &[says("recorded: refused without codes")]).as_deref(),
            Some("request_invalid")
        );
        for (status, part) in [(401, "the key"), (403, "permit")] {
            assert!(refused(&order, &[answer(status, "")]).unwrap().contains(part));
        }
        for unclear in [
            says("duplicate"),
            says("processing error"),
            answer(422, ""),
            answer(502, ""),
            answer(403, "<html>"),
        ] {
            assert_eq!(opened(&order, &[unclear]).outcome, Outcome::Unknown);
        }
    }
    let google = by_wallet(Wallet::GooglePay);
    for unmade in [says("invalid"), answer(500, ""), answer(201, r#"{"token":"x"}"#)] {
        assert!(refused(&google, &[unmade]).is_some());
    }
}

#[test]
fn the_recorded_answers_are_read() {
    let usd = |name| opened(&by_card(ChargeInitiator::Payer, None), &[says(name)]);
    let approved = usd("recorded: approved");
    assert_eq!((approved.outcome, approved.total), (Outcome::Approved, Some(money("2.00", "USD"))));
    assert_eq!(approved.params["rrn"], "861613285622");
    assert_eq!(usd("recorded: authorized").outcome, Outcome::Approved);
    assert_eq!(usd("recorded: verified").total, Some(money("0.00", "USD")));
    // Nothing says that this one is over.
    assert_eq!(usd("recorded: without a status").outcome, Outcome::Unknown);
    let of =
        |names: &[&str]| asked(&known(PAYMENT), &names.iter().map(|name| says(name)).collect::<Vec<_>>());
    let declined =
        of(&["recorded: asked, declined by the bank after 3-D Secure", "actions: payment declined"]);
    assert_eq!((declined.outcome, declined.total), (Outcome::Declined, Some(money("1.00", "USD"))));
    assert_eq!(of(&["recorded: asked, authorized"]).outcome, Outcome::Approved);
    assert_eq!(of(&["recorded: asked, declined", "actions: none"]).outcome, Outcome::Declined);
    for name in ["recorded: card expired", "recorded: card refused"] {
        assert!(
            refused(&by_card(ChargeInitiator::Payer, None), &[says(name)]).unwrap().contains("card_"),
            "{name}"
        );
    }
}

#[test]
fn the_check_says_whether_the_key_is_accepted() {
    let checked = |answered: Incoming| converse(shop().check(), &[answered]).1;
    assert_eq!(checked(says("list: empty")), Checked::Accepted);
    assert!(matches!(checked(answer(401, "")), Checked::Refused(Some(_))));
    assert!(matches!(checked(answer(403, "<html>")), Checked::Refused(Some(_))));
    for unclear in [answer(200, ""), answer(404, ""), answer(500, ""), answer(429, "")] {
        assert_eq!(checked(unclear), Checked::Unclear);
    }
}
