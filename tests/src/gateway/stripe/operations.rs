//! Captures, voids and refunds at Stripe.

use std::time::Duration;

use checkout_core::gateway::exchange::Incoming;
use checkout_core::words::ChildOperation;
use sandbox_bank::charge::ChargeStatus;
use sandbox_bank::operation;
use serde_json::Value;

use super::super::ledger::Charge;
use super::super::message::Asked;
use super::super::number;
use super::{Stripe, expanded, fault, missing, nested, said};

/// How long a queued refund takes.
const REFUND: Duration = Duration::from_hours(2);

impl Stripe {
    pub(super) fn mark(&self, asked: &Asked, id: &str) -> Incoming {
        let Some(charge) = self.by_intent(id) else { return missing("intent") };
        let charge = self.remember(&charge, &nested(&asked.form, "metadata"));
        said(200, &self.intent(&charge, expanded(asked).contains(&"latest_charge")))
    }

    /// Adds to the metadata of an intent.
    fn remember(&self, charge: &Charge, marks: &Value) -> Charge {
        let marks = marks.as_object().cloned().unwrap();
        let add = |found: &mut Charge| {
            found.memo.pointer_mut("/metadata").and_then(Value::as_object_mut).unwrap().extend(marks);
        };
        self.ledger.change(&charge.reference, add).unwrap()
    }

    fn unexpected(&self, charge: &Charge) -> Incoming {
        let text = format!("This PaymentIntent has a status of {}.", self.status(charge));
        fault(400, "invalid_request_error", "payment_intent_unexpected_state", &text)
    }

    pub(super) fn capture(&self, asked: &Asked, id: &str) -> Incoming {
        let Some(charge) = self.by_intent(id) else { return missing("intent") };
        let marks = nested(&asked.form, "metadata");
        let reference = marks.get("capture").and_then(Value::as_str).unwrap_or_default();
        let amount =
            asked.field("amount_to_capture").and_then(|amount| amount.parse().ok()).unwrap_or_default();
        if self.status(&charge) != "requires_capture" {
            return self.unexpected(&charge);
        }
        if self.ledger.operate(ChildOperation::Capture, &charge, reference, amount).is_none() {
            return fault(400, "invalid_request_error", "amount_too_large", "too much to capture");
        }
        let charge = self.remember(&charge, &marks);
        said(200, &self.intent(&charge, expanded(asked).contains(&"latest_charge")))
    }

    pub(super) fn cancel(&self, asked: &Asked, id: &str) -> Incoming {
        let Some(charge) = self.by_intent(id) else { return missing("intent") };
        match self.status(&charge) {
            "requires_capture" => {
                let mark = charge.memo.pointer("/metadata/void").and_then(Value::as_str).unwrap_or_default();
                if mark.is_empty() {
                    self.ledger.protest(format!("{} is voided without a mark", charge.reference));
                }
                // A mark that arrives late replaces that of the void, whose key stays its own.
                let reference = asked.key.as_deref().unwrap_or(mark);
                let all = charge.taken;
                let _ = self.ledger.operate(ChildOperation::Void, &charge, reference, all);
            }
            "requires_action" | "requires_confirmation" | "requires_payment_method" if !charge.is_page => {
                let _ = self.ledger.end(&charge.reference, ChargeStatus::Canceled, None);
            }
            _ => return self.unexpected(&charge),
        }
        let charge = self.ledger.find(&charge.reference).unwrap();
        said(200, &self.intent(&charge, expanded(asked).contains(&"latest_charge")))
    }

    pub(super) fn give_back(&self, asked: &Asked) -> Incoming {
        let form = |name: &str| asked.field(name).unwrap_or_default();
        let Some(charge) = self.by_intent(form("payment_intent")) else { return missing("intent") };
        let (reference, amount) = (form("metadata[refund]"), form("amount").parse().unwrap_or_default());
        let Some(refund) = self.ledger.operate(ChildOperation::Refund, &charge, reference, amount) else {
            return fault(400, "invalid_request_error", "charge_already_refunded", "too much to refund");
        };
        let is_queued = number(reference).is_multiple_of(4);
        let due_at = is_queued.then(|| self.ledger.now().plus(REFUND));
        let status =
            if is_queued { operation::OperationStatus::Queued } else { operation::OperationStatus::Done };
        let refund = self.ledger.change_move(&refund.reference, |refund| {
            (refund.status, refund.due_at) = (status, due_at);
        });
        said(200, &self.refund(&refund.unwrap(), false))
    }
}
