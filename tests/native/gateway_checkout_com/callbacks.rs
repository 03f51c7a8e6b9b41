//! Webhooks: who signed them, and what they say.

use checkout_core::gateway::callback::{Callback, GatewayEvent};
use checkout_core::gateway::operation::OperationOutcome;
use checkout_core::testing::gateway::{OPERATION_REFERENCE, REFERENCE, at_account, callback, money};
use checkout_core::webhook::signature::hmac_sha256;
use serde_json::json;

use super::*;

fn event(kind: &str, data: &Value) -> Value {
    json!({ "id": "evt_fkfqht6yonme7bk7jawrgzbbxq", "type": kind, "version": "1.0.29",
        "timestamp": "2026-11-21T00:00:32.357+00:00", "data": data })
}

fn of_charge() -> Value {
    json!({ "id": PAYMENT, "action_id": ACTION, "reference": REFERENCE, "amount": 10_250, "currency": "KWD",
        "response_code": "10000", "metadata": { "charge": REFERENCE } })
}

fn of_operation() -> Value {
    json!({ "id": PAYMENT, "action_id": ACTION, "reference": OPERATION_REFERENCE, "amount": 4_000, "currency": "KWD",
        "response_code": "20005", "response_summary": "Declined - Do Not Honour",
        "metadata": { "charge": REFERENCE, "operation": OPERATION_REFERENCE } })
}

fn signed(secret: &str, body: &str) -> Option<Callback> {
    let signature = hex::encode(hmac_sha256(secret.as_bytes(), &[body.as_bytes()]));
    shop().read_callback(&callback(&[("cko-signature", &signature)], body), &at_account())
}

fn events(kind: &str, data: &Value) -> Vec<GatewayEvent> {
    signed(SECRET, &event(kind, data).to_string()).unwrap().events
}

#[test]
fn an_event_of_a_charge_or_an_operation_is_a_reason_to_ask() {
    for kind in [
        "payment_approved",
        "payment_declined",
        "payment_captured",
        "payment_canceled",
        "payment_expired",
        "payment_pending",
        "payment_voided",
        "card_verified",
        "card_verification_declined",
    ] {
        assert_eq!(events(kind, &of_charge()), [GatewayEvent::Ask(REFERENCE.into())], "{kind}");
    }
    for kind in ["payment_captured", "payment_refunded", "payment_voided", "payment_refund_pending"] {
        assert_eq!(events(kind, &of_operation()), [GatewayEvent::Ask(OPERATION_REFERENCE.into())], "{kind}");
        // If the event names the charge, the mark of our request still names the operation.
        let mut data = of_operation();
        data["reference"] = json!(REFERENCE);
        assert_eq!(events(kind, &data), [GatewayEvent::Ask(OPERATION_REFERENCE.into())], "{kind}");
    }
}

#[test]
fn what_could_not_be_done_is_reported_at_once() {
    for kind in ["payment_refund_declined", "payment_void_declined", "payment_capture_declined"] {
        let found = events(kind, &of_operation());
        let [GatewayEvent::Operation(report) | GatewayEvent::Capture(report)] = found.as_slice() else {
            panic!("{kind}: {found:?}")
        };
        assert_eq!(
            (report.outcome, report.reference.as_str()),
            (OperationOutcome::Refused, OPERATION_REFERENCE)
        );
        let amount = (kind != "payment_void_declined").then(|| money("4.000", "KWD"));
        assert_eq!((report.amount, report.gateway_id.as_deref()), (amount, Some(ACTION)), "{kind}");
    }
    // The collection of a payment that Checkout.com captures by itself.
    let found = events("payment_capture_declined", &of_charge());
    assert!(
        matches!(&found[..], [GatewayEvent::Capture(report)] if report.reference == REFERENCE),
        "{found:?}"
    );
}

#[test]
fn what_concerns_no_payment_of_ours_says_nothing() {
    let mut foreign = of_charge();
    foreign["reference"] = json!("order 5023");
    for kind in ["payment_approved", "payment_refund_declined"] {
        assert_eq!(events(kind, &foreign), []);
    }
    for kind in ["source_updated", "payments", "", "invoice_paid"] {
        assert_eq!(events(kind, &of_charge()), [], "{kind}");
    }
    for body in ["{}", "[]", "", r#"{"type":"payment_approved"}"#, r#"{"type":1,"data":{}}"#] {
        assert_eq!(signed(SECRET, body).unwrap().events, [], "{body}");
    }
}

#[test]
fn an_event_of_a_dispute_names_its_payment_and_nothing_of_it_is_believed() {
    let data = json!({ "id": "dsp_9rjdlsd4epepfjyyf9vl", "category": "fraudulent", "amount": 10_250, "currency": "KWD",
        "reason_code": "10.4", "payment_id": PAYMENT, "payment_reference": REFERENCE });
    for kind in ["dispute_received", "dispute_evidence_required", "dispute_won", "dispute_arbitration_lost"] {
        assert_eq!(events(kind, &data), [GatewayEvent::Disputed(PAYMENT.into())], "{kind}");
    }
    for payment in [json!("pay_1/../x"), json!("hpp_1"), json!(7), Value::Null] {
        let mut other = data.clone();
        other["payment_id"] = payment;
        assert_eq!(events("dispute_lost", &other), [], "{other}");
    }
}

#[test]
fn only_what_is_signed_with_one_of_the_keys_is_a_callback() {
    let body = event("payment_approved", &of_charge()).to_string();
    assert!(signed(SECRET, &body).is_some() && signed(NEXT_SECRET, &body).is_some());
    assert!(signed("another", &body).is_none() && signed("", &body).is_none());
    let right = hex::encode(hmac_sha256(SECRET.as_bytes(), &[body.as_bytes()]));
    let shop = shop();
    let with = |header: &str, body: &str| {
        shop.read_callback(&callback(&[("cko-signature", header)], body), &at_account()).is_some()
    };
    assert!(with(&right, &body) && with(&right.to_uppercase(), &body));
    for wrong in ["", "00", right.get(1..).unwrap(), &format!("{right}00"), &right.replace('a', "b")] {
        assert!(!with(wrong, &body), "{wrong}");
    }
    assert!(!with(&right, &format!("{body} ")));
    assert!(shop.read_callback(&callback(&[], body.clone()), &at_account()).is_none());
    let bare = connect(&DECLARATION, &[(SECRET_KEY, "sk"), (PREFIX, "vkuhvk4v")]);
    let empty = hex::encode(hmac_sha256(b"", &[body.as_bytes()]));
    assert!(bare.read_callback(&callback(&[("cko-signature", &empty)], body), &at_account()).is_none());
}
