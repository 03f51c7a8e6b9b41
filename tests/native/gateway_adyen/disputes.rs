//! What Adyen reports of disputes. The signatures in the vectors were made by Adyen's own library.

use checkout_core::gateway::callback::GatewayEvent;
use checkout_core::gateway::dispute::{Dispute, DisputeReport, DisputeStatus};
use checkout_core::testing::gateway::{REFERENCE, money};
use checkout_core::value::time::Timestamp;
use serde_json::{Value, json};

use super::callbacks::{body, item, read, signed};

const DISPUTE: &str = "QFQTPCQ8HXSKGK82";

fn said(body: &Value) -> Dispute {
    match &read(body).unwrap().events[..] {
        [GatewayEvent::Dispute(DisputeReport { reference, dispute })] if reference == REFERENCE => {
            dispute.clone()
        }
        other => panic!("{other:?} of {body}"),
    }
}

/// The sample of a dispute that was opened, with other members.
fn opened(change: impl FnOnce(&mut Value)) -> Value {
    let mut body = body("disputed: opened");
    change(item(&mut body));
    signed(body)
}

#[test]
fn a_dispute_is_read_with_why_how_much_until_when_and_when_that_was_said() {
    let expected = Dispute {
        id: DISPUTE.into(),
        status: DisputeStatus::NeedsAnswer,
        reason: Some("10.4".into()),
        amount: Some(money("10.250", "KWD")),
        answer_until: Timestamp::parse("2027-01-06T18:00:00Z"),
        said_at: Timestamp::parse("2026-11-24T09:11:12Z"),
    };
    assert_eq!(said(&body("disputed: opened")), expected);
    assert_eq!(said(&body("disputed: asked")).reason.as_deref(), Some("0030"));
    assert_eq!(said(&body("disputed: opened and defended by Adyen")).reason.as_deref(), Some("4853"));
    let bare = said(&body("disputed: reversed, bare"));
    assert_eq!((bare.reason, bare.answer_until), (None, None));
}

#[test]
fn every_event_and_every_word_has_its_meaning() {
    for (name, meaning) in [
        ("asked", DisputeStatus::NeedsAnswer),
        ("asked and answered", DisputeStatus::UnderReview),
        ("asked for nothing more", DisputeStatus::Closed),
        ("opened", DisputeStatus::NeedsAnswer),
        ("opened and defended by Adyen", DisputeStatus::UnderReview),
        ("accepted", DisputeStatus::Lost),
        ("charged back", DisputeStatus::NeedsAnswer),
        ("charged back, from Brazil", DisputeStatus::NeedsAnswer),
        ("charged back, and lost", DisputeStatus::Lost),
        ("defended", DisputeStatus::UnderReview),
        ("reversed", DisputeStatus::UnderReview),
        ("reversed, and won", DisputeStatus::Won),
        ("reversed, bare", DisputeStatus::UnderReview),
        ("charged back again", DisputeStatus::Lost),
        ("not defended in time", DisputeStatus::Lost),
        ("the bank did not answer", DisputeStatus::Won),
        ("PREARBITRATION_OPEN", DisputeStatus::NeedsAnswer),
        ("PREARBITRATION_WON", DisputeStatus::Won),
        ("PREARBITRATION_LOST", DisputeStatus::Lost),
    ] {
        assert_eq!(said(&body(&format!("disputed: {name}"))).status, meaning, "{name}");
    }
    for (event, meaning) in [
        ("PREARBITRATION_ACCEPTED", DisputeStatus::UnderReview),
        ("PREARBITRATION_DECLINED", DisputeStatus::UnderReview),
        ("PREARBITRATION_ISSUER_WITHDRAWN", DisputeStatus::UnderReview),
        ("SCHEME_ARBITRATION", DisputeStatus::UnderReview),
        ("SCHEME_ARBITRATION_WON", DisputeStatus::Won),
        ("SCHEME_ARBITRATION_LOST", DisputeStatus::Lost),
    ] {
        let of_event = opened(|item| {
            item["eventCode"] = json!(event);
            item["additionalData"]["disputeStatus"] = json!("Unheard");
        });
        assert_eq!(said(&of_event).status, meaning, "{event}");
    }
}

#[test]
fn an_end_that_is_signed_counts_more_than_a_word_that_is_not() {
    for (event, meaning) in
        [("SECOND_CHARGEBACK", DisputeStatus::Lost), ("PREARBITRATION_WON", DisputeStatus::Won)]
    {
        assert_eq!(said(&opened(|item| item["eventCode"] = json!(event))).status, meaning);
    }
}

#[test]
fn what_cannot_be_read_is_left_out_and_without_an_id_there_is_no_dispute() {
    let odd = said(&opened(|item| {
        item["eventDate"] = json!("yesterday");
        item["additionalData"]["defensePeriodEndsAt"] = json!("soon");
        item["additionalData"]["chargebackReasonCode"] = json!("<b>");
        item["amount"]["value"] = json!(-1);
    }));
    assert_eq!((odd.reason, odd.answer_until, odd.amount), (None, None, None));
    assert_eq!(odd.said_at, Some(Timestamp::from_millis(0)), "it is older than what has a date");
    for id in ["", "<script>", "a b"] {
        assert_eq!(read(&opened(|item| item["pspReference"] = json!(id))).unwrap().events, [], "{id}");
    }
    assert_eq!(read(&opened(|item| item["success"] = json!("false"))).unwrap().events, []);
}

#[test]
fn a_changed_dispute_is_refused_and_one_of_another_account_is_ignored() {
    for (name, value) in [("eventCode", "SECOND_CHARGEBACK"), ("merchantReference", "7H3K9M2P4Q5S")] {
        let mut changed = body("disputed: opened");
        item(&mut changed)[name] = json!(value);
        assert_eq!(read(&changed), None, "{name}");
    }
    assert_eq!(read(&opened(|item| item["merchantAccountCode"] = json!("Other"))).unwrap().events, []);
}
