//! Captures, refunds and voids.

use checkout_core::gateway::operation::{OperationOrder, OperationOutcome, OperationReport};
use checkout_core::testing::gateway::{OPERATION_REFERENCE, money, operation, operation_order};
use checkout_core::words::ChildOperation;
use serde_json::json;

use super::*;

const KINDS: [(ChildOperation, &str); 3] = [
    (ChildOperation::Capture, "Capture"),
    (ChildOperation::Refund, "Refund"),
    (ChildOperation::Void, "Void"),
];

fn ordered(kind: ChildOperation) -> OperationOrder {
    let amount = if kind == ChildOperation::Void { "10.250" } else { "4.000" };
    operation_order(known(PAYMENT), kind, amount)
}

fn operated(order: &OperationOrder, answers: &[Incoming]) -> OperationReport {
    converse(shop().operate(order), answers).1
}

fn asked_about(order: &OperationOrder, gateway_id: Option<&str>, answered: Incoming) -> OperationReport {
    converse(shop().inquire_operation(&operation(order, gateway_id)), &[answered]).1
}

#[test]
fn what_is_accepted_is_queued() {
    for (kind, _) in KINDS {
        let report = operated(&ordered(kind), &[says("accepted")]);
        assert_eq!(report.outcome, OperationOutcome::Queued);
        assert_eq!(
            (report.reference.as_str(), report.gateway_id.as_deref()),
            (OPERATION_REFERENCE, Some(ACTION))
        );
    }
    for name in ["recorded: capture accepted", "recorded: refund accepted", "recorded: void accepted"] {
        let report = operated(&ordered(ChildOperation::Refund), &[says(name)]);
        assert_eq!((report.outcome, report.reference.as_str()), (OperationOutcome::Queued, "1"), "{name}");
    }
}

#[test]
fn what_is_refused_is_not_done() {
    for (kind, _) in KINDS {
        for refusal in [answer(401, ""), answer(403, ""), answer(404, ""), says("invalid")] {
            let report = operated(&ordered(kind), &[refusal]);
            assert_eq!((report.outcome, report.message.is_some()), (OperationOutcome::Refused, true));
        }
        for unclear in [
            answer(202, "{}"),
            says("duplicate"),
            says("processing error"),
            answer(502, ""),
            answer(404, "<p>"),
        ] {
            assert_eq!(operated(&ordered(kind), &[unclear]).outcome, OperationOutcome::Unknown);
        }
    }
}

#[test]
fn the_actions_of_the_payment_say_what_became_of_it() {
    for (kind, word) in KINDS {
        let order = ordered(kind);
        for id in [Some(ACTION), None] {
            let done = asked_about(&order, id, says(&format!("actions: {word} done")));
            assert_eq!((done.outcome, done.gateway_id.as_deref()), (OperationOutcome::Done, Some(ACTION)));
            let amount = (kind != ChildOperation::Void).then(|| money("4.000", "KWD"));
            assert_eq!((done.reference.as_str(), done.amount), (OPERATION_REFERENCE, amount));
            let declined = asked_about(&order, id, says(&format!("actions: {word} declined")));
            assert_eq!(declined.outcome, OperationOutcome::Refused);
            assert_eq!(declined.message.as_deref(), Some("Declined - Do Not Honour"));
        }
        assert_eq!(asked_about(&order, None, says("actions: none")).outcome, OperationOutcome::Absent);
        assert_eq!(
            asked_about(&order, Some(ACTION), says("actions: none")).outcome,
            OperationOutcome::Queued
        );
        for unclear in [answer(200, "{}"), answer(404, ""), answer(500, "[]"), answer(200, r#"[{"id":1}]"#)] {
            assert_eq!(asked_about(&order, None, unclear).outcome, OperationOutcome::Unknown);
        }
    }
    let refund = ordered(ChildOperation::Refund);
    assert_eq!(asked_about(&refund, None, says("actions: Refund pending")).outcome, OperationOutcome::Queued);
    assert_eq!(asked_about(&refund, None, says("actions: Capture done")).outcome, OperationOutcome::Absent);
    let mut actions = sample("actions: Refund done");
    actions[0]["amount"] = json!("4000");
    assert_eq!(
        asked_about(&refund, None, answer(200, actions.to_string())).outcome,
        OperationOutcome::Unknown
    );
    actions[0]["amount"] = json!(3_990);
    assert_eq!(
        asked_about(&refund, None, answer(200, actions.to_string())).amount,
        Some(money("3.990", "KWD"))
    );
}

#[test]
fn an_operation_needs_the_id_of_the_payment() {
    for gateway_id in [None, Some(PAGE.to_string()), Some("pay_../captures".into()), Some(String::new())] {
        let charge = ChargeRef { gateway_id, ..known(PAYMENT) };
        let order = operation_order(charge, ChildOperation::Refund, "1.000");
        assert_eq!(shop().operate(&order).done().unwrap().outcome, OperationOutcome::Refused);
        let asked = shop().inquire_operation(&operation(&order, None)).done().unwrap();
        assert_eq!(asked.outcome, OperationOutcome::Unknown);
    }
    let odd = operation_order(known(PAYMENT), ChildOperation::Refund, "1.005");
    assert_eq!(shop().operate(&odd).done().unwrap().outcome, OperationOutcome::Refused);
}
