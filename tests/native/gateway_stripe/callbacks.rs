//! Webhooks: signed by the official signer of Stripe (`tests/vectors/gateways/stripe-webhooks.json`), and forged ones.

use checkout_core::gateway::callback::{Acknowledgement, Callback, CallbackContext, GatewayEvent};
use checkout_core::gateway::operation::OperationOutcome;
use checkout_core::testing::gateway::{
    OPERATION_REFERENCE, REFERENCE, answer, at_account, at_charge, callback,
};
use checkout_core::value::time::Timestamp;
use hmac::{Hmac, Mac};
use serde_json::json;
use sha2::Sha256;

use super::*;

const NOW: i64 = 1_795_219_200;

fn signature(secret: &str, at: i64, body: &str) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap();
    mac.update(format!("{at}.{body}").as_bytes());
    hex::encode(mac.finalize().into_bytes())
}

fn received(header: &str, body: &str) -> Option<Callback> {
    stripe().read_callback(&callback(&[("stripe-signature", header)], body), &at_account())
}

fn genuine(body: &str) -> Vec<GatewayEvent> {
    let header = format!("t={NOW},v1={}", signature(SECRET, NOW, body));
    received(&header, body).unwrap().events
}

fn event(kind: &str, object: &Value) -> String {
    json!({"id": "evt_1", "object": "event", "api_version": "2023-08-16", "created": NOW, "livemode": false,
        "pending_webhooks": 1, "type": kind, "data": {"object": object}})
    .to_string()
}

/// An object as events have it: with the ids of what belongs to it.
fn collapsed(name: &str) -> Value {
    let mut object = sample(name);
    for (member, id) in
        [("latest_charge", "ch_3Made"), ("payment_intent", "pi_3Made"), ("setup_intent", "seti_1Made")]
    {
        if object.get(member).is_some_and(Value::is_object) {
            object[member] = json!(id);
        }
    }
    object
}

fn ask(reference: &str) -> Vec<GatewayEvent> {
    vec![GatewayEvent::Ask(reference.into())]
}

#[test]
fn events_that_the_official_signer_signed_are_accepted() {
    let vectors: Vec<Value> =
        serde_json::from_str(include_str!("../../vectors/gateways/stripe-webhooks.json")).unwrap();
    assert!(vectors.len() >= 4);
    for vector in vectors {
        let text = |name: &str| vector[name].as_str().unwrap();
        let at = vector["timestamp"].as_i64().unwrap();
        let stripe = connect(&DECLARATION, &[(SECRET_KEY, KEY), (WEBHOOK_SECRET, text("secret"))]);
        let request = callback(&[("stripe-signature", text("header"))], text("body"));
        for (seconds, is_accepted) in [(0, true), (300, true), (-300, true), (301, false), (-301, false)] {
            let now = Timestamp::from_millis((at + seconds) * 1_000);
            let context = CallbackContext { now, ..at_account() };
            let read = stripe.read_callback(&request, &context);
            assert_eq!(read.is_some(), is_accepted, "{} {seconds}", text("name"));
        }
    }
}

