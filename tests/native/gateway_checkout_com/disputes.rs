//! The disputes of a payment: what is asked, and what every answer means.

use checkout_core::gateway::dispute::{Dispute, DisputeStatus, Disputes};
use checkout_core::testing::gateway::{REFERENCE, money};
use checkout_core::value::time::Timestamp;
use serde_json::json;

use super::*;

/// An entry of the list, in the form that the official client is tested with.
fn entry(id: &str, status: &str) -> Value {
    json!({ "id": id, "category": "fraudulent", "status": status, "amount": 10_250, "currency": "KWD", "reason_code": "10.4",
        "payment_id": PAYMENT, "payment_reference": REFERENCE, "payment_method": "Visa", "payment_arn": "127502332018",
        "received_on": "2026-11-26T20:47:44Z", "last_update": "2026-11-26T20:47:44Z",
        "evidence_required_by": "2026-12-06T18:00:00Z" })
}

fn list(entries: &[Value]) -> Incoming {
    let list = json!({ "limit": 20, "skip": 0, "payment_id": PAYMENT, "total_count": entries.len(), "data": entries });
    answer(200, list.to_string())
}

fn read(incoming: &Incoming) -> Disputes {
    let shop = shop();
    shop.disputes(PAYMENT).call().unwrap().read(incoming).done().unwrap()
}

fn status(word: &str) -> DisputeStatus {
    match read(&list(&[entry("dsp_1", word)])) {
        Disputes::Of { dispute, .. } => dispute.status,
        other @ (Disputes::OfOthers | Disputes::Unclear) => panic!("{other:?}"),
    }
}

#[test]
fn the_disputes_of_the_payment_are_asked_for() {
    let shop = shop();
    let request = shop.disputes(PAYMENT).call().unwrap().request;
    let url = format!("https://vkuhvk4v.api.sandbox.checkout.com/disputes?payment_id={PAYMENT}&limit=20");
    assert_eq!((request.url, request.body), (url, vec![]));
    for other in ["hpp_1", "pay_1/../x", "pay_1&statuses=won", ""] {
        assert_eq!(shop.disputes(other).done(), Some(Disputes::OfOthers), "{other}");
    }
}

#[test]
fn a_dispute_is_read_with_why_how_much_and_until_when() {
    let expected = Dispute {
        id: "dsp_3dc29c89ce075g46136d".into(),
        status: DisputeStatus::NeedsAnswer,
        reason: Some("fraudulent 10.4".into()),
        amount: Some(money("10.250", "KWD")),
        answer_until: Timestamp::parse("2026-12-06T18:00:00Z"),
        said_at: None,
    };
    let found = read(&list(&[entry("dsp_3dc29c89ce075g46136d", "evidence_required")]));
    assert_eq!(found, Disputes::Of { reference: REFERENCE.into(), dispute: expected });
    let mut bare = entry("dsp_1", "lost");
    for name in ["category", "reason_code", "amount", "evidence_required_by"] {
        bare.as_object_mut().unwrap().remove(name);
    }
    let expected = Dispute {
        id: "dsp_1".into(),
        status: DisputeStatus::Lost,
        reason: None,
        amount: None,
        answer_until: None,
        said_at: None,
    };
    assert_eq!(read(&list(&[bare])), Disputes::Of { reference: REFERENCE.into(), dispute: expected });
}

#[test]
fn every_status_has_its_meaning_and_an_unknown_one_is_under_review() {
    for (words, meaning) in [
        (&["evidence_required"][..], DisputeStatus::NeedsAnswer),
        (&["won", "arbitration_won"], DisputeStatus::Won),
        (&["lost", "accepted", "expired", "arbitration_lost"], DisputeStatus::Lost),
        (&["canceled", "resolved"], DisputeStatus::Closed),
        (&["evidence_under_review", "arbitration_under_review", "unheard", ""], DisputeStatus::UnderReview),
    ] {
        for word in words {
            assert_eq!(status(word), meaning, "{word}");
        }
    }
}

#[test]
fn the_dispute_that_waits_counts_before_the_one_that_changed_last() {
    let found = read(&list(&[entry("dsp_2", "won"), entry("dsp_1", "evidence_required")]));
    assert!(matches!(found, Disputes::Of { dispute, .. } if dispute.id == "dsp_1"));
}

#[test]
fn what_is_of_others_or_cannot_be_read_is_no_dispute_of_ours() {
    let mut other_payment = entry("dsp_1", "lost");
    other_payment["payment_id"] = json!("pay_other");
    let mut other_reference = entry("dsp_1", "lost");
    other_reference["payment_reference"] = json!("order 5023");
    let mut unsafe_id = entry("dsp_1", "lost");
    unsafe_id["id"] = json!("<script>");
    assert_eq!(read(&list(&[other_reference])), Disputes::OfOthers);
    for unclear in
        [list(&[]), list(&[other_payment]), list(&[unsafe_id]), answer(200, "not json"), answer(503, "{}")]
    {
        assert_eq!(read(&unclear), Disputes::Unclear, "{unclear:?}");
    }
    let refused = Incoming { status: 403, ..list(&[entry("dsp_1", "lost")]) };
    assert_eq!(read(&refused), Disputes::Unclear);
}
