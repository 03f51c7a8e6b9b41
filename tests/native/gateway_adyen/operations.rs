//! What the answers to operations, to the session of Apple Pay and to the check mean.

use checkout_core::gateway::check::Checked;
use checkout_core::gateway::exchange::Incoming;
use checkout_core::gateway::operation::OperationOutcome;
use checkout_core::gateway::wallet::{SessionAnswer, SessionOrder};
use checkout_core::testing::gateway::{answer, converse, money, operation, operation_order};
use checkout_core::words::ChildOperation;
use serde_json::{Value, json};

use super::outcomes::operated;
use super::{answered, changed, shop, wallet_charge};

#[test]
fn a_modification_is_queued_until_its_webhook() {
    for (kind, amount, name, given) in [
        (ChildOperation::Capture, "10.250", "capture received", Some(money("10.250", "KWD"))),
        (ChildOperation::Refund, "4.000", "refund received", Some(money("4.000", "KWD"))),
        (ChildOperation::Void, "10.250", "cancel received", None),
    ] {
        let report = operated(kind, amount, &answered(name));
        assert_eq!((report.outcome, report.amount), (OperationOutcome::Queued, given), "{name}");
        assert_eq!(report.reference, "8J4L2N6P3Q7S");
        assert_eq!(report.gateway_id.as_deref(), Some("V4HZ4RBFJGXXGN82"));
    }
    let order = operation_order(wallet_charge(), ChildOperation::Refund, "4.000");
    let asked = operation(&order, Some("V4HZ4RBFJGXXGN82"));
    assert_eq!(shop().inquire_operation(&asked).done().unwrap().outcome, OperationOutcome::Unknown);
}

#[test]
fn a_modification_that_does_not_fit_is_unknown_or_shows_what_it_is_about() {
    let read = |member, value| {
        operated(ChildOperation::Refund, "4.000", &changed("refund received", &[(member, value)]))
    };
    for (member, value) in [
        ("amount", Value::Null),
        ("reference", Value::Null),
        ("pspReference", Value::Null),
        ("status", json!("done")),
        ("paymentPspReference", json!("993617894903480A")),
    ] {
        assert_eq!(read(member, value).outcome, OperationOutcome::Unknown, "{member}");
    }
    assert_eq!(read("reference", json!("ANOTHER")).reference, "ANOTHER");
    let amount = read("amount", json!({ "currency": "KWD", "value": 4001 })).amount;
    assert_eq!(amount, Some(money("4.001", "KWD")));
}

#[test]
fn a_session_of_apple_pay_is_decoded() {
    let order = SessionOrder {
        merchant_id: "m".into(),
        shop_name: "Shop".into(),
        domain: "pay.example".into(),
        validation_url: None,
    };
    let started = |answer: &Incoming| converse(shop().start_session(&order), std::slice::from_ref(answer)).1;
    let issued = r#"{"epochTimestamp":1,"merchantSessionIdentifier":"SSH1"}"#.to_string();
    assert_eq!(started(&answered("apple session")), SessionAnswer::Issued(issued));
    let refused = SessionAnswer::Refused(Some("Not allowed".into()));
    assert_eq!(started(&answered("error forbidden")), refused);
    for body in
        [r#"{"data":"e30"}"#, r#"{"data":"W10="}"#, r#"{"data":"%"}"#, r#"{"data":1}"#, "{}", "<html>", ""]
    {
        assert_eq!(started(&answer(200, body)), SessionAnswer::Refused(None), "{body}");
    }
    let long = base64::Engine::encode(
        &base64::engine::general_purpose::STANDARD,
        format!(r#"{{"a":"{}"}}"#, "a".repeat(16_384)),
    );
    assert_eq!(started(&answer(200, json!({ "data": long }).to_string())), SessionAnswer::Refused(None));
}

#[test]
fn the_credentials_are_accepted_refused_or_neither() {
    let checked = |answer: &Incoming| converse(shop().check(), std::slice::from_ref(answer)).1;
    assert_eq!(checked(&answered("methods")), Checked::Accepted);
    for name in ["error unauthorised", "error forbidden", "error account"] {
        assert!(matches!(checked(&answered(name)), Checked::Refused(Some(_))), "{name}");
    }
    assert!(matches!(checked(&answer(401, "")), Checked::Refused(Some(_))));
    for other in [answered("error internal"), answer(200, "<html>"), answer(200, ""), answer(429, "{}")] {
        assert_eq!(checked(&other), Checked::Unclear);
    }
}
