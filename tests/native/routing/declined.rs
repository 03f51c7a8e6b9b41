//! A soft decline: the payment goes on through the next gateway if the settings say so, and nothing else does.

use checkout_tests::shop::{order, text};
use serde_json::{Value, json};

use super::fallback::wallet;
use super::{Line, Routed, findings};

fn going_on() -> Routed {
    Routed::open(json!({"after_decline": true}))
}

/// Pays by a wallet while the first gateway declines, and what was tried.
fn by_wallet(routed: &Routed, line: Line) -> (Value, Vec<(String, &'static str)>) {
    routed.set("one", line);
    let session_id = routed.shop.create(&order(&["one", "two", "three"]));
    let answer = wallet(routed, session_id.as_str(), Some("key-1"));
    assert_eq!(wallet(routed, session_id.as_str(), Some("key-1")), answer, "the same request again");
    (answer, routed.tried(&session_id))
}

#[test]
fn a_wallets_payment_goes_on_where_another_gateway_may_approve_it() {
    for reason in ["do_not_honor", "not_permitted", "technical_error"] {
        let routed = going_on();
        let (answer, tried) = by_wallet(&routed, Line::Declining(reason));
        assert_eq!(text(&answer, "result"), Some("success"), "{answer}");
        assert_eq!(tried, [("one".into(), "failed"), ("two".into(), "success")], "{reason}");
        assert_eq!(routed.shop.bank.approved(), 2, "the simulated bank approved what the first answer hid");
    }
}

#[test]
fn nothing_goes_on_after_another_decline_or_without_the_setting() {
    let final_ones = [
        "insufficient_funds",
        "limit_exceeded",
        "expired_card",
        "invalid_card",
        "lost_or_stolen",
        "suspected_fraud",
        "revoked",
        "authentication_failed",
        "wrong_pin",
        "other",
    ];
    for reason in final_ones {
        let (answer, tried) = by_wallet(&going_on(), Line::Declining(reason));
        assert_eq!(text(&answer, "result"), Some("failed"), "{answer}");
        assert_eq!(tried, [("one".into(), "failed")], "{reason}");
    }
    let (_, tried) = by_wallet(&Routed::open(json!({})), Line::Declining("do_not_honor"));
    assert_eq!(tried, [("one".into(), "failed")]);
    let (_, tried) = by_wallet(&going_on(), Line::Lost);
    assert_eq!(tried, [("one".into(), "pending")], "it may have been charged");
}

#[test]
fn the_record_says_why_a_payment_went_on() {
    let routed = going_on();
    routed.set("one", Line::Declining("do_not_honor"));
    let session_id = routed.shop.create(&order(&["one", "two", "three"]));
    let _ = wallet(&routed, session_id.as_str(), None);
    let [before, after] = &routed.decisions(&session_id)[..] else { panic!("two decisions") };
    assert_eq!(text(after, "decided_by"), Some("after_decline"));
    assert_eq!(text(after, "replaces"), text(before, "reference_number"));
    assert_eq!(findings(after), [("one", "declined"), ("two", "chosen"), ("three", "next")]);
}

#[test]
fn a_payer_who_presses_the_same_method_again_goes_to_the_next_gateway() {
    for (reason, second) in
        [("insufficient_funds", "two"), ("do_not_honor", "two"), ("lost_or_stolen", "one")]
    {
        let routed = going_on();
        let session_id = routed.shop.create(&order(&["knet", "one", "two", "three"]));
        let reference = routed.shop.pay_to_page(&session_id, "one");
        routed.set("one", Line::Declining(reason));
        routed.shop.bank.decline(reference.as_str());
        let _ = routed.shop.come_back(&reference);
        routed.set("one", Line::Up);
        assert_eq!(routed.tried(&session_id), [("one".into(), "failed")]);
        let _ = routed.shop.pay_to_page(&session_id, "one");
        assert_eq!(
            routed.tried(&session_id),
            [("one".into(), "failed"), (second.into(), "pending")],
            "{reason}"
        );
        let decisions = routed.decisions(&session_id);
        let decided = if second == "two" { "after_decline" } else { "order" };
        assert_eq!(text(&decisions[1], "decided_by"), Some(decided), "{decisions:?}");
    }
}

#[test]
fn a_method_without_another_gateway_stays_what_the_payer_chose() {
    let routed = going_on();
    let session_id = routed.shop.create(&order(&["knet", "one"]));
    let reference = routed.shop.pay_to_page(&session_id, "one");
    routed.shop.bank.decline(reference.as_str());
    let _ = routed.shop.come_back(&reference);
    let _ = routed.shop.pay_to_page(&session_id, "one");
    assert_eq!(routed.tried(&session_id), [("one".into(), "failed"), ("one".into(), "pending")]);
    assert!(findings(&routed.decisions(&session_id)[1]).contains(&("one", "chosen")));
}
