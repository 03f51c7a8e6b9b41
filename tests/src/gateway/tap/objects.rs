//! Tap's objects and lists.

use checkout_core::gateway::exchange::Incoming;
use checkout_core::value::money::Money;
use checkout_core::value::time::Timestamp;
use checkout_core::words::ChildOperation;
use sandbox_bank::charge::ChargeStatus;
use sandbox_bank::operation::OperationStatus;
use serde_json::{Value, json};

use super::super::ledger::{Charge, Move};
use super::super::message::Asked;
use super::{PAGES, Tap, fault, said};

/// The id of a charge or an authorisation.
pub(super) fn id(charge: &Charge) -> String {
    format!("{}TS{:06}", if charge.is_held() { "auth_" } else { "chg_" }, charge.number)
}

pub(super) fn customer(charge: &Charge) -> String {
    let known = charge.card.get("token").and_then(Value::as_str).and_then(|token| token.split('|').next());
    known.map_or_else(|| format!("cus_TS{:06}", charge.number), str::to_owned)
}

fn capture_id(done: &Move) -> String {
    format!("chg_TSC{:06}", done.number)
}

fn refund_id(refund: &Move) -> String {
    format!("re_TS{:06}", refund.number)
}

/// An amount as a number.
fn amount(minor: i64, like: Money) -> Value {
    let text = Money::new(minor, like.currency()).unwrap().to_string();
    serde_json::from_str(&text).unwrap()
}

/// Adds a member to an object.
fn put(object: &mut Value, name: &str, value: Value) {
    object.as_object_mut().unwrap().insert(name.into(), value);
}

impl Tap {
    pub(super) fn by_id(&self, name: &str) -> Option<Charge> {
        self.ledger.find_by(|charge| id(charge) == name)
    }

    /// The charge of which money can be given back under this id.
    pub(super) fn by_charge_id(&self, name: &str) -> Option<Charge> {
        let capture = self.capture_of(name).and_then(|done| self.ledger.find(&done.charge));
        capture.or_else(|| self.by_id(name).filter(|charge| !charge.is_held()))
    }

    fn capture_of(&self, name: &str) -> Option<Move> {
        let mut moves = self.ledger.moves().into_values();
        moves.find(|one| one.kind == ChildOperation::Capture && capture_id(one) == name)
    }

    pub(super) fn refund_of(&self, name: &str) -> Option<Move> {
        let mut moves = self.ledger.moves().into_values();
        moves.find(|one| one.kind == ChildOperation::Refund && refund_id(one) == name)
    }

    pub(super) fn item_of(&self, kind: &str, name: &str) -> Option<Value> {
        if let Some(done) = self.capture_of(name).filter(|_| kind == "charges") {
            return Some(Self::captured(&self.ledger.find(&done.charge)?, &done));
        }
        let charge = self.by_id(name).filter(|charge| (kind == "authorize") == charge.is_held())?;
        Some(self.item(&charge))
    }

