//! Stripe's objects and lists.

use checkout_core::gateway::charge::ChargeOperation;
use checkout_core::gateway::exchange::Incoming;
use checkout_core::words::ChildOperation;
use sandbox_bank::charge::ChargeStatus;
use sandbox_bank::operation;
use serde_json::{Value, json};

use super::super::ledger::{Charge, Move};
use super::super::message::Asked;
use super::{Stripe, expanded, said};

impl Stripe {
    pub(super) fn by_session(&self, id: &str) -> Option<Charge> {
        self.ledger.find_by(|charge| charge.is_page && session_id(charge) == id)
    }

    pub(super) fn by_intent(&self, id: &str) -> Option<Charge> {
        self.ledger.find_by(|charge| has_intent(charge) && intent_id(charge) == id)
    }

    pub(super) fn refund_of(&self, id: &str) -> Option<Move> {
        self.ledger.moves().into_values().find(|one| refund_id(one) == id)
    }

    /// The status of an intent.
    pub(super) fn status(&self, charge: &Charge) -> &'static str {
        let sum = |kind| self.ledger.sum(&charge.reference, kind);
        match charge.status {
            ChargeStatus::Open | ChargeStatus::Declined => "requires_payment_method",
            ChargeStatus::Challenged => "requires_action",
            ChargeStatus::Processing => "processing",
            ChargeStatus::Canceled => "canceled",
            ChargeStatus::Approved if sum(ChildOperation::Void) > 0 => "canceled",
            ChargeStatus::Approved if charge.is_held() && sum(ChildOperation::Capture) == 0 => {
                "requires_capture"
            }
            ChargeStatus::Approved => "succeeded",
        }
    }

    /// An intent, with its charge in full or as its id.
    pub(super) fn intent(&self, charge: &Charge, is_full: bool) -> Value {
        let status = self.status(charge);
        let captured = self.ledger.sum(&charge.reference, ChildOperation::Capture);
        let received = match (status, charge.is_held()) {
            ("succeeded", true) => captured,
            ("succeeded", false) => charge.taken,
            _ => 0,
        };
        let error = (status == "requires_payment_method").then(|| {
            json!({"type": "card_error", "code": "card_declined", "decline_code": "insufficient_funds",
                "message": "Your card has insufficient funds."})
        });
        let latest = match charge.status {
            ChargeStatus::Open | ChargeStatus::Canceled | ChargeStatus::Challenged => Value::Null,
            ChargeStatus::Processing | ChargeStatus::Approved | ChargeStatus::Declined if is_full => {
                self.try_of(charge, received)
            }
            ChargeStatus::Processing | ChargeStatus::Approved | ChargeStatus::Declined => {
                json!(charge_id(charge))
            }
        };
        let is_voided = status == "canceled" && charge.status == ChargeStatus::Approved;
        let is_saved = charge.saves_card && charge.status == ChargeStatus::Approved;
        json!({
            "id": intent_id(charge), "object": "payment_intent", "livemode": false,
            "created": charge.opened_at.seconds(), "amount": charge.asked.minor(), "amount_received": received,
            "amount_capturable": if status == "requires_capture" { charge.taken } else { 0 },
            "currency": charge.asked.currency().code().to_ascii_lowercase(),
            "capture_method": if charge.is_held() { "manual" } else { "automatic" }, "status": status,
            "metadata": charge.memo.get("metadata"), "last_payment_error": error, "next_action": null,
            "cancellation_reason": is_voided.then_some("requested_by_customer"),
            "customer": is_saved.then(|| customer_id(charge)),
            "payment_method": is_saved.then(|| method_id(charge)),
            "setup_future_usage": charge.saves_card.then_some("off_session"), "latest_charge": latest,
        })
    }

    fn try_of(&self, charge: &Charge, received: i64) -> Value {
        let is_good = charge.status == ChargeStatus::Approved;
        let is_over = charge.is_held() && received > 0 || self.status(charge) == "canceled";
        let released = if is_over { charge.taken.checked_sub(received).unwrap() } else { 0 };
        let refunded = self.ledger.sum(&charge.reference, ChildOperation::Refund);
        let status = match charge.status {
            ChargeStatus::Approved => "succeeded",
            ChargeStatus::Processing => "pending",
            ChargeStatus::Open
            | ChargeStatus::Challenged
            | ChargeStatus::Declined
            | ChargeStatus::Canceled => "failed",
        };
        json!({
            "id": charge_id(charge), "object": "charge", "created": charge.opened_at.seconds(), "status": status,
            "amount": charge.asked.minor(), "amount_captured": received,
            "amount_refunded": refunded.checked_add(released).unwrap(), "captured": received > 0,
            "currency": charge.asked.currency().code().to_ascii_lowercase(), "metadata": {},
            "billing_details": {"name": "A Payer"}, "payment_intent": intent_id(charge),
            "payment_method_details": {"type": "card", "card": card()},
            "outcome": {"seller_message": if is_good { "Payment complete." } else { "The bank declined." }},
        })
    }

    /// A session, with what is expanded in full.
    pub(super) fn session(&self, charge: &Charge, expand: &[&str]) -> Value {
        let is_setup = charge.operation == ChargeOperation::Verify;
        let status = match charge.status {
            ChargeStatus::Open => "open",
            ChargeStatus::Canceled => "expired",
            ChargeStatus::Challenged
            | ChargeStatus::Processing
            | ChargeStatus::Approved
            | ChargeStatus::Declined => "complete",
        };
        let id = session_id(charge);
        let intent = match (has_intent(charge), expand.contains(&"payment_intent.latest_charge")) {
            (false, _) => Value::Null,
            (true, true) => self.intent(charge, true),
            (true, false) => json!(intent_id(charge)),
        };
        let is_tried = is_setup && status == "complete";
        let setup = match (is_tried, expand.contains(&"setup_intent.payment_method")) {
            (false, _) => Value::Null,
            (true, true) => setup(charge),
            (true, false) => json!(format!("seti_{:06}", charge.number)),
        };
        let is_saved = charge.saves_card && charge.status == ChargeStatus::Approved;
        let is_paid = charge.status == ChargeStatus::Approved && !charge.is_held();
        let payment = match (is_setup, is_paid) {
            (true, _) => "no_payment_required",
            (false, true) => "paid",
            (false, false) => "unpaid",
        };
        json!({
            "id": id, "object": "checkout.session", "livemode": false, "created": charge.opened_at.seconds(),
            "mode": if is_setup { "setup" } else { "payment" }, "status": status, "payment_status": payment,
            "client_reference_id": charge.reference, "metadata": {"charge": charge.reference},
            "amount_total": (!is_setup).then(|| charge.asked.minor()),
            "currency": (!is_setup).then(|| charge.asked.currency().code().to_ascii_lowercase()),
            "url": (status == "open").then(|| format!("https://checkout.stripe.com/c/pay/{id}")),
            "payment_intent": intent, "setup_intent": setup, "customer": is_saved.then(|| customer_id(charge)),
            "success_url": charge.memo("success_url"), "cancel_url": charge.memo("cancel_url"),
        })
    }

    /// A refund, with its intent and its charge in full or as the id.
    pub(super) fn refund(&self, refund: &Move, is_full: bool) -> Value {
        let charge = self.ledger.find(&refund.charge).unwrap();
        let status = match refund.status {
            operation::OperationStatus::Done => "succeeded",
            operation::OperationStatus::Queued => "pending",
            operation::OperationStatus::Refused => "failed",
        };
        let intent = if is_full { self.intent(&charge, true) } else { json!(intent_id(&charge)) };
        json!({
            "id": refund_id(refund), "object": "refund", "created": refund.made_at.seconds(), "amount": refund.amount,
            "currency": charge.asked.currency().code().to_ascii_lowercase(), "status": status,
            "charge": charge_id(&charge), "payment_intent": intent,
            "metadata": {"charge": refund.charge, "refund": refund.reference},
            "destination_details": {"type": "card", "card": {"reference": "74000000001", "type": "refund"}},
        })
    }

    pub(super) fn list_sessions(&self, asked: &Asked) -> Incoming {
        let all = self.ledger.charges().into_values().filter(|charge| charge.is_page);
        let seen = all.filter(|charge| self.ledger.is_seen(charge));
        let rows = seen.map(|charge| (charge.number, charge.opened_at.seconds(), self.session(&charge, &[])));
        Self::list(asked, rows.collect())
    }

    pub(super) fn list_intents(&self, asked: &Asked) -> Incoming {
        let is_full = expanded(asked).contains(&"data.latest_charge");
        let all = self.ledger.charges().into_values().filter(has_intent);
        let seen = all.filter(|charge| self.ledger.is_seen(charge));
        let row = |charge: Charge| (charge.number, charge.opened_at.seconds(), self.intent(&charge, is_full));
        Self::list(asked, seen.map(row).collect())
    }

    pub(super) fn list_refunds(&self, asked: &Asked) -> Incoming {
        let is_full = expanded(asked).contains(&"data.payment_intent.latest_charge");
        let wanted = asked.asked("payment_intent");
        let all = self.ledger.moves().into_values().filter(|one| one.kind == ChildOperation::Refund);
        let of_intent = all.filter(|one| {
            let charge = self.ledger.find(&one.charge).unwrap();
            wanted.is_none_or(|wanted| wanted == intent_id(&charge))
        });
        let rows = of_intent.map(|one| (one.number, one.made_at.seconds(), self.refund(&one, is_full)));
        Self::list(asked, rows.collect())
    }

    /// A page of a list: the newest first.
    fn list(asked: &Asked, mut rows: Vec<(u32, i64, Value)>) -> Incoming {
        let (from, to, after) = Self::window(asked);
        rows.retain(|(_, created, _)| (from..to).contains(created));
        rows.sort_by_key(|(number, created, _)| std::cmp::Reverse((*created, *number)));
        if let Some(after) = after {
            let is_it =
                |(_, _, row): &(u32, i64, Value)| row.get("id").and_then(Value::as_str) == Some(after);
            let place = rows.iter().position(is_it);
            rows.drain(..=place.unwrap());
        }
        let limit = asked.asked("limit").and_then(|limit| limit.parse::<usize>().ok()).unwrap_or(10).min(100);
        let has_more = rows.len() > limit;
        let data: Vec<Value> = rows.into_iter().take(limit).map(|(_, _, row)| row).collect();
        said(200, &json!({"object": "list", "url": "/v1", "has_more": has_more, "data": data}))
    }
}

