//! Charges that are found by their reference, and the list of charges.

use checkout_core::gateway::listing::{ChargePage, ListedSums, Period};
use checkout_core::testing::gateway::{OPENED_AT, REFERENCE, answer, money};
use checkout_core::value::time::Timestamp;
use serde_json::json;

use super::*;

#[test]
fn a_charge_whose_id_was_lost_is_found_by_its_reference() {
    let page = charge("10.250", "KWD");
    assert_eq!(asked(&page, &[says("sessions"), says("session paid")]).outcome, Outcome::Approved);
    assert_eq!(
        asked(&page, &[says("more sessions"), says("sessions"), says("session expired")]).outcome,
        Outcome::Canceled
    );
    assert_eq!(asked(&lost(), &[says("intents"), says("intent paid")]).outcome, Outcome::Approved);
    let unsafe_id = ChargeRef { gateway_id: Some("pi_1/../x".into()), ..lost() };
    assert_eq!(asked(&unsafe_id, &[says("no intents")]).outcome, Outcome::Absent);
}

#[test]
fn a_charge_is_absent_only_if_the_whole_list_was_read() {
    let page = charge("10.250", "KWD");
    let report = asked(&page, &[says("no sessions")]);
    assert_eq!((report.outcome, report.reference.as_str()), (Outcome::Absent, REFERENCE));
    assert_eq!(asked(&page, &[says("more sessions"), says("no sessions")]).outcome, Outcome::Absent);
    let endless = ["more sessions"; 4].map(says);
    assert_eq!(asked(&page, &endless).outcome, Outcome::Unknown);
    for unreadable in [
        answer(200, "{"),
        answer(200, "{}"),
        answer(200, r#"{"object":"list","data":[]}"#),
        says("broken"),
        says("missing"),
        says("no permission"),
        says("busy"),
        answer(404, ""),
        says_with("no sessions", "/has_more", json!("no")),
        says_with("no sessions", "/has_more", json!(true)),
        says_with("sessions", "/data/1/id", json!("../x")),
    ] {
        assert_eq!(asked(&page, &[unreadable]).outcome, Outcome::Unknown);
    }
    // What has an id exists: an answer that says otherwise is about another account.
    assert_eq!(asked(&known("pi_3Made"), &[says("missing")]).outcome, Outcome::Unknown);
}

#[test]
fn a_charge_whose_id_was_lost_is_withdrawn_by_its_reference() {
    let withdraw =
        |charge: &ChargeRef, answers: &[Incoming]| converse(stripe().withdraw(charge), answers).1.outcome;
    let page = charge("10.250", "KWD");
    assert_eq!(withdraw(&page, &[says("sessions"), says("session expired")]), Outcome::Canceled);
    assert_eq!(withdraw(&page, &[says("no sessions")]), Outcome::Absent);
    assert_eq!(withdraw(&page, &["more sessions"; 2].map(says)), Outcome::Unknown);
    // The longest exchange has as many requests as an exchange may have.
    let longest = [
        says_with("more sessions", "/data/0/id", json!("pi_3Last")),
        says("intents"),
        says("intent waits for the payer"),
        says("unexpected state"),
        says("intent canceled"),
    ];
    assert_eq!(withdraw(&lost(), &longest), Outcome::Canceled);
}

fn listed(cursor: Option<&str>, answers: &[Incoming]) -> Option<ChargePage> {
    let period = Period {
        from: Timestamp::from_millis(OPENED_AT),
        to: Timestamp::from_millis(OPENED_AT + 86_400_000),
    };
    converse(stripe().list_charges(period, cursor).unwrap(), answers).1
}

#[test]
fn the_list_says_what_was_done_to_each_charge_of_ours() {
    let page = listed(None, &[says("charges")]).unwrap();
    let zero = money("0", "KWD");
    let all = money("10.250", "KWD");
    let expected = [
        (REFERENCE, Outcome::Approved, [Some(all), Some(money("0.500", "KWD")), Some(zero)]),
        // What the capture released is no refund.
        ("9K5M3P7Q4R8T", Outcome::Approved, [Some(money("4.000", "KWD")), None, Some(zero)]),
        (REFERENCE, Outcome::Approved, [Some(zero), Some(zero), Some(all)]),
        (REFERENCE, Outcome::Unknown, [None; 3]),
    ];
    let found: Vec<_> = page
        .charges
        .iter()
        .map(|charge| {
            let ListedSums { captured, refunded, voided } = charge.sums;
            (charge.report.reference.as_str(), charge.report.outcome.clone(), [captured, refunded, voided])
        })
        .collect();
    assert_eq!(found, expected);
    assert_eq!(page.next.as_deref(), Some("pi_3Made"));
    for charge in &page.charges {
        assert_eq!(charge.report.total, Some(all));
        assert_harmless(&charge.report);
    }
}

#[test]
fn the_refunds_of_a_period_follow_the_charges() {
    assert_eq!(
        listed(None, &[says("no intents")]),
        Some(ChargePage { charges: vec![], next: Some("refunds".into()) })
    );
    let page = listed(Some("refunds"), &[says("charges of refunds")]).unwrap();
    assert_eq!((page.charges.len(), page.next), (1, None));
    assert_eq!(page.charges[0].sums.refunded, Some(money("0.500", "KWD")));
}

#[test]
fn a_page_of_the_list_is_read_in_full_or_not_at_all() {
    for unreadable in [
        answer(200, ""),
        says("broken"),
        says("no key"),
        says_with("charges", "/data/2/status", Value::Null),
        says_with("charges", "/data/4/id", json!("x")),
        says_with("charges", "/data/0", json!("pi_1")),
    ] {
        assert_eq!(listed(None, &[unreadable]), None);
    }
    let collapsed = says_with("charges of refunds", "/data/0/payment_intent", json!("pi_3Made"));
    assert_eq!(listed(Some("refunds"), &[collapsed]), None);
    for cursor in ["x", "pi_", "pi_1&limit=1", "cs_1"] {
        assert_eq!(listed(Some(cursor), &[]), None);
    }
}
