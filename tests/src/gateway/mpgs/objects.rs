//! The orders and transactions of Mastercard Gateway.

use checkout_core::gateway::charge::ChargeOperation;
use checkout_core::value::money::Money;
use checkout_core::words::ChildOperation;
use sandbox_bank::charge::ChargeStatus;
use serde_json::{Value, json};

use super::super::ledger::{Charge, Move};
use super::{MERCHANT, Mpgs};

/// The session of a page.
pub(super) fn session(charge: &Charge) -> String {
    format!("SESSION{:024}", charge.number)
}

/// The id of the transaction that took or held the money.
pub(super) fn payment(charge: &Charge) -> String {
    let on_page = charge.tries.saturating_add(1).to_string();
    if charge.is_page { on_page } else { charge.reference.clone() }
}

/// An amount as the gateway writes it: a number.
fn number(charge: &Charge, minor: i64) -> Value {
    let money = Money::new(minor, charge.asked.currency()).unwrap();
    serde_json::from_str(&money.to_string()).unwrap()
}

impl Mpgs {
    /// Whether there is an order: it is made with the first try.
    pub(super) fn has_order(charge: &Charge) -> bool {
        let is_idle =
            matches!(charge.status, ChargeStatus::Open | ChargeStatus::Canceled) && charge.tries == 0;
        !is_idle
    }

    fn sum(&self, charge: &Charge, kind: ChildOperation) -> i64 {
        self.ledger.sum(&charge.reference, kind)
    }

    /// The members of an order without its transactions.
    fn sums(&self, charge: &Charge) -> Value {
        let is_good = charge.status == ChargeStatus::Approved;
        let captured =
            if charge.is_held() { self.sum(charge, ChildOperation::Capture) } else { charge.taken };
        let (refunded, voided) =
            (self.sum(charge, ChildOperation::Refund), self.sum(charge, ChildOperation::Void));
        let status = match (charge.status, charge.operation) {
            (ChargeStatus::Open | ChargeStatus::Declined, _) => "FAILED",
            (ChargeStatus::Challenged | ChargeStatus::Processing, _) => "INITIATED",
            (ChargeStatus::Canceled, _) => "CANCELLED",
            (ChargeStatus::Approved, ChargeOperation::Verify) => "VERIFIED",
            (ChargeStatus::Approved, _) if voided > 0 => "CANCELLED",
            (ChargeStatus::Approved, _) if refunded > 0 && refunded == captured => "REFUNDED",
            (ChargeStatus::Approved, _) if refunded > 0 => "PARTIALLY_REFUNDED",
            (ChargeStatus::Approved, _) if captured == 0 => "AUTHORIZED",
            (ChargeStatus::Approved, _) if captured < charge.taken => "PARTIALLY_CAPTURED",
            (ChargeStatus::Approved, _) => "CAPTURED",
        };
        let held = if is_good && voided == 0 { charge.taken } else { 0 };
        let amount = if is_good { charge.taken } else { charge.asked.minor() };
        json!({
            "id": charge.reference, "currency": charge.asked.currency().code(), "status": status,
            "amount": number(charge, amount), "totalAuthorizedAmount": number(charge, held),
            "totalCapturedAmount": number(charge, if is_good { captured } else { 0 }),
            "totalRefundedAmount": number(charge, refunded),
        })
    }

    fn entry(charge: &Charge, name: &str, kind: &str, (result, code, minor): (&str, &str, i64)) -> Value {
        let card = json!({"brand": "MASTERCARD", "scheme": "MASTERCARD", "number": "512345xxxxxx0008",
            "expiry": {"month": "1", "year": "39"}, "nameOnCard": "A PAYER"});
        json!({
            "merchant": MERCHANT, "result": result, "response": {"gatewayCode": code},
            "sourceOfFunds": {"type": "CARD", "provided": {"card": card}},
            "transaction": {
                "id": name, "type": kind, "amount": number(charge, minor),
                "currency": charge.asked.currency().code(), "receipt": "632600000042",
                "authorizationCode": "B24047", "acquirer": {"batch": 20_260_101, "id": "KWT_S2I"},
            },
        })
    }

    /// Every transaction of an order, with its id.
    fn entries(&self, charge: &Charge) -> Vec<(String, Value)> {
        let kind = match charge.operation {
            ChargeOperation::Purchase => "PAYMENT",
            ChargeOperation::Authorize => "AUTHORIZATION",
            ChargeOperation::Verify => "VERIFICATION",
        };
        let failed = ("FAILURE", "INSUFFICIENT_FUNDS", charge.asked.minor());
        let mut entries: Vec<(String, Value)> = (1..=charge.tries)
            .map(|count| count.to_string())
            .map(|name| (name.clone(), Self::entry(charge, &name, kind, failed)))
            .collect();
        let own = match charge.status {
            ChargeStatus::Approved => Some(("SUCCESS", "APPROVED", charge.taken)),
            ChargeStatus::Processing => Some(("PENDING", "SUBMITTED", charge.asked.minor())),
            ChargeStatus::Declined if !charge.is_page => Some(failed),
            ChargeStatus::Open
            | ChargeStatus::Challenged
            | ChargeStatus::Declined
            | ChargeStatus::Canceled => None,
        };
        if let Some(own) = own {
            let name = payment(charge);
            entries.push((name.clone(), Self::entry(charge, &name, kind, own)));
        }
        let mut moves: Vec<Move> = self.ledger.moves().into_values().collect();
        moves.retain(|one| one.charge == charge.reference);
        moves.sort_by_key(|one| one.number);
        for one in moves {
            let kind = match one.kind {
                ChildOperation::Capture => "CAPTURE",
                ChildOperation::Refund => "REFUND",
                ChildOperation::Void => "VOID_AUTHORIZATION",
            };
            let done = Self::entry(charge, &one.reference, kind, ("SUCCESS", "APPROVED", one.amount));
            entries.push((one.reference, done));
        }
        entries
    }

    /// An order with its transactions.
    pub(super) fn order(&self, charge: &Charge) -> Value {
        let entries: Vec<Value> = self.entries(charge).into_iter().map(|(_, entry)| entry).collect();
        let mut order = self.sums(charge);
        let members = order.as_object_mut().unwrap();
        members.insert("merchant".into(), json!(MERCHANT));
        members.insert("result".into(), entries.last().unwrap().get("result").unwrap().clone());
        members.insert("transaction".into(), json!(entries));
        order
    }

    /// One transaction with its order.
    pub(super) fn transaction(&self, charge: &Charge, name: &str) -> Option<Value> {
        let (_, mut entry) = self.entries(charge).into_iter().find(|(known, _)| known == name)?;
        let members = entry.as_object_mut()?;
        members.insert("order".into(), self.sums(charge));
        members.insert("version".into(), json!("100"));
        Some(entry)
    }
}
