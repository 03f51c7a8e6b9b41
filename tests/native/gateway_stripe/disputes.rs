//! The disputes of an intent: what is asked, and what every answer means.

use checkout_core::gateway::dispute::{Dispute, DisputeStatus, Disputes};
use checkout_core::testing::gateway::{REFERENCE, money};
use checkout_core::value::time::Timestamp;
use serde_json::json;

use super::*;

const INTENT: &str = "pi_3Made";

/// The dispute of the sample answer with another id, status and intent.
fn entry(id: &str, status: &str, intent: &Value) -> Value {
    let mut entry = sample("disputes")["data"][0].clone();
    (entry["id"], entry["status"], entry["payment_intent"]) = (json!(id), json!(status), intent.clone());
    entry
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
fn only_an_intent_is_asked_about() {
    let stripe = stripe();
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
        said_at: None,
    };
    let found = read(&says("disputes"));
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
