//! The desk of a bank that captures, refunds and voids (`docs/sandbox.md`): each reference once, and never
//! more than there is.

use std::cell::RefCell;
use std::collections::BTreeMap;

use checkout_core::gateway::exchange::Incoming;
use checkout_core::testing::http::json;
use rust_decimal::Decimal;
use serde_json::{Value, json};

/// What was done, by reference.
#[derive(Debug, Default)]
pub struct Desk {
    done: RefCell<BTreeMap<String, Done>>,
}

/// One operation that was done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Done {
    /// The reference of the charge.
    pub charge: String,
    /// `capture`, `refund` or `void`.
    pub operation: String,
    /// How much.
    pub amount: Decimal,
    /// What was asked for.
    pub order: Value,
}

/// The parts of an approved charge that matter for its operations.
#[derive(Debug, Clone, Copy)]
pub struct Taken {
    /// Whether the money is only held.
    pub is_held: bool,
    /// What was taken or is held.
    pub total: Decimal,
}

impl Desk {
    /// Does what `order` asks for on a charge; `None` if the charge is not approved.
    ///
    /// # Panics
    /// If the order is not valid.
    pub fn operate(&self, charge: &str, taken: Option<Taken>, order: &Value) -> Incoming {
        let text = |name: &str| order.get(name).and_then(Value::as_str).unwrap().to_owned();
        let Some(taken) = taken else { return json(404, r#"{"message":"there is no such charge"}"#) };
        let reference = text("reference");
        if let Some(known) = self.done.borrow().get(&reference) {
            let is_same = known.charge == charge && known.order == *order;
            return if is_same { known.answer(&reference, 200) } else { json(409, r#"{"message":"taken"}"#) };
        }
        let done = Done {
            charge: charge.to_owned(),
            operation: text("operation"),
            amount: text("amount").parse().unwrap(),
            order: order.clone(),
        };
        if !self.permits(&done, taken) {
            return json(422, r#"{"message":"the charge does not permit this"}"#);
        }
        let answer = done.answer(&reference, 201);
        self.done.borrow_mut().insert(reference, done);
        answer
    }

    /// The outcome of an operation.
    #[must_use]
    pub fn report(&self, reference: &str) -> Incoming {
        match self.done.borrow().get(reference) {
            Some(done) => done.answer(reference, 200),
            None => json(404, r#"{"message":"there is no such operation"}"#),
        }
    }

    /// Everything that was done, by reference.
    #[must_use]
    pub fn all(&self) -> BTreeMap<String, Done> {
        self.done.borrow().clone()
    }

    /// Deletes everything that was done.
    pub fn undo(&self) {
        self.done.borrow_mut().clear();
    }

    /// How much of a kind was done to a charge.
    #[must_use]
    pub fn sum(&self, charge: &str, operation: &str) -> Decimal {
        let done = self.done.borrow();
        done.values()
            .filter(|done| done.charge == charge && done.operation == operation)
            .map(|done| done.amount)
            .sum()
    }

    fn permits(&self, done: &Done, taken: Taken) -> bool {
        let sum = |operation| self.sum(&done.charge, operation);
        let after = |operation| sum(operation).checked_add(done.amount).unwrap();
        let is_released = !sum("void").is_zero();
        match done.operation.as_str() {
            "capture" => taken.is_held && !is_released && after("capture") <= taken.total,
            "void" => taken.is_held && !is_released && sum("capture").is_zero() && done.amount == taken.total,
            "refund" => {
                let returnable = if taken.is_held { sum("capture") } else { taken.total };
                after("refund") <= returnable
            }
            _ => false,
        }
    }
}

impl Done {
    fn answer(&self, reference: &str, status: u16) -> Incoming {
        let document = json!({
            "id": format!("op-{reference}"),
            "reference": reference,
            "charge": self.charge,
            "operation": self.operation,
            "status": "done",
            "amount": self.order.get("amount"),
            "currency": self.order.get("currency"),
            "message": "approved",
        });
        json(status, &document.to_string())
    }
}