#[test]
fn either_secret_and_any_of_several_signatures_is_enough() {
    let body = event("payment_intent.succeeded", &collapsed("intent paid"));
    let old = signature(SECRET, NOW, &body);
    let new = signature(NEXT_SECRET, NOW, &body);
    let wrong = signature("whsec_other", NOW, &body);
    for header in [
        format!("t={NOW},v1={old}"),
        format!("t={NOW},v1={new}"),
        format!("t={NOW},v1={wrong},v1={old}"),
        format!("t={NOW},v1={old},v1={new},v0={wrong}"),
        format!("t={NOW}, v1={old}"),
        format!("v1={old},t={NOW}"),
    ] {
        let callback = received(&header, &body).unwrap();
        assert_eq!(callback.events, ask(REFERENCE), "{header}");
        assert_eq!(callback.answer, Acknowledgement::Json(r#"{"received":true}"#));
    }
}

#[test]
fn a_forged_event_is_none() {
    let body = event("payment_intent.succeeded", &collapsed("intent paid"));
    let right = signature(SECRET, NOW, &body);
    for header in [
        String::new(),
        "t=".into(),
        right.clone(),
        format!("v1={right}"),
        format!("t={NOW}"),
        format!("t={NOW},v1="),
        format!("t={NOW},v0={right}"),
        format!("t={NOW},v1={}", right.to_uppercase()),
        format!("t={NOW},v1={}", &right[..63]),
        format!("t={NOW},v1={right}0"),
        format!("t={NOW},t={NOW},v1={right}"),
        format!("t=+{NOW},v1={right}"),
        format!("t={},v1={right}", NOW + 1),
        format!("t={NOW},v1={}", signature("", NOW, &body)),
        format!("t={NOW},v1={}", signature(KEY, NOW, &body)),
        format!("t={NOW},{}v1={right}", "v1=0,".repeat(8)),
        format!("t={},v1={}", NOW - 301, signature(SECRET, NOW - 301, &body)),
        format!("t={},v1={}", NOW + 301, signature(SECRET, NOW + 301, &body)),
        format!("t=99999999999999999999,v1={right}"),
    ] {
        assert_eq!(received(&header, &body), None, "{header}");
    }
    let header = format!("t={NOW},v1={right}");
    assert!(received(&header, &body).is_some());
    assert_eq!(received(&header, &body.replace("10250", "10251")), None);
    assert_eq!(stripe().read_callback(&answer(0, body.clone()), &at_account()), None);
    let unset = connect(&DECLARATION, &[(SECRET_KEY, KEY)]);
    let request = callback(&[("stripe-signature", &header)], body.clone());
    assert_eq!(unset.read_callback(&request, &at_account()), None);
    let empty = connect(&DECLARATION, &[(SECRET_KEY, KEY), (WEBHOOK_SECRET, "")]);
    let signed_with_nothing = format!("t={NOW},v1={}", signature("", NOW, &body));
    let request = callback(&[("stripe-signature", &signed_with_nothing)], body);
    assert_eq!(empty.read_callback(&request, &at_account()), None);
}

#[test]
fn an_event_leads_to_a_question_about_what_it_concerns() {
    for (kind, object, reference) in [
        ("payment_intent.succeeded", collapsed("intent paid"), REFERENCE),
        ("payment_intent.amount_capturable_updated", collapsed("intent held"), REFERENCE),
        ("payment_intent.payment_failed", collapsed("intent declined"), REFERENCE),
        ("payment_intent.payment_failed", collapsed("intent of a page with a declined try"), REFERENCE),
        ("payment_intent.canceled", collapsed("intent lapsed"), REFERENCE),
        ("payment_intent.processing", collapsed("intent processing"), REFERENCE),
        ("checkout.session.completed", collapsed("session paid"), REFERENCE),
        ("checkout.session.async_payment_failed", collapsed("session processing"), REFERENCE),
        ("checkout.session.completed", collapsed("session of a card"), REFERENCE),
        ("checkout.session.expired", collapsed("session expired after tries"), REFERENCE),
        ("setup_intent.succeeded", sample("session of a card")["setup_intent"].clone(), REFERENCE),
        ("refund.created", sample("refund pending"), OPERATION_REFERENCE),
        ("refund.updated", sample("refund done"), OPERATION_REFERENCE),
        ("charge.refund.updated", sample("refund done"), OPERATION_REFERENCE),
        ("charge.refunded", sample("intent paid")["latest_charge"].clone(), REFERENCE),
    ] {
        assert_eq!(genuine(&event(kind, &object)), ask(reference), "{kind}");
    }
}

#[test]
fn an_event_whose_object_is_complete_is_a_report() {
    let paid = genuine(&event("payment_intent.succeeded", &sample("intent paid")));
    let [GatewayEvent::Charge(report)] = paid.as_slice() else { panic!("{paid:?}") };
    assert_eq!((report.reference.as_str(), &report.outcome), (REFERENCE, &Outcome::Approved));
    assert_harmless(report);
    let expired = genuine(&event("checkout.session.expired", &sample("session expired")));
    let [GatewayEvent::Charge(report)] = expired.as_slice() else { panic!("{expired:?}") };
    assert_eq!((report.reference.as_str(), &report.outcome), (REFERENCE, &Outcome::Canceled));
    for kind in ["refund.failed", "refund.updated", "charge.refund.updated"] {
        let failed = genuine(&event(kind, &sample("refund failed")));
        let [GatewayEvent::Operation(report)] = failed.as_slice() else { panic!("{failed:?}") };
        let found = (report.reference.as_str(), &report.outcome, report.gateway_id.is_some());
        assert_eq!(found, (OPERATION_REFERENCE, &OperationOutcome::Refused, true));
    }
}

#[test]
fn every_refund_of_a_charge_is_asked_about() {
    let mut charge = sample("intent paid")["latest_charge"].clone();
    let other = json!({"id": "re_2", "object": "refund", "amount": 1, "currency": "kwd", "created": 1, "metadata": {"refund": "9K5M3P7Q4R8T"}});
    charge["refunds"] =
        json!({"object": "list", "has_more": false, "url": "/v1/x", "data": [sample("refund done"), other]});
    let events = genuine(&event("charge.refunded", &charge));
    assert_eq!(events, [ask(OPERATION_REFERENCE), ask("9K5M3P7Q4R8T")].concat());
    charge["refunds"]["data"] = Value::Array(vec![sample("refund done"); 500]);
    assert_eq!(genuine(&event("charge.refunded", &charge)).len(), 100);
}

#[test]
fn an_event_of_a_dispute_names_its_intent_and_nothing_of_it_is_believed() {
    for kind in ["created", "updated", "closed", "funds_withdrawn", "funds_reinstated"] {
        for intent in [json!("pi_1Made"), json!({"id": "pi_1Made", "object": "payment_intent"})] {
            let dispute =
                json!({"id": "du_1", "object": "dispute", "payment_intent": intent, "status": "lost"});
            let events = genuine(&event(&format!("charge.dispute.{kind}"), &dispute));
            assert_eq!(events, [GatewayEvent::Disputed("pi_1Made".into())], "{kind}");
        }
    }
    let other = json!({"id": "du_1", "object": "dispute", "payment_intent": "ch_1/x"});
    assert_eq!(genuine(&event("charge.dispute.created", &other)), []);
}

#[test]
fn what_concerns_no_payment_of_ours_is_accepted_and_says_nothing() {
    let mut foreign = collapsed("intent paid");
    foreign["metadata"] = json!({});
    let mut unsafe_name = collapsed("intent paid");
    unsafe_name["metadata"]["charge"] = json!("../x");
    for body in [
        event("payment_intent.succeeded", &foreign),
        event("payment_intent.succeeded", &unsafe_name),
        event("payment_intent.succeeded", &json!({"object": "payment_intent"})),
        event("charge.dispute.created", &json!({"id": "dp_1", "object": "dispute"})),
        event("charge.succeeded", &sample("intent paid")["latest_charge"]),
        event("payment_method.detached", &sample("method")),
        event("plan.created", &json!({})),
        r#"{"object":"event"}"#.into(),
        r#"{"type":"payment_intent.succeeded","data":{}}"#.into(),
        "[]".into(),
        "not json".into(),
        String::new(),
    ] {
        assert_eq!(genuine(&body), vec![], "{body}");
    }
}

#[test]
fn a_repeated_event_says_the_same_again_at_every_address() {
    let body = event("payment_intent.succeeded", &collapsed("intent paid"));
    assert_eq!(genuine(&body), genuine(&body));
    let header = format!("t={NOW},v1={}", signature(SECRET, NOW, &body));
    let request = callback(&[("stripe-signature", &header)], body);
    let stripe = stripe();
    assert_eq!(stripe.read_callback(&request, &at_charge()), stripe.read_callback(&request, &at_account()));
}