fn card() -> Value {
    json!({"brand": "visa", "last4": "4242", "exp_month": 12, "exp_year": 2034, "authorization_code": "123456"})
}

fn setup(charge: &Charge) -> Value {
    let is_good = charge.status == ChargeStatus::Approved;
    let method = json!({"id": method_id(charge), "object": "payment_method", "type": "card", "card": card(),
        "billing_details": {"name": "A Payer"}});
    json!({
        "id": format!("seti_{:06}", charge.number), "object": "setup_intent",
        "metadata": charge.memo.get("metadata"), "usage": "off_session",
        "status": if is_good { "succeeded" } else { "processing" },
        "customer": is_good.then(|| customer_id(charge)), "payment_method": is_good.then_some(method),
    })
}

/// Whether there is an intent: on a page it is made with the first try.
fn has_intent(charge: &Charge) -> bool {
    let is_idle = charge.is_page
        && charge.tries == 0
        && matches!(charge.status, ChargeStatus::Open | ChargeStatus::Canceled);
    charge.operation != ChargeOperation::Verify && !is_idle
}

fn session_id(charge: &Charge) -> String {
    format!("cs_test_{:06}", charge.number)
}

fn intent_id(charge: &Charge) -> String {
    format!("pi_{:06}", charge.number)
}

fn charge_id(charge: &Charge) -> String {
    format!("ch_{:06}", charge.number)
}

fn customer_id(charge: &Charge) -> String {
    format!("cus_{:06}", charge.number)
}

fn method_id(charge: &Charge) -> String {
    format!("pm_{:06}", charge.number)
}

fn refund_id(refund: &Move) -> String {
    format!("re_{:06}", refund.number)
}
