//! The disputes of an intent: what is asked, and what every answer means.

use checkout_core::gateway::dispute::{Dispute, DisputeStatus, Disputes};
use checkout_core::testing::gateway::{REFERENCE, money};
use checkout_core::value::time::Timestamp;
use serde_json::json;

use super::*;

const INTENT: &str = "pi_1Made";

fn entry(id: &str, status: &str, intent: &Value) -> Value {
    json!({ "id": id, "object": "dispute", "amount": 10_250, "currency": "kwd", "charge": "ch_1Made", "payment_intent": intent,
        "reason": "product_not_received", "status": status, "is_charge_refundable": false, "livemode": false,
        "evidence_details": { "due_by": 1_796_497_200, "has_evidence": false, "past_due": false, "submission_count": 0 } })
}

fn ours() -> Value {
    sample("intent paid")
}

fn list(entries: &[Value]) -> Incoming {
    answer(
        200,
        json!({ "object": "list", "url": "/v1/disputes", "has_more": false, "data": entries }).to_string(),
    )
}

fn read(incoming: &Incoming) -> Disputes {
    let stripe = stripe();
    stripe.disputes(INTENT).call().unwrap().read(incoming).done().unwrap()
}

#[test]
fn the_disputes_are_asked_for_with_their_intent_in_full() {
    let stripe = stripe();
    let request = stripe.disputes(INTENT).call().unwrap().request;
    assert!(
        request.url.ends_with("/v1/disputes?payment_intent=pi_1Made&limit=20&expand[]=data.payment_intent"),
        "{}",
        request.url
    );
    for other in ["ch_1", "pi_1/x", "pi_1&limit=1", ""] {
        assert_eq!(stripe.disputes(other).done(), Some(Disputes::OfOthers), "{other}");
    }
}

#[test]
fn a_dispute_is_read_with_why_how_much_and_until_when() {
    let expected = Dispute {
        id: "du_1Made".into(),
        status: DisputeStatus::NeedsAnswer,
        reason: Some("product_not_received".into()),
        amount: Some(money("10.250", "KWD")),
        answer_until: Some(Timestamp::from_millis(1_796_497_200_000)),
    };
    let found = read(&list(&[entry("du_1Made", "needs_response", &ours())]));
    assert_eq!(found, Disputes::Of { reference: REFERENCE.into(), dispute: expected });
}

#[test]
fn every_status_has_its_meaning_and_an_unknown_one_is_under_review() {
    for (words, meaning) in [
        (&["needs_response", "warning_needs_response"][..], DisputeStatus::NeedsAnswer),
        (&["won"], DisputeStatus::Won),
        (&["lost"], DisputeStatus::Lost),
        (&["warning_closed", "prevented"], DisputeStatus::Closed),
        (&["under_review", "warning_under_review", "unheard"], DisputeStatus::UnderReview),
    ] {
        for word in words {
            let Disputes::Of { dispute, .. } = read(&list(&[entry("du_1", word, &ours())])) else {
                panic!("{word}")
            };
            assert_eq!(dispute.status, meaning, "{word}");
        }
    }
}

#[test]
fn what_is_of_others_or_cannot_be_read_is_no_dispute_of_ours() {
    let mut foreign = ours();
    foreign["metadata"] = json!({});
    for intent in [foreign, json!(INTENT), Value::Null] {
        assert_eq!(read(&list(&[entry("du_1", "lost", &intent)])), Disputes::OfOthers, "{intent}");
    }
    for unclear in [list(&[]), answer(200, "[]"), answer(503, "{}")] {
        assert_eq!(read(&unclear), Disputes::Unclear, "{unclear:?}");
    }
}