    /// The word for the state of a charge.
    pub(super) fn word(&self, charge: &Charge) -> &'static str {
        let sum = |kind| self.ledger.sum(&charge.reference, kind);
        match charge.status {
            ChargeStatus::Open | ChargeStatus::Challenged => "INITIATED",
            ChargeStatus::Processing => "IN_PROGRESS",
            ChargeStatus::Declined => "DECLINED",
            ChargeStatus::Canceled => "CANCELLED",
            ChargeStatus::Approved if sum(ChildOperation::Void) > 0 => "VOID",
            ChargeStatus::Approved if charge.is_held() && sum(ChildOperation::Capture) == 0 => "AUTHORIZED",
            ChargeStatus::Approved => "CAPTURED",
        }
    }

    /// A charge or an authorisation.
    pub(super) fn item(&self, charge: &Charge) -> Value {
        let status = self.word(charge);
        let is_taken = charge.status == ChargeStatus::Approved;
        let price = amount(if is_taken { charge.taken } else { charge.asked.minor() }, charge.asked);
        let mut transaction =
            json!({"created": charge.opened_at.millis().to_string(), "timezone": "UTC+03:00"});
        if status == "INITIATED" {
            put(&mut transaction, "url", json!(format!("{PAGES}{}", id(charge))));
        }
        let mut item = json!({
            "id": id(charge), "object": if charge.is_held() { "authorize" } else { "charge" }, "live_mode": false,
            "status": status, "amount": price, "currency": charge.asked.currency().code(),
            "metadata": {"till": charge.memo("till")}, "transaction": transaction,
            "reference": {"transaction": charge.reference, "payment": charge.number.to_string(), "gateway": "123456789"},
            "response": {"code": if status == "DECLINED" { "505" } else { "000" }, "message": status},
            "customer": {"id": customer(charge)}, "source": {"object": "source", "id": charge.memo("source")},
        });
        if is_taken && charge.saves_card {
            let number = charge.number;
            let card = format!("card_TS{number:06}");
            put(
                &mut item,
                "card",
                json!({"id": card, "object": "card", "brand": "VISA", "last_four": "1019"}),
            );
            put(&mut item, "payment_agreement", json!({"id": format!("payment_agreement_TS{number:06}")}));
        }
        item
    }

    /// A capture: a charge whose source is the authorisation.
    pub(super) fn captured(held: &Charge, done: &Move) -> Value {
        json!({
            "id": capture_id(done), "object": "charge", "live_mode": false, "status": "CAPTURED",
            "amount": amount(done.amount, held.asked), "currency": held.asked.currency().code(),
            "metadata": {"till": "capture"}, "transaction": {"created": done.made_at.millis().to_string()},
            "reference": {"transaction": done.reference, "order": held.reference, "payment": done.number.to_string()},
            "response": {"code": "000", "message": "Captured"}, "customer": {"id": customer(held)},
            "source": {"object": "authorize", "id": id(held)},
        })
    }

    pub(super) fn refund(&self, refund: &Move) -> Value {
        let charge = self.ledger.find(&refund.charge).unwrap();
        let status = match refund.status {
            OperationStatus::Queued => "PENDING",
            OperationStatus::Done => "REFUNDED",
            OperationStatus::Refused => "DECLINED",
        };
        json!({
            "id": refund_id(refund), "object": "refund", "live_mode": false, "status": status,
            "amount": amount(refund.amount, charge.asked), "currency": charge.asked.currency().code(),
            "created": refund.made_at.millis(), "reference": {"merchant": refund.reference},
            "charge_id": self.charge_id(&charge), "response": {"code": "000", "message": status},
        })
    }

    /// The id under which money of a charge is given back.
    fn charge_id(&self, charge: &Charge) -> String {
        let mut moves = self.ledger.moves().into_values();
        let capture = moves.find(|one| one.kind == ChildOperation::Capture && one.charge == charge.reference);
        capture.map_or_else(|| id(charge), |done| capture_id(&done))
    }

    pub(super) fn list(&self, asked: &Asked, kind: &str) -> Incoming {
        let mut found: Vec<(Timestamp, Value)> = Vec::new();
        let charges = self.ledger.charges().into_values().filter(|charge| self.ledger.is_seen(charge));
        let moves = self.ledger.moves().into_values();
        let name =
            match kind {
                "charges" => {
                    let taken = charges.filter(|charge| !charge.is_held());
                    found.extend(taken.map(|charge| (charge.opened_at, self.item(&charge))));
                    let captures = moves.filter(|one| one.kind == ChildOperation::Capture);
                    found.extend(captures.map(|one| {
                        (one.made_at, Self::captured(&self.ledger.find(&one.charge).unwrap(), &one))
                    }));
                    "Charges"
                }
                "authorize" => {
                    let held = charges.filter(Charge::is_held);
                    found.extend(held.map(|charge| (charge.opened_at, self.item(&charge))));
                    "Authorizes"
                }
                _ => {
                    let refunds = moves.filter(|one| one.kind == ChildOperation::Refund);
                    found.extend(refunds.map(|one| (one.made_at, self.refund(&one))));
                    "Refunds"
                }
            };
        found.retain(|(made_at, item)| is_asked_for(asked, *made_at, item));
        found.sort_by_key(|(made_at, item)| (*made_at, item["id"].to_string()));
        found.reverse();
        let after = asked.text("/starting_after");
        let start = found.iter().position(|(_, item)| item["id"] == json!(after));
        let rest = found.split_off(start.and_then(|place| place.checked_add(1)).unwrap_or(0));
        let limit = asked.text("/limit").parse().unwrap_or(25_usize).min(50);
        if rest.is_empty() {
            return fault(400, "1128", &format!("{name} not found"));
        }
        let page: Vec<Value> = rest.iter().take(limit).map(|(_, item)| item.clone()).collect();
        let has_more = page.len() < rest.len();
        said(&json!({"object": "list", "has_more": has_more, name.to_ascii_lowercase(): page}))
    }
}

/// Whether the filters of a list let an object through.
fn is_asked_for(asked: &Asked, made_at: Timestamp, item: &Value) -> bool {
    let bound = |name: &str| asked.text(&format!("/period/date/{name}")).parse::<i64>().ok();
    let is_among = |filter: &str, pointer: &str| {
        asked
            .json
            .pointer(filter)
            .and_then(Value::as_array)
            .is_none_or(|names| item.pointer(pointer).is_some_and(|name| names.contains(name)))
    };
    let reference = asked.json.pointer("/reference/transaction");
    bound("from").is_none_or(|from| made_at.millis() >= from)
        && bound("to").is_none_or(|to| made_at.millis() <= to)
        && reference.is_none_or(|name| item.pointer("/reference/transaction") == Some(name))
        && is_among("/sources", "/source/id")
        && is_among("/charges", "/charge_id")
}
