//! What Checkout.com says about pages, payments and their actions.

use checkout_core::gateway::charge::ChargeOperation;
use checkout_core::words::ChildOperation;
use sandbox_bank::charge::ChargeStatus;
use sandbox_bank::operation;
use serde_json::{Value, json};

use super::super::ledger::{Charge, Move};
use super::CheckoutCom;

pub(super) fn page_id(charge: &Charge) -> String {
    format!("hpp_{:012}", charge.number)
}

pub(super) fn payment_id(charge: &Charge) -> String {
    format!("pay_{:026}", charge.number)
}

pub(super) fn source_id(charge: &Charge) -> String {
    format!("src_{:026}", charge.number)
}

pub(super) fn action_id(one: &Move) -> String {
    format!("act_{:026}", one.number)
}

/// The word of an action, and how that of its events begins.
pub(super) fn words_of(kind: ChildOperation) -> (&'static str, &'static str) {
    match kind {
        ChildOperation::Capture => ("Capture", "captur"),
        ChildOperation::Refund => ("Refund", "refund"),
        ChildOperation::Void => ("Void", "void"),
    }
}

impl CheckoutCom {
    pub(super) fn page(charge: &Charge) -> Value {
        let id = page_id(charge);
        let status = match charge.status {
            ChargeStatus::Approved => "Payment Received",
            ChargeStatus::Open | ChargeStatus::Challenged | ChargeStatus::Processing => "Payment Pending",
            ChargeStatus::Declined | ChargeStatus::Canceled => "Expired",
        };
        let mut page = json!({
            "id": id, "status": status, "amount": charge.asked.minor(), "currency": charge.asked.currency().code(),
            "reference": charge.reference, "_links": {"redirect": {"href": format!("https://pay.sandbox.checkout.com/page/{id}")}},
        });
        if has_payment(charge) {
            page.as_object_mut().unwrap().insert("payment_id".into(), json!(payment_id(charge)));
        }
        page
    }

    /// A payment, or the last try on a page.
    pub(super) fn payment(&self, charge: &Charge) -> Value {
        let sum = |kind| self.ledger.sum(&charge.reference, kind);
        let captured = if charge.is_held() { sum(ChildOperation::Capture) } else { charge.taken };
        let (refunded, voided) = (sum(ChildOperation::Refund), sum(ChildOperation::Void));
        let status = match charge.status {
            ChargeStatus::Approved if charge.operation == ChargeOperation::Verify => "Card Verified",
            ChargeStatus::Approved if voided > 0 => "Voided",
            ChargeStatus::Approved if refunded > 0 => "Partially Refunded",
            ChargeStatus::Approved if captured > 0 => "Captured",
            ChargeStatus::Approved => "Authorized",
            ChargeStatus::Processing => "Pending",
            ChargeStatus::Open
            | ChargeStatus::Challenged
            | ChargeStatus::Declined
            | ChargeStatus::Canceled => "Declined",
        };
        let is_approved = charge.status == ChargeStatus::Approved;
        let amount = if is_approved { charge.taken } else { charge.asked.minor() };
        let mut payment = json!({
            "id": payment_id(charge), "requested_on": charge.opened_at.to_string(), "reference": charge.reference,
            "amount": amount, "currency": charge.asked.currency().code(), "status": status, "approved": is_approved,
            "metadata": {"charge": charge.reference},
            "balances": {"total_captured": captured, "total_refunded": refunded, "total_voided": voided},
            "source": {"type": "card", "scheme": "Visa", "last4": "4242", "bin": "424242", "expiry_month": 3,
                "expiry_year": 2035, "name": "A PAYER"},
        });
        if is_approved && charge.saves_card {
            let source = payment.pointer_mut("/source").and_then(Value::as_object_mut).unwrap();
            source.insert("id".into(), json!(source_id(charge)));
        }
        payment
    }

    pub(super) fn actions(&self, charge: &Charge) -> Value {
        let (code, summary) = code_of(charge);
        let own = self.ledger.moves().into_values().filter(|one| one.charge == charge.reference);
        let mut actions: Vec<Value> = own.map(|one| action(&one)).collect();
        if charge.status != ChargeStatus::Processing {
            actions.push(json!({
                "id": format!("act_{:026}", charge.number), "type": "Authorization", "amount": charge.asked.minor(),
                "approved": charge.status == ChargeStatus::Approved, "reference": charge.reference,
                "response_code": code, "response_summary": summary,
            }));
        }
        Value::Array(actions)
    }
}

/// Whether anybody has tried to pay.
pub(super) fn has_payment(charge: &Charge) -> bool {
    let is_untried =
        matches!(charge.status, ChargeStatus::Open | ChargeStatus::Canceled) && charge.tries == 0;
    !(charge.is_page && is_untried)
}

pub(super) fn code_of(charge: &Charge) -> (&'static str, &'static str) {
    if charge.status == ChargeStatus::Approved {
        ("10000", "Approved")
    } else {
        ("20051", "Insufficient Funds")
    }
}

fn action(one: &Move) -> Value {
    let mut action = json!({
        "id": action_id(one), "type": words_of(one.kind).0, "amount": one.amount, "reference": one.reference,
        "processed_on": one.made_at.to_string(),
    });
    if one.status != operation::OperationStatus::Queued {
        let is_done = one.status == operation::OperationStatus::Done;
        let members = action.as_object_mut().unwrap();
        members.insert("approved".into(), json!(is_done));
        members.insert("response_code".into(), json!(if is_done { "10000" } else { "20005" }));
    }
    action
}
